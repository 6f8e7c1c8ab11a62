/** What every part of the loop works on: one open session and its doors. */

import type { RequestHeader, Seq, SessionEvent, SurfaceEvent } from '../core/event'
import type { Log } from '../core/log'
import { type Block, isText } from '../core/message'
import { repairText } from '../core/text'
import type { Clock, HashJson, Journal, Model, NewId, Tool } from '../ports'
import { type Bodies, createBodies } from './bodies'
import { type CallIds, createCallIds } from './call-ids'
import { createLive, type Live, type LiveState } from './live'
import { createWriter, type Writer } from './writer'

export type AgentDeps = {
  log: Log
  journal: Journal
  model(provider: string): Model
  /** The backend that writes summaries under this header (C15). */
  summariser(header: RequestHeader): Model
  /** Tokens of a model's window, where known; asked for summaries by another model than the session's (C10). */
  windowOf?(provider: string, model: string): number | undefined
  /**
   * Literals of a span that its summary lost, worth most first. Code puts as many as fit its budget below
   * the summary in the checkpoint; absent: none.
   */
  lostLiterals?(nodes: readonly SurfaceEvent[], summary: string): string[]
  tools(): Tool[]
  clock: Clock
  newId: NewId
  hash: HashJson
  /** From 0 up to 1, for the jitter of retries. */
  random(): number
  /** What the user has chosen now, tools included; read when a turn begins, written when it differs. */
  header(): RequestHeader
  maxSteps: number
  onCommit(events: readonly SessionEvent[]): void
  onLive(live: Live): void
}

export type Session = {
  deps: AgentDeps
  log: Log
  writer: Writer
  live: LiveState
  bodies: Bodies
  ids: CallIds
  /** Ends the wait before the next attempt, while there is one. */
  skipWait: AbortController | null
  /** A compaction asked for during a turn, as the screen shows it until it begins (C4). */
  waiting: Live['compaction']
  /** Drafts a person did not want, until the log says so (C16). */
  discarded: Set<Seq>
}

/** `onSurface`: what was replaced or restored has been applied and told. */
export function createSession(deps: AgentDeps, onSurface = () => {}): Session {
  const { log, journal, clock } = deps
  const live = createLive(() => clock.now(), deps.onLive)
  const bodies = createBodies(journal)
  let interrupted = live.current.phase
  const writer = createWriter({
    log,
    journal,
    clock,
    onCommit(events) {
      bodies.keep(events)
      deps.onCommit(events)
      if (events.some(({ surfaceOp = 'append' }) => surfaceOp !== 'append')) onSurface()
    },
    onHeld(error) {
      if (error) {
        interrupted = live.current.phase
        live.set({ phase: 'failed', problem: journalProblem(error) })
      } else live.set({ phase: interrupted, problem: undefined })
    },
  })
  const ids = createCallIds(log.heads)
  const rest = { skipWait: null, waiting: undefined, discarded: new Set<Seq>() }
  return { deps, log, writer, live, bodies, ids, ...rest }
}

const WORDS: Record<string, string> = {
  quota: 'There is no room left to store this session. Free some space, then retry.',
  failed: 'The session could not be stored. Nothing is lost yet: retry.',
  epoch: 'Another tab took this session over. This one only shows it.',
  closed:
    'Nothing more of this session can be stored: this site’s data was deleted or its storage closed.',
}

export const journalProblem = (error: { code: string; message: string }) => ({
  code: `journal-${error.code}`,
  message: `${WORDS[error.code] ?? ''} (${error.message})`.trim(),
})

/** Text that enters, made well-formed and reported (L5). */
export function repairBlocks(session: Session, content: readonly Block[]): Block[] {
  return content.map((block) => {
    if (!isText(block)) return block
    const { text, repaired } = repairText(block.text)
    reportRepair(session, repaired)
    return repaired > 0 ? { ...block, text } : block
  })
}

export function reportRepair({ live }: Session, repaired: number): void {
  if (repaired > 0) live.set({ repaired: (live.current.repaired ?? 0) + repaired })
}
