import { describe, expect, it } from 'vitest'
import { isText } from '../core/message'
import type { ReadSession } from './report'
import { answer, model, person, use } from './testing/fixture-claude'
import { jsonl, text } from './testing/fixture-rows'
import { accountedFor, countRecords, flawsOf } from './testing/soundness'
import { readTranscript } from './transcript'

const rows = [
  person('p1', null, 'Plant peas'),
  model('m1', 'p1', 'msg_1', use('c1')),
  person('r1', 'm1', [answer('c1')]),
  model('m2', 'r1', 'msg_2', text('Planted.')),
]
const lines = rows.map((row) => JSON.stringify(row))

/** The one session of a file, which must be sound and account for every record. */
async function read(source: string | Uint8Array): Promise<ReadSession> {
  const result = await readTranscript(source)
  expect(result.refusal).toBeNull()
  expect(flawsOf(result)).toEqual([])
  expect(accountedFor(result)).toBe(await countRecords(source))
  return result.sessions[0] as ReadSession
}
const saidIn = ({ events }: ReadSession): string[] =>
  events.flatMap((event) => {
    if (event.type !== 'user/message' && event.type !== 'assistant/message') return []
    return event.data.content.filter(isText).map((block) => block.text)
  })
const typesOf = ({ events }: ReadSession) =>
  events.map(({ type }) => type).filter((type) => type !== 'session/title')
const WHOLE = ['user/message', 'assistant/message', 'tool/result', 'assistant/message']

