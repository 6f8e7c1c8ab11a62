/** The chat against the strict stand-in for the Messages API, through the real route handler. */

import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './support/app'
import { begun, closed, requestsWith, unique } from './support/fake'
import { ofType, textOf } from './support/log'
import {
  ask,
  attach,
  chooseModel,
  composer,
  conversation,
  dismiss,
  expectCleanLog,
  exportLog,
  idle,
  openPanel,
  PIXEL,
  rowMenu,
  say,
  startChat,
  stopButton,
  stored,
} from './support/workbench'

const MODEL = 'Claude Sonnet 5.5'
/** Slow enough to be met while it runs: about four seconds. */
const SLOW = '[[delay: 40]] [[long: 220]]'

const queued = (page: Page) => page.getByRole('region', { name: 'Queued messages' })
const toolRow = (page: Page, name: string) =>
  conversation(page).getByRole('button', { name, exact: true })

test('a reply is read while it is written, and its thinking is folded', async ({ page }) => {
  const word = unique('stream')
  await startChat(page, MODEL)
  await say(page, `${word} [[thinking: Pondering ${word}.]] ${SLOW}`)
  await expect(conversation(page).getByText('the log holds every event')).toBeVisible()
  await expect(stopButton(page)).toBeVisible()
  await idle(page)

  const whole = async () => {
    const thought = conversation(page).getByRole('button', { name: 'Thought' })
    await expect(thought).toHaveAttribute('aria-expanded', 'false')
    await expect(conversation(page).getByText(`Pondering ${word}.`, { exact: true })).toBeHidden()
    await thought.click()
    await expect(conversation(page).getByText(`Pondering ${word}.`, { exact: true })).toBeVisible()
    await expect(conversation(page).getByText('the log holds every event')).toBeVisible()
  }
  await whole()
  await page.reload()
  await whole()

  // The stand-in refuses thinking whose signature was lost or altered.
  await ask(page, `and ${word} again`, `You said “and ${word} again”`)
  await expectCleanLog(page)
})

test('tools that read run together; those that change something one after the other, in order', async ({
  page,
}) => {
  const word = unique('tools')
  await startChat(page, MODEL)
  const commands = [`echo one-${word} > log.txt`, `echo two-${word} >> log.txt; cat log.txt`]
  const calls = [
    '[[call: read_file {"path":"notes.md"}]]',
    '[[call: list_files {}]]',
    ...commands.map((command) => `[[call: bash ${JSON.stringify({ command })}]]`),
  ]
  await ask(page, `${word} ${calls.join(' ')}`, 'That is done.')
  const { events } = await exportLog(page)
  const order = events
    .filter(({ type }) => type === 'tool/call' || type === 'tool/result')
    .map(({ type }) => type.slice(5))
  expect(order.slice(0, 2)).toEqual(['call', 'call'])
  expect(order.slice(4)).toEqual(['call', 'result', 'call', 'result'])
  const sent = (await requestsWith(`two-${word}`)).at(-1)!
  const answers = sent.body.messages.at(-1).content
  expect(answers.map((block: { type: string }) => block.type)).toEqual(
    calls.map(() => 'tool_result'),
  )
  await page.reload()
  await toolRow(page, `bash ${commands[1]}`).click()
  await expect(
    conversation(page).getByRole('region', { name: 'Output' }).getByText(`one-${word}`),
  ).toBeVisible()
  await expectCleanLog(page)
})

test('what is typed while the model works waits its turn over a reload, until it is sent', async ({
  page,
}) => {
  const word = unique('queue')
  await startChat(page, MODEL)
  await say(page, `first-${word} ${SLOW}`)
  await begun(`first-${word}`)
  await say(page, `second-${word}`)
  await expect(queued(page).getByText(`second-${word}`)).toBeVisible()
  await expect(queued(page)).toContainText('Sent when the model is done.')
  // Only what was kept before the page went away can be shown after it.
  await stored(page, 'streams', 'the log holds')

  await page.reload()
  await expect(queued(page).getByText(`second-${word}`)).toBeVisible()
  await expect(conversation(page).getByText('Interrupted: the page closed')).toBeVisible()
  await expect(conversation(page).getByText('what had arrived is kept')).toBeVisible()
  await queued(page).getByRole('button', { name: 'Send now' }).click()
  await expect(conversation(page).getByText(`You said “second-${word}”`)).toBeVisible()
  await idle(page)
  await expect(queued(page)).toHaveCount(0)
  await expectCleanLog(page)
})

