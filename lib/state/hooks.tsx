'use client'

import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { type StoreApi, useStore } from 'zustand'
import type { Seq, SessionEvent } from '../core/event'
import { type Reading, readMeter } from '../core/meter'
import type { RequestBody } from '../core/request'
import type { Actions, AppState, SessionState } from './model'

/** The live app, made once by `createApp` (compose.ts) and handed down by `AppProvider`. */
export type App = {
  store: StoreApi<AppState>
  /** The open session, or null. A new store for each session opened. */
  session: StoreApi<{ current: StoreApi<SessionState> | null }>
  actions: Actions
  bodies: Bodies
}

/** Bodies on demand (L8): `peek` is synchronous, `load` fills the cache and tells subscribers. */
export type Bodies = {
  peek(sessionId: string, seq: Seq): SessionEvent | undefined
  load(sessionId: string, seqs: readonly Seq[]): void
  subscribe(listener: () => void): () => void
  /** The exact request that `seq` belongs to, with its hash and the hash the log holds (Q5). */
  request(sessionId: string, seq: Seq): Promise<RequestProof | null>
}

export type RequestProof = {
  body: RequestBody
  hash: string
  /** What `step/start` or `compact/start` recorded; null where none was. */
  recorded: string | null
  builder: number | null
  seq: Seq
}

const AppContext = createContext<App | null>(null)

export function AppProvider({ app, children }: { app: App; children: ReactNode }) {
  return <AppContext value={app}>{children}</AppContext>
}

export function useAppInstance(): App {
  const app = use(AppContext)
  if (!app) throw new Error('useAppInstance outside AppProvider')
  return app
}

export const useApp = <T,>(selector: (state: AppState) => T): T =>
  useStore(useAppInstance().store, selector)

export const useActions = (): Actions => useAppInstance().actions

/** Whether a session is open at all; inside a subtree where it is, use `useSession`. */
export const useHasSession = (): boolean =>
  useStore(useAppInstance().session, (state) => state.current !== null)

/** Selects from the open session. Components using it are mounted only while one is open. */
export function useSession<T>(selector: (state: SessionState) => T): T {
  const current = useStore(useAppInstance().session, (state) => state.current)
  if (!current) throw new Error('useSession without an open session')
  return useStore(current, selector)
}

/** The seq everything on screen shows: the playhead, or the newest event when LIVE; -1 for an empty log. */
export function useMoment(): Seq {
  const playhead = useApp((state) => state.view.seq)
  const newest = useSession((state) => state.version - 1)
  return playhead === null ? newest : Math.min(playhead, newest)
}

export const useIsLive = (): boolean => useApp((state) => state.view.seq === null)

/** The meter at the playhead (M1–M5). */
export function useReading(): Reading {
  const moment = useMoment()
  const log = useSession((state) => state.log)
  const version = useSession((state) => state.version)
  return version === 0 ? readMeter(log) : readMeter(log, moment)
}

/** The event, once loaded; undefined while loading. */
export function useBody(seq: Seq | null): SessionEvent | undefined {
  const { bodies } = useAppInstance()
  const id = useSession((state) => state.id)
  const event = useSyncExternalStore(
    bodies.subscribe,
    () => (seq === null ? undefined : bodies.peek(id, seq)),
    () => undefined,
  )
  useEffect(() => {
    if (seq !== null && event === undefined) bodies.load(id, [seq])
  }, [bodies, id, seq, event])
  return event
}

export type RequestState =
  | { state: 'loading' }
  | { state: 'none' }
  | { state: 'ready'; proof: RequestProof }
  | { state: 'failed'; problem: string }

/** The request of the step or summary that `seq` belongs to. */
export function useRequest(seq: Seq): RequestState {
  const { bodies } = useAppInstance()
  const id = useSession((state) => state.id)
  const [answer, setAnswer] = useState<{ key: string; value: RequestState }>()
  const key = `${id}:${seq}`
  useEffect(() => {
    let current = true
    bodies.request(id, seq).then(
      (proof) =>
        current && setAnswer({ key, value: proof ? { state: 'ready', proof } : { state: 'none' } }),
      (error: unknown) =>
        current && setAnswer({ key, value: { state: 'failed', problem: String(error) } }),
    )
    return () => {
      current = false
    }
  }, [bodies, id, seq, key])
  return answer?.key === key ? answer.value : { state: 'loading' }
}
