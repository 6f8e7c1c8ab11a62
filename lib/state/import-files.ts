/**
 * Files and folders in: each file kept as it was, recognised, read and stored. Runs in a worker, and in
 * place where there is none. One bad file stops nothing.
 */

import type { SessionHeader } from '../core/event'
import type { KeepBlob } from '../formats/foreign'
import { NO_TRANSCRIPT, nothingIn, openTranscript, refusalFrom } from '../formats/open'
import type { Database } from '../storage/db'
import { openReader } from '../storage/journal'
import { dropRaw, type KeepOptions, type KeptFile, keepRaw, RAW_LOCK } from '../storage/raw'
import { getSession } from '../storage/sessions'
import { askFor, besideFiles, type Choice, type Choose } from './import-choice'
import { gatherFolders } from './import-folder'
import { importForeign } from './import-foreign'
import { importNative } from './import-native'
import { emptyImport, failedImport } from './import-report'
import type { ImportReport } from './model'

type Locks = Pick<LockManager, 'request'>

export type FileToImport = {
  file: File
  /** Inside the folder or archive it came from; its name otherwise. */
  path: string
}

export type ImportProgress = { name: string; bytes: number; total: number }

export type ImportJob = {
  db: Database
  newId(): string
  signal?: AbortSignal
  locks?: Locks
  onProgress?(progress: ImportProgress): void
  /** Which conversations of an export to bring in; without it, all. */
  choose?: Choose
  /** Keeps a file elsewhere while it is read here; without it, here. */
  keep?: Keep
}

/** As `keepRaw`. */
export type Keep = (id: string, name: string, file: File, options: KeepOptions) => Promise<KeptFile>

/** A file is read twice at the same time: once to keep it, once to understand it. */
type Pass = 'keeping' | 'reading'
type OnBytes = (pass: Pass, bytes: number) => void

const AGENT_FILE = /(^|\/)(?:([^/]+)\/subagents\/)?agent-([^/]+)\.jsonl$/
const META_FILE = /(^|\/)agent-[^/]+\.meta\.json$/

/** Sub-agents after the sessions they worked for, so that these can be found. */
const inOrder = (files: readonly FileToImport[]): FileToImport[] => [
  ...files.filter(({ path }) => !AGENT_FILE.test(path)),
  ...files.filter(({ path }) => AGENT_FILE.test(path)),
]

/** Where a sub-agent hangs: at the call that started it, which a file beside its own names. */
async function parentIn(
  { db }: ImportJob,
  files: readonly FileToImport[],
  path: string,
): Promise<SessionHeader['parent']> {
  const match = AGENT_FILE.exec(path)
  const id = match?.[2]
  const meta = files.find((one) => one.path === path.replace(/\.jsonl$/, '.meta.json'))
  if (!id || !meta) return undefined
  let toolUseId: unknown
  try {
    toolUseId = (JSON.parse(await meta.file.text()) as { toolUseId?: unknown } | null)?.toolUseId
  } catch {
    return undefined
  }
  if (typeof toolUseId !== 'string' || !(await getSession(db, id))) return undefined
  const heads = await openReader(db, id).heads()
  const call = heads.find((head) => head.calls?.includes(toolUseId))
  return call && { id, seq: call.seq }
}

/** What a file is read with: those that came along, what was chosen of it, whom to tell how far it is. */
type Around = { files: readonly FileToImport[]; choice: Choice; onBytes: OnBytes }

