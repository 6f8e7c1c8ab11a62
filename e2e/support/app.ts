/** Every test runs in a profile on disk: the default context keeps IndexedDB in memory and proves nothing. */

import { mkdtemp, rm } from 'node:fs/promises'
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

/** Starts the browser on a profile; uncaught errors and console errors of any page go into `errors`. */
async function launch(
  folder: string,
  options: Options,
  baseURL: string | undefined,
  errors: string[],
) {
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ARGS,
    acceptDownloads: true,
    baseURL,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  context.on('weberror', (error) => errors.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  return context
}

export const test = base.extend<{ profile: Profile; page: Page; errors: string[] }>({
  /** Uncaught and console errors of every page, a broken content policy included; none when the test ends. */
  errors: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters by destructuring
    async ({}, use) => {
      const errors: string[] = []
      await use(errors)
      expect(errors).toEqual([])
    },
    { auto: true },
  ],
  profile: async ({ viewport, colorScheme, baseURL, errors }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-profile-'))
    const options: Options = {
      viewport: viewport ?? { width: 1440, height: 900 },
      colorScheme: colorScheme === 'dark' ? 'dark' : 'light',
    }
    const profile: Profile = {
      context: await launch(folder, options, baseURL, errors),
      async restart(path = '/') {
        await profile.context.close()
        profile.context = await launch(folder, options, baseURL, errors)
        const page = profile.context.pages()[0] ?? (await profile.context.newPage())
        await page.goto(path)
        return page
      },
    }
    await use(profile)
    await profile.context.close()
    await rm(folder, { recursive: true, force: true })
  },
  page: async ({ profile }, use) => {
    await use(profile.context.pages()[0] ?? (await profile.context.newPage()))
  },
})

export { expect }
