/** A session that another tab writes, kept up with what it commits. */

import type { StoreApi } from 'zustand/vanilla'
import type { Live } from '../agent/live'
import type { EventHead, SessionEvent } from '../core/event'
import { extendLog, type Log } from '../core/log'
import type { Refusal } from '../core/result'
import type { StreamRow } from '../ports'
import type { Database } from '../storage/db'
import { DamagedRow } from '../storage/failure'
import { followSession } from '../storage/follow'
import { damageWords } from '../storage/integrity'
import type { JournalReader } from '../storage/journal'
import type { SessionState } from './model'
import { IDLE, needsBody, type Projections, project, projected } from './projections'

/** Heads that are folded together while others are read. */
const STRIDE = 4_000

type Followed = {
  id: string
  store: StoreApi<SessionState>
  journal: JournalReader
  deps: { db: Database; onProblem(error: unknown): void }
  refreshFiles(): Promise<void>
}

/** The bodies of these heads, but for those that cannot be read: structure is shown all the same. */
async function bodiesFor(journal: JournalReader, heads: EventHead[]): Promise<SessionEvent[]> {
  const seqs = heads.map((head) => head.seq)
  try {
    return await journal.read(seqs)
  } catch (error) {
    if (!(error instanceof DamagedRow)) throw error
    const single = await Promise.allSettled(seqs.map((seq) => journal.read([seq])))
    return single.flatMap((read) => (read.status === 'fulfilled' ? read.value : []))
  }
}

/** What a turn that another tab runs is at. */
function liveOf({ state, heads }: Log, stream: StreamRow | null): Live {
  if (state.turn === null) return IDLE
  const since = stream?.time ?? heads.at(-1)?.time ?? 0
  const running = state.openCalls.filter(({ started }) => started)
  const phase = stream ? 'streaming' : running.length > 0 ? 'tools' : 'waiting'
  return { ...IDLE, phase, since, running, content: stream?.content ?? [], held: false }
}

/**
 * Keeps a store up with what another tab writes: `catchUp` reads what is new, one read at a time, `keepUp`
 * also what is going on there.
 */
export function createFollower({ id, store, journal, deps, refreshFiles }: Followed) {
  let reading: Promise<void> = Promise.resolve()
  /** Titles before event `known` are in the list's row, and need not be read; `readPage` what is shown with it. */
  const read = async (known: number, readPage?: () => Promise<void>) => {
    const { log } = store.getState()
    const from = log.heads.length
    let refusal = null as Refusal | null
    let folded: Projections = store.getState()
    // What is read is folded while storage reads on.
    const surveyed = journal.survey(from, (stored) => {
      // A write of this tab's own that was under way when it lost the session may have landed meanwhile.
      const heads = stored.filter((head) => head.seq >= log.heads.length)
      refusal ??= extendLog(log, heads)
      if (log.heads.length - folded.timeline.length >= STRIDE) folded = projected(folded, log.heads)
    })
    const page = readPage?.()
    const damage = await surveyed
    if (damage) store.setState({ status: 'damaged', problem: await damageWords(deps.db, damage) })
    if (log.heads.length === from && !refusal) return
    await page
    const heads = log.heads.slice(Math.max(from, known))
    const wanted = heads.filter(needsBody)
    // Not awaited where nothing is to be read: what is known is shown at once.
    project(store, wanted.length === 0 ? [] : await bodiesFor(journal, wanted), folded)
    if (refusal) store.setState({ status: 'damaged', problem: refusal.message })
    else if (known === 0 && heads.some((head) => head.type === 'tool/result')) await refreshFiles()
  }
  const catchUp = (known = 0, readPage?: () => Promise<void>): Promise<void> => {
    reading = reading.then(() => read(known, readPage))
    return reading
  }
  /** What the other tab is doing right now, as far as storage and the log tell. */
  const showLive = async () => {
    const [stream, queue] = await Promise.all([journal.stream(), journal.queue()])
    store.setState({ live: { ...liveOf(store.getState().log, stream), queued: queue }, queue })
  }
  const keepUp = async () => {
    await catchUp()
    await showLive()
  }
  const follow = () =>
    followSession(
      deps.db,
      id,
      () => void keepUp().catch(deps.onProblem),
      () => void showLive().catch(deps.onProblem),
    )
  return { catchUp, keepUp, follow }
}
