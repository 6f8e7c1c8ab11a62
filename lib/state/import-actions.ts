/** Transcripts in: files become sessions in a worker, and a report of every line. */

import type { AppContext } from './app-context'
import type { Choice } from './import-choice'
import { type FileToImport, importFiles } from './import-files'
import { failedImport } from './import-report'
import { importInWorker } from './import-worker'
import type { Actions, ImportReport } from './model'

type ImportActions = Pick<
  Actions,
  'importFiles' | 'cancelImport' | 'dismissReport' | 'chooseConversations'
>

type Given = File | FileToImport

const toImport = (given: Given): FileToImport =>
  given instanceof File
    ? { file: given, path: given.webkitRelativePath || given.name }
    : { file: given.file, path: given.path }

/**
 * Brings in one file, in place. A file that holds nothing readable gives a report with `problem`; a session
 * that is here already gives `problem` and its id. Rejects with the signal's reason.
 */
export async function importTranscript(
  app: AppContext,
  file: File,
  signal: AbortSignal,
): Promise<ImportReport> {
  const job = { db: app.db, newId: app.newId, signal }
  const [report] = await importFiles(job, [toImport(file)])
  return report ?? failedImport(file.name, 'Nothing in it could be read.')
}

export function importActions(app: AppContext): ImportActions {
  let running: AbortController | null = null
  let answer: (choice: Choice | null) => void = () => {}

  function settle(choice: Choice | null): void {
    app.store.setState({ choosing: null })
    answer(choice)
  }

  async function bringIn(files: readonly Given[]): Promise<void> {
    running?.abort(new Error('Another import began.'))
    settle(null)
    const own = new AbortController()
    running = own
    const isNewest = () => running === own
    try {
      const reports = await importInWorker(
        {
          db: app.db,
          newId: app.newId,
          signal: own.signal,
          choose: (name, lists) =>
            new Promise((resolve) => {
              answer = resolve
              app.store.setState({ choosing: { name, lists } })
            }),
          onProgress: (importing) => isNewest() && app.store.setState({ importing }),
        },
        files.map(toImport),
      )
      if (isNewest()) showReports(reports)
    } catch (error) {
      if (!own.signal.aborted) throw error
    } finally {
      if (isNewest()) app.store.setState({ importing: null, choosing: null })
    }
  }

  function showReports(reports: ImportReport[]): void {
    app.store.setState({ importing: null, reports })
    const only = reports.length === 1 ? reports[0] : undefined
    const opened = only ?? reports.find((report) => report.sessionId)
    if (!opened?.sessionId) return
    // A link to what was not here until now keeps the moment it names.
    const named = app.store.getState().view.session === opened.sessionId
    const start = { session: opened.sessionId, seq: null, node: null, compare: null }
    app.setView(named ? {} : start)
  }

  return {
    importFiles: (files) => bringIn(files).catch(app.report('The import failed')),
    cancelImport() {
      running?.abort(new Error('The import was cancelled.'))
      app.store.setState({ importing: null })
      settle(null)
    },
    chooseConversations: settle,
    dismissReport: (name) =>
      app.store.setState((state) => ({
        reports: state.reports.filter((report) => report.name !== name),
      })),
  }
}
