/** Our own files in, streamed: nothing in them is foreign, so only a damaged one is kept as it was. */

import type { SessionEvent } from '../core/event'
import type { Source } from '../formats/lines'
import { type NativePart, streamNative } from '../formats/read-native'
import type { Report } from '../formats/report'
import { putBlob } from '../storage/blobs'
import type { Database } from '../storage/db'
import { importSession } from '../storage/import'
import { dropRaw, keepRaw, mapRaw } from '../storage/raw'
import { getSession, purgeSession, untrashSession } from '../storage/sessions'
import type { FileToImport, ImportJob } from './import-files'
import { addSession } from './import-report'
import type { ImportReport } from './model'

type Taken = { id: string; isNew: boolean; report: Report | null }

/** The events of the session that began last, until its end; media are kept for `owner` on the way. */
async function* eventsOf(
  db: Database,
  parts: AsyncGenerator<NativePart>,
  taken: Taken,
  owner: string | null,
): AsyncGenerator<SessionEvent> {
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const part = next.value
    if (part.type === 'end') {
      taken.report = part.report
      return
    }
    if (part.type === 'events') yield* part.events
    else if (part.type === 'blob' && owner !== null) {
      await putBlob(db, owner, part.blob.bytes, part.blob.mediaType)
    }
  }
}

async function takeKnown(db: Database, id: string, told: ImportReport): Promise<void> {
  const here = await getSession(db, id)
  if (here?.trashedAt === undefined) {
    told.problem = 'This session is already in this browser.'
    return
  }
  await untrashSession(db, id)
  told.problem = 'This session was in the trash and has been put back.'
}

async function takeSession(
  { db, signal, locks }: ImportJob,
  header: Parameters<typeof importSession>[1],
  parts: AsyncGenerator<NativePart>,
  told: ImportReport,
): Promise<Taken> {
  const taken: Taken = { id: header.id, isNew: false, report: null }
  const events = eventsOf(db, parts, taken, header.id)
  const stored = await importSession(db, header, events, [], { signal, locks })
  taken.isNew = stored.ok
  if (!stored.ok) await takeKnown(db, header.id, told)
  // What is here already is read all the same: the report speaks of the whole file.
  const rest = eventsOf(db, parts, taken, null)
  if (!taken.report) for await (const _ of rest) signal?.throwIfAborted()
  if (taken.report) addSession(told, header.id, taken.report)
  return taken
}

/** Keeps a damaged file as it was, for the sessions that came of it. */
async function keepDamaged(
  { db, newId, signal }: ImportJob,
  { file, path }: FileToImport,
  all: readonly Taken[],
): Promise<void> {
  const isDamaged = all.some(
    ({ report }) => report && report.rejected.length + report.recovered > 0,
  )
  if (!isDamaged || !all.some(({ isNew }) => isNew)) return
  const kept = await keepRaw(db, newId(), path, file, { signal })
  for (const { id, isNew, report } of all) {
    if (isNew && report) await mapRaw(db, id, kept.id, { path, origins: [], ...report })
  }
  await dropRaw(db, kept.id)
}

/**
 * Stores every session of one of our files, and says in `told` what was read. Rejects with the signal's reason
 * or a storage error; nothing that came in before is left then.
 */
export async function importNative(
  job: ImportJob,
  source: Source,
  given: FileToImport,
  told: ImportReport,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const { db, signal } = job
  told.foreign = false
  const all: Taken[] = []
  const parts = streamNative(source, { signal, onProgress: ({ bytes }) => onBytes(bytes) })
  try {
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const part = next.value
      if (part.type === 'session') all.push(await takeSession(job, part.header, parts, told))
      else if (part.type === 'refused') told.problem = part.refusal.message
    }
    await keepDamaged(job, given, all)
  } catch (error) {
    for (const { id, isNew } of all) if (isNew) await purgeSession(db, id)
    throw error
  } finally {
    await parts.return(undefined)
  }
}
