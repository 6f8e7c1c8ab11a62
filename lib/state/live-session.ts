/**
 * One open session: journal and log, the agent if this tab writes it, projections folded event by event.
 * Opening reads heads (L8); a tab that cannot write follows what the writer commits (R1).
 */

import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Agent, createAgent } from '../agent/agent'
import type { Live } from '../agent/live'
import type { EventHead, RequestHeader, SessionEvent } from '../core/event'
import { headOf } from '../core/head'
import { createLog, extendLog, type Log } from '../core/log'
import { emptyTimeline, extendTimeline } from '../core/projections/timeline'
import { emptyTranscript, extendTranscript } from '../core/projections/transcript'
import { emptyUsage, extendUsage } from '../core/projections/usage'
import type { Clock, Journal, Model, NewId, Tool } from '../ports'
import type { Database } from '../storage/db'
import { readDraft } from '../storage/drafts'
import { DamagedRow } from '../storage/failure'
import { type Files, openFiles } from '../storage/files'
import { followSession } from '../storage/follow'
import { hashJson } from '../storage/hash'
import { type JournalReader, openJournal, openReader } from '../storage/journal'
import { acquireWriter, type Lease, lockProblem } from '../storage/lock'
import type { SessionRow } from '../storage/rows'
import { getSession, updateSummary } from '../storage/sessions'
import { sparklineOf } from '../storage/summary'
import { createTools } from '../tools/tools'
import { type BodyCache, createBodyCache } from './bodies'
import type { SessionState } from './model'
import { createRecall } from './recall'

export type LiveDeps = {
  db: Database
  clock: Clock
  newId: NewId
  /** What new headers are made from when the log has none. */
  initialHeader(): RequestHeader
  maxSteps(): number
  model(provider: string): Model
  summariser(header: RequestHeader): Model
  /** The newest title asked for by hand; called after each commit so that the list can follow. */
  onCommit(id: string): void
  onProblem(error: unknown): void
}

export type LiveSession = {
  id: string
  store: StoreApi<SessionState>
  bodies: BodyCache
  journal: JournalReader
  files: Files
  /** Null where another tab writes, or the session could not be opened. */
  agent(): Agent | null
  /** Resolves when it is known whether the session can be read and written. */
  ready: Promise<void>
  /** Nothing runs and nothing waits to run. */
  isIdle(): boolean
  refreshFiles(): Promise<void>
  close(): Promise<void>
}

const IDLE: Live = { phase: 'idle', content: [], since: 0, running: [], queued: [], held: true }

const emptyState = (id: string, chosen: RequestHeader): SessionState => {
  const header = { version: 1, id, createdAt: 0 }
  return {
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
    live: IDLE,
    queue: [],
    files: [],
    draft: '',
  }
}

