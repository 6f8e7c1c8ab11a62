/**
 * Sessions of a foreign file into the database, as they are read: new ones whole or not at all, grown ones
 * by what they have more (T4), known ones not again. Each gets its side table (T1).
 */

import type { Seq, SessionEvent, SessionHeader } from '../core/event'
import { canonicalJson } from '../core/text'
import { HashWanted, type KeepBlob, type Part } from '../formats/foreign'
import type { Origin } from '../formats/report'
import { putBlob } from '../storage/blobs'
import type { Database } from '../storage/db'
import { importSession } from '../storage/import'
import { openJournal, openReader } from '../storage/journal'
import { acquireWriter } from '../storage/lock'
import { type KeptFile, mapRaw, readSideTable } from '../storage/raw'
import { getSession, purgeSession, untrashSession } from '../storage/sessions'
import { addSession } from './import-report'
import { BeginsAnew, type Report, type Stream, streamOf } from './import-stream'
import type { ImportReport } from './model'

type Locks = Pick<LockManager, 'request'>

export type ForeignImport = {
  db: Database
  /** What becomes of keeping the file, which goes on while it is read. */
  keeping: Promise<KeptFile>
  /** Path of the file inside an archive or folder. */
  path: string
  signal?: AbortSignal
  locks?: Locks
  /** Sessions that come in beside what is here, because they differ from it. Grows; reading begins anew then. */
  beside: Set<string>
  /** Where a sub-agent's session hangs, if the folder says so. */
  parentOf?(header: SessionHeader): Promise<SessionHeader['parent']>
}

/** Reading must begin again: a session that seemed to have grown differs from what is here. */
class Differs extends Error {
  constructor() {
    super('A session with this id is here already and is being written.')
  }
}

type Place =
  | { kind: 'new'; id: string; parent?: SessionHeader['parent'] }
  | { kind: 'known'; id: string }
  | { kind: 'grown'; id: string; length: number }

/** Where a session of this id goes. */
async function placeOf(job: ForeignImport, wanted: string): Promise<Place> {
  const { db, beside } = job
  const here = await getSession(db, wanted)
  if (!here) return { kind: 'new', id: wanted }
  const kept = await job.keeping
  const known = await readSideTable(db, wanted)
  if (known?.map.rawId === kept.id || here.header.origin?.sha256 === kept.sha256) {
    return { kind: 'known', id: wanted }
  }
  const grew = known && kept.grownFrom.some(({ id }) => id === known.map.rawId)
  if (grew && here.length === known.map.length && !beside.has(wanted)) {
    return { kind: 'grown', id: wanted, length: known.map.length }
  }
  const id = `${wanted}~${kept.sha256.slice(0, 8)}`
  if (await getSession(db, id)) return { kind: 'known', id }
  const seq = Math.min(here.length, known?.map.length ?? 0) - 1
  return { kind: 'new', id, ...(grew && seq >= 0 ? { parent: { id: wanted, seq } } : {}) }
}

const PAGE = 500

/** Times may come from the file's own date: they are labels, and no part of what is compared. */
const meaningOf = ({ time: _, ...event }: SessionEvent): string => canonicalJson(event)

/**
 * Events beyond the first `length`, which must be those that are here. Throws `Differs`, once all are read: the reader
 * may begin anew till then.
 */
async function tailOf(db: Database, id: string, length: number, { events }: Stream) {
  const reader = openReader(db, id)
  const tail: SessionEvent[] = []
  let page: SessionEvent[] = []
  let count = 0
  let differs = false
  for await (const event of events) {
    if (count >= length) tail.push(event)
    else if (!differs) {
      const at = count % PAGE
      if (at === 0) {
        const size = Math.min(PAGE, length - count)
        page = await reader.read(Array.from({ length: size }, (_, n) => count + n))
      }
      const stored = page[at]
      differs = !stored || meaningOf(stored) !== meaningOf(event)
    }
    count += 1
  }
  if (differs || count < length) throw new Differs()
  return tail
}

/** Appends in one transaction; false while another tab writes the session. */
async function appendTail(
  { db, locks }: ForeignImport,
  id: string,
  tail: readonly SessionEvent[],
): Promise<boolean> {
  const lease = await acquireWriter(db, id, locks)
  if (!lease) return false
  try {
    await openJournal(db, id, lease).append({ events: tail, durability: 'strict' })
    return true
  } finally {
    await lease.release()
  }
}

async function takeGrown(
  job: ForeignImport,
  { id, length }: { id: string; length: number },
  stream: Stream,
  told: ImportReport,
): Promise<void> {
  const tail = await tailOf(job.db, id, length, stream).catch((error: unknown) => {
    if (error instanceof Differs) job.beside.add(id)
    throw error
  })
  if (tail.length > 0 && !(await appendTail(job, id, tail))) {
    job.beside.add(id)
    throw new Differs()
  }
  told.note =
    tail.length > 0 ? `It grew: ${tail.length} events were added.` : 'Nothing in it is new.'
}

