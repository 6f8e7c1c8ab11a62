/** What is done in one session or tab leaves the others alone, or tells them. */

import { expect, test } from './support/app'
import { begun, unique } from './support/fake'
import { ofType } from './support/log'
import {
  ask,
  card,
  composer,
  conversation,
  expectCleanLog,
  exportLog,
  idle,
  say,
  startChat,
  stopButton,
} from './support/workbench'

const MODEL = 'Claude Sonnet 5.5'

test('[C5] a compaction goes on while another session is stopped, and is not begun twice', async ({
  page,
}) => {
  const word = unique('apart')
  await startChat(page, MODEL)
  const slow = '[[summary: delay 25]]'
  for (const turn of ['one', 'two'])
    await ask(page, `${turn} ${word} [[long: 900]] ${slow}`, 'the log holds')
  const first = page.url()
  await say(page, `/compact the word ${word}`)
  await begun(word, 'summary')
  await say(page, '/compact once more')
  await expect(
    page.getByText('A compaction of this session is under way', { exact: true }),
  ).toBeVisible()

  await page.getByRole('button', { name: 'New session' }).click()
  await page.getByRole('menuitem', { name: 'Empty' }).click()
  await expect(page).not.toHaveURL(first)
  await say(page, `other [[delay: 60]] [[long: 400]]`)
  await expect(stopButton(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await idle(page)

  await page.goBack()
  await expect(page).toHaveURL(first)
  await expect(card(page, 'Compacted by you')).toBeVisible({ timeout: 40_000 })
  const { events } = await exportLog(page)
  expect(ofType(events, 'compact/end').map(({ data }) => data.error?.code)).toEqual([undefined])
})

test('[R1] a follower says what the other tab does; what one tab deletes or renames the other knows', async ({
  page: writer,
  profile,
}) => {
  const word = unique('known')
  await startChat(writer)
  await ask(writer, `list docs/ ${word}`, /docs/)
  const other = writer.url()
  await startChat(writer, MODEL)
  await say(writer, `${word} [[call: bash {"command":"sleep 8"}]]`)
  await expect(writer.getByTestId('live-status')).toHaveText('Running bash')
  await say(writer, `later ${word}`)
  const reader = await profile.context.newPage()
  await reader.goto(writer.url())
  await expect(reader.getByRole('region', { name: 'Queued messages' })).toContainText(
    'Waiting in the tab that writes this session.',
  )
  await expect(conversation(reader).getByText(/^running/)).toBeVisible()

  const row = (name: RegExp) =>
    reader.getByRole('list', { name: 'Sessions' }).getByRole('listitem').filter({ hasText: name })
  await test.step('renamed in the list, a session is let go again', async () => {
    await row(/^list docs/)
      .getByRole('button')
      .first()
      .focus()
    await reader.keyboard.press('F2')
    await reader.getByRole('textbox', { name: 'Session title' }).fill(`Docs ${word}`)
    await reader.keyboard.press('Enter')
    await expect(row(new RegExp(`^Docs ${word}`))).toBeVisible()
    const third = await profile.context.newPage()
    await third.goto(other)
    await expect(composer(third)).toBeVisible()
    await third.close()
  })
  await test.step('a session that another tab writes is not renamed silently', async () => {
    await row(new RegExp(`^${word}`))
      .getByRole('button')
      .first()
      .focus()
    await reader.keyboard.press('F2')
    await reader.getByRole('textbox', { name: 'Session title' }).fill('Elsewhere')
    await reader.keyboard.press('Enter')
    await expect(reader.getByText('The title was not changed', { exact: true })).toBeVisible()
  })
  await test.step('deleted in one tab, it is stopped and let go in the other', async () => {
    await row(new RegExp(`^${word}`))
      .getByRole('button')
      .first()
      .focus()
    await reader.keyboard.press('Delete')
    await expect(writer.getByText(/was deleted in another tab$/)).toBeVisible()
    await expect(composer(writer)).toHaveCount(0)
    await writer.getByRole('button', { name: 'Undo' }).click()
    await writer.goBack()
    await expect(composer(writer)).toBeVisible()
    await expect(conversation(writer).getByText('Stopped by you.')).toBeVisible()
    await expectCleanLog(writer)
  })
})

test('[R1] a page at the address of a deleted session shows it when it comes back', async ({
  page,
  profile,
}) => {
  await startChat(page)
  await ask(page, `list docs/ ${unique('back')}`, /docs/)
  const address = page.url()
  await page.getByRole('list', { name: 'Sessions' }).getByRole('button').first().focus()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  const gone = await profile.context.newPage()
  await gone.goto(address)
  await expect(gone.getByText('This session is not in this browser')).toBeVisible()
  await page.bringToFront()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(conversation(gone).getByText(/^list docs/)).toBeVisible()
})
