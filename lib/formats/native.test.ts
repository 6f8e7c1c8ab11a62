import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from '../core/check'
import type { SessionEvent } from '../core/event'
import { arbitraryLog } from '../core/testing/arbitrary'
import { writeNative } from './native'
import { readNative } from './read-native'
import { emptyReport } from './report'
import { blobOf, events, file, HASH, lines, only, textOf } from './testing/native-file'
import { header, pixel } from './testing/sample-log'

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
      ...emptyReport(),
      read: events.length,
      lines: lines.length - 1,
      bytes: new TextEncoder().encode(file).length,
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

describe('any valid log', () => {
  it('survives export and import, and its export is a fixed point', async () => {
    const words = fc.string({ unit: 'binary', maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(arbitraryLog(40), words, async ({ header: found, events: log }, text) => {
        const said = { ...log[0]!, type: 'session/title', data: { title: text, source: 'human' } }
        const renamed = [said as SessionEvent, ...log.slice(1)]
        const written = await textOf(writeNative(found, renamed, { count: renamed.length }))
        const session = only(await readNative(written))
        expect([session.header, session.events]).toEqual([found, renamed])
        expect(session.report).toMatchObject({ read: renamed.length, rejected: [], repaired: 0 })
        const again = writeNative(session.header, session.events, { count: renamed.length })
        expect(await textOf(again)).toBe(written)
      }),
      { numRuns: 200 },
    )
  }, 60_000)
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
