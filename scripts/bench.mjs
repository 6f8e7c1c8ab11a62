// npm run bench [-- core facts cache storage export import load screen]: one JSON line a figure, each beside a baseline of the same run;
// exits 1 on a miss. Without names, all parts.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importFigures } from './bench/import.mjs'
import { inspectorFigures } from './bench/inspector.mjs'
import { loadFigures } from './bench/load.mjs'
import { buildIfStale, findChromium, installLocked, requireNode, root } from './prepare.mjs'

requireNode()
await installLocked()
const { build, runnerImport } = await import('vite')
const { chromium } = await import('@playwright/test')

const asked = process.argv.slice(2)
const wants = (part) => asked.length === 0 || asked.includes(part)

// What only Next knows is empty here.
const STUBS = { 'server-only': join(root, 'scripts/server-only-stub.mjs') }
const load = async (path) =>
  (await runnerImport(join(root, path), { configFile: false, root, resolve: { alias: STUBS } }))
    .module

/** The benches that run in a page, as one script. */
async function bundle(folder, name) {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      outDir: folder,
      target: 'es2022',
      lib: { entry: join(root, `scripts/bench/${name}.ts`), formats: ['es'], fileName: 'bench' },
    },
  })
  return readFile(join(folder, 'bench.js'))
}

async function inChromium(work, name = 'browser') {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-bench-'))
  const script = await bundle(folder, name)
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: await findChromium(),
    // What is held is measured without what other benches left to be cleared away.
    args: ['--no-sandbox', '--disable-gpu', '--js-flags=--expose-gc'],
  })
  try {
    return await work(context, script)
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a function of the script answers, in a page that is nothing but the script. */
const askPage = (name) => async (context, script) => {
  const server = createServer((request, response) => {
    const isScript = request.url === '/bench.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript ? script : '<!doctype html><script type="module" src="/bench.js"></script>',
    )
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  try {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    await page.waitForFunction(`globalThis.${name}`)
    return await page.evaluate(`${name}()`)
  } finally {
    server.close()
  }
}

const { figure } = await load('scripts/bench/figures.ts')
const figures = []
const tell = (more) => {
  for (const one of more) console.log(JSON.stringify(one))
  figures.push(...more)
}
if (wants('core')) tell(await (await load('scripts/bench/core.ts')).run())
if (wants('facts')) tell(await (await load('scripts/bench/facts.ts')).run())
if (wants('cache')) tell(await (await load('scripts/bench/cache.ts')).run())
if (wants('storage')) tell(await inChromium(askPage('bench')))
if (wants('export')) tell(await inChromium(askPage('exportBench'), 'export-page'))
if (wants('import')) tell(await inChromium(askPage('importBench'), 'import-page'))
const needsApp = wants('import') || wants('load') || wants('screen')
if (needsApp && (await buildIfStale()) !== 0) process.exit(1)
if (wants('import')) {
  const logs = await load('scripts/bench/import-logs.ts')
  tell(await inChromium((context) => importFigures(context, figure, logs)))
}
if (wants('load')) tell(await loadFigures(figure))
if (wants('screen')) {
  tell(await inChromium((context, script) => inspectorFigures(context, script, figure)))
}
const missed = figures.filter((one) => !one.ok)
if (missed.length > 0) console.error(`Missed: ${missed.map((one) => one.name).join('; ')}`)
process.exit(missed.length > 0 ? 1 : 0)
