/** Compaction in a person's hands: review, regions, pins, restores, forks, and what helps when it stops. */

import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/app'
import { begun, closed, requestsWith, unique } from './support/fake'
import { FILES, filled, reading, rows, SMALL } from './support/filled'
import { ofType, textOf } from './support/log'
import {
  ask,
  card,
  composer,
  conversation,
  dismiss,
  expectCleanLog,
  exportLog,
  idle,
  importFiles,
  openPanel,
  PIXEL,
  rowMenu,
  say,
  startChat,
  surfaceOf,
} from './support/workbench'

const review = (page: Page): Locator => page.getByRole('dialog', { name: /^Compact #/ })
const commitButton = (page: Page): Locator =>
  review(page).getByRole('button', { name: /^Commit this text/ })

/** From the Compact… button to a review with its first draft being written. */
async function draft(page: Page, focus: string): Promise<void> {
  await page.getByRole('button', { name: 'Compact…' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Compact this session' })
  await dialog.getByLabel('Focus').fill(focus)
  await dialog.getByRole('button', { name: 'Draft and review' }).click()
  await expect(dialog).toBeHidden()
  await expect(review(page)).toBeVisible()
}

test('[C16] a draft beside what it would shadow, written again, edited, and committed to the letter', async ({
  page,
}) => {
  const word = unique('review')
  await filled(page, word)
  const whole = await surfaceOf(page)
  await draft(page, `keep ${word}`)

  await test.step('what it takes, costs and saves', async () => {
    await expect(commitButton(page)).toBeEnabled()
    const list = review(page).getByRole('list', { name: 'Nodes that will be shadowed' })
    await expect(list.locator('[data-seq]').first()).toHaveAttribute('data-seq', `${whole[0]}`)
    await expect(review(page).getByTestId('draft-words')).toContainText(
      /draft 1 of 1 · fake-small-16k · .*in [\d,]+.* · out \d+/,
    )
    const effect = review(page).getByTestId('effect')
    const [before, after] = await Promise.all(
      ['data-before', 'data-after'].map(async (name) => Number(await effect.getAttribute(name))),
    )
    expect(before! - after!).toBeGreaterThan(3000)
    expect(await surfaceOf(page).catch(() => whole)).toEqual(whole)
  })

  await test.step('the prompt behind it', async () => {
    await review(page).getByRole('button', { name: 'Show the prompt' }).click()
    await expect(review(page).getByRole('region', { name: 'Prompt' })).toContainText(
      '## Request and intent',
    )
    await review(page).getByRole('button', { name: 'Show the summary' }).click()
  })

  await test.step('written again: both drafts stay', async () => {
    await review(page).getByRole('button', { name: 'Regenerate' }).click()
    await expect(review(page).getByTestId('draft-words')).toContainText('draft 2 of 2')
    await review(page).getByRole('button', { name: 'The draft before' }).click()
    await expect(review(page).getByTestId('draft-words')).toContainText('draft 1 of 2')
  })

  const asked = (await requestsWith(`keep ${word}`)).length
  expect(asked).toBe(2)
  await test.step('edited, the lost appended, committed', async () => {
    await review(page).getByText('Edit', { exact: true }).click()
    await review(page)
      .getByRole('textbox', { name: 'Summary text' })
      .fill(`## Request and intent\n\nOnly ${word} matters.`)
    await review(page).getByText('Read', { exact: true }).click()
    const facts = review(page).getByRole('region', { name: 'Facts' })
    await facts.getByRole('button', { name: /^Append/ }).click()
    await expect(review(page).getByRole('region', { name: 'Appended' })).toContainText(
      'data/berths.csv',
    )
    await commitButton(page).click()
    await expect(review(page)).toBeHidden()
  })
  const done = card(page, 'Compacted by you')
  await expect(done.getByTestId('economics')).toContainText(/in [\d,]+.*saves [\d.]+k a request/)
  expect((await requestsWith(`keep ${word}`)).length).toBe(asked)

  const { events } = await exportLog(page)
  const drafts = ofType(events, 'compact/draft')
  expect(drafts).toHaveLength(2)
  const start = ofType(events, 'compact/start').at(-1)!
  expect(start.data.draftSeq).toBe(drafts[0]!.seq)
  const [summary] = ofType(events, 'compact/summary')
  expect(summary!.data.summary).toBe(`## Request and intent\n\nOnly ${word} matters.`)
  expect(summary!.data.edited).toBe(true)
  expect(summary!.data.literals).toContain('data/berths.csv')
  await ask(page, `after ${word}`, `You said “after ${word}”`)
  const sent = JSON.stringify((await requestsWith(`after ${word}`)).at(-1)!.body.messages)
  expect(sent).toContain(`Only ${word} matters.`)
  expect(sent).toContain('- data/berths.csv')
  await expectCleanLog(page)
})

test('[C4] Escape ends a draft at once and keeps the review; a draft that no longer fits says so', async ({
  page,
}) => {
  const word = unique('escape')
  await filled(page, word, '[[summary: delay 120]]')
  const whole = await surfaceOf(page)
  await draft(page, `hold ${word}`)
  const entry = await begun(`hold ${word}`, 'summary')
  await expect(review(page).getByRole('status')).toContainText('characters written')
  const at = Date.now()
  await page.keyboard.press('Escape')
  expect((await closed(entry, `hold ${word}`, at)).after).toBeLessThan(1000)
  await expect(review(page)).toContainText('Cancelled')
  await review(page).getByRole('button', { name: 'Write a draft' }).click()
  await expect(commitButton(page)).toBeEnabled({ timeout: 30_000 })
  await dismiss(review(page))
  expect(await surfaceOf(page)).toEqual(whole)

  await page.reload()
  await card(page, 'Summary drafted').getByRole('button', { name: 'Review' }).click()
  await expect(commitButton(page)).toBeEnabled()
  await review(page).getByRole('button', { name: 'Close' }).click()
  await say(page, `/compact ${word} at once`)
  await expect(card(page, 'Compacted by you')).toBeVisible({ timeout: 30_000 })
  await expect(card(page, 'Summary drafted')).toContainText('no longer fits')
  await expectCleanLog(page)
})

test('[K1] a region chosen in the chat snaps to whole units, leaves the pinned out, and becomes two summaries', async ({
  page,
}) => {
  const word = unique('region')
  await startChat(page, SMALL)
  await ask(page, `first ${word} ${reading(FILES.slice(0, 1))}`, 'That is done.')
  await page.getByRole('button', { name: /^Keep this/ }).click()
  await ask(page, `keep me ${word}`, 'keep me')
  await ask(page, `second ${word} ${reading(FILES.slice(1, 2))}`, 'That is done.')
  await ask(page, `third ${word}`, 'third')
  await expect(rows(page, 'user').nth(1)).toContainText('pinned')

  await rowMenu(page, rows(page, 'user').first(), 'Select from here …')
  const bar = page.getByRole('region', { name: 'Chosen region' })
  await expect(bar).toContainText('A region begins at')
  // The reply with the call: its result must come along.
  await rowMenu(page, rows(page, 'user').last(), '… to here')
  await expect(bar).toContainText('1 pinned')
  await bar.getByRole('button', { name: 'Copy the text' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(`keep me ${word}`)
  await bar.getByRole('button', { name: 'Compact…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Compact #/ })
  await expect(dialog.getByTestId('plan')).toContainText('2 summaries')
  await dialog.getByRole('button', { name: 'Draft and review' }).click()
  await expect(commitButton(page)).toBeEnabled()
  await expect(review(page)).toContainText('It parts the span into 2 runs')
  await commitButton(page).click()
  await expect(commitButton(page)).toHaveText(/run 2 of 2/)
  await commitButton(page).click()
  await expect(review(page)).toBeHidden()
  const { events } = await exportLog(page)
  const pinned = ofType(events, 'pin/set')[0]!.data.seqs[0] as number
  expect(ofType(events, 'compact/summary')).toHaveLength(2)
  for (const { data } of ofType(events, 'compact/summary'))
    expect(data.shadowedSeqs).not.toContain(pinned)
  expect(await surfaceOf(page)).toContain(pinned)
  await expectCleanLog(page)
})

test('a region chosen in the list of nodes with shift, by mouse and by keys', async ({ page }) => {
  const word = unique('list')
  await filled(page, word)
  const panel = await openPanel(page, 'Surface')
  const options = panel.getByRole('option')
  const result = options.filter({ hasText: 'tool result' })
  await result.first().click()
  await result.nth(1).click({ modifiers: ['Shift'] })
  const bar = panel.getByRole('region', { name: 'Chosen region' })
  // A call and its results go together: the message that made them and all three answers.
  const whole = await surfaceOf(page)
  await expect(bar).toHaveAttribute('data-start', `${whole[1]}`)
  await expect(bar).toHaveAttribute('data-end', `${whole[4]}`)
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await options.first().click()
  await options.first().press('Shift+ArrowDown')
  await expect(bar).toHaveAttribute('data-start', `${whole[0]}`)
  await bar.getByRole('button', { name: 'Pin', exact: true }).click()
  await expect(bar.getByRole('button', { name: 'Unpin', exact: true })).toBeVisible()
  await expect(bar).toContainText('Every message in it is pinned.')
})

test('[S7] a restore says what it comes to, and is undone in one click from the toast and from the card', async ({
  page,
}) => {
  const word = unique('restore')
  await filled(page, word)
  const whole = await surfaceOf(page)
  await say(page, `/compact ${word}`)
  const done = card(page, 'Compacted by you').first()
  await expect(done).toBeVisible()
  const compacted = await surfaceOf(page)
  const restore = async () => {
    await done.getByRole('button', { name: 'Restore', exact: true }).click()
    const popover = page.getByRole('dialog', { name: /^Restore #/ })
    await expect(popover).toContainText(/Back to [\d.]+k of 16k, from [\d.]+k now/)
    await popover.getByRole('button', { name: 'Put it back' }).click()
    await expect(done).toContainText('restored: the originals are back')
  }
  await restore()
  // The toast goes by itself, not with the session: it leads back there.
  const first = page.url()
  await page.getByRole('button', { name: 'New session' }).click()
  await page.getByRole('menuitem', { name: 'Empty' }).click()
  await expect(page).not.toHaveURL(first)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(card(page, 'Compacted by you')).toHaveCount(2)
  expect((await surfaceOf(page)).length).toBe(compacted.length)
  const again = card(page, 'Compacted by you').last()
  await again.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('button', { name: 'Put it back' }).click()
  await expect(again).toContainText('restored: the originals are back')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  expect(await surfaceOf(page)).toEqual(whole)
  await page.reload()
  await again.getByRole('button', { name: 'Undo restore' }).click()
  await expect.poll(async () => (await surfaceOf(page)).length).toBe(compacted.length)
  await expectCleanLog(page)
})

test('[C11] [M4] where images fill the request and nothing is left to compact, the screen says so', async ({
  page,
}) => {
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: PIXEL.toString('base64') },
  }
  const messages = [
    {
      role: 'user',
      content: [{ type: 'text', text: 'What are these?' }, ...Array(101).fill(image)],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'A hundred and one pixels.' }] },
  ]
  const buffer = Buffer.from(JSON.stringify({ model: 'claude-sonnet-5-5', messages }))
  await page.goto('/')
  const report = await importFiles(page, [
    { name: 'pixels.json', mimeType: 'application/json', buffer },
  ])
  await dismiss(report)
  const explainer = page.getByRole('region', { name: 'Automatic compaction has stopped' })
  await expect(explainer).toContainText('101 of 100')
})

test('[C11] where pins leave nothing to compact, the screen says what takes the room, and each way out works', async ({
  page,
}) => {
  const word = unique('floor')
  await startChat(page, SMALL)
  await ask(page, `${word} ${reading(FILES)}`, 'That is done.')
  const explainer = page.getByRole('region', { name: 'Automatic compaction has stopped' })
  await openPanel(page, 'Surface')
  const result = page.getByRole('option').filter({ hasText: 'tool result' }).first()
  await result.click()
  await page.getByRole('button', { name: 'Pin', exact: true }).click()

  await expect(explainer).toContainText(/pinned messages\s*[\d,]+ tok/)
  await page.getByRole('button', { name: /^Context:/ }).click()
  await expect(page.getByRole('region', { name: 'Pinned' })).toContainText(/5 pinned messages/)
  await dismiss(page.getByRole('dialog', { name: 'Context by part' }))

  await test.step('without tools', async () => {
    await explainer.getByRole('button', { name: /^Leave out the tools/ }).click()
    await ask(page, `bare ${word}`, 'bare')
    const sent = (await requestsWith(`bare ${word}`)).findLast(({ kind }) => kind === 'step')!
    expect(sent.body.tools ?? []).toEqual([])
    await page.getByRole('button', { name: /^Context:/ }).click()
    await page.getByRole('button', { name: 'Put them back' }).click()
    await page.getByRole('dialog', { name: 'Context by part' }).press('Escape')
    await ask(page, `clad ${word}`, 'clad')
    const later = (await requestsWith(`clad ${word}`)).findLast(({ kind }) => kind === 'step')!
    expect(later.body.tools.length).toBeGreaterThan(3)
  })
  await test.step('another model', async () => {
    await explainer.getByRole('button', { name: /^Use Claude/ }).click()
    await expect(explainer).toHaveCount(0)
    await page.getByRole('button', { name: /^Model: / }).click()
    await page.getByRole('menuitemcheckbox', { name: new RegExp(`^${SMALL}`) }).click()
    await page.getByRole('button', { name: 'Switch now' }).click()
    await expect(explainer).toBeVisible()
  })
  await test.step('unpinned', async () => {
    await explainer.getByRole('button', { name: /^Unpin/ }).click()
    await expect(page.getByText('pinned messages')).toHaveCount(0)
    // The large unit reaches into the recent tail, which only a person may take.
    await explainer.getByRole('button', { name: 'Compact by hand…' }).click()
    await page.getByRole('button', { name: 'Compact now' }).click()
    await expect(card(page, 'Compacted by you')).toBeVisible()
    await expect(explainer).toHaveCount(0)
  })
  await expectCleanLog(page)
})

test('[C16] automatic runs that ask first leave a draft; nothing is replaced before it is committed', async ({
  page,
}) => {
  const word = unique('first')
  await startChat(page, SMALL)
  await page.getByRole('button', { name: 'Compact…' }).click()
  await page.getByRole('checkbox', { name: /^Automatic compactions ask first/ }).check()
  await page.getByRole('button', { name: 'Cancel' }).click()
  // Words, not results: those would be set aside first.
  for (const part of ['first', 'second'])
    await ask(page, `${part} ${word} ${'berth and quay '.repeat(1150)}`, /You said “/)
  await ask(page, `go on ${word}`, `You said “go on ${word}”`)
  const bar = page.getByRole('region', { name: 'Waiting for review' })
  await expect(bar).toBeVisible()
  const before = (await surfaceOf(page)).length
  await bar.getByRole('button', { name: 'Review' }).click()
  await commitButton(page).click()
  await expect(review(page)).toBeHidden()
  await expect(bar).toHaveCount(0)
  expect((await surfaceOf(page)).length).toBeLessThan(before)
  await expectCleanLog(page)
})

test('[K2] an earlier message is changed, and a reply made again, in forks of their own', async ({
  page,
}) => {
  const word = unique('fork')
  await startChat(page, SMALL)
  await ask(page, `one ${word}`, `You said “one ${word}”`)
  await ask(page, `two ${word}`, `You said “two ${word}”`)
  const original = page.url()
  await rowMenu(page, rows(page, 'user').last(), /^Edit in a fork/)
  await expect(composer(page)).toHaveValue(`two ${word}`)
  await expect(conversation(page).getByText(`one ${word}`, { exact: true })).toBeVisible()
  await expect(rows(page, 'user')).toHaveCount(1)
  await ask(page, `changed ${word}`, `You said “changed ${word}”`)
  const { events } = await exportLog(page)
  expect(ofType(events, 'user/message').map(textOf)).toEqual([`one ${word}`, `changed ${word}`])
  await expectCleanLog(page)

  await page.goto(original)
  await expect(rows(page, 'user')).toHaveCount(2)
  await rowMenu(page, rows(page, 'assistant').first(), /^Regenerate in a fork/)
  await expect.poll(() => page.url()).not.toBe(original)
  await expect(rows(page, 'user')).toHaveCount(1)
  await expect(conversation(page).getByText(`You said “one ${word}”`)).toBeVisible()
  await idle(page)
  await expectCleanLog(page)
})

test('[K1] a message kept while it waits in the queue is pinned when it is sent', async ({
  page,
}) => {
  const word = unique('queued')
  await startChat(page, SMALL)
  await say(page, `slow ${word} [[delay: 60]] [[long: 60]]`)
  await page.getByRole('button', { name: /^Keep this/ }).click()
  await say(page, `kept ${word}`)
  await expect(page.getByRole('region', { name: 'Queued messages' })).toContainText(`kept ${word}`)
  await expect(conversation(page).getByText(`You said “kept ${word}”`)).toBeVisible({
    timeout: 30_000,
  })
  await expect(rows(page, 'user').last()).toContainText('pinned')
  const { events } = await exportLog(page)
  const kept = ofType(events, 'user/message').find((event) => textOf(event) === `kept ${word}`)!
  expect(ofType(events, 'pin/set').map(({ data }) => data)).toEqual([
    { seqs: [kept.seq], pinned: true },
  ])
  await expectCleanLog(page)
})
