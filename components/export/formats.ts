/** The formats a session can leave in, in words. */

import {
  AppWindow,
  Braces,
  FileArchive,
  FileClock,
  FileJson,
  FileText,
  type LucideIcon,
  MessagesSquare,
  ScrollText,
  Text,
} from 'lucide-react'
import type { ExportFormat, ExportRange } from '@/lib/state/export-model'

export type FormatWords = {
  format: ExportFormat
  icon: LucideIcon
  label: string
  /** What it holds. */
  holds(range: ExportRange): string
}

export const FORMATS: readonly FormatWords[] = [
  {
    format: 'native',
    icon: FileJson,
    label: 'Log (JSONL)',
    holds: () =>
      'Every event of the log, every layer, and the attachments. Palimpsest reads it back the same to the byte.',
  },
  {
    format: 'html',
    icon: AppWindow,
    label: 'Web page (HTML)',
    holds: () =>
      'One page with the strata, the time bar and the conversation. It opens from disk, offline, prints whole, and carries the log, so it can be imported again.',
  },
  {
    format: 'markdown',
    icon: FileText,
    label: 'Markdown',
    holds: (range) =>
      range === 'window'
        ? 'The system prompt and every message that was in the window, in its order.'
        : 'The conversation as you see it, tool calls and results included, every compaction marked where it happened.',
  },
  {
    format: 'text',
    icon: Text,
    label: 'Plain text',
    holds: (range) =>
      range === 'window'
        ? 'The system prompt and every message that was in the window, without markup.'
        : 'The conversation as you see it, without markup, every compaction marked where it happened.',
  },
  {
    format: 'request',
    icon: Braces,
    label: 'Request (Anthropic JSON)',
    holds: () =>
      'The body of one request as the model was sent it: system prompt, tools, messages and images. Where none was sent yet, the one that would be.',
  },
  {
    format: 'openai',
    icon: MessagesSquare,
    label: 'OpenAI messages (JSON)',
    holds: (range) =>
      range === 'window'
        ? 'What was in the window as chat messages, with tools, calls and results, for other programs.'
        : 'Everything that was said as chat messages, each as it was first written, with tools, calls and results.',
  },
  {
    format: 'dsh',
    icon: ScrollText,
    label: 'DeepSeek Harness log (v0)',
    holds: () => 'Messages, results, and compactions with the exact messages each replaced.',
  },
  {
    format: 'original',
    icon: FileClock,
    label: 'Original file',
    holds: () => 'The file this session was imported from, byte for byte.',
  },
  {
    format: 'workspace',
    icon: FileArchive,
    label: 'Workspace files (zip)',
    holds: () => 'The files that the tools read and write, as they are now.',
  },
]

export const rangeWords = (range: ExportRange, at: number): string =>
  ({
    whole: 'All of it',
    prefix: `Up to the playhead, #${at}`,
    window: `As the model saw it at #${at}`,
  })[range]
