import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { EventHead } from '../event'
import { createHistory } from '../history'
import type { Log } from '../log'
import { readMeter } from '../meter'
import { playActs, structures } from '../testing/structure'
import { bucketTimeline } from './curve'
import { emptyTimeline, extendTimeline, foldTimeline, isSummary, limitsAt } from './timeline'
import { PARTS } from './window'

const visible = ({ fold: _, ...rest }: ReturnType<typeof foldTimeline>) => ({
  ...rest,
  total: Array.from(rest.total.subarray(0, rest.length)),
  parts: PARTS.map((part) => Array.from(rest.parts[part].subarray(0, rest.length))),
})

it('[L7] a timeline extended event by event equals one folded from zero', () => {
  fc.assert(
    fc.property(structures, ({ heads }) => {
      let grown = emptyTimeline()
      for (let n = 1; n <= heads.length; n += 1) grown = extendTimeline(grown, heads.slice(0, n))
      expect(visible(grown)).toEqual(visible(foldTimeline(heads)))
    }),
  )
})

it('[L7] an old version is still what it was, and extending it gives the truth', () => {
  fc.assert(
    fc.property(structures, fc.nat(), ({ heads }, pick) => {
      const cut = pick % (heads.length + 1)
      const old = foldTimeline(heads.slice(0, cut))
      const before = visible(old)
      extendTimeline(old, heads)
      expect(visible(old)).toEqual(before)
      expect(visible(extendTimeline(old, heads))).toEqual(visible(foldTimeline(heads)))
    }),
  )
})

it('[L7] nothing new gives the same reference', () => {
  const timeline = foldTimeline(playActs([{ act: 0, a: 0, b: 0, tokens: 5 }]).heads)
  expect(extendTimeline(timeline, [timeline] as unknown as EventHead[])).toBe(timeline)
})

it('[M1] the curve is the tokens of header and surface at every event', () => {
  fc.assert(
    fc.property(structures, ({ heads: said, surfaces }) => {
      const heads = said.map(({ measured: _, ...rest }) => rest)
      const { total, parts } = foldTimeline(heads)
      let header = 0
      heads.forEach((head, seq) => {
        if (head.type === 'request/header') header = head.tokens
        const sum = surfaces[seq]!.reduce((tokens, node) => tokens + heads[node]!.tokens, 0)
        expect(total[seq]).toBe(header + sum)
        expect(PARTS.reduce((tokens, part) => tokens + parts[part][seq]!, 0)).toBe(total[seq])
      })
    }),
  )
})

it('[M2] the curve reads what the meter reads at every event', () => {
  fc.assert(
    fc.property(structures, ({ heads }) => {
      const log = { heads, history: createHistory(heads) } as unknown as Log
      const { total } = foldTimeline(heads)
      for (const { seq } of heads) expect(total[seq]).toBe(readMeter(log, seq).total)
    }),
  )
})

const head = (seq: number, change: Partial<EventHead>): EventHead => ({
  seq,
  time: seq,
  type: 'user/message',
  tokens: 0,
  bytes: 0,
  media: 0,
  ...change,
})

it('[M2] a measured reply scales the curve until the header changes', () => {
  const heads = [
    head(0, { type: 'request/header', limits: { system: 100, tools: 0, maxTokens: 1 } }),
    head(1, { op: 'append', tokens: 100 }),
    head(2, { type: 'assistant/message', op: 'append', tokens: 50, measured: 500 }),
    head(3, { op: 'append', tokens: 100 }),
    head(4, { type: 'request/header', limits: { system: 10, tools: 0, maxTokens: 1 } }),
  ]
  expect(Array.from(foldTimeline(heads).total.subarray(0, 5))).toEqual([100, 200, 500, 700, 260])
})

it('[M2] what was measured of nothing estimated stands until something changes', () => {
  const heads = [
    head(0, { type: 'assistant/message', op: 'append', measured: 1 }),
    head(1, { type: 'step/end' }),
    head(2, { op: 'append', tokens: 100 }),
  ]
  const log = { heads, history: createHistory(heads) } as unknown as Log
  expect(Array.from(foldTimeline(heads).total.subarray(0, 3))).toEqual([1, 1, 100])
  expect(heads.map(({ seq }) => readMeter(log, seq).total)).toEqual([1, 1, 100])
})

