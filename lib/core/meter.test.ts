import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Seq } from './event'
import { createLog } from './log'
import type { Block } from './message'
import { measureTotal, type Reading, readMeter } from './meter'
import { estimateText, estimateTools } from './price'
import { foldSurface } from './surface'
import { arbitraryLog } from './testing/arbitrary'
import {
  assistant,
  type Built,
  build,
  call,
  createWriter,
  header,
  notice,
  type Part,
  prune,
  restore,
  result,
  sessionHeader,
  summary,
  title,
  user,
} from './testing/build'

const words = (tokens: number) => 'x'.repeat(tokens * 4)
const usage = (total: number) => ({ input_tokens: total - 10, output_tokens: 10 })
const sum = (reading: Reading) => Object.values(reading.parts).reduce((a, b) => a + b, 0)
const estimateOf = ({ heads, nodes }: Built): number =>
  heads.findLast((head) => head.type === 'request/header')!.tokens +
  nodes.reduce((all, seq) => all + heads[seq]!.tokens, 0)

describe('readMeter', () => {
  it('[M1] estimates where nothing was reported', () => {
    const tool = { name: 'bash', description: 'Runs.', input_schema: { type: 'object' } }
    const built = build(header({ system: 'be good', tools: [tool] }), user(words(100)))
    const reading = readMeter(built.log)
    expect(reading).toMatchObject({ kind: 'estimated', scale: 1, total: estimateOf(built) })
    expect(reading.parts).toEqual({
      system: estimateText('be good'),
      tools: estimateTools([tool]),
      summary: 0,
      user: 108,
      assistant: 0,
      results: 0,
    })
  })
  it('[M2] a report is what the window holds after the reply, cache included', () => {
    const report = {
      input_tokens: 3,
      cache_read_input_tokens: 500,
      cache_creation_input_tokens: 40,
      output_tokens: 7,
    }
    const { log } = build(header(), user('a'), assistant('b', { usage: report }))
    expect(readMeter(log)).toMatchObject({ kind: 'measured', total: 550 })
  })
  it('[M2] what comes later is added by estimate, scaled as the report was', () => {
    const parts = [header(), user(words(900)), assistant(words(80))]
    const before = estimateOf(build(...parts))
    const measured = build(
      ...parts.slice(0, -1),
      assistant(words(80), { usage: usage(before * 2) }),
      user(words(92)),
    )
    const reading = readMeter(measured.log)
    expect(reading).toMatchObject({ kind: 'mixed', scale: 2, total: before * 2 + 200 })
  })
  it('[M2] log-only events leave a measured reading measured', () => {
    const { log } = build(header(), user('a'), assistant('b', { usage: usage(500) }), title('t'))
    expect(readMeter(log)).toMatchObject({ kind: 'measured', total: 500 })
  })
  it('[M2] a changed header voids the report', () => {
    const built = build(header(), user('a'), assistant('b', { usage: usage(500) }), header())
    expect(readMeter(built.log)).toMatchObject({ kind: 'estimated', total: estimateOf(built) })
  })
  it('[M2] a reply without a report keeps the report before it', () => {
    const { log } = build(
      header(),
      user('a'),
      assistant('b', { usage: usage(500) }),
      assistant('c'),
    )
    expect(readMeter(log).kind).toBe('mixed')
  })
  it('[M2] the newest report counts', () => {
    const { log } = build(
      header(),
      user('a'),
      assistant('b', { usage: usage(500) }),
      user('c'),
      assistant('d', { usage: usage(900) }),
    )
    expect(readMeter(log).total).toBe(900)
  })
  it('[M3] says which part holds what', () => {
    const built = build(
      header(),
      user(words(100)),
      assistant(words(50)),
      notice(words(10)),
      call('a'),
      result('a', words(70)),
      summary(1, 2, { text: words(20) }),
    )
    const { parts } = readMeter(built.log)
    expect(parts).toMatchObject({ summary: 28, user: 18, results: 82 })
    expect(parts.assistant).toBe(built.heads[4]!.tokens)
  })
  it('[M3] the parts of a measured reading share out the measured total', () => {
    const built = build(header(), user(words(333)), assistant(words(77), { usage: usage(1234) }))
    const reading = readMeter(built.log)
    expect(sum(reading)).toBe(1234)
    expect(reading.parts.user / reading.parts.assistant).toBeCloseTo(341 / 85, 1)
  })
  it('[M4] counts bytes and media of what would be sent', () => {
    const image: Block = {
      type: 'image',
      source: { type: 'blob', hash: 'h', media_type: 'image/png', bytes: 3_000_000 },
    }
    const built = build(header(), user('a'), user([image, image]), user('b'))
    const reading = readMeter(built.log)
    expect(reading.media).toBe(2)
    expect(reading.bytes).toBeGreaterThan(8_000_000)
    const gone = build(header(), user('a'), user([image, image]), user('b'), summary(1, 2))
    expect(readMeter(gone.log)).toMatchObject({ media: 0 })
    expect(readMeter(gone.log).bytes).toBeLessThan(1000)
  })
  it('[M5] a replacement lowers the reading at once, and a restore raises it again', () => {
    const parts = [
      header(),
      user('go'),
      call('a'),
      result('a', words(1000)),
      assistant('ok', { usage: usage(3000) }),
    ]
    const pruned = build(...parts, prune(3, 'short'))
    const { log } = pruned
    expect(readMeter(log, 4).total).toBe(3000)
    expect(readMeter(log).total).toBeLessThan(300)
    expect(readMeter(log).kind).toBe('mixed')
    expect(readMeter(build(...parts, prune(3, 'short'), restore(6)).log).total).toBe(3000)
  })
  it('[C7] carries the limits of the header in force', () => {
    const { log } = build(header({ contextWindow: 10_000 }), user('a'))
    expect(readMeter(log)).toMatchObject({ window: 10_000, threshold: 7200, maxTokens: 1000 })
  })
  it('reads nothing where there is nothing', () => {
    const reading = readMeter(createLog(sessionHeader()))
    expect(reading).toMatchObject({ total: 0, kind: 'estimated', bytes: 0, media: 0, maxTokens: 0 })
  })

  it('[M2][L7] a reading at any past moment is the reading of the log cut there', () => {
    const reports = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(arbitraryLog(), reports, ({ log, heads }, totals) => {
        // The log's own heads with reports: measured replies are rare in the generator.
        let replies = 0
        const told = heads.map((head) =>
          head.type === 'assistant/message' && replies++ % 2 === 0
            ? { ...head, measured: totals[head.seq % totals.length]! }
            : head,
        )
        const whole = { ...log, heads: told }
        for (let seq = -1; seq < told.length; seq++) {
          const cut = told.slice(0, seq + 1)
          const reading = readMeter(whole, seq)
          expect(reading).toEqual(readMeter({ ...log, heads: cut }))
          expect(reading.total).toBe(measureTotal(whole, seq).total)
          expect(sum(reading)).toBe(reading.total)
          expect(reading.total).toBe(fromZero(cut))
        }
      }),
      { numRuns: 50 },
    )
  }, 20_000)
  /** M2 by the book, without any index. */
  function fromZero(heads: Built['heads']): number {
    const tokens = (upTo: Seq): number => {
      const folded = foldSurface(heads.slice(0, upTo + 1))
      const nodes = folded.ok ? folded.value.nodes : []
      return nodes.reduce((all, node) => all + heads[node]!.tokens, 0)
    }
    const at = heads.findLastIndex((head) => head.type === 'request/header')
    const preamble = heads[at]?.tokens ?? 0
    const now = preamble + tokens(heads.length - 1)
    const report = heads.findLastIndex((head) => head.measured !== undefined)
    if (report < 0 || report < at) return now
    const isQuiet = heads.slice(report + 1).every((head) => head.op === undefined)
    const then = preamble + tokens(report)
    const measured = heads[report]!.measured!
    return isQuiet ? measured : Math.round(now * (then === 0 ? 1 : measured / then))
  }

  it('[M2] keeps up with one log that grows', () => {
    const writer = createWriter()
    const read = (...parts: Part[]) => {
      for (const part of parts) part(writer)
      return readMeter(writer.log)
    }
    expect(read(header(), user('a'))).toMatchObject({ kind: 'estimated', total: 13 })
    expect(read(assistant('b', { usage: usage(700) }))).toMatchObject({
      kind: 'measured',
      total: 700,
    })
    expect(read(user('c')).kind).toBe('mixed')
    expect(read(header()).kind).toBe('estimated')
    expect(readMeter(writer.log, 2).total).toBe(700)
  })
})
