import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from '../core/check'
import { writeNative } from './native'
import { readNative } from './read-native'
import { events, file, HASH, lines, only, textOf } from './testing/native-file'
import { header } from './testing/sample-log'

const withLine = (index: number, text: string) => lines.with(index, text).join('\n')

describe('reading damaged native JSONL', () => {
  it('[L6] refuses a newer version politely, and never calls it damaged', async () => {
    const newer = withLine(0, JSON.stringify({ palimpsest: { ...header, version: 2 } }))
    const { sessions, refusal } = await readNative(newer)
    expect([sessions, refusal?.rule]).toEqual([[], 'L6'])
    expect(refusal?.message).toMatch(/newer version/)
    expect(refusal?.message).not.toMatch(/corrupt|damaged|invalid/)
  })

  it.each([
    ['empty', ''],
    ['without a header', lines.slice(1).join('\n')],
    ['with a header that is none', withLine(0, '{"palimpsest": 3}')],
    ['of noise', 'hello\nworld'],
  ])('[L1] refuses a file that is %s', async (_, text) => {
    expect(await readNative(text)).toMatchObject({ sessions: [], refusal: { rule: 'L1' } })
  })

  it('reports a torn last line and keeps everything before it', async () => {
    const torn = lines.slice(0, 9).join('\n') + lines[9]!.slice(0, 40)
    const whole = `${lines.slice(0, 9).join('\n')}\n${lines[9]!.slice(0, 40)}`
    expect(only(await readNative(torn)).report.rejected[0]).toMatchObject({ line: 9 })
    const { events: read, report } = only(await readNative(whole))
    expect(read).toEqual(events.slice(0, 7))
    expect(report.rejected).toEqual([
      { line: 10, reason: 'the last line is cut off' },
      { line: 10, reason: `the file was written with ${events.length} events; 7 could be read` },
    ])
  })

  it('notices a file cut between two lines', async () => {
    const { report } = only(await readNative(`${lines.slice(0, 9).join('\n')}\n`))
    expect(report.rejected).toEqual([
      { line: 9, reason: `the file was written with ${events.length} events; 7 could be read` },
    ])
  })

  it('reports a bad line and the run that cannot follow it, each once (L1)', async () => {
    const { events: read, report } = only(await readNative(withLine(10, '{"seq": 8, broken')))
    expect(read).toEqual(events.slice(0, 8))
    expect(report.rejected.slice(0, 2)).toEqual([
      { line: 11, reason: 'it is not JSON' },
      { line: 12, toLine: 33, reason: 'it follows a gap: event 8 is missing' },
    ])
    expect(report.read + report.recovered).toBe(8)
  })

  it('takes apart two events on one line', async () => {
    const glued = [...lines.slice(0, 9), lines[9]! + lines[10]!, ...lines.slice(11)].join('\n')
    const { events: read, report } = only(await readNative(glued))
    expect(read).toEqual(events)
    expect([report.recovered, report.read, report.rejected]).toEqual([2, events.length - 2, []])
  })

  it('takes what stands beside a broken part of a line, and says so', async () => {
    const { events: read, report } = only(await readNative(withLine(9, `${lines[9]}{"half`)))
    expect(read).toEqual(events)
    expect(report.rejected).toEqual([{ line: 10, reason: 'it is not JSON' }])
  })

  it('passes over an event that is there twice', async () => {
    const doubled = [...lines.slice(0, 10), lines[9], ...lines.slice(10)].join('\n')
    const { events: read, report } = only(await readNative(doubled))
    expect([read, report.rejected]).toEqual([
      events,
      [{ line: 11, reason: 'event 7 was read before' }],
    ])
  })

  it('[L5] repairs lone surrogates and broken UTF-8, and reports them', async () => {
    const wounded = lines[5]!.includes('Read a.md') ? 5 : 6
    const escaped = withLine(
      wounded,
      lines[wounded]!.replace('Read a.md', '\\ud800Read\\uDC00\\ud83d\\ude00'),
    )
    const { events: read, report } = only(await readNative(escaped))
    expect(JSON.stringify(read[4])).toContain('\ufffdRead\ufffd\ud83d\ude00')
    expect([report.repaired, report.recovered, report.violations]).toEqual([2, 1, []])

    const at = file.indexOf('Read a.md')
    const bytes = new TextEncoder().encode(file)
    bytes.set([0xff, 0xfe], at)
    const broken = only(await readNative(bytes))
    expect([broken.report.repaired, broken.events.length]).toEqual([2, events.length])
    expect(JSON.stringify(broken.events[4])).toContain('\ufffd\ufffdad a.md')
  })

  it('[L6] refuses an unknown event and takes an ignorable one', async () => {
    const unknown = { seq: events.length, time: 0, type: 'from/mars', data: null }
    const refused = only(await readNative(`${file}${JSON.stringify(unknown)}\n`))
    expect(refused.events).toEqual(events)
    expect(refused.report.rejected[0]?.reason).toContain('from/mars')
    const ignorable = { ...unknown, ignorable: true }
    const taken = only(await readNative(`${file}${JSON.stringify(ignorable)}\n`))
    expect(taken.events.at(-1)).toEqual(ignorable)
    const back = await textOf(writeNative(header, taken.events))
    expect(back.trimEnd().split('\n').at(-1)).toBe(JSON.stringify(ignorable))
  })

  it('refuses a blob whose bytes are not those of its hash', async () => {
    const forged = file.replace(btoa('pixel'), btoa('pixie'))
    const { report, blobs, events: read } = only(await readNative(forged))
    expect([blobs.size, report.missingBlobs, read]).toEqual([0, [HASH], events])
    expect(report.rejected[0]?.reason).toContain('hash')
    const garbled = file.replace(btoa('pixel'), '%%%%')
    expect(only(await readNative(garbled)).report.missingBlobs).toEqual([HASH])
  })

  it('refuses a line nested deeper than what it could write again', async () => {
    const nested = (depth: number, text = '') => {
      const input = `${'['.repeat(depth)}${text}${']'.repeat(depth)}`
      const data = `{"turn":1,"step":1,"callId":"x","name":"n","input":${input}}`
      return `${file}{"seq":${events.length},"time":0,"type":"tool/call","data":${data}}\n`
    }
    for (const deep of [nested(5_000), nested(200_000), nested(200_000, '"\\ud800"')]) {
      const { events: read, report } = only(await readNative(deep))
      expect([read.length, report.rejected.map(({ reason }) => reason)]).toEqual([
        events.length,
        ['it is nested too deeply'],
      ])
    }
    const { events: read } = only(await readNative(nested(900)))
    expect(read).toHaveLength(events.length + 1)
    expect(await textOf(writeNative(header, read))).toContain('['.repeat(900))
  })

  it('reads several sessions from one file', async () => {
    const second = await textOf(writeNative({ ...header, id: 'second' }, events.slice(0, 3)))
    const { sessions, refusal } = await readNative(file + second)
    expect(sessions.map(({ header: { id }, events: read }) => [id, read.length])).toEqual([
      ['sample', events.length],
      ['second', 3],
    ])
    expect([refusal, sessions[1]?.report.rejected]).toEqual([null, []])
  })
})

