/** What a person does inside the open session. */

import type { Agent } from '../agent/agent'
import { CompactionError } from '../agent/manual'
import type { EventHead, Seq } from '../core/event'
import { explainFloor } from '../core/loop'
import type { Block } from '../core/message'
import { previewRestore } from '../core/restore'
import { repairText } from '../core/text'
import type { AppContext } from './app-context'
import { attach, draftKeeper } from './attachments'
import { keepChoice } from './choice'
import type { Actions } from './model'
import { infoFor } from './model-list'

type ChatActions = Pick<
  Actions,
  | 'send'
  | 'sendNow'
  | 'unqueue'
  | 'stop'
  | 'retry'
  | 'saveDraft'
  | 'compact'
  | 'compactRegions'
  | 'cancelCompaction'
  | 'draft'
  | 'commitDraft'
  | 'discardDraft'
  | 'restorePreview'
  | 'restore'
  | 'undoRestore'
  | 'explainFloor'
  | 'setPins'
  | 'setTools'
  | 'chooseModel'
  | 'setRequest'
  | 'setPolicy'
>

const TITLE_LENGTH = 60
const ANOTHER_TAB = 'Another tab is writing this session.'

/** The first line of the first message, cut at a word. */
export function titleFrom(text: string): string {
  const line = (text.trim().split('\n')[0] ?? '').replace(/\s+/g, ' ')
  if (line.length <= TITLE_LENGTH) return line
  const cut = repairText(line.slice(0, TITLE_LENGTH)).text
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), TITLE_LENGTH / 2)).trimEnd()}…`
}

/** A cancel is what the person asked for: no news. */
function unlessCancelled(error: unknown): undefined {
  if (error instanceof CompactionError && error.code === 'cancelled') return undefined
  throw error
}

const isRestoreOf = (op: EventHead['op'], seq: Seq): boolean =>
  typeof op === 'object' && op.op === 'restore' && op.seq === seq

export function chatActions(app: AppContext): ChatActions {
  /** What ends the compaction a person asked for, by session: one at a time each (C5 `busy`). */
  const compacting = new Map<string, AbortController>()
  const cancelCompaction = () => compacting.get(app.current()?.id ?? '')?.abort()

  /** Runs `work` with the agent of the open session; where there is none, another tab writes it. */
  const withAgent = async (what: string, work: (agent: Agent) => unknown): Promise<void> => {
    await resultOf(what, work)
  }
  /** The same; undefined where it failed. */
  const resultOf = async <T>(
    what: string,
    work: (agent: Agent) => T | Promise<T>,
  ): Promise<T | undefined> => {
    const agent = app.current()?.agent()
    if (!agent) {
      app.toast({ tone: 'error', title: what, detail: ANOTHER_TAB })
      return
    }
    try {
      return await work(agent)
    } catch (error) {
      app.report(what)(error)
    }
  }

  const send: Actions['send'] = async (text, attachments, { keep = false } = {}) => {
    const live = app.current()
    if (!live) return false
    const unsent = 'The message was not sent'
    try {
      const blocks: Block[] = []
      for (const file of attachments) {
        const block = await attach(app.db, live.id, file)
        if (typeof block !== 'string') blocks.push(block)
        else {
          app.toast({ tone: 'error', title: unsent, detail: block })
          return false
        }
      }
      if (text.trim() !== '') blocks.push({ type: 'text', text })
      // The agent of then: another session may have been opened while the files were kept.
      const agent = live.agent()
      if (blocks.length === 0 || !agent) {
        if (!agent) app.toast({ tone: 'error', title: unsent, detail: ANOTHER_TAB })
        return false
      }
      const untitled = live.store.getState().title === ''
      await agent.send(blocks, { keep })
      if (untitled && text.trim() !== '')
        await agent
          .setTitle(titleFrom(text), 'automatic')
          .catch(app.report('The title could not be kept'))
      return true
    } catch (error) {
      app.report(unsent)(error)
      return false
    }
  }

  const keepDraft = draftKeeper(() => app.db, app.report('The draft was not kept'), {
    onScaled: (detail) => app.toast({ tone: 'plain', title: 'Image made smaller', detail }),
  })
  const saveDraft: Actions['saveDraft'] = (session, text, files) => {
    app.known(session)?.store.setState({ draft: text, attached: files })
    keepDraft(session, text, files)
  }

  /** Runs what `cancelCompaction` can end; says so where there was nothing to do. */
  const compactWith = <T>(run: (agent: Agent, signal: AbortSignal) => Promise<T[] | null>) =>
    resultOf('The session could not be compacted', async (agent) => {
      const id = app.current()?.id ?? ''
      if (compacting.has(id)) {
        app.toast({
          tone: 'plain',
          title: 'A compaction of this session is under way',
          detail: 'Wait for it, or cancel it first.',
        })
        return
      }
      const controller = new AbortController()
      compacting.set(id, controller)
      const results = await run(agent, controller.signal)
        .catch(unlessCancelled)
        .finally(() => compacting.delete(id))
      if (results === null)
        app.toast({
          tone: 'plain',
          title: 'Nothing to compact',
          detail: 'What could be replaced would not get smaller.',
        })
      return results
    })

  const restore: Actions['restore'] = (seq) =>
    withAgent('It could not be restored', async (agent) => {
      const live = app.current()
      const id = live?.id ?? ''
      await agent.restore(seq)
      const restored = live?.store.getState().log.heads.findLast(({ op }) => isRestoreOf(op, seq))
      if (!restored) return
      const undo = { label: 'Undo', run: () => void undoIn(id, restored.seq) }
      app.toast({ tone: 'plain', title: 'Restored', action: undo })
    })
  const undoRestore: Actions['undoRestore'] = (restoreSeq) =>
    withAgent('The restore could not be undone', (agent) => agent.undoRestore(restoreSeq))
  /** By then another session may be on screen, where the same number is something else. */
  const undoIn = async (id: string, restoreSeq: Seq): Promise<void> => {
    if (app.current()?.id !== id) app.setView({ session: id, seq: null, node: null, compare: null })
    await app.open(id).ready
    await undoRestore(restoreSeq)
  }

  return {
    send,
    sendNow: (id) => withAgent('It could not be sent', (agent) => agent.sendNow(id)),
    unqueue: (id) => withAgent('It could not be removed', (agent) => agent.unqueue(id)),
    stop() {
      cancelCompaction()
      app.current()?.agent()?.stop()
    },
    retry: () => withAgent('It could not be tried again', (agent) => agent.retry()),
    saveDraft,
    async compact(focus) {
      await compactWith((agent, signal) => agent.compactNow(signal, focus || undefined))
    },
    async compactRegions(ranges, focus) {
      await compactWith((agent, signal) => agent.compactRegions(ranges, signal, focus || undefined))
    },
    cancelCompaction,
    async draft(ranges, { focus, model } = {}) {
      const options = { instructions: focus || undefined, model }
      const drafts = await compactWith((agent, signal) =>
        agent.draft(ranges ?? 'whole', signal, options),
      )
      return drafts ?? null
    },
    async commitDraft(draftSeq, text, literals) {
      const committed = await resultOf('The summary could not be committed', (agent) =>
        agent.commitDraft(draftSeq, text, literals),
      )
      return committed !== undefined
    },
    discardDraft: (draftSeq) =>
      withAgent('It could not be discarded for good', (agent) => agent.discardDraft(draftSeq)),
    restorePreview(seq) {
      const live = app.current()
      return live ? previewRestore(live.store.getState().log, seq) : null
    },
    restore,
    undoRestore,
    explainFloor() {
      const live = app.current()
      if (!live) return null
      const { log, chosen } = live.store.getState()
      return explainFloor(log, chosen.policy)
    },
    setPins: (seqs, pinned) =>
      withAgent('It could not be pinned', (agent) => agent.setPins(seqs, pinned)),
    setTools: (on) => app.current()?.store.setState({ toolsOff: !on }),
    chooseModel(provider, id, limits = {}) {
      const live = app.current()
      if (!live) return
      const { models, settings } = app.store.getState()
      const info = infoFor(models, provider, id, settings.models)
      const { contextWindow: _, ...chosen } = live.store.getState().chosen
      const contextWindow = limits.contextWindow ?? info?.contextWindow
      const most = limits.maxTokens ?? Math.min(info?.maxTokens ?? 8192, 8192)
      live.store.setState({
        chosen: {
          ...chosen,
          provider,
          model: id,
          ...(contextWindow === undefined ? {} : { contextWindow }),
          params: { ...chosen.params, max_tokens: most },
        },
      })
      const state = live.store.getState()
      keepChoice(live.id, state.log.heads, state.chosen)
    },
    setRequest({ system, contextWindow, params }) {
      const live = app.current()
      if (!live) return
      const { contextWindow: _, ...chosen } = live.store.getState().chosen
      live.store.setState({
        chosen: {
          ...chosen,
          system,
          params,
          ...(contextWindow === undefined ? {} : { contextWindow }),
        },
      })
    },
    setPolicy(policy) {
      const live = app.current()
      if (live) live.store.setState({ chosen: { ...live.store.getState().chosen, policy } })
    },
  }
}
