/** For each *log* rule of SPEC.md, logs that break it and no other (K4). */

import type { EventDraft } from '../event'
import {
  assistant,
  bracket,
  build,
  call,
  commitOf,
  createWriter,
  draft,
  EPOCH,
  fail,
  header,
  type Part,
  pin,
  prune,
  pruneOf,
  restore,
  result,
  sessionHeader,
  summary,
  turnStart,
  user,
  type Writer,
} from './build'

export type Smallest = { header?: unknown; events: unknown[] }

/** Events of valid parts, and after them drafts that no rule was asked about. */
function then(parts: Part[], drafts: (writer: Writer) => unknown[]): Smallest {
  const writer = createWriter()
  for (const part of parts) part(writer)
  const from = writer.events.length
  const forged = drafts(writer).map((draft, index) => ({
    seq: from + index,
    time: EPOCH,
    ...(draft as EventDraft),
  }))
  return { events: [...writer.events, ...forged] }
}

/** Drafts of parts as they would be written here, refused or not. */
function draftsOf(...parts: Part[]): (writer: Writer) => EventDraft[] {
  return ({ log, events }) => {
    const caught: EventDraft[] = []
    const write = (...drafts: EventDraft[]) => {
      caught.push(...drafts)
      return []
    }
    for (const part of parts) part({ log, events, write })
    return caught
  }
}

const one = (event: object): Smallest => ({
  events: [{ ...build(user('a')).events[0]!, ...event }],
})
const ab = [user('a'), user('b')]
const abc = [...ab, user('c')]
const pair = [user('a'), call('x'), result('x'), user('b')]
const ended = (compactionId: string): EventDraft => ({
  type: 'compact/end',
  data: { compactionId, turn: null },
})
const started = (turn: number): EventDraft => ({ type: 'turn/start', data: { turn } })
const noted = { type: 'session/title', data: { title: 't', source: 'human' } }

