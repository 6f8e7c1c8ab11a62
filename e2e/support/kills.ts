/** Kills Chromium, the process, while it works, and looks at what is left. For `npm run kills` and e2e. */

import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { build } from 'vite'

export type Seen = {
  id: string
  length: number
  damage: number
  violations: string[]
  /** A turn or a bracket that nothing closed. */
  open: boolean
  /** Of the events before `upTo`, which the caller saw before. */
  prefix: number
}

export type Look = {
  seen: Seen[]
  damaged: { id: string; reason: string }[]
  orphans: string[]
  /** Databases of the first version that did not come through their upgrade, or their restore. */
  upgrades: { id: string; reason: string }[]
}

const ARGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
  '--window-size=1440,900',
]

/** The script of scripts/kills/page.ts, as text for `evaluate`: the app's policy lets no other script in. */
async function bundle(root: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-kills-'))
  const entry = join(root, 'scripts/kills/page.ts')
  const lib = { entry, formats: ['iife' as const], name: 'killsPage', fileName: () => 'page.js' }
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: { outDir: folder, target: 'es2022', lib },
  })
  const script = await readFile(join(folder, 'page.js'), 'utf8')
  await rm(folder, { recursive: true, force: true })
  return script
}

/** A browser whose process is ours to kill, with one page. */
async function launch(
  profile: string,
  executable: string,
  acknowledge: (id: string, length: number) => void,
) {
  const child = spawn(executable, [...ARGS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: some systems start the browser from a script, and both must die.
    detached: true,
  })
  const gone = new Promise((done) => child.once('exit', done))
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
      const found = /DevTools listening on (ws:\S+)/.exec(said)
      if (found?.[1]) resolve(found[1])
    })
    child.once('exit', () => reject(new Error(`Chromium did not start: ${said.slice(-400)}`)))
  })
  const browser = await chromium.connectOverCDP(address)
  const context = browser.contexts()[0] as BrowserContext
  await context.exposeFunction('acknowledge', acknowledge)
  await context.addInitScript(() => {
    // The app tells other tabs of each commit once it is durable: what was told may not be lost.
    new BroadcastChannel('palimpsest').onmessage = ({ data }) => {
      const { acknowledge: tell } = globalThis as unknown as {
        acknowledge(id: string, length: number): void
      }
      if (data.type === 'grown') tell(data.sessionId, data.length)
    }
  })
  const page = context.pages()[0] ?? (await context.newPage())
  page.setDefaultTimeout(30_000)
  return {
    page,
    async kill() {
      process.kill(-(child.pid as number), 'SIGKILL')
      await gone
      await browser.close().catch(() => {})
    },
  }
}

const composer = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const SLOW = '[[delay: 15]] [[long: 200]]'

async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}
const ready = (page: Page) =>
  page.getByTestId('live-status').getByText('Ready', { exact: true }).waitFor({ state: 'attached' })

/** Long enough twice over that the older turn is worth a summary. */
async function compact(page: Page, options: string): Promise<void> {
  for (const turn of ['one', 'two']) {
    await say(page, `${turn} [[long: 900]] ${options}`)
    await page
      .getByTitle('Stop (Esc)')
      .waitFor({ timeout: 3000 })
      .catch(() => {})
    await ready(page)
  }
  await page.getByRole('button', { name: 'Compact…' }).click()
  await page.getByRole('button', { name: 'Compact now' }).click()
}

type Scene = {
  /** How long after it began the kill may come, in ms. */
  wait: number
  /** In the app, as a person would; `fresh` needs a session of its own. */
  begin?(page: Page): Promise<void>
  fresh?: true
  /** Or a function of scripts/kills/page.ts. */
  inside?: string
}

/** Each brings the browser into the middle of something. */
const SCENES: Record<string, Scene> = {
  streaming: { wait: 2500, begin: (page: Page) => say(page, `say much ${SLOW}`) },
  tools: {
    wait: 2500,
    begin: (page: Page) =>
      say(
        page,
        'work [[call: read_file {"path":"README.md"}]] [[call: list_files {"path":"."}]] [[then]] [[call: write_file {"path":"new.txt","content":"new"}]] [[then]] [[reply: done]]',
      ),
  },
  compaction: { wait: 2500, begin: (page: Page) => compact(page, '[[summary: delay 10]]') },
  restore: {
    wait: 600,
    async begin(page) {
      await compact(page, '')
      await page.getByRole('button', { name: 'Restore', exact: true }).last().click()
      await page.getByRole('button', { name: 'Put it back' }).click()
    },
  },
  delete: {
    wait: 400,
    fresh: true,
    async begin(page) {
      await page.locator('[data-session][aria-current]').focus()
      await page.keyboard.press('Delete')
    },
  },
  sealing: { wait: 2500, inside: 'grow' },
  import: { wait: 3000, inside: 'bring' },
  purge: { wait: 2500, inside: 'remove' },
  upgrade: { wait: 2500, inside: 'upgrade' },
  'restore a backup': { wait: 4000, inside: 'replace' },
}

/** The choice is in the log from the first step on; killed before that, it is made again. */
async function chooseModel(page: Page): Promise<void> {
  const chosen = page.getByRole('button', { name: /^Model: Claude Sonnet 5.5/ })
  if ((await chosen.count()) > 0) return
  await page.getByRole('button', { name: /^Model: / }).click()
  await page.getByRole('menuitemcheckbox', { name: /^Claude Sonnet 5.5\b/ }).click()
  await chosen.waitFor()
}

async function startChat(page: Page, baseURL: string): Promise<string> {
  await page.goto(baseURL)
  const first = page.getByRole('button', { name: 'Start', exact: true })
  await first.waitFor()
  await first.click()
  await composer(page).waitFor()
  return new URL(page.url()).searchParams.get('s') ?? ''
}

