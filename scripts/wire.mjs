// npm run wire: the conformance suite over real HTTP against the production build, the strict stand-in scripted per case.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { buildIfStale, installLocked, requireNode, root, run } from './prepare.mjs'

requireNode()
await installLocked()
if ((await buildIfStale()) !== 0) process.exit(1)

const freePort = () =>
  new Promise((done) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })
const port = Number(process.env.WIRE_PORT || (await freePort()))
const fakePort = Number(process.env.WIRE_FAKE_PORT || (await freePort()))
const base = `http://127.0.0.1:${port}`

const server = spawn(
  process.execPath,
  ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(port)],
  {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: '1',
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${fakePort}`,
      ANTHROPIC_API_KEY: 'server-key',
      PALIMPSEST_FIRST_MS: '2500',
      PALIMPSEST_IDLE_MS: '2000',
    },
  },
)
const isUp = () =>
  fetch(`${base}/api/health`).then(
    (answer) => answer.ok,
    () => false,
  )
for (let tries = 0; !(await isUp()); tries++) {
  if (tries === 150) {
    console.error('The server did not start.')
    server.kill()
    process.exit(1)
  }
  await new Promise((go) => setTimeout(go, 200))
}
// One file at a time: they share the port of the stand-in.
const { code } = await run(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--no-file-parallelism', 'lib/server/conformance'],
  { env: { WIRE_BASE: base, WIRE_FAKE_PORT: String(fakePort), CLOSING_LINE: 'wire' } },
)
server.kill('SIGTERM')
process.exit(code)
