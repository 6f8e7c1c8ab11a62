/** The agent of one open session: what people and pages may ask of it. The work is done by driver.ts. */

import type { EventData, Range, Seq, SessionEvent } from '../core/event'
import type { Block } from '../core/message'
import { restoreDrafts } from '../core/restore'
import { repairText } from '../core/text'
import type { CompactionResult, DraftResult } from './compact'
import { hideDraft, showReview, writeDiscard } from './drafting'
import { createDriver } from './driver'
import type { Live } from './live'
import { compactIfNeeded, compactNow, compactRegions } from './manual'
import { isCutOff, type OpenReason, openForWriting } from './opening'
import { createQueue } from './queue'
import { commitDraft, draft } from './review'
import { type AgentDeps, createSession, repairBlocks, reportRepair, type Session } from './session'
import { endsWithAssistant } from './turn'
import { undoRestore } from './undo'
import { keptDrafts, noticeDraft } from './user-draft'
import { must, RefusedError } from './writer'

/**
 * Everything that writes rejects with a `JournalError` when it cannot be stored before it has begun. Once
 * a turn runs, a failing journal holds it instead (`live.problem`) until `retry`, and nothing is lost.
 */
export interface Agent {
  /**
   * Reads the stored queue, and closes what a crash left so that it is not shown as running (R2). Writes
   * nothing else: `session/open` comes with the first write.
   */
  open(): Promise<void>
  /** Opens for writing now, with this reason (R2). Once; later calls and all writing ways do nothing more. */
  recover(reason?: OpenReason): Promise<void>
  /** Durable when it resolves: as the prompt of a turn, or queued while one is running. `keep` pins it (K1). */
  send(content: Block[], options?: { keep?: boolean }): Promise<void>
  /** Slips a queued message in before the next step, or begins a turn with it. */
  sendNow(queuedId: string): Promise<void>
  unqueue(queuedId: string): Promise<void>
  /** Ends the model call, the tools and an open bracket at once. */
  stop(): void
  /**
   * Null: nothing useful to do, nothing written. During a turn it waits for the end of the step. Rejects
   * with a `CompactionError` whose code is one of C5 or `refused`.
   */
  compactNow(signal: AbortSignal, instructions?: string): Promise<CompactionResult[] | null>
  compactRegion(
    start: Seq,
    end: Seq,
    signal: AbortSignal,
    instructions?: string,
  ): Promise<CompactionResult[] | null>
  /** The same of several ranges, as one wish: what ends it ends all that is left. */
  compactRegions(
    ranges: readonly Range[],
    signal: AbortSignal,
    instructions?: string,
  ): Promise<CompactionResult[] | null>
  /** What the loop does by itself at the threshold (C7) or after an overflow (C9). */
  compactIfNeeded(
    trigger: 'pressure' | 'context-overflow',
    signal: AbortSignal,
  ): Promise<CompactionResult[] | null>
  /**
   * Summaries that wait for review, of each range or of what `compactNow` would take: nothing is replaced and
   * nothing locked (C16). Each run is a bracket that ends `drafted`; the text streams as `live.compaction`.
   * Null: nothing useful to do. Rejects as `compactNow` does. Again: a new draft, the old ones stay.
   */
  draft(
    ranges: readonly Range[] | 'whole',
    signal: AbortSignal,
    options?: { instructions?: string; model?: string },
  ): Promise<DraftResult[] | null>
  /**
   * Commits exactly this text in place of a draft's span, without a model call. Rejects with a
   * `CompactionError`: `changed` where the span is not what it was, `refused` where the text may not stand
   * for it. `literals`: put below the text by code, within a budget.
   */
  commitDraft(draftSeq: Seq, text: string, literals?: readonly string[]): Promise<CompactionResult>
  /** Takes a draft out of `live.review` at once, and for good when it resolves; the draft stays in the log. */
  discardDraft(draftSeq: Seq): Promise<void>
  /** These reject with a `RefusedError` that names the rule. */
  setTitle(title: string, source: EventData['session/title']['source']): Promise<void>
  setPins(seqs: Seq[], pinned: boolean): Promise<void>
  /** Down to this replacement, through the later checkpoints that took it in, in one transaction (S7). */
  restore(replacementSeq: Seq): Promise<void>
  /** Takes a restore back, with all layers restored in one go with it; `restoreSeq` is one of its events (S7). */
  undoRestore(restoreSeq: Seq): Promise<void>
  /** Goes on: writes what the disk refused, asks the model now instead of later, or runs a turn without a new prompt. */
  retry(): Promise<void>
  /** Writes what the disk refused, if something is held; nothing else begins. */
  resume(): void
  /** What is in the session and not stored, while a write is held or after the journal was lost. */
  unsaved(): readonly SessionEvent[]
  readonly live: Live
  /** Resolves when nothing runs. */
  idle(): Promise<void>
  /** Stops, waits for what must still be written, and writes nothing any more. */
  close(): Promise<void>
}

