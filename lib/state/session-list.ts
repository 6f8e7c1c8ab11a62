/** The list of sessions on screen, read again when something in it changed. */

import type { StoreApi } from 'zustand/vanilla'
import type { Database } from '../storage/db'
import type { SessionRow } from '../storage/rows'
import { listSessions } from '../storage/sessions'
import { persistStorage, readUsage } from '../storage/usage'
import type { AppState, SessionSummary } from './model'

/** Events of a session that has an answer in it. */
const WORTH_KEEPING = 8
/** A streaming turn commits several times a second; the list need not follow each, in ms. */
const DELAY = 250

const summaryOf = (row: SessionRow, busy: boolean): SessionSummary => ({
  id: row.id,
  title: row.title,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  events: row.counts.events,
  compactions: row.counts.compactions,
  model: row.model ?? null,
  sparkline: row.sparkline,
  imported: row.header.origin !== undefined,
  bytes: row.size ?? null,
  busy,
})

/** `refresh` reads now; `later` soon, once for any number of calls. */
export function createSessionList(
  store: StoreApi<AppState>,
  db: () => Database,
  isBusy: (id: string) => boolean,
  onFailure: (error: unknown) => void,
) {
  let askedToPersist = false
  let isWaiting = false

  const refresh = async () => {
    const { sessions, trash } = await listSessions(db())
    store.setState({
      trash: trash.map(({ id, title, trashedAt = 0 }) => ({ id, title, trashedAt })),
      sessions: sessions.map((row) => summaryOf(row, isBusy(row.id))),
    })
    const { usage = 0, quota = 0, persisted } = await readUsage()
    store.setState({ storage: { usage, quota, persisted } })
    // Asked once, when there is work worth keeping; a refusal is said in the settings.
    if (persisted || askedToPersist || !sessions.some((row) => row.counts.events > WORTH_KEEPING))
      return
    askedToPersist = true
    const granted = await persistStorage()
    store.setState({ storage: { usage, quota, persisted: granted } })
  }
  const later = () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      refresh().catch(onFailure)
    }, DELAY)
  }
  return { refresh, later }
}