/** For each log rule a log that breaks it and no other. */
export const SMALLEST: [rule: string, how: string, log: Smallest][] = [
  ['L1', 'a seq that is not its index', one({ seq: 1 })],
  ['L1', 'a header without an id', { header: { version: 1, createdAt: 0 }, events: [] }],
  ['L2', 'an unknown key', one({ note: 1 })],
  ['L2', 'a time that is no number', one({ time: 'now' })],
  ['L2', 'ignorable that is not true', one({ ignorable: false })],
  ['L2', 'a place on an event beside the surface', one({ ...noted, surfaceOp: 'append' })],
  ['L3', 'an unknown type', one({ type: 'todo/write', surfaceOp: undefined })],
  ['L3', 'data of another shape', one({ data: { id: 'm', content: 'text' } })],
  ['L3', 'an unknown member of data', one({ data: { ...build(user('a')).events[0]!.data, n: 1 } })],
  ['L5', 'a lone surrogate', then([], draftsOf(user('\ud83d')))],
  [
    'L5',
    'a value that is not JSON',
    then([], draftsOf(assistant([{ type: 'x', at: Number.NaN }]))),
  ],
  [
    'L5',
    'a negative zero, which JSON text loses',
    then([], draftsOf(assistant([{ type: 'x', at: -0 }]))),
  ],
  [
    'L6',
    'a newer version',
    { header: { ...sessionHeader(), version: 2, codec: 'new' }, events: [] },
  ],
  ['L9', 'a turn inside a turn', then([turnStart], () => [started(2)])],
  [
    'L9',
    'a turn that ends without having begun',
    then([], () => [{ type: 'turn/end', data: { turn: 1, reason: 'completed' } }]),
  ],
  [
    'L9',
    'a call started that is not open',
    then([header(), turnStart], () => [
      { type: 'tool/call', data: { turn: 1, step: 1, callId: 'x', name: 't', input: {} } },
    ]),
  ],
  [
    'L9',
    'a compaction in a turn that is not open',
    then(abc, (writer) =>
      draftsOf(bracket(0, 1))(writer).map((draft) => ({
        ...draft,
        data: { ...draft.data, turn: 5 },
      })),
    ),
  ],
  [
    'L9',
    'a compaction that ends in another turn than it began in',
    then([...abc, bracket(0, 1)], (writer) =>
      draftsOf(fail())(writer).map((draft) => ({ ...draft, data: { ...draft.data, turn: 5 } })),
    ),
  ],
  ['S1', 'a node without a place', one({ surfaceOp: undefined })],
  ['S1', 'a place nobody knows', one({ surfaceOp: ['append'] })],
  [
    'S1',
    'a restore that names two replacements',
    then(ab, () => [
      {
        type: 'surface/restore',
        data: { replacementSeq: 0 },
        surfaceOp: { op: 'restore', seq: 1 },
      },
    ]),
  ],
  [
    'S3',
    'a span that is not on the surface',
    then(ab, ({ log, events, write }) => {
      const [, replaced] = commitOf({ log, events, write }, [0])
      return [{ ...replaced, surfaceOp: { op: 'replace', start: 7, end: 0 } }]
    }),
  ],
  [
    'S4',
    'sources that miss a shadowed node',
    then(abc, (writer) => [{ ...commitOf(writer, [0, 1])[1], sourceEventSeqs: [1] }]),
  ],
  [
    'S5',
    'a result that changes more than its content',
    then(pair, (writer) => {
      const [named, rewritten] = pruneOf(writer, 2, 'p', 'manual')
      const data = { ...(rewritten!.data as object), isError: true }
      return [named, { ...rewritten, data }]
    }),
  ],
  ['S6', 'an orphan result', then(ab, draftsOf(result('x')))],
  [
    'S6',
    'a call left open behind a newer message',
    then([user('a'), call('x')], draftsOf(call('y'))),
  ],
  ['S6', 'a call id used again', then(pair, draftsOf(call('x')))],
  ['S7', 'a restore of what replaced nothing', then(ab, draftsOf(restore(0)))],
  [
    'S7',
    'a restored node replaced automatically',
    then([...abc, summary(0, 1), restore(5)], draftsOf(bracket(0, 1, { trigger: 'pressure' }))),
  ],
  [
    'Q1',
    'a step without a header',
    then([turnStart], () => [{ type: 'step/start', data: { turn: 1, step: 1 } }]),
  ],
  [
    'Q1',
    'a step while a call is unanswered',
    then([header(), turnStart, user('a'), call('x')], () => [
      { type: 'step/start', data: { turn: 1, step: 1 } },
    ]),
  ],
  [
    'Q1',
    'a message between a step and its reply',
    then([header(), turnStart, user('a')], () => [
      { type: 'step/start', data: { turn: 1, step: 1 } },
      ...build(user('b')).events.map(({ type, data }) => ({ type, data, surfaceOp: 'append' })),
    ]),
  ],
  [
    'X3',
    'a result replaced without its prune',
    then(pair, (writer) => pruneOf(writer, 2, 'p', 'manual').slice(1)),
  ],
  [
    'X3',
    'a prune without its replacement',
    then(pair, (writer) => pruneOf(writer, 2, 'p', 'manual').slice(0, 1)),
  ],
  [
    'C1',
    'a summary whose range and seqs disagree',
    then([...abc, bracket(0, 1)], (writer) => {
      const [named, ...rest] = commitOf(writer, [0, 1])
      const data = { ...(named!.data as object), shadowedRange: { start: 0, end: 0 } }
      return [{ ...named, data }, ...rest]
    }),
  ],
  [
    'C1',
    'a prune whose range and seqs disagree',
    then(pair, (writer) => {
      const [named, ...rest] = pruneOf(writer, 2, 'p', 'manual')
      const data = { ...(named!.data as object), shadowedRange: { start: 0, end: 77 } }
      return [{ ...named, data }, ...rest]
    }),
  ],
  [
    'C2',
    'a checkpoint of no compaction',
    then([], () => [
      {
        type: 'user/message',
        data: {
          id: 'm',
          content: [{ type: 'text', text: 'a' }],
          source: { kind: 'checkpoint', compactionId: 'c' },
        },
        surfaceOp: 'append',
      },
    ]),
  ],
  ['C2', 'a bracket inside a bracket', then([...abc, bracket(0, 1)], draftsOf(bracket(0, 1)))],
  ['C2', 'an end without a start', then([], () => [ended('c')])],
  [
    'C2',
    'an end without a summary',
    then([...abc, bracket(0, 1)], ({ log }) => [ended(log.state.bracket!.compactionId)]),
  ],
  [
    'C2',
    'a summary without its replacement',
    then([...abc, bracket(0, 1)], (writer) => commitOf(writer, [0, 1]).slice(0, 1)),
  ],
  ['C2', 'nodes replaced without a summary', then(abc, (writer) => [commitOf(writer, [0, 1])[1]])],
  ['C3', 'a range that parts a call from its result', then(pair, draftsOf(bracket(2, 2)))],
  ['C3', 'a range that holds the newest unit', then(ab, draftsOf(bracket(0, 1)))],
  ['C3', 'a range that holds a pinned node', then([...abc, pin(1)], draftsOf(bracket(0, 1)))],
  [
    'C4',
    'an automatic run over a changed surface',
    then([...abc, bracket(0, 1, { trigger: 'pressure' }), user('d')], (writer) =>
      commitOf(writer, [0, 1]),
    ),
  ],
  [
    'C4',
    'a step while a bracket is open',
    then([header(), ...abc, turnStart, bracket(1, 2)], () => [
      { type: 'step/start', data: { turn: 1, step: 1 } },
    ]),
  ],
  [
    'C16',
    'an end by draft without a draft',
    then([...abc, bracket(0, 1)], draftsOf(fail('drafted'))),
  ],
  [
    'C16',
    'a draft committed in other words, not called edited',
    then([...abc, bracket(0, 1), draft('as drafted')], (writer) => {
      const { log } = writer
      const data = { compactionId: 'c', turn: null, trigger: 'manual', range: { start: 0, end: 1 } }
      const start = { type: 'compact/start', data: { ...data, draftSeq: log.heads.length - 2 } }
      const parts = commitOf(writer, [0, 1], 'in other words').map((part) => {
        const { source, ...rest } = part.data as { source?: object }
        const own = source ? { source: { ...source, compactionId: 'c' } } : { compactionId: 'c' }
        return { ...part, data: { ...rest, ...own } }
      })
      return [start, ...parts]
    }),
  ],
  [
    'R2',
    'a session opened inside a turn',
    then([turnStart], () => [{ type: 'session/open', data: { writer: 'w', reason: 'resumed' } }]),
  ],
  [
    'K1',
    'a pin on no node',
    then([], () => [{ type: 'pin/set', data: { seqs: [3], pinned: true } }]),
  ],
  ['K1', 'a pinned result pruned', then([...pair, pin(1)], draftsOf(prune(2)))],
]
