/**
 * The bench of the conformance suite: browser door → HTTP → our routes → HTTP → the strict stand-in. By itself
 * the routes run in this process; `npm run wire` sets WIRE_BASE and WIRE_FAKE_PORT and runs the same cases
 * against the production build.
 */

import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { startFake } from '../../../e2e/support/fake-anthropic/server.mjs'
import { type Rig, type RigOptions, rig } from '../../agent/testing/rig'
import type { Clock, Model } from '../../ports'
import { remoteModel } from '../../providers/remote'
import type { Fake } from '../../providers/testing/fake'
import { startRoutes } from './http'

const { WIRE_BASE, WIRE_FAKE_PORT } = process.env

export type Bench = {
  readonly fake: Fake
  /** Address of our server. */
  readonly base: string
  /** The door a page would use. */
  model(more?: Partial<Parameters<typeof remoteModel>[0]>): Model
  fetch: typeof fetch
  /** An agent on that door, whose waits are short; `slept` holds what it would have waited, in ms. */
  agent(options?: RigOptions): Rig & { slept: number[] }
  /** Requests the provider saw for messages. */
  calls(): Fake['state']['log']
}

/** A clock whose waits of seconds take milliseconds. */
function quickClock(slept: number[]): Clock {
  return {
    now: () => Date.now(),
    sleep: (ms, signal) =>
      new Promise((done) => {
        slept.push(ms)
        const timer = setTimeout(done, Math.min(ms, 10))
        signal?.addEventListener('abort', () => {
          clearTimeout(timer)
          done()
        })
      }),
  }
}

/** Starts everything around the tests of a file. */
export function startBench(): Bench {
  let fake: Fake
  let base = WIRE_BASE ?? ''
  let close = async () => {}
  beforeAll(async () => {
    fake = await startFake({ port: Number(WIRE_FAKE_PORT ?? 0), delay: 0 })
    if (WIRE_BASE) return
    const routes = await startRoutes()
    base = routes.url
    close = routes.close
    vi.stubEnv('ANTHROPIC_BASE_URL', fake.url)
    vi.stubEnv('ANTHROPIC_API_KEY', 'server-key')
    vi.stubEnv('PALIMPSEST_FIRST_MS', '2500')
    vi.stubEnv('PALIMPSEST_IDLE_MS', '2000')
  })
  afterEach(() => fake.state.reset())
  afterAll(async () => {
    vi.unstubAllEnvs()
    await close()
    await fake.close()
  })
  const self: Bench = {
    get fake() {
      return fake
    },
    get base() {
      return base
    },
    fetch: (path, init) => fetch(`${base}${path}`, init),
    model: (more = {}) =>
      remoteModel({ resolveBlob: async () => null, fetch: self.fetch, ...more }),
    agent({ header, deps, ...options } = {}) {
      const slept: number[] = []
      const made = rig({
        ...options,
        header: {
          provider: 'anthropic',
          model: 'claude-sonnet-5-5',
          contextWindow: 200_000,
          ...header,
        },
        deps: {
          model: () => self.model(),
          summariser: () => self.model(),
          clock: quickClock(slept),
          ...deps,
        },
      })
      return Object.assign(made, { slept })
    },
    calls: () => fake.state.log.filter((entry) => entry.path === '/v1/messages'),
  }
  return self
}

/** A step for the stand-in that sends exactly these events and bytes; see `playRaw`. */
export const raw = (chunks: unknown[], more: object = {}): Record<string, unknown> => ({
  raw: { chunks, ...more },
})

const usage = { input_tokens: 12, output_tokens: 1 }

/** The events of a reply, in the provider's spelling. */
export const sse = {
  start: (more: object = {}) => ({
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-5-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
      ...more,
    },
  }),
  open: (index: number, content_block: object) => ({
    type: 'content_block_start',
    index,
    content_block,
  }),
  delta: (index: number, delta: object) => ({ type: 'content_block_delta', index, delta }),
  close: (index: number) => ({ type: 'content_block_stop', index }),
  text: (index: number, ...pieces: string[]) => [
    sse.open(index, { type: 'text', text: '' }),
    ...pieces.map((text) => sse.delta(index, { type: 'text_delta', text })),
    sse.close(index),
  ],
  call: (index: number, id: string, name: string, ...pieces: string[]) => [
    sse.open(index, { type: 'tool_use', id, name, input: {} }),
    ...pieces.map((partial_json) => sse.delta(index, { type: 'input_json_delta', partial_json })),
    sse.close(index),
  ],
  end: (stop_reason: string | null = 'end_turn', more: object = {}) => [
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 7 },
      ...more,
    },
    { type: 'message_stop' },
  ],
}

/** A whole reply. */
export const reply = (blocks: object[], stop: string | null = 'end_turn'): object[] => [
  sse.start(),
  ...blocks,
  ...sse.end(stop),
]

export const script = (bench: Bench, ...steps: Record<string, unknown>[]): void =>
  void bench.fake.state.script.push(...steps)

/** Sends, waits until nothing runs, and checks the log against every rule. */
export async function say(run: Rig, words: string): Promise<void> {
  await run.agent.send([{ type: 'text', text: words }])
  await run.agent.idle()
}

/** The last assistant message of a log. */
export function lastReply(run: Rig) {
  const found = run.events().findLast((event) => event.type === 'assistant/message')
  expect(found).toBeDefined()
  return (found as Extract<typeof found, { type: 'assistant/message' }>).data
}

export const endOf = (run: Rig): string | undefined => {
  const found = run.events().findLast((event) => event.type === 'turn/end')
  return found?.type === 'turn/end' ? found.data.reason : undefined
}
