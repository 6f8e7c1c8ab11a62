// npm start: install if needed, build if needed, serve. Needs nothing but Node and npm.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { isLoopbackHost, listenHost } from './host.mjs'
import { buildIfStale, installLocked, requireNode, root } from './prepare.mjs'

requireNode()
const host = listenHost(process.env.HOST)
const port = Number(process.env.PORT || 3210)
if (!Number.isInteger(port) || port < 1 || port > 65535) {
  console.error(`PORT must be a number from 1 to 65535, not "${process.env.PORT}".`)
  process.exit(1)
}
const local = isLoopbackHost(host)
const token = process.env.PALIMPSEST_ACCESS_TOKEN?.trim() ?? ''
if (token !== '' && token.length < 16) {
  console.error('PALIMPSEST_ACCESS_TOKEN must be at least 16 characters long.')
  process.exit(1)
}
if (!local && token === '') {
  console.error(
    `HOST=${host} lets other machines reach this server, and with it the key it holds. It starts there only with
an access token, which every browser is asked for once:

  PALIMPSEST_ACCESS_TOKEN=$(openssl rand -hex 24) HOST=${host} npm start

Put HTTPS in front of it as well (a reverse proxy that passes Host on and sets X-Forwarded-Proto): at an address
that is not secure, browsers have neither locks nor hashing, and the app opens nothing there. List the name it is
reached by in PALIMPSEST_ALLOWED_HOSTS. For this machine alone, leave HOST out.`,
  )
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

const server = spawn(
  process.execPath,
  ['node_modules/next/dist/bin/next', 'start', '-H', host, '-p', String(port)],
  {
    cwd: root,
    env: { ...process.env, HOST: host, NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
createInterface({ input: server.stdout }).on('line', (line) => {
  // The log of calls is JSON, a line each; what else Next says is not for here.
  if (line.startsWith('{"time"')) console.log(line)
  else if (line.includes('Ready'))
    console.log(
      `Palimpsest is on http://${host.includes(':') ? `[${host}]` : host}:${port}${local ? '' : ', for browsers that show the access token. Put HTTPS in front of it.'}`,
    )
})
let isAskedToEnd = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    isAskedToEnd = true
    server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
  })
// After its last line was read. Ended when asked to is no failure; killed by somebody else (too little memory) is.
server.on('close', (code) => process.exit(isAskedToEnd ? 0 : (code ?? 1)))
