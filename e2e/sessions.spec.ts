/** Sessions as things: titles, deletion, links, what is inside them, and the workspace they act on. */

import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { expect, test } from './support/app'
import { unique } from './support/fake'
import { foldAt, ofType, textOf } from './support/log'
import { readSample } from './support/sample'
import {
  ask,
  composer,
  conversation,
  exportLog,
  importFiles,
  openPanel,
  openSample,
  position,
  startChat,
  surfaceOf,
} from './support/workbench'

const list = (page: Page) => page.getByRole('list', { name: 'Sessions' })
const entry = (page: Page, title: string) =>
  list(page).getByRole('button', { name: new RegExp(`^${title}`) })

test('a session names itself after its first message, and can be renamed in two places', async ({
  page,
}) => {
  const word = unique('title')
  await startChat(page)
  await ask(page, `list docs/ ${word}`, /docs/)
  await expect(entry(page, `list docs/ ${word}`)).toBeVisible()
  await expect(page).toHaveTitle(`list docs/ ${word}`)

  await page.getByRole('button', { name: /^Session title: / }).click()
  await page.getByRole('textbox', { name: 'Session title' }).fill(`Harbour ${word}`)
  await page.keyboard.press('Enter')
  await expect(entry(page, `Harbour ${word}`)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: `Session title: Harbour ${word}` })).toBeVisible()

  await entry(page, `Harbour ${word}`).focus()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Session title' }).fill(`Second ${word}`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Session title: Second ${word}` })).toBeVisible()
  await expect(page).toHaveTitle(`Second ${word}`)

  await page.getByRole('searchbox', { name: 'Search sessions' }).fill('nowhere')
  await expect(page.getByText('No title contains “nowhere”.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(entry(page, `Second ${word}`)).toBeVisible()
  const { events } = await exportLog(page)
  expect(ofType(events, 'session/title').map(({ data }) => data.source)).toEqual([
    'automatic',
    'human',
    'human',
  ])

  await test.step('a title that turns its end around is shown as it is, in labels and notices too', async () => {
    await entry(page, `Second ${word}`).focus()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Session title' }).fill(`photo\u202egnp ${word}`)
    await page.keyboard.press('Enter')
    const plain = `photo\ufffdgnp ${word}`
    await expect(page.getByRole('button', { name: `Session title: ${plain}` })).toBeVisible()
    await entry(page, plain).focus()
    await page.keyboard.press('Delete')
    await expect(page.getByText(`Deleted “${plain}”`, { exact: true })).toBeVisible()
    const turning = await page.evaluate(() =>
      [...document.body.querySelectorAll('*')]
        .flatMap((element) => [
          ...element.getAttributeNames().map((name) => element.getAttribute(name) ?? ''),
          element.textContent ?? '',
        ])
        .filter((said) => /[\u202a-\u202e\u2066-\u2069]/.test(said)),
    )
    expect(turning).toEqual([])
  })
})

