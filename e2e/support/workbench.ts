/** The workbench by roles and names, as a person finds it. */

import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { type NativeLog, readLog } from './log'

export const composer = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Message', exact: true })
export const conversation = (page: Page): Locator =>
  page.getByRole('feed', { name: 'Conversation' })
export const stopButton = (page: Page): Locator => page.getByTitle('Stop (Esc)')
export const card = (page: Page, name: string | RegExp): Locator =>
  conversation(page).getByRole('region', { name })
export const playhead = (page: Page): Locator => page.getByRole('slider', { name: 'Playhead' })

export type Panel = 'Strata' | 'Surface' | 'Request' | 'Log' | 'Compare' | 'Files'

/** Opens a panel of the inspector and gives it. */
export async function openPanel(page: Page, name: Panel): Promise<Locator> {
  await page.getByRole('tab', { name, exact: true }).click()
  return page.getByRole('tabpanel', { name, exact: true })
}

/** From the first screen into the shipped session. */
export async function openSample(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Open sample' }).click()
  await expect(position(page)).toContainText('compaction 3 of 3')
}

/** From the first screen into a session on the sample workspace, with a model by its label; without one, the offline reader. */
export async function startChat(page: Page, model?: string): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(composer(page)).toBeVisible()
  if (model) await chooseModel(page, model)
}

export async function chooseModel(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: /^Model: / }).click()
  await page.getByRole('menuitemcheckbox', { name: new RegExp(`^${label}\\b`) }).click()
  await expect(page.getByRole('button', { name: `Model: ${label}` })).toBeVisible()
}

/** Writes into the composer and presses Enter. */
export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
  await expect(composer(page)).toHaveValue('')
}

/** Nothing runs any more. */
export async function idle(page: Page, timeout = 30_000): Promise<void> {
  await expect(page.getByTestId('live-status')).toHaveText('Ready', { timeout })
  await expect(stopButton(page)).toHaveCount(0)
}

/** Says something, waits for words of the answer and for the end of the turn. */
export async function ask(page: Page, text: string, answer: string | RegExp): Promise<void> {
  await say(page, text)
  await expect(conversation(page).getByText(answer).last()).toBeVisible({ timeout: 20_000 })
  await idle(page)
}

