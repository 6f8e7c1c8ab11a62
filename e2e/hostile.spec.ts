/** What a key and hostile words may reach: nothing. Against the production build, in Chromium. */

import type { Page, Response as PageResponse } from '@playwright/test'
import { expect, test } from './support/app'
import { requestsWith, unique } from './support/fake'
import { startServer } from './support/server'
import {
  ask,
  chooseModel,
  composer,
  conversation,
  exportAs,
  idle,
  say,
  startChat,
} from './support/workbench'

const MODEL = 'Claude Sonnet 5.5'

/** Every row of every table of every database of the page. */
const everythingStored = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const opened = (name: string) =>
      new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
    const all = (db: IDBDatabase, table: string) =>
      new Promise<unknown[]>((resolve) => {
        const rows = db.transaction(table).objectStore(table).getAll()
        rows.onsuccess = () => resolve(rows.result)
      })
    const text = async (value: unknown): Promise<string> => {
      if (value instanceof Blob) return value.text()
      if (value instanceof ArrayBuffer || ArrayBuffer.isView(value))
        return new TextDecoder().decode(value as ArrayBuffer)
      if (Array.isArray(value)) return (await Promise.all(value.map(text))).join(' ')
      if (typeof value === 'object' && value !== null) return text(Object.entries(value).flat())
      return String(value)
    }
    const parts: string[] = []
    for (const { name } of await indexedDB.databases()) {
      const db = await opened(name!)
      for (const table of db.objectStoreNames) parts.push(await text(await all(db, table)))
      db.close()
    }
    return parts.join('\n')
  })

test('a typed key is nowhere the app writes', async ({ page }) => {
  const canary = `sk-canary-${unique('key')}`
  const word = unique('canary')
  const server = await startServer({ ANTHROPIC_API_KEY: '', PALIMPSEST_LOG: 'on' })
  const answers: Promise<string>[] = []
  const urls: string[] = []
  page.on('response', (response: PageResponse) => {
    answers.push(response.text().catch(() => ''))
  })
  page.on('request', (request) => urls.push(request.url()))
  await page.goto(server.base)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('tab', { name: 'Models' }).click()
  const field = page.getByLabel('API key')
  await field.fill(canary)
  await page.getByRole('button', { name: 'Use key' }).click()
  await expect(page.getByText('in use until this tab is closed')).toBeVisible()
  await page.getByRole('dialog', { name: 'Settings' }).press('Escape')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await chooseModel(page, MODEL)
  // A reply, a refusal, and a summary by the model.
  await ask(page, `${word} [[reply: Fine ${word}.]] `, `Fine ${word}.`)
  await ask(page, `${word} ${'filler words '.repeat(900)}`, 'You said')
  await composer(page).fill('/compact')
  await composer(page).press('Enter')
  await idle(page)
  await say(page, `${word} [[error: 400 no such thing]]`)
  await idle(page)
  const seen = await requestsWith(word)
  expect(seen.length).toBeGreaterThan(2)
  expect(seen.every((entry) => (entry as unknown as { key: string }).key === canary)).toBe(true)

  const downloads: string[] = []
  for (const format of [/^Log \(JSONL\)/, /^Markdown/, /^Request/])
    downloads.push((await exportAs(page, format)).text)
  expect(downloads.join('').includes(word)).toBe(true)
  const stored = await everythingStored(page)
  expect(stored).toContain(word)
  const local = await page.evaluate(() => JSON.stringify({ ...localStorage }))
  // The log line of the last call, the refused one, may still be on its way through the pipe.
  await expect.poll(() => server.output()).toContain('"outcome":"invalid-request"')
  const places: Record<string, string> = {
    downloads: downloads.join('\n'),
    stored,
    local,
    answers: (await Promise.all(answers)).join('\n'),
    urls: urls.join('\n'),
    log: server.output(),
    page: await page.content(),
    cookies: JSON.stringify(await page.context().cookies()),
  }
  for (const [place, text] of Object.entries(places))
    expect([place, text.includes(canary)]).toEqual([place, false])
  // The log speaks of calls, and of no word that was said in them.
  expect(server.output()).toContain('"outcome":"end"')
  expect(server.output()).not.toContain(word)

  // Remembered on request, and wiped in one click.
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('tab', { name: 'Models' }).click()
  await page.getByLabel('API key').fill(canary)
  await page.getByLabel('Remember it in this browser').check()
  await page.getByRole('button', { name: 'Use key' }).click()
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain(canary)
  await page.getByRole('button', { name: 'Wipe key' }).click()
  expect(
    await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
  ).not.toContain(canary)
  await page.close()
  await server.stop()
})

test('hostile words and hostile tool results run nothing, load nothing and lead nowhere', async ({
  page,
  baseURL,
}) => {
  const foreign: string[] = []
  await page.route('**/*', (route) => {
    const { origin, protocol } = new URL(route.request().url())
    if (origin !== baseURL && protocol.startsWith('http')) foreign.push(route.request().url())
    return route.continue()
  })
  const hostile = [
    '<script>window.pwned=1</script>',
    '<img src=x onerror="window.pwned=2">',
    '<iframe srcdoc="<script>parent.pwned=3</script>"></iframe>',
    '<a href="javascript:window.pwned=4">click</a>',
    '[link](javascript:window.pwned=5)',
    '[data](data:text/html,<script>window.pwned=6</script>)',
    '![pixel](https://evil.example/pixel.png?secret)',
    '<style>body{display:none}</style>',
    '<svg onload="window.pwned=7"></svg>',
    '[ref]: https://evil.example "x"',
    '<form action="https://evil.example"><button>go</button></form>',
  ].join('\n\n')
  await startChat(page, MODEL)
  await say(page, `[[reply: ${hostile.replaceAll(']]', '] ]')}\n\nEND-OF-WORDS]]`)
  await expect(conversation(page).getByText('END-OF-WORDS').last()).toBeVisible()
  await idle(page)
  await say(
    page,
    `[[call: write_file ${JSON.stringify({ path: 'agents/0-evil.html', content: hostile })}]] [[then]] [[call: read_file {"path":"agents/0-evil.html"}]] [[then]] [[reply: END-OF-TOOLS]]`,
  )
  await expect(conversation(page).getByText('END-OF-TOOLS').last()).toBeVisible()
  await idle(page)
  await conversation(page)
    .getByRole('button', { name: /^read_file/ })
    .last()
    .click()
  await page.getByRole('tab', { name: 'Files', exact: true }).click()
  await page.getByTestId('files').getByText('0-evil.html').click()
  await expect(page.getByTestId('files')).toContainText('window.pwned=7')
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false)
  const links = await page
    .locator('a[href]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  expect(links.filter((href) => /^(javascript|data|vbscript):/i.test(href.trim()))).toEqual([])
  expect(
    await page
      .locator('img[src^="http"], iframe, object, embed, main form[action^="http"]')
      .count(),
  ).toBe(0)
  expect(await page.getByText('image: pixel').count()).toBeGreaterThan(0)
  expect(foreign).toEqual([])
})