test('a queued message can join the turn before its next step, and another can be taken back', async ({
  page,
}) => {
  const word = unique('slip')
  await startChat(page, MODEL)
  await say(page, `${word} [[call: bash {"command":"sleep 3"}]]`)
  await expect(page.getByTestId('live-status')).toHaveText('Running bash')
  await say(page, `hurry-${word}`)
  await say(page, `never-${word}`)
  await expect(queued(page).getByRole('listitem')).toHaveCount(2)
  await queued(page)
    .getByRole('listitem')
    .filter({ hasText: 'never' })
    .getByRole('button', { name: 'Remove from the queue' })
    .click()
  await queued(page).getByRole('button', { name: 'Send now' }).click()
  await expect(queued(page)).toContainText('goes before the next step')
  await expect(queued(page)).toHaveCount(0)
  await idle(page)

  const requests = await requestsWith(word)
  expect(requests).toHaveLength(2)
  expect(JSON.stringify(requests[1]!.body.messages.at(-1))).toContain(`hurry-${word}`)
  expect(await requestsWith(`never-${word}`)).toEqual([])
  await page.reload()
  await expect(conversation(page).getByText(`hurry-${word}`, { exact: true })).toBeVisible()
  const { events } = await exportLog(page)
  expect(ofType(events, 'turn/start')).toHaveLength(1)
  await expectCleanLog(page)

  // Changed in a fork, it keeps what it was slipped into.
  const slipped = page.locator('[data-kind="user"]').filter({ hasText: `hurry-${word}` })
  await rowMenu(page, slipped, /^Edit in a fork/)
  await expect(composer(page)).toHaveValue(`hurry-${word}`)
  await expect(page.locator('[data-kind="user"]')).toHaveText([new RegExp(word)])
  await expectCleanLog(page)
})

test('stop reaches the provider within a second and keeps what had arrived', async ({ page }) => {
  const word = unique('stop')
  await startChat(page, MODEL)
  await say(page, `${word} [[delay: 50]] [[long: 900]]`)
  await expect(conversation(page).getByText('the log holds')).toBeVisible()
  const entry = await begun(word)
  const at = Date.now()
  await stopButton(page).click()
  const { after, finished } = await closed(entry, word, at)
  expect(after).toBeLessThan(1000)
  expect(finished).toBe(false)
  await idle(page)

  const stopped = async () => {
    await expect(conversation(page).getByText('what had arrived is kept')).toBeVisible()
    await expect(conversation(page).getByText('Stopped by you.')).toBeVisible()
    await expect(conversation(page).getByText('the log holds')).toBeVisible()
  }
  await stopped()
  await page.reload()
  await stopped()
  const { events } = await exportLog(page)
  expect(ofType(events, 'assistant/message')[0]!.data.interrupted).toBe(true)
  expect(ofType(events, 'turn/end')[0]!.data.reason).toBe('cancelled')
  await ask(page, `go on ${word}`, `You said “go on ${word}”`)
  await expectCleanLog(page)
})

test('stop ends a tool that would never end', async ({ page }) => {
  const word = unique('loop')
  await startChat(page, MODEL)
  await say(page, `${word} [[call: bash {"command":"while true; do sleep 1; done"}]]`)
  await expect(page.getByTestId('live-status')).toHaveText('Running bash')
  await page.keyboard.press('Escape')
  await idle(page)
  await expect(conversation(page).getByText('Stopped by you.')).toBeVisible()
  await page.reload()
  const { events } = await exportLog(page)
  const [result] = ofType(events, 'tool/result')
  expect(result!.data.isError).toBe(true)
  await ask(page, `go on ${word}`, 'failed: Cancelled by the user')
  await expectCleanLog(page)
})

test('bad tool input becomes an error that the model can act on', async ({ page }) => {
  const word = unique('badinput')
  await startChat(page, MODEL)
  await ask(
    page,
    `${word} [[call: read_file {"paht":"notes.md"}]] [[call: read_file {"path":"docs/notes.md"}]]`,
    'That is done.',
  )
  await page.reload()
  const { events } = await exportLog(page)
  const [input, missing] = ofType(events, 'tool/result')
  expect(input!.data.isError && missing!.data.isError).toBe(true)
  expect(textOf(input!)).toContain('path')
  expect(textOf(missing!)).toContain('There is no file docs/notes.md.')
  await toolRow(page, 'read_file docs/notes.md').click()
  await expect(
    conversation(page).getByRole('region', { name: 'Error' }).getByText('no file docs/notes.md'),
  ).toBeVisible()
  const sent = (await requestsWith(word)).at(-1)!
  expect(
    sent.body.messages.at(-1).content.map((block: { is_error?: boolean }) => block.is_error),
  ).toEqual([true, true])
  await expectCleanLog(page)
})

