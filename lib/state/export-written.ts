/** A session in one format: its name, and its bytes as they are asked for. */

import type { Seq, SessionEvent, SurfaceEvent } from '../core/event'
import { type BlobRef, type Block, isMedia } from '../core/message'
import { buildRequest, callOf, type RequestBody, requestAt } from '../core/request'
import { nodesOf } from '../core/surface'
import type { BlobOf } from '../formats/native'
import { passesOf, type WriteFormat, writeTranscript } from '../formats/write'
import { readRaw, readSideTable } from '../storage/raw'
import { zipWorkspace } from '../tools/zip'
import type { AppContext } from './app-context'
import { type ExportFormat, type ExportOptions, type ExportRange, RANGES } from './export-model'
import type { ExportSource } from './export-sources'
import type { LiveSession } from './live-session'
import { fileName } from './save'
import { wholeRequest } from './whole-request'

export type Written = {
  stream: ReadableStream<Uint8Array>
  /** Events that will be read in all, where known. */
  events?: number
  /** Bytes there will be, where known. */
  bytes?: number
}

type Kind = { extension: string; type: string; word?: string }

const KINDS: Record<Exclude<ExportFormat, 'original'>, Kind> = {
  native: { extension: 'jsonl', type: 'application/x-ndjson' },
  html: { extension: 'html', type: 'text/html' },
  markdown: { extension: 'md', type: 'text/markdown' },
  text: { extension: 'txt', type: 'text/plain' },
  openai: { extension: 'json', type: 'application/json', word: 'messages' },
  dsh: { extension: 'jsonl', type: 'application/x-ndjson', word: 'dsh' },
  request: { extension: 'json', type: 'application/json', word: 'request' },
  workspace: { extension: 'zip', type: 'application/zip', word: 'workspace' },
}

const rangeOf = (format: ExportFormat, asked?: ExportRange): ExportRange =>
  asked && RANGES[format].includes(asked) ? asked : (RANGES[format][0] ?? 'whole')

const PLACE: Record<ExportRange, (at: Seq) => string> = {
  whole: () => '',
  prefix: (at) => ` up to ${at}`,
  window: (at) => ` as seen at ${at}`,
}

/** What the file is called, and its type. An original keeps its own name. */
export function exportName(
  format: ExportFormat,
  title: string,
  at: Seq,
  { range, until }: Pick<ExportOptions, 'range' | 'until'>,
  original = '',
): { name: string; type: string } {
  if (format === 'original') {
    const own = original.split('/').at(-1) ?? ''
    const [, base = own, extension = 'txt'] = /^(.*)\.([A-Za-z0-9]{1,8})$/.exec(own) ?? []
    return { name: fileName(base, extension), type: 'application/octet-stream' }
  }
  const { extension, type, word } = KINDS[format]
  const place = until === undefined ? PLACE[rangeOf(format, range)](at) : ` before ${until}`
  return { name: fileName(`${title}${word ? ` ${word}` : ''}${place}`, extension), type }
}

/** The log in one of the formats of lib/formats. */
export function writtenLog(
  format: WriteFormat,
  source: ExportSource,
  options: Pick<ExportOptions, 'range' | 'until'>,
): Written {
  const { header, read, title, blobOf, count } = source
  const range = rangeOf(format, options.range)
  const until = options.until ?? (range === 'prefix' ? source.at + 1 : undefined)
  const at = range === 'window' && options.until === undefined ? source.at : undefined
  const stream = writeTranscript(format, header, read, { title, blobOf, count, until, at })
  const length = until ?? (at === undefined ? count : at + 1)
  return { stream, ...(length === undefined ? {} : { events: length * passesOf(format, { at }) }) }
}

const isRef = (source: unknown): source is BlobRef =>
  (source as { type?: unknown } | undefined)?.type === 'blob'

/** Media that are not there, by redaction or by loss, are named in words: a request cannot name a blob. */
async function namedWhereMissing(blocks: readonly Block[], blobOf: BlobOf): Promise<Block[]> {
  return Promise.all(
    blocks.map(async (block): Promise<Block> => {
      if (block.type === 'tool_result' && Array.isArray(block.content))
        return {
          ...block,
          content: await namedWhereMissing(block.content as Block[], blobOf),
        } as Block
      if (!isMedia(block) || !isRef(block.source) || (await blobOf(block.source.hash))) return block
      const { media_type: type, bytes } = block.source
      return { type: 'text', text: `[${block.type}: ${type}, ${bytes} bytes, not in this file]` }
    }),
  )
}

/** What was sent at the playhead; where nothing was sent by then, what would be sent of what stands there. */
async function bodyAt(live: LiveSession, { at, eventOf }: ExportSource): Promise<RequestBody> {
  const { log, chosen } = live.store.getState()
  const read = async (seqs: readonly Seq[]) =>
    Promise.all((await live.bodies.read(seqs)).map(eventOf))
  if (callOf(log.heads, at) >= 0)
    return requestAt(log.heads, async (seq) => (await read([seq]))[0] as SessionEvent, at)
  const nodes = await read(nodesOf(log.history.surfaceAt(at)))
  const last = log.heads.findLast(({ seq, type }) => seq <= at && type === 'request/header')
  const [event] = last ? await read([last.seq]) : []
  const header = event?.type === 'request/header' ? event.data : { ...chosen, tools: [] }
  return buildRequest(header, nodes as SurfaceEvent[])
}

/** The body with its media in it. */
export async function writtenRequest(live: LiveSession, source: ExportSource): Promise<Written> {
  const body = await bodyAt(live, source)
  const messages = await Promise.all(
    body.messages.map(async (message) => ({
      ...message,
      content: await namedWhereMissing(message.content, source.blobOf),
    })),
  )
  const whole = await wholeRequest({ ...body, messages }, source.blobOf)
  const blob = new Blob([JSON.stringify(whole, null, 2)])
  return { stream: blob.stream(), bytes: blob.size }
}

/** The file a session was imported from, as it was (T1). */
export async function writtenOriginal(app: AppContext, live: LiveSession): Promise<Written> {
  const found = await readSideTable(app.db, live.id)
  if (!found) throw new Error('The file this session came from is not kept in this browser.')
  return { stream: readRaw(app.db, found.file), bytes: found.file.bytes }
}

export const writtenWorkspace = ({ files }: ExportSource): Written => ({
  stream: zipWorkspace(files()),
})
