import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from '../core/check'
import type { SessionEvent } from '../core/event'
import { readNative, writeNative } from './native'
import type { ReadResult } from './report'
import { header, pixel, sampleLog } from './testing/sample-log'

const HASH = createHash('sha256').update(pixel).digest('hex')
const events = sampleLog(HASH)
const blobOf = async (hash: string) =>
  hash === HASH ? { bytes: pixel, mediaType: 'image/png' } : null

const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()
const file = await textOf(writeNative(header, events, { blobOf, count: events.length }))
const lines = file.split('\n')
const only = ({ sessions, refusal }: ReadResult) => {
  expect([sessions.length, refusal]).toEqual([1, null])
  return sessions[0]!
}
const withLine = (index: number, text: string) => lines.with(index, text).join('\n')

describe('writing native JSONL', () => {
  it('begins with the header, then one event a line, blobs before the first event that names them', () => {
    expect(file.endsWith('\n')).toBe(true)
    expect(JSON.parse(lines[0]!)).toEqual({ palimpsest: header, events: events.length })
    const rows = lines.slice(1, -1).map((line) => JSON.parse(line))
    expect(rows.filter((row) => !row.blob)).toEqual(events)
    expect(rows.findIndex((row) => row.blob)).toBe(4)
    expect(rows[4]).toEqual({
      blob: { hash: HASH, media_type: 'image/png', base64: btoa('pixel') },
    })
  })

  it('writes a blob once and leaves out what is not to be had', async () => {
    const twice = await textOf(writeNative(header, [events[4]!, events[4]!], { blobOf }))
    expect(twice.match(/"blob":\{"hash"/g)).toHaveLength(1)
    const without = await textOf(writeNative(header, events, { blobOf: async () => null }))
    expect(without).not.toContain('base64')
  })

  it('reads events only as fast as the stream is taken, and stops with it', async () => {
    let taken = 0
    let ended = false
    async function* endless(): AsyncGenerator<SessionEvent> {
      try {
        for (;;) {
          taken += 1
          yield events[4]!
        }
      } finally {
        ended = true
      }
    }
    const reader = writeNative(header, endless()).getReader()
    await reader.read()
    const before = taken
    expect(before).toBeGreaterThan(10)
    expect(before).toBeLessThan(2_000)
    await reader.cancel()
    expect([taken <= before * 2 + 10, ended]).toEqual([true, true])
  })

  it('passes on what the source of events throws', async () => {
    async function* broken(): AsyncGenerator<SessionEvent> {
      yield events[0]!
      throw new Error('event 1 cannot be read')
    }
    await expect(textOf(writeNative(header, broken()))).rejects.toThrow('event 1 cannot be read')
  })
})

describe('reading native JSONL', () => {
  it('the sample log breaks no rule', () => {
    expect(check(header, events)).toEqual([])
  })

  it('export, then import, keeps header, events and blobs', async () => {
    const session = only(await readNative(file))
    expect(session.header).toEqual(header)
    expect(session.events).toEqual(events)
    expect([...session.blobs]).toEqual([[HASH, { bytes: pixel, mediaType: 'image/png' }]])
    expect(session.report).toEqual({
      read: events.length,
      recovered: 0,
      rejected: [],
      repaired: 0,
      violations: [],
      lines: lines.length - 1,
      bytes: new TextEncoder().encode(file).length,
      missingBlobs: [],
    })
  })

  it('export of an import of an export is the same file', async () => {
    const session = only(await readNative(file))
    const again = writeNative(session.header, session.events, {
      blobOf: async (hash) => session.blobs.get(hash) ?? null,
      count: session.events.length,
    })
    expect(await textOf(again)).toBe(file)
  })

  it('reads a file, its bytes and its text alike', async () => {
    const bytes = new TextEncoder().encode(file)
    const expected = await readNative(file)
    expect(await readNative(bytes)).toEqual(expected)
    expect(await readNative(new Blob([bytes.slice(0, 1_001), bytes.slice(1_001)]))).toEqual(
      expected,
    )
  })

  it('tolerates a byte order mark, carriage returns, blank lines and no last line end', async () => {
    const foreign = `\ufeff${file.trimEnd().replaceAll('\n', '\r\n\r\n')}`
    const { events: read, report } = only(await readNative(foreign))
    expect([read, report.rejected]).toEqual([events, []])
  })

  it('[K4] reports what the log breaks', async () => {
    const twice = events.slice(0, 4).concat({ ...events[3]!, seq: 4 } as SessionEvent)
    const { report, events: read } = only(
      await readNative(await textOf(writeNative(header, twice))),
    )
    expect(read).toEqual(twice)
    expect(report.violations.length).toBeGreaterThan(0)
    expect(report.violations).toEqual(check(header, twice))
  })

  it('says which blobs are missing', async () => {
    const without = lines.filter((line) => !line.startsWith('{"blob"')).join('\n')
    const { report, events: read } = only(await readNative(without))
    expect([report.missingBlobs, read]).toEqual([[HASH], events])
  })
})

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

  it('survives a line nested deeper than any stack', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    const line = `{"seq":${events.length},"time":0,"type":"tool/call","data":{"turn":1,"step":1,"callId":"x","name":"n","input":${deep}}}`
    const { events: read } = only(
      await readNative(`${file}${line}\n${line.replace('200', '\\ud800')}`),
    )
    expect(read.slice(0, events.length)).toEqual(events)
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

describe('reading at length', () => {
  const long = Array.from({ length: 60 }, (_, at) => `${lines[7]}${' '.repeat(40_000 + at)}`)
  const big = [lines[0], ...long].join('\n')

  it('tells how far it is', async () => {
    const seen: number[] = []
    const onProgress = ({ bytes, total }: { bytes: number; total: number }) => {
      expect(total).toBe(big.length)
      seen.push(bytes)
    }
    await readNative(big, { onProgress })
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.at(-1)).toBe(big.length)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
  })

  it('stops when told to, with the reason it was given', async () => {
    const stop = new AbortController()
    const reading = readNative(new Blob([big]), {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    })
    await expect(reading).rejects.toThrow('enough')
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
