/** Forks: a session's log up to some turn as a new session, and earlier messages changed that way (K2). */

import { type EventHead, LOG_VERSION, type Seq, type SessionHeader } from '../core/event'
import { type Block, isText } from '../core/message'
import { blobsOf, shareBlobs } from '../storage/blobs'
import { saveDraft } from '../storage/drafts'
import { copyFiles } from '../storage/files'
import { importSession } from '../storage/import'
import { createSession } from '../storage/sessions'
import type { AppContext } from './app-context'
import { attachmentOf } from './attachments'
import type { LiveSession } from './live-session'
import type { Actions } from './model'

const PAGE = 500

/** A new session with the log up to `last`, null for none of it, and the workspace as it is now. Its id. */
export async function copyUpTo(
  app: AppContext,
  live: LiveSession,
  last: Seq | null,
): Promise<string> {
  const { header } = live.store.getState()
  const forked: SessionHeader = {
    version: LOG_VERSION,
    id: app.newId(),
    createdAt: app.clock.now(),
    ...(last !== null && { parent: { id: header.id, seq: last } }),
    // What it holds of a foreign file is judged as such, here too.
    ...(header.origin && { origin: header.origin }),
  }
  const prefix = async function* (end: Seq) {
    for (let from = 0; from <= end; from += PAGE) {
      const to = Math.min(from + PAGE, end + 1)
      yield* await live.journal.read(Array.from({ length: to - from }, (_, at) => from + at))
    }
  }
  if (last === null) await createSession(app.db, forked)
  else {
    const made = await importSession(app.db, forked, prefix(last))
    if (!made.ok) throw new Error(made.error.message)
  }
  await shareBlobs(app.db, forked.id, await blobsOf(app.db, header.id))
  await copyFiles(app.db, header.id, forked.id)
  return forked.id
}

const asked = (head: EventHead) => head.type === 'user/message' && head.kind === 'human'

/**
 * The message that `seq` is or answers, and the last event before it was asked; null where nothing was. A
 * message slipped into a turn keeps the turn so far, its prompt with it; any other goes with its turn.
 */
export function askedAt(
  heads: readonly EventHead[],
  seq: Seq,
): { prompt: Seq; before: Seq | null } | null {
  const start = heads.findLast((head) => head.type === 'turn/start' && head.seq <= seq)
  if (!start) return null
  const first = heads.find((head) => head.seq > start.seq && asked(head))
  const prompt = heads.findLast((head) => head.seq > start.seq && head.seq <= seq && asked(head))
  if (!first || !prompt) return null
  const before = (prompt === first ? start : prompt).seq - 1
  return { prompt: prompt.seq, before: before < 0 ? null : before }
}

type ForkActions = Pick<Actions, 'editInFork' | 'regenerateInFork'>

export function forkActions(app: AppContext): ForkActions {
  const show = (id: string) =>
    app.setView({ session: id, seq: null, node: null, compare: null, panel: 'strata' })

  /** Opens a fork that ends before what `seq` is or answers was asked, and gives that message. */
  async function forkBefore(
    seq: Seq,
    prepare: (id: string, content: Block[]) => Promise<void>,
  ): Promise<{ fork: LiveSession; content: Block[] } | null> {
    const live = app.current()
    if (!live) return null
    const { log, chosen } = live.store.getState()
    const turn = askedAt(log.heads, seq)
    if (!turn) throw new Error('No turn of this session holds that message.')
    const [event] = await live.journal.read([turn.prompt])
    const content = event?.type === 'user/message' ? event.data.content : []
    const id = await copyUpTo(app, live, turn.before)
    await prepare(id, content)
    show(id)
    const fork = app.open(id)
    await fork.ready
    // Nothing of the log may say yet which model the person works with.
    fork.store.setState({ chosen })
    return { fork, content }
  }

  async function editInFork(seq: Seq): Promise<void> {
    const made = await forkBefore(seq, (id, content) =>
      saveDraft(app.db, id, {
        text: content
          .filter(isText)
          .filter(({ text }) => attachmentOf(text) === null)
          .map(({ text }) => text)
          .join('\n\n'),
        attachments: content.filter((block) => !isText(block) || attachmentOf(block.text) !== null),
      }),
    )
    if (!made) return
    app.toast({
      tone: 'plain',
      title: 'Forked: change the message and send it',
      detail: 'The session it comes from stays as it is.',
    })
  }

  async function regenerateInFork(seq: Seq): Promise<void> {
    const made = await forkBefore(seq, async () => {})
    await made?.fork.agent()?.send(made.content)
    if (made)
      app.toast({
        tone: 'plain',
        title: 'Asked again in a fork',
        detail: 'The session it comes from stays as it is.',
      })
  }

  return {
    editInFork: (seq) => editInFork(seq).catch(app.report('The fork could not be made')),
    regenerateInFork: (seq) =>
      regenerateInFork(seq).catch(app.report('The fork could not be made')),
  }
}
