/** A production server of a test's own, with an environment of its own, and all it ever printed. */

import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const FAKE = `http://127.0.0.1:${process.env.E2E_FAKE_PORT ?? 3312}`

export type OwnServer = {
  port: number
  base: string
  /** Everything on its standard output and error. */
  output(): string
  /** Asks it to end, as an init system does; resolves when it has. */
  stop(): Promise<void>
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

async function waitFor(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${output()}`)
    const up = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (up) return
    await new Promise((go) => setTimeout(go, 150))
  }
  throw new Error(`the server did not start: ${output()}`)
}

export async function startServer(env: Record<string, string>, port?: number): Promise<OwnServer> {
  const own = port ?? (await freePort())
  const child = spawn(
    process.execPath,
    ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(own)],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        ANTHROPIC_BASE_URL: FAKE,
        ANTHROPIC_API_KEY: 'test-key',
        NEXT_TELEMETRY_DISABLED: '1',
        ...env,
      },
    },
  )
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  child.stderr.on('data', (chunk) => {
    printed += chunk
  })
  const base = `http://127.0.0.1:${own}`
  await waitFor(`${base}/api/health`, child, () => printed)
  return {
    port: own,
    base,
    output: () => printed,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null) return resolve()
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

/** What `npm start` says and how it ends, without a server ever beginning. */
export const runStart = (env: Record<string, string>) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, ['scripts/start.mjs'], {
      cwd: ROOT,
      env: { ...process.env, ...env },
    })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.on('exit', (code) => resolve({ code, output }))
  })
