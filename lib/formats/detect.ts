/** Which program wrote a file, from its first bytes: names and endings of files say little. */

import { firstBytes, type Source } from './lines'

export type Detected =
  /** Read by this program. */
  | { known: 'native' }
  /** Recognised, with a name for people. */
  | { known: null; looksLike: string }
  | { known: null; looksLike: null }

/** Enough for the first records of every format but one that begins with a large blob. */
const HEAD_BYTES = 256 * 1024
const HEAD_LINES = 50

type Row = Record<string, unknown>

const looksLike = (name: string): Detected => ({ known: null, looksLike: name })
const UNKNOWN: Detected = { known: null, looksLike: null }

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const MAGIC: [number[], string][] = [
  [[0x28, 0xb5, 0x2f, 0xfd], 'a Zstandard archive (DeepSeek Harness and Codex keep sessions so)'],
  [[0x1f, 0x8b], 'a gzip archive'],
  [[0x50, 0x4b, 0x03, 0x04], 'a zip archive'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], 'an SQLite database'],
]

const CODEX = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  'world_state',
])
const CLAUDE_INERT = new Set(['file-history-snapshot', 'queue-operation', 'summary'])

/** Tests on one row of a JSONL file, most telling first. */
function nameOfRow(row: Row): string | null {
  if (typeof row.type === 'string' && CODEX.has(row.type) && isRow(row.payload))
    return 'Codex JSONL'
  if (row.type === 'session' && typeof row.createdAt === 'number') return 'DeepSeek Harness JSONL'
  if (row.type === 'session' && 'timestamp' in row) return 'pi JSONL'
  if (typeof row.seq === 'number' && 'data' in row && 'type' in row) return 'DeepSeek Harness JSONL'
  if ('uuid' in row && ('parentUuid' in row || 'sessionId' in row)) return 'Claude Code JSONL'
  if (typeof row.type === 'string' && CLAUDE_INERT.has(row.type)) {
    if ('leafUuid' in row || 'messageId' in row || 'operation' in row) return 'Claude Code JSONL'
  }
  if ('sessionId' in row && 'projectHash' in row) return 'a Gemini CLI recording'
  if (row.record_type === 'state') return 'Codex JSONL'
  if (typeof row.role === 'string' && 'content' in row) return 'a list of messages, one a line'
  return null
}

/** Tests on a file that is one JSON document. */
function nameOfDocument(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (!isRow(first)) return null
  if ('mapping' in first) return 'a ChatGPT export'
  if ('chat_messages' in first) return 'a Claude.ai export'
  if ('sessionId' in first && 'projectHash' in first) return 'a Gemini CLI recording'
  if (isRow(first.info) && Array.isArray(first.messages)) return 'an opencode export'
  if (Array.isArray(first.messages)) return 'a request with messages'
  if (typeof first.role === 'string' && 'content' in first) return 'a list of messages'
  return null
}

/** Keys that name a document when only its beginning is here. */
const nameOfBeginning = (text: string): string | null =>
  nameOfDocument(
    Object.fromEntries(
      ['mapping', 'chat_messages', 'sessionId', 'projectHash']
        .filter((key) => text.includes(`"${key}"`))
        .map((key) => [key, null]),
    ),
  )

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Never throws for what the bytes hold. */
export async function detectFormat(source: Source): Promise<Detected> {
  const bytes = await firstBytes(source, HEAD_BYTES)
  for (const [magic, name] of MAGIC) {
    if (magic.every((byte, at) => bytes[at] === byte)) return looksLike(name)
  }
  const text = new TextDecoder().decode(bytes).trimStart()
  // Before anything is parsed: the first line may be longer than what was taken, or damaged.
  if (/^\{\s*"palimpsest"\s*:/.test(text)) return { known: 'native' }
  const document = nameOfDocument(parse(text))
  if (document) return looksLike(document)
  for (const line of text.split('\n').slice(0, HEAD_LINES)) {
    const row = parse(line)
    const name = isRow(row) ? nameOfRow(row) : null
    if (name) return looksLike(name)
  }
  const beginning = /^[[{]/.test(text) ? nameOfBeginning(text) : null
  return beginning ? looksLike(beginning) : UNKNOWN
}
