import { describe, expect, it } from 'vitest'
import { header, pixel, sampleLog } from './testing/sample-log'
import { readTranscript, writeTranscript } from './transcript'

const events = sampleLog('ab'.repeat(32))
const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()
const jsonl = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n')
const time = '2026-01-02T03:04:05.678Z'

describe('any transcript in', () => {
  it('reads its own format whatever it is called', async () => {
    const text = await textOf(writeTranscript('native', header, events))
    for (const source of [
      text,
      new File([text], 'notes.txt'),
      `\ufeff${text}`,
      text.slice(0, 30),
    ]) {
      expect((await readTranscript(source)).format).toBe('native')
    }
    const { sessions } = await readTranscript(new File([text], 'x'))
    expect(sessions[0]?.events).toEqual(events)
  })

  it('recognises its own format when the header is longer than what is looked at', async () => {
    const long = { ...header, origin: { format: 'x', sha256: 'y', name: 'n'.repeat(400_000) } }
    const text = await textOf(writeTranscript('native', long, events))
    expect((await readTranscript(new Blob([text]))).sessions[0]?.events).toHaveLength(31)
  })

  it.each([
    [
      'claude-code',
      jsonl({ type: 'user', uuid: 'u', parentUuid: null, sessionId: 's', message: {} }),
    ],
    [
      'claude-code',
      jsonl({ type: 'file-history-snapshot', messageId: 'm', snapshot: {} }, { type: 'user' }),
    ],
    ['codex', jsonl({ timestamp: time, type: 'session_meta', payload: { id: 'c' } })],
    ['codex', jsonl({ timestamp: time, type: 'response_item', payload: { type: 'message' } })],
    ['pi', jsonl({ type: 'session', version: 3, id: 'p', timestamp: time, cwd: '/' })],
    ['dsh', jsonl({ type: 'session', version: 0, id: 'd', createdAt: 5 })],
    ['gemini', JSON.stringify({ sessionId: 'g', projectHash: 'h', messages: [] }, null, 2)],
    ['gemini', jsonl({ sessionId: 'g', projectHash: 'h', startTime: time })],
    ['chatgpt', JSON.stringify([{ title: 't', mapping: {}, current_node: 'n' }])],
    ['claude-ai', JSON.stringify([{ uuid: 'u', name: 'n', chat_messages: [] }])],
    ['opencode', JSON.stringify({ info: { id: 'o' }, messages: [] })],
    ['messages', JSON.stringify({ model: 'm', messages: [{ role: 'user' }] })],
    ['messages', JSON.stringify([{ role: 'user', content: 'hi' }])],
    ['messages', jsonl({ role: 'user', content: 'a' }, { role: 'assistant', content: 'b' })],
    ['responses', JSON.stringify([{ role: 'user', content: 'a' }, { type: 'function_call' }])],
    ['chatgpt', `[{"title":"t","mapping":{"a":"${'x'.repeat(300_000)}"}}]`],
  ])('knows %s by what it holds', async (format, text) => {
    for (const file of [new File([text], 'a.md'), new File([`\ufeff${text}`], 'b.jsonl')]) {
      expect((await readTranscript(file)).format).toBe(format)
    }
  })

  it('names what it knows and cannot read', async () => {
    const { format, sessions, refusal } = await readTranscript('SQLite format 3\0 and more')
    expect([format, sessions]).toEqual([null, []])
    expect(refusal?.message).toBe(
      'This looks like an SQLite database. Reading it is not supported yet.',
    )
  })

  it.each([
    ['DeepSeek Harness log', { type: 'session', version: 9, id: 'd', createdAt: 5 }],
    ['pi session', { type: 'session', version: 9, id: 'p', timestamp: time }],
  ])('[L6] refuses a %s of a newer version politely', async (name, head) => {
    const { sessions, refusal } = await readTranscript(jsonl(head))
    expect([sessions, refusal?.rule]).toEqual([[], 'L6'])
    expect(refusal?.message).toContain(`looks like a ${name}, but of version 9`)
    expect(refusal?.message).not.toMatch(/corrupt|damaged|invalid/)
  })

  it.each([
    ['nothing', ''],
    ['prose', '# A note\n\nThis is not a transcript.'],
    ['other JSON', '{"name":"palimpsest","version":"1"}'],
    ['numbers', '1\n2\n3'],
    ['brackets', '[[[['],
  ])('says of %s that it knows no such format', async (_, text) => {
    const { sessions, refusal } = await readTranscript(text)
    expect(sessions).toEqual([])
    expect(refusal?.message).toMatch(/no transcript in a format/)
  })

  it('stops before it begins when told to', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(readTranscript('{}', { signal })).rejects.toThrow('enough')
  })
})

describe('transcripts out', () => {
  it('as it stood before an event', async () => {
    const native = await readTranscript(
      await textOf(writeTranscript('native', header, events, { until: 21, count: events.length })),
    )
    expect(native.sessions[0]?.events).toEqual(events.slice(0, 21))
    expect(native.sessions[0]?.report.rejected).toEqual([])
    const markdown = await textOf(writeTranscript('markdown', header, events, { until: 21 }))
    expect(markdown).toContain('Compaction ended (cancelled)')
    expect(markdown).not.toContain('## Compaction')
  })

  it('does not ask for events after the one it ends before', async () => {
    let asked = 0
    function* counted() {
      for (const event of events) {
        asked += 1
        yield event
      }
    }
    await textOf(writeTranscript('native', header, counted(), { until: 5 }))
    expect(asked).toBe(6)
  })

  it('passes on blobs and the moment asked for', async () => {
    const blobOf = async () => ({ bytes: pixel, mediaType: 'image/png' })
    expect(await textOf(writeTranscript('native', header, events, { blobOf }))).toContain(
      '"blob":{',
    )
    const markdown = await textOf(
      writeTranscript('markdown', header, events, { at: 23, title: 'T' }),
    )
    expect(markdown).toContain('as the model saw it after #23')
  })
})
