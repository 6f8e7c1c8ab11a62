/** Ranges in the picture, layers taken back many turns later, forks, and what a finger can reach. */

import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/app'
import { requestsWith, unique } from './support/fake'
import { FILES, reading, rows, SMALL } from './support/filled'
import { foldAt, ofType, textOf } from './support/log'
import {
  ask,
  card,
  composer,
  expectCleanLog,
  exportLog,
  idle,
  openPanel,
  say,
  startChat,
  surfaceOf,
} from './support/workbench'

/** Clicks something further up: the list draws only what is near the view, and opens at its end. */
const clickFurtherUp = (page: Page, target: Locator): Promise<void> =>
  expect(async () => {
    const box = page.getByTestId('transcript')
    for (let top = 0; (await target.count()) === 0 && top < 6000; top += 300)
      await box.evaluate((list, to) => {
        list.scrollTo(0, to)
        return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
      }, top)
    await target.click({ timeout: 2000 })
  }).toPass()

/** Presses on one node of the picture's top row, every node being one wide, and lets go over another. */
async function dragOver(
  page: Page,
  picture: Locator,
  [one, other]: readonly [number, number],
  of: number,
): Promise<void> {
  const area = (await picture.boundingBox())!
  const top = Number(await picture.getAttribute('data-top'))
  const row = Number(await picture.getAttribute('data-row'))
  const at = (index: number) => area.x + ((index + 0.5) / of) * area.width
  const y = area.y + top + row / 2
  await page.mouse.move(at(one), y)
  await page.mouse.down()
  await page.mouse.move((at(one) + at(other)) / 2, y + 2)
  await page.mouse.move(at(other), y)
  await page.mouse.up()
}