/** What is wrong with what was found, in words; nothing when all is well. */
type Prefix = { length: number; prefix: number }

function faults(
  look: Look,
  acknowledged: ReadonlyMap<string, number>,
  prefixes: ReadonlyMap<string, Prefix>,
  opened: string | null,
): string[] {
  const wrong: string[] = []
  for (const { id, reason } of look.upgrades) wrong.push(`database ${id}: ${reason}`)
  if (look.orphans.length > 0) wrong.push(`rows without a session: ${look.orphans.join(', ')}`)
  for (const row of look.damaged) wrong.push(`damaged row ${row.id}: ${row.reason}`)
  for (const seen of look.seen) {
    const { id, length, damage, violations, open, prefix } = seen
    const told = acknowledged.get(id) ?? 0
    if (length < told) wrong.push(`${id} has ${length} events of ${told} acknowledged`)
    if (damage > 0) wrong.push(`${id} is damaged in ${damage} places`)
    if (violations.length > 0) wrong.push(`${id} breaks ${violations.slice(0, 3).join('; ')}`)
    if (id === opened && open) wrong.push(`${id} was opened and something in it is still open`)
    const before = prefixes.get(id)
    if (before && prefix !== before.prefix)
      wrong.push(`${id} changed before event ${before.length}`)
  }
  return wrong
}

export type KillOptions = {
  baseURL: string
  root: string
  executable: string
  count: number
  random(): number
  report?(kill: { round: number; name: string; wrong: string[] }): void
}

/**
 * Runs `count` kills over the scenes in turn, on one profile. Answers how often each scene was killed and
 * every fault found. `random` gives numbers in [0, 1).
 */
export async function runKills({
  baseURL,
  root,
  executable,
  count,
  random,
  report = () => {},
}: KillOptions): Promise<{ counts: Record<string, number>; found: string[] }> {
  const profile = await mkdtemp(join(tmpdir(), 'palimpsest-killed-'))
  const script = await bundle(root)
  const acknowledged = new Map<string, number>()
  const acknowledge = (id: string, length: number) => {
    acknowledged.set(id, Math.max(length, acknowledged.get(id) ?? 0))
  }
  const names = Object.keys(SCENES)
  const counts: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]))
  const found: string[] = []
  const prefixes = new Map<string, Prefix>()
  const look = (page: Page, known: Record<string, number>) =>
    page.evaluate((lengths) => {
      const { kills } = globalThis as unknown as {
        kills: { look(lengths: Record<string, number>): Promise<Look> }
      }
      return kills.look(lengths)
    }, known)
  const home = async (page: Page) => {
    await page.goto(baseURL)
    await page.getByRole('button', { name: 'New session' }).first().waitFor()
  }

  let chat: string | null = null
  let running = await launch(profile, executable, acknowledge)

  const begin = async (scene: Scene, round: number) => {
    const { page } = running
    if (scene.inside) {
      await home(page)
      await page.evaluate(script)
      const call = `kills.${scene.inside}(${JSON.stringify(`kill-${round}`)})`
      void page.evaluate(call).catch(() => {})
      return
    }
    if (!chat || scene.fresh) chat = await startChat(page, baseURL)
    else if (!page.url().includes(chat)) await page.goto(`${baseURL}/?s=${chat}`)
    await composer(page).waitFor()
    await ready(page)
    await chooseModel(page)
    await scene.begin?.(page)
  }

  /** Opens the app again and looks at every session; what is swept after the first paint may take a moment. */
  const inspect = async (opened: string | null): Promise<string[]> => {
    const { page } = running
    if (opened) {
      await page.goto(`${baseURL}/?s=${opened}`)
      await composer(page).waitFor()
      await ready(page)
    } else await home(page)
    await page.evaluate(script)
    const known = Object.fromEntries([...prefixes].map(([id, { length }]) => [id, length]))
    let wrong: string[] = []
    for (let tries = 0; tries < 10; tries++) {
      const seen = await look(page, known)
      wrong = faults(seen, acknowledged, prefixes, opened)
      if (wrong.length === 0) {
        const now = Object.fromEntries(seen.seen.map(({ id, length }) => [id, length]))
        for (const { id, prefix } of (await look(page, now)).seen)
          prefixes.set(id, { length: now[id] ?? 0, prefix })
        return []
      }
      await new Promise((done) => setTimeout(done, 300))
    }
    return wrong
  }

  try {
    for (let round = 0; round < count; round++) {
      const name = names[round % names.length] as string
      const scene = SCENES[name] as Scene
      await begin(scene, round)
      await new Promise((done) => setTimeout(done, random() * scene.wait))
      await running.kill()
      counts[name] = (counts[name] ?? 0) + 1
      running = await launch(profile, executable, acknowledge)
      // Killed before anything of it was acknowledged, a session may rightly not exist.
      if (chat && !acknowledged.has(chat)) chat = null
      const wrong = await inspect(scene.inside || scene.fresh ? null : chat)
      found.push(...wrong.map((fault) => `kill ${round + 1} (${name}): ${fault}`))
      report({ round, name, wrong })
      if (scene.fresh) chat = null
    }
  } catch (error) {
    const screen = await running.page
      .locator('body')
      .textContent()
      .catch(() => '')
    const said = error instanceof Error ? error.message : String(error)
    throw new Error(`${said}\nThe screen said: ${screen?.slice(0, 800)}`, { cause: error })
  } finally {
    await running.kill()
    await rm(profile, { recursive: true, force: true })
  }
  return { counts, found }
}