test('images and text files are attached, pasted, sent whole and kept', async ({ page }) => {
  const word = unique('attach')
  await startChat(page, MODEL)
  await attach(page, [
    { name: 'pixel.png', mimeType: 'image/png', buffer: PIXEL },
    { name: 'words.txt', mimeType: 'text/plain', buffer: Buffer.from(`Words of ${word}.\n`) },
    { name: 'gone.txt', mimeType: 'text/plain', buffer: Buffer.from('taken back') },
  ])
  await composer(page).evaluate((area, base64) => {
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    data.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }))
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  }, PIXEL.toString('base64'))
  const attachments = page.getByRole('list', { name: 'Attachments' })
  await expect(attachments.getByRole('listitem')).toHaveCount(4)
  await attachments.getByRole('button', { name: 'Remove gone.txt' }).click()
  await ask(page, `Look, ${word}`, 'I am a scripted stand-in')

  const [sent] = await requestsWith(word)
  const blocks = sent!.body.messages[0].content
  const images = blocks.filter(({ type }: { type: string }) => type === 'image')
  expect(images.map(({ source }: { source: unknown }) => source)).toEqual(
    Array(2).fill({ type: 'base64', media_type: 'image/png', data: PIXEL.toString('base64') }),
  )
  const texts = blocks.filter(({ type }: { type: string }) => type === 'text')
  expect(texts.map(({ text }: { text: string }) => text)).toEqual([
    `<file name="words.txt">\nWords of ${word}.\n\n</file>`,
    `Look, ${word}`,
  ])

  const request = await openPanel(page, 'Request')
  await request.getByRole('button', { name: 'Copy as JSON' }).click()
  const { stream, ...whole } = sent!.body
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(async () => JSON.parse((await copied()) || 'null')).toEqual(whole)

  await page.reload()
  const shown = conversation(page).getByRole('img', { name: 'Attached image' })
  await expect(shown).toHaveCount(2)
  await expect
    .poll(() => shown.first().evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(1)
  await conversation(page)
    .getByRole('button', { name: /words\.txt/ })
    .click()
  await expect(conversation(page).getByText(`Words of ${word}.`, { exact: true })).toBeVisible()
  await expectCleanLog(page)
})

test('an image larger than a model takes is sent smaller, and that is said', async ({ page }) => {
  const word = unique('wide')
  await startChat(page, MODEL)
  const drawn = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(9000, 90)
    canvas.getContext('2d')!.fillRect(0, 0, 9000, 90)
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())
    return Array.from(bytes)
  })
  await attach(page, [{ name: 'wide.png', mimeType: 'image/png', buffer: Buffer.from(drawn) }])
  await expect(
    page.getByText('wide.png is sent as 2000 × 20 pixels instead of 9000 × 90').first(),
  ).toBeVisible()
  await ask(page, `Look, ${word}`, 'I am a scripted stand-in')
  const [sent] = await requestsWith(word)
  const { source } = sent!.body.messages[0].content[0]
  const png = Buffer.from(source.data, 'base64')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2000, 20])
  await expectCleanLog(page)
})

