/** Compaction against the strict stand-in: through the real server action, seen on the card, in the log and at the provider. */

import type { Page } from '@playwright/test'
import { expect, test } from './support/app'
import { begun, closed, requestsWith, unique } from './support/fake'
import { FILES, filled, reading, SMALL } from './support/filled'
import { foldAt, ofType, readLog, textOf } from './support/log'
import {
  ask,
  card,
  conversation,
  download,
  expectCleanLog,
  exportLog,
  idle,
  say,
  startChat,
  surfaceOf,
} from './support/workbench'

async function compactNow(page: Page, focus = ''): Promise<void> {
  await page.getByRole('button', { name: 'Compact…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compact this session' })
  if (focus) await dialog.getByLabel('Focus').fill(focus)
  await dialog.getByRole('button', { name: 'Compact now' }).click()
  await expect(dialog).toBeHidden()
}

/** `5,912 → 1,204 tokens` of a card, as numbers. */
async function beforeAndAfter(page: Page, name: string): Promise<[number, number]> {
  const text = (await card(page, name).first().getByText(/→/).first().textContent()) ?? ''
  const [, before, after] = /([\d,]+)\s*→\s*([\d,]+)/.exec(text)!
  return [Number(before!.replace(/,/g, '')), Number(after!.replace(/,/g, ''))]
}

test('compacted by hand: focus, card, request, download of what was before, and restored', async ({
  page,
}) => {
  const word = unique('manual')
  await filled(page, word)
  const whole = await surfaceOf(page)
  const before = await exportLog(page)
  await compactNow(page, `keep ${word} in mind`)
  const name = 'Compacted by you'

  const seen = async () => {
    await expect(card(page, name)).toContainText(`Focus: keep ${word} in mind`)
    await expect(card(page, name)).toContainText('manual')
    const [from, to] = await beforeAndAfter(page, name)
    expect(from).toBeGreaterThan(to + 3000)
  }
  await seen()
  await page.reload()
  await seen()

  const { events } = await exportLog(page)
  const [start] = ofType(events, 'compact/start')
  const [summary] = ofType(events, 'compact/summary')
  const bracket = events.slice(start!.seq)
  expect(bracket.map(({ type }) => type)).toEqual([
    'compact/start',
    'compact/summary',
    'user/message',
    'compact/end',
  ])
  expect(summary!.data.shadowedSeqs).toEqual(
    foldAt(events, events.length - 1).shadows.get(bracket[2]!.seq),
  )
  expect(await surfaceOf(page)).toEqual(foldAt(events, events.length - 1).surface)
  const asked = (await requestsWith(`keep ${word} in mind`)).filter(
    ({ kind }) => kind === 'summary',
  )
  expect(asked).toHaveLength(1)
  expect(asked[0]!.status).toBe(200)

  await test.step('the transcript as it stood before', async () => {
    const saved = (entry: RegExp) =>
      download(page, async () => {
        await card(page, name)
          .getByRole('button', { name: 'Download what was there before' })
          .click()
        await page.getByRole('menuitem', { name: entry }).click()
      })
    const log = readLog((await saved(/^Before, as JSONL/)).text)
    expect(log.events).toEqual(before.events)
    const markdown = (await saved(/^Before, as Markdown/)).text
    for (const event of ofType(events.slice(0, start!.seq), 'tool/result'))
      expect(markdown).toContain(textOf(event))
    expect(markdown).not.toContain('Compaction')
  })

  await test.step('the next request carries the summary instead', async () => {
    await ask(page, `after ${word}`, `You said “after ${word}”`)
    const sent = (await requestsWith(`after ${word}`)).find(({ kind }) => kind === 'step')!
    const text = JSON.stringify(sent.body.messages)
    expect(text).toContain('## Request and intent')
    expect(text).not.toContain('Berth planner: gives')
  })

  await test.step('restored', async () => {
    await card(page, name).getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: 'Put it back' }).click()
    await expect(card(page, name)).toContainText('restored: the originals are back')
    await expect(conversation(page).getByText('Restored: the model sees again')).toBeVisible()
    const now = await surfaceOf(page)
    expect(now.slice(0, whole.length)).toEqual(whole)
    await page.reload()
    await expect(card(page, name)).toContainText('restored: the originals are back')
    expect(await surfaceOf(page)).toEqual(now)
    await ask(page, `once more ${word}`, `You said “once more ${word}”`)
    const sent = (await requestsWith(`once more ${word}`)).at(-1)!
    expect(JSON.stringify(sent.body.messages)).toContain('Berth planner: gives')
  })
  await expectCleanLog(page)
})

test('a compaction cancelled while it is written reaches the provider within a second and changes nothing', async ({
  page,
}) => {
  const word = unique('cancel')
  await filled(page, word, '[[summary: delay 200]]')
  const whole = await surfaceOf(page)
  await compactNow(page, `hold ${word}`)
  const entry = await begun(`hold ${word}`, 'summary')
  await expect(card(page, 'Compacting')).toContainText(/characters written/)
  const at = Date.now()
  await card(page, 'Compacting').getByRole('button', { name: 'Cancel' }).click()
  const { after, finished } = await closed(entry, `hold ${word}`, at)
  expect(after).toBeLessThan(1000)
  expect(finished).toBe(false)

  const unchanged = async () => {
    await expect(card(page, 'Compaction cancelled')).toContainText('Nothing was changed.')
    await expect(card(page, 'Compaction cancelled').getByTestId('economics')).toContainText(
      /in [\d,]+.*out \d+ or more/,
    )
    expect(await surfaceOf(page)).toEqual(whole)
  }
  await unchanged()
  await page.reload()
  await unchanged()
  const { events } = await exportLog(page)
  expect(ofType(events, 'compact/end').map(({ data }) => data.error.code)).toEqual(['cancelled'])
  await ask(page, `go on ${word}`, `You said “go on ${word}”`)
  await expectCleanLog(page)
})

