/**
 * One open session: journal and log, the agent if this tab writes it. Opening reads heads (L8). A tab that
 * cannot write follows what the writer commits and takes its place when it lets go (R1).
 */

import type { StoreApi } from 'zustand/vanilla'
import type { Agent } from '../agent/agent'
import type { RequestHeader, SurfaceEvent } from '../core/event'
import type { FactKind } from '../core/facts'
import { createLog, type Log, surfaceNodes } from '../core/log'
import { buildRequest, type RequestBody } from '../core/request'
import type { Clock, Model, NewId } from '../ports'
import type { Database } from '../storage/db'
import { readDraft } from '../storage/drafts'
import { DamagedRow } from '../storage/failure'
import { type Files, openFiles } from '../storage/files'
import { damageWords } from '../storage/integrity'
import { type JournalReader, openJournal, openReader } from '../storage/journal'
import { acquireWriter, type Lease, lockProblem, stealWriter, waitForWriter } from '../storage/lock'
import { getSession } from '../storage/sessions'
import { createTools } from '../tools/tools'
import { fileOf } from './attachments'
import { type BodyCache, createBodyCache } from './bodies'
import { withChoice } from './choice'
import { createFollower } from './follower'
import type { SessionState } from './model'
import { createSessionStore, IDLE } from './projections'
import { createRecall } from './recall'
import { agentOf, isFormer, type Opening, refusing } from './session-agent'
import { createUpkeep } from './upkeep'

export type LiveDeps = {
  db: Database
  clock: Clock
  newId: NewId
  /** What new headers are made from when the log has none. */
  initialHeader(): RequestHeader
  maxSteps(): number
  /** Kinds of facts that must survive a summary. */
  keepFacts(): readonly FactKind[]
  model(provider: string): Model
  summariser(header: RequestHeader): Model
  /** Tokens of a model's window, where the list of models says. */
  windowOf(provider: string, model: string): number | undefined
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
  /** Makes this tab the writer at once; the tab that was goes on as a follower. */
  takeOver(): Promise<void>
  /** What the next step would send as things stand. */
  request(): Promise<RequestBody>
  close(): Promise<void>
}

/** A session whose log is being read, of which this tab is no part yet: it takes no lock and follows nobody. */
export type ReadAhead = {
  /** Opens it; the store says `loading`, then what became of it. Call once. */
  enter(): LiveSession
}

