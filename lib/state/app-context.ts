/** What every action works on: the database, the stores, the open sessions. Made once by compose.ts. */

import type { StoreApi } from 'zustand/vanilla'
import type { Clock, NewId } from '../ports'
import type { Database } from '../storage/db'
import type { LiveSession } from './live-session'
import type { AppState, SessionState, Toast, View } from './model'

export type AppContext = {
  db: Database
  clock: Clock
  newId: NewId
  store: StoreApi<AppState>
  session: StoreApi<{ current: StoreApi<SessionState> | null }>
  /** Opens the session in this tab, or gives the one that is open already. */
  open(id: string): LiveSession
  /** Ends it here; resolves when another tab may write it. */
  close(id: string): Promise<void>
  /** The session if it is open in this tab, on screen or at work behind it. */
  known(id: string): LiveSession | null
  /** The session on screen, or null. */
  current(): LiveSession | null
  setView(change: Partial<View>): void
  toast(toast: Omit<Toast, 'id'>): void
  /** A failure nobody asked about: a toast with its words. */
  report(title: string): (error: unknown) => void
}
