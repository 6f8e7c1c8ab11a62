/** A session of twenty thousand events: what is read, drawn and kept in the page stays small. */

import type { Locator, Page } from '@playwright/test'
import { generateSession } from '../scripts/bench/session'
import { expect, test } from './support/app'
import { openDrawn } from './support/inspector-logs'
import type { Event } from './support/log'
import { openPanel, type Panel, playhead } from './support/workbench'

const PANELS: Panel[] = ['Strata', 'Surface', 'Request', 'Log', 'Compare', 'Files']
const MOST = 3_000
/** What a panel shows once it is full. */
const FULL: Record<Panel, (page: Page) => Locator> = {
  Strata: (page) => page.getByTestId('overview'),
  Surface: (page) => page.getByRole('option').last(),
  Request: (page) => page.getByTestId('proof'),
  Log: (page) => page.getByTestId('log-count'),
  Compare: (page) => page.getByText('Choose a moment to compare with'),
  Files: (page) => page.getByRole('tabpanel', { name: 'Files' }),
}

type RowsRead = { segments?: number; bodies?: number }

/** Counts the rows that reads of every store bring into the page from now on. */
const countRows = (page: Page) =>
  page.addInitScript(() => {
    const counts: Record<string, number> = {}
    Object.assign(globalThis, { rowsRead: counts })
    const count = (name: string, request: IDBRequest) =>
      request.addEventListener('success', () => {
        const { result } = request
        const rows = Array.isArray(result) ? result.length : result ? 1 : 0
        counts[name] = (counts[name] ?? 0) + rows
      })
    for (const method of ['get', 'getAll'] as const) {
      const original = IDBObjectStore.prototype[method]
      IDBObjectStore.prototype[method] = function (this: IDBObjectStore, ...args: never[]) {
        const request = Reflect.apply(original, this, args)
        count(this.name, request)
        return request
      }
    }
  })
const rowsRead = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { rowsRead: RowsRead }).rowsRead)

test('opening reads heads, and no view makes more than 3,000 elements', async ({ page }) => {
  const events = generateSession(20_000) as unknown as Event[]
  await countRows(page)
  await page.goto('/')
  await openDrawn(page, 'twenty-thousand', events)
  await page.reload()
  const picture = page.getByTestId('strata')
  await expect(picture).toHaveAttribute('data-at', String(events.length - 1), { timeout: 60_000 })
  await expect(page.getByRole('feed').getByRole('article').last()).toBeVisible()
  const read = await rowsRead(page)
  // Segments of heads, and the few chunks that hold the newest page of the chat.
  expect(read.segments ?? 0).toBeLessThanOrEqual(Math.ceil(events.length / 500))
  expect(read.bodies ?? 0).toBeLessThan(30)
  const elements = () => page.evaluate(() => document.querySelectorAll('*').length)
  for (const panel of PANELS) {
    await openPanel(page, panel)
    await expect(FULL[panel](page)).toBeVisible({ timeout: 20_000 })
    expect(await elements(), panel).toBeLessThan(MOST)
  }
  await openPanel(page, 'Strata')
  await playhead(page).focus()
  await page.keyboard.press('Home')
  await expect(page.getByTestId('time-bar')).toHaveAttribute('data-moment', '0')
  expect(await elements()).toBeLessThan(MOST)
})

test('a session the pointer or the focus rests on is read ahead, and not again when it is opened', async ({
  page,
}) => {
  const events = generateSession(5_000) as unknown as Event[]
  await countRows(page)
  await page.goto('/')
  await openDrawn(page, 'five-thousand', events)
  for (const rest of ['hover', 'focus'] as const) {
    await page.goto('/')
    const row = page.locator('[data-session="five-thousand"]')
    await expect(row).toBeVisible()
    expect((await rowsRead(page)).segments ?? 0).toBe(0)
    await row[rest]()
    const whole = Math.ceil(events.length / 1_000)
    await expect.poll(async () => (await rowsRead(page)).segments).toBe(whole)
    await expect(page).not.toHaveURL(/s=five-thousand/)
    await row.click()
    await expect(page.getByTestId('strata')).toHaveAttribute('data-at', String(events.length - 1))
    await expect(page.getByRole('feed').getByRole('article').last()).toBeVisible()
    expect((await rowsRead(page)).segments).toBe(whole)
  }
})
