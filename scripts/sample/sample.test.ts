import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { check } from '../../lib/core/check'
import { headOf } from '../../lib/core/head'
import { createHistory } from '../../lib/core/history'
import { requestAt } from '../../lib/core/request'
import type { ReadSession } from '../../lib/formats/report'
import { readTranscript } from '../../lib/formats/transcript'
import { hashJson } from '../../lib/storage/hash'
import { writeSample } from './write'

const shipped = readFileSync('public/sample-session.jsonl', 'utf8')
let session: ReadSession

beforeAll(async () => {
  const read = await readTranscript(shipped)
  session = read.sessions[0] as ReadSession
})

it('the shipped sample session is what the engine makes of the scenario', async () => {
  const index = JSON.parse(readFileSync('public/sample-workspace/index.json', 'utf8')) as {
    path: string
  }[]
  const files = Object.fromEntries(
    index.map(({ path }) => [path, readFileSync(`public/sample-workspace/${path}`, 'utf8')]),
  )
  const { text } = await writeSample(files)
  // Compared as a whole: a diff of two such files helps nobody. `npm run sample` writes it anew.
  expect(text === shipped).toBe(true)
})

it('[K4] the sample session is clean and of real size', () => {
  const { header, events, report } = session
  expect(report.rejected).toEqual([])
  expect(check(header, events)).toEqual([])
  const heads = events.map(headOf)
  const content = heads.reduce((sum, head) => sum + (head.op === 'append' ? head.tokens : 0), 0)
  expect(events.length).toBeGreaterThan(600)
  expect(content).toBeGreaterThan(130_000)
  const ends = heads
    .filter((head) => head.type === 'compact/end')
    .map((head) => head.kind ?? 'done')
  expect(ends.toSorted()).toEqual(['cancelled', 'done', 'done', 'done', 'summary'])
  const causes = heads.filter((head) => head.type === 'compact/prune').map((head) => head.kind)
  expect(new Set(causes)).toEqual(new Set(['micro', 'pressure']))
})

it('[S8] its three summaries lie one over another', () => {
  const heads = session.events.map(headOf)
  const history = createHistory(heads)
  const checkpoints = heads.filter((head) => head.kind === 'checkpoint').map((head) => head.seq)
  const last = checkpoints.at(-1) as number
  const over = (seq: number): number => history.replacementOf(seq, heads.length) ?? -1
  expect(checkpoints.map(over)).toEqual([...checkpoints.slice(1), -1])
  expect(history.shadowsOf(last).length).toBeGreaterThan(5)
})

it('[Q5] every request it says was sent is rebuilt from it, to the hash', async () => {
  const { events } = session
  const heads = events.map(headOf)
  let rebuilt = 0
  for (const event of events) {
    if (event.type !== 'step/start' && event.type !== 'compact/start') continue
    const body = await requestAt(heads, async (seq) => events[seq] as (typeof events)[0], event.seq)
    expect(await hashJson(body), `#${event.seq}`).toBe(event.data.requestHash)
    rebuilt++
  }
  expect(rebuilt).toBeGreaterThan(80)
})