test('a deleted session is gone after a reload, and undo brings it back whole', async ({
  page,
}) => {
  const sample = await readSample()
  await openSample(page)
  const url = page.url()
  await entry(page, 'Take over Harbor').focus()
  await page.keyboard.press('Delete')
  await expect(page.getByText('No sessions yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await entry(page, 'Take over Harbor').click()
  await expect(position(page)).toContainText(`seq ${sample.last} / ${sample.last}`)
  expect((await exportLog(page)).text).toBe(sample.text)

  await page.getByRole('button', { name: /^More for Take over Harbor/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(
    page.getByText('Deleted “Take over Harbor: promises between agents”', { exact: true }),
  ).toBeVisible()
  await page.reload()
  await expect(page.getByText('No sessions yet.')).toBeVisible()
  await page.goto(url)
  await expect(page.getByText('This session is not in this browser')).toBeVisible()

  const report = await importFiles(page, [
    { name: 'again.jsonl', mimeType: 'text/plain', buffer: Buffer.from(sample.text) },
  ])
  await expect(report).toContainText('was in the trash and has been put back')
  await report.getByRole('button', { name: 'Close' }).last().click()
  await expect(entry(page, 'Take over Harbor')).toBeVisible()
  await expect(position(page)).toContainText(`seq ${sample.last} / ${sample.last}`)
})

test('a link to a session that is not here says so, and importing its file opens it', async ({
  page,
}) => {
  const sample = await readSample()
  const at = sample.before(sample.checkpoints[1])
  await page.goto(`/?s=sample-harbor&at=${at}&panel=surface`)
  await expect(page.getByText('This session is not in this browser')).toBeVisible()
  await page.reload()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import it' }).click(),
  ])
  await chooser.setFiles([
    { name: 'harbor.jsonl', mimeType: 'text/plain', buffer: Buffer.from(sample.text) },
  ])
  const report = page.getByRole('dialog', { name: 'Import report' })
  await expect(report).toContainText(`${sample.events.length} events read. Every rule holds.`)
  await report.getByRole('button', { name: 'Close' }).last().click()
  await expect(position(page)).toContainText(`seq ${at} / ${sample.last}`)
  await expect(page.getByRole('tab', { name: 'Surface' })).toHaveAttribute('aria-selected', 'true')
  expect(await surfaceOf(page)).toEqual(foldAt(sample.events, at).surface)
})

test('words are found anywhere in a session, what is shown or not', async ({ page }) => {
  const needle = 'Never shorten a pilot'
  await openSample(page)
  const { events } = await readSample()
  const hits = events.filter(
    ({ type, data }) =>
      (type === 'user/message' &&
        data.source.kind !== 'checkpoint' &&
        JSON.stringify(data.content).includes(needle)) ||
      (type === 'compact/summary' && data.summary.includes(needle)) ||
      (['assistant/message', 'tool/result'].includes(type) &&
        JSON.stringify(data.content).includes(needle)),
  )
  expect(hits.length).toBeGreaterThan(0)
  const search = page.getByRole('search', { name: 'Find in this session' })
  const find = async () => {
    await page.keyboard.press('Control+f')
    await expect(search.getByRole('searchbox', { name: 'Find' })).toBeFocused()
    await page.keyboard.type(needle.toUpperCase())
    await expect(search.getByRole('status')).toHaveText(`${hits.length} of ${hits.length}`)
  }
  await find()
  for (let at = hits.length - 1; at > 0; at--) {
    await page.keyboard.press('Shift+Enter')
    await expect(search.getByRole('status')).toHaveText(`${at} of ${hits.length}`)
  }
  const first = conversation(page).getByText(needle).first()
  await expect(first).toBeInViewport()
  await page.keyboard.type('xyzzy')
  await expect(search.getByRole('status')).toHaveText('nothing found')
  await page.keyboard.press('Escape')
  await expect(search).toHaveCount(0)
  await page.reload()
  await expect(composer(page)).toBeVisible()
  await find()
})

test('a message and a code block are copied as they were written', async ({ page }) => {
  const word = unique('copy')
  const code = `const ${word.replace('-', '_')} = [1, 2]`
  const reply = `Here it is:\n\n\`\`\`js\n${code}\n\`\`\``
  await startChat(page, 'Claude Sonnet 5.5')
  await ask(page, `${word} [[reply: ${reply}]]`, 'Here it is:')
  await page.reload()
  const message = conversation(page).getByRole('article', { name: /^Assistant/ })
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await message.hover()
  await message.getByRole('button', { name: 'Copy message' }).click()
  await expect.poll(clipboard).toBe(reply)
  await message.getByRole('button', { name: 'Copy code' }).click()
  await expect.poll(clipboard).toBe(code)
  const { events } = await exportLog(page)
  expect(textOf(ofType(events, 'assistant/message')[0]!)).toBe(reply)
})

test('what tools change in the workspace is shown, compared and taken away as a zip', async ({
  page,
}) => {
  const shipped = await readFile(
    new URL('../public/sample-workspace/notes.md', import.meta.url),
    'utf8',
  )
  const from = 'The dog was excused.'
  const to = 'The dog took the minutes.'
  await startChat(page)
  await ask(page, `replace "${from}" with "${to}" in notes.md`, /notes\.md/)
  await ask(page, 'create docs/new.txt with "written by a tool"', /new\.txt/)

  const seen = async () => {
    const files = await openPanel(page, 'Files')
    await expect(files).toContainText('2 changed by tools')
    const tree = files.getByRole('list', { name: 'Files' })
    await tree.getByRole('button').first().press('End')
    await tree.getByRole('button', { name: /^notes\.md/ }).click()
    const view = files.getByRole('region', { name: 'notes.md', exact: true })
    await expect(view.getByRole('region', { name: 'Changes in notes.md' })).toContainText(
      '−1 +1 lines',
    )
    await expect(view.getByText(to)).toBeVisible()
    await view.getByRole('radiogroup').getByText('File', { exact: true }).click()
    await expect(view.getByText(to)).toBeVisible()
    await expect(view.getByText(from)).toHaveCount(0)
    return files
  }
  await seen()
  await page.reload()
  const files = await seen()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    files.getByRole('button', { name: 'Download zip' }).click(),
  ])
  const zip = unzipSync(new Uint8Array(await readFile(await saved.path())))
  const text = (path: string) => new TextDecoder().decode(zip[path])
  expect(text('notes.md')).toBe(shipped.replace(from, to))
  expect(text('docs/new.txt').trim()).toBe('written by a tool')
  const index = JSON.parse(
    await readFile(new URL('../public/sample-workspace/index.json', import.meta.url), 'utf8'),
  ) as { path: string }[]
  expect(
    Object.keys(zip)
      .filter((path) => !path.endsWith('/'))
      .sort(),
  ).toEqual([...index.map(({ path }) => path), 'docs/new.txt'].sort())
})

