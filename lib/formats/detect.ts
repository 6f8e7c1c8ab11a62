/** Which program wrote a file, from its first bytes: names and endings of files say little. */

import { firstBytes, type Source } from './lines'

/** Formats this program reads. */
export type FormatId =
  | 'native'
  | 'claude-code'
  | 'codex'
  | 'dsh'
  | 'pi'
  | 'messages'
  | 'responses'
  | 'chatgpt'
  | 'claude-ai'
  | 'opencode'
  | 'gemini'

export const FORMAT_NAMES: Record<FormatId, string> = {
  native: 'a Palimpsest session',
  'claude-code': 'Claude Code JSONL',
  codex: 'Codex JSONL',
  dsh: 'DeepSeek Harness JSONL',
  pi: 'pi JSONL',
  messages: 'a request with messages or a list of messages',
  responses: 'a list of Responses API items',
  chatgpt: 'a ChatGPT export',
  'claude-ai': 'a Claude.ai export',
  opencode: 'an opencode export',
  gemini: 'a Gemini CLI recording',
}

export type Detected =
  | { known: FormatId }
  /** Recognised, with a name for people, and not read. */
  | { known: null; looksLike: string }
  | { known: null; looksLike: null }

/** Enough for the first records of every format but one that begins with a large blob. */
const HEAD_BYTES = 256 * 1024
const HEAD_LINES = 50

type Row = Record<string, unknown>

const UNKNOWN: Detected = { known: null, looksLike: null }

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const SQLITE = 'SQLite format 3'

const CODEX = new Set([
  ...['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted', 'world_state'],
])
const CLAUDE_INERT = new Set(['file-history-snapshot', 'queue-operation', 'summary'])
const CLAUDE_SAID = new Set(['user', 'assistant', 'system'])
const ITEMS = new Set(['function_call', 'function_call_output', 'reasoning', 'compaction'])

/** Tests on one row of a JSONL file, most telling first. */
function formatOfRow(row: Row): FormatId | null {
  const type = typeof row.type === 'string' ? row.type : ''
  if (CODEX.has(type) && isRow(row.payload)) return 'codex'
  if (row.record_type === 'state') return 'codex'
  if (type === 'session' && 'createdAt' in row) return 'dsh'
  if (type === 'session' && 'timestamp' in row) return 'pi'
  if (typeof row.seq === 'number' && 'data' in row && 'type' in row) return 'dsh'
  if ('uuid' in row && ('parentUuid' in row || 'sessionId' in row)) return 'claude-code'
  if (CLAUDE_SAID.has(type) && 'sessionId' in row) return 'claude-code'
  if (CLAUDE_INERT.has(type)) {
    if ('leafUuid' in row || 'messageId' in row || 'operation' in row) return 'claude-code'
  }
  if ('sessionId' in row && 'projectHash' in row) return 'gemini'
  if (typeof row.role === 'string' && 'content' in row) return 'messages'
  return null
}

/** The bare items of old Codex files follow a line of metadata. */
const isOldCodex = (rows: readonly Row[]): boolean =>
  rows[0] !== undefined &&
  typeof rows[0].id === 'string' &&
  'timestamp' in rows[0] &&
  ('instructions' in rows[0] || 'git' in rows[0])

/** Tests on a file that is one JSON document. */
function formatOfDocument(value: unknown): FormatId | null {
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (!isRow(first)) return null
  if ('mapping' in first) return 'chatgpt'
  if ('chat_messages' in first) return 'claude-ai'
  if ('sessionId' in first && 'projectHash' in first) return 'gemini'
  if (isRow(first.info) && Array.isArray(first.messages)) return 'opencode'
  const items = Array.isArray(value) ? value : first.input
  if (Array.isArray(items) && items.some((item) => isRow(item) && ITEMS.has(String(item.type)))) {
    return 'responses'
  }
  if (Array.isArray(first.input) && typeof first.model === 'string') return 'responses'
  if (Array.isArray(first.messages)) return 'messages'
  if (typeof first.role === 'string' && ('content' in first || 'parts' in first)) {
    return Array.isArray(first.parts) ? 'gemini' : 'messages'
  }
  return null
}

/** Keys that name a document when only its beginning is here. */
const formatOfBeginning = (text: string): FormatId | null => {
  const has = (key: string) => text.includes(`"${key}"`)
  if (has('mapping')) return 'chatgpt'
  if (has('chat_messages')) return 'claude-ai'
  if (has('sessionId') && has('projectHash')) return 'gemini'
  if (has('info') && has('parts')) return 'opencode'
  if (has('function_call_output') || (has('input') && has('model'))) return 'responses'
  return has('role') && has('content') ? 'messages' : null
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The first lines' objects; the last line may be cut and is then none. */
function rowsOf(text: string): Row[] {
  return text.split('\n').slice(0, HEAD_LINES).map(parse).filter(isRow)
}

/** What a line holds that is too long, or too damaged, to be parsed: the marks of a row. */
function formatOfText(text: string): FormatId | null {
  if (
    /^\{[^\n]{0,2000}"type"\s*:\s*"(response_item|session_meta|compacted|event_msg)"/.test(text)
  ) {
    return 'codex'
  }
  if (/"parentUuid"\s*:/.test(text) && /"(sessionId|uuid)"\s*:/.test(text)) return 'claude-code'
  return null
}

/** Never throws for what the bytes hold. */
export async function detectFormat(source: Source): Promise<Detected> {
  const bytes = await firstBytes(source, HEAD_BYTES)
  const text = new TextDecoder().decode(bytes).replace(/^[\ufeff\0\s]+/, '')
  if (text.startsWith(SQLITE)) return { known: null, looksLike: 'an SQLite database' }
  // Before anything is parsed: the first line may be longer than what was taken, or damaged.
  if (/^\{\s*"palimpsest"\s*:/.test(text)) return { known: 'native' }
  const document = formatOfDocument(parse(text))
  if (document) return { known: document }
  const rows = rowsOf(text)
  if (isOldCodex(rows)) return { known: 'codex' }
  for (const row of rows) {
    const known = formatOfRow(row)
    if (known) return { known }
  }
  const known = formatOfText(text) ?? (/^[[{]/.test(text) ? formatOfBeginning(text) : null)
  return known ? { known } : UNKNOWN
}
