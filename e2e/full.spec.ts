/** The browser's storage as it really fails: full in the middle of a turn, cleared while open, private. */

import { readFile } from 'node:fs/promises'
import { chromium, type Page } from '@playwright/test'
import { expect, test } from './support/app'
import { unique } from './support/fake'
import { ofType, readLog } from './support/log'
import {
  ask,
  composer,
  conversation,
  expectCleanLog,
  exportLog,
  idle,
  rowsWith,
  say,
  startChat,
} from './support/workbench'

const MODEL = 'Claude Sonnet 5.5'

/** Holds the next request on its way; `asked` resolves when it was made, and `goOn` lets it pass. */
async function holdReply(page: Page) {
  let goOn = () => {}
  const held = new Promise<void>((done) => {
    goOn = done
  })
  await page.route('**/api/messages', async (route) => {
    await held
    await route.continue()
  })
  return { asked: page.waitForRequest('**/api/messages'), goOn }
}

/** What the problem's own button saves. */
async function saveCopy(page: Page) {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('alert').getByRole('button', { name: 'Save a copy' }).click(),
  ])
  return readLog(await readFile(await saved.path(), 'utf8'))
}

/** Fills what is left of the site's storage with a database of its own, to the last bytes. */
const fill = (page: Page) =>
  page.evaluate(async () => {
    const opening = indexedDB.open('filler', 1)
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore('rows', { autoIncrement: true })
    await new Promise((done) => {
      opening.onsuccess = done
    })
    const put = (size: number) =>
      new Promise<boolean>((done) => {
        const transaction = opening.result.transaction('rows', 'readwrite')
        transaction.objectStore('rows').put('x'.repeat(size))
        transaction.oncomplete = () => done(true)
        transaction.onabort = () => done(false)
      })
    for (let size = 1 << 18; size > 32; ) if (!(await put(size))) size >>= 2
    opening.result.close()
  })

const empty = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((done, failed) => {
        const deleting = indexedDB.deleteDatabase('filler')
        deleting.onsuccess = () => done()
        deleting.onerror = () => failed(deleting.error)
      }),
  )

test('[R3] storage full in the middle of a turn: it waits, shows and exports what is not stored, and goes on', async ({
  page,
  profile,
  baseURL,
}) => {
  const word = unique('full')
  const devtools = await profile.context.newCDPSession(page)
  const origin = new URL(baseURL ?? '').origin
  // Before the browser reckons for the first time what there is.
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 4_000_000 })
  await startChat(page, MODEL)
  await ask(page, `one ${word}`, `You said “one ${word}”`)
  // What the model says comes when nothing fits any more.
  const { asked, goOn } = await holdReply(page)
  await say(page, `two ${word}`)
  await asked
  await fill(page)
  goOn()
  const problem = page.getByRole('alert').filter({ hasText: 'storage is full' })
  await expect(problem).toBeVisible({ timeout: 20_000 })
  // What came is on screen, though it is stored nowhere.
  await expect(conversation(page).getByText(`You said “two ${word}`)).toBeVisible()
  const copy = await saveCopy(page)
  const texts = ofType(copy.events, 'assistant/message').map(({ data }) => data.content[0].text)
  expect(texts).toHaveLength(2)
  expect(texts[1]).toContain(`two ${word}`)
  expect(await rowsWith(page, 'fresh', `You said “two ${word}`)).toBe(0)
  await empty(page)
  await problem.getByRole('button', { name: 'Try again' }).click()
  await expect(problem).toHaveCount(0)
  await idle(page)
  await ask(page, `three ${word}`, `You said “three ${word}”`)
  const { events } = await exportLog(page)
  expect(events.slice(0, copy.events.length)).toEqual(copy.events)
  expect(ofType(events, 'turn/end').map(({ data }) => data.reason)).toEqual([
    'completed',
    'completed',
    'completed',
  ])
  await expectCleanLog(page)
})

test('storage cleared while open: what is on the page can still be saved, and the app starts anew', async ({
  page,
  profile,
}) => {
  const word = unique('cleared')
  await startChat(page, MODEL)
  await ask(page, `one ${word}`, `You said “one ${word}”`)
  const whole = await exportLog(page)
  const { asked, goOn } = await holdReply(page)
  await say(page, `two ${word}`)
  await asked
  const devtools = await profile.context.newCDPSession(page)
  const { origin } = new URL(page.url())
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
  await expect(
    page.getByText('The browser closed this site’s storage', { exact: true }),
  ).toBeVisible()
  goOn()
  const problem = page.getByRole('alert').filter({ hasText: 'Save a copy' })
  await expect(problem).toBeVisible({ timeout: 20_000 })
  const copy = await saveCopy(page)
  expect(copy.events.slice(0, whole.events.length)).toEqual(whole.events)
  const said = ofType(copy.events, 'assistant/message').map(({ data }) => data.content[0].text)
  expect(said).toHaveLength(2)
  expect(said[1]).toContain(`two ${word}`)
  await expect(conversation(page).getByText(`You said “two ${word}`)).toBeVisible()
  // Something here is stored nowhere: the browser asks.
  page.once('dialog', (dialog) => void dialog.accept())
  await problem.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.getByText('This session is not in this browser')).toBeVisible()
  await startChat(page)
  await ask(page, `list docs/ ${word}`, /docs/)
})

test('a private window: everything works, and what may happen to it is said', async ({
  baseURL,
}) => {
  const word = unique('private')
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  // A context beside the browser's own is what a private window is: nothing of it goes to the disk.
  const context = await browser.newContext({ baseURL })
  const page = await context.newPage()
  await startChat(page)
  await ask(page, `list docs/ ${word}`, /docs/)
  await page.reload()
  await expect(composer(page)).toBeVisible()
  await expect(conversation(page).getByText(`list docs/ ${word}`)).toBeVisible()
  await page.getByRole('button', { name: /in this browser$|^Stored in this browser$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Settings' })
  await expect(dialog.getByText('has not promised')).toBeVisible()
  await expect(dialog.getByText('In a private window all of it is gone')).toBeVisible()
  await browser.close()
})