/** Reads one plain file, or one of an archive, whose bytes `kept` holds. */
async function takeFile(
  job: ImportJob,
  keeping: Promise<KeptFile>,
  source: Blob,
  { file, path }: FileToImport,
  { files, choice, onBytes }: Around,
): Promise<ImportReport> {
  const { db, signal, locks } = job
  const told = emptyImport(path)
  const isWhole = source === file
  const opened = await openTranscript(source, {
    signal,
    onProgress: ({ bytes }) => onBytes('reading', bytes),
    name: path,
    sha256: isWhole ? null : undefined,
    time: file.lastModified,
  })
  if (opened.kind === 'refused') return failedImport(path, opened.refusal.message)
  if (opened.kind === 'archive')
    return failedImport(path, 'An archive in an archive is not opened.')
  if (opened.kind === 'native') {
    await importNative(job, opened.source, { file, path }, told, (bytes) =>
      onBytes('reading', bytes),
    )
    return told
  }
  const parentOf = () => parentIn(job, files, path)
  const foreign = { db, keeping, path, signal, locks, beside: new Set<string>(), parentOf }
  try {
    const more = { chosen: choice.get(path), besideIt: besideFiles(files) }
    const open = (keepBlob: KeepBlob, sha256?: string) =>
      opened.read(keepBlob, sha256 === undefined ? more : { ...more, sha256 })
    await importForeign(foreign, open, told)
  } catch (error) {
    const refusal = refusalFrom(error)
    if (!refusal) throw error
    told.problem = refusal.message
  }
  if (told.sessions === 0) told.problem ??= nothingIn(opened.format)
  return told
}

/** The files of an archive as one report; what is no transcript is counted, and named in it. */
async function takeArchive(
  job: ImportJob,
  keeping: Promise<KeptFile>,
  given: FileToImport,
  entries: { name: string; source: Blob; problem: string | null }[],
): Promise<ImportReport[]> {
  const { lastModified } = given.file
  const { files, reports, notes } = await gatherFolders(
    entries.map(({ name, source }) => ({
      path: name,
      file: new File([source], name, { lastModified }),
    })),
  )
  const choice = await askFor(job.choose, given.path, files, job.signal)
  if (!choice) return [notChosen(given.path)]
  const around = { files, choice, onBytes: () => {} }
  let others = 0
  for (const entry of inOrder(files)) {
    job.signal?.throwIfAborted()
    const problem = entries.find(({ name }) => name === entry.path)?.problem
    if (META_FILE.test(entry.path)) continue
    const told = problem
      ? failedImport(entry.path, `It could not be unpacked: ${problem}`)
      : await takeFile(job, keeping, entry.file, entry, around)
    told.note ??= notes.get(entry.path)
    if (told.problem && told.sessions === 0 && !problem) others += 1
    else reports.push({ ...told, name: `${given.path} › ${entry.path}` })
  }
  return withOthers(reports, others, 'archive', given.path)
}

/** Adds what is to be said of files that are no transcripts. */
function withOthers(
  reports: ImportReport[],
  others: number,
  where: 'archive' | 'folder',
  name: string,
): ImportReport[] {
  const [first] = reports
  if (!first && others > 0) {
    return [failedImport(name, `The ${where} holds no transcript in a format Palimpsest knows.`)]
  }
  const words =
    others === 1 ? 'One other file is no transcript' : `${others} other files are no transcripts`
  const said = where === 'archive' ? `${words}; the archive is kept whole.` : `${words}.`
  if (first && others > 0) first.note = first.note ? `${first.note} ${said}` : said
  return reports
}

const notChosen = (path: string): ImportReport => ({
  ...emptyImport(path),
  note: 'No conversation of it was chosen.',
})

async function takeGiven(
  job: ImportJob,
  given: FileToImport,
  files: readonly FileToImport[],
  onBytes: OnBytes,
): Promise<ImportReport[]> {
  const { signal } = job
  const { file, path } = given
  // Looked at first: of our own files and of no transcripts nothing need be kept.
  const opened = await openTranscript(file, { signal, sha256: '-', name: path })
  if (opened.kind === 'refused') return [failedImport(path, opened.refusal.message)]
  if (opened.kind === 'native') {
    const told = emptyImport(path)
    await importNative(job, opened.source, given, told, (bytes) => onBytes('reading', bytes))
    return [told]
  }
  const choice =
    opened.kind === 'foreign' ? await askFor(job.choose, path, [given], signal) : new Map()
  if (!choice) return [notChosen(path)]
  const onProgress = ({ bytes }: { bytes: number }) => onBytes('keeping', bytes)
  return whileKept(job, path, file, onProgress, (both, keeping) =>
    opened.kind === 'archive'
      ? takeArchive(both, keeping, given, opened.files)
      : takeFile(both, keeping, file, given, { files, choice, onBytes }).then((told) => [told]),
  )
}

