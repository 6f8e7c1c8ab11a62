/** The page a session leaves as: it opens from disk, runs nothing of the content, and imports again. */

import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { expect, test } from './support/app'
import { readLog } from './support/log'
import {
  download,
  exportAs,
  exportLog,
  importFiles,
  openExport,
  openSample,
  position,
  type Upload,
  wipe,
} from './support/workbench'

const HTML = /^Web page/

const asFile = (name: string, text: string): Upload => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
})

/** Opens a page from disk; whatever it asks for but itself, and every dialog, is counted. */
async function openFromDisk(page: Page, text: string, path: string) {
  await writeFile(path, text)
  const other = await page.context().newPage()
  const asked: string[] = []
  const broken: string[] = []
  const url = pathToFileURL(path).href
  other.on('request', (request) => {
    const target = request.url()
    if (target !== url && !target.startsWith('data:image/')) asked.push(target)
  })
  other.on('dialog', (dialog) => {
    broken.push(dialog.message())
    void dialog.dismiss()
  })
  other.on('pageerror', (error) => broken.push(String(error)))
  await other.addInitScript(() => {
    const fired: string[] = []
    Object.assign(window, {
      fired,
      tripwire: (mark: unknown) => fired.push(String(mark)),
      alert: () => fired.push('alert'),
      open: () => fired.push('open'),
    })
    document.addEventListener('securitypolicyviolation', (event) =>
      fired.push(`${event.effectiveDirective} ${event.blockedURI}`),
    )
  })
  await other.goto(url)
  const fired = () => other.evaluate(() => (window as unknown as { fired: string[] }).fired)
  return { other, asked, broken, fired }
}

test('the page opens from disk and offline, moves through time, prints whole, and comes back', async ({
  page,
  profile,
}, info) => {
  await openSample(page)
  const was = await exportLog(page)
  const last = was.events.length - 1
  const { text, name } = await exportAs(page, HTML)
  expect(name).toMatch(/\.html$/)
  await profile.context.setOffline(true)
  const { other, asked, broken, fired } = await openFromDisk(
    page,
    text,
    info.outputPath('sample.html'),
  )
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(other.getByRole('img', { name: /^Strata/ })).toBeVisible()
  await expect(other.getByRole('img', { name: /^Tokens/ })).toBeVisible()
  await expect(other.locator('article.compaction')).toHaveCount(
    was.events.filter(({ type }) => type === 'compact/summary').length,
  )
  await expect(other.locator('article.gone').first()).toContainText('out of the window')
  const gone = await other.locator('article.gone').count()
  await other.getByRole('slider', { name: 'Playhead' }).fill('40')
  await expect(other.locator('#moment')).toContainText(`event 40 of ${last}`)
  await expect(other.locator('article.gone')).toHaveCount(0)
  await other.getByRole('slider', { name: 'Playhead' }).fill(String(last))
  await expect(other.locator('article.gone')).toHaveCount(gone)
  const [saved] = await Promise.all([
    other.waitForEvent('download'),
    other.getByRole('button', { name: 'Save the log' }).click(),
  ])
  expect(await readFile(await saved.path(), 'utf8')).toBe(was.text)
  await other.emulateMedia({ media: 'print' })
  const cut = await other
    .locator('article, article pre')
    .evaluateAll((all) =>
      all
        .filter((one) => one.scrollHeight > one.clientHeight + 2)
        .map(({ className }) => className),
    )
  expect(cut).toEqual([])
  expect((await other.pdf()).length).toBeGreaterThan(10_000)
  expect({ asked, broken, fired: await fired() }).toEqual({ asked: [], broken: [], fired: [] })
  await other.close()
  await profile.context.setOffline(false)

  await wipe(page)
  await page.goto('/')
  const report = await importFiles(page, [asFile('renamed.bin', text)])
  await expect(report).toContainText('Every rule holds.')
  await report.getByRole('button', { name: 'Close' }).last().click()
  await expect(position(page)).toContainText(`seq ${last} / ${last}`)
  expect((await exportLog(page)).text).toBe(was.text)
})

/** Markup, script, links and terminal orders that call the tripwire if anything believes them. */
const HOSTILE = [
  '<script>tripwire(1)</script>',
  '</script><script>tripwire(2)</script>',
  '</style></title><script>tripwire(3)</script>',
  '"><img src=x onerror=tripwire(4)><svg onload=tripwire(4)>',
  "' autofocus onfocus='tripwire(5)' x='",
  '<iframe srcdoc="<script>parent.tripwire(6)</script>"></iframe>',
  'javascript:tripwire(7)',
  '[x](javascript:tripwire(8)) https://evil.test/"onmouseover="tripwire(8) mailto:a@b"onclick="tripwire(8)',
  '<meta http-equiv=refresh content="0;url=https://evil.test/"><base href=https://evil.test/>',
  '<link rel=stylesheet href=https://evil.test/x.css><style>@import "https://evil.test/y";</style>',
  '\u001b]8;;javascript:tripwire(9)\u0007x\u001b]8;;\u0007\u001b[31m<b onclick=tripwire(9)>\u001b[0m\u0000',
  '<!--><script>tripwire(10)</script>--><![CDATA[<script>tripwire(10)</script>]]>',
  '&lt;script&gt;tripwire(11)&lt;/script&gt;<image href="https://evil.test/i.png"/>',
  '<form action=https://evil.test><button autofocus>x</button></form><details open ontoggle=tripwire(12)>',
  '\u2028\u2029</pre></article></main><script>tripwire(13)</script>',
  '</script type="application/octet-stream;base64" id="palimpsest-log"><script>tripwire(14)</script>',
]
/** Words the log's shape depends on, and keys that join events. */
const KEPT = new Set([
  ...['type', 'op', 'kind', 'reason', 'trigger', 'cause', 'certainty', 'code', 'preset', 'when'],
  ...[
    'source',
    'media_type',
    'keepTail',
    'effort',
    'surfaceOp',
    'hash',
    'requestHash',
    'id',
    'callId',
    'compactionId',
  ],
])