describe('broken foreign files', () => {
  it.each([
    ['a byte order mark', `\ufeff${lines.join('\n')}`],
    ['line ends of Windows', lines.join('\r\n')],
    ['blank lines', `\n\n${lines.join('\n\n  \n')}\n\n`],
    ['no last line end', lines.join('\n')],
  ])('%s changes nothing', async (_, source) => {
    const session = await read(source)
    expect(typesOf(session)).toEqual(WHOLE)
    expect([session.report.read, session.report.recovered, session.report.rejected]).toEqual([
      4,
      0,
      [],
    ])
  })

  it('two rows on one line are both recovered', async () => {
    const session = await read([lines[0], lines[1]! + lines[2]!, lines[3]].join('\n'))
    expect(typesOf(session)).toEqual(WHOLE)
    expect([session.report.read, session.report.recovered]).toEqual([2, 2])
  })

  it('a torn last line and a bad one in the middle are named by number', async () => {
    const session = await read(
      [lines[0], '{"type":"user", bad}', ...lines.slice(1), '{"uuid":"x'].join('\n'),
    )
    expect(typesOf(session)).toEqual(WHOLE)
    expect(session.report.rejected).toEqual([
      { line: 2, reason: 'it is not JSON' },
      { line: 6, reason: 'the last line is cut off' },
    ])
  })

  it('NULs beside a row do not take it along', async () => {
    const session = await read(`${lines.slice(0, 3).join('\n')}\n\0\0\0${lines[3]}\n\0\0\n`)
    expect(typesOf(session)).toEqual(WHOLE)
    expect(session.report.recovered).toBe(1)
    expect(session.report.rejected.map(({ line }) => line)).toEqual([4, 5])
  })

  it('[L5] lone surrogates and broken UTF-8 are repaired and counted', async () => {
    const odd = jsonl(person('p1', null, 'ab')).replace('ab', '\\ud83d \\udc00 \u2028')
    const session = await read(odd)
    expect(saidIn(session)).toEqual(['\ufffd \ufffd \u2028'])
    expect([session.report.repaired, session.report.recovered]).toEqual([2, 1])
    const bytes = new TextEncoder().encode(jsonl(person('p1', null, 'a~b')))
    bytes[bytes.indexOf(0x7e)] = 0xff
    expect(saidIn(await read(bytes))).toEqual(['a\ufffdb'])
  })

  it('a row that comes again appears once, another with its id is kept and linked', async () => {
    const again = await read(jsonl(...rows, rows[0], rows[3]))
    expect(typesOf(again)).toEqual(WHOLE)
    expect(again.report.kept).toEqual([
      { line: 5, toLine: 6, reason: 'it repeats a row that was read before' },
    ])
    const other = await read(jsonl(...rows, person('p1', 'm2', 'Another with the same id')))
    expect(saidIn(other)).toContain('Another with the same id')
  })

  it('parts of a message that are written again under other ids appear once', async () => {
    const session = await read(jsonl(...rows, model('m9', 'm2', 'msg_2', text('Planted.'))))
    expect(saidIn(session).filter((said) => said === 'Planted.')).toHaveLength(1)
    expect(session.report.kept.at(-1)).toEqual({
      line: 5,
      reason: 'it repeats a message that was read before',
    })
  })

  it('parents that are missing, later, or in a circle never drop a row', async () => {
    const session = await read(
      jsonl(
        person('a', 'gone', 'One'),
        model('b', 'c', 'msg_b', text('Two')),
        person('c', 'b', 'Three'),
        person('d', 'd', 'Four'),
      ),
    )
    expect(saidIn(session)).toEqual(['One', 'Two', 'Three', 'Four'])
    expect(session.report.mended.map(({ line }) => line)).toEqual([2, 4])
  })

  it('a file that begins in the middle says so, and can be continued', async () => {
    const session = await read(
      jsonl(person('r0', 'gone', [answer('lost', 'late')]), ...rows.slice(1)),
    )
    expect(saidIn(session).slice(0, 2)).toEqual([
      'Result of a call that is not in the file:',
      'late',
    ])
    const reply = await read(jsonl(model('m2', 'r1', 'msg_2', text('Planted.'))))
    expect(saidIn(reply)[0]).toBe('What came before this point is not in the file.')
    expect(reply.report.mended[0]?.reason).toMatch(/begins in the middle/)
  })

  it('[P1] calls nobody answered are closed where the log goes on, and open at its end', async () => {
    const goes = await read(jsonl(rows[0], rows[1], model('m2', 'm1', 'msg_2', text('On.'))))
    expect(typesOf(goes)).toEqual(WHOLE)
    expect(goes.report.mended.at(-1)?.reason).toBe('call c1 has no result in the file')
    const ends = await read(jsonl(rows[0], rows[1]))
    expect(typesOf(ends)).toEqual(['user/message', 'assistant/message'])
  })

  it('[P2] call ids used twice become unique, each with its own result', async () => {
    const twice = [
      model('m3', 'm2', 'msg_3', use('c1')),
      person('r3', 'm3', [answer('c1', 'second')]),
    ]
    const session = await read(jsonl(...rows, ...twice))
    const results = session.events.flatMap((event) =>
      event.type === 'tool/result' ? [event.data] : [],
    )
    expect(results.map(({ callId }) => callId)).toEqual(['c1', 'c1_2'])
    expect(JSON.stringify(results[1]?.content)).toContain('second')
  })

  it('order is the order of the file; times are labels, and may be missing or no times', async () => {
    const times = ['2026-01-03T00:00:00Z', undefined, 'yesterday', 1_700_000_000]
    const session = await read(jsonl(...rows.map((row, at) => ({ ...row, timestamp: times[at] }))))
    expect(typesOf(session)).toEqual(WHOLE)
    const first = Date.UTC(2026, 0, 3)
    const seen = session.events
      .filter(({ type }) => type !== 'session/title')
      .map(({ time }) => time)
    expect(seen).toEqual([first, first, first, 1_700_000_000_000])
  })

  it.each([[null], [3], [true], ['text'], [[]], [{}], [[null, 3, 'text', {}, []]]])(
    'content that is %j throws nothing',
    async (content) => {
      const odd = [
        { ...rows[0], message: content },
        { ...rows[1], message: { content } },
      ]
      await read(jsonl(...odd, person('z', null, content), ...rows.slice(2)))
    },
  )

  it('a line of 30 MB is read as any other', async () => {
    const long = 'é'.repeat(15_000_000)
    const session = await read(jsonl(person('p1', null, long), ...rows.slice(1)))
    expect(saidIn(session)[0]).toHaveLength(15_000_000)
  }, 60_000)

  it('a result that comes late joins its call, and the message between waits', async () => {
    const row = (payload: unknown) => ({
      timestamp: '2026-01-01T00:00:00Z',
      type: 'response_item',
      payload,
    })
    const late = jsonl(
      row({ type: 'message', role: 'user', content: 'Go' }),
      row({ type: 'function_call', name: 'sh', arguments: '{}', call_id: 'k' }),
      row({ type: 'custom_tool_call_output', call_id: 'other', output: 'x' }),
      row({
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Meanwhile' }],
      }),
      row({ type: 'function_call_output', call_id: 'k', output: 'late' }),
    )
    const session = await read(late)
    expect(typesOf(session).slice(-3)).toEqual(['user/message', 'tool/result', 'assistant/message'])
  })
})