test('what cannot be attached is not sent, and nothing that was written is lost', async ({
  page,
}) => {
  const word = unique('broken')
  await startChat(page, MODEL)
  await attach(page, [
    { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no image') },
    { name: 'words.txt', mimeType: 'text/plain', buffer: Buffer.from('Words.') },
  ])
  await composer(page).fill(`Look, ${word}`)
  await composer(page).press('Enter')
  await expect(page.getByText('broken.png is not an image a model can read.').first()).toBeVisible()
  await expect(composer(page)).toHaveValue(`Look, ${word}`)
  const attachments = page.getByRole('list', { name: 'Attachments' })
  await expect(attachments.getByRole('listitem')).toHaveCount(2)
  expect(await requestsWith(word)).toEqual([])

  await attachments.getByRole('button', { name: 'Remove broken.png' }).click()
  await composer(page).press('Enter')
  await expect(conversation(page).getByText('I am a scripted stand-in')).toBeVisible()
  await idle(page)
  await page.reload()
  await expect(composer(page)).toHaveValue('')
  await expectCleanLog(page)
})

test('the end stays in view when the composer shrinks behind a message of several lines', async ({
  page,
}) => {
  const word = unique('lines')
  await startChat(page, MODEL)
  await ask(page, `first-${word} [[long: 300]]`, 'the log holds')
  const left = () =>
    page
      .getByTestId('transcript')
      .evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop)
  await composer(page).fill(`${'line\n'.repeat(12)}${word} [[long: 200]]`)
  await expect.poll(left).toBeLessThanOrEqual(1)
  await composer(page).press('Enter')
  await expect(conversation(page).getByText('the log holds').last()).toBeVisible()
  await idle(page)
  await expect.poll(left).toBeLessThanOrEqual(1)

  // Who sends from further up is taken to the end.
  await page.getByTestId('transcript').evaluate((box) => box.scrollTo(0, 0))
  await expect.poll(left).toBeGreaterThan(100)
  await ask(page, `third-${word}`, `You said “third-${word}”`)
  await expect.poll(left).toBeLessThanOrEqual(1)
})

test('an overloaded provider is asked again after a countdown', async ({ page }) => {
  const word = unique('overload')
  await startChat(page, MODEL)
  await say(page, `${word} [[error: 529 retry-after=3 once]]`)
  await expect(conversation(page).getByText(/Attempt 2 in [123] s/)).toBeVisible()
  await expect(conversation(page).getByText(`You said “${word}”`)).toBeVisible()
  await idle(page)
  await page.reload()
  await expect(conversation(page).getByText(/Request failed: .* \(529\)/)).toBeVisible()
  const { events } = await exportLog(page)
  expect(ofType(events, 'request/failed').map(({ data }) => data.error.status)).toEqual([529])
  expect((await requestsWith(word)).map(({ status }) => status)).toEqual([529, 200])
  await expectCleanLog(page)
})

test('a reply that breaks off is kept, and the way on is offered', async ({ page }) => {
  const word = unique('cut')
  await startChat(page, MODEL)
  await say(page, `${word} [[long: 60]] [[cut: once]]`)
  const problem = page.getByRole('alert').filter({ hasText: 'Try again' })
  await expect(problem).toBeVisible()
  await expect(conversation(page).getByText('what had arrived is kept')).toBeVisible()
  await problem.getByRole('button', { name: 'Try again' }).click()
  await idle(page)
  await expect(problem).toHaveCount(0)
  await page.reload()
  await expect(conversation(page).getByText('what had arrived is kept')).toBeVisible()
  await ask(page, `more of ${word}`, `You said “more of ${word}”`)
  await expectCleanLog(page)
})

