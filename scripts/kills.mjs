// npm run kills [count] [seed]: Chromium killed at random moments, 200 times unless told; exits 1 on any loss.

import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { buildIfStale, findChromium, installLocked, requireNode, root } from './prepare.mjs'

requireNode()
await installLocked()
if ((await buildIfStale()) !== 0) process.exit(1)
const { runnerImport } = await import('vite')
const { module } = await runnerImport(join(root, 'e2e/support/kills.ts'), {
  configFile: false,
  root,
})
const { runKills } = module
const { startFake } = await import('../e2e/support/fake-anthropic/server.mjs')

const count = Number(process.argv[2] ?? 200)
let state = Number(process.argv[3] ?? 1)
/** Park and Miller's generator: a run can be repeated, though not the speed of the machine. */
const random = () => {
  state = (state * 16807) % 2147483647
  return (state - 1) / 2147483646
}

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })

const fakePort = await freePort()
const fake = await startFake({ port: fakePort, delay: 2 })
const port = await freePort()
const server = spawn(
  process.execPath,
  ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(port)],
  {
    cwd: root,
    stdio: 'ignore',
    env: {
      ...process.env,
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${fakePort}`,
      ANTHROPIC_API_KEY: 'test-key',
      NEXT_TELEMETRY_DISABLED: '1',
    },
  },
)
const baseURL = `http://127.0.0.1:${port}`
for (let tries = 0; ; tries++) {
  const up = await fetch(`${baseURL}/api/health`).then(
    (response) => response.ok,
    () => false,
  )
  if (up) break
  if (tries > 100) {
    server.kill()
    throw new Error('the server did not start')
  }
  await new Promise((done) => setTimeout(done, 200))
}
try {
  const { counts, found } = await runKills({
    baseURL,
    root,
    executable: await findChromium(),
    count,
    random,
    report: ({ round, name, wrong }) =>
      console.log(
        `${round + 1}/${count} ${name}: ${wrong.length === 0 ? 'ok' : wrong.join(' | ')}`,
      ),
  })
  for (const fault of found) console.error(fault)
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0)
  console.log(JSON.stringify({ kills: total, faults: found.length, ...counts }))
  process.exitCode = found.length > 0 ? 1 : 0
} finally {
  server.kill()
  await fake.close?.()
}
process.exit()
