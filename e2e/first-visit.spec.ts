/** First visit: three ways in, the shipped session, and the playhead moved to where less had been compacted. */

import type { Page } from '@playwright/test'
import { expect, test } from './support/app'
import { foldAt, ofType, rolesAt } from './support/log'
import { readSample, type Sample } from './support/sample'
import {
  conversation,
  dismiss,
  exportLog,
  momentOf,
  openPanel,
  openSample,
  playhead,
  position,
  seqsIn,
  surfaceOf,
} from './support/workbench'

const exact = (tokens: number) => tokens.toLocaleString('en-US')

/** From LIVE to just before the second compaction, by keyboard alone. */
async function scrubBeforeSecond(page: Page, log: Sample): Promise<number> {
  const [, second, third] = log.checkpoints
  const target = log.before(second)
  await playhead(page).focus()
  await page.keyboard.press('[')
  await expect(position(page)).toContainText(`seq ${third} /`)
  await page.keyboard.press('[')
  await expect(position(page)).toContainText(`seq ${second} /`)
  for (let at = second - 1; at >= target; at--) {
    await page.keyboard.press('ArrowLeft')
    await expect(position(page)).toContainText(`seq ${at} /`)
  }
  await expect(position(page)).toContainText('compaction 1 of 3')
  return target
}

/** The rows of the chat that exist now: what each shows of how it stands. */
const standings = (page: Page) =>
  conversation(page).evaluate((feed) =>
    [...feed.querySelectorAll<HTMLElement>('article[data-seq], [data-kind="call"]')]
      .filter(({ dataset }) => ['user', 'assistant', 'call'].includes(dataset.kind ?? ''))
      .map((row) => ({
        seq: Number(row.dataset.seq),
        faded: (row.dataset.kind === 'call' ? row : row.firstElementChild!).matches('.faded'),
      })),
  )

async function expectChatAgrees(page: Page, log: Sample, at: number): Promise<number> {
  const { surface } = foldAt(log.events, at)
  const rows = await standings(page)
  for (const { seq, faded } of rows)
    expect({ seq, faded }).toEqual({ seq, faded: !surface.includes(seq) })
  return rows.length
}

test('three ways in, none of which needs a key', async ({ page }) => {
  await page.goto('/')
  const doors = async () => {
    for (const [title, button] of [
      ['Open the sample session', 'Open sample'],
      ['Chat now, no key', 'Start'],
      ['Bring a transcript', 'Choose files'],
    ] as const)
      await expect(
        page.getByRole('region', { name: title }).getByRole('button', { name: button }),
      ).toBeEnabled()
    await expect(page.getByText('No sessions yet.')).toBeVisible()
  }
  await doors()
  await page.reload()
  await doors()
})

