'use client'

import { useState } from 'react'
import {
  type ExportFormat,
  type ExportOptions,
  type ExportRange,
  RANGES,
  type SecretRules,
  type SecretsFound,
} from '@/lib/state/export-model'
import { useMoment, useSession } from '@/lib/state/hooks'
import { useScreen } from '../shell/screen'
import { FORMATS, type FormatWords } from './formats'

export type ExportForm = {
  formats: readonly FormatWords[]
  format: ExportFormat
  setFormat(format: ExportFormat): void
  ranges: readonly ExportRange[]
  range: ExportRange
  setRange(range: ExportRange): void
  /** Secrets are to be taken out. An original is handed out as it is or not at all. */
  clean: boolean
  setClean(clean: boolean): void
  rules: SecretRules
  setRules(rules: SecretRules): void
  /** Null until it was looked, and again when the rules or what is searched change. */
  found: SecretsFound | null
  setFound(found: SecretsFound | null): void
  kept: ReadonlySet<string>
  setKept(kept: ReadonlySet<string>): void
  keepMedia: boolean
  setKeepMedia(keep: boolean): void
  options: ExportOptions
}

/** The formats this session has something for. */
function useFormats(): readonly FormatWords[] {
  const files = useSession((state) => state.files.length)
  const imported = useSession((state) => state.header.origin !== undefined)
  return FORMATS.filter(
    ({ format }) => (format !== 'original' || imported) && (format !== 'workspace' || files > 0),
  )
}

/** A prefix that is the whole is offered once. */
function useRanges(format: ExportFormat): readonly ExportRange[] {
  const at = useMoment()
  const newest = useSession((state) => state.version - 1)
  return RANGES[format].filter((range) => range !== 'prefix' || at < newest)
}

/** Everything that is chosen in the export dialog. */
export function useExportForm(): ExportForm {
  const formats = useFormats()
  const asked = useScreen((state) => state.exportFormat)
  const format = formats.some((one) => one.format === asked) ? asked : 'native'
  const ranges = useRanges(format)
  const [wanted, setRange] = useState<ExportRange | null>(null)
  const [wish, setClean] = useState(false)
  const [rules, setRules] = useState<SecretRules>({
    kinds: ['keys', 'tokens', 'private-keys'],
    words: [],
  })
  const [found, setFound] = useState<SecretsFound | null>(null)
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const [keepMedia, setKeepMedia] = useState(false)
  const range = wanted && ranges.includes(wanted) ? wanted : (ranges[0] ?? 'whole')
  const clean = wish && format !== 'original'
  const values = (found?.secrets ?? []).map(({ value }) => value).filter((one) => !kept.has(one))
  return {
    formats,
    format,
    setFormat(next) {
      // A workspace is searched in other places than a log.
      if ((next === 'workspace') !== (format === 'workspace')) setFound(null)
      useScreen.setState({ exportFormat: next })
    },
    ranges,
    range,
    setRange,
    clean,
    setClean,
    rules,
    setRules(next) {
      setRules(next)
      setFound(null)
    },
    found,
    setFound,
    kept,
    setKept,
    keepMedia,
    setKeepMedia,
    options: { range, ...(clean && found ? { redact: { values, keepMedia } } : {}) },
  }
}
