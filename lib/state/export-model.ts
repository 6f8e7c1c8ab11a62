/** What can leave a session, and how: the words of the export dialog and its actions. */

import type { Seq } from '../core/event'

/**
 * `request`: the body sent at the playhead, or that would be. `openai`: messages. `dsh`: a DeepSeek Harness
 * log. `original`: the imported file, byte for byte. `workspace`: the files the tools see, as a zip.
 */
export type ExportFormat =
  | 'native'
  | 'html'
  | 'markdown'
  | 'text'
  | 'openai'
  | 'dsh'
  | 'request'
  | 'original'
  | 'workspace'

/** Everything; all up to and including the playhead; what the model saw at the playhead. */
export type ExportRange = 'whole' | 'prefix' | 'window'

/** The ranges a format can have; the first is what it has by itself. */
export const RANGES: Record<ExportFormat, readonly ExportRange[]> = {
  native: ['whole', 'prefix'],
  html: ['whole', 'prefix'],
  markdown: ['whole', 'prefix', 'window'],
  text: ['whole', 'prefix', 'window'],
  dsh: ['whole', 'prefix'],
  openai: ['window', 'prefix', 'whole'],
  request: ['window'],
  original: ['whole'],
  workspace: ['whole'],
}

/** What to look for before an export: kinds of secrets by their form, and one's own words. */
export type SecretRules = {
  kinds: ('keys' | 'tokens' | 'private-keys' | 'emails')[]
  words: string[]
}

/** A secret that was found, how often it stands in the session, and the first places. */
export type FoundSecret = {
  label: string
  value: string
  count: number
  /** `seq` null is the session's header, or a file. */
  places: { seq: Seq | null; field: string; before: string; after: string }[]
}

/** `unread`: attachments and files that are no text, and could be searched only for names and comments. */
export type SecretsFound = { secrets: FoundSecret[]; unread: number }

/** What to take out. `keepMedia`: attachments that are no text stay in where nothing was found. */
export type Redaction = { values: readonly string[]; keepMedia: boolean }

export type ExportOptions = {
  range?: ExportRange
  /** Ends before this seq, whatever the playhead: the session as it stood before a compaction. */
  until?: Seq
  redact?: Redaction
  /** Where the person chose to put it; without it the browser downloads it. */
  file?: FileSystemFileHandle
}

/** An export under way. `share`: of the whole, 0 to 1, where it can be known. */
export type ExportRun = { id: string; name: string; bytes: number; share: number | null }
