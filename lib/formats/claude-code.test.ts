import { describe, expect, it } from 'vitest'
import type { EventOf, SessionEvent } from '../core/event'
import { headOf } from '../core/head'
import { loadLog, surfaceNodes } from '../core/log'
import { textOf } from '../core/message'
import type { ReadSession } from './report'
import { answer, boundary, model, person, summary, use } from './testing/fixture-claude'
import { jsonl, text } from './testing/fixture-rows'
import { FIXTURES } from './testing/fixtures'
import { readTranscript } from './transcript'

const sessionsOf = async (source: string) => (await readTranscript(source)).sessions
const only = async (...rows: unknown[]) => (await sessionsOf(jsonl(...rows)))[0] as ReadSession
const of = <T extends SessionEvent['type']>(session: ReadSession | undefined, type: T) =>
  (session?.events.filter((event) => event.type === type) ?? []) as EventOf<T>[]

/** What the model would see, as text. */
function seenIn({ header, events }: ReadSession): string[] {
  const log = loadLog(header, events.map(headOf))
  return (log.ok ? surfaceNodes(log.value) : []).map((seq) => {
    const event = events[seq]
    return event && 'content' in event.data ? textOf(event.data.content) : ''
  })
}

const talk = [
  person('p1', null, 'First'),
  model('m1', 'p1', 'msg_1', text('One')),
  person('p2', 'm1', 'Second'),
  model('m2', 'p2', 'msg_2', text('Two')),
]

describe('Claude Code', () => {
  it('rows of one API message are one message, with its last usage', async () => {
    const parts = ['a', 'b', 'c'].map((words, n) => {
      const row = model(`m${n}`, n === 0 ? 'p1' : `m${n - 1}`, 'msg_1', text(words))
      const message = { ...(row.message as object), usage: { input_tokens: 9, output_tokens: n } }
      return { ...row, message }
    })
    const [message, ...others] = of(await only(talk[0], ...parts), 'assistant/message')
    expect(others).toEqual([])
    expect([textOf(message!.data.content), message?.data.usage?.output_tokens]).toEqual([
      'a\nb\nc',
      2,
    ])
  })

  it('[P1] parallel calls and results in any order are one unit', async () => {
    const session = (await sessionsOf(FIXTURES['claude-code']!.text))[0]
    expect(
      of(session, 'tool/result')
        .slice(0, 2)
        .map(({ data }) => data.callId),
    ).toEqual(['call_a', 'call_b'])
    expect(of(session, 'assistant/message')[0]?.data.content.map(({ type }) => type)).toEqual([
      ...['thinking', 'text', 'tool_use', 'tool_use'],
    ])
  })

  it('[T3] a boundary hides what came before it behind the summary after it', async () => {
    const session = await only(
      ...talk,
      boundary('cb', 'm2', { trigger: 'manual', preTokens: 7_000 }),
      summary('cs', 'cb', 'In short.'),
      person('p3', 'cs', 'Third'),
    )
    expect(seenIn(session)).toEqual(['In short.', 'Third'])
    expect(of(session, 'compact/start')[0]?.data).toMatchObject({
      trigger: 'manual',
      measured: 7_000,
    })
    expect(of(session, 'compact/summary')[0]?.data).toMatchObject({
      certainty: 'derived',
      summary: 'In short.',
    })
    expect(session.report.compactions).toEqual({ exact: 0, derived: 1, unknown: 0 })
  })

  it('[T3] preserved rows stay behind the checkpoint', async () => {
    for (const metadata of [
      { preservedSegment: { headUuid: 'p2', anchorUuid: 'cs', tailUuid: 'm2' } },
      { preservedMessages: { anchorUuid: 'cs', uuids: ['p2', 'm2'], allUuids: ['p2', 'm2'] } },
    ]) {
      const session = await only(
        ...talk,
        boundary('cb', 'gone', metadata),
        summary('cs', 'cb', 'In short.'),
        model('m3', 'm2', 'msg_3', text('Three')),
      )
      expect(seenIn(session)).toEqual(['In short.', 'Second', 'Two', 'Three'])
    }
  })

  it('[T3] a preserved row never parts a call from its result', async () => {
    const session = await only(
      talk[0],
      model('u1', 'p1', 'msg_1', use('c1')),
      person('r1', 'u1', [answer('c1', 'found')]),
      boundary('cb', 'r1', { preservedMessages: { uuids: ['r1'] } }),
      summary('cs', 'cb', 'In short.'),
      person('p3', 'cs', 'Third'),
    )
    expect(seenIn(session)).toEqual(['In short.', '', 'found', 'Third'])
  })

  it('[T3] a boundary without a summary says that it cannot be read', async () => {
    const session = await only(...talk, boundary('cb', 'm2'), person('p3', 'cb', 'Third'))
    expect(of(session, 'compact/summary')[0]?.data).toMatchObject({ summary: '', opaque: true })
    expect(seenIn(session)[1]).toBe('Third')
  })

  it('[T3] a file that begins with a boundary has a compaction of unknown range', async () => {
    const session = await only(
      boundary('cb', 'gone'),
      summary('cs', 'cb', 'In short.'),
      person('p3', 'cs', 'On'),
    )
    expect(seenIn(session)).toEqual(['In short.', 'On'])
    expect(session.report.compactions.unknown).toBe(1)
  })

  it('the transcript stays whole across compactions', async () => {
    const session = await only(...talk, boundary('cb', 'm2'), summary('cs', 'cb', 'In short.'))
    const said = of(session, 'user/message').map(({ data }) => textOf(data.content))
    expect(said).toEqual(['First', 'Second', 'In short.'])
  })

  it('[X3] a micro-compaction replaces the results it names and no others', async () => {
    const session = (await sessionsOf(FIXTURES['claude-code']!.text))[0]
    expect(of(session, 'compact/prune')).toHaveLength(1)
    const replaced = of(session, 'tool/result').filter(({ surfaceOp }) => surfaceOp !== 'append')
    expect(replaced.map(({ data }) => data.callId)).toEqual(['call_a'])
  })

  it('[T2] a rewind leaves a branch that shares its beginning', async () => {
    const rewound = [person('p9', 'm1', 'Instead'), model('m9', 'p9', 'msg_9', text('Nine'))]
    const [shown, branch] = await sessionsOf(jsonl(...talk, ...rewound))
    expect(seenIn(shown!)).toEqual(['First', 'One', 'Instead', 'Nine'])
    expect(seenIn(branch!)).toEqual(['First', 'One', 'Second', 'Two'])
    const seq = branch?.header.parent?.seq ?? -1
    expect(branch?.header.parent?.id).toBe(shown?.header.id)
    expect(branch?.events.slice(0, seq + 1)).toEqual(shown?.events.slice(0, seq + 1))
    expect(branch?.events[seq + 1]).not.toEqual(shown?.events[seq + 1])
  })

  it('[T2] a file of a sub-agent names the session it worked for', async () => {
    const rows = talk.map((row) => ({ ...row, isSidechain: true, agentId: 'x1' }))
    const session = await only(...rows)
    expect(session.header).toMatchObject({
      id: 'garden-session-agent-x1',
      parent: { id: 'garden-session', seq: 0 },
    })
  })
})