const GO_ON = 'Your last reply was interrupted. Go on from where it stopped.'
const NEVER = new AbortController().signal

export function createAgent(deps: AgentDeps): Agent {
  const session: Session = createSession(deps, () => {
    // A draft that waits may no longer fit.
    if (session.live.current.review) showReview(session)
  })
  const { writer, live } = session
  const queue = createQueue(deps.journal, (queued) => live.set({ queued }))
  const driver = createDriver(session, queue)
  let opened: Promise<void> | null = null
  let loaded: Promise<void> | null = null

  const load = () => {
    loaded ??= queue.load()
    return loaded
  }
  /** Before the first write of this writer; a failure is forgotten, so that it can be tried again. */
  function ready(reason?: OpenReason): Promise<void> {
    opened ??= load()
      .then(() => openForWriting(session, reason))
      .catch((error: unknown) => {
        opened = null
        throw error
      })
    return opened
  }
  const between: typeof driver.between = async (trigger, signal, work) => {
    await ready()
    return driver.between(trigger, signal, work)
  }
  const regions: Agent['compactRegions'] = (ranges, signal, instructions) =>
    between('region', signal, (turn, stopped) =>
      compactRegions(session, ranges, { turn, signal: stopped, instructions }),
    )

  return {
    async open() {
      await load()
      if (isCutOff(session.log)) await ready()
      showReview(session)
    },
    recover: ready,
    async send(content, { keep } = {}) {
      await ready()
      const blocks = repairBlocks(session, content)
      const id = deps.newId()
      if (!driver.isTaken) return driver.begin((seq) => keptDrafts(id, blocks, seq, keep))
      const message = { id, content: blocks, time: deps.clock.now(), sendNow: false }
      await queue.add(keep ? { ...message, keep } : message)
      driver.wake()
    },
    async sendNow(queuedId) {
      await ready()
      if (!driver.isTaken) return driver.beginQueued(queuedId)
      await queue.hasten(queuedId)
      driver.wake()
    },
    async unqueue(queuedId) {
      await load()
      await queue.remove(queuedId)
    },
    stop: driver.stop,
    compactNow: (signal, instructions) =>
      between('manual', signal, (turn, stopped) =>
        compactNow(session, { turn, signal: stopped, instructions }),
      ),
    compactRegion: (start, end, signal, instructions) =>
      regions([{ start, end }], signal, instructions),
    compactRegions: regions,
    draft: (ranges, signal, options = {}) =>
      between(ranges === 'whole' ? 'manual' : 'region', signal, (turn, stopped) =>
        draft(session, ranges, { turn, signal: stopped, ...options }),
      ),
    async commitDraft(draftSeq, text, literals) {
      const committed = await between('manual', NEVER, (turn, signal) =>
        commitDraft(session, draftSeq, { text, literals }, { turn, signal }),
      )
      showReview(session)
      return committed
    },
    async discardDraft(draftSeq) {
      hideDraft(session, draftSeq)
      await ready()
      if (await writeDiscard(session, draftSeq)) return
      await driver.between(null, NEVER, () => writeDiscard(session, draftSeq))
    },
    compactIfNeeded: (trigger, signal) =>
      between(trigger, signal, (turn, stopped) =>
        compactIfNeeded(session, trigger, { turn, signal: stopped }),
      ),
    async setTitle(title, source) {
      await ready()
      const { text, repaired } = repairText(title)
      reportRepair(session, repaired)
      await must(writer, [{ type: 'session/title', data: { title: text, source } }])
    },
    async setPins(seqs, pinned) {
      await ready()
      await must(writer, [{ type: 'pin/set', data: { seqs, pinned } }])
      if (live.current.review) showReview(session)
    },
    async restore(replacementSeq) {
      await between(null, NEVER, () =>
        must(writer, () => restoreDrafts(session.log, replacementSeq)),
      )
    },
    async undoRestore(restoreSeq) {
      const result = await between(null, NEVER, (turn, signal) =>
        undoRestore(session, restoreSeq, { turn, signal }),
      )
      if (!result.ok) throw new RefusedError(result.error)
    },
    async retry() {
      if (writer.resume()) return
      if (session.skipWait) return session.skipWait.abort()
      await ready()
      if (driver.isTaken) return
      await driver.begin(() => (endsWithAssistant(session) ? [noticeDraft(session, GO_ON)] : []))
    },
    resume: () => void writer.resume(),
    unsaved: writer.unsaved,
    get live() {
      return live.current
    },
    idle: driver.idle,
    async close() {
      driver.stop()
      writer.hurry()
      await driver.idle()
      await writer.settled()
      writer.close()
    },
  }
}
