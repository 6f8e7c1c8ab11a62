/** Search over all sessions for the screen: one at a time, in a worker, hits as they are found. */

import type { StoreApi } from 'zustand/vanilla'
import type { SearchHit } from '../storage/search'
import { isEmptyQuery, parseQuery } from '../storage/search-query'
import type { AppContext } from './app-context'
import type { Actions, AppState } from './model'

export type ToSearchWorker = { database: string; typed: string }
export type FromSearchWorker =
  | { type: 'hit'; hit: SearchHit }
  | { type: 'done'; hits: number }
  | { type: 'failed'; message: string }

/** While one types, the search before is not worth finishing, in ms. */
const TYPING = 180
/** Hits are shown together at most this often, in ms. */
const FRAME = 50

type SearchActions = Pick<Actions, 'search' | 'openHit'>

/** Collects hits into the store, some at a time. */
function createHits(store: StoreApi<AppState>, typed: string) {
  let hits: SearchHit[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = (running: boolean) => {
    clearTimeout(timer)
    timer = undefined
    store.setState({ search: { typed, hits, running } })
  }
  return {
    add(hit: SearchHit) {
      hits = [...hits, hit]
      timer ??= setTimeout(() => show(true), FRAME)
    },
    show,
    stop: () => clearTimeout(timer),
  }
}

export function searchActions(app: AppContext): SearchActions {
  let stop = () => {}

  const start = (typed: string) => {
    const hits = createHits(app.store, typed)
    const worker = new Worker(new URL('./search.worker.ts', import.meta.url), { type: 'module' })
    stop = () => {
      hits.stop()
      worker.terminate()
    }
    let isDone = false
    const fail = (message: string) => {
      stop()
      // What it does after the search is for the next one, and nobody waits for it.
      if (isDone) return
      app.report('The search failed')(new Error(message))
      hits.show(false)
    }
    worker.onmessage = ({ data }: MessageEvent<FromSearchWorker>) => {
      if (data.type === 'hit') return hits.add(data.hit)
      if (data.type === 'failed') return fail(data.message)
      isDone = true
      hits.show(false)
    }
    worker.onerror = (event) => fail(event.message || 'Its worker did not load.')
    worker.postMessage({ database: app.db.name, typed } satisfies ToSearchWorker)
  }

  return {
    search(typed) {
      stop()
      if (isEmptyQuery(parseQuery(typed))) return app.store.setState({ search: null })
      const { search } = app.store.getState()
      app.store.setState({ search: { typed, hits: search?.hits ?? [], running: true } })
      const timer = setTimeout(() => start(typed), TYPING)
      stop = () => clearTimeout(timer)
    },
    openHit: (id, seq) => app.setView({ session: id, seq: null, node: seq, compare: null }),
  }
}
