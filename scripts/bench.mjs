// npm run bench: one JSON line a figure, each beside a baseline of the same run; exits 1 on a miss.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium, installLocked, requireNode, root } from './prepare.mjs'

requireNode()
await installLocked()
const { build, runnerImport } = await import('vite')
const { chromium } = await import('@playwright/test')

async function inBrowser() {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-bench-'))
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      outDir: folder,
      target: 'es2022',
      lib: { entry: join(root, 'scripts/bench/browser.ts'), formats: ['es'], fileName: 'bench' },
    },
  })
  const script = await readFile(join(folder, 'bench.js'))
  const server = createServer((request, response) => {
    const isScript = request.url === '/bench.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript ? script : '<!doctype html><script type="module" src="/bench.js"></script>',
    )
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    await page.waitForFunction('globalThis.bench')
    return await page.evaluate('bench()')
  } finally {
    await context.close()
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const { module } = await runnerImport(join(root, 'scripts/bench/core.ts'), {
  configFile: false,
  root,
})
const figures = [...(await module.run()), ...(await inBrowser())]
for (const figure of figures) console.log(JSON.stringify(figure))
const missed = figures.filter((figure) => !figure.ok)
if (missed.length > 0) console.error(`Missed: ${missed.map((figure) => figure.name).join('; ')}`)
process.exit(missed.length > 0 ? 1 : 0)
