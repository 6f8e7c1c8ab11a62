// npm test: every check there is, then one line that counts them all. CI calls exactly this.
import { buildIfStale, findChromium, installLocked, requireNode, run } from './prepare.mjs'

requireNode()
await installLocked()
const chromium = await findChromium()
const total = { passed: 0, failed: 0, skipped: 0 }
const failures = []

/** A check that passes or fails as a whole. */
async function check(name, command, args) {
  console.log(`\n== ${name}`)
  const started = Date.now()
  const { code } = await run(command, args)
  total[code === 0 ? 'passed' : 'failed']++
  if (code !== 0) failures.push(name)
  console.log(
    `== ${name}: ${code === 0 ? 'ok' : 'FAILED'} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  )
  return code === 0
}

/** A suite that prints `name: N passed, N failed, N skipped` as its closing line. */
async function suite(name, command, args, env) {
  console.log(`\n== ${name}`)
  const { code, output } = await run(command, args, { env })
  const line = [
    ...output.matchAll(new RegExp(`^${name}: (\\d+) passed, (\\d+) failed, (\\d+) skipped$`, 'gm')),
  ].at(-1)
  const [passed, failed, skipped] = line ? line.slice(1).map(Number) : [0, 0, 0]
  total.passed += passed
  // A suite that ends badly without a failed test (a server that did not start, no line) is itself a failure.
  total.failed += code !== 0 && failed === 0 ? 1 : failed
  total.skipped += skipped
  if (code !== 0) failures.push(name)
}

const bin = (path) => [process.execPath, `node_modules/${path}`]
const checkWith = (name, [node, script], ...args) => check(name, node, [script, ...args])

await checkWith(
  'format and lint',
  bin('@biomejs/biome/bin/biome'),
  'ci',
  '--error-on-warnings',
  '.',
)
await checkWith('route types', bin('next/dist/bin/next'), 'typegen')
await checkWith('types', bin('typescript/bin/tsc'), '--noEmit')
await checkWith('types of the domain', bin('typescript/bin/tsc'), '--noEmit', '-p', 'lib/core')
await checkWith('unused code', bin('knip/bin/knip.js'))
await suite('unit', process.execPath, ['node_modules/vitest/vitest.mjs', 'run'])

console.log('\n== build')
const built = (await buildIfStale()) === 0
total[built ? 'passed' : 'failed']++
if (!built) failures.push('build')
if (built) {
  await suite('wire', process.execPath, ['scripts/wire.mjs'])
  await suite(
    'e2e',
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e/playwright.config.ts'],
    { CHROMIUM_PATH: chromium },
  )
}

if (failures.length > 0) console.log(`\nFailed: ${failures.join(', ')}`)
if (total.skipped > 0 && process.env.CI) console.log('\nA skipped test fails CI.')
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(
  total.failed > 0 || failures.length > 0 || (process.env.CI && total.skipped > 0) ? 1 : 0,
)
