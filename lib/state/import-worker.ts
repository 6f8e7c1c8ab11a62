/** The import's worker as one function; where workers cannot be had, the work is done in place. */

import type { Choice, ConversationList } from './import-choice'
import { type FileToImport, type ImportJob, type ImportProgress, importFiles } from './import-files'
import type { ImportReport } from './model'

export type ToImportWorker =
  | { type: 'import'; database: string; files: FileToImport[] }
  | { type: 'chosen'; choice: Choice | null }
  | { type: 'cancel' }

export type FromImportWorker =
  | { type: 'progress'; progress: ImportProgress }
  | { type: 'choose'; name: string; lists: ConversationList[] }
  | { type: 'done'; reports: ImportReport[] }
  | { type: 'cancelled' }
  | { type: 'failed'; message: string }

/** Null where this page can have no workers. */
function startWorker(): Worker | null {
  if (typeof Worker === 'undefined') return null
  try {
    return new Worker(new URL('./import.worker.ts', import.meta.url), { type: 'module' })
  } catch {
    return null
  }
}

function ask(worker: Worker, job: ImportJob, files: FileToImport[]): Promise<ImportReport[]> {
  return new Promise((resolve, reject) => {
    const { signal } = job
    // The worker ends by itself, once what it had begun is gone again.
    const cancel = () => worker.postMessage({ type: 'cancel' } satisfies ToImportWorker)
    const choose = async (name: string, lists: ConversationList[]) => {
      const choice = (await job.choose?.(name, lists)) ?? null
      worker.postMessage({ type: 'chosen', choice } satisfies ToImportWorker)
    }
    const end = () => {
      signal?.removeEventListener('abort', cancel)
      worker.terminate()
    }
    worker.onmessage = ({ data }: MessageEvent<FromImportWorker>) => {
      if (data.type === 'progress') return job.onProgress?.(data.progress)
      if (data.type === 'choose') return void choose(data.name, data.lists)
      end()
      if (data.type === 'done') resolve(data.reports)
      else reject(data.type === 'failed' ? new Error(data.message) : signal?.reason)
    }
    worker.onerror = (event) => {
      end()
      reject(new Error(event.message || 'The import stopped: its worker did not load.'))
    }
    signal?.addEventListener('abort', cancel)
    worker.postMessage({ type: 'import', database: job.db.name, files } satisfies ToImportWorker)
  })
}

/** Brings in files in a worker. Rejects with the signal's reason once nothing half-done is left. */
export async function importInWorker(
  job: ImportJob,
  files: FileToImport[],
): Promise<ImportReport[]> {
  job.signal?.throwIfAborted()
  const worker = startWorker()
  return worker ? ask(worker, job, files) : importFiles(job, files)
}
