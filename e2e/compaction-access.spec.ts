/** Compaction and the inspector for everybody: what axe says of each state, and all of it by keyboard. */

import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/app'
import { expectAccessible } from './support/axe'
import { begun, unique } from './support/fake'
import { FILES, filled, reading, rows } from './support/filled'
import { draw, openDrawn } from './support/inspector-logs'
import {
  ask,
  card,
  composer,
  dismiss,
  idle,
  openPanel,
  type Panel,
  rowMenu,
  say,
  startChat,
} from './support/workbench'

const WIDE = { width: 1440, height: 900 }
const NARROW = { width: 390, height: 844 }
const review = (page: Page): Locator => page.getByRole('dialog', { name: /^Compact #/ })
const commitButton = (page: Page): Locator =>
  review(page).getByRole('button', { name: /^Commit this text/ })

/** Every rule in light. */
const look = (page: Page, where: string, within: string): Promise<void> =>
  expectAccessible(page, { where, within })

/** And the colours in dark, where a state has some of its own. */
async function lookTwice(page: Page, where: string, within: string): Promise<void> {
  await look(page, where, within)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expectAccessible(page, { where: `${where}, dark`, within, coloursOnly: true })
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
}

/** Nothing is wider than a narrow window, whose workbench is another one. */
async function fitsNarrow(page: Page, where: string): Promise<void> {
  await page.setViewportSize(NARROW)
  await expect(page.getByRole('navigation', { name: 'Views', includeHidden: true })).toBeAttached()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide, where).toBeLessThanOrEqual(NARROW.width)
  await page.setViewportSize(WIDE)
  await expect(page.locator('[data-inspector-tabs]')).toBeAttached()
}

const DIALOG = '[role="dialog"]'
const CARD = '[role="feed"] section[data-status]'
const FLOATING = '[data-radix-popper-content-wrapper]'

async function startDraft(page: Page, focus: string): Promise<void> {
  await page.getByRole('button', { name: 'Compact…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compact this session' })
  await dialog.getByLabel('Focus').fill(focus)
  await dialog.getByRole('button', { name: 'Draft and review' }).click()
  await expect(review(page)).toBeVisible()
}

test('axe finds nothing grave in any state of a compaction', async ({ page }) => {
  test.setTimeout(120_000)
  const word = unique('states')
  await filled(page, word, '[[summary: stall x2]]')

  await test.step('running, cancelled', async () => {
    await say(page, `/compact keep ${word}`)
    await begun(`keep ${word}`, 'summary')
    await expect(card(page, 'Compacting')).toContainText('characters written')
    await lookTwice(page, 'running', CARD)
    await fitsNarrow(page, 'running')
    await card(page, 'Compacting').getByRole('button', { name: 'Cancel' }).click()
    await expect(card(page, 'Compaction cancelled')).toBeVisible()
    await idle(page)
    await look(page, 'cancelled', CARD)
  })

  await test.step('the review: being written, cancelled, ready, its prompt, edited, appended', async () => {
    await startDraft(page, `keep ${word}`)
    await expect(review(page).getByRole('status')).toContainText('characters written')
    await look(page, 'review, being written', DIALOG)
    await page.keyboard.press('Escape')
    await expect(review(page)).toContainText('Cancelled')
    await look(page, 'review, cancelled', DIALOG)
    await review(page).getByRole('button', { name: 'Write a draft' }).click()
    await expect(commitButton(page)).toBeEnabled()
    await lookTwice(page, 'review', DIALOG)
    await fitsNarrow(page, 'review')
    await review(page).getByRole('button', { name: 'Show the prompt' }).click()
    await expect(review(page).getByRole('region', { name: 'Prompt' })).toContainText('headings')
    await look(page, 'review, its prompt', DIALOG)
    await review(page).getByRole('button', { name: 'Show the summary' }).click()
    await review(page).getByText('Edit', { exact: true }).click()
    await look(page, 'review, edited', DIALOG)
    await review(page).getByText('Read', { exact: true }).click()
    await review(page)
      .getByRole('button', { name: /^Append/ })
      .click()
    await expect(review(page).getByRole('region', { name: 'Appended' })).toBeVisible()
    await lookTwice(page, 'review, appended', DIALOG)
    await commitButton(page).click()
    await expect(review(page)).toBeHidden()
  })

  const done = card(page, 'Compacted by you')
  await test.step('done, its summary, restored', async () => {
    await done.getByRole('button', { name: 'Summary' }).click()
    await lookTwice(page, 'done', CARD)
    await fitsNarrow(page, 'done')
    await done.getByRole('button', { name: 'Restore', exact: true }).click()
    await look(page, 'restore', FLOATING)
    await page.getByRole('button', { name: 'Put it back' }).click()
    await expect(done).toContainText('restored: the originals are back')
    await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
    await lookTwice(page, 'restored', 'body')
    await page.getByRole('button', { name: 'Dismiss' }).click()
  })

  await test.step('a region, pins, and what takes the room', async () => {
    await rowMenu(page, rows(page, 'user').first(), 'Select from here …')
    await rowMenu(page, rows(page, 'user').last(), '… to here')
    await expect(page.getByRole('region', { name: 'Chosen region' })).toContainText('nodes')
    await look(page, 'region', 'main, section[aria-label="Chat"]')
    await fitsNarrow(page, 'region')
    await page.keyboard.press('Escape')
    await ask(page, `more ${word} ${reading(FILES.slice(3))}`, 'That is done.')
    await rowMenu(page, rows(page, 'user').last(), /^Pin/)
    const explainer = page.getByRole('region', { name: 'Automatic compaction has stopped' })
    await expect(explainer).toBeVisible()
    await lookTwice(page, 'explainer', 'section[aria-label="Chat"]')
    await fitsNarrow(page, 'explainer')
    await page.getByRole('button', { name: /^Context:/ }).click()
    await expect(page.getByRole('region', { name: 'Pinned' })).toBeVisible()
    await look(page, 'pins', FLOATING)
    await dismiss(page.getByRole('dialog', { name: 'Context by part' }))
  })
})

test('axe finds nothing grave in a failed attempt, a pruned result and the card of a glyph', async ({
  page,
}) => {
  const pen = draw()
  const first = pen.user()
  const { message, result } = pen.call()
  const pruned = pen.prune(result)
  const derived = pen.summary([first, message, pruned], 'derived')
  const second = pen.user()
  const answer = pen.reply()
  pen.fail([second, answer], 'summary')
  await page.goto('/')
  await openDrawn(page, 'attempts', pen.events)
  await page.keyboard.press('[')
  const glyph = page.getByTestId('glyph-card')
  await expect(glyph).toHaveAttribute('data-seq', String(derived))
  await expect(glyph).toContainText('worked out on import')
  await lookTwice(page, 'glyph', FLOATING)
  await page.keyboard.press('l')
  await expect(glyph).toHaveCount(0)
  await expect(card(page, 'Compaction failed')).toBeVisible()
  await lookTwice(page, 'failed', 'section[aria-label="Chat"]')
})

const INSPECTOR = '[data-testid="inspector"]'
const PANELS: Panel[] = ['Strata', 'Surface', 'Request', 'Log', 'Compare', 'Files']

test('axe finds nothing grave in the inspector: empty, a range, opened rows, texts compared', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await startChat(page)
  for (const panel of PANELS) {
    await openPanel(page, panel)
    await look(page, `${panel}, empty`, INSPECTOR)
  }
  await ask(page, 'list docs/', /docs/)
  const strata = await openPanel(page, 'Strata')
  await strata.getByRole('application', { name: /^Strata/ }).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowRight')
  await expect(strata.getByTestId('range-bar')).toBeVisible()
  await look(page, 'a range', INSPECTOR)
  await page.keyboard.press('Escape')
  const request = await openPanel(page, 'Request')
  await request.getByRole('button', { expanded: false }).last().click()
  await expect(request.getByRole('button', { name: 'Copy this part' })).toBeVisible()
  await look(page, 'an opened part', INSPECTOR)
  const log = await openPanel(page, 'Log')
  await log.getByRole('button', { expanded: false }).last().click()
  await expect(log.getByRole('button', { name: 'Copy the JSON' })).toBeVisible()
  await lookTwice(page, 'an opened event', INSPECTOR)

  const pen = draw()
  const [one, two] = [pen.user(), pen.reply()]
  const before = pen.summary([one, two], 'exact', 'kept `docs/runbook.md`')
  const three = pen.user()
  pen.user()
  const after = pen.summary([before, three], 'exact', 'kept `docs/harbour.md`')
  await page.goto('/')
  await openDrawn(page, 'compared', pen.events)
  const id = new URL(page.url()).searchParams.get('s')
  await page.goto(`/?s=${id}&panel=compare&from=${three}&node=${after}`)
  await page.getByText('Since the last', { exact: true }).click()
  await expect(page.getByTestId('record-diff')).toContainText('docs/harbour.md')
  await lookTwice(page, 'texts compared', INSPECTOR)
})

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 120; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never comes to ${target}`)
}

test('the keyboard alone: draft, edit, append, commit, restore, undo', async ({ page }) => {
  const word = unique('by-keys')
  await filled(page, word)
  await composer(page).focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Compact…')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Compact this session' })
  await expect(dialog.getByLabel('Focus')).toBeFocused()
  await page.keyboard.type(`keep ${word}`)
  await page.keyboard.press('Control+Enter')
  await expect(commitButton(page)).toBeEnabled()

  await tabTo(page, review(page).getByRole('radio', { name: 'Read' }))
  await page.keyboard.press('ArrowRight')
  const field = review(page).getByRole('textbox', { name: 'Summary text' })
  await expect(field).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(`Only ${word} matters.`)
  await tabTo(page, review(page).getByRole('button', { name: /^Append/ }))
  await page.keyboard.press('Enter')
  await tabTo(page, commitButton(page))
  await page.keyboard.press('Enter')
  await expect(review(page)).toBeHidden()

  const done = card(page, 'Compacted by you').first()
  await tabTo(page, done.getByRole('button', { name: 'Restore', exact: true }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Put it back' }))
  await page.keyboard.press('Enter')
  await expect(done).toContainText('restored: the originals are back')
  await page.keyboard.press('F8')
  await tabTo(page, page.getByRole('button', { name: 'Undo', exact: true }))
  await page.keyboard.press('Enter')
  await expect(card(page, 'Compacted by you')).toHaveCount(2)
  await expect(done).toContainText(`Focus: keep ${word}`)
})
