import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SurfaceEvent } from './event'
import { estimateText, fitText } from './price'
import { renderEntries, renderTranscript } from './render'
import { assistant, build, call, result, user } from './testing/build'
import {
  type FoldCall,
  MIN_BUDGET,
  nextCall,
  recordLimit,
  splitWindows,
  windowBudget,
} from './windows'

const nodes = (...parts: Parameters<typeof build>): SurfaceEvent[] =>
  build(...parts).events as SurfaceEvent[]
const lines = (count: number, word = 'word') =>
  Array.from({ length: count }, (_, n) => `${word} ${n} of a longer line of text`).join('\n')

describe('fitText', () => {
  it('[M1] ends where one more code point would cost too much, never inside a pair', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.nat(20),
        fc.nat(60),
        (text, tokens, from) => {
          const start = Math.min(from, text.length)
          const end = fitText(text, start, tokens)
          expect(estimateText(text.slice(start, end))).toBeLessThanOrEqual(Math.max(0, tokens))
          if (end < text.length)
            expect(
              estimateText(text.slice(start, end + (text.codePointAt(end)! > 0xffff ? 2 : 1))),
            ).toBeGreaterThan(tokens)
        },
      ),
    )
  })
})

describe('splitWindows', () => {
  it('[C10] is the transcript itself where one window holds it', () => {
    const some = nodes(user('hi'), call('a'), result('a', 'found'), assistant('done'))
    const windows = splitWindows(some, 10_000)
    expect(windows).toEqual([{ start: 0, end: 3, text: renderTranscript(some) }])
  })
  it('[C10] keeps a call and its result in one window where they fit', () => {
    const some = nodes(
      user(lines(40)),
      call('a'),
      result('a', lines(35)),
      call('b'),
      result('b', lines(35)),
    )
    const windows = splitWindows(some, 512)
    expect(windows.map(({ start, end }) => [start, end])).toEqual([
      [0, 0],
      [1, 2],
      [3, 4],
    ])
  })
  it('[C10] cuts a unit larger than a window inside its text, and every piece says whose it is', () => {
    const some = nodes(user('hi'), call('a'), result('a', lines(2000)), user('bye'))
    const windows = splitWindows(some, 1000)
    expect(windows.length).toBeGreaterThan(10)
    const pieces = windows.filter(({ text }) => text.includes('#2 result of read_file'))
    expect(
      pieces.slice(1).every(({ text }) => text.startsWith('#2 result of read_file (cont')),
    ).toBe(true)
    expect(pieces.slice(0, -1).every(({ text }) => text.endsWith('\n'))).toBe(true)
    const said = pieces.map(({ text }) => text.slice(text.indexOf('\n', text.indexOf('#2')) + 1))
    expect(said.join('')).toContain(lines(2000).slice(0, -1))
  })
  it('[C10] no window exceeds its budget and nothing is left out, whatever the text', () => {
    const texts = fc.array(
      fc.tuple(
        fc.constantFrom('user', 'call'),
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.nat(900),
      ),
      { minLength: 1, maxLength: 12 },
    )
    fc.assert(
      fc.property(texts, fc.integer({ min: MIN_BUDGET, max: 3000 }), (said, budget) => {
        const some = nodes(
          ...said.flatMap(([kind, text, times], n) => {
            const words = `${text}x`.toWellFormed().repeat(times + 1)
            return kind === 'user' ? [user(words)] : [call(`c${n}`), result(`c${n}`, words)]
          }),
        )
        const windows = splitWindows(some, budget)
        for (const { text } of windows) expect(estimateText(text)).toBeLessThanOrEqual(budget)
        const whole = windows
          .map(({ text }) => text.replace(/^#\d+ [^\n]*\(continued\)\n/, ''))
          .join('')
        const bare = (text: string) => text.replaceAll('\n', '')
        expect(bare(whole)).toBe(
          bare(
            renderEntries(some)
              .map(({ text }) => text)
              .join(''),
          ),
        )
      }),
      { numRuns: 60 },
    )
  })
})

/** Plays a fold to its end with records of that size; the calls in order. */
function play(count: number, budget: number, record: string): FoldCall[] {
  const windows = Array.from({ length: count }, (_, n) => ({ start: n, end: n, text: `${n}` }))
  const calls: FoldCall[] = []
  const done: string[] = []
  for (;;) {
    const next = nextCall(windows, done, budget)
    calls.push(next)
    if (next.isLast) return calls
    done.push(`${done.length} ${record}`)
  }
}

describe('nextCall', () => {
  it('[C10] one window needs one call', () => {
    expect(play(1, 1000, 'r')).toMatchObject([{ phase: 'window', part: 1, of: 1, isLast: true }])
  })
  it('[C10] windows come first, then one merge of all their records', () => {
    const calls = play(3, 1000, 'r')
    expect(calls.map(({ phase, part, of }) => `${phase} ${part}/${of}`)).toEqual([
      'window 1/3',
      'window 2/3',
      'window 3/3',
      'merge 1/1',
    ])
    expect(calls[3]).toMatchObject({
      range: { start: 0, end: 2 },
      records: [{ text: '0 r' }, { text: '1 r' }, { text: '2 r' }],
    })
  })
  it('[C10] records too many for one merge are merged in layers, in order, each once', () => {
    const budget = 1000
    const record = 'x'.repeat((recordLimit(budget) - 4) * 4)
    const calls = play(5, budget, record)
    expect(calls.map(({ phase, range: { start, end } }) => `${phase} ${start}-${end}`)).toEqual([
      'window 0-0',
      'window 1-1',
      'window 2-2',
      'window 3-3',
      'window 4-4',
      'merge 0-1',
      'merge 2-3',
      'merge 0-3',
      'merge 0-4',
    ])
    for (const one of calls) {
      if (one.phase === 'window') continue
      const tokens = one.records.reduce((sum, { text }) => sum + estimateText(text), 0)
      expect(tokens).toBeLessThanOrEqual(budget)
    }
  })
  it('[C10] always ends, with fewer merges than windows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.nat(1), (count, small) => {
        const record = 'x'.repeat(small ? 40 : (recordLimit(800) - 4) * 4)
        const calls = play(count, 800, record)
        expect(calls.length).toBeLessThan(2 * count + 1)
        expect(calls.at(-1)!.range).toEqual({ start: 0, end: count - 1 })
      }),
    )
  })
})

describe('windowBudget', () => {
  it('[C10] leaves room for the output, the question and an estimate that is too low', () => {
    const budget = windowBudget({ window: 32_000, maxTokens: 8000, scale: 1 })
    expect(budget).toBeLessThan(0.85 * 24_000)
    expect(budget).toBeGreaterThan(18_000)
    expect(windowBudget({ window: 32_000, maxTokens: 8000, scale: 2 })).toBeLessThan(budget / 2)
    expect(windowBudget({ window: 32_000, maxTokens: 8000, scale: 0.5 })).toBe(budget)
    expect(windowBudget({ window: 1000, maxTokens: 250, scale: 1 })).toBeLessThan(MIN_BUDGET)
  })
})
