/** Transcripts of other programs in, by every way there is: what comes in, what is said of it, what a cancel leaves. */

import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from './support/app'
import {
  card,
  conversation,
  dropFiles,
  exportAs,
  importFiles,
  type Upload,
} from './support/workbench'

const asFile = (name: string, content: string | Uint8Array): Upload => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})
const jsonl = (...rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const sessions = (page: Page) => page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')

/** Rows of Claude Code, each hanging from the one before. */
function claudeLog(id: string, turns: number, words: (turn: number) => string): string {
  const rows: object[] = []
  const add = (row: object) => {
    const n = rows.length
    rows.push({
      parentUuid: n === 0 ? null : `${id}-${n - 1}`,
      sessionId: id,
      uuid: `${id}-${n}`,
      timestamp: new Date(Date.UTC(2026, 1, 3, 9, 0, n)).toISOString(),
      ...row,
    })
  }
  for (let turn = 0; turn < turns; turn += 1) {
    add({ type: 'user', message: { role: 'user', content: `Question ${turn}` } })
    const content = [{ type: 'text', text: words(turn) }]
    add({
      type: 'assistant',
      message: { id: `msg_${turn}`, role: 'assistant', model: 'm', content },
    })
  }
  return jsonl(...rows)
}

const compacted = (id: string) =>
  claudeLog(id, 2, (turn) => `Answer ${turn}`) +
  jsonl(
    {
      type: 'system',
      subtype: 'compact_boundary',
      parentUuid: null,
      sessionId: id,
      uuid: `${id}-b`,
      compactMetadata: { trigger: 'auto', preTokens: 150_000 },
    },
    {
      type: 'user',
      isCompactSummary: true,
      parentUuid: `${id}-b`,
      sessionId: id,
      uuid: `${id}-s`,
      message: { role: 'user', content: 'The garden was planned, the answers were two.' },
    },
    {
      type: 'user',
      parentUuid: `${id}-s`,
      sessionId: id,
      uuid: `${id}-l`,
      message: { role: 'user', content: 'Go on' },
    },
  )

const chat = (n: number) => ({
  title: n % 2 === 0 ? `Recipe ${n}` : `Travel ${n}`,
  conversation_id: `chat-${n}`,
  create_time: 1_760_000_000 + n * 86_400,
  current_node: 'b',
  mapping: {
    a: {
      id: 'a',
      parent: null,
      message: {
        author: { role: 'user' },
        content: { content_type: 'text', parts: [`What of ${n}?`] },
      },
    },
    b: {
      id: 'b',
      parent: 'a',
      message: {
        author: { role: 'assistant' },
        content: { content_type: 'text', parts: [`This of ${n}.`] },
      },
    },
  },
})

test('files dropped together come in, a bad one is named, and the original leaves as it came', async ({
  page,
}) => {
  const original = compacted('garden')
  const torn = `${claudeLog('torn', 2, () => 'Said')}{"type":"user","uuid":"x`
  const archive = zipSync({
    'deep/pi.jsonl': strToU8(
      jsonl(
        { type: 'session', version: 3, id: 'pi-shed', timestamp: '2026-01-01T00:00:00Z' },
        {
          type: 'message',
          id: '1',
          parentId: null,
          timestamp: '2026-01-01T00:00:01Z',
          message: { role: 'user', content: 'Build a shed' },
        },
      ),
    ),
    'readme.md': strToU8('# nothing'),
  })
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeVisible()
  await dropFiles(page, 'Import transcripts', [
    asFile('garden.txt', original),
    asFile('torn.jsonl', torn),
    asFile('diary.txt', 'Dear diary'),
    asFile('all.zip', archive),
  ])
  const report = page.getByRole('dialog', { name: 'Import report, 4 files' })
  const about = (name: string) => report.getByRole('article', { name })
  await expect(about('garden.txt')).toContainText('1 compaction, range worked out from the file')
  await expect(about('torn.jsonl')).toContainText('the last line is cut off')
  await expect(about('diary.txt')).toContainText('no transcript in a format Palimpsest knows')
  await expect(about('all.zip › deep/pi.jsonl')).toContainText('One other file is no transcript')
  await report.getByRole('button', { name: 'Close' }).last().click()
  await expect(sessions(page)).toHaveCount(3)
  await page.goto('/?s=garden')
  await expect(conversation(page).getByText('Question 0')).toBeVisible()
  await expect(card(page, 'Compacted automatically')).toBeVisible()
  expect((await exportAs(page, /^Original/)).text).toBe(original)
})

test('an export of many conversations asks which, and takes no others', async ({ page }) => {
  const many = JSON.stringify(Array.from({ length: 40 }, (_, n) => chat(n)))
  await page.goto('/')
  const report = await importFiles(page, [asFile('conversations.json', many)])
  const dialog = page.getByRole('dialog', { name: 'Choose conversations' })
  await expect(dialog).toContainText('holds 40 conversations')
  await expect(dialog.getByRole('status')).toHaveText('40 of 40 chosen')
  await dialog.getByRole('button', { name: 'None' }).click()
  await expect(dialog.getByRole('button', { name: 'Import 0' })).toBeDisabled()
  await dialog.getByLabel('Find by title').fill('recipe 3')
  await dialog.getByRole('button', { name: 'All found' }).click()
  await expect(dialog.getByRole('status')).toHaveText('5 of 40 chosen')
  await dialog.getByRole('checkbox', { name: /^Recipe 38/ }).uncheck()
  await dialog.getByRole('button', { name: 'Import 4' }).click()
  await expect(report).toContainText('in 4 sessions')
  await report.getByRole('button', { name: 'Close' }).last().click()
  await expect(sessions(page)).toHaveCount(4)
  await expect(sessions(page).filter({ hasText: 'Recipe 30' })).toHaveCount(1)
})

test('the text of a transcript comes in by paste', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeVisible()
  await page.evaluate((text) => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  }, compacted('pasted'))
  const report = page.getByRole('dialog', { name: 'Import report' })
  await expect(report.getByRole('article', { name: 'pasted text' })).toContainText('records read')
  await report.getByRole('button', { name: 'Close' }).last().click()
  await expect(sessions(page)).toHaveCount(1)
})