/** Begins to read a session. Never rejects: what goes wrong is told to whoever enters. */
export function readAhead(id: string, deps: LiveDeps, notify: () => void): ReadAhead {
  const { db } = deps
  const store = createSessionStore(id, deps.initialHeader())
  const journal = openReader(db, id)
  const files = openFiles(db, id)
  const onFailure = (error: unknown) => {
    if (!(error instanceof DamagedRow)) return deps.onProblem(error)
    // Found while something was shown: the structure stands, but nothing may be written on top of it.
    agent?.stop()
    damageWords(db, error).then(
      (problem) => store.setState({ status: 'damaged', problem }),
      deps.onProblem,
    )
  }
  const bodies = createBodyCache((seqs) => journal.read(seqs), notify, onFailure)
  const refreshFiles = async () => store.setState({ files: await files.list() })
  const recall = createRecall(
    () => store.getState().log,
    (seqs) => bodies.read(seqs),
  )
  const tools = createTools({ files, recall })
  const opening: Opening = { id, store, bodies, journal, files, deps, tools, refreshFiles }
  const follower = createFollower(opening)
  const closed = new AbortController()
  let agent: Agent | null = null
  let lease: Lease | null = null
  let upkeep: ReturnType<typeof createUpkeep> | null = null
  let unfollow = () => {}

  /** From here on this tab writes; what the former writer stored last is read first. */
  const write = async (held: Lease) => {
    lease = held
    unfollow()
    await follower.catchUp()
    const own = openJournal(db, id, held)
    const kept = createUpkeep(store, own, deps.onProblem)
    upkeep = kept
    const giveUp = () => {
      if (lease !== held) return
      kept.stop()
      agent?.stop()
      agent = null
      lease = null
      if (closed.signal.aborted) return
      store.setState({ role: 'follower', live: IDLE })
      unfollow = follower.follow()
      void follower.keepUp().catch(deps.onProblem)
      // Of a lease that was stolen nothing is left to release; one that only lost its epoch is queued anew.
      void held.release().then(() => closed.signal.aborted || wait())
    }
    // Two tabs that take over at once may raise the epoch in another order than they got the lock: then
    // the one that has the lock learns it from its first write.
    const journal = refusing(own, giveUp)
    agent = agentOf(opening, journal, held.lost, kept.later)
    held.lost.addEventListener('abort', giveUp)
    if (held.lost.aborted) return giveUp()
    await agent.open().catch((error: unknown) => {
      if (!isFormer(error)) throw error
    })
    if (lease !== held) return
    // A session opened with much unsealed, after a crash, need not wait for its first commit.
    kept.later()
    store.setState({ role: 'writer' })
  }

  /** Ends when this tab is the writer or the session is closed. */
  let waiting = new AbortController()
  const takeOverLater = async ({ signal }: AbortController) => {
    const held = await waitForWriter(db, id, signal)
    if (held && signal.aborted) await held.release()
    else if (held) await write(held)
  }
  const wait = () => {
    waiting = new AbortController()
    void takeOverLater(waiting).catch(deps.onProblem)
  }
  const takeOver = async () => {
    if (lease || store.getState().status !== 'ready') return
    waiting.abort()
    const held = await stealWriter(db, id).catch((error: unknown) => {
      wait()
      throw error
    })
    if (closed.signal.aborted) await held?.release()
    else if (held) await write(held)
    else wait()
  }

  const found = getSession(db, id).then((row) =>
    // What was deleted is not here any more, though it waits in the trash for an undo.
    row?.trashedAt === undefined ? row : undefined,
  )
  const reading = found.then(async (row) => {
    if (!row) return
    store.setState({ log: createLog(row.header), header: row.header, title: row.title })
    await follower.catchUp(row.length, () => readNewest(bodies, row.length))
  })
  // Whoever enters awaits it; nobody may.
  reading.catch(() => {})

  const load = async () => {
    if (!(await found)) return store.setState({ status: 'missing' })
    // Side by side: none waits for another, and the log is read again once this tab is known to write it.
    const [, held, draft, queue] = await Promise.all([
      reading,
      lockProblem() ? null : acquireWriter(db, id),
      readDraft(db, id),
      journal.queue(),
      refreshFiles(),
    ])
    if (!held) {
      unfollow = follower.follow()
      // What was written between the read and the first announcement heard.
      await follower.keepUp()
    }
    if (store.getState().status === 'damaged') return void held?.release()
    const { log } = store.getState()
    const [logged, ...attached] = await Promise.all([
      lastHeader(log, journal),
      ...draft.attachments.map((block) => fileOf(db, block)),
    ])
    const toolsOff = logged?.tools.length === 0
    const chosen = withChoice(id, log.heads, logged ?? store.getState().chosen)
    store.setState({
      chosen,
      toolsOff,
      draft: draft.text,
      attached: attached.filter((file) => file !== null),
      queue,
    })
    if (held) await write(held)
    else if (!lockProblem()) wait()
    store.setState({ status: 'ready' })
  }
  const enter = (): LiveSession => {
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
      isIdle() {
        // What another tab does is that tab's.
        if (!agent) return true
        const { phase, held, queued } = store.getState().live
        // What could not be stored lives on in this page alone.
        if (agent.unsaved().length > 0) return false
        return (phase === 'idle' || phase === 'failed') && (held || queued.length === 0)
      },
      refreshFiles,
      takeOver,
      async request() {
        const { log, chosen } = store.getState()
        const nodes = (await bodies.read(surfaceNodes(log))) as SurfaceEvent[]
        return buildRequest({ ...chosen, tools: tools.map((tool) => tool.spec) }, nodes)
      },
      async close() {
        closed.abort()
        waiting.abort()
        await loading
        unfollow()
        await agent?.close()
        await upkeep?.now().catch(deps.onProblem)
        upkeep?.stop()
        await lease?.release()
      },
    }
  }
  return { enter }
}

/** Events at the end that are read with the heads: more than a screen shows. */
const PAGE = 48

/** The newest events' bodies, so that the conversation is whole when it is first shown. */
async function readNewest(bodies: BodyCache, length: number): Promise<void> {
  const seqs = Array.from({ length: Math.min(PAGE, length) }, (_, at) => length - 1 - at)
  // What cannot be read now is read again, and told of, when it is asked for.
  await bodies.read(seqs).catch(() => {})
}

async function lastHeader(log: Log, journal: JournalReader): Promise<RequestHeader | null> {
  const seq = log.state.headerSeq
  if (seq === null) return null
  const [event] = await journal.read([seq])
  return event?.type === 'request/header' ? event.data : null
}

/** A failure in words for people. */
export const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
