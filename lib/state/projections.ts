/** The open session's store and the folds that keep it up with its log (L7). */

import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Live } from '../agent/live'
import type { EventHead, RequestHeader, SessionEvent } from '../core/event'
import { createLog } from '../core/log'
import { emptyTimeline, extendTimeline } from '../core/projections/timeline'
import { emptyTranscript, extendTranscript } from '../core/projections/transcript'
import { emptyUsage, extendUsage } from '../core/projections/usage'
import type { SessionState } from './model'

export const IDLE: Live = {
  phase: 'idle',
  content: [],
  since: 0,
  running: [],
  queued: [],
  held: true,
}

/** A session of which nothing is known yet. */
export function createSessionStore(id: string, chosen: RequestHeader): StoreApi<SessionState> {
  const header = { version: 1, id, createdAt: 0 }
  return createStore<SessionState>(() => ({
    id,
    status: 'loading',
    problem: null,
    role: 'follower',
    header,
    log: createLog(header),
    version: 0,
    transcript: emptyTranscript(),
    timeline: emptyTimeline(),
    usage: emptyUsage(),
    title: '',
    chosen,
    toolsOff: false,
    live: IDLE,
    queue: [],
    files: [],
    draft: '',
    attached: [],
  }))
}

/** Whether the projections need the body: titles. Everything else is read when shown (L8). */
export const needsBody = (head: EventHead): boolean => head.type === 'session/title'

export type Projections = Pick<SessionState, 'transcript' | 'timeline' | 'usage'>

/** The projections of a log of which these are the projections so far. */
export const projected = (
  { transcript, timeline, usage }: Projections,
  heads: readonly EventHead[],
): Projections => ({
  transcript: extendTranscript(transcript, heads),
  timeline: extendTimeline(timeline, heads),
  usage: extendUsage(usage, heads),
})

/**
 * Folds what the log gained into the store; `events` are the new bodies that `needsBody` names, `before` what
 * is folded already.
 */
export function project(
  store: StoreApi<SessionState>,
  events: readonly SessionEvent[],
  before: Projections = store.getState(),
): void {
  const { heads } = store.getState().log
  const title = events.findLast((event) => event.type === 'session/title')?.data.title
  store.setState({
    version: heads.length,
    ...projected(before, heads),
    ...(title === undefined ? {} : { title }),
  })
}
