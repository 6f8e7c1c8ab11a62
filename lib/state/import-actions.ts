/** Transcripts in: read, checked, stored all or nothing, and a report of every line. */

import type { ReadSession } from '../formats/report'
import { readTranscript } from '../formats/transcript'
import { importSession } from '../storage/import'
import { getSession, untrashSession } from '../storage/sessions'
import type { AppContext } from './app-context'
import { wordsOf } from './live-session'
import type { Actions, ImportReport } from './model'

type ImportActions = Pick<Actions, 'importFiles' | 'cancelImport' | 'dismissReport'>
type Progress = (bytes: number, total: number) => void

const failed = (name: string, problem: string): ImportReport => ({
  name,
  sessionId: null,
  read: 0,
  recovered: 0,
  rejected: [],
  violations: [],
  problem,
})

async function store(
  app: AppContext,
  name: string,
  { header, events, blobs, report }: ReadSession,
  signal: AbortSignal,
): Promise<ImportReport> {
  const stored = await importSession(app.db, header, events, blobs.values(), { signal })
  const { read, recovered, violations } = report
  const rejected = report.rejected.map(({ line, reason }) => ({ line, reason }))
  const told = { name, sessionId: header.id, read, recovered, rejected, violations }
  if (stored.ok) return told
  const here = await getSession(app.db, header.id)
  if (here?.trashedAt === undefined)
    return { ...told, problem: 'This session is already in this browser.' }
  await untrashSession(app.db, header.id)
  return { ...told, problem: 'This session was in the trash and has been put back.' }
}

/**
 * Brings in one file. A file that holds nothing readable gives a report with `problem`; a session that is
 * here already gives `problem` and its id. Rejects only with the signal's reason or a storage error.
 */
export async function importTranscript(
  app: AppContext,
  file: File,
  signal: AbortSignal,
  onProgress: Progress,
): Promise<ImportReport> {
  const { sessions, refusal } = await readTranscript(file, {
    signal,
    onProgress: ({ bytes, total }) => onProgress(bytes, total),
  })
  const [first, ...others] = sessions
  if (!first) return failed(file.name, refusal?.message ?? 'Nothing in it could be read.')
  const report = await store(app, file.name, first, signal)
  for (const session of others) await store(app, file.name, session, signal)
  return refusal && !report.problem ? { ...report, problem: refusal.message } : report
}

export function importActions(app: AppContext): ImportActions {
  let running: AbortController | null = null

  async function importFiles(files: File[]): Promise<void> {
    running?.abort()
    running = new AbortController()
    const { signal } = running
    const total = files.reduce((sum, file) => sum + file.size, 0)
    let before = 0
    const reports: ImportReport[] = []
    for (const file of files) {
      const show: Progress = (bytes) =>
        app.store.setState({ importing: { name: file.name, bytes: before + bytes, total } })
      show(0, total)
      try {
        reports.push(await importTranscript(app, file, signal, show))
      } catch (error) {
        if (signal.aborted) break
        reports.push(failed(file.name, wordsOf(error)))
      }
      before += file.size
    }
    app.store.setState({ importing: null, reports })
    const only = reports.length === 1 ? reports[0] : undefined
    const opened = only ?? reports.find((report) => report.sessionId)
    if (opened?.sessionId) {
      // A link to what was not here until now keeps the moment it names.
      const named = app.store.getState().view.session === opened.sessionId
      const start = { session: opened.sessionId, seq: null, node: null, compare: null }
      app.setView(named ? {} : start)
    }
  }

  return {
    importFiles: (files) => importFiles(files).catch(app.report('The import failed')),
    cancelImport() {
      running?.abort()
      app.store.setState({ importing: null })
    },
    dismissReport: (name) =>
      app.store.setState((state) => ({
        reports: state.reports.filter((report) => report.name !== name),
      })),
  }
}