/** Rows in every table, settings aside. */
const rowsIn = (page: Page) =>
  page.evaluate(async () => {
    const [found] = await indexedDB.databases()
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const open = indexedDB.open(found?.name ?? '')
      open.onsuccess = () => resolve(open.result)
      open.onerror = () => reject(open.error)
    })
    const names = [...db.objectStoreNames].filter((name) => name !== 'settings')
    const counts = await Promise.all(
      names.map(
        (name) =>
          new Promise<[string, number]>((resolve) => {
            const count = db.transaction(name).objectStore(name).count()
            count.onsuccess = () => resolve([name, count.result])
          }),
      ),
    )
    db.close()
    return Object.fromEntries(counts.filter(([, count]) => count > 0))
  })

test('a cancel in the middle leaves nothing behind', async ({ page }, info) => {
  const large = info.outputPath('large.jsonl')
  await writeFile(
    large,
    claudeLog('large', 3_000, (turn) => `${turn} `.repeat(3_000)),
  )
  await page.goto('/')
  await importFiles(page, large)
  const running = page.getByRole('status').filter({ hasText: 'Reading large.jsonl' })
  await expect(running.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /[1-9]/)
  await running.getByRole('button', { name: 'Cancel the import' }).click()
  await expect(running).toHaveCount(0)
  await expect.poll(() => rowsIn(page)).toEqual({})
  await page.reload()
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeVisible()
  expect(await rowsIn(page)).toEqual({})
})

test('a large file is kept byte for byte by a worker beside the one that reads it', async ({
  page,
}, info) => {
  const path = info.outputPath('large.jsonl')
  const original = claudeLog('large', 1_500, (turn) => `${turn} ${'words of it '.repeat(400)}`)
  await writeFile(path, original)
  expect(original.length).toBeGreaterThan(6 << 20)
  await page.goto('/')
  const report = await importFiles(page, path)
  await expect(report).toContainText('3,000 records read', { timeout: 60_000 })
  await report.getByRole('button', { name: 'Close' }).last().click()
  expect((await exportAs(page, /^Original/)).text).toBe(original)
})
