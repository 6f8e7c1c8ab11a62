/** The agent of an open session, and the journal that tells it when another tab has become the writer. */

import { type Agent, createAgent } from '../agent/agent'
import { LITERALS_BUDGET } from '../core/accept'
import type { SessionEvent } from '../core/event'
import { lostLiterals } from '../core/facts-sources'
import { type Journal, JournalError, type Tool } from '../ports'
import { hashJson } from '../storage/hash'
import type { LiveDeps, LiveSession } from './live-session'
import { project } from './projections'

/** What a session that is being opened has. */
export type Opening = Pick<LiveSession, 'id' | 'store' | 'bodies' | 'journal' | 'files'> & {
  deps: LiveDeps
  tools: Tool[]
  refreshFiles(): Promise<void>
}

/** The agent of a session this tab writes; it says nothing more once the lease is `lost`. */
export function agentOf(
  opening: Opening,
  journal: Journal,
  lost: AbortSignal,
  onCommitted: () => void,
): Agent {
  const { store, bodies, deps, tools, refreshFiles } = opening
  const onCommit = (events: readonly SessionEvent[]) => {
    bodies.put(events)
    project(store, events)
    if (events.some((event) => event.type === 'tool/result')) refreshFiles().catch(deps.onProblem)
    onCommitted()
  }
  return createAgent({
    log: store.getState().log,
    journal,
    model: deps.model,
    summariser: deps.summariser,
    windowOf: deps.windowOf,
    lostLiterals: (nodes, summary) =>
      lostLiterals(nodes, summary, deps.keepFacts(), LITERALS_BUDGET),
    tools: () => (store.getState().toolsOff ? [] : tools),
    clock: deps.clock,
    newId: deps.newId,
    random: Math.random,
    hash: hashJson,
    header: () => {
      const { chosen, toolsOff } = store.getState()
      return { ...chosen, tools: toolsOff ? [] : tools.map((tool) => tool.spec) }
    },
    // Read at every step, so that a limit raised in settings counts at once.
    get maxSteps() {
      return deps.maxSteps()
    },
    onCommit,
    onLive: (live) => {
      // What a former writer still has to say is not what the session does now.
      if (!lost.aborted) store.setState({ live, queue: live.queued })
    },
  })
}

/** Whether a write was refused because another tab became the writer (R1). */
export const isFormer = (error: unknown): boolean =>
  error instanceof JournalError && error.code === 'epoch'

/** A journal that also tells when it is one of a former writer (R1). */
export function refusing(journal: Journal, onFormer: () => void): Journal {
  const told = (error: unknown): never => {
    if (isFormer(error)) onFormer()
    throw error
  }
  return {
    ...journal,
    append: (write) => journal.append(write).catch(told),
    saveStream: (row) => journal.saveStream(row).catch(told),
    saveQueued: (message) => journal.saveQueued(message).catch(told),
  }
}
