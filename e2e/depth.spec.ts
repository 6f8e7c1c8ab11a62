/** What is too large for one summary, and what the model finds again beneath one. */

import { expect, test } from './support/app'
import { requestsWith, unique } from './support/fake'
import { ofType, textOf } from './support/log'
import {
  ask,
  card,
  conversation,
  expectCleanLog,
  exportLog,
  idle,
  say,
  startChat,
  surfaceOf,
} from './support/workbench'

/** About 22,000 tokens, more than a window of 16k; what is asked of the stand-in stands in every part of it. */
const long = (word: string): string =>
  `${'berth and quay and crane '.repeat(150)} ${word} [[summary: delay 40]] `.repeat(24)

test('[C10] a span twice the summariser’s window is read in parts: progress, a cancel, then a record of all of it', async ({
  page,
}) => {
  const word = unique('parts')
  await startChat(page, 'Claude Haiku 5.5')
  for (const part of ['one', 'two', 'three'])
    await ask(page, `${part} ${word} ${long(word)}`, new RegExp(`You said “${part} ${word}`))
  await ask(page, `small talk ${word}`, `You said “small talk ${word}”`)
  const whole = await surfaceOf(page)

  await page.getByRole('button', { name: 'Compact…' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Compact this session' })
  await dialog.getByLabel('Written by').selectOption({ label: 'Small window' })
  await dialog.getByRole('button', { name: 'Draft and review' }).click()
  const review = page.getByRole('dialog', { name: /^Compact #/ })
  await expect(review.getByRole('status')).toContainText(/Reading part 2 of \d/, {
    timeout: 30_000,
  })
  await page.keyboard.press('Escape')
  await expect(review).toContainText('Cancelled')
  await review.getByRole('button', { name: 'Write a draft' }).click()
  const commit = review.getByRole('button', { name: /^Commit this text/ })
  await expect(commit).toBeEnabled({ timeout: 60_000 })
  await commit.click()
  await expect(review).toBeHidden()
  await expect(card(page, 'Compacted by you')).toBeVisible()
  await idle(page)

  const asked = (await requestsWith(word)).filter(({ kind }) => kind === 'summary')
  expect(asked.map(({ status }) => status).every((status) => status === 200)).toBe(true)
  expect(new Set(asked.map(({ model }) => model))).toEqual(new Set(['fake-small-16k']))
  expect(asked.length).toBeGreaterThan(4)
  await page.reload()
  await expect(card(page, 'Compacted by you')).toBeVisible()
  const { events } = await exportLog(page)
  expect(ofType(events, 'compact/end').map(({ data }) => data.error?.code ?? 'done')).toEqual([
    'cancelled',
    'drafted',
    'done',
  ])
  expect(ofType(events, 'compact/window').length).toBeGreaterThan(2)
  expect(ofType(events, 'compact/summary')[0]!.data.shadowedSeqs).toEqual(
    whole.slice(0, ofType(events, 'compact/summary')[0]!.data.shadowedSeqs.length),
  )
  await expectCleanLog(page)
})

test('[K3] after a compaction the model finds what was said and reads it again, at the tail', async ({
  page,
}) => {
  const word = unique('recall')
  await startChat(page, 'Small window')
  const reading = ['berth_planner', 'crane_dispatch', 'customs_clerk']
    .map((name) => `[[call: read_file {"path":"agents/${name}.py"}]]`)
    .join(' ')
  await ask(page, `the password is heron ${word} ${reading}`, 'That is done.')
  await ask(page, `small talk ${word}`, 'small talk')
  await say(page, `/compact ${word}`)
  await expect(card(page, 'Compacted by you')).toBeVisible()
  await idle(page)
  await page.reload()
  const calls =
    '[[call: recall_search {"query":"Berth planner gives"}]] [[then]] [[call: recall_read {"from":2,"to":2}]]'
  await say(page, `look it up ${calls} [[reply: Found it.]]`)
  await expect(conversation(page).getByText('Found it.', { exact: true })).toBeVisible()
  await idle(page)
  const { events } = await exportLog(page)
  const results = ofType(events, 'tool/result').slice(-2)
  expect(results.map(({ data }) => [data.name, data.isError, data.content.length])).toEqual([
    ['recall_search', false, 1],
    ['recall_read', false, 1],
  ])
  expect(textOf(results[0]!)).toContain('Berth planner')
  expect(textOf(results[1]!)).toContain(`the password is heron ${word}`)
  // Ordinary results at the tail: what was replaced stays replaced.
  expect(results.every(({ surfaceOp }) => surfaceOp === 'append')).toBe(true)
  expect((await surfaceOf(page)).slice(-5)).toContain(results[1]!.seq)
  await expectCleanLog(page)
})
