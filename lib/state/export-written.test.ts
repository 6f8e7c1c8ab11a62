import { expect, it } from 'vitest'
import type { EventOf, Seq, SessionEvent, SessionHeader } from '../core/event'
import { headOf } from '../core/head'
import { loadLog } from '../core/log'
import type { Block, OtherBlock } from '../core/message'
import { header, sampleLog } from '../formats/testing/sample-log'
import { readTranscript } from '../formats/transcript'
import { type ExportSource, redactedSource } from './export-sources'
import { exportName, writtenLog, writtenRequest, writtenWorkspace } from './export-written'
import type { LiveSession } from './live-session'

const events = sampleLog('ab'.repeat(32))
const source: ExportSource = {
  header,
  async *read() {
    yield* events
  },
  eventOf: async (event: SessionEvent) => event,
  title: 'Reading for Ms Quillfeather',
  blobOf: async () => null,
  count: events.length,
  at: 23,
  async *files() {
    yield { path: 'quillfeather.md', content: 'by Quillfeather' }
    yield { path: 'b.bin', content: new Uint8Array([0, 1]) }
  },
}
const textOf = ({ stream }: { stream: ReadableStream<Uint8Array> }) =>
  new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).text()

it('ends a prefix with the event at the playhead, in every format that has one', async () => {
  const { sessions } = await readTranscript(
    await textOf(writtenLog('native', source, { range: 'prefix' })),
  )
  expect(sessions[0]?.events).toEqual(events.slice(0, 24))
  expect(sessions[0]?.report.rejected).toEqual([])
  const html = await textOf(writtenLog('html', source, { range: 'prefix' }))
  expect((await readTranscript(html)).sessions[0]?.events).toEqual(events.slice(0, 24))
  for (const format of ['markdown', 'text'] as const) {
    const text = await textOf(writtenLog(format, source, { range: 'prefix' }))
    expect(text).toContain('#23')
    expect(text).not.toContain('#26')
  }
  const dsh = await textOf(writtenLog('dsh', source, { range: 'prefix' }))
  expect(dsh).not.toBe(await textOf(writtenLog('dsh', source, {})))
})

it('gives what the model saw, or everything as it was first said', async () => {
  const window = await textOf(writtenLog('openai', source, { range: 'window' }))
  const whole = await textOf(writtenLog('openai', source, { range: 'whole' }))
  expect([window, whole].map((text) => text.includes('Background: read a.md.'))).toEqual([
    true,
    false,
  ])
  expect([window, whole].map((text) => text.includes('an open fence'))).toEqual([false, true])
  const markdown = await textOf(writtenLog('markdown', source, { range: 'window' }))
  expect(markdown).toContain('as the model saw it after #23')
})

it('knows how many events will be read, for progress', () => {
  const counts = (['native', 'html', 'dsh'] as const).map(
    (format) => writtenLog(format, source, {}).events,
  )
  expect(counts).toEqual([events.length, events.length * 3, events.length * 2])
  expect(writtenLog('native', source, { range: 'prefix' }).events).toBe(24)
  const { count: _, ...damaged } = source
  expect(writtenLog('native', damaged, {}).events).toBeUndefined()
})

it('names files by title, place and format; an original keeps its own name', () => {
  const name = (...of: Parameters<typeof exportName>) => exportName(...of).name
  expect(name('native', 'My talk', 7, {})).toBe('My-talk.jsonl')
  expect(name('markdown', 'My talk', 7, { range: 'window' })).toBe('My-talk-as-seen-at-7.md')
  expect(name('html', 'My talk', 7, { range: 'prefix' })).toBe('My-talk-up-to-7.html')
  expect(name('html', 'My talk', 7, { range: 'window' })).toBe('My-talk.html')
  expect(name('request', 'My talk', 7, {})).toBe('My-talk-request-as-seen-at-7.json')
  expect(name('native', 'My talk', 7, { until: 3 })).toBe('My-talk-before-3.jsonl')
  expect(name('original', 'My talk', 7, {}, 'deep/rollout 1.jsonl')).toBe('rollout-1.jsonl')
})

/** As much of an open session as a request is built from. */
function liveOf(of: SessionHeader, log: readonly SessionEvent[]): LiveSession {
  const loaded = loadLog(of, log.map(headOf))
  if (!loaded.ok) throw new Error(loaded.error.message)
  const chosen = { ...(log[2] as EventOf<'request/header'>).data }
  return {
    store: { getState: () => ({ log: loaded.value, chosen }) },
    bodies: { read: async (seqs: readonly Seq[]) => seqs.map((seq) => log[seq]) },
  } as unknown as LiveSession
}

it('a request that was sent, and one that would be where none was, come back as the same request', async () => {
  const at = (seq: Seq) => writtenRequest(liveOf(header, events), { ...source, at: seq })
  const sent = JSON.parse(await textOf(await at(16)))
  expect(sent).toMatchObject({ model: 'offline-reader', system: [{ text: 'You read files.' }] })
  expect(JSON.stringify(sent)).toContain('[image: image/png, 5 bytes, not in this file]')

  const asAnthropic = JSON.stringify({ ...sent, model: 'claude-test-1' })
  const [session] = (await readTranscript(asAnthropic)).sessions
  const imported = liveOf(session!.header, session!.events)
  const newest = session!.events.length - 1
  const would = await writtenRequest(imported, { ...source, at: newest })
  const again = JSON.parse(await textOf(would))
  const [third] = (await readTranscript(JSON.stringify(again))).sessions
  // Thinking that was signed elsewhere is never sent (Q3).
  const said = ({ messages }: { messages: { content: Block[] }[] }) =>
    messages.map(({ content }) =>
      content
        .filter(({ type }) => type !== 'thinking')
        .map(({ cache_control: _, ...block }: OtherBlock) => block),
    )
  expect(said(again)).toEqual(said(sent))
  expect(third!.events.map(({ type }) => type)).toEqual(session!.events.map(({ type }) => type))
})

it('takes secrets out of titles, names and files as well', async () => {
  const clean = redactedSource(source, { values: ['Quillfeather'], keepMedia: false })
  expect(clean.title).toBe('Reading for Ms REDACTED-1')
  const { stream } = await writtenWorkspace(clean)
  const zip = await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).text()
  expect(zip).toContain('REDACTED-1.md')
  expect(zip.toLowerCase()).not.toContain('quillfeather')
})