async function takeNew(
  job: ForeignImport,
  header: SessionHeader,
  stream: Stream,
): Promise<boolean> {
  const { db, signal, locks } = job
  const complete = async (header: SessionHeader) => {
    const { origin } = header
    if (origin?.sha256 !== '') return header
    return { ...header, origin: { ...origin, sha256: (await job.keeping).sha256 } }
  }
  const headAt = (seq: Seq) => {
    const head = stream.heads.get(seq)
    stream.heads.delete(seq)
    return head
  }
  const made = await importSession(db, header, stream.events, [], {
    signal,
    locks,
    headAt,
    complete,
  })
  return made.ok
}

/** A session that is here already; one in the trash is put back. */
async function takeKnown({ db }: ForeignImport, id: string, told: ImportReport): Promise<void> {
  const here = await getSession(db, id)
  if (here?.trashedAt === undefined) told.note ??= 'It is in this browser already.'
  else {
    await untrashSession(db, id)
    told.note ??= 'It was in the trash and has been put back.'
  }
}

type Taken = {
  id: string
  isNew: boolean
  isKnown: boolean
  origins: Origin[]
  report: Report | null
}

async function takeSession(
  job: ForeignImport,
  header: SessionHeader,
  place: Place,
  parts: AsyncGenerator<Part>,
  told: ImportReport,
): Promise<Taken> {
  const stream = streamOf(parts)
  if (place.kind === 'grown') await takeGrown(job, place, stream, told)
  else if (place.kind === 'known') await takeKnown(job, place.id, told)
  else if (!(await takeNew(job, header, stream))) throw new Differs()
  // What nobody asked for is read all the same: the report speaks of the whole file.
  for await (const _ of stream.events) job.signal?.throwIfAborted()
  const { report, origins } = stream
  const taken = {
    id: place.id,
    isNew: place.kind === 'new',
    isKnown: place.kind === 'known',
    origins,
    report,
  }
  if (report && place.kind !== 'known') await mapSession(job, taken, report)
  return taken
}

async function mapSession(
  job: ForeignImport,
  { id, origins }: Taken,
  { kept, rejected, mended }: Report,
): Promise<void> {
  const { id: rawId } = await job.keeping
  await mapRaw(job.db, id, rawId, { path: job.path, origins, kept, rejected, mended })
}

const BESIDE = 'It differs from the session that is here, so it came in beside it.'

/** A half-written session of another tab would keep an id taken for ever; this often it is worth a look. */
const MAX_TRIES = 5

/** `sha256` is there once it was wanted. */
type Open = (keepBlob: KeepBlob, sha256?: string) => AsyncGenerator<Part>

/** Sessions in the order they are read. `done` holds what was taken when it throws. */
async function takeAll(
  job: ForeignImport,
  open: Open,
  told: ImportReport,
  done: Taken[],
  sha256: string | undefined,
): Promise<void> {
  let owner = ''
  const parts = open((bytes, mediaType) => putBlob(job.db, owner, bytes, mediaType), sha256)
  /** What sessions of the file are called here. */
  const names = new Map<string, string>()
  try {
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const part = next.value
      if (part.type !== 'session') continue
      const place = await placeOf(job, part.header.id)
      owner = place.id
      names.set(part.header.id, place.id)
      const found = (await job.parentOf?.(part.header)) ?? part.header.parent
      const parent =
        (place.kind === 'new' ? place.parent : undefined) ??
        (found && { ...found, id: names.get(found.id) ?? found.id })
      const header = { ...part.header, id: place.id, ...(parent ? { parent } : {}) }
      const taken = await takeSession(job, header, place, parts, told).catch((error: unknown) => {
        if (error instanceof BeginsAnew) return null
        throw error
      })
      if (!taken) continue
      done.push(taken)
      if (place.kind === 'new' && place.id !== part.header.id) told.note ??= BESIDE
    }
  } finally {
    await parts.return(undefined)
  }
}

/**
 * Stores every session of a file, all or none. `open` begins reading it; it is called again where a session
 * that seemed to have grown comes in beside the old one, or where the file's hash turns out to be wanted. Rejects with the signal's reason, a storage error,
 * or what reading threw.
 */
export async function importForeign(
  job: ForeignImport,
  open: Open,
  told: ImportReport,
): Promise<void> {
  let sha256: string | undefined
  for (let tries = 1; ; tries += 1) {
    const done: Taken[] = []
    try {
      await takeAll(job, open, told, done, sha256)
      await finish(job, told, done)
      return
    } catch (error) {
      for (const { id, isNew } of done) if (isNew) await purgeSession(job.db, id)
      if (error instanceof HashWanted && sha256 === undefined) sha256 = (await job.keeping).sha256
      else if (!(error instanceof Differs) || tries === MAX_TRIES) throw error
    }
  }
}

/** The first session's report is the file's, and complete only now. */
async function finish(
  job: ForeignImport,
  told: ImportReport,
  done: readonly Taken[],
): Promise<void> {
  for (const { id, report } of done) if (report) addSession(told, id, report)
  const [first] = done
  if (first?.report && !first.isKnown) await mapSession(job, first, first.report)
}
