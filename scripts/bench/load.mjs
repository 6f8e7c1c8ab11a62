// Twenty replies at once through the production server, beside the stand-in asked directly; memory; a slow reader.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { root } from '../prepare.mjs'

const STREAMS = 20
const CHUNKS = 300
const DELAY_MS = 20

export const freePort = () =>
  new Promise((done) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })

export async function launch(args, env, url) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', PALIMPSEST_LOG: 'off', ...env },
  })
  for (let tries = 0; tries < 150; tries++) {
    const up = await fetch(url).then(
      () => true,
      () => false,
    )
    if (up) return child
    await new Promise((go) => setTimeout(go, 200))
  }
  child.kill()
  throw new Error(`nothing answers on ${url}`)
}

/** Resident memory in MB; NaN where the system does not tell. */
export function residentOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
  } catch {
    return Number.NaN
  }
}

const bodyOf = (text) => ({
  model: 'claude-sonnet-5-5',
  max_tokens: 60_000,
  system: [],
  tools: [],
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
})

/** Reads one reply; milliseconds from each chunk's writing to its arrival, in the order of their numbers. */
async function listen(url, body, headers) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const decoder = new TextDecoder()
  const delays = []
  const numbers = []
  let rest = ''
  for await (const bytes of response.body) {
    const now = performance.timeOrigin + performance.now()
    rest += decoder.decode(bytes, { stream: true })
    for (const [, n, sent] of rest.matchAll(/"text":"(\d+):([\d.]+) /g)) {
      numbers.push(Number(n))
      delays.push(now - Number(sent))
    }
    rest = rest.slice(rest.lastIndexOf('\n') + 1)
  }
  const isWhole = numbers.length === CHUNKS && numbers.every((n, at) => n === at)
  return { delays, isWhole }
}

const sorted = (values) => [...values].sort((a, b) => a - b)
const at = (values, share) => sorted(values)[Math.floor((values.length - 1) * share)]

export async function loadFigures(figure) {
  const [fakePort, port] = [await freePort(), await freePort()]
  const direct = `http://127.0.0.1:${fakePort}`
  const base = `http://127.0.0.1:${port}`
  const fake = await launch(
    ['e2e/support/fake-anthropic/main.mjs'],
    { FAKE_PORT: String(fakePort) },
    `${direct}/__control/log`,
  )
  const server = await launch(
    ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(port)],
    { ANTHROPIC_BASE_URL: direct, ANTHROPIC_API_KEY: 'bench-key' },
    `${base}/api/health`,
  )
  try {
    const said = `[[delay: ${DELAY_MS}]] [[clock: ${CHUNKS}]]`
    const keys = { 'x-api-key': 'bench-key', 'anthropic-version': '2026-10-21' }
    const viaFake = () =>
      listen(`${direct}/v1/messages`, { ...bodyOf(said), system: undefined, stream: true }, keys)
    const viaServer = () => listen(`${base}/api/messages`, bodyOf(said), {})
    const all = (one) => Promise.all(Array.from({ length: STREAMS }, one))
    await all(viaServer)
    const before = residentOf(server.pid)
    const baseline = await all(viaFake)
    const through = await all(viaServer)
    await all(viaServer)
    const after = residentOf(server.pid)
    const delays = (replies) => replies.flatMap((one) => one.delays)
    const dropped = through.filter((one) => !one.isWhole).length
    const added = (share) =>
      Math.max(0.01, at(delays(through), share) - at(delays(baseline), share))
    return [
      figure(
        `load: median ms a chunk is late through the server with ${STREAMS} streams, beside the ${DELAY_MS} ms between chunks`,
        added(0.5),
        DELAY_MS,
        1,
      ),
      figure(`load: the same for the 95th of 100 chunks`, added(0.95), DELAY_MS, 10),
      figure(
        `load: replies of ${STREAMS} with a chunk missing or out of order (plus one, beside one)`,
        dropped + 1,
        1,
        1,
        'replies',
      ),
      figure(
        `load: memory of the server after ${2 * STREAMS * CHUNKS} more chunks, beside before`,
        after,
        before,
        1.35,
        'MB',
      ),
      await slowReader(figure, base, server.pid),
    ]
  } finally {
    server.kill()
    fake.kill()
  }
}

/** A reader that takes nothing of a reply of 4 MB a second: the server must not take it in its stead. */
async function slowReader(figure, base, pid) {
  const before = residentOf(pid)
  const abort = new AbortController()
  const response = await fetch(`${base}/api/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf('[[delay: 0]] [[clock: 1000000]] [[pad: 20000]]')),
    signal: abort.signal,
  })
  const reader = response.body.getReader()
  await reader.read()
  let most = 0
  for (let second = 0; second < 8; second++) {
    await new Promise((go) => setTimeout(go, 1000))
    most = Math.max(most, residentOf(pid))
  }
  abort.abort()
  return figure(
    'load: memory of the server beside a reader that takes nothing for 8 s, beside before',
    most,
    before,
    1.35,
    'MB',
  )
}
