/** Two tabs on one session: one writes, the other follows and takes its place (R1). */

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

  await writer.close()
  await expect(composer(follower)).toBeVisible()
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
