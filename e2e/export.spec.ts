/** The export dialog: how it is reached, what it says before, and files that are whole or not there. */

import type { Page } from '@playwright/test'
import { expect, test } from './support/app'
import { expectAccessible } from './support/axe'
import { readLog } from './support/log'
import {
  composer,
  dismiss,
  download,
  exportAs,
  exportLog,
  momentOf,
  openExport,
  openSample,
  playhead,
} from './support/workbench'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Export', exact: true })

test('is reached from everywhere, says what a format cannot hold, and ends at the playhead', async ({
  page,
}) => {
  await openSample(page)
  const dialog = dialogOf(page)
  await test.step('by key, by command, from the palette and from the list of sessions', async () => {
    await page.keyboard.press('Control+e')
    await dismiss(dialog)
    await composer(page).fill('/export html')
    await composer(page).press('Enter')
    await expect(dialog.getByRole('radio', { name: /^Web page/ })).toBeChecked()
    await expect(dialog.getByRole('region', { name: 'What it leaves out' })).toHaveText(
      /Nothing\.$/,
    )
    await dismiss(dialog)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('markdown')
    await page.getByRole('option', { name: /^Export/ }).click()
    await dismiss(dialog)
    const sessions = page.getByRole('list', { name: 'Sessions' })
    await sessions.getByRole('button', { name: /^More for / }).click()
    await page.getByRole('menuitem', { name: 'Export…' }).click()
    await expect(dialog).toBeVisible()
    await dialog.getByRole('checkbox', { name: 'Take out secrets' }).check()
    await expectAccessible(page, { where: 'export', within: '[role="dialog"]' })
    await dismiss(dialog)
  })
  const all = await exportLog(page)
  const newest = all.events.length - 1
  await playhead(page).focus()
  let at = newest
  for (let back = 0; back < 3; back += 1) {
    await page.keyboard.press('[')
    const before = at
    await expect.poll(() => momentOf(page)).toBeLessThan(before)
    at = await momentOf(page)
  }

  await openExport(page, /^Log/)
  await dialog.getByRole('radio', { name: `Up to the playhead, #${at}` }).check()
  await expect(dialog.getByRole('region', { name: 'What it leaves out' })).toContainText(
    `everything after #${at}`,
  )
  const saved = await download(page, () => dialog.getByRole('button', { name: 'Download' }).click())
  expect(saved.name).toContain(`up-to-${at}`)
  expect(readLog(saved.text).events).toEqual(all.events.slice(0, at + 1))

  await openExport(page, /^Plain text/)
  await dialog.getByRole('radio', { name: `As the model saw it at #${at}` }).check()
  const seen = await download(page, () => dialog.getByRole('button', { name: 'Download' }).click())
  expect(seen.text).toContain(`as the model saw it after #${at}`)
  expect((await exportAs(page, /^OpenAI/)).text).toContain('"role":"tool"')
})

/** A file system whose writes wait until the test lets them go; what became of the file is in `chosen`. */
const slowPicker = (page: Page) =>
  page.addInitScript(() => {
    const chosen = { text: '', writes: 0, closed: false, aborted: false, removed: false }
    let go = () => {}
    const gate = new Promise<void>((open) => {
      go = open
    })
    const writable = () => {
      let swap = ''
      const decoder = new TextDecoder()
      return {
        async write(chunk: Uint8Array) {
          chosen.writes += 1
          await gate
          swap += decoder.decode(chunk, { stream: true })
        },
        async close() {
          chosen.text = swap
          chosen.closed = true
        },
        async abort() {
          chosen.aborted = true
        },
      }
    }
    const handle = {
      name: 'harbor.md',
      getFile: async () => ({ size: 0 }),
      createWritable: async () => writable(),
      remove: async () => {
        chosen.removed = true
      },
    }
    Object.assign(window, { chosen, go, showSaveFilePicker: async () => handle })
  })

type Chosen = { text: string; writes: number; closed: boolean; aborted: boolean; removed: boolean }
const chosen = (page: Page): Promise<Chosen> =>
  page.evaluate(() => (window as unknown as { chosen: Chosen }).chosen)
/** Lets all writes go, those that wait and those to come. */
const go = (page: Page) => page.evaluate(() => (window as unknown as { go(): void }).go())

test('writes straight into a chosen file, and leaves nothing behind when it is cancelled', async ({
  page,
}) => {
  await slowPicker(page)
  await openSample(page)
  const expected = (await exportAs(page, /^Markdown/)).text
  const begin = async () => {
    const dialog = await openExport(page, /^Markdown/)
    await dialog.getByRole('button', { name: 'Save as…' }).click()
    await expect(dialog).toBeHidden()
  }
  await begin()
  const progress = page.getByRole('status').filter({ hasText: 'Writing harbor.md' })
  await expect(progress).toBeVisible()
  await expect.poll(async () => (await chosen(page)).writes).toBe(1)
  await progress.getByRole('button', { name: 'Cancel the export' }).click()
  await go(page)
  await expect(page.getByText('No file was left behind.').first()).toBeVisible()
  await expect(progress).toHaveCount(0)
  expect(await chosen(page)).toEqual({
    ...{ text: '', writes: 1, closed: false, aborted: true, removed: true },
  })

  await begin()
  await expect.poll(async () => (await chosen(page)).closed).toBe(true)
  expect((await chosen(page)).text).toBe(expected)
  await expect(page.getByText('Saved harbor.md').first()).toBeVisible()
})
