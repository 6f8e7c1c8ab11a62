/** In and out: what is exported comes back the same after the browser has lost everything. */

import type { Page } from '@playwright/test'
import { expect, test } from './support/app'
import { requestsWith, unique } from './support/fake'
import { foldAt, type NativeLog, ofType, readLog, textOf } from './support/log'
import { readSample } from './support/sample'
import {
  ask,
  attach,
  card,
  conversation,
  dropFiles,
  expectCleanLog,
  exportAs,
  exportLog,
  importFiles,
  openPanel,
  openSample,
  PIXEL,
  position,
  say,
  seqsIn,
  startChat,
  surfaceOf,
  type Upload,
  wipe,
} from './support/workbench'

const asFile = (name: string, text: string): Upload => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
})

const sessions = (page: Page) => page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')

/** Everything a session shows that must survive a journey through a file. */
async function portrait(page: Page) {
  const { text } = await exportLog(page)
  const markdown = (await exportAs(page, /^Markdown/)).text
  const surface = await surfaceOf(page)
  const strata = await openPanel(page, 'Strata')
  await strata.getByRole('button', { name: 'Show as a list' }).click()
  const layers = await seqsIn(strata.getByRole('tree', { name: 'Strata as a list' }))
  const words = await conversation(page).textContent()
  return { text, markdown, surface, layers, words }
}

test('export, lose everything, import by chooser and by drop: the same session to the byte', async ({
  page,
}) => {
  const word = unique('round')
  await startChat(page, 'Small window')
  await attach(page, [{ name: 'pixel.png', mimeType: 'image/png', buffer: PIXEL }])
  const reads = ['berth_planner', 'crane_dispatch', 'customs_clerk']
    .map((name) => `[[call: read_file {"path":"agents/${name}.py"}]]`)
    .join(' ')
  await ask(page, `${word} [[thinking]] ${reads}`, 'That is done.')
  await say(page, '/compact nothing but names')
  await expect(card(page, 'Compacted by you')).toBeVisible()
  await ask(page, `after ${word} 𝒜 é`, `You said “after ${word} 𝒜 é”`)
  await page.reload()
  await expect(conversation(page).getByText(`You said “after ${word} 𝒜 é”`)).toBeVisible()
  const was = await portrait(page)
  const url = page.url()

  const comesBack = async () => {
    await expect(page).toHaveURL(new RegExp(`s=${readLog(was.text).header.id}`))
    await expect(card(page, 'Compacted by you')).toBeVisible()
    expect(await portrait(page)).toEqual(was)
    await page.reload()
    const image = conversation(page).getByRole('img', { name: 'Attached image' })
    await conversation(page).press('Home')
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1)
    await expectCleanLog(page, readLog(was.text).events.length)
  }
  await test.step('by file chooser', async () => {
    await wipe(page)
    await page.goto('/')
    const report = await importFiles(page, [asFile('round.jsonl', was.text)])
    await expect(report).toContainText('Every rule holds.')
    await report.getByRole('button', { name: 'Close' }).last().click()
    await comesBack()
  })
  await test.step('by drop, over a link to it', async () => {
    await wipe(page)
    await page.goto(url)
    await expect(page.getByText('This session is not in this browser')).toBeVisible()
    await dropFiles(page, 'Import transcripts', [asFile('round.jsonl', was.text)])
    const report = page.getByRole('dialog', { name: 'Import report' })
    await expect(report).toContainText('Every rule holds.')
    await report.getByRole('button', { name: 'Close' }).last().click()
    await comesBack()
  })
  await ask(page, `further ${word}`, `You said “further ${word}”`)
  const { events } = await exportLog(page)
  expect(events.slice(0, readLog(was.text).events.length)).toEqual(readLog(was.text).events)
})

