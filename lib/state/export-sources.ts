/** What an export reads: the events of a session page by page, its attachments and files, with or without secrets. */

import type { Seq, SessionEvent, SessionHeader } from '../core/event'
import type { BlobOf } from '../formats/native'
import { redact } from '../formats/redact'
import { getBlob } from '../storage/blobs'
import { readableEvents } from '../storage/integrity'
import type { AppContext } from './app-context'
import type { Redaction } from './export-model'
import type { LiveSession } from './live-session'
import { readHeld, unlessGone, unsavedOf } from './unstored'

const PAGE = 500

type File = { path: string; content: string | Uint8Array }

export type ExportSource = {
  header: SessionHeader
  read(): AsyncGenerator<SessionEvent>
  eventOf(event: SessionEvent): Promise<SessionEvent>
  title: string
  blobOf: BlobOf
  /** How many events there are; absent of a damaged log, where that is unknown. */
  count?: number
  /** The playhead; the newest event where it is LIVE. */
  at: Seq
  files(): AsyncGenerator<File>
}

export type Watch = { signal?: AbortSignal; onEvents?(more: number): void }

/** All events in order, a page at a time, read while the file is written; then what could not be stored. */
async function* eventsOf(
  live: LiveSession,
  length: number,
  unsaved: readonly SessionEvent[],
  { signal, onEvents }: Watch,
): AsyncGenerator<SessionEvent> {
  for (let from = 0; from < length; from += PAGE) {
    signal?.throwIfAborted()
    const to = Math.min(from + PAGE, length)
    yield* await readHeld(
      live,
      Array.from({ length: to - from }, (_, at) => from + at),
    )
    onEvents?.(to - from)
  }
  yield* unsaved
}

async function* filesOf(live: LiveSession): AsyncGenerator<File> {
  for (const { path, changed } of await live.files.list())
    if (changed !== 'deleted') yield { path, content: (await live.files.read(path)) ?? '' }
}

/** The playhead, or the newest event. */
function momentOf(app: AppContext, live: LiveSession): Seq {
  const newest = live.store.getState().version - 1
  return Math.min(app.store.getState().view.seq ?? newest, newest)
}

/** A session as it stands now. Of a damaged log everything that can be read is taken along, also past the damage. */
export function sourceOf(app: AppContext, live: LiveSession, watch: Watch = {}): ExportSource {
  const { header, version, title, status } = live.store.getState()
  const isDamaged = status === 'damaged'
  const unsaved = unsavedOf(live)
  return {
    header,
    read: () =>
      isDamaged ? readableEvents(app.db, live.id) : eventsOf(live, version, unsaved, watch),
    eventOf: async (event) => event,
    title: title || 'Untitled session',
    blobOf: (hash) => unlessGone(getBlob(app.db, hash)),
    ...(isDamaged ? {} : { count: version + unsaved.length }),
    at: momentOf(app, live),
    files: () => filesOf(live),
  }
}

/** The same without these values, in every copy, attachment, file and name. */
export function redactedSource(
  source: ExportSource,
  { values, keepMedia }: Redaction,
): ExportSource {
  const { blobOf } = source
  const clean = redact(source.header, source.read, values, { blobOf, keepMedia })
  return {
    ...source,
    header: clean.header,
    read: clean.read,
    eventOf: clean.eventOf,
    blobOf: clean.blobOf,
    title: clean.textOf(source.title),
    async *files() {
      for await (const { path, content } of source.files()) {
        const kept = clean.fileOf(content)
        if (kept !== null) yield { path: clean.textOf(path), content: kept }
      }
    },
  }
}
