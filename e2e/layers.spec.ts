/** The three layers with the offline reader and the teaching preset: no key, no network, the shipped workspace. */

import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './support/app'
import { type Event, foldAt, ofType, textOf } from './support/log'
import {
  card,
  conversation,
  expectCleanLog,
  exportLog,
  idle,
  openPanel,
  say,
  startChat,
  surfaceOf,
} from './support/workbench'

const TASK = 'Read every file in agents/ one after the other'
const INTERRUPTED = /^Interrupted: the page closed/

async function agents(): Promise<string[]> {
  const index = await readFile(
    new URL('../public/sample-workspace/index.json', import.meta.url),
    'utf8',
  )
  return (JSON.parse(index) as { path: string }[])
    .map(({ path }) => path)
    .filter((path) => path.startsWith('agents/'))
}

/** "Chat now", with the preset chosen under Compact…. */
async function startTeaching(page: Page): Promise<void> {
  await startChat(page)
  await page.getByRole('button', { name: 'Compact…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compact this session' })
  await dialog.getByRole('radiogroup', { name: 'Preset' }).getByText('Teaching').click()
  await expect(dialog).toContainText('before every request, all but the newest 3')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
}

const filesRead = (events: readonly Event[]): string[] =>
  ofType(events, 'tool/call')
    .filter(({ data }) => data.name === 'read_file')
    .map(({ data }) => data.input.path)

const lastWords = (events: readonly Event[]): string =>
  textOf(ofType(events, 'assistant/message').at(-1)!)

test('micro-compaction, then an automatic summary, then the task is finished', async ({ page }) => {
  const paths = await agents()
  expect(paths).toHaveLength(12)
  await startTeaching(page)
  await say(page, TASK)
  await expect(
    conversation(page)
      .getByText(/old results? set aside/)
      .first(),
  ).toBeVisible({
    timeout: 20_000,
  })
  const summary = card(page, 'Compacted automatically').first()
  await expect(summary).toBeVisible({ timeout: 30_000 })
  await expect(summary).toContainText('pressure')
  await idle(page, 40_000)
  await expect(conversation(page).getByText(paths.at(-1)!).last()).toBeVisible()

  const finished = async () => {
    const { events } = await exportLog(page)
    expect(ofType(events, 'request/header')[0]!.data).toMatchObject({
      model: 'offline-reader',
      contextWindow: 16_000,
      policy: { preset: 'teaching', threshold: { absolute: 50_000 } },
    })
    expect(filesRead(events)).toEqual(paths)
    expect(ofType(events, 'turn/end').map(({ data }) => data.reason)).toEqual(['completed'])
    for (const path of paths) expect(lastWords(events)).toContain(path)
    const micro = ofType(events, 'compact/prune').filter(({ data }) => data.cause === 'micro')
    const starts = ofType(events, 'compact/start')
    expect(micro[0]!.seq).toBeLessThan(starts[0]!.seq)
    expect(starts.map(({ data }) => data.trigger)).toContain('pressure')
    expect(ofType(events, 'compact/end').every(({ data }) => data.error === undefined)).toBe(true)
    expect(ofType(events, 'compact/summary')[0]!.data.summary).toContain('template')
    const { surface, over } = foldAt(events, events.length - 1)
    expect(await surfaceOf(page)).toEqual(surface)
    // Every result of the first files lies under a placeholder, and that under the summary.
    const first = ofType(events, 'tool/result').find(({ data }) => data.name === 'read_file')!
    expect(events[over.get(first.seq)!]!.type).toMatch(/tool\/result|user\/message/)
    return events
  }
  const events = await finished()
  await page.reload()
  expect(await finished()).toEqual(events)
  await expectCleanLog(page, events.length)
  const strata = await openPanel(page, 'Strata')
  await expect(strata.getByRole('button', { name: /^summary #/ }).first()).toBeVisible()
})

test('the browser ends in the middle of the turn; the task goes on where it stood', async ({
  page,
  profile,
}) => {
  const paths = await agents()
  await startTeaching(page)
  await say(page, TASK)
  await expect(conversation(page).getByText(/3 of 12 read/)).toBeVisible({ timeout: 20_000 })

  const again = await profile.restart(page.url())
  await expect(conversation(again).getByText(INTERRUPTED)).toBeVisible()
  await idle(again)
  const before = await exportLog(again)
  expect(ofType(before.events, 'turn/end').at(-1)!.data.reason).toBe('interrupted')
  expect(filesRead(before.events).length).toBeLessThan(12)

  await say(again, 'go on')
  await expect(
    conversation(again)
      .getByText(/That was the last one: 12 files/)
      .last(),
  ).toBeVisible({ timeout: 40_000 })
  await idle(again, 40_000)
  const { events } = await exportLog(again)
  expect(events.slice(0, before.events.length)).toEqual(before.events)
  expect(ofType(events, 'turn/end').map(({ data }) => data.reason)).toEqual([
    'interrupted',
    'completed',
  ])
  expect(new Set(filesRead(events))).toEqual(new Set(paths))
  for (const path of paths) expect(lastWords(events)).toContain(path)
  expect(await surfaceOf(again)).toEqual(foldAt(events, events.length - 1).surface)
  await expectCleanLog(again, events.length)
})

test('a summary of the offline reader goes by the template and can be taken back', async ({
  page,
}) => {
  await startChat(page)
  for (const path of ['berth_planner', 'crane_dispatch', 'customs_clerk']) {
    await say(page, `read agents/${path}.py`)
    await expect(conversation(page).getByText(`agents/${path}.py:`).last()).toBeVisible()
    await idle(page)
  }
  const whole = await surfaceOf(page)
  await say(page, '/compact')
  const summary = card(page, 'Compacted by you')
  await expect(summary).toBeVisible()
  await page.reload()
  await summary.getByRole('button', { name: 'Summary' }).click()
  await expect(summary).toContainText('Made by the template summariser, not by a language model')
  await summary.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('button', { name: 'Put it back' }).click()
  await expect(summary).toContainText('restored: the originals are back')
  expect(await surfaceOf(page)).toEqual(whole)
  await expectCleanLog(page)
})
