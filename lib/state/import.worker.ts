/** Imports off the window's thread: reads, maps and stores, and says how far it is. */

import { openDatabase } from '../storage/db'
import { keepRaw } from '../storage/raw'
import type { Choice } from './import-choice'
import { type FileToImport, importFiles } from './import-files'
import type { FromImportWorker, ToImportWorker } from './import-worker'
import { createKeeper } from './keeper'

const stop = new AbortController()
const say = (message: FromImportWorker) => self.postMessage(message)
/** Takes what a person chose, once they were asked. */
let answer: (choice: Choice | null) => void = () => {}
/** Progress the window could not show anyway is not worth a message. */
const QUIET_MS = 50

/** Null in browsers whose workers have no workers. */
const startKeeping = (): Worker | null =>
  typeof Worker === 'undefined'
    ? null
    : new Worker(new URL('./keep.worker.ts', import.meta.url), { type: 'module' })

async function run(database: string, files: FileToImport[]): Promise<void> {
  const db = await openDatabase(database)
  const keeper = createKeeper((...given) => keepRaw(db, ...given), database, startKeeping)
  let last = 0
  try {
    const reports = await importFiles(
      {
        db,
        newId: () => crypto.randomUUID(),
        signal: stop.signal,
        keep: keeper.keep,
        choose: (name, lists) =>
          new Promise((resolve) => {
            answer = resolve
            say({ type: 'choose', name, lists })
          }),
        onProgress(progress) {
          const now = performance.now()
          if (now - last < QUIET_MS) return
          last = now
          say({ type: 'progress', progress })
        },
      },
      files,
    )
    say({ type: 'done', reports })
  } catch (error) {
    if (stop.signal.aborted) say({ type: 'cancelled' })
    else say({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
  } finally {
    keeper.end()
    db.close()
  }
}

self.onmessage = ({ data }: MessageEvent<ToImportWorker>) => {
  if (data.type === 'cancel') {
    stop.abort(new Error('The import was cancelled.'))
    // Whoever waits for an answer meets the signal then.
    answer(null)
  } else if (data.type === 'chosen') answer(data.choice)
  else void run(data.database, data.files)
}
