/** Two tabs on one session: one writes, the other follows and takes its place (R1). */

import type { Page } from '@playwright/test'
import { expect, test } from './support/app'
import { begun, unique } from './support/fake'
import { ofType } from './support/log'
import {
  ask,
  composer,
  conversation,
  expectCleanLog,
  exportLog,
  idle,
  momentOf,
  say,
  startChat,
  surfaceOf,
} from './support/workbench'

const MODEL = 'Claude Sonnet 5.5'
const FOLLOWS = 'Another tab is writing this session.'

/** How often the open session has got a new writer. */
const epochOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('palimpsest')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const id = new URL(location.href).searchParams.get('s') ?? ''
          const row = opening.result.transaction('writers').objectStore('writers').get(id)
          row.onsuccess = () => {
            opening.result.close()
            resolve(row.result.epoch)
          }
        }
      }),
  )

const takeOver = (page: Page) => page.getByRole('button', { name: 'Write here instead' }).click()

test('one tab writes, the other reads along live and writes when the first is gone', async ({
  page: writer,
  profile,
}) => {
  const word = unique('tabs')
  await startChat(writer, MODEL)
  await ask(writer, `first ${word}`, `You said “first ${word}”`)
  const follower = await profile.context.newPage()
  await follower.goto(writer.url())

  const readsAlong = async () => {
    await expect(
      follower.getByText('Another tab is writing this session. Here it can be read'),
    ).toBeVisible()
    await expect(composer(follower)).toHaveCount(0)
    await expect(follower.getByRole('button', { name: 'Compact…' })).toBeDisabled()
    await expect(follower.getByRole('button', { name: /^Model: / })).toBeDisabled()
    await expect(conversation(follower).getByText(`You said “first ${word}”`)).toBeVisible()
  }
  await readsAlong()
  await follower.reload()
  await readsAlong()

  await test.step('what is being written is seen in both', async () => {
    await say(writer, `second ${word} [[delay: 60]] [[long: 220]]`)
    await begun(`second ${word}`)
    await expect(conversation(follower).getByText(`second ${word}`)).toBeVisible()
    await expect(conversation(follower).getByText('the log holds every event')).toBeVisible()
    // Still under way where it is written: what the other shows is not the finished message.
    await expect(writer.getByTestId('live-status')).toHaveText('The model is writing')
    await idle(writer)
    await expect.poll(() => momentOf(follower)).toBe(await momentOf(writer))
    expect(await surfaceOf(follower)).toEqual(await surfaceOf(writer))
  })

  // Asked for while another tab writes, the composer takes the focus when it comes.
  await follower.bringToFront()
  await follower.keyboard.press('/')
  await writer.close()
  await expect(composer(follower)).toBeFocused()
  await ask(follower, `third ${word}`, `You said “third ${word}”`)
  await follower.reload()
  await expect(composer(follower)).toBeVisible()
  await expect(conversation(follower).getByText(`You said “third ${word}”`)).toBeVisible()
  const { events } = await exportLog(follower)
  expect(ofType(events, 'turn/end').map(({ data }) => data.reason)).toEqual([
    'completed',
    'completed',
    'completed',
  ])
  const writers = ofType(events, 'session/open').map(({ data }) => data.writer)
  expect(new Set(writers).size).toBe(writers.length)
  await expectCleanLog(follower)
})

test('a session left for another is free for the other tab; the list of sessions is one', async ({
  page: first,
  profile,
}) => {
  const word = unique('left')
  await startChat(first)
  await ask(first, `list docs/ ${word}`, /docs/)
  const url = first.url()
  const second = await profile.context.newPage()
  await second.goto(url)
  await expect(second.getByText('Another tab is writing this session.')).toBeVisible()

  await first.getByRole('button', { name: 'New session' }).click()
  await first.getByRole('menuitem', { name: 'Empty' }).click()
  await expect(composer(second)).toBeVisible()
  for (const page of [first, second])
    await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(2)

  await first.reload()
  await first.goto(url)
  await expect(first.getByText('Another tab is writing this session.')).toBeVisible()
  await second.goto('about:blank')
  await expect(composer(first)).toBeVisible()
})

test('[R1] two followers take over at once: one of three tabs writes, and nothing said is lost', async ({
  page: first,
  profile,
}) => {
  const word = unique('three')
  await startChat(first, MODEL)
  await ask(first, `one ${word}`, `You said “one ${word}”`)
  const [second, third] = [await profile.context.newPage(), await profile.context.newPage()]
  for (const page of [second, third]) {
    await page.goto(first.url())
    await expect(page.getByText(FOLLOWS)).toBeVisible()
  }
  // In the middle of a reply, which both followers see.
  await say(first, `two ${word} [[delay: 60]] [[long: 300]]`)
  for (const page of [second, third])
    await expect(conversation(page).getByText('the log holds every event')).toBeVisible()
  const before = await epochOf(first)
  await Promise.all([takeOver(second), takeOver(third)])
  const tabs = [first, second, third]
  await expect.poll(() => epochOf(first)).toBeGreaterThanOrEqual(before + 2)
  const writing = async () => {
    const counts = await Promise.all(tabs.map((page) => composer(page).count()))
    return tabs.filter((_, at) => counts[at] === 1)
  }
  await expect.poll(async () => (await writing()).length).toBe(1)
  const [winner] = (await writing()) as [Page]
  // Two that raise the epoch in another order than they got the lock make room for the next in line, whoever it is.
  if ((await epochOf(first)) === before + 2) expect(winner).not.toBe(first)
  const losers = tabs.filter((page) => page !== winner)
  for (const page of losers) await expect(page.getByText(FOLLOWS)).toBeVisible()
  await ask(winner, `three ${word}`, `You said “three ${word}”`)
  for (const page of losers)
    await expect(conversation(page).getByText(`You said “three ${word}”`)).toBeVisible()
  const { events } = await exportLog(winner)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at))
  expect(ofType(events, 'user/message').map(({ data }) => data.content[0].text)).toEqual([
    `one ${word}`,
    `two ${word} [[delay: 60]] [[long: 300]]`,
    `three ${word}`,
  ])
  expect(ofType(events, 'turn/end').map(({ data }) => data.reason)).toEqual([
    'completed',
    'interrupted',
    'completed',
  ])
  await expectCleanLog(winner)
})

test('[R1] a frozen writer is taken over; thawed, it writes nothing and follows', async ({
  page: frozen,
  profile,
}) => {
  const word = unique('frozen')
  await startChat(frozen, MODEL)
  await ask(frozen, `one ${word}`, `You said “one ${word}”`)
  const other = await profile.context.newPage()
  await other.goto(frozen.url())
  await expect(other.getByText(FOLLOWS)).toBeVisible()
  await say(frozen, `two ${word} [[delay: 60]] [[long: 300]]`)
  await expect(conversation(other).getByText('the log holds every event')).toBeVisible()
  const devtools = await profile.context.newCDPSession(frozen)
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
  await takeOver(other)
  await ask(other, `three ${word}`, `You said “three ${word}”`)
  const whole = await exportLog(other)
  await devtools.send('Page.setWebLifecycleState', { state: 'active' })
  await expect(frozen.getByText(FOLLOWS)).toBeVisible()
  await expect(composer(frozen)).toHaveCount(0)
  await expect(conversation(frozen).getByText(`You said “three ${word}”`)).toBeVisible()
  expect((await exportLog(other)).text).toBe(whole.text)
  expect(ofType(whole.events, 'turn/end').map(({ data }) => data.reason)).toEqual([
    'completed',
    'interrupted',
    'completed',
  ])
  await expectCleanLog(other)
})
