/** The inspector on the shipped session: each view against an independent fold of the same log. */

import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './support/app'
import { draw, openDrawn, SHAPES, words } from './support/inspector-logs'
import { foldAt, ofType, readLog } from './support/log'
import {
  conversation,
  openPanel,
  openSample,
  playhead,
  position,
  surfaceOf,
} from './support/workbench'

const sample = readLog(
  await readFile(new URL('../public/sample-session.jsonl', import.meta.url), 'utf8'),
)
const { events } = sample
const newest = events.length - 1
const checkpoints = ofType(events, 'user/message').filter(
  ({ data }) => data.source.kind === 'checkpoint',
)
const first = checkpoints[0]?.seq as number
const middle = Math.floor((first + newest) / 2)

async function openAt(page: Page, query: string): Promise<void> {
  await openSample(page)
  const id = new URL(page.url()).searchParams.get('s')
  await page.goto(`/?s=${id}&${query}`)
  await expect(page.getByTestId('time-bar')).toHaveAttribute('data-moment', /\d/)
}

test('1: strata are walked, entered and left by keyboard, and read as a list', async ({ page }) => {
  const { surface, shadows } = foldAt(events, newest)
  const top = surface.find((seq) => (shadows.get(seq)?.length ?? 0) > 1) as number
  await openAt(page, `node=${top}`)
  const panel = await openPanel(page, 'Strata')
  const picture = page.getByRole('application', { name: /^Strata/ })
  const whole = Number(await picture.getAttribute('data-total'))
  await picture.focus()
  await page.keyboard.press('Home')
  await expect(picture).toHaveAttribute('data-selected', String(surface[0]))
  for (const seq of surface.slice(1, surface.indexOf(top) + 1)) {
    await page.keyboard.press('ArrowRight')
    await expect(picture).toHaveAttribute('data-selected', String(seq))
  }
  await page.keyboard.press('ArrowDown')
  await expect(picture).toHaveAttribute('data-selected', String(shadows.get(top)?.[0]))
  await page.keyboard.press('ArrowRight')
  await expect(picture).toHaveAttribute('data-selected', String(shadows.get(top)?.[1]))
  await page.keyboard.press('ArrowUp')
  await expect(picture).toHaveAttribute('data-selected', String(top))
  await page.keyboard.press('Enter')
  await expect.poll(async () => Number(await picture.getAttribute('data-to'))).toBeLessThan(whole)
  await page.keyboard.press('Escape')
  await expect(picture).toHaveAttribute('data-to', String(whole))
  await page.keyboard.press('+')
  await expect.poll(async () => Number(await picture.getAttribute('data-to'))).toBeLessThan(whole)
  await page.keyboard.press('0')
  await expect(picture).toHaveAttribute('data-to', String(whole))
  await panel.getByRole('button', { name: 'Show as a list' }).click()
  const tree = panel.getByRole('tree', { name: 'Strata as a list' })
  await expect(tree.getByRole('treeitem', { selected: true })).toHaveAttribute(
    'data-seq',
    String(top),
  )
})

test('2: time by keys, play, wheel and clock', async ({ page }) => {
  await openSample(page)
  const slider = playhead(page)
  await slider.focus()
  await page.keyboard.press('Home')
  await expect(slider).toHaveAttribute('aria-valuetext', /^event 0 of \d+, .+ tokens$/)
  await page.keyboard.press(']')
  await expect(slider).toHaveAttribute('aria-valuenow', String(first))
  await page.keyboard.press('ArrowRight')
  await expect(slider).toHaveAttribute('aria-valuenow', String(first + 1))
  await page.keyboard.press('[')
  await expect(slider).toHaveAttribute('aria-valuenow', String(first))
  await page.keyboard.press('End')
  await expect(position(page)).toContainText(`seq ${newest} / ${newest}`)
  await expect(slider).toHaveAttribute('aria-valuetext', /live$/)
  const bar = page.getByTestId('time-bar')
  const box = await bar.locator('canvas').boundingBox()
  await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 40)
  await page.mouse.wheel(0, -400)
  await expect.poll(async () => Number(await bar.getAttribute('data-moment'))).toBeLessThan(newest)
  await bar.getByRole('button', { name: /^By wall clock/ }).click()
  await expect(bar).toHaveAttribute('data-axis', 'clock')
  await slider.focus()
  await page.keyboard.press('Home')
  // With reduced motion the playhead goes from compaction to compaction.
  await bar.getByRole('button', { name: 'Play' }).click()
  await expect(slider).toHaveAttribute('aria-valuenow', String(first), { timeout: 5_000 })
  await bar.getByRole('button', { name: 'Pause' }).click()
  await expect(bar.getByRole('button', { name: 'Play' })).toBeVisible()
})