it('[C2] a bracket that landed is one mark with tokens before and after', () => {
  const { heads } = playActs([
    { act: 0, a: 0, b: 0, tokens: 300 },
    { act: 0, a: 0, b: 0, tokens: 200 },
    { act: 7, a: 0, b: 1, tokens: 40 },
  ])
  const [mark] = foldTimeline(heads).marks
  expect(mark).toMatchObject({
    kind: 'auto',
    status: 'done',
    from: 2,
    seq: 3,
    to: 4,
    before: 500,
    after: 40,
    count: 1,
  })
  expect(isSummary(mark!)).toBe(true)
})

it('[C5] a bracket that failed changes nothing and says why', () => {
  const { heads } = playActs([
    { act: 0, a: 0, b: 0, tokens: 300 },
    { act: 8, a: 0, b: 0, tokens: 40 },
  ])
  const [mark] = foldTimeline(heads).marks
  expect(mark).toMatchObject({ status: 'cancelled', before: 300, after: 300, count: 0 })
  expect(isSummary(mark!)).toBe(false)
})

it('a bracket still open is running', () => {
  const heads = [
    head(0, { op: 'append', tokens: 9 }),
    head(1, { type: 'compact/start', kind: 'region', range: { start: 0, end: 0 } }),
  ]
  expect(foldTimeline(heads).marks).toMatchObject([{ kind: 'region', status: 'running' }])
})

it('[X3] the pairs of one micro pass are one mark', () => {
  const result = { type: 'tool/result', frame: '{}' } as const
  const replace = (seq: number, target: number) =>
    head(seq, { ...result, op: { op: 'replace', start: target, end: target }, tokens: 10 })
  const heads = [
    head(0, { ...result, op: 'append', tokens: 500 }),
    head(1, { ...result, op: 'append', tokens: 500 }),
    head(2, { type: 'compact/prune', kind: 'micro' }),
    replace(3, 0),
    head(4, { type: 'compact/prune', kind: 'micro' }),
    replace(5, 1),
    head(6, { type: 'step/start' }),
    head(7, { type: 'compact/prune', kind: 'pressure' }),
    replace(8, 3),
  ]
  expect(foldTimeline(heads).marks).toMatchObject([
    { kind: 'micro', from: 2, to: 5, before: 1000, after: 20, count: 2 },
    { kind: 'prune', from: 7, to: 8, count: 1 },
  ])
})

it('[C7] window and threshold hold from the header that set them', () => {
  const limits = (window: number) => ({ system: 0, tools: 0, window, threshold: 50, maxTokens: 1 })
  const heads = [
    head(0, { type: 'request/header', limits: limits(100) }),
    head(1, {}),
    head(2, { type: 'request/header', limits: limits(100) }),
    head(3, { type: 'request/header', limits: limits(200) }),
  ]
  const timeline = foldTimeline(heads)
  expect(timeline.limits).toHaveLength(2)
  expect(limitsAt(timeline, 2)?.window).toBe(100)
  expect(limitsAt(timeline, 3)?.window).toBe(200)
  expect(limitsAt(timeline, -1)).toBeNull()
})

it('a replacement that does not fold leaves the curve alone', () => {
  const heads = [
    head(0, { op: 'append', tokens: 9 }),
    head(1, { op: { op: 'replace', start: 5, end: 5 }, tokens: 1 }),
  ]
  expect(Array.from(foldTimeline(heads).total.subarray(0, 2))).toEqual([9, 9])
})

it('no spike is lost at any width', () => {
  fc.assert(
    fc.property(structures, fc.integer({ min: 1, max: 40 }), ({ heads }, columns) => {
      fc.pre(heads.length > 0)
      const timeline = foldTimeline(heads)
      const curve = bucketTimeline(timeline, columns)
      expect(Math.max(...curve.high)).toBe(timeline.peak)
      const lowest = Math.min(...timeline.total.subarray(0, timeline.length))
      if (columns <= timeline.length) expect(Math.min(...curve.low)).toBe(lowest)
      expect(curve.last[columns - 1]).toBe(timeline.total[timeline.length - 1])
    }),
  )
})