/** One value becomes the same hostile one wherever it stands: a replacement still fits what it replaces. */
function poison(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    const pick = value.length + (value.codePointAt(0) ?? 0)
    return KEPT.has(key) ? value : `${HOSTILE[pick % HOSTILE.length]}${value.slice(0, 80)}`
  }
  if (Array.isArray(value)) return value.map((one) => poison(one, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poison(one, name)]))
}

test('no content of any field runs, loads or links anywhere, in the app or in the page', async ({
  page,
}, info) => {
  const sample = await readFile(new URL('../public/sample-session.jsonl', import.meta.url), 'utf8')
  const lines = sample
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((line) => !line.blob)
    .map((line, index) =>
      JSON.stringify(
        index === 0
          ? { ...line, palimpsest: { ...line.palimpsest, id: 'hostile' } }
          : { ...line, data: poison(line.data) },
      ),
    )
  await page.goto('/')
  await page.evaluate(() => {
    Object.assign(window, { fired: [], tripwire: (mark: unknown) => fired().push(mark) })
    const fired = () => (window as unknown as { fired: unknown[] }).fired
  })
  const report = await importFiles(page, [asFile('hostile.jsonl', `${lines.join('\n')}\n`)])
  await report.getByRole('button', { name: 'Close' }).last().click()
  const { text } = await exportAs(page, HTML)
  expect(await page.evaluate(() => (window as unknown as { fired: unknown[] }).fired)).toEqual([])

  const { other, asked, broken, fired } = await openFromDisk(
    page,
    text,
    info.outputPath('hostile.html'),
  )
  await expect(other.locator('article').first()).toBeVisible()
  expect(await other.locator('article').count()).toBeGreaterThan(200)
  await other.evaluate(() => {
    for (const one of document.querySelectorAll('article *'))
      for (const kind of ['mouseover', 'focus', 'toggle', 'load', 'error'])
        one.dispatchEvent(new Event(kind, { bubbles: true }))
  })
  const found = await other.evaluate(() => ({
    scripts: document.scripts.length,
    handlers: [...document.querySelectorAll('*')].flatMap((one) =>
      [...one.attributes].filter(({ name }) => name.startsWith('on') || name === 'style'),
    ).length,
    strangers: document.querySelectorAll(
      'iframe, object, embed, form, link, base, details, meta[http-equiv=refresh], image, use, b',
    ).length,
    links: [...document.querySelectorAll('a')]
      .map((link) => link.getAttribute('href') ?? '')
      .filter((href) => !/^(#e\d+$|https?:|mailto:)/.test(href)),
    loose: document.body.querySelectorAll(':scope > article').length,
  }))
  expect(found).toEqual({ scripts: 2, handlers: 0, strangers: 0, links: [], loose: 0 })
  await other.getByRole('slider', { name: 'Playhead' }).fill('100')
  await expect(other.locator('#moment')).toContainText('event 100')
  expect({ asked, broken, fired: await fired() }).toEqual({ asked: [], broken: [], fired: [] })
  await other.close()
  expect(readLog(`${lines.join('\n')}\n`).events.length).toBe((await exportLog(page)).events.length)
})

test('an export without secrets shows every hit first and holds none of them', async ({ page }) => {
  const key = ['sk', 'ant', 'api03', 'Zq8sJd73hKx02LmNvB45tYw1'].join('-')
  const sample = await readFile(new URL('../public/sample-session.jsonl', import.meta.url), 'utf8')
  const lines = sample.trimEnd().split('\n')
  const first = lines.findIndex((line) => line.includes('"type":"user/message"'))
  const event = JSON.parse(lines[first]!)
  event.data.content.push({ type: 'text', text: `with ${key} for Ms Quillfeather` })
  const header = JSON.parse(lines[0]!)
  header.palimpsest.id = 'laden'
  const laden = [JSON.stringify(header), ...lines.slice(1)]
  laden[first] = JSON.stringify(event)
  await page.goto('/')
  const report = await importFiles(page, [asFile('laden.jsonl', `${laden.join('\n')}\n`)])
  await report.getByRole('button', { name: 'Close' }).last().click()
  const dialog = await openExport(page, HTML)
  await dialog.getByRole('checkbox', { name: 'Take out secrets' }).check()
  await expect(dialog.getByRole('button', { name: 'Download' })).toBeDisabled()
  await dialog.getByLabel('Your own words').fill('quillfeather')
  await dialog.getByRole('button', { name: 'Look for secrets' }).click()
  const found = dialog.getByRole('region', { name: 'Secrets found' })
  await expect(found).toContainText('API key')
  await expect(found).toContainText(`#${event.seq} text`)
  const { text } = await download(page, () =>
    dialog.getByRole('button', { name: 'Download' }).click(),
  )
  expect(text).not.toContain(key)
  expect(text.toLowerCase()).not.toContain('quillfeather')

  await wipe(page)
  await page.goto('/')
  const again = await importFiles(page, [asFile('clean.html', text)])
  await expect(again).toContainText('Every rule holds.')
  await again.getByRole('button', { name: 'Close' }).last().click()
  const clean = await exportLog(page)
  expect(clean.text).not.toContain(key)
  expect(clean.text.toLowerCase()).not.toContain('quillfeather')
  expect(clean.text).toContain('REDACTED-')
  expect(clean.events).toHaveLength(readLog(sample).events.length)
})
