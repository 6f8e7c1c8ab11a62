// What start, test and bench need before they begin: the locked packages, a current build, a browser.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const QUIET = {
  NO_COLOR: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
}

/** Runs a command in the project, its output shown and also returned. Resolves with {code, output}. */
export function run(command, args, { env = {}, quiet = false } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...QUIET, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const take = (sink) => (chunk) => {
      output += chunk
      if (!quiet) sink.write(chunk)
    }
    child.stdout.on('data', take(process.stdout))
    child.stderr.on('data', take(process.stderr))
    child.on('error', (error) => done({ code: 1, output: `${output}\n${error.message}` }))
    child.on('close', (code) => done({ code: code ?? 1, output }))
  })
}

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`Palimpsest needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

function hashFiles(paths) {
  const hash = createHash('sha256')
  const visit = (path) => {
    if (statSync(path).isDirectory())
      for (const name of readdirSync(path).sort()) visit(join(path, name))
    else hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  }
  for (const path of paths.map((path) => join(root, path))) if (existsSync(path)) visit(path)
  return hash.digest('hex')
}

const holds = (stamp, value) => existsSync(stamp) && readFileSync(stamp, 'utf8') === value

/** Installs exactly the locked packages unless they are there already. */
export async function installLocked() {
  const stamp = join(root, 'node_modules', '.palimpsest-lock')
  const wanted = hashFiles(['package-lock.json'])
  if (holds(stamp, wanted)) return
  console.log('Installing the locked packages…')
  const { code } = await run('npm', ['ci', '--no-audit', '--no-fund'])
  if (code !== 0) {
    console.error('npm ci failed; see above.')
    process.exit(1)
  }
  writeFileSync(stamp, wanted)
}

const SOURCES = [
  'app',
  'components',
  'lib',
  'public',
  'next.config.ts',
  'postcss.config.mjs',
  'proxy.ts',
  'tsconfig.json',
  'package-lock.json',
]

/** Builds for production unless the build is of these very sources. Resolves with the exit code. */
export async function buildIfStale() {
  const stamp = join(root, '.next', 'palimpsest-build')
  const wanted = hashFiles(SOURCES)
  if (holds(stamp, wanted)) return 0
  console.log('Building…')
  // Vite, which some commands load first, leaves its own word there.
  const env = { NODE_ENV: 'production' }
  const { code } = await run(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    env,
  })
  if (code === 0) writeFileSync(stamp, wanted)
  return code
}

/** Path of a Chromium: CHROMIUM_PATH, the system's, Playwright's own; on Debian as root it is installed. */
export async function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (existsSync(named)) return named
    console.error(`CHROMIUM_PATH names ${named}, which does not exist.`)
    process.exit(1)
  }
  const system = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
    (name) => `/usr/bin/${name}`,
  )
  const own = async () => {
    const { chromium } = await import(
      pathToFileURL(join(root, 'node_modules/@playwright/test/index.mjs')).href
    )
    return chromium.executablePath()
  }
  const look = async () =>
    [...system, await own(), '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'].find(
      (path) => path && existsSync(path),
    )
  const found = await look()
  if (found) return found
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    console.log('Installing Debian’s Chromium…')
    execFileSync(
      'bash',
      [
        '-c',
        'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium-headless-shell',
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const installed = await look()
    if (installed) return installed
  }
  console.error(
    'No Chromium found. Install one (Debian: apt-get install chromium; elsewhere: npx playwright install chromium) or set CHROMIUM_PATH.',
  )
  process.exit(1)
}