test('the page closing while it compacts leaves an interrupted attempt and the surface as it was', async ({
  page,
  profile,
}) => {
  const word = unique('closing')
  await filled(page, word, '[[summary: delay 400]]')
  const whole = await surfaceOf(page)
  await compactNow(page, `hold ${word}`)
  const entry = await begun(`hold ${word}`, 'summary')
  const at = Date.now()
  const again = await profile.restart(page.url())
  expect((await closed(entry, `hold ${word}`, at)).finished).toBe(false)
  await expect(card(again, 'Compaction interrupted')).toBeVisible()
  expect(await surfaceOf(again)).toEqual(whole)
  await ask(again, `go on ${word}`, `You said “go on ${word}”`)
  await expectCleanLog(again)
})

test('a failed compaction says why; /compact with a focus then succeeds', async ({ page }) => {
  const word = unique('failed')
  await filled(page, word, '[[summary: error 400 no summary today once]]')
  const whole = await surfaceOf(page)
  await compactNow(page, `every word of ${word}`)
  await expect(card(page, 'Compaction failed')).toContainText('no summary today')
  expect(await surfaceOf(page)).toEqual(whole)
  await page.reload()
  await expect(card(page, 'Compaction failed')).toBeVisible()

  await say(page, `/compact every word of ${word}`)
  await expect(card(page, 'Compacted by you')).toContainText(`Focus: every word of ${word}`)
  await expect(conversation(page).getByText('/compact')).toHaveCount(0)
  const sent = (await requestsWith(`every word of ${word}`)).filter(({ kind }) => kind === 'step')
  expect(sent).toEqual([])
  const { events } = await exportLog(page)
  expect(ofType(events, 'compact/end').map(({ data }) => data.error?.code ?? 'done')).toEqual([
    'summary',
    'done',
  ])
  await expectCleanLog(page)
})

test('a small window fills up: compacted automatically in the middle of the task, which is finished', async ({
  page,
}) => {
  const word = unique('pressure')
  await startChat(page, SMALL)
  const steps = [...FILES, 'pilot_roster.py', 'tide_watcher.py', 'weather_scout.py'].map((name) =>
    reading([name]),
  )
  await ask(page, `${word} ${steps.join(' [[then]] ')}`, 'That is done.')
  const name = 'Compacted automatically'
  const [from, to] = await beforeAndAfter(page, name)
  expect(from).toBeGreaterThan(9600)
  expect(to).toBeLessThan(9600)
  await page.reload()
  await expect(card(page, name).first()).toContainText('pressure')

  const { events } = await exportLog(page)
  expect(ofType(events, 'tool/call')).toHaveLength(steps.length)
  expect(ofType(events, 'turn/end').map(({ data }) => data.reason)).toEqual(['completed'])
  const [start] = ofType(events, 'compact/start')
  expect(start!.data).toMatchObject({ trigger: 'pressure', turn: 1, threshold: 9600 })
  expect((await requestsWith(word)).every(({ status }) => status === 200)).toBe(true)
  expect(await surfaceOf(page)).toEqual(foldAt(events, events.length - 1).surface)
  await expectCleanLog(page)
})

test('the model asks for a compaction with its tool', async ({ page }) => {
  const word = unique('asked')
  await filled(page, word)
  await say(
    page,
    `now ${word} [[call: compact {"focus":"the word ${word}"}]] [[reply: Made room.]]`,
  )
  await expect(card(page, 'Compacted by the model')).toContainText(`Focus: the word ${word}`)
  await expect(conversation(page).getByText('Made room.', { exact: true })).toBeVisible()
  await idle(page)
  await page.reload()
  await expect(card(page, 'Compacted by the model')).toContainText('asked by the model')
  const { events } = await exportLog(page)
  const [start] = ofType(events, 'compact/start')
  const result = ofType(events, 'tool/result').findLast(({ data }) => data.name === 'compact')!
  expect(textOf(result)).toContain('scheduled')
  expect(result.seq).toBeLessThan(start!.seq)
  expect(start!.data.trigger).toBe('model')
  await expectCleanLog(page)
})

test('a page older than its server: a summary says that Palimpsest was updated, nothing is lost, and reloading helps', async ({
  page,
  errors,
}) => {
  const word = unique('older')
  await filled(page, word)
  const before = await exportLog(page)
  // An action the server does not know, as after an update; the answer is the real server's.
  await page.route('**/*', async (route) => {
    const headers = route.request().headers()
    if (headers['next-action'] === undefined) return route.fallback()
    await route.continue({ headers: { ...headers, 'next-action': `40${'0'.repeat(40)}` } })
  })
  await compactNow(page)
  await expect(card(page, /failed/i).getByText('Palimpsest was updated')).toBeVisible()
  await idle(page)
  errors.splice(0, errors.length, ...errors.filter((text) => !/Failed to load resource/.test(text)))
  const after = await exportLog(page)
  expect(after.events.slice(0, before.events.length)).toEqual(before.events)
  await page.unroute('**/*')
  await page.reload()
  await compactNow(page)
  await expect(card(page, 'Compacted by you')).toBeVisible()
  await expectCleanLog(page)
})
