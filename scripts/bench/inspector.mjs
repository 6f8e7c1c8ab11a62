// Benches of the screen: the production build in Chromium, on sessions generated there, beside an empty page.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { root } from '../prepare.mjs'

const SIZES = [1_000, 10_000, 100_000]
const LARGE = 100_000
const BLANK = '/__bench'

const freePort = () =>
  new Promise((ready) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => ready(port))
    })
  })

async function startApp() {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const next = join(root, 'node_modules/next/dist/bin/next')
  const child = spawn(process.execPath, [next, 'start', '-H', '127.0.0.1', '-p', String(port)], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: 'ignore',
  })
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await fetch(`${base}/api/health`).catch(() => null)
    if (answer?.ok) return { base, stop: () => child.kill() }
    await new Promise((again) => setTimeout(again, 100))
  }
  child.kill()
  throw new Error('the built app did not start; run npm run build')
}

/** Runs in the page: opens a session by a click and answers the milliseconds until all of it is seen. */
async function openIn({ id, events }) {
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  const row = () => document.querySelector(`[data-session="${id}"]`)
  while (!row()) await frame()
  for (let i = 0; i < 5; i += 1) await frame()
  const last = String(events - 1)
  const seen = () => {
    const strata = document.querySelector('[data-testid="strata"]')
    const time = document.querySelector('[data-testid="time-bar"]')
    const rows = document.querySelectorAll('[role="feed"] > article')
    const newest = rows[rows.length - 1]
    return (
      strata?.dataset.at === last &&
      strata.querySelector('canvas')?.dataset.drawn !== undefined &&
      time?.dataset.moment === last &&
      time.querySelector('canvas')?.dataset.drawn !== undefined &&
      newest?.getAttribute('aria-posinset') === newest?.getAttribute('aria-setsize') &&
      newest !== undefined &&
      document.querySelector('[role="feed"] .animate-dot') === null
    )
  }
  const start = performance.now()
  row().click()
  while (!seen()) {
    if (performance.now() - start > 60_000) throw new Error(`session ${id} was never seen whole`)
    await frame()
  }
  return performance.now() - start
}

/** Runs in the page: notes every frame and long task until asked for them. */
function record() {
  const notes = { frames: [], long: [], on: true }
  globalThis.notes = notes
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) notes.long.push(entry.duration)
  })
  observer.observe({ entryTypes: ['longtask'] })
  let before = performance.now()
  const tick = (now) => {
    notes.frames.push(now - before)
    before = now
    if (notes.on) requestAnimationFrame(tick)
    else observer.disconnect()
  }
  requestAnimationFrame(tick)
}

const at = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]

async function recording(page, work) {
  await page.evaluate(record)
  await work()
  const { frames, long } = await page.evaluate(() => {
    globalThis.notes.on = false
    return globalThis.notes
  })
  return { p95: at(frames.slice(2), 0.95), longest: Math.max(0, ...long), frames: frames.length }
}

/** Drags from the right end of a box to its left end and back. */
async function drag(page, box) {
  const y = box.y + box.height / 2
  const x = (share) => box.x + 2 + share * (box.width - 4)
  await page.mouse.move(x(1), y)
  await page.mouse.down()
  for (let i = 1; i <= 120; i += 1) await page.mouse.move(x(1 - i / 120), y)
  for (let i = 1; i <= 60; i += 1) await page.mouse.move(x(i / 60), y)
  await page.mouse.up()
}

/** Zooms in at the middle of a box, pans, and zooms out again. */
async function zoomAndPan(page, box) {
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  for (let i = 0; i < 40; i += 1) await page.mouse.wheel(0, -60)
  for (let i = 0; i < 60; i += 1) await page.mouse.wheel(i < 30 ? 40 : -40, 0)
  for (let i = 0; i < 40; i += 1) await page.mouse.wheel(0, 60)
}

async function heapOf(session) {
  for (let i = 0; i < 2; i += 1) await session.send('HeapProfiler.collectGarbage')
  const { usedSize, backingStorageSize = 0 } = await session.send('Runtime.getHeapUsage')
  return usedSize + backingStorageSize
}

async function closed(page) {
  await page.goBack()
  await page.waitForFunction(() => !document.querySelector('[data-testid="strata"]'))
}

/** Milliseconds a pointer rests on a session before it is clicked, where it does. */
const REST_MS = 1_000

/** Moves the pointer to a session of the list, as a hand does before it clicks, or away from all of them. */
async function point(page, id) {
  if (!id) return page.mouse.move(2, 2)
  await page.locator(`[data-session="${id}"]`).hover()
  await page.waitForTimeout(REST_MS)
}

async function measureSession(page, prepared, measured) {
  const { id, events } = prepared
  const client = await page.context().newCDPSession(page)
  const before = await heapOf(client)
  const opens = []
  const rested = []
  let held = 0
  await point(page, null)
  for (let run = 0; run < 3; run += 1) {
    opens.push(await page.evaluate(openIn, { id, events }))
    if (run === 0) held = await heapOf(client)
    await closed(page)
  }
  await page.waitForTimeout(1_500)
  measured.left = (await heapOf(client)) - before
  measured.held = held - before
  measured.open = at(opens, 0.5)
  for (let run = 0; run < 3; run += 1) {
    await point(page, id)
    rested.push(await page.evaluate(openIn, { id, events }))
    await closed(page)
    await point(page, null)
  }
  measured.rested = at(rested, 0.5)
  await page.evaluate(openIn, { id, events })
  const slider = await page.getByTestId('time-bar').locator('canvas').boundingBox()
  const strata = await page.getByTestId('strata').boundingBox()
  const timeline = { ...slider, width: slider.width - 46, height: slider.height - 20 }
  measured.drag = await recording(page, () => drag(page, timeline))
  measured.elements = await page.evaluate(() => document.querySelectorAll('*').length)
  await page.keyboard.press('l')
  await page.waitForTimeout(400)
  measured.zoom = await recording(page, () => zoomAndPan(page, strata))
  await closed(page)
  return { timeline, strata }
}

