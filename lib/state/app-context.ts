/** What every action works on: the database, the stores, the open sessions. Made once by compose.ts. */

import type { StoreApi } from 'zustand/vanilla'
import type { Clock, NewId } from '../ports'
import type { Database } from '../storage/db'
import type { LiveSession } from './live-session'
import type { AppState, SessionState, Toast, View } from './model'
import type { OpenSessions } from './open-sessions'

export type AppContext = OpenSessions & {
  db: Database
  clock: Clock
  newId: NewId
  store: StoreApi<AppState>
  session: StoreApi<{ current: StoreApi<SessionState> | null }>
  /** The session on screen, or null. */
  current(): LiveSession | null
  setView(change: Partial<View>): void
  toast(toast: Omit<Toast, 'id'>): void
  /** A failure nobody asked about: a toast with its words. */
  report(title: string): (error: unknown) => void
}