test('the sample session is the shipped log, and before its second compaction everything agrees with it', async ({
  page,
}) => {
  const log = await readSample()
  await openSample(page)
  expect((await exportLog(page)).text).toBe(log.text)

  const at = await scrubBeforeSecond(page, log)
  const fold = foldAt(log.events, at)
  await test.step('surface', async () => {
    expect(await surfaceOf(page)).toEqual(fold.surface)
    await expect(page.getByTestId('surface-count')).toHaveText(
      `${fold.surface.length} nodes at #${at}`,
    )
  })
  await test.step('strata, as a list', async () => {
    const panel = await openPanel(page, 'Strata')
    await panel.getByRole('button', { name: 'Show as a list' }).click()
    const tree = panel.getByRole('tree', { name: 'Strata as a list' })
    expect(await seqsIn(tree)).toEqual(fold.surface)
    const [first] = log.checkpoints
    await tree.getByRole('treeitem', { name: `summary #${first}` }).click()
    await page.keyboard.press('ArrowRight')
    const place = fold.surface.indexOf(first)
    const opened = [...fold.surface]
    opened.splice(place + 1, 0, ...fold.shadows.get(first)!)
    await expect(tree.getByRole('treeitem', { expanded: true })).toHaveCount(1)
    expect(await seqsIn(tree)).toEqual(opened)
  })
  await test.step('chat', async () => {
    await expect(conversation(page).getByText('At #')).toHaveCount(0)
    expect(await expectChatAgrees(page, log, at)).toBeGreaterThan(3)
    const gone = [...fold.over].find(([seq]) => log.events[seq]!.type === 'assistant/message')!
    const there = new URL(page.url())
    there.searchParams.set('node', String(gone[0]))
    await page.goto(there.href)
    const mark = conversation(page).getByRole('button', { name: `Shadowed by #${gone[1]}` })
    await expect(mark.first()).toBeVisible()
    expect(await expectChatAgrees(page, log, at)).toBeGreaterThan(3)
  })
  await test.step('meter', async () => {
    const { measured, threshold, window } = log.events[at + 1]!.data
    const meter = page.getByRole('button', { name: /^Context: / })
    await expect(meter).toContainText(`at #${at}`)
    await meter.click()
    const parts = page.getByRole('dialog', { name: 'Context by part' })
    await expect(parts.getByRole('row', { name: /in the window/ })).toContainText(exact(measured))
    await expect(parts).toContainText(`Compacts above ${exact(threshold)}`)
    await expect(parts).toContainText(`The window holds ${exact(window)}`)
    await dismiss(parts)
  })
  await test.step('request', async () => {
    const panel = await openPanel(page, 'Request')
    const step = ofType(log.events.slice(0, at + 1), 'step/start').at(-1)!
    const { turn, step: number } = step.data
    await expect(panel.getByText(`Turn ${turn} · step ${number}`)).toBeVisible()
    await expect(panel.getByText('hash equals what was sent')).toBeVisible()
    await expect(panel.getByTitle(`sha256 ${step.data.requestHash}`)).toBeVisible()
    const roles = rolesAt(log.events, step.seq)
    const last = panel.getByRole('button', { name: new RegExp(`^${roles.length - 1} user\\b`) })
    await panel.getByRole('button', { name: /^parameters/ }).press('End')
    await expect(last).toBeVisible()
  })
  await test.step('a reload keeps all of it', async () => {
    await expect(page).toHaveURL(new RegExp(`at=${at}&.*panel=request`))
    await page.reload()
    await expect(position(page)).toContainText(`seq ${at} /`)
    await expect(page.getByRole('tab', { name: 'Request' })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    expect(await surfaceOf(page)).toEqual(fold.surface)
    await expectChatAgrees(page, log, at)
  })
  await test.step('LIVE leads back', async () => {
    await page.getByRole('button', { name: 'LIVE', exact: true }).click()
    await expect(position(page)).toContainText(`seq ${log.last} / ${log.last}`)
    expect(await surfaceOf(page)).toEqual(foldAt(log.events, log.last).surface)
    await expect(page).not.toHaveURL(/[?&]at=/)
    expect((await standings(page)).filter(({ faded }) => faded)).toEqual([])
  })
})

test('steps and summaries are rebuilt to the bytes that were hashed when they were sent', async ({
  page,
}) => {
  const log = await readSample()
  await openSample(page)
  const panel = await openPanel(page, 'Request')
  const proven: number[] = []
  const prove = async () => {
    const at = await momentOf(page)
    const call = log.events
      .slice(0, at + 1)
      .findLast(({ data, type }) => data.requestHash && type.endsWith('/start'))!
    await expect(panel.getByTitle(`sha256 ${call.data.requestHash}`)).toBeVisible()
    await expect(panel.getByText('hash equals what was sent')).toBeVisible()
    proven.push(call.seq)
  }
  await prove()
  await playhead(page).focus()
  for (const key of ['[', '[', '[', 'PageUp', 'PageUp', 'Home']) {
    const from = await momentOf(page)
    await page.keyboard.press(key)
    await expect.poll(() => momentOf(page)).not.toBe(from)
    if (key !== 'Home') await prove()
  }
  await expect(panel.getByText('No request yet')).toBeVisible()
  const kinds = new Set(proven.map((seq) => log.events[seq]!.type))
  expect(kinds).toEqual(new Set(['step/start', 'compact/start']))

  await expect(page).toHaveURL(/at=0&/)
  await page.reload()
  await expect(position(page)).toContainText('seq 0 /')
  await page.keyboard.press(']')
  await expect(position(page)).toContainText(`seq ${log.checkpoints[0]} /`)
  await prove()
})