test('a key that the provider refuses is said in words', async ({ page }) => {
  const word = unique('key')
  await startChat(page, MODEL)
  await page.getByRole('button', { name: 'Settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByRole('tab', { name: 'Models' }).click()
  await settings.getByLabel('API key', { exact: true }).fill('bad-key')
  await settings.getByRole('button', { name: 'Use key' }).click()
  await settings.press('Escape')
  await say(page, word)
  const problem = page.getByRole('alert').filter({ hasText: 'Try again' })
  await expect(problem).toContainText('The provider did not accept the key')
  await problem.getByRole('button', { name: 'Settings' }).click()
  await settings.getByRole('button', { name: 'Wipe key' }).click()
  await settings.press('Escape')
  await problem.getByRole('button', { name: 'Try again' }).click()
  await expect(conversation(page).getByText(`You said “${word}”`)).toBeVisible()
  await idle(page)
  await page.reload()
  await expect(conversation(page).getByText(`You said “${word}”`)).toBeVisible()
  const { text } = await exportLog(page)
  expect(text).not.toContain('bad-key')
})

test('a draft outlives a reload and the end of the browser', async ({ page, profile }) => {
  const draft = `unfinished ${unique('draft')}\nsecond line`
  await startChat(page)
  await composer(page).fill(draft)
  await stored(page, 'drafts', draft)
  await page.reload()
  await expect(composer(page)).toHaveValue(draft)
  await composer(page).fill(`${draft}!`)
  await stored(page, 'drafts', `${draft}!`)
  const later = await profile.restart(page.url())
  await expect(composer(later)).toHaveValue(`${draft}!`)
})

test('a reload in the middle of a word keeps the word, and the files that wait with it', async ({
  page,
}) => {
  const word = unique('unsent')
  await startChat(page)
  await attach(page, [
    { name: 'dot.png', mimeType: 'image/png', buffer: PIXEL },
    { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from(`in ${word}`) },
  ])
  const files = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
  await expect(files).toHaveCount(2)
  await stored(page, 'drafts', 'a.txt')
  // No pause after the last key: only the page that is being left can store it.
  await composer(page).pressSequentially(word)
  await page.reload()
  await expect(composer(page)).toHaveValue(word)
  await expect(files).toHaveCount(2)
  await chooseModel(page, MODEL)
  await composer(page).press('Enter')
  await expect(files).toHaveCount(0)
  await expect.poll(async () => (await requestsWith(word)).length).toBe(1)
  const [sent] = await requestsWith(word)
  expect(JSON.stringify(sent!.body)).toContain(`in ${word}`)
  expect(JSON.stringify(sent!.body)).toContain('"media_type":"image/png"')
  await idle(page)
  await page.reload()
  await expect(composer(page)).toHaveValue('')
  await expect(files).toHaveCount(0)
})

test('a draft stays with its session, however soon that is left', async ({ page }) => {
  const draft = unique('draft')
  await startChat(page)
  const first = page.url()
  await page.getByRole('button', { name: 'New session' }).click()
  await page.getByRole('menuitem', { name: /^Empty/ }).click()
  await expect(page).not.toHaveURL(first)
  await expect(page.getByText('An empty workspace')).toBeVisible()
  await composer(page).fill(draft)
  await page.goBack()
  await expect(page.getByText('files to work with')).toBeVisible()
  await expect(composer(page)).toHaveValue('')
  await page.goForward()
  await expect(page.getByText('An empty workspace')).toBeVisible()
  await expect(composer(page)).toHaveValue(draft)
})

test('a second click makes no second session and asks nothing twice', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Start', exact: true }).dblclick()
  await page.getByRole('button', { name: 'Where is THRESHOLD defined?' }).dblclick()
  await expect(conversation(page).getByText('is defined in')).toBeVisible()
  await idle(page)
  const sessions = page.getByRole('list', { name: 'Sessions' })
  await expect(sessions.getByRole('button', { name: /^More for / })).toHaveCount(1)
  const { events } = await exportLog(page)
  expect(ofType(events, 'turn/start')).toHaveLength(1)
})

test('a turn stops at the step limit, and goes on once the limit is raised', async ({ page }) => {
  const word = unique('limit')
  const setLimit = async (steps: string) => {
    await page.getByRole('button', { name: 'Settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await settings.getByLabel('Steps a turn may take').fill(steps)
    await settings.getByLabel('Steps a turn may take').press('Tab')
    await dismiss(settings)
  }
  const files = ['notes.md', 'README.md', 'CHANGELOG.md']
  const task = files.map((path) => `[[call: read_file {"path":"${path}"}]] [[then]]`).join(' ')
  await startChat(page, MODEL)
  await setLimit('2')
  await say(page, `${word} ${task}`)
  await expect(conversation(page).getByText('Stopped at the step limit')).toBeVisible()
  await idle(page)
  await page.reload()
  await expect(conversation(page).getByText('Stopped at the step limit')).toBeVisible()
  await setLimit('10')
  await conversation(page).getByRole('button', { name: 'Continue' }).click()
  await expect(conversation(page).getByText('That is done.')).toBeVisible()
  await idle(page)
  const { events } = await exportLog(page)
  expect(ofType(events, 'turn/end').map(({ data }) => data.reason)).toEqual([
    'max-steps',
    'completed',
  ])
  expect(ofType(events, 'tool/call').map(({ data }) => data.input.path)).toEqual(files)
  await expectCleanLog(page)
})

test('the shipped workspace is what the tools see', async ({ page }) => {
  const word = unique('workspace')
  await startChat(page, MODEL)
  await ask(page, `${word} [[call: read_file {"path":"notes.md"}]]`, 'That is done.')
  await page.reload()
  const { events } = await exportLog(page)
  const file = await readFile(
    new URL('../public/sample-workspace/notes.md', import.meta.url),
    'utf8',
  )
  const lines = textOf(ofType(events, 'tool/result')[0]!)
    .split('\n')
    .map((line) => line.replace(/^\s*\d+\t/, ''))
  expect(`${lines.join('\n')}\n`).toBe(file)
})
