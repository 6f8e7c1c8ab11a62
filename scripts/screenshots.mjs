// npm run screenshots [view…]: pictures of the main views into docs/screenshots, at two sizes in both themes.
// SCREENSHOTS_URL names a running server; without it a build of these sources is made if needed and served.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { buildIfStale, findChromium, installLocked, requireNode, root } from './prepare.mjs'
import { reduceColours } from './screenshots/palette.mjs'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const THEMES = ['light', 'dark']
const FOLDER = join(root, 'docs', 'screenshots')
const only = process.argv.slice(2)

/** Seqs of the sample session's checkpoints, oldest first. */
const [, second, third] = readFileSync(join(root, 'public', 'sample-session.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line.includes('"kind":"checkpoint"'))
  .map((line) => JSON.parse(line).seq)
const later = second + 30

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })

/** A server of the production build, and how to end it. */
async function serve() {
  if (process.env.SCREENSHOTS_URL) return { url: process.env.SCREENSHOTS_URL, end: () => {} }
  requireNode()
  await installLocked()
  if ((await buildIfStale()) !== 0) process.exit(1)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = spawn(
    process.execPath,
    ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(port)],
    { cwd: root, stdio: 'ignore', env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } },
  )
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`${url}/api/health`).catch(() => null)
    if (answer?.ok) return { url, end: () => server.kill() }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  server.kill()
  throw new Error('The server did not start.')
}

const sample = async (page, query = '') => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Open sample' }).click()
  await page.waitForURL(/s=sample-harbor/)
  await page.goto(`/?s=sample-harbor${query}`)
  await page.getByRole('feed', { name: 'Conversation' }).getByRole('article').first().waitFor()
}

/** A panel of the inspector at a moment; narrow screens show it alone. */
const panel = (name, query, ready) => async (page, narrow) => {
  await sample(page, `${query}&panel=${name.toLowerCase()}`)
  if (narrow && ['Strata', 'Surface', 'Request', 'Log'].includes(name))
    await page.getByRole('navigation', { name: 'Views' }).getByText(name).click()
  else if (narrow) await page.keyboard.press(name === 'Compare' ? '5' : '6')
  await ready(page).waitFor()
}

const command = async (page, name) => {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(name)
  await page.getByRole('option', { name }).first().click()
}

/** The offline reader in the middle of its task, just after the first summary. */
async function midTask(page) {
  await page.goto('/')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor()
  await command(page, 'Compact…')
  const preset = page.getByRole('radiogroup', { name: 'Preset' })
  await preset.getByText('Teaching').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  const composer = page.getByRole('textbox', { name: 'Message', exact: true })
  await composer.fill('Read every file in agents/ one after the other')
  await composer.press('Enter')
  const feed = page.getByRole('feed', { name: 'Conversation' })
  await feed.getByRole('region', { name: 'Compacted automatically' }).waitFor({ timeout: 60_000 })
}

const VIEWS = {
  first: async (page) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Open sample' }).waitFor()
  },
  strata: panel('Strata', `&node=${third}`, (page) =>
    page.getByRole('application', { name: /^Strata/ }),
  ),
  surface: panel('Surface', `&at=${later}&node=${second}`, (page) =>
    page.getByRole('option').first(),
  ),
  request: panel('Request', `&at=${later}`, (page) => page.getByText('hash equals what was sent')),
  log: panel('Log', `&at=${later}&node=${second}`, (page) => page.getByText('check: clean')),
  compare: panel('Compare', `&at=${second + 1}&from=${second - 3}`, (page) =>
    page.getByRole('list', { name: 'What changed' }),
  ),
  chat: midTask,
  settings: async (page) => {
    await sample(page)
    await command(page, 'Settings')
    await page.getByRole('tab', { name: 'Compaction' }).click()
  },
  compact: async (page) => {
    await sample(page)
    await command(page, 'Compact…')
    await page.getByRole('dialog', { name: 'Compact this session' }).waitFor()
  },
}

/** Fonts are there and what was asked for is drawn. */
const settled = (page) =>
  page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    await new Promise((done) => requestIdleCallback(done, { timeout: 1000 }))
  })

const server = await serve()
const executablePath = await findChromium()
await mkdir(FOLDER, { recursive: true })
let total = 0
try {
  for (const [name, show] of Object.entries(VIEWS)) {
    if (only.length > 0 && !only.includes(name)) continue
    for (const viewport of SIZES)
      for (const theme of THEMES) {
        const profile = await mkdtemp(join(tmpdir(), 'palimpsest-pictures-'))
        const context = await chromium.launchPersistentContext(profile, {
          executablePath,
          args: ['--no-sandbox', '--disable-gpu'],
          baseURL: server.url,
          colorScheme: theme,
          reducedMotion: 'reduce',
          viewport,
        })
        const page = context.pages()[0] ?? (await context.newPage())
        await show(page, viewport.width < 800)
        await settled(page)
        const png = reduceColours(await page.screenshot())
        const file = `${name}-${theme}-${viewport.width}.png`
        await writeFile(join(FOLDER, file), png)
        await context.close()
        await rm(profile, { recursive: true, force: true })
        total += png.length
        console.log(`${file}  ${(png.length / 1000).toFixed(0)} kB`)
      }
  }
} finally {
  server.end()
}
console.log(`${(total / 1e6).toFixed(2)} MB in docs/screenshots`)
