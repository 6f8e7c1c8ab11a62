import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSurfaceType, type SessionEvent, type SessionHeader } from '../core/event'
import { headOf } from '../core/head'
import { type Block, isMedia, isToolUse, textOf } from '../core/message'
import { createSha256 } from '../core/sha256'
import { foldSurface } from '../core/surface'
import { arbitraryLog } from '../core/testing/arbitrary'
import type { ReadSession } from './report'
import { FIXTURES } from './testing/fixtures'
import { header, pixel, sampleLog } from './testing/sample-log'
import { readTranscript } from './transcript'
import { type WriteFormat, type WriteOptions, writeTranscript } from './write'

type Log = Pick<ReadSession, 'header' | 'events' | 'blobs'>

const sha = createSha256()
sha.update(pixel)
const PIXEL = sha.hex()
const sample: Log = {
  header,
  events: sampleLog(PIXEL),
  blobs: new Map([[PIXEL, { bytes: pixel, mediaType: 'image/png' }]]),
}

const write = (format: WriteFormat, { header: of, events, blobs }: Log, more: WriteOptions) =>
  new Response(
    writeTranscript(format, of, events, {
      blobOf: async (hash) => blobs.get(hash) ?? null,
      count: events.length,
      ...more,
    }),
  ).text()

async function read(file: string): Promise<ReadSession | null> {
  const { sessions, refusal } = await readTranscript(file)
  const [session] = sessions
  if (session) {
    expect(refusal).toBeNull()
    expect(session.report.rejected).toEqual([])
    expect(session.report.violations).toEqual([])
  }
  return session ?? null
}

async function fixtureLog(name: string): Promise<Log> {
  const session = await read(FIXTURES[name]!.text)
  if (!session) throw new Error(`no session in ${name}`)
  return session
}

/** Media by name alone, as a log without a place for them says them. */
const named = (block: Block): Block =>
  isMedia(block)
    ? {
        type: 'text',
        text: `[${block.type}: ${block.source.media_type}, ${block.source.bytes} bytes]`,
      }
    : block

/** What a model would read of a log: who speaks, the words, the calls. */
function meaning(events: readonly SessionEvent[]): string[] {
  const folded = foldSurface(events.map(headOf))
  if (!folded.ok) throw new Error(folded.error.message)
  return folded.value.nodes.flatMap((seq) => {
    const event = events[seq]!
    if (!isSurfaceType(event.type) || !('content' in event.data)) return []
    const calls = event.data.content
      .filter(isToolUse)
      .map(({ id, name, input }) => `${id} ${name} ${JSON.stringify(input)}`)
    return `${event.type} ${textOf(event.data.content.map(named))} ${calls.join(' ')}`
  })
}

const WRITERS: [WriteFormat, WriteOptions][] = [
  ['native', {}],
  ['html', { title: 'Round' }],
  ['dsh', {}],
  ['openai', {}],
  ['openai', { at: 1e6 }],
]

/** Export → import → export: from the first file that was read on, every file is the same. */
async function settles(log: Log, format: WriteFormat, more: WriteOptions): Promise<void> {
  const first = await read(await write(format, log, more))
  if (!first) return
  const second = await write(format, first, more)
  const again = await read(second)
  expect(again && (await write(format, again, more))).toBe(second)
}

describe.each(WRITERS)('what %s %o writes', (format, more) => {
  it.each(Object.keys(FIXTURES))('of %s comes back and leaves as the same file', async (name) => {
    await settles(await fixtureLog(name), format, more)
  })

  it('of a log with everything in it comes back and leaves as the same file', async () => {
    await settles(sample, format, more)
  })

  it('of any log comes back and leaves as the same file', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLog(25), ({ header: of, events }) =>
        settles({ header: of, events, blobs: new Map() }, format, more),
      ),
      { numRuns: 25 },
    )
  })
})

describe('what a model reads', () => {
  const same = async (log: Log, format: WriteFormat) =>
    meaning((await read(await write(format, log, {})))?.events ?? [])

  it.each(Object.keys(FIXTURES))(
    'of %s survives a DeepSeek Harness log and a page',
    async (name) => {
      const log = await fixtureLog(name)
      expect(await same(log, 'dsh')).toEqual(meaning(log.events))
      expect(await same(log, 'html')).toEqual(meaning(log.events))
    },
  )
})

const of = (id: string): SessionHeader => ({ ...header, id })

it('a log of theirs is given back row by row, provider and ids as they were', async () => {
  const log = await fixtureLog('dsh')
  const rows = (await write('dsh', { ...log, header: of('theirs') }, {})).trimEnd().split('\n')
  const names = rows.flatMap((row) => /"provider":"([^"]+)"/.exec(row)?.[1] ?? [])
  expect(new Set(names)).toEqual(new Set(['deepseek']))
})
