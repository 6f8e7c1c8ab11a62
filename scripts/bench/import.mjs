// Benches of the import in the built app: what a large log does to the page that brings it in, beside one that is idle.
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, launch, residentOf } from './load.mjs'

const LOG_MB = 100
const LINE_MB = 20

/** Resident megabytes of all renderers of a browser: the page's own memory and its workers'. */
async function renderersOf(browser) {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo')
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => residentOf(id))
  return sizes.reduce((sum, size) => sum + (Number.isNaN(size) ? 0 : size), 0)
}

/** Runs in the page: notes long tasks, and when the import last said how far it is. */
function watchTasks() {
  globalThis.tasks = []
  globalThis.told = 0
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      globalThis.tasks.push({ startTime, duration })
  }).observe({ entryTypes: ['longtask'] })
  new MutationObserver(() => {
    if (document.querySelector('[role="progressbar"]')) globalThis.told = performance.now()
  }).observe(document.body, { subtree: true, childList: true, attributes: true })
}

/** Milliseconds of the longest task so far; `importing`: only while one ran, not what opens its session then. */
const longest = (page, importing) =>
  page.evaluate((isImport) => {
    const end = isImport ? globalThis.told : Number.POSITIVE_INFINITY
    const tasks = globalThis.tasks.splice(0).filter(({ startTime }) => startTime < end)
    return Math.max(0, ...tasks.map(({ duration }) => duration))
  }, importing)

const writeLog = (path, pieces) =>
  new Promise((resolve, reject) => {
    const sink = createWriteStream(path)
    sink.on('finish', resolve).on('error', reject)
    for (const piece of pieces) sink.write(piece)
    sink.end()
  })

/** Brings in a file by the chooser; answers the most memory the page took meanwhile, once its report is shown. */
async function bringIn(page, browser, path) {
  let most = await renderersOf(browser)
  let on = true
  const watching = (async () => {
    while (on) {
      most = Math.max(most, await renderersOf(browser))
      await new Promise((again) => setTimeout(again, 50))
    }
  })()
  await page.getByRole('button', { name: 'Import' }).first().click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Choose files…' }).click()
  await (await chooser).setFiles(path)
  const report = page.getByRole('dialog', { name: 'Import report' })
  await report.waitFor({ timeout: 300_000 })
  on = false
  await watching
  const words = await report.textContent()
  await report.getByRole('button', { name: 'Close' }).last().click()
  return { most, words }
}

const IDLE_MS = 4_000

/** `logs` is scripts/bench/import-logs.ts. */
export async function importFigures(context, figure, logs) {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const next = 'node_modules/next/dist/bin/next'
  const args = [next, 'start', '-H', '127.0.0.1', '-p', String(port)]
  const app = await launch(args, { NODE_ENV: 'production' }, `${base}/api/health`)
  const path = join(tmpdir(), `palimpsest-bench-${process.pid}.jsonl`)
  const lined = join(tmpdir(), `palimpsest-bench-${process.pid}-line.jsonl`)
  try {
    const page = await context.newPage()
    const browser = await context.browser().newBrowserCDPSession()
    await page.goto(base)
    await page.getByRole('button', { name: 'Import' }).first().waitFor()
    await writeLog(path, logs.generateLog('claude-code', LOG_MB << 20))
    await writeLog(lined, logs.generateLongLine(LINE_MB << 20))
    // A first import loads what any import needs.
    await writeLog(`${path}.first`, logs.generateLog('codex', 1 << 20))
    await bringIn(page, browser, `${path}.first`)
    await page.evaluate(watchTasks)
    await page.waitForTimeout(IDLE_MS)
    const idle = await longest(page, false)
    const before = await renderersOf(browser)
    const whole = await bringIn(page, browser, path)
    if (!/records? read/.test(whole.words)) throw new Error(`not imported: ${whole.words}`)
    const held = await longest(page, true)
    const beforeLine = await renderersOf(browser)
    const line = await bringIn(page, browser, lined)
    const grows = (most, from) => Math.max(1, most - from)
    return [
      figure(
        `import: memory the page grows by with a log of ${LOG_MB} MB, beside 150 MB`,
        grows(whole.most, before),
        150,
        1,
        'MB',
      ),
      figure(
        `import: the same with one line of ${LINE_MB} MB, beside 150 MB and six such lines`,
        grows(line.most, beforeLine),
        150 + 6 * LINE_MB,
        1,
        'MB',
      ),
      figure(
        'import: longest task of the window meanwhile, beside 50 ms and an idle page’s',
        Math.max(1, held),
        50 + idle,
        1,
      ),
    ]
  } finally {
    app.kill()
    for (const one of [path, lined, `${path}.first`]) await rm(one, { force: true })
  }
}
