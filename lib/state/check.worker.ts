/** Checks all sessions off the window's thread; ending the worker ends the check. */

import { checkAll } from '../storage/check-all'
import { openDatabase } from '../storage/db'
import type { FromCheckWorker, ToCheckWorker } from './store-care'

const say = (message: FromCheckWorker) => self.postMessage(message)

self.onmessage = async ({ data }: MessageEvent<ToCheckWorker>) => {
  try {
    const db = await openDatabase(data.database)
    const checked = await checkAll(db, (progress) => say({ type: 'progress', progress }))
    say({ type: 'done', checked })
  } catch (error) {
    say({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
}
