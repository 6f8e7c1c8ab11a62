import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argumentsOf, countOf, numberOf, timeOf } from './json'
import { decodeLine, type Line, readLines } from './lines'
import { parseRecords, splitObjects } from './records'

const encode = (text: string) => new TextEncoder().encode(text)

async function linesOf(source: Blob | Uint8Array | string): Promise<Line[]> {
  const lines: Line[] = []
  for await (const line of readLines(source)) lines.push({ ...line, bytes: line.bytes.slice() })
  return lines
}
const textsOf = async (source: Blob | Uint8Array | string) =>
  (await linesOf(source)).map((line) => decodeLine(line).text)

/** A file that arrives in pieces of the sizes asked for. */
const inPieces = (bytes: Uint8Array<ArrayBuffer>, sizes: number[]): Blob => {
  const blob = new Blob([bytes])
  const stream = () => {
    let at = 0
    let next = 0
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (at >= bytes.length) return controller.close()
        const size = sizes[next % sizes.length] ?? 1
        controller.enqueue(bytes.slice(at, at + size))
        at += size
        next += 1
      },
    })
  }
  return Object.assign(blob, { stream }) as Blob
}

describe('lines of a file', () => {
  it('end at \\n and nowhere else', async () => {
    const odd = 'a\u2028b\u2029c\u000bd\u000ce\u0085f'
    expect(await textsOf(`${odd}\r\n${odd}\n\n`)).toEqual([odd, odd, ''])
    expect(await textsOf('')).toEqual([])
    expect(await textsOf('\n')).toEqual([''])
  })

  it('say which is last without a line end', async () => {
    const lasts = async (text: string) => (await linesOf(text)).map(({ last }) => last)
    expect([await lasts('a\nb'), await lasts('a\nb\n')]).toEqual([
      [false, true],
      [false, false],
    ])
  })

  it('lose a byte order mark on the first line only', async () => {
    expect(await textsOf('\ufeffa\n\ufeffb')).toEqual(['a', '\ufeffb'])
  })

  it('are the same however the file arrives', async () => {
    const text = fc
      .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constant('\n')))
      .map((parts) => parts.join(''))
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(text, sizes, async (whole, pieces) => {
        const bytes = encode(whole) as Uint8Array<ArrayBuffer>
        const expected = whole.split('\n')
        if (expected.at(-1) === '') expected.pop()
        const clean = expected.map((line) => line.replace(/\r$/, ''))
        expect(await textsOf(inPieces(bytes, pieces))).toEqual(clean)
        expect(await textsOf(bytes)).toEqual(clean)
      }),
    )
  })

  it('say when bytes were no UTF-8', () => {
    const line = { number: 2, bytes: new Uint8Array([0x61, 0xed, 0xa0, 0x80]), last: false }
    expect(decodeLine(line)).toEqual({ text: 'a\ufffd\ufffd\ufffd', broken: true })
    expect(decodeLine({ ...line, bytes: encode('é') })).toEqual({ text: 'é', broken: false })
  })
})

describe('records of a line', () => {
  it('are found by braces outside strings', () => {
    const first = '{"a":"}{","b":{"c":"\\"}"}}'
    expect(splitObjects(`${first}{"d":1}`)).toEqual({ objects: [first, '{"d":1}'], rest: '' })
    expect(splitObjects(`x${first} {"d":`)).toEqual({ objects: [first], rest: 'x {"d":' })
  })

  it('are one where the line is sound, whatever is in it', () => {
    const value = { text: '}{"', deep: [{ a: null }], ['__proto__']: 1 }
    const { values, damaged, problem } = parseRecords(JSON.stringify(value))
    expect([values, damaged, problem]).toEqual([[value], false, null])
    expect(parseRecords('3').values).toEqual([3])
  })

  it('[L5] have no lone surrogates, in keys neither, and lose nothing else to the repair', () => {
    const line = '{"\\udc00k":["\\ud83d\\ude00","a\\uD800"],"__proto__":{"n":1}}'
    const { values, repaired } = parseRecords(line)
    expect(repaired).toBe(2)
    expect(JSON.stringify(values[0])).toBe('{"\ufffdk":["😀","a\ufffd"],"__proto__":{"n":1}}')
  })

  it('[L5] what is taken from them has no minus zero, which would not be written again', () => {
    const { values } = parseRecords('{"a":-0,"b":[-0.0,-1e-999,-5],"c":"-0"}')
    const taken = argumentsOf(values[0])
    expect(taken).toEqual({ a: 0, b: [0, 0, -5], c: '-0' })
    expect(argumentsOf('{"a":-0}')).toEqual({ a: 0 })
    expect([countOf(-0), numberOf(-0), timeOf(-0)]).toEqual([0, 0, 0])
    const sound = { b: [1] }
    expect(argumentsOf(sound)).toBe(sound)
  })

  it('[L5] arguments that are JSON inside a text are repaired too', () => {
    expect(argumentsOf('{"a":"\\ud800"}')).toEqual({ a: '\ufffd' })
    expect(argumentsOf('{"a":1} and more')).toEqual({ arguments: '{"a":1} and more' })
    expect(argumentsOf('nothing of the kind')).toEqual({ arguments: 'nothing of the kind' })
  })

  it('never throw', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '"',
      '\\',
      '[',
      ']',
      ':',
      ',',
      '1',
      'a',
      '\\ud800',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const { values, problem } = parseRecords(parts.join(''))
        expect(values.length > 0 || problem !== null).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})
