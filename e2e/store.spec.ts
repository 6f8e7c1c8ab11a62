/** The store as a person meets it when something went wrong, or when they carry it away. */

import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/app'
import { unique } from './support/fake'
import { ofType } from './support/log'
import {
  ask,
  composer,
  conversation,
  dismiss,
  exportLog,
  openSample,
  say,
  startChat,
} from './support/workbench'

const MODEL = 'Claude Sonnet 5.5'

/** Changes the app's database from beside it; `work` gets an open connection. */
const inDatabase = (page: Page, store: string, change: 'delete-newest' | 'spoil-newest') =>
  page.evaluate(
    ([name, how]) =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('palimpsest')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const transaction = opening.result.transaction(name, 'readwrite')
          let seq = -1
          const asked = transaction.objectStore(name).openCursor(null, 'prev')
          asked.onsuccess = () => {
            const cursor = asked.result
            if (!cursor) return
            seq = cursor.value.seq
            if (how === 'delete-newest') cursor.delete()
            else cursor.update({ ...cursor.value, text: `${cursor.value.text} ` })
          }
          transaction.oncomplete = () => {
            opening.result.close()
            resolve(seq)
          }
        }
      }),
    [store, change] as const,
  )

const putRow = (page: Page, store: string, row: unknown) =>
  page.evaluate(
    ([name, value]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('palimpsest')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const transaction = opening.result.transaction(name, 'readwrite')
          transaction.objectStore(name).put(value)
          transaction.oncomplete = () => {
            opening.result.close()
            resolve()
          }
        }
      }),
    [store, row] as const,
  )

const settings = async (page: Page) => {
  await page.getByRole('button', { name: /in this browser$|^Stored in this browser$/ }).click()
  return page.getByRole('dialog', { name: 'Settings' })
}

test('a damaged log opens up to the damage, says what is damaged, and exports the rest', async ({
  page,
}) => {
  const word = unique('damage')
  await startChat(page, MODEL)
  await ask(page, `first ${word}`, `You said “first ${word}”`)
  await ask(page, `second ${word}`, `You said “second ${word}”`)
  const whole = await exportLog(page)
  await page.goto('/api/health')
  const spoiled = await inDatabase(page, 'fresh', 'spoil-newest')
  await page.goBack()
  await expect(page.getByText('This log is damaged and can only be read.')).toBeVisible()
  await expect(page.getByText(`Damaged: event ${spoiled}`)).toBeVisible()
  await expect(conversation(page).getByText(`You said “second ${word}”`)).toBeVisible()
  await expect(composer(page)).toHaveCount(0)
  const left = await exportLog(page)
  expect(left.events.map(({ seq }) => seq)).toEqual(
    whole.events.map(({ seq }) => seq).filter((seq) => seq !== spoiled),
  )
})

test('[R1] a follower takes over by choice; the tab that wrote follows and cannot write', async ({
  page: first,
  profile,
}) => {
  const word = unique('steal')
  await startChat(first, MODEL)
  await ask(first, `one ${word}`, `You said “one ${word}”`)
  const second = await profile.context.newPage()
  await second.goto(first.url())
  // In the middle of a reply: what was on its way is closed as interrupted by the new writer.
  await say(first, `two ${word} [[delay: 60]] [[long: 300]]`)
  await expect(conversation(second).getByText('the log holds every event')).toBeVisible()
  await second.getByRole('button', { name: 'Write here instead' }).click()
  await expect(composer(second)).toBeVisible()
  await expect(first.getByText('Another tab is writing this session.')).toBeVisible()
  await expect(composer(first)).toHaveCount(0)
  await ask(second, `three ${word}`, `You said “three ${word}”`)
  await expect(conversation(first).getByText(`You said “three ${word}”`)).toBeVisible()
  const { events } = await exportLog(second)
  expect(ofType(events, 'turn/end').map(({ data }) => data.reason)).toEqual([
    'completed',
    'interrupted',
    'completed',
  ])
  // And back again, when the second lets go.
  await second.close()
  await expect(composer(first)).toBeVisible()
})

test('words are found in all conversations, and a hit opens where it was said', async ({
  page,
}) => {
  await openSample(page)
  const word = unique('sought')
  await startChat(page, MODEL)
  await ask(page, `about ${word} here`, `You said “about ${word} here”`)
  await page.goto('/')
  const box = page.getByRole('searchbox', { name: 'Search sessions' })
  await box.fill(word)
  const found = page.getByRole('region', { name: 'Found in conversations' })
  await expect(found.getByRole('status')).toContainText('2 places in conversations')
  await box.fill(`kind:user ${word}`)
  await expect(found.getByRole('status')).toContainText('1 place in conversations')
  await found.getByRole('button').first().click()
  await expect(conversation(page).getByText(`You said “about ${word} here”`)).toBeVisible()
  expect(new URL(page.url()).searchParams.get('node')).toBeTruthy()
  await box.fill(unique('nowhere'))
  await expect(found.getByRole('status')).toContainText('Nothing in conversations')
  await box.press('Escape')
  await expect(found).toHaveCount(0)
})

