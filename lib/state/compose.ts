'use client'

/** The one place that joins the rooms: database, providers, stores and actions become an app. */

import { createStore } from 'zustand/vanilla'
import type { Seq, SessionEvent } from '../core/event'
import type { Clock } from '../ports'
import { type Database, openDatabase } from '../storage/db'
import { followList } from '../storage/follow'
import { hashJson } from '../storage/hash'
import { lockProblem } from '../storage/lock'
import { DEFAULT_SETTINGS, readSettings, saveSettings } from '../storage/settings'
import type { AppContext } from './app-context'
import { backupActions } from './backup-actions'
import { chatActions } from './chat-actions'
import { headerOf } from './defaults'
import { exportActions } from './export-actions'
import { forkActions } from './fork'
import type { App, Bodies, RequestProof } from './hooks'
import { importActions } from './import-actions'
import { keepKey, keyPlace, typedKey } from './keys'
import { type LiveDeps, readAhead, wordsOf } from './live-session'
import type { Actions, AppState, ModelInfo, Settings, View } from './model'
import { infoFor, modelsOf } from './model-list'
import { type Doors, modelDoors, OFFLINE } from './models'
import { createOpenSessions, type OpenSessions } from './open-sessions'
import { proveRequest } from './request-proof'
import { searchActions } from './search'
import { sessionActions, watchList } from './session-actions'
import { createSessionList } from './session-list'
import { careActions } from './store-care'
import { finishWork, tellEnd, tidyUp, watchUnsaved } from './tidy'
import { createToast } from './toasts'
import { mirrorView, NO_SESSION, parseView } from './view'

/** Where browsers have neither locks between tabs nor hashing (`lockProblem`). */
const INSECURE =
  'This address is not secure, and browsers have neither locks between tabs nor hashing there, so nothing was opened. Put HTTPS in front of the server, or open it on its own machine as http://localhost.'

const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const timer = setTimeout(done, ms)
      function done() {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      signal?.addEventListener('abort', done)
    }),
}

const initialState = (): AppState => ({
  boot: 'loading',
  bootProblem: null,
  sessions: [],
  settings: DEFAULT_SETTINGS,
  server: null,
  served: [],
  models: [OFFLINE],
  typedKey: 'none',
  view: parseView(location.search),
  storage: null,
  trash: [],
  backup: null,
  search: null,
  uses: null,
  check: null,
  toasts: [],
  importing: null,
  reports: [],
  choosing: null,
  exports: [],
})