test('[P1] [K1] a range dragged in Strata snaps to whole units, and is copied, pinned and compacted', async ({
  page,
}) => {
  const word = unique('range')
  await startChat(page, SMALL)
  await ask(page, `${word} ${reading(FILES.slice(0, 3))}`, 'That is done.')
  await ask(page, `small talk ${word}`, 'small talk')
  const whole = await surfaceOf(page)
  const panel = await openPanel(page, 'Strata')
  await panel.getByText('Count', { exact: true }).click()
  const picture = page.getByRole('application', { name: /^Strata/ })
  await expect(picture).toHaveAttribute('data-total', `${whole.length}`)

  // From the first result into the second: the call and all three answers come along.
  await dragOver(page, picture, [2, 3], whole.length)
  const bar = page.getByRole('toolbar', { name: 'Chosen range' })
  await expect(bar).toHaveAttribute('data-start', `${whole[1]}`)
  await expect(bar).toHaveAttribute('data-end', `${whole[4]}`)
  await bar.getByRole('button', { name: 'Copy the text' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('Berth planner: gives')
  await bar.getByRole('button', { name: 'Pin', exact: true }).click()
  await expect(bar).toContainText('4 pinned')
  await expect(bar).toContainText('Every message in it is pinned.')
  await expect(bar.getByRole('button', { name: 'Compact…' })).toBeDisabled()
  await bar.getByRole('button', { name: 'Unpin', exact: true }).click()
  await bar.getByRole('button', { name: 'Compact…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Compact now' }).click()
  await expect(card(page, 'Compacted a region')).toBeVisible()
  await idle(page)

  await page.reload()
  await expect(card(page, 'Compacted a region')).toBeVisible()
  const { events } = await exportLog(page)
  const [summary] = ofType(events, 'compact/summary')
  expect(summary!.data.shadowedSeqs).toEqual(whole.slice(1, 5))
  expect(ofType(events, 'pin/set').map(({ data }) => data.seqs)).toEqual([
    whole.slice(1, 5),
    whole.slice(1, 5),
  ])
  expect(await surfaceOf(page)).toEqual(foldAt(events, events.length - 1).surface)
  await expectCleanLog(page)
})

test('[S7] [K2] many turns later a merged checkpoint comes back through its layers, one undo puts all back, and a turn is forked', async ({
  page,
}) => {
  const word = unique('layers')
  await startChat(page, SMALL)
  await ask(page, `one ${word} ${reading(FILES.slice(0, 2))}`, 'That is done.')
  await ask(page, `two ${word}`, 'two')
  await say(page, `/compact first ${word}`)
  await expect(card(page, 'Compacted by you')).toHaveCount(1)
  const afterFirst = await surfaceOf(page)
  await ask(page, `three ${word} ${reading(FILES.slice(2, 4))}`, 'That is done.')
  await ask(page, `four ${word}`, 'four')
  await say(page, `/compact second ${word}`)
  await expect(card(page, 'Compacted by you')).toHaveCount(2)
  await idle(page)
  for (const later of ['five', 'six']) await ask(page, `${later} ${word}`, later)
  const compacted = await surfaceOf(page)
  await page.reload()

  const inner = card(page, 'Compacted by you').filter({ hasText: `first ${word}` })
  const merged = inner.filter({ hasText: 'merged into' })
  await clickFurtherUp(page, merged.getByRole('button', { name: 'Restore', exact: true }))
  const popover = page.getByRole('dialog', { name: /^Restore #/ })
  await expect(popover).toContainText('A later summary has taken it in')
  await popover.getByRole('button', { name: 'Put it back' }).click()
  await expect(inner).toContainText('restored: the originals are back')
  await expect(popover).toHaveCount(0)
  const restored = await exportLog(page)
  const { surface } = foldAt(restored.events, restored.events.length - 1)
  expect(ofType(restored.events, 'surface/restore')).toHaveLength(2)
  // What the first compaction took, what stood after it then, and what was said since.
  const taken = ofType(restored.events, 'compact/summary')[0]!.data.shadowedSeqs as number[]
  expect(surface.slice(0, taken.length)).toEqual(taken)
  expect(surface).toEqual(expect.arrayContaining(afterFirst.slice(1)))
  expect(surface.slice(-4)).toEqual(compacted.slice(-4))

  await page.reload()
  await clickFurtherUp(page, inner.getByRole('button', { name: 'Undo restore' }))
  await expect.poll(async () => (await surfaceOf(page)).length).toBe(compacted.length)
  await idle(page)
  expect((await surfaceOf(page)).slice(1)).toEqual(compacted.slice(1))
  expect(await requestsWith(`second ${word}`)).toHaveLength(1)
  await ask(page, `seven ${word}`, 'seven')
  await expectCleanLog(page)

  const original = page.url()
  const second = rows(page, 'user').filter({ hasText: `two ${word}` })
  await clickFurtherUp(page, second.getByRole('button', { name: /^More for/ }))
  await page.getByRole('menuitem', { name: 'Fork after this turn' }).click()
  await expect.poll(() => page.url()).not.toBe(original)
  await expect(rows(page, 'user')).toHaveCount(2)
  await expect(card(page, /^Compacted/)).toHaveCount(0)
  await ask(page, `other ${word}`, 'other')
  const { events } = await exportLog(page)
  expect(ofType(events, 'user/message').map((event) => textOf(event).split(' ')[0])).toEqual([
    'one',
    'two',
    'other',
  ])
  await expectCleanLog(page)
})

test('[C4] asked for while a reply is written: said at once, taken back, asked again, and done after the step', async ({
  page,
}) => {
  const word = unique('during')
  await startChat(page, SMALL)
  await ask(page, `${word} ${reading(FILES.slice(0, 3))}`, 'That is done.')
  await ask(page, `small talk ${word}`, 'small talk')
  await say(page, `slow ${word} [[delay: 50]] [[long: 160]]`)
  await expect(page.getByTestId('live-status')).toHaveText('The model is writing')
  await say(page, `/compact ${word}`)
  const bar = page.getByRole('region', { name: 'Compaction asked for' })
  await expect(bar).toContainText('begins when this step has ended')
  await bar.getByRole('button', { name: 'Take it back' }).click()
  await expect(bar).toHaveCount(0)
  await expect(page.getByTestId('live-status')).toHaveText('The model is writing')
  await say(page, `/compact ${word}`)
  await expect(bar).toBeVisible()
  await expect(card(page, 'Compacted by you')).toHaveCount(1)
  await expect(bar).toHaveCount(0)
  await idle(page)
  const { events } = await exportLog(page)
  expect(ofType(events, 'compact/start').map(({ data }) => data.trigger)).toEqual(['manual'])
  expect(ofType(events, 'turn/end').at(-1)!.data.reason).toBe('completed')
  await expectCleanLog(page)
})

test.describe('with a finger, at 390 px', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('[K1] [K2] the menu of a message is there without hovering: kept, chosen as a region, forked', async ({
    page,
  }) => {
    const word = unique('finger')
    await startChat(page)
    await say(page, `where is THRESHOLD defined ${word}`)
    await expect(rows(page, 'assistant').last()).toBeVisible()
    await idle(page)
    const menu = rows(page, 'user')
      .first()
      .getByRole('button', { name: /^More for/ })
    await menu.scrollIntoViewIfNeeded()
    await expect(menu).toHaveCSS('opacity', '1')
    const box = (await menu.boundingBox())!
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(32)
    const choose = async (name: string) => {
      await menu.click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Pin: never compact this')
    await expect(rows(page, 'user').first()).toContainText('pinned')
    await choose('Select from here …')
    const bar = page.getByRole('region', { name: 'Chosen region' })
    await expect(bar).toContainText('A region begins at')
    await rows(page, 'assistant')
      .last()
      .getByRole('button', { name: /^More for/ })
      .click()
    await page.getByRole('menuitem', { name: '… to here' }).click()
    await expect(bar).toContainText('1 pinned')
    await bar.getByRole('button', { name: 'Let go of the range' }).click()
    const original = page.url()
    await choose('Edit in a fork')
    await expect.poll(() => page.url()).not.toBe(original)
    await expect(composer(page)).toHaveValue(`where is THRESHOLD defined ${word}`)
  })
})
