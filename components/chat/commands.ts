/** Slash commands of the composer. Pure: what a text means, and which commands it could become. */

import type { ExportFormat } from '@/lib/state/export-model'

export type CommandName = 'compact' | 'fork' | 'export' | 'model' | 'rename'

export type CommandSpec = {
  name: CommandName
  /** Shown after the name. */
  argument?: string
  about: string
}

export const COMMANDS: readonly CommandSpec[] = [
  { name: 'compact', argument: 'focus…', about: 'Summarise the older part now' },
  { name: 'fork', about: 'A new session with everything up to the last finished turn' },
  { name: 'export', argument: 'jsonl, md, html…', about: 'Save this session as a file' },
  { name: 'model', argument: 'id', about: 'Use another model from the next turn on' },
  { name: 'rename', argument: 'title', about: 'Give this session a title' },
]

export type Command = { name: CommandName; argument: string }

/** The command a text is, or null when it is a message. Only a first line of `/name …` counts. */
export function parseCommand(text: string): Command | null {
  const match = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text.trim())
  const name = match?.[1]
  if (!name || !COMMANDS.some((spec) => spec.name === name)) return null
  return { name: name as CommandName, argument: match[2]?.trim() ?? '' }
}

/** Commands that what is typed so far could become: only while the name itself is being written. */
export function suggestions(text: string): readonly CommandSpec[] {
  const match = /^\/([a-z]*)$/.exec(text)
  return match ? COMMANDS.filter(({ name }) => name.startsWith(match[1]!)) : []
}

const FORMATS: Record<string, ExportFormat> = {
  jsonl: 'native',
  log: 'native',
  html: 'html',
  md: 'markdown',
  markdown: 'markdown',
  txt: 'text',
  text: 'text',
  openai: 'openai',
  dsh: 'dsh',
  request: 'request',
  original: 'original',
  zip: 'workspace',
}

/** The format a word means; null where it means none. */
export const exportFormat = (argument: string): ExportFormat | null =>
  FORMATS[argument.toLowerCase()] ?? null