test('damaged, foreign, newer and known files are reported in words, and nothing here is lost', async ({
  page,
}) => {
  const sample = await readSample()
  await openSample(page)
  const lines = sample.text.split('\n')
  const header = JSON.parse(lines[0]!)
  const named = (id: string, version = 1) =>
    JSON.stringify({ ...header, palimpsest: { ...header.palimpsest, id, version } })
  const files = [
    asFile(
      'damaged.jsonl',
      [named('damaged'), ...lines.slice(1, 300), '{"type":"assis', ...lines.slice(301)].join('\n'),
    ),
    asFile(
      'cut off.jsonl',
      [named('cut-off'), ...lines.slice(1, 120), lines[120]!.slice(0, 40)].join('\n'),
    ),
    asFile('newer.jsonl', [named('newer', 99), ...lines.slice(1)].join('\n')),
    asFile('shopping.txt', 'eggs\nflour\nmilk, if there is any\n'),
    asFile('the same.jsonl', sample.text),
  ]
  const report = await importFiles(page, files)
  const about = (name: string) => report.getByRole('article', { name })
  await expect(about('damaged.jsonl')).toContainText('299 events read')
  await expect(about('damaged.jsonl')).toContainText('line 301')
  await expect(about('damaged.jsonl')).toContainText('event 299 is missing')
  await expect(about('cut off.jsonl')).toContainText('119 events read')
  await expect(about('cut off.jsonl')).toContainText('the last line is cut off')
  await expect(about('newer.jsonl')).toContainText('newer version')
  await expect(about('newer.jsonl')).not.toContainText(/damaged|corrupt/i)
  await expect(about('shopping.txt')).toContainText(/not|no /)
  await expect(about('the same.jsonl')).toContainText('already in this browser')
  await report.getByRole('button', { name: 'Close' }).last().click()

  await expect(sessions(page)).toHaveCount(3)
  await page.reload()
  await expect(sessions(page)).toHaveCount(3)
  await page.goto('/?s=damaged')
  await expect(position(page)).toContainText(/seq \d+ \/ \d+/)
  const { events } = await exportLog(page)
  expect(events.slice(0, 299)).toEqual(sample.events.slice(0, 299))
  expect(await surfaceOf(page)).toEqual(foldAt(events, events.length - 1).surface)
  await expectCleanLog(page)
  await page.goto('/?s=sample-harbor')
  await expect(position(page)).toContainText(`seq ${sample.last} / ${sample.last}`)
  expect((await exportLog(page)).text).toBe(sample.text)
})

/** Lines of every message and result, blank ones aside. */
const linesOf = ({ events }: NativeLog) =>
  events
    .filter(({ type, surfaceOp }) => surfaceOp === 'append' && type !== 'compact/summary')
    .flatMap((event) => textOf(event).split('\n'))
    .filter((line) => line.trim() !== '')

test('Markdown holds every line of the conversation and marks every compaction', async ({
  page,
}) => {
  await openSample(page)
  const log = await exportLog(page)
  const { text, name } = await exportAs(page, /^Markdown/)
  expect(name).toMatch(/\.md$/)
  const there = new Set(text.split('\n'))
  expect(linesOf(log).filter((line) => !there.has(line))).toEqual([])
  const summaries = ofType(log.events, 'compact/summary')
  for (const { seq, data } of summaries) {
    expect(text).toMatch(new RegExp(`^## Compaction · .*#${seq} `, 'm'))
    for (const line of data.summary.split('\n'))
      if (line.trim() !== '') expect(there).toContain(`> ${line}`)
  }
  expect(text.match(/^\*Compaction ended/gm)).toHaveLength(2)
  await page.reload()
  await expect(position(page)).toContainText('compaction 3 of 3')
  expect((await exportAs(page, /^Markdown/)).text).toBe(text)
})

test('the request exported is the request that was received', async ({ page }) => {
  const word = unique('request')
  await startChat(page, 'Claude Haiku 5.5')
  await ask(
    page,
    `${word} [[thinking]] [[call: read_file {"path":"notes.md"}]] [[call: list_files {}]]`,
    'That is done.',
  )
  await page.reload()
  await expect(position(page)).toContainText('turn 1 · step 2')
  const exported = JSON.parse((await exportAs(page, /^Request/)).text)
  const sent = (await requestsWith(word)).at(-1)!
  const { stream, ...body } = sent.body
  expect(stream).toBe(true)
  expect(exported).toEqual(body)

  const panel = await openPanel(page, 'Request')
  await expect(panel.getByText('hash equals what was sent')).toBeVisible()
  await panel.getByRole('button', { name: 'Copy as JSON' }).click()
  await expect(panel.getByText('Copied')).toBeVisible()
  expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toEqual(body)
  await expect(panel.getByText(/^reported: in/)).toContainText(
    `out ${sent.usage!.output_tokens!.toLocaleString('en-US')}`,
  )
})
