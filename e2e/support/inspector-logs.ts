/** Small logs of fixed shape, as files of the native format. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Event, Op } from './log'

type Draft = { type: string; data: unknown; surfaceOp?: Op; sourceEventSeqs?: number[] }

/** One text block of a size: so many words of five letters. */
export const words = (count: number, word = 'token') => [
  { type: 'text', text: Array.from({ length: count }, () => word).join(' ') },
]

export type Draw = {
  events: Event[]
  add(draft: Draft, time?: number): number
  user(text?: unknown[]): number
  reply(): number
  call(): { message: number; result: number }
  prune(result: number): number
  summary(span: number[], certainty?: string, text?: string): number
  fail(span: number[], code: string): number
}

const HEADER = {
  provider: 'anthropic',
  model: 'fixed',
  contextWindow: 20_000,
  system: 'Be brief.',
  tools: [],
  params: { max_tokens: 1_000 },
  policy: {
    preset: 'standard',
    threshold: { ratio: 0.8 },
    micro: { when: 'off', keepRecent: 3, minChars: 100, exempt: [], recallHint: false },
    prune: { thresholdChars: 8192, headChars: 4096, tailChars: 1024 },
    keepTail: 'recent',
    minGain: { ratio: 0.1, tokens: 500 },
  },
  builder: 1,
}

/** A pen for a log; each event a second after the one before unless it says when. */
export function draw(): Draw {
  const events: Event[] = []
  let calls = 0
  let compactions = 0
  const add: Draw['add'] = (draft, time) => {
    const seq = events.length
    const at = time ?? (events.at(-1)?.time ?? 1_700_000_000_000) + 1_000
    events.push({ ...draft, seq, time: at } as Event)
    return seq
  }
  const replace = (span: number[]): { surfaceOp: Op; sourceEventSeqs: number[] } => ({
    surfaceOp: { op: 'replace', start: span[0] as number, end: span.at(-1) as number },
    sourceEventSeqs: span,
  })
  const range = (span: number[]) => ({ start: span[0], end: span.at(-1) })
  add({ type: 'request/header', data: HEADER })
  return {
    events,
    add,
    user: (content = words(40)) =>
      add({
        type: 'user/message',
        data: { id: `u${events.length}`, content, source: { kind: 'human' } },
        surfaceOp: 'append',
      }),
    reply: () =>
      add({
        type: 'assistant/message',
        data: { id: `a${events.length}`, content: words(30) },
        surfaceOp: 'append',
        sourceEventSeqs: [],
      }),
    call() {
      calls += 1
      const callId = `call-${calls}`
      const message = add({
        type: 'assistant/message',
        data: {
          id: `a${events.length}`,
          content: [{ type: 'tool_use', id: callId, name: 'read_file', input: { path: 'a.ts' } }],
        },
        surfaceOp: 'append',
        sourceEventSeqs: [],
      })
      const result = add({
        type: 'tool/result',
        data: {
          id: `r${callId}`,
          callId,
          name: 'read_file',
          content: words(400),
          isError: false,
        },
        surfaceOp: 'append',
        sourceEventSeqs: [message],
      })
      return { message, result }
    },
    prune(result) {
      const { data } = events[result] as Event
      const shadowedRange = { start: result, end: result }
      add({
        type: 'compact/prune',
        data: {
          cause: 'manual',
          shadowedRange,
          shadowedSeqs: [result],
          shadowedTokenCount: 500,
        },
      })
      const content = [{ type: 'text', text: `${data.content[0].text.slice(0, 200)}\n[cut]` }]
      return add({ type: 'tool/result', data: { ...data, content }, ...replace([result]) })
    },
    summary(span, certainty = 'exact', text = `record of ${span.join(', ')}`) {
      compactions += 1
      const compactionId = `k${compactions}`
      add({
        type: 'compact/start',
        data: { compactionId, turn: null, trigger: 'manual', range: range(span) },
      })
      add({
        type: 'compact/summary',
        data: {
          compactionId,
          summary: text,
          shadowedRange: range(span),
          shadowedSeqs: span,
          shadowedTokenCount: 100,
          certainty,
        },
      })
      const seq = add({
        type: 'user/message',
        data: {
          id: compactionId,
          content: [{ type: 'text', text: `<record>\nStands for it.\n\n${text}\n</record>` }],
          source: { kind: 'checkpoint', compactionId },
        },
        ...replace(span),
      })
      add({ type: 'compact/end', data: { compactionId, turn: null } })
      return seq
    },
    fail(span, code) {
      compactions += 1
      const compactionId = `k${compactions}`
      const seq = add({
        type: 'compact/start',
        data: { compactionId, turn: null, trigger: 'manual', range: range(span) },
      })
      const error = { code, message: 'It was stopped.' }
      add({ type: 'compact/end', data: { compactionId, turn: null, error } })
      return seq
    },
  }
}

/** Imports a drawn log and opens it. It counts as one of another program, so that it need not have steps. */
export async function openDrawn(page: Page, id: string, events: readonly Event[]): Promise<void> {
  const origin = { format: 'fixed', sha256: '0'.repeat(64), name: `${id}.jsonl` }
  const header = { version: 1, id, createdAt: 1_700_000_000_000, origin }
  const lines = [{ palimpsest: header, events: events.length }, ...events]
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
  // By path, since what a test holds in memory goes through the protocol as base64.
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-drawn-'))
  const path = join(folder, `${id}.jsonl`)
  await writeFile(path, text)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: /^Choose files/ }).click(),
  ])
  await chooser.setFiles(path)
  const report = page.getByRole('dialog', { name: /^Import report/ })
  await page.getByTestId('time-bar').waitFor({ timeout: 60_000 })
  await report.getByRole('button', { name: 'Close' }).last().click()
  await report.waitFor({ state: 'hidden' })
  await rm(folder, { recursive: true, force: true })
}

/** Six shapes: plain, pruned, nested, restored, failed and pinned, and a range that was worked out. */
export const SHAPES: Record<string, (pen: Draw) => void> = {
  plain(pen) {
    pen.user()
    pen.reply()
    pen.user()
    pen.reply()
  },
  pruned(pen) {
    pen.user()
    const { result } = pen.call()
    pen.reply()
    pen.user()
    pen.prune(result)
  },
  nested(pen) {
    const first = pen.user()
    const { message, result } = pen.call()
    const pruned = pen.prune(result)
    const one = pen.summary([first, message, pruned])
    const second = pen.user()
    const answer = pen.reply()
    pen.user()
    pen.summary([one, second, answer])
    pen.reply()
  },
  restored(pen) {
    const first = pen.user()
    const answer = pen.reply()
    pen.user()
    const over = pen.summary([first, answer])
    pen.add({
      type: 'surface/restore',
      data: { replacementSeq: over },
      surfaceOp: { op: 'restore', seq: over },
    })
    pen.reply()
  },
  failed(pen) {
    const first = pen.user()
    const answer = pen.reply()
    pen.fail([first, answer], 'cancelled')
    const kept = pen.user()
    pen.add({ type: 'pin/set', data: { seqs: [kept], pinned: true } })
    pen.reply()
  },
  derived(pen) {
    const first = pen.user()
    const answer = pen.reply()
    pen.user()
    pen.summary([first, answer], 'derived')
    const day = 86_400_000
    const last = pen.events.at(-1) as Event
    pen.add(
      {
        type: 'user/message',
        data: { id: 'late', content: words(40), source: { kind: 'human' } },
        surfaceOp: 'append',
      },
      last.time + day,
    )
    pen.reply()
  },
}