/** An entry of the menu of one message of the chat. */
export async function rowMenu(page: Page, row: Locator, entry: string | RegExp): Promise<void> {
  await row.hover()
  await row.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

/** Escape to a dialog just opened, once it holds the focus and so hears the key; ends when it is gone. */
export async function dismiss(dialog: Locator): Promise<void> {
  await expect
    .poll(() => dialog.evaluate((sheet) => sheet.contains(document.activeElement)))
    .toBe(true)
  await dialog.page().keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

/** `seq 272 / 661`, the turn and the compaction. */
export const position = (page: Page): Locator => page.getByTestId('position')

export async function momentOf(page: Page): Promise<number> {
  const text = (await playhead(page).getAttribute('aria-valuetext')) ?? ''
  return Number(/^event (\d+)/.exec(text)?.[1])
}

/** Saves what `click` downloads and reads it. */
export async function download(
  page: Page,
  click: () => Promise<void>,
): Promise<{ path: string; name: string; text: string }> {
  const [saved] = await Promise.all([page.waitForEvent('download'), click()])
  const path = await saved.path()
  return { path, name: saved.suggestedFilename(), text: await readFile(path, 'utf8') }
}

/** Opens the export dialog at a format. */
export async function openExport(page: Page, format: string | RegExp): Promise<Locator> {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export', exact: true })
  await dialog.getByRole('radio', { name: format }).check()
  return dialog
}

/** Saves the session in a format of the export dialog. */
export async function exportAs(page: Page, format: string | RegExp) {
  const dialog = await openExport(page, format)
  return download(page, () => dialog.getByRole('button', { name: 'Download' }).click())
}

export const exportLog = async (page: Page): Promise<NativeLog> =>
  readLog((await exportAs(page, /^Log \(JSONL\)/)).text)

/** The log panel says that every rule holds for every event. */
export async function expectCleanLog(page: Page, events?: number): Promise<void> {
  const panel = await openPanel(page, 'Log')
  await expect(panel.getByText('check: clean')).toBeVisible({ timeout: 20_000 })
  if (events !== undefined)
    await expect(panel.getByTestId('log-count')).toHaveText(
      `${events.toLocaleString('en-US')} events`,
    )
}

/** Every seq of a virtual list, in order: it is scrolled through and back to its top. */
export const seqsIn = (list: Locator): Promise<number[]> =>
  list.evaluate(async (inner) => {
    const box = inner.parentElement as HTMLElement
    const count = Number(box.dataset.rows)
    const found = new Map<number, number>()
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    box.scrollTop = 0
    for (let last = -1; found.size < count && last !== box.scrollTop; ) {
      await frame()
      await frame()
      for (const row of inner.querySelectorAll<HTMLElement>('[data-index]')) {
        const seq = row.querySelector<HTMLElement>('[data-seq]')?.dataset.seq
        if (seq !== undefined) found.set(Number(row.dataset.index), Number(seq))
      }
      last = box.scrollTop
      if (found.size < count) box.scrollTop += box.clientHeight * 0.7
    }
    box.scrollTop = 0
    return [...found].sort(([a], [b]) => a - b).map(([, seq]) => seq)
  })

/** The surface as the Surface panel lists it. */
export async function surfaceOf(page: Page): Promise<number[]> {
  const panel = await openPanel(page, 'Surface')
  return seqsIn(panel.getByRole('listbox', { name: 'Nodes on the surface' }))
}

/** How many rows of the app's database hold `text`. */
export const rowsWith = (page: Page, table: string, text: string): Promise<number> =>
  page.evaluate(
    ([name, words]) =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('palimpsest')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const rows = opening.result.transaction(name).objectStore(name).getAll()
          rows.onsuccess = () => {
            opening.result.close()
            resolve(rows.result.filter((row) => JSON.stringify(row).includes(words)).length)
          }
        }
      }),
    [table, JSON.stringify(text).slice(1, -1)] as const,
  )

/** Waits until a row of the app's database holds `text`: where the screen does not tell that it was kept. */
export const stored = (page: Page, table: string, text: string): Promise<void> =>
  expect.poll(() => rowsWith(page, table, text)).toBeGreaterThan(0)

/** Deletes everything the browser holds of the app, as clearing site data does. */
export async function wipe(page: Page): Promise<void> {
  await page.goto('/api/health')
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase('palimpsest')
        deleting.onsuccess = () => resolve()
        deleting.onerror = () => reject(deleting.error)
        deleting.onblocked = () => reject(new Error('the database is still open'))
      }),
  )
}

export type Upload = { name: string; mimeType: string; buffer: Buffer }

/** Imports through the file chooser of the first screen or of the Import menu. */
export async function importFiles(page: Page, files: Upload[] | string): Promise<Locator> {
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: /^Choose files/ }).click(),
  ])
  await chooser.setFiles(files)
  return page.getByRole('dialog', { name: /^Import report/ })
}

/** Drags files over the window and lets go of them where it says `zone`. */
export async function dropFiles(page: Page, zone: string, files: Upload[]): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    (dropped) => {
      const data = new DataTransfer()
      for (const { name, mimeType, base64 } of dropped) {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
        data.items.add(new File([bytes], name, { type: mimeType }))
      }
      return data
    },
    files.map(({ name, mimeType, buffer }) => ({
      name,
      mimeType,
      base64: buffer.toString('base64'),
    })),
  )
  await page.locator('body').dispatchEvent('dragenter', { dataTransfer })
  const target = page.getByRole('region', { name: zone })
  await target.dispatchEvent('dragover', { dataTransfer })
  await target.dispatchEvent('drop', { dataTransfer })
}

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Puts files on the message being written. */
export async function attach(page: Page, files: Upload[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Attach images or text files' }).click(),
  ])
  await chooser.setFiles(files)
  const list = page.getByRole('list', { name: 'Attachments' })
  await expect(list.getByRole('listitem')).toHaveCount(files.length)
}
