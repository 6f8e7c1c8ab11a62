/** Sessions as things: new, open, rename, delete with undo, fork. */

import { LOG_VERSION, type Seq, type SessionHeader } from '../core/event'
import { seedFiles } from '../storage/files'
import { followList } from '../storage/follow'
import { createSession, trashSession, untrashSession } from '../storage/sessions'
import { normalisePath } from '../tools/path'
import { decodeContent } from '../tools/workspace'
import type { AppContext } from './app-context'
import { copyUpTo } from './fork'
import { importTranscript } from './import-actions'
import type { Actions, StartWith } from './model'

type SessionActions = Pick<
  Actions,
  | 'newSession'
  | 'openSample'
  | 'openSession'
  | 'peekSession'
  | 'closeSession'
  | 'rename'
  | 'takeOver'
  | 'remove'
  | 'fork'
>

const SAMPLE_WORKSPACE = '/sample-workspace'
const SAMPLE_SESSION = '/sample-session.jsonl'

async function fetchFile(url: string): Promise<Uint8Array> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The server has no ${url} (${response.status}).`)
  return new Uint8Array(await response.arrayBuffer())
}

/** The shipped workspace: about thirty files, listed in its index. */
async function sampleWorkspace(): Promise<{ path: string; data: Uint8Array }[]> {
  const index = JSON.parse(
    new TextDecoder().decode(await fetchFile(`${SAMPLE_WORKSPACE}/index.json`)),
  ) as { path: string }[]
  return Promise.all(
    index.map(async ({ path }) => ({ path, data: await fetchFile(`${SAMPLE_WORKSPACE}/${path}`) })),
  )
}

/** A second click while the first is still at work does nothing more. */
function oneAtATime<A extends unknown[]>(
  work: (...args: A) => Promise<void>,
): (...args: A) => Promise<void> {
  let running: Promise<void> | null = null
  return (...args) => {
    running ??= work(...args).finally(() => {
      running = null
    })
    return running
  }
}

const seeds = (files: { path: string; data: Uint8Array }[]) =>
  files.flatMap(({ path, data }) => {
    const normal = normalisePath(path)
    return normal.ok ? [{ path: normal.value, body: decodeContent(data) }] : []
  })

const undoRemove = (app: AppContext, id: string) => ({
  label: 'Undo',
  run: () => void untrashSession(app.db, id).catch(app.report('It could not be restored')),
})

/**
 * What was read ahead ends where its session goes or comes back: it would tell of another state. A session
 * that another tab deletes is let go here at once, and whoever had it open is told; one that was missed
 * opens when it is here again.
 */
export function watchList(app: AppContext): void {
  followList(app.db, (change) => {
    if (change.type === 'cleared') return app.unpeek()
    if (change.type !== 'list' || change.change === 'renamed' || change.change === 'updated') return
    const id = change.sessionId
    app.unpeek(id)
    const live = app.known(id)
    if (!live) return
    if (change.change === 'restored' || change.change === 'created') {
      const isMissing = live.store.getState().status === 'missing'
      if (isMissing && app.store.getState().view.session === id) app.setView({ session: id })
      return
    }
    const { title } = live.store.getState()
    if (app.store.getState().view.session === id) app.setView({ session: null })
    void app.close(id).catch(app.report('It could not be let go'))
    app.toast({
      tone: 'plain',
      title: `“${title || 'Untitled session'}” was deleted in another tab`,
      detail: 'What runs in it was stopped.',
      ...(change.change === 'trashed' ? { action: undoRemove(app, id) } : {}),
    })
  })
}

export function sessionActions(app: AppContext): SessionActions {
  const show = (id: string) =>
    app.setView({ session: id, seq: null, node: null, compare: null, panel: 'strata' })

  async function create(start: StartWith): Promise<void> {
    const header: SessionHeader = {
      version: LOG_VERSION,
      id: app.newId(),
      createdAt: app.clock.now(),
    }
    const files =
      start.kind === 'sample-workspace'
        ? await sampleWorkspace()
        : start.kind === 'files'
          ? start.files
          : []
    await createSession(app.db, header)
    await seedFiles(app.db, header.id, seeds(files))
    show(header.id)
  }

  async function openSample(): Promise<void> {
    const data = await fetchFile(SAMPLE_SESSION)
    const file = new File([data as Uint8Array<ArrayBuffer>], 'sample session.jsonl')
    const report = await importTranscript(app, file, new AbortController().signal)
    if (!report.sessionId)
      throw new Error(report.problem ?? 'The sample session could not be read.')
    if (!report.problem) {
      await seedFiles(app.db, report.sessionId, seeds(await sampleWorkspace()))
    } else await untrashSession(app.db, report.sessionId)
    show(report.sessionId)
  }

  async function remove(id: string): Promise<void> {
    const title = app.store.getState().sessions.find((session) => session.id === id)?.title
    if (app.store.getState().view.session === id) app.setView({ session: null })
    await app.close(id)
    await trashSession(app.db, id, app.clock.now())
    app.toast({
      tone: 'plain',
      title: `Deleted “${title || 'Untitled session'}”`,
      action: undoRemove(app, id),
    })
  }

  async function rename(id: string, title: string): Promise<void> {
    const wanted = title.trim()
    if (wanted === '') return
    const wasOpen = app.known(id) !== null
    const open = app.open(id)
    await open.ready
    const agent = open.agent()
    if (agent) await agent.setTitle(wanted, 'human')
    else
      app.toast({
        tone: 'error',
        title: 'The title was not changed',
        detail: 'Another tab is writing this session: rename it there, or write here instead.',
      })
    // Opened for the title alone, it is let go, so that another tab may write it.
    if (!wasOpen && app.current() !== open && open.isIdle()) await app.close(id)
  }

  async function fork(turnEnd: Seq): Promise<void> {
    const live = app.current()
    if (!live) return
    const forked = await copyUpTo(app, live, turnEnd)
    show(forked)
    app.toast({
      tone: 'plain',
      title: 'Forked into a new session',
      detail: 'It has the conversation up to that turn, and the workspace as it is now.',
    })
  }

  return {
    openSession: show,
    peekSession: app.peek,
    closeSession: () => app.setView({ session: null }),
    newSession: oneAtATime((start) =>
      create(start).catch(app.report('The session could not be created')),
    ),
    openSample: oneAtATime(() =>
      openSample().catch(app.report('The sample session could not be opened')),
    ),
    // Taken twice, the second steals from the first.
    takeOver: oneAtATime(async () => {
      await app.current()?.takeOver().catch(app.report('This tab could not take over'))
    }),
    remove: (id) => remove(id).catch(app.report('The session could not be deleted')),
    fork: oneAtATime((turnEnd) => fork(turnEnd).catch(app.report('The fork could not be made'))),
    rename: (id, title) => rename(id, title).catch(app.report('The title could not be kept')),
  }
}

/** Days a deleted session stays in the trash before its space is freed. */
export const TRASH_DAYS = 7