describe('any bytes at all', () => {
  const bytes = new TextEncoder().encode(file)
  /** Cuts, overwrites, inserts, or swaps pieces of the file. */
  const mutation = fc.record({
    kind: fc.constantFrom('cut', 'overwrite', 'insert', 'drop', 'repeat'),
    at: fc.nat(bytes.length),
    length: fc.integer({ min: 1, max: 400 }),
    noise: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 12 }),
      fc
        .constantFrom(
          '\n',
          '"',
          '{',
          '}',
          '\\',
          '\\ud800',
          '[',
          ',',
          '1e999',
          'null',
          '\u2028',
          '-',
        )
        .map((text) => new TextEncoder().encode(text)),
    ),
  })
  type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never

  const mutate = (from: Uint8Array, { kind, at, length, noise }: Mutation): Uint8Array => {
    const [before, after] = [from.subarray(0, at), from.subarray(at)]
    switch (kind) {
      case 'cut':
        return before
      case 'overwrite':
        return new Uint8Array([...before, ...noise, ...after.subarray(noise.length)])
      case 'insert':
        return new Uint8Array([...before, ...noise, ...after])
      case 'drop':
        return new Uint8Array([...before, ...after.subarray(length)])
      default:
        return new Uint8Array([...before, ...after.subarray(0, length), ...after])
    }
  }

  it('[L5] takes minus zero for the zero it will be written as', async () => {
    const odd = lines.map((line) => line.replace(/"time":\d+/, '"time":-0'))
    const session = only(await readNative(odd.join('\n')))
    expect(session.events.length).toBeGreaterThan(0)
    expect(session.events.every(({ time }) => Object.is(time, 0))).toBe(true)
  })

  it('never throws, and gives a contiguous, checked log whose report adds up', async () => {
    const mutated = fc
      .array(mutation, { minLength: 1, maxLength: 3 })
      .map((list) => list.reduce(mutate, bytes))
    await fc.assert(
      fc.asyncProperty(mutated, async (source) => {
        const { sessions, refusal } = await readNative(source)
        expect(sessions.length > 0 || refusal !== null).toBe(true)
        for (const { header: found, events: read, report } of sessions) {
          expect(read.map(({ seq }) => seq)).toEqual(read.map((_, index) => index))
          expect(report.read + report.recovered).toBe(read.length)
          expect(report.violations).toEqual(check(found, read))
          const again = only(await readNative(await textOf(writeNative(found, read))))
          expect(again.events).toEqual(read)
        }
      }),
      { numRuns: 2_000 },
    )
  }, 120_000)
})