/** Opens a session; the store says `loading`, then what became of it. Never rejects. */
export function openLive(id: string, deps: LiveDeps, notify: () => void): LiveSession {
  const { db } = deps
  const store = createStore<SessionState>(() => emptyState(id, deps.initialHeader()))
  const journal = openReader(db, id)
  const files = openFiles(db, id)
  const bodies = createBodyCache((seqs) => journal.read(seqs), notify, deps.onProblem)
  let agent: Agent | null = null
  let lease: Lease | null = null
  let unfollow = () => {}
  let summaryTimer: ReturnType<typeof setTimeout> | undefined

  const refreshFiles = async () => store.setState({ files: await files.list() })

  /** The sparkline is the one part of the list's row that an append does not keep up to date. */
  const saveSparkline = async () => {
    clearTimeout(summaryTimer)
    summaryTimer = undefined
    const { log } = store.getState()
    await updateSummary(db, id, { sparkline: sparklineOf(log.history, log.heads.length) })
  }

  const project = (heads: readonly EventHead[], events: readonly SessionEvent[]) => {
    const state = store.getState()
    store.setState({
      version: state.log.heads.length,
      transcript: extendTranscript(state.transcript, state.log.heads),
      timeline: extendTimeline(state.timeline, state.log.heads),
      usage: extendUsage(state.usage, events),
      ...titleOf(events),
    })
    if (heads.some((head) => head.type === 'tool/result')) refreshFiles().catch(deps.onProblem)
  }

  const onCommit = (events: readonly SessionEvent[]) => {
    bodies.put(events)
    project(events.map(headOf), events)
    summaryTimer ??= setTimeout(() => saveSparkline().catch(deps.onProblem), 1000)
    deps.onCommit(id)
  }

  const tools: Tool[] = createTools({
    files,
    recall: createRecall(
      () => store.getState().log,
      (seqs) => bodies.read(seqs),
    ),
  })
  const chosenWithTools = (): RequestHeader => ({
    ...store.getState().chosen,
    tools: tools.map((tool) => tool.spec),
  })

  const startAgent = async (log: Log, held: Lease) => {
    const writable: Journal = openJournal(db, id, held)
    agent = createAgent({
      log,
      journal: writable,
      model: deps.model,
      summariser: deps.summariser,
      tools: () => tools,
      clock: deps.clock,
      newId: deps.newId,
      random: Math.random,
      hash: hashJson,
      header: chosenWithTools,
      maxSteps: deps.maxSteps(),
      onCommit,
      onLive: (live) => store.setState({ live, queue: live.queued }),
    })
    held.lost.addEventListener('abort', () => {
      agent?.stop()
      agent = null
      store.setState({ role: 'follower' })
    })
    await agent.open()
  }

  /** Reads what the log holds beyond what is known here; one read at a time. */
  let catching: Promise<void> = Promise.resolve()
  const catchUp = () => {
    catching = catching.then(async () => {
      const { log } = store.getState()
      const heads = await journal.heads(log.heads.length)
      if (heads.length === 0) return
      const refusal = extendLog(log, heads)
      const events = await journal.read(heads.filter(isSmall).map((head) => head.seq))
      project(heads, events)
      if (refusal) store.setState({ status: 'damaged', problem: refusal.message })
    })
    return catching.catch(deps.onProblem)
  }

  const load = async () => {
    const row = await getSession(db, id)
    if (!row) return store.setState({ status: 'missing' })
    lease = lockProblem() ? null : await acquireWriter(db, id)
    const log = createLog(row.header)
    store.setState({ log, header: row.header, title: row.title })
    unfollow = followSession(db, id, (length) => {
      if (!lease && length > store.getState().version) void catchUp()
    })
    await catchUp()
    if (store.getState().status === 'damaged') return
    const chosen = await lastHeader(log, journal)
    const draft = await readDraft(db, id)
    await refreshFiles()
    store.setState({ ...(chosen ? { chosen } : {}), draft: draft.text })
    if (lease) await startAgent(log, lease)
    store.setState({
      status: 'ready',
      role: lease ? 'writer' : 'follower',
      queue: await journal.queue(),
    })
  }
  const loading = load().catch((error: unknown) => {
    store.setState({ status: 'damaged', problem: wordsOf(error) })
  })

  return {
    id,
    store,
    bodies,
    journal,
    files,
    agent: () => agent,
    ready: loading,
    isIdle: () => {
      const { live } = store.getState()
      return (
        (live.phase === 'idle' || live.phase === 'failed') &&
        (live.held || live.queued.length === 0)
      )
    },
    refreshFiles,
    async close() {
      await loading
      unfollow()
      if (summaryTimer) await saveSparkline()
      await agent?.close()
      await lease?.release()
    },
  }
}

/** Bodies the projections need: usage and titles; everything else is read when shown. */
const isSmall = (head: EventHead): boolean =>
  head.type === 'session/title' || head.type === 'compact/summary' || head.measured !== undefined

function titleOf(events: readonly SessionEvent[]): { title: string } | undefined {
  const last = events.findLast((event) => event.type === 'session/title')
  return last ? { title: last.data.title } : undefined
}

async function lastHeader(log: Log, journal: JournalReader): Promise<RequestHeader | null> {
  const seq = log.state.headerSeq
  if (seq === null) return null
  const [event] = await journal.read([seq])
  return event?.type === 'request/header' ? event.data : null
}

/** A failure in words for people. */
export const wordsOf = (error: unknown): string =>
  error instanceof DamagedRow || error instanceof Error ? error.message : String(error)

export type { SessionRow }
