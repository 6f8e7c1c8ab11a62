// npm start: install if needed, build if needed, serve. Needs nothing but Node and npm.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { buildIfStale, installLocked, requireNode, root } from './prepare.mjs'

requireNode()
const host = process.env.HOST || '127.0.0.1'
const port = Number(process.env.PORT || 3210)
if (!Number.isInteger(port) || port < 1 || port > 65535) {
  console.error(`PORT must be a number from 1 to 65535, not "${process.env.PORT}".`)
  process.exit(1)
}
await new Promise((free) => {
  const probe = createServer()
  probe.once('error', (error) => {
    console.error(
      error.code === 'EADDRINUSE'
        ? `Port ${port} is in use. Is Palimpsest running already? Else choose another: PORT=3211 npm start`
        : `Cannot listen on ${host}:${port}: ${error.message}`,
    )
    process.exit(1)
  })
  probe.listen(port, host, () => probe.close(free))
})

await installLocked()
if ((await buildIfStale()) !== 0) {
  console.error('The build failed; see above.')
  process.exit(1)
}

const local = ['127.0.0.1', 'localhost', '::1'].includes(host)
if (!local) {
  console.warn(
    `Warning: listening on ${host}. Whoever can reach this port can use the key this server holds.`,
  )
}
const server = spawn(
  process.execPath,
  ['node_modules/next/dist/bin/next', 'start', '-H', host, '-p', String(port)],
  {
    cwd: root,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
server.stdout.on('data', (chunk) => {
  if (String(chunk).includes('Ready'))
    console.log(`Palimpsest is on http://${host.includes(':') ? `[${host}]` : host}:${port}`)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => process.exit(code ?? 0))
