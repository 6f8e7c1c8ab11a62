import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSurfaceType, type SessionEvent } from '../core/event'
import { headOf } from '../core/head'
import type { Json } from '../core/message'
import { textOf } from '../core/message'
import { foldSurface } from '../core/surface'
import { arbitraryLog } from '../core/testing/arbitrary'
import { header, pixel, sampleLog } from './testing/sample-log'
import { readTranscript } from './transcript'
import { writeDsh } from './write-dsh'
import { type OpenaiOptions, writeOpenai } from './write-openai'
import { writeText } from './write-text'

const events = sampleLog('ab'.repeat(32))
const textFrom = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()
type Row = { role: string; content: Json; tool_calls?: { id: string }[]; tool_call_id?: string }
const chatOf = async (log: SessionEvent[], options: OpenaiOptions = {}) =>
  JSON.parse(await textFrom(writeOpenai(() => log, options))) as {
    model: string
    messages: Row[]
    tools?: Json[]
  }

/** What stands on the surface of a log: who spoke, and the words. */
function surfaceWords(log: readonly SessionEvent[]): string[] {
  const folded = foldSurface(log.map(headOf))
  if (!folded.ok) throw new Error(folded.error.message)
  return folded.value.nodes.map((seq) => {
    const event = log[seq]!
    if (!isSurfaceType(event.type) || !('content' in event.data)) throw new Error('no node')
    const calls = event.data.content.filter(({ type }) => type === 'tool_use').length
    return `${event.type} ${calls} ${textOf(event.data.content).trim()}`
  })
}

describe('plain text', () => {
  it('holds every word of the conversation and marks compactions', async () => {
    const text = await textFrom(writeText(header, () => events, { title: 'Reading' }))
    for (const words of [
      'Reading\nSession sample',
      'an open fence',
      '  | Two files.',
      'Tool call read_file c1',
      'No such file.',
      'Compaction, manual',
      '4 messages, #4 to #10 (1,234 tokens)',
      '  > ## Request',
      'Checkpoint, in place of #4 to #10',
      '* Restored what #23 had replaced. (#',
    ])
      expect(text).toContain(words)
    expect(text).not.toContain('\u0000')
  })
})

describe('OpenAI messages', () => {
  it('says the system prompt, calls, results and tools as that API has them', async () => {
    const chat = await chatOf(events, { at: 10 })
    expect(chat.model).toBe('offline-reader')
    expect(chat.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
    ])
    expect(chat.messages[2]).toEqual({
      role: 'assistant',
      content: 'I read both.',
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'read_file', arguments: '{"path":"a.md"}' },
        },
        {
          id: 'c2',
          type: 'function',
          function: { name: 'read_file', arguments: '{"path":"b.md"}' },
        },
      ],
    })
    expect(chat.messages[4]).toEqual({ role: 'tool', tool_call_id: 'c2', content: 'No such file.' })
    expect(chat.tools).toHaveLength(1)
  })

  it('inlines images it is given and names what it is not', async () => {
    const blobOf = async () => ({ bytes: pixel, mediaType: 'image/png' })
    const withBytes = JSON.stringify((await chatOf(events, { at: 4, blobOf })).messages[1])
    expect(withBytes).toContain(`data:image/png;base64,${btoa('pixel')}`)
    const without = JSON.stringify((await chatOf(events, { at: 4 })).messages[1])
    expect(without).toContain('[image: image/png, 5 bytes]')
  })

  it('has the checkpoint in place of what it replaced', async () => {
    const { messages } = await chatOf(events, { at: 23 })
    expect(JSON.stringify(messages)).toContain('Background: read a.md.')
    expect(JSON.stringify(messages)).not.toContain('an open fence')
  })

  it('follows every call with its result at every moment of any log, and is read again', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLog(), fc.nat(), async (log, pick) => {
        const at = log.events.length === 0 ? 0 : pick % log.events.length
        const { messages } = await chatOf(log.events, {
          at,
          layer: pick % 2 === 0 ? 'surface' : 'originals',
        })
        for (const [index, { tool_calls: calls = [] }] of messages.entries()) {
          const following = messages.slice(index + 1, index + 1 + calls.length)
          expect(following.map((row) => row.tool_call_id).sort()).toEqual(
            calls.map(({ id }) => id).sort(),
          )
        }
        const said = messages.filter(({ role }) => role !== 'system')
        if (said.length === 0) return
        const read = await readTranscript(JSON.stringify({ messages }))
        expect(read.format).toBe('messages')
        expect(read.refusal).toBeNull()
      }),
      { numRuns: 60 },
    )
  })
})

describe('a DeepSeek Harness log', () => {
  it('keeps the surface, its compactions and its words through export and import', async () => {
    const until = events.findIndex(({ type }) => type === 'surface/restore')
    const log = events.slice(0, until)
    const read = await readTranscript(await textFrom(writeDsh(header, () => log)))
    expect(read.format).toBe('dsh')
    expect(read.refusal).toBeNull()
    const [session] = read.sessions
    expect(session?.report.rejected).toEqual([])
    expect(session?.report.compactions).toEqual({ exact: 1, derived: 0, unknown: 0 })
    const words = surfaceWords(log)
    expect(surfaceWords(session!.events)).toEqual(words)
  })

  it('numbers its rows without gaps and names only rows that stand before', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLog(), async ({ header: of, events: log }) => {
        const rows = (await textFrom(writeDsh(of, () => log)))
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
        expect(rows[0]).toMatchObject({ type: 'session', version: 0, id: of.id })
        const surface: number[] = []
        for (const [index, row] of rows.slice(1).entries()) {
          expect(row.seq).toBe(index)
          if (row.surfaceOp === 'append') surface.push(row.seq)
          else if (row.surfaceOp) {
            const from = surface.indexOf(row.surfaceOp.start)
            const to = surface.indexOf(row.surfaceOp.end)
            expect(from).toBeGreaterThanOrEqual(0)
            expect(to).toBeGreaterThanOrEqual(from)
            surface.splice(from, to - from + 1, row.seq)
          }
        }
        const folded = foldSurface(log.map(headOf))
        expect(folded.ok && folded.value.nodes.length).toBe(surface.length)
        const read = await readTranscript(`${rows.map((row) => JSON.stringify(row)).join('\n')}\n`)
        expect(read.refusal).toBeNull()
      }),
      { numRuns: 60 },
    )
  })
})