/** Reads a file while it is kept. Where one of the two fails or is cancelled, so is the other. */
async function whileKept<T>(
  job: ImportJob,
  path: string,
  file: File,
  onProgress: KeepOptions['onProgress'],
  read: (job: ImportJob, keeping: Promise<KeptFile>) => Promise<T>,
): Promise<T> {
  const { db, keep = (...given) => keepRaw(db, ...given) } = job
  const failed = new AbortController()
  const signal = AbortSignal.any([failed.signal, ...(job.signal ? [job.signal] : [])])
  const fail = (error: unknown) => failed.abort(error)
  const keeping = keep(job.newId(), path, file, { signal, onProgress })
  keeping.catch(fail)
  try {
    return await read({ ...job, signal }, keeping)
  } catch (error) {
    fail(error)
    throw error
  } finally {
    // Stays where a session came to use it; what failed has left nothing.
    const [kept] = await Promise.allSettled([keeping])
    if (kept.status === 'fulfilled') await dropRaw(db, kept.value.id)
  }
}

/** Files that are no transcripts are named one by one up to this many: more were a folder, not a choice. */
const NAMED = 10

async function takeFiles(job: ImportJob, given: readonly FileToImport[]): Promise<ImportReport[]> {
  const gathered = await gatherFolders(given)
  const { reports, notes } = gathered
  const files = gathered.files.filter(({ path }) => !META_FILE.test(path))
  const total = files.reduce((sum, { file }) => sum + file.size, 0)
  let before = 0
  let others = 0
  for (const one of inOrder(files)) {
    const { file, path } = one
    const done = { keeping: 0, reading: 0 }
    const show: OnBytes = (pass, bytes) => {
      done[pass] = bytes
      const half = Math.round((done.keeping + done.reading) / 2)
      job.onProgress?.({ name: path, bytes: before + Math.min(half, file.size), total })
    }
    show('keeping', 0)
    try {
      const [told, ...more] = await takeGiven(job, one, gathered.files, show)
      const note = told?.note ?? notes.get(path)
      // A folder holds much besides: what is no transcript is counted, as in an archive.
      if (told?.problem === NO_TRANSCRIPT && path.includes('/')) others += 1
      else if (told) reports.push(note ? { ...told, note } : told, ...more)
    } catch (error) {
      job.signal?.throwIfAborted()
      reports.push(failedImport(path, error instanceof Error ? error.message : String(error)))
    }
    before += file.size
  }
  const strange = reports.filter(({ problem }) => problem === NO_TRANSCRIPT)
  const name = given[0]?.path.split('/')[0] ?? ''
  if (strange.length <= NAMED) return withOthers(reports, others, 'folder', name)
  const known = reports.filter((report) => !strange.includes(report))
  return withOthers(known, others + strange.length, 'folder', name)
}

/**
 * Brings in files, one report for each; the files of an archive have their own. Rejects only with the
 * signal's reason, and then nothing of the file that was being read is left.
 */
export async function importFiles(
  job: ImportJob,
  files: readonly FileToImport[],
): Promise<ImportReport[]> {
  const { locks = globalThis.navigator?.locks } = job
  if (!locks) return takeFiles({ ...job, locks }, files)
  return locks.request(RAW_LOCK, { mode: 'shared' }, () => takeFiles({ ...job, locks }, files))
}
