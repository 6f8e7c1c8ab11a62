/** What leaves: the log, the conversation in every format, one request, the workspace. */

import type { Seq, SessionEvent, SessionHeader } from '../core/event'
import { requestAt } from '../core/request'
import type { BlobOf } from '../formats/native'
import { findSecrets, redact } from '../formats/redact'
import { writeTranscript } from '../formats/transcript'
import { writeDsh } from '../formats/write-dsh'
import { writeHtml } from '../formats/write-html'
import { writeOpenai } from '../formats/write-openai'
import { writeText } from '../formats/write-text'
import { inlineMedia } from '../providers/wire-media'
import { getBlob } from '../storage/blobs'
import { readableEvents } from '../storage/integrity'
import { readRaw, readSideTable } from '../storage/raw'
import { zipWorkspace } from '../tools/zip'
import type { AppContext } from './app-context'
import type { LiveSession } from './live-session'
import type { Actions, ExportFormat } from './model'
import { fileName, saveStream } from './save'

type ExportActions = Pick<
  Actions,
  'exportSession' | 'findSecrets' | 'downloadWorkspace' | 'readFile' | 'blobUrl'
>

const PAGE = 500

/** All events in order, a page at a time, read while the file is written. */
async function* eventsOf(live: LiveSession, length: number): AsyncGenerator<SessionEvent> {
  for (let from = 0; from < length; from += PAGE) {
    const to = Math.min(from + PAGE, length)
    yield* await live.journal.read(Array.from({ length: to - from }, (_, at) => from + at))
  }
}

type Written = {
  extension: string
  type: string
  stream: ReadableStream<Uint8Array>
  name?: string
}
type Reading = {
  header: SessionHeader
  read(): AsyncGenerator<SessionEvent>
  title: string
  blobOf: BlobOf
  /** How many events there are; unknown of a damaged log. */
  count?: number
  /** The playhead. */
  at: Seq
  until?: Seq
}
type ExportOptions = { until?: Seq; redact?: readonly string[] }
type LogFormat = Exclude<ExportFormat, 'original' | 'request'>

/** Of a damaged log everything that can be read is taken along, also past the damage. */
function readingOf(app: AppContext, live: LiveSession, until: Seq | undefined): Reading {
  const { header, version, title, status } = live.store.getState()
  const isDamaged = status === 'damaged'
  return {
    header,
    read: () => (isDamaged ? readableEvents(app.db, live.id) : eventsOf(live, version)),
    title: title || 'Untitled session',
    blobOf: (hash) => getBlob(app.db, hash),
    ...(isDamaged ? {} : { count: version }),
    at: momentOf(app, live),
    ...(until === undefined ? {} : { until }),
  }
}

/** The playhead, or the newest event. */
function momentOf(app: AppContext, live: LiveSession): Seq {
  const newest = live.store.getState().version - 1
  return Math.min(app.store.getState().view.seq ?? newest, newest)
}

function written(format: LogFormat, reading: Reading): Written {
  const { header, read, title, blobOf, count, at, until } = reading
  switch (format) {
    case 'native': {
      const stream = writeTranscript(format, header, read(), { blobOf, count, until })
      return { stream, extension: 'jsonl', type: 'application/x-ndjson' }
    }
    case 'html': {
      const stream = writeHtml(header, read, { title, blobOf, count })
      return { stream, extension: 'html', type: 'text/html' }
    }
    case 'markdown': {
      const stream = writeTranscript(format, header, read(), { title, until })
      return { stream, extension: 'md', type: 'text/markdown' }
    }
    case 'view': {
      const stream = writeTranscript('markdown', header, read(), { title, at })
      return { stream, extension: 'md', type: 'text/markdown', name: `as seen at ${at}` }
    }
    case 'text':
      return { stream: writeText(header, read(), { title }), extension: 'txt', type: 'text/plain' }
    case 'openai': {
      const stream = writeOpenai(read, { at, blobOf })
      return { stream, extension: 'json', type: 'application/json', name: `messages at ${at}` }
    }
    case 'dsh': {
      const stream = writeDsh(header, read)
      return { stream, extension: 'jsonl', type: 'application/x-ndjson', name: 'dsh' }
    }
  }
}

