import { createPromptCache } from './billing.mjs'
import { MODELS } from './models.mjs'
import { sha } from './sign.mjs'

const withoutCacheControl = (content) =>
  sha(JSON.stringify(content, (key, value) => (key === 'cache_control' ? undefined : value)))

/**
 * One request; times are Unix milliseconds.
 * @typedef {{
 *   id: number, path: string, method: string, status: number | null, model: string | null,
 *   stream: boolean, kind: 'step' | 'summary' | null, bytes: number,
 *   startedAt: number, firstByteAt: number | null, closedAt: number | null,
 *   finished: boolean, deltas: number, usage: { [name: string]: number } | null,
 *   stopReason: string | null, error: string | null, key: string | null, body: unknown,
 * }} LogEntry
 * `finished`: the answer was written to its end; false when the client hung up or was cut off.
 */

/** Everything one running stand-in remembers; `reset` forgets all of it. */
export function createState({ delay = 2 } = {}) {
  const defaults = () => ({
    maxBytes: 32 * 1024 * 1024,
    delay,
    pingMs: 2000,
    models: MODELS,
    /** What `GET /v1/models` answers in place of `models`, in some other server's shape. @type {unknown} */
    modelList: undefined,
    /** Path prefixes this server does not know. @type {string[]} */
    missing: [],
    /** Whether it does without a key. */
    keyless: false,
  })
  const state = {
    config: defaults(),
    /** Milliseconds the clock was put forward; only cache lifetimes read it. */
    ahead: 0,
    number: 0,
    /** @type {LogEntry[]} */
    log: [],
    /** @type {{ kind?: string, match?: string, [setting: string]: unknown }[]} */
    script: [],
    met: new Map(),
    paused: new Set(),
  }
  const cache = createPromptCache(() => Date.now() + state.ahead)

  return Object.assign(state, {
    cache,
    /** Adds a request to the log. */
    open(request) {
      /** @type {LogEntry} */
      const entry = {
        id: ++state.number,
        path: request.url.split('?')[0],
        method: request.method,
        status: null,
        model: null,
        stream: false,
        kind: null,
        bytes: 0,
        startedAt: Date.now(),
        firstByteAt: null,
        closedAt: null,
        finished: false,
        deltas: 0,
        usage: null,
        stopReason: null,
        error: null,
        key: null,
        body: null,
      }
      state.log.push(entry)
      return entry
    },
    /** The first scripted step for this kind of request whose `match` is in its text. */
    scripted(kind, text) {
      const at = state.script.findIndex(
        (step) => (step.kind ?? 'step') === kind && (!step.match || text.includes(step.match)),
      )
      return at < 0 ? undefined : state.script.splice(at, 1)[0]
    },
    /** Whether a failure limited to `times` requests is still due for this text. */
    isDue(step, key) {
      if (step.times === undefined) return true
      const met = state.met.get(key) ?? 0
      state.met.set(key, met + 1)
      return met < step.times
    },
    rememberPause: (content) => state.paused.add(withoutCacheControl(content)),
    /** A reply paused twice stands in one message with what came before it. */
    isPaused: (content) =>
      content.some((_, from) => state.paused.has(withoutCacheControl(content.slice(from)))),
    reset() {
      state.config = defaults()
      state.ahead = 0
      state.log = []
      state.script = []
      state.met.clear()
      state.paused.clear()
      cache.clear()
    },
  })
}
