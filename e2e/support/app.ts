/** Every test runs in a profile on disk: the default context keeps IndexedDB in memory and proves nothing. */

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, test as base, chromium, expect, type Page } from '@playwright/test'

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export type Profile = {
  context: BrowserContext
  /** Ends the browser and starts it again on the same profile. Returns a page on `path`. */
  restart(path?: string): Promise<Page>
}

type Options = { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark' }

const launch = (folder: string, options: Options, baseURL: string | undefined) =>
  chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ARGS,
    acceptDownloads: true,
    baseURL,
    reducedMotion: 'reduce',
    ...options,
  })

export const test = base.extend<{ profile: Profile; page: Page; errors: string[] }>({
  profile: async ({ viewport, colorScheme, baseURL }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-profile-'))
    const options: Options = {
      viewport: viewport ?? { width: 1440, height: 900 },
      colorScheme: colorScheme === 'dark' ? 'dark' : 'light',
    }
    const profile: Profile = {
      context: await launch(folder, options, baseURL),
      async restart(path = '/') {
        await profile.context.close()
        profile.context = await launch(folder, options, baseURL)
        const page = profile.context.pages()[0] ?? (await profile.context.newPage())
        await page.goto(path)
        return page
      },
    }
    await use(profile)
    await profile.context.close()
    await rm(folder, { recursive: true, force: true })
  },
  /** Uncaught errors and console errors of the page, checked to be none when the test ends. */
  errors: [
    async ({ page }, use) => {
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(String(error)))
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      await use(errors)
      expect(errors).toEqual([])
    },
    { auto: true },
  ],
  page: async ({ profile }, use) => {
    await use(profile.context.pages()[0] ?? (await profile.context.newPage()))
  },
})

export { expect }

export type LogLine = {
  seq: number
  type: string
  data: Record<string, unknown>
  [key: string]: unknown
}
export type NativeFile = { path: string; text: string; events: LogLine[] }

/** Saves what `click` downloads and reads it as native JSONL. */
export async function downloadLog(page: Page, click: () => Promise<void>): Promise<NativeFile> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  const path = await download.path()
  const text = await readFile(path, 'utf8')
  const events = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine)
    .filter((line) => typeof line.seq === 'number' && typeof line.type === 'string')
  return { path, text, events }
}
