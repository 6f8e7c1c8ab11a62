/** A session that another tab writes, kept up with what it commits. */

import type { StoreApi } from 'zustand/vanilla'
import type { EventHead, SessionEvent } from '../core/event'
import { extendLog } from '../core/log'
import type { Database } from '../storage/db'
import { DamagedRow } from '../storage/failure'
import { followSession } from '../storage/follow'
import { damageWords } from '../storage/integrity'
import type { JournalReader } from '../storage/journal'
import type { SessionState } from './model'
import { IDLE, needsBody, project } from './projections'

type Followed = {
  id: string
  store: StoreApi<SessionState>
  journal: JournalReader
  deps: { db: Database; onProblem(error: unknown): void }
  refreshFiles(): Promise<void>
}

/** Bodies the projections need, but for those that cannot be read: structure is shown all the same. */
async function bodiesFor(journal: JournalReader, heads: EventHead[]): Promise<SessionEvent[]> {
  const seqs = heads.filter(needsBody).map((head) => head.seq)
  try {
    return await journal.read(seqs)
  } catch (error) {
    if (!(error instanceof DamagedRow)) throw error
    const single = await Promise.allSettled(seqs.map((seq) => journal.read([seq])))
    return single.flatMap((read) => (read.status === 'fulfilled' ? read.value : []))
  }
}

/** Keeps a store up with what another tab writes; `catchUp` reads what is new, one read at a time. */
export function createFollower({ id, store, journal, deps, refreshFiles }: Followed) {
  let reading: Promise<void> = Promise.resolve()
  const read = async () => {
    const { log } = store.getState()
    const { heads: stored, damage } = await journal.survey(log.heads.length)
    // A write of this tab's own that was under way when it lost the session may have landed meanwhile.
    const heads = stored.filter((head) => head.seq >= log.heads.length)
    if (damage) store.setState({ status: 'damaged', problem: await damageWords(deps.db, damage) })
    if (heads.length === 0) return
    const refusal = extendLog(log, heads)
    const bodies = await bodiesFor(journal, heads)
    project(store, bodies)
    if (refusal) store.setState({ status: 'damaged', problem: refusal.message })
    else if (heads.some((head) => head.type === 'tool/result')) await refreshFiles()
  }
  const catchUp = (): Promise<void> => {
    reading = reading.then(read)
    return reading
  }
  /** What the other tab is doing right now, as far as storage tells. */
  const showLive = async () => {
    const [stream, queue] = await Promise.all([journal.stream(), journal.queue()])
    const live = stream
      ? { ...IDLE, phase: 'streaming' as const, content: stream.content, since: stream.time }
      : IDLE
    store.setState({ live: { ...live, queued: queue }, queue })
  }
  const follow = () =>
    followSession(
      deps.db,
      id,
      () => void catchUp().catch(deps.onProblem),
      () => void showLive().catch(deps.onProblem),
    )
  return { catchUp, follow }
}