test('everything is backed up, and comes back into an empty browser', async ({ page, profile }) => {
  const word = unique('backup')
  await startChat(page, MODEL)
  await ask(page, `keep ${word}`, `You said “keep ${word}”`)
  const before = await exportLog(page)
  const url = page.url()
  const dialog = await settings(page)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Back up everything' }).click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/^palimpsest-backup-\d{4}-\d\d-\d\d\.zip$/)
  const zip = await readFile(await saved.path())
  await page.goto('/api/health')
  await page.evaluate(() => indexedDB.deleteDatabase('palimpsest'))
  await page.goto('/')
  await startChat(page)
  await ask(page, `list docs/ ${word}`, /docs/)
  const again = await settings(page)
  const read = async (shown: Locator) => {
    const [chooser] = await Promise.all([
      shown.page().waitForEvent('filechooser'),
      shown.getByRole('button', { name: 'Restore a backup…' }).click(),
    ])
    await chooser.setFiles([{ name: 'b.zip', mimeType: 'application/zip', buffer: zip }])
  }
  await read(again)
  await expect(
    again.getByText(/^1 session of .*; 0 of them here already, none damaged\.$/),
  ).toBeVisible()
  await again.getByRole('button', { name: 'Cancel' }).click()
  await read(again)
  await again.getByRole('button', { name: 'Add the 1 missing' }).click()
  await expect(page.getByText('Restored 1 session from the backup', { exact: true })).toBeVisible()
  const restored = await profile.restart(new URL(url).pathname + new URL(url).search)
  await expect(conversation(restored).getByText(`You said “keep ${word}”`)).toBeVisible()
  const after = await exportLog(restored)
  expect(after.events.slice(0, before.events.length)).toEqual(before.events)
  await ask(restored, `on ${word}`, `You said “on ${word}”`)

  await test.step('a replace that was cut off at once is finished by the next start', async () => {
    const shown = await settings(restored)
    await read(shown)
    await expect(shown.getByRole('button', { name: 'Replace everything here' })).toBeVisible()
    await putRow(restored, 'settings', {
      key: 'restore:replace',
      value: { sessions: 1, above: 99 },
    })
    await restored.goto('/')
    await expect(restored.getByText('Finished restoring the backup', { exact: true })).toBeVisible()
    const rows = restored.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    await expect(rows).toHaveCount(1)
    await rows.getByRole('button').first().click()
    await expect(conversation(restored).getByText(`You said “keep ${word}”`)).toBeVisible()
    await expect(conversation(restored).getByText(`You said “on ${word}”`)).toHaveCount(0)
  })
})

test('the trash gives back, or deletes for good', async ({ page }) => {
  const word = unique('trash')
  await startChat(page, MODEL)
  await ask(page, `gone ${word}`, `You said “gone ${word}”`)
  await startChat(page)
  await ask(page, `list docs/ ${word}`, /docs/)
  const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await page
    .getByRole('button', { name: new RegExp(`^gone ${word}`) })
    .first()
    .focus()
  await page.keyboard.press('Delete')
  await expect(rows).toHaveCount(1)
  const dialog = await settings(page)
  const trash = dialog.getByRole('region', { name: 'Trash' })
  await trash.getByRole('button', { name: 'Restore' }).click()
  await expect(trash).toHaveCount(0)
  await dismiss(dialog)
  await expect(rows).toHaveCount(2)
})

test('a tab of an older build meets a newer database, says so, and leaves it alone', async ({
  page,
  profile,
}) => {
  const word = unique('cleared')
  await startChat(page, MODEL)
  await ask(page, `here ${word}`, `You said “here ${word}”`)
  const other = await profile.context.newPage()
  await other.goto('/api/health')
  await other.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('palimpsest', 9_990)
        opening.onsuccess = () => {
          opening.result.close()
          resolve()
        }
        opening.onerror = () => reject(opening.error)
      }),
  )
  await expect(
    page.getByText('A newer version of Palimpsest is open in another tab').first(),
  ).toBeVisible()
  await composer(page).fill(`kept ${word}`)
  await composer(page).press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'may no longer write' })).toBeVisible()
  // What could not be stored is still in the writer's hands.
  await expect(composer(page)).toHaveValue(`kept ${word}`)
  await page.reload()
  await expect(page.getByText('written by a newer version of Palimpsest')).toBeVisible()
})
