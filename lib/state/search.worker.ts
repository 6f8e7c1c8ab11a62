/** Searches off the window's thread; ending the worker ends the search. */

import { openDatabase } from '../storage/db'
import { fillFilters } from '../storage/filters'
import { searchSessions } from '../storage/search'
import { parseQuery } from '../storage/search-query'
import { listSessions } from '../storage/sessions'
import type { FromSearchWorker, ToSearchWorker } from './search'

const say = (message: FromSearchWorker) => self.postMessage(message)

self.onmessage = async ({ data }: MessageEvent<ToSearchWorker>) => {
  try {
    const db = await openDatabase(data.database)
    const query = parseQuery(data.typed)
    const { hits } = await searchSessions(db, query, (hit) => say({ type: 'hit', hit }))
    say({ type: 'done', hits })
    // What the next search can pass over; ended, like everything here, with the worker.
    const { sessions } = await listSessions(db)
    await fillFilters(
      db,
      sessions.map(({ id }) => id),
    )
    db.close()
    self.close()
  } catch (error) {
    say({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
}