/** Everything measured, by size of session, and the empty page's own. */
async function measure(context, base, script) {
  await context.route(`**${BLANK}*`, (route) =>
    route.request().url().endsWith('.js')
      ? route.fulfill({ contentType: 'text/javascript', body: script })
      : route.fulfill({
          contentType: 'text/html',
          body: `<!doctype html><script type="module" src="${BLANK}.js"></script>`,
        }),
  )
  const ask = (page, name, size) =>
    page.evaluate(([call, n]) => globalThis.inspectorBench[call](n), [name, size])
  const openBlank = async () => {
    const page = await context.newPage()
    await page.goto(`${base}${BLANK}`)
    await page.waitForFunction('globalThis.inspectorBench')
    return page
  }
  const results = {}
  const blank = await openBlank()
  for (const size of SIZES) results[size] = { prepared: await ask(blank, 'prepare', size) }
  for (const size of SIZES) results[size].reading = await ask(blank, 'reading', size)
  await blank.close()

  const page = await context.newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(base)
  let boxes
  for (const size of SIZES)
    boxes = await measureSession(page, results[size].prepared, results[size])
  await page.close()

  const empty = await openBlank()
  await empty.setViewportSize({ width: 1440, height: 900 })
  results.empty = {
    drag: await recording(empty, () => drag(empty, boxes.timeline)),
    zoom: await recording(empty, () => zoomAndPan(empty, boxes.strata)),
  }
  for (const size of SIZES) {
    results[size].surfaces = await ask(empty, 'surfaces', size)
    results[size].layouts = await ask(empty, 'layouts', size)
  }
  await empty.close()
  return results
}

/** Coarse clocks and a busy machine: so much above a line is still the line. */
const SLACK = 1.25

function figuresOf(results, figure) {
  const large = results[LARGE]
  const middle = results[LARGE / 10]
  const { empty } = results
  const { reading, surfaces, layouts, prepared } = large
  const kilo = (bytes) => bytes / 1024
  const grown = (name, of, unit) =>
    figure(`${name}, 100k beside ten times 10k`, of(large), of(middle) * 10, SLACK, unit)
  return [
    figure('open 100k: click to whole view, beside raw getAll', large.open, reading.plain, 0.1),
    figure('the same where the pointer rested on it before', large.rested, reading.plain, 0.1),
    figure('read all bodies of 100k, beside raw getAll', reading.bodies, reading.plain, 0.4),
    figure('a view of surfaceAt at 100k, p95, beside 4 ms', surfaces.p95, 4, 1),
    figure('surfaceAt at 100k, beside foldSurface', surfaces.mean, surfaces.fold, 1 / 20),
    figure(
      'surfaceAt at 100k, beside log growth from 10k',
      surfaces.mean,
      (middle.surfaces.mean * Math.log(LARGE)) / Math.log(LARGE / 10),
      SLACK,
    ),
    figure(
      'layout of 100k events, beside a pass and 1 µs a node',
      layouts.layout,
      layouts.pass + layouts.nodes / 1000,
      1,
    ),
    figure('drag over 100k, frame p95 beside an empty page', large.drag.p95, empty.drag.p95, 1.5),
    figure(
      'drag over 100k, longest task beside 50 ms or the empty page’s',
      large.drag.longest,
      Math.max(50, empty.drag.longest),
      1,
    ),
    figure(
      'zoom and pan 100k, frame p95 beside an empty page',
      large.zoom.p95,
      empty.zoom.p95,
      1.5,
    ),
    figure(
      'zoom and pan 100k, longest task beside 50 ms or the empty page’s',
      large.zoom.longest,
      Math.max(50, empty.zoom.longest),
      1,
    ),
    figure('elements in the page at 100k, beside 3,000', large.elements, 3_000, 1, 'elements'),
    figure(
      'heap of 100k open, beside heads as JSON',
      kilo(large.held),
      kilo(prepared.headsJson),
      3,
      'KiB',
    ),
    figure(
      'heap left by 100k closed, beside heads as JSON',
      kilo(large.left),
      kilo(prepared.headsJson),
      0.2,
      'KiB',
    ),
    grown('open', (one) => one.open, 'ms'),
    grown('drag frame p95', (one) => one.drag.p95, 'ms'),
    grown('layout', (one) => one.layouts.layout, 'ms'),
    grown('heap', (one) => kilo(one.held), 'KiB'),
    grown('read all bodies', (one) => one.reading.bodies, 'ms'),
  ]
}

/** Needs a build; `figure` is that of figures.ts. */
export async function inspectorFigures(context, script, figure) {
  const app = await startApp()
  try {
    const results = await measure(context, app.base, script)
    if (process.env.BENCH_RAW) console.error(JSON.stringify(results, null, 1))
    return figuresOf(results, figure)
  } finally {
    app.stop()
  }
}