test('2: each glyph tells what it stands for, to keys and to a pointer, and a click goes there', async ({
  page,
}) => {
  await openSample(page)
  const slider = playhead(page)
  const glyph = page.getByTestId('glyph-card')
  await slider.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press(']')
  await expect(glyph).toHaveAttribute('data-seq', String(first))
  await expect(glyph).toContainText('Compacted automatically')
  await expect(glyph).toContainText(/[\d,]+ → [\d,]+ tokens, −\d+%/)
  await expect(glyph.getByTestId('glyph-cost')).toContainText(/in [\d,]+.*out [\d,]+/)
  await expect(slider).toHaveAttribute('aria-valuetext', /Compacted automatically, [\d,]+ → /)
  await page.keyboard.press('Escape')
  await expect(glyph).toHaveCount(0)
  await page.keyboard.press('End')
  await expect(slider).toHaveAttribute('aria-valuetext', /live$/)

  const box = (await page.getByTestId('time-bar').locator('canvas').boundingBox())!
  // Beneath the curve, where the glyph has its name; right of the curve is the axis.
  const x = box.x + (first / newest) * (box.width - 44)
  await page.mouse.move(x + 2, box.y + box.height - 6)
  await expect(glyph).toHaveAttribute('data-seq', String(first))
  await page.mouse.down()
  await page.mouse.up()
  await expect(slider).toHaveAttribute('aria-valuenow', String(first))
})

test('3: everything shows the moment of the playhead; one key leads back', async ({ page }) => {
  await openAt(page, `at=${middle}`)
  const { surface, over } = foldAt(events, middle)
  expect(await surfaceOf(page)).toEqual(surface)
  const strata = await openPanel(page, 'Strata')
  await expect(strata.getByTestId('strata')).toHaveAttribute('data-at', String(middle))
  const request = await openPanel(page, 'Request')
  const call = Number(await request.getByTestId('request').getAttribute('data-call'))
  expect(call).toBeLessThanOrEqual(middle)
  await page.getByTestId('transcript').evaluate((box) => {
    box.scrollTop = 0
  })
  const gone = conversation(page).locator('[data-shadowed="true"].faded').first()
  await expect(gone).toBeVisible()
  const row = await gone.evaluate((element) =>
    Number(element.closest<HTMLElement>('article')?.dataset.seq),
  )
  expect(over.has(row)).toBe(true)
  await page.getByRole('button', { name: 'Only what the model sees' }).click()
  await expect(page.getByTestId('model-view')).toHaveAttribute('data-nodes', String(surface.length))
  await page.getByRole('button', { name: 'Whole conversation' }).click()
  await page.keyboard.press('l')
  await expect(page.getByTestId('time-bar')).toHaveAttribute('data-live', 'true')
})

