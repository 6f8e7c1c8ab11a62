/** What leaves: the log, the conversation as Markdown, one request, the workspace. */

import type { Seq, SessionEvent } from '../core/event'
import { requestAt } from '../core/request'
import { writeTranscript } from '../formats/transcript'
import { writeHtml } from '../formats/write-html'
import { getBlob } from '../storage/blobs'
import { readableEvents } from '../storage/integrity'
import { readRaw, readSideTable } from '../storage/raw'
import { zipWorkspace } from '../tools/zip'
import type { AppContext } from './app-context'
import type { LiveSession } from './live-session'
import type { Actions } from './model'
import { fileName, saveStream } from './save'

type ExportActions = Pick<Actions, 'exportSession' | 'downloadWorkspace' | 'readFile' | 'blobUrl'>

const PAGE = 500

/** All events in order, a page at a time, read while the file is written. */
async function* eventsOf(live: LiveSession, length: number): AsyncGenerator<SessionEvent> {
  for (let from = 0; from < length; from += PAGE) {
    const to = Math.min(from + PAGE, length)
    yield* await live.journal.read(Array.from({ length: to - from }, (_, at) => from + at))
  }
}

async function exportLog(
  app: AppContext,
  live: LiveSession,
  format: 'native' | 'markdown',
  until: Seq | undefined,
): Promise<void> {
  const { header, version, title, status } = live.store.getState()
  // Of a damaged log everything that can be read is taken along, also past the damage.
  const events = status === 'damaged' ? readableEvents(app.db, live.id) : eventsOf(live, version)
  const stream = writeTranscript(format, header, events, {
    blobOf: (hash) => getBlob(app.db, hash),
    ...(status === 'damaged' ? {} : { count: version }),
    title: title || 'Untitled session',
    ...(until === undefined ? {} : { until }),
  })
  const name = until === undefined ? title : `${title} before ${until}`
  if (format === 'native') await saveStream(stream, fileName(name, 'jsonl'), 'application/x-ndjson')
  else await saveStream(stream, fileName(name, 'md'), 'text/markdown')
}

async function exportRequest(app: AppContext, live: LiveSession): Promise<void> {
  const { log, version, title } = live.store.getState()
  const seq = Math.min(app.store.getState().view.seq ?? version - 1, version - 1)
  const bodyOf = async (at: Seq) => (await live.bodies.read([at]))[0] as SessionEvent
  const body = await requestAt(log.heads, bodyOf, seq)
  const text = JSON.stringify(body, null, 2)
  await saveStream(
    new Blob([text]).stream(),
    fileName(`${title} request at ${seq}`, 'json'),
    'application/json',
  )
}

/** A page that holds everything, its log included. */
async function exportHtml(app: AppContext, live: LiveSession): Promise<void> {
  const { header, version, title, status } = live.store.getState()
  const isDamaged = status === 'damaged'
  const read = () => (isDamaged ? readableEvents(app.db, live.id) : eventsOf(live, version))
  const stream = writeHtml(header, read, {
    title: title || 'Untitled session',
    blobOf: (hash) => getBlob(app.db, hash),
    ...(isDamaged ? {} : { count: version }),
  })
  await saveStream(stream, fileName(title, 'html'), 'text/html')
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
    async exportSession(format, { until } = {}) {
      const live = app.current()
      if (!live) return
      const write = () => {
        if (format === 'request') return exportRequest(app, live)
        if (format === 'html') return exportHtml(app, live)
        return format === 'original'
          ? exportOriginal(app, live)
          : exportLog(app, live, format, until)
      }
      await write().catch(app.report('The export failed'))
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