/** Without these values, and without attachments, which nobody searched. */
function redacted(reading: Reading, values: readonly string[]): Reading {
  const clean = redact(reading.header, reading.read, values)
  const title = clean.textOf(reading.title)
  return { ...reading, header: clean.header, read: clean.read, title, blobOf: async () => null }
}

async function exportLog(
  app: AppContext,
  live: LiveSession,
  format: LogFormat,
  { until, redact: values }: ExportOptions,
): Promise<void> {
  const whole = readingOf(app, live, until)
  const reading = values ? redacted(whole, values) : whole
  const { stream, extension, type, name } = written(format, reading)
  const { title } = reading
  const more = until === undefined ? name : `before ${until}`
  await saveStream(stream, fileName(more ? `${title} ${more}` : title, extension), type)
}

/** The body with its media in it, where this browser still has them all. */
async function exportRequest(app: AppContext, live: LiveSession): Promise<void> {
  const { log, title } = live.store.getState()
  const seq = momentOf(app, live)
  const bodyOf = async (at: Seq) => (await live.bodies.read([at]))[0] as SessionEvent
  const body = await requestAt(log.heads, bodyOf, seq)
  const inlined = await inlineMedia(body, async (hash) => {
    const blob = await getBlob(app.db, hash)
    return blob && new Blob([blob.bytes], { type: blob.mediaType })
  })
  const text = JSON.stringify(inlined.ok ? inlined.value : body, null, 2)
  await saveStream(
    new Blob([text]).stream(),
    fileName(`${title} request at ${seq}`, 'json'),
    'application/json',
  )
}

/** The file a session was imported from, as it was (T1), under its own name. */
async function exportOriginal(app: AppContext, live: LiveSession): Promise<void> {
  const found = await readSideTable(app.db, live.id)
  if (!found) throw new Error('The file this session came from is not kept in this browser.')
  const name = found.file.name.split('/').at(-1) ?? ''
  const [, base = name, extension = 'txt'] = /^(.*)\.([A-Za-z0-9]{1,8})$/.exec(name) ?? []
  await saveStream(
    readRaw(app.db, found.file),
    fileName(base, extension),
    'application/octet-stream',
  )
}

export function exportActions(app: AppContext): ExportActions {
  const urls = new Map<string, string>()

  return {
    async exportSession(format, options = {}) {
      const live = app.current()
      if (!live) return
      const write = () => {
        if (format === 'request') return exportRequest(app, live)
        return format === 'original'
          ? exportOriginal(app, live)
          : exportLog(app, live, format, options)
      }
      await write().catch(app.report('The export failed'))
    },
    async findSecrets(rules) {
      const live = app.current()
      if (!live) return null
      const { header, read } = readingOf(app, live, undefined)
      return findSecrets(header, read, rules).catch((error) => {
        app.report('The session could not be searched')(error)
        return null
      })
    },
    async downloadWorkspace() {
      const live = app.current()
      if (!live) return
      const save = async () => {
        const files = (await live.files.list()).filter((file) => file.changed !== 'deleted')
        const contents = await Promise.all(
          files.map(async ({ path }) => ({ path, content: (await live.files.read(path)) ?? '' })),
        )
        const zip = zipWorkspace(contents) as Uint8Array<ArrayBuffer>
        const name = fileName(`${live.store.getState().title} workspace`, 'zip')
        await saveStream(new Blob([zip]).stream(), name, 'application/zip')
      }
      await save().catch(app.report('The workspace could not be saved'))
    },
    async readFile(path) {
      const live = app.current()
      const [now, base] = live
        ? await Promise.all([live.files.read(path), live.files.base(path)])
        : [null, null]
      const text = (body: string | Uint8Array | null) => (typeof body === 'string' ? body : null)
      return { text: text(now), base: text(base), bytes: now?.length ?? 0 }
    },
    async blobUrl(hash) {
      const known = urls.get(hash)
      if (known) return known
      const blob = await getBlob(app.db, hash).catch(() => null)
      if (!blob) return null
      const url = URL.createObjectURL(new Blob([blob.bytes], { type: blob.mediaType }))
      urls.set(hash, url)
      return url
    },
  }
}