/** The live app of this page; call once, in the browser. It boots by itself; watch `store.boot`. */
export function createApp(doors: Doors): App {
  const store = createStore<AppState>(initialState)
  const session: App['session'] = createStore(() => ({ current: null }))
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }

  const toast = createToast(store)
  const report: AppContext['report'] = (title) => (error) =>
    toast({ tone: 'error', title, detail: wordsOf(error) })

  let database: Database | null = null
  const wires = modelDoors(doors, {
    key: () => typedKey(),
    clock,
    db: () => database as Database,
    settings: () => store.getState().settings,
  })

  const liveDeps = (db: Database): LiveDeps => ({
    db,
    clock,
    newId: () => crypto.randomUUID(),
    initialHeader: () => headerOf(store.getState().settings, store.getState().models),
    maxSteps: () => store.getState().settings.maxSteps,
    keepFacts: () => store.getState().settings.keepFacts,
    model: wires.model,
    summariser: wires.summariser,
    windowOf(provider, id) {
      const { models, settings } = store.getState()
      return infoFor(models, provider, id, settings.models)?.contextWindow
    },
    onProblem: report('Something could not be read or kept'),
  })

  const lives = createOpenSessions(
    (id) => readAhead(id, liveDeps(context.db), notify),
    (live) => {
      markBusy()
      if (live.isIdle() && store.getState().view.session !== live.id) void lives.close(live.id)
    },
  )
  const isBusy = (id: string) => lives.known(id)?.isIdle() === false
  const markBusy = () =>
    store.setState((state) => ({
      sessions: state.sessions.map((summary) => ({ ...summary, busy: isBusy(summary.id) })),
    }))

  const show = (view: View) => {
    const before = store.getState().view.session
    const isSame = view.session === before
    store.setState({ view })
    const isMissing = before !== null && lives.known(before)?.store.getState().status === 'missing'
    if (!database || (isSame && !isMissing)) return
    // What a link named in vain may have been imported since.
    if (before && isMissing) lives.forget(before)
    session.setState({ current: view.session ? lives.open(view.session).store : null })
    // Work in a session left behind goes on; an idle one is let go, so that another tab may write it.
    if (before && !isSame && lives.known(before)?.isIdle()) void lives.close(before)
  }
  const mirror = mirrorView(() => store.getState().view, show)

  const context: AppContext = {
    get db() {
      if (!database) throw new Error('used before the database was open')
      return database
    },
    clock,
    newId: () => crypto.randomUUID(),
    store,
    session,
    ...lives,
    current: () => lives.known(store.getState().view.session ?? ''),
    setView(change) {
      const before = store.getState().view
      const view = change.session === null ? NO_SESSION : { ...before, ...change }
      show(view)
      mirror(view, before)
    },
    toast,
    report,
  }

  const list = createSessionList(
    store,
    () => context.db,
    isBusy,
    report('The list of sessions could not be read'),
  )

  const actions = createActions(context, {
    refreshServer: async () => {
      const { server, served } = await wires.list()
      const { models } = store.getState().settings
      store.setState({ server, served, models: [OFFLINE, ...modelsOf(served, models)] })
    },
    async countTokens() {
      const live = context.current()
      if (!live) return null
      const body = await live.request()
      // Counting wants what a request wants: the last word is the user's.
      if (body.messages.at(-1)?.role !== 'user')
        body.messages.push({ role: 'user', content: [{ type: 'text', text: '.' }] })
      const counted = await wires.count(body)
      return counted.ok ? { tokens: counted.value } : { problem: counted.error.message }
    },
    setKey(key, remember = false) {
      keepKey(key, remember)
      store.setState({ typedKey: keyPlace() })
      void actions.refreshServer()
    },
    async signOut() {
      const problem = await wires.endAccess()
      if (problem)
        return toast({ tone: 'error', title: 'You are still signed in', detail: problem.message })
      keepKey(null, false)
      location.replace('/')
    },
  })

  const boot = async () => {
    // Without locks between tabs nothing may be written, so nothing is opened either.
    if (lockProblem()) return store.setState({ boot: 'failed', bootProblem: INSECURE })
    const db = await openDatabase(undefined, () =>
      store.setState({
        boot: 'failed',
        bootProblem: 'Another tab still runs an older version of Palimpsest. Close it to go on.',
      }),
    )
    database = db
    store.setState({ boot: 'loading', bootProblem: null })
    tellEnd(db, toast)
    await finishWork(db, context)
    followList(db, list.later)
    watchList(context)
    watchUnsaved(db, lives.all)
    const settings = await readSettings(db)
    store.setState({ settings, models: [OFFLINE, ...modelsOf([], settings.models)] })
    await list.refresh()
    const { session: wanted } = store.getState().view
    if (wanted) session.setState({ current: lives.open(wanted).store })
    store.setState({ boot: 'ready' })
    void actions.refreshServer()
    await tidyUp(db, clock.now())
  }
  boot().catch((error: unknown) => {
    if (store.getState().boot === 'ready') report('Tidying up failed')(error)
    else store.setState({ boot: 'failed', bootProblem: wordsOf(error) })
  })

  return { store, session, actions, bodies: bodiesOf(lives, listeners) }
}

type Server = Pick<Actions, 'refreshServer' | 'setKey' | 'countTokens' | 'signOut'>

const createActions = (app: AppContext, server: Server): Actions => ({
  ...sessionActions(app),
  ...forkActions(app),
  ...chatActions(app),
  ...importActions(app),
  ...exportActions(app),
  ...backupActions(app),
  ...searchActions(app),
  ...careActions(app),
  ...server,
  setPlayhead: (seq) => app.setView({ seq }),
  select: (node) => app.setView({ node }),
  setPanel: (panel) => app.setView({ panel }),
  setCompare: (compare) => app.setView({ compare }),
  async updateSettings(change) {
    app.store.setState((state) => ({ settings: { ...state.settings, ...change } }))
    if (change.models) applyFacts(app, change.models)
    await saveSettings(app.db, change).catch(app.report('The settings could not be kept'))
  },
  dismissToast: (id) =>
    app.store.setState((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) })),
})

/** New facts of models: for the lists, and for the open session where it uses what the lists said. */
function applyFacts(app: AppContext, own: Settings['models']): void {
  const { served, models: before } = app.store.getState()
  const models = [OFFLINE, ...modelsOf(served, own)]
  app.store.setState({ models })
  const live = app.current()
  if (!live) return
  const { contextWindow, ...chosen } = live.store.getState().chosen
  const isIt = ({ provider, id }: ModelInfo) => provider === chosen.provider && id === chosen.model
  const next = models.find(isIt)?.contextWindow
  if (contextWindow !== before.find(isIt)?.contextWindow || contextWindow === next) return
  live.store.setState({
    chosen: { ...chosen, ...(next === undefined ? {} : { contextWindow: next }) },
  })
}

function bodiesOf(lives: OpenSessions, listeners: Set<() => void>): Bodies {
  return {
    peek: (id, seq) => lives.known(id)?.bodies.peek(seq),
    load: (id, seqs) => lives.known(id)?.bodies.load(seqs),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async request(id, seq): Promise<RequestProof | null> {
      const live = lives.known(id)
      if (!live) return null
      const read = async (at: Seq) => (await live.bodies.read([at]))[0] as SessionEvent
      const { heads, history } = live.store.getState().log
      return proveRequest(heads, read, seq, hashJson, history)
    },
  }
}
