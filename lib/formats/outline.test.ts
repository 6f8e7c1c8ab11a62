import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../core/message'
import { outlineOf } from './outline'
import { person } from './testing/fixture-claude'
import { jsonl } from './testing/fixture-rows'
import { readTranscript } from './transcript'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
const parse = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** What an outline must say of a value: the same, its long texts emptied. */
function emptied(value: Json): Json {
  if (typeof value === 'string') {
    return encode(JSON.stringify(value)).length - 1 > 512 ? '' : value
  }
  if (Array.isArray(value)) return value.map(emptied)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, emptied(one)]))
}

const long = fc
  .tuple(
    fc.constantFrom('a', 'é', '日', '"', '\\', '\n', '\u0001'),
    fc.integer({ min: 1, max: 900 }),
  )
  .map(([unit, times]) => unit.repeat(times))
const value = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    long,
    fc.constantFrom<Json>(null, true, 1.5, '', 'x\\'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b"', 'c\\'), tie('any'), { maxKeys: 3 }),
  ),
})).any

describe('an outline', () => {
  it('is the line with its long texts emptied', () => {
    fc.assert(
      fc.property(value, (any) => {
        const outline = outlineOf(encode(JSON.stringify(any)))
        expect(outline && parse(decode(outline.bytes))).toEqual(emptied(any))
      }),
    )
  })

  it('is JSON exactly where the line is', () => {
    const broken = fc.record({
      any: value,
      at: fc.nat(),
      put: fc.constantFrom('"', '\\', '\\u12', '{', ']', ',', '\t', '\u0000', '\\x', 'é'),
    })
    fc.assert(
      fc.property(broken, ({ any, at, put }) => {
        const text = JSON.stringify(any)
        const place = at % (text.length + 1)
        const line = text.slice(0, place) + put + text.slice(place)
        const outline = outlineOf(encode(line))
        const isSound = outline !== null && parse(decode(outline.bytes)) !== undefined
        expect(isSound).toBe(parse(line) !== undefined)
      }),
      { numRuns: 2_000 },
    )
  })

  it('says where a member stands that is to be left out, wherever memory begins the line', () => {
    const name = 'x"y'
    const rows = fc.tuple(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', name), value), { maxLength: 4 }),
      fc.nat({ max: 3 }),
    )
    const plain = encode('drop')
    let cuts = 0
    fc.assert(
      fc.property(rows, ([members, pad]) => {
        const row = Object.fromEntries(
          members.map(([key, one]) => [key === name ? 'drop' : key, { drop: one }]),
        )
        const buffer = encode(' '.repeat(pad) + JSON.stringify(row))
        const line = buffer.subarray(pad)
        const cut = outlineOf(line, plain)?.cut
        const { drop, ...rest } = row
        if (!cut) return void expect(JSON.stringify(drop ?? null).length).toBeLessThan(600)
        cuts += 1
        const left = decode(line.subarray(0, cut.from)) + decode(line.subarray(cut.to))
        expect(parse(left)).toEqual(rest)
      }),
      { numRuns: 1_000 },
    )
    expect(cuts).toBeGreaterThan(20)
  })

  it('leads to the right one of several records on a line', async () => {
    const inert = { type: 'summary', summary: 'Elsewhere', leafUuid: 'x' }
    const line = JSON.stringify(inert) + JSON.stringify(person('p1', null, 'z'.repeat(2_000)))
    const { sessions } = await readTranscript(`${line}\n${jsonl(person('p2', 'p1', 'Second'))}`)
    const said = JSON.stringify(sessions[0]?.events)
    expect([said.includes('z'.repeat(2_000)), said.includes('Second')]).toEqual([true, true])
  })
})