test('4: before and after of a compaction, with facts and texts', async ({ page }) => {
  await openSample(page)
  const panel = await openPanel(page, 'Compare')
  const choice = panel.getByLabel('Before and after a compaction')
  const entries = await choice.locator('option').allInnerTexts()
  const index = entries.findIndex((entry) => entry.includes(`#${first}:`))
  await choice.selectOption({ index })
  const compare = panel.getByTestId('compare')
  const before = Number(await compare.getAttribute('data-before'))
  const after = Number(await page.getByTestId('time-bar').getAttribute('data-moment'))
  const [older, newer] = [foldAt(events, before).surface, foldAt(events, after).surface]
  const count = (name: string) =>
    panel.getByTestId(`compare-${name}`).getAttribute('data-count').then(Number)
  expect(await count('gone')).toBe(older.filter((seq) => !newer.includes(seq)).length)
  expect(await count('came')).toBe(newer.filter((seq) => !older.includes(seq)).length)
  await panel.getByText('Facts', { exact: true }).click()
  const facts = panel.getByTestId('facts')
  await expect(facts).toHaveAttribute('data-facts', /[1-9]/, { timeout: 20_000 })
  const lost = facts.locator('[data-link]').first()
  const stood = Number(await lost.getAttribute('data-link'))
  expect(foldAt(events, after).over.has(stood)).toBe(true)
  await lost.click()
  await expect(page).toHaveURL(new RegExp(`node=${stood}`))
  await page.goBack()
  await expect(page).not.toHaveURL(/from=/)
})

test('4: a pruned result and a record beside what came before', async ({ page }) => {
  const pen = draw()
  const user = pen.user()
  const { message, result } = pen.call()
  const pruned = pen.prune(result)
  const one = pen.summary([user, message, pruned], 'exact', 'first line\nsecond line')
  const next = pen.user()
  pen.user()
  const two = pen.summary([one, next], 'exact', 'first line\nanother line')
  await page.goto('/')
  await openDrawn(page, 'texts', pen.events)
  const id = new URL(page.url()).searchParams.get('s')
  await page.goto(`/?s=${id}&panel=compare&from=${result}&at=${pruned}&node=${pruned}`)
  await expect(page.getByTestId('pruned-diff')).toContainText('[cut]')
  await page.goto(`/?s=${id}&panel=compare&from=${two - 3}&node=${two}`)
  await page.getByText('Since the last', { exact: true }).click()
  const diff = page.getByTestId('record-diff')
  await expect(diff).toHaveAttribute('data-before', String(one))
  await expect(diff).toContainText('another line')
})