test('a folder that is picked becomes a workspace', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'New session' }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'From a folder…' }).click(),
  ])
  await chooser.setFiles(new URL('../public/sample-workspace/docs', import.meta.url).pathname)
  const dialog = page.getByRole('dialog', { name: 'Start with these files' })
  await expect(dialog).toContainText('overview.md')
  await dialog.getByRole('button', { name: 'Start session' }).click()
  await ask(page, 'list all files', /overview\.md/)
  await page.reload()
  await expect(composer(page)).toBeVisible()
  const files = await openPanel(page, 'Files')
  await expect(files.getByRole('button', { name: /^overview\.md/ })).toBeVisible()
})

test('a fork begins where a turn ended and leaves the first session alone', async ({ page }) => {
  const sample = await readSample()
  await openSample(page)
  await composer(page).fill('/fork')
  await composer(page).press('Enter')
  await expect(page.getByText('Forked into a new session', { exact: true })).toBeVisible()
  await expect(page).not.toHaveURL(/sample-harbor/)
  await expect(list(page).getByRole('listitem')).toHaveCount(2)
  await page.reload()
  await expect(position(page)).toContainText(`/ ${sample.last}`)
  const fork = await exportLog(page)
  expect(fork.header).toMatchObject({ parent: { id: 'sample-harbor', seq: sample.last } })
  expect(fork.events).toEqual(sample.events)
})

test('an empty file is refused in words and adds nothing', async ({ page }) => {
  await page.goto('/')
  const report = await importFiles(page, [
    { name: 'empty.jsonl', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
  ])
  await expect(report).toContainText(/empty|not|no /i)
  await report.getByRole('button', { name: 'Close' }).last().click()
  await page.reload()
  await expect(page.getByText('No sessions yet.')).toBeVisible()
})