test('5: the exact request, what it shares with the one before, and ways to take it along', async ({
  page,
}) => {
  const starts = ofType(events, 'step/start')
  const after = starts.find(({ seq }) => seq > first)?.seq as number
  await openAt(page, `at=${after}&panel=request`)
  const panel = page.getByTestId('request')
  await expect(panel).toHaveAttribute('data-call', String(after))
  await expect(page.getByTestId('proof')).toHaveAttribute('data-verdict', 'equal')
  const since = page.getByTestId('since')
  await expect(since).toHaveAttribute('data-why', 'messages')
  await expect(since.locator('[data-link]').last()).toBeVisible()
  await expect(panel.locator('[data-rule="differs from the request before"]')).toHaveCount(1)
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await panel.getByRole('button', { name: 'Copy as JSON' }).click()
  await expect.poll(clipboard).toMatch(/^\{/)
  const body = JSON.parse(await clipboard())
  await panel.getByRole('button', { name: 'Copy as SDK' }).click()
  await expect.poll(clipboard).toContain('messages.create(')
  const code = await clipboard()
  const inside = code.slice(code.indexOf('create(') + 7, code.lastIndexOf(')\nconsole'))
  expect(JSON.parse(inside)).toEqual(body)
  const calm = starts.find(({ seq }, i) => {
    const last = starts[i - 1]
    if (!last) return false
    return !events.slice(last.seq, seq).some(({ surfaceOp }) => typeof surfaceOp === 'object')
  })?.seq as number
  const id = new URL(page.url()).searchParams.get('s')
  await page.goto(`/?s=${id}&at=${calm}&panel=request`)
  await expect(page.getByTestId('since')).toHaveAttribute('data-why', 'whole')
})

test('6: the log by kind, standing, turn and text', async ({ page }) => {
  await openSample(page)
  const panel = await openPanel(page, 'Log')
  const count = panel.getByTestId('log-count')
  await panel.getByLabel('Standing of events').selectOption('shadowed')
  const { over, surface } = foldAt(events, newest)
  await expect(count).toHaveText(`${over.size} of ${events.length} events`)
  await panel.getByLabel('Standing of events').selectOption('surface')
  await expect(count).toHaveText(`${surface.length} of ${events.length} events`)
  await panel.getByLabel('Standing of events').selectOption('any')
  const turn = ofType(events, 'turn/start')[1]
  const end = ofType(events, 'turn/end').find(({ seq }) => seq > (turn?.seq ?? 0))
  await panel.getByLabel('Turn', { exact: true }).fill(String(turn?.data.turn))
  const inTurn = (end?.seq ?? 0) - (turn?.seq ?? 0) + 1
  await expect(count).toHaveText(`${inTurn} of ${events.length} events`)
  await panel.getByLabel('Turn', { exact: true }).fill('')
  const text = events.find(({ type }) => type === 'tool/result')?.data.content[0].text as string
  const needle = text.slice(0, 24).split('\n')[0] as string
  await panel.getByLabel('Text in the log').fill(needle)
  await expect(count).not.toContainText('to read', { timeout: 20_000 })
  await expect(count).toHaveText(/^[1-9]\d* of/)
})

test('7: a range that was worked out is not drawn like an exact one', async ({ page }) => {
  const pen = draw()
  SHAPES.derived?.(pen)
  await page.goto('/')
  await openDrawn(page, 'doubt', pen.events)
  const panel = await openPanel(page, 'Strata')
  await expect(panel.getByTestId('strata')).toHaveAttribute('data-doubts', '1')
  await expect(panel.getByTestId('legend-doubt')).toBeVisible()
  await panel.getByTestId('strata').focus()
  await page.keyboard.press('Home')
  await expect(panel.getByTestId('detail')).toContainText('its range is derived')
  await panel.getByRole('button', { name: 'Show as a list' }).click()
  await expect(panel.getByRole('treeitem').first()).toContainText('range derived')
})

test('8: a link reopens the view; back undoes a comparison; elsewhere it offers the import', async ({
  page,
}) => {
  await openAt(page, `at=${middle}&node=${first}&panel=surface&from=${first}`)
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Surface' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByTestId('time-bar')).toHaveAttribute('data-moment', String(middle))
  await expect(page.getByTestId('detail')).toHaveAttribute('data-seq', String(first))
  const compare = await openPanel(page, 'Compare')
  await compare.getByRole('button', { name: /^Keep #/ }).click()
  await expect(page).toHaveURL(new RegExp(`from=${middle}`))
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`from=${first}`))
  await page.goto('/?s=not-here&at=3&panel=log')
  await expect(page.getByText('This session is not in this browser')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import it' })).toBeVisible()
})

test('9: ten megabytes in one message are shown a piece at a time', async ({ page }) => {
  const pen = draw()
  pen.user()
  const big = pen.user(words(1_700_000))
  pen.reply()
  await page.goto('/')
  await openDrawn(page, 'big', pen.events)
  await openPanel(page, 'Surface')
  await page.locator(`[role="option"][data-seq="${big}"]`).click()
  const detail = page.getByTestId('detail')
  const shown = () => detail.locator('pre').evaluate((pre) => pre.textContent?.length ?? 0)
  await expect(detail.getByRole('button', { name: 'Show more' })).toBeVisible({ timeout: 20_000 })
  const before = await shown()
  expect(before).toBeLessThan(10_000)
  await detail.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(shown).toBeGreaterThan(before)
  expect(await shown()).toBeLessThan(100_000)
})
