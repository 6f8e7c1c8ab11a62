/**
 * Random histories. A history is a list of small random choices that are played against the log they
 * build, so every one is meaningful and shrinks to a shorter one.
 */

import fc from 'fast-check'
import type { EventDraft, EventHead, Seq, SessionEvent, SessionHeader, SurfaceOp } from '../event'
import { headOf } from '../head'
import { type Log, surfaceNodes } from '../log'
import { foldSurface } from '../surface'
import {
  all,
  assistant,
  type Built,
  bracket,
  call,
  commit,
  createWriter,
  draft,
  EPOCH,
  fail,
  finish,
  header,
  notice,
  type Part,
  pin,
  prune,
  restore,
  result,
  sessionHeader,
  start,
  stepEnd,
  stepStart,
  summary,
  title,
  turnEnd,
  turnStart,
  unpin,
  user,
  type Writer,
} from './build'

/** One choice: what to try, and two numbers that say with what. */
export type Choice = { act: string; a: number; b: number }

const at = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length]

/** The acts a writer may try, each from two random numbers; a refused one leaves no trace. */
const ACTS: Record<string, (log: Log, a: number, b: number) => Part> = {
  user: (_, a) => user('u'.repeat(a % 40)),
  notice: (_, a) => notice('n'.repeat(1 + (a % 9))),
  assistant: (_, a) => assistant('s'.repeat(a % 90)),
  call: (log, a) =>
    call(...Array.from({ length: 1 + (a % 3) }, (_, index) => `k${log.heads.length}-${index}`)),
  reuse: (log, a) =>
    call(
      at(
        log.heads.flatMap((head) => head.calls ?? []),
        a,
      ) ?? 'k',
    ),
  start: (log, a) => start(at(log.state.openCalls, a)?.callId ?? 'none'),
  answer: (log, a, b) =>
    result(at(log.state.openCalls, a)?.callId ?? 'none', 'r'.repeat(b), b % 5 === 0),
  answerAll: (log) => all(...log.state.openCalls.map(({ callId }) => result(callId))),
  step: (log, a) => {
    const ids = Array.from({ length: a % 3 }, (_, index) => `k${log.heads.length}-${index}`)
    const reply = ids.length > 0 ? call(...ids) : assistant('done')
    return all(stepStart, reply, ...ids.map(start), ...ids.map((id) => result(id)), stepEnd)
  },
  title: (_, a) => title(`t${a}`),
  header: (_, a) => header({ system: 'x'.repeat(a) }),
  turnStart: () => turnStart,
  turnEnd: () => turnEnd(),
  stepStart: () => stepStart,
  stepEnd: () => stepEnd,
  summary(log, a, b) {
    const nodes = surfaceNodes(log)
    const from = a % 3 === 0 ? 0 : a % Math.max(1, nodes.length)
    const trigger = b % 2 === 0 ? 'manual' : 'pressure'
    return summary(nodes[from] ?? 0, nodes[from + (b % 7)] ?? 0, { trigger })
  },
  bracket(log, a, b) {
    const nodes = surfaceNodes(log)
    const from = a % Math.max(1, nodes.length)
    return bracket(nodes[from] ?? 0, nodes[from + (b % 7)] ?? 0)
  },
  commit: () => commit(),
  fail: () => fail(),
  draft: () => draft(),
  prune(log, a, b) {
    const results = surfaceNodes(log).filter((seq) => log.heads[seq]?.type === 'tool/result')
    return prune(at(results, a) ?? 0, 'p'.repeat(b % 9), b % 3 === 0 ? 'micro' : 'manual')
  },
  restore(log, a) {
    const replaced = surfaceNodes(log).filter((seq) => log.history.shadowsOf(seq).length > 0)
    return restore(at(replaced, a) ?? 0)
  },
  pin: (log, a) => pin(at(surfaceNodes(log), a) ?? 0),
  unpin: (log, a) => unpin(at([...log.state.pins, ...log.state.restored], a) ?? 0),
}

const choice = (acts: readonly string[]): fc.Arbitrary<Choice> =>
  fc.record({ act: fc.constantFrom(...acts), a: fc.nat(60), b: fc.nat(60) })

/** Tries one choice; says whether it was accepted. */
export function tryChoice(writer: Writer, { act, a, b }: Choice): boolean {
  const before = writer.events.length
  try {
    ACTS[act]!(writer.log, a, b)(writer)
  } catch {
    // The first part of an act may stand where a later one was refused: a bracket left open.
  }
  return writer.events.length > before
}

/** Acts that make the histories interesting more often than chance would. */
const OFTEN = [
  'user',
  'call',
  'answer',
  'answer',
  'assistant',
  'summary',
  'prune',
  'restore',
  'fail',
]
export const choices = (maxLength = 60): fc.Arbitrary<Choice[]> =>
  fc.array(choice([...Object.keys(ACTS), ...OFTEN]), { maxLength, size: 'max' })

/** A valid log, built through `planAppend`. */
export const arbitraryLog = (
  maxLength = 60,
  session: SessionHeader = sessionHeader(),
): fc.Arbitrary<Built> =>
  choices(maxLength).map((list) => {
    const writer = createWriter(session)
    header()(writer)
    for (const one of list) tryChoice(writer, one)
    return finish(writer)
  })

type Said = 'user/message' | 'assistant/message' | 'tool/result'

function surfaceDraft(type: Said, seq: Seq, callIds: string[], surfaceOp: SurfaceOp): EventDraft {
  const content = [{ type: 'text', text: `${type} ${seq}` }]
  const id = `m-${seq}`
  switch (type) {
    case 'user/message':
      return { type, data: { id, content, source: { kind: 'human' } }, surfaceOp }
    case 'assistant/message': {
      const uses = callIds.map((callId) => ({ type: 'tool_use', id: callId, name: 't', input: {} }))
      return { type, data: { id, content: [...content, ...uses] }, surfaceOp }
    }
    case 'tool/result':
      return {
        type,
        data: { id: 'r', callId: callIds[0] ?? 'k0', content, isError: false },
        surfaceOp,
      }
  }
}

/** What a choice adds to a history that folds; pairing is not asked (S6). */
function looseDraft(
  events: readonly SessionEvent[],
  heads: readonly EventHead[],
  { act, a, b }: Choice,
): EventDraft {
  const seq = events.length
  const fold = foldSurface(heads)
  const nodes = fold.ok ? fold.value.nodes : []
  const replaced = fold.ok ? fold.value.replacements.filter((one) => nodes.includes(one.seq)) : []
  const ids = [`k${a % 6}`, `k${b % 6}`].slice(0, 1 + (b % 2))
  const undone = at(replaced, a)
  if (act === 'restore' && undone) {
    const op = { op: 'restore' as const, seq: undone.seq }
    return { type: 'surface/restore', data: { replacementSeq: undone.seq }, surfaceOp: op }
  }
  if (act === 'replace' && nodes.length > 0) {
    const from = a % nodes.length
    const shadowed = nodes.slice(from, from + 1 + (b % 5))
    const range = { start: shadowed[0] ?? 0, end: shadowed.at(-1) ?? 0 }
    const only = events[range.start]
    const isResult = shadowed.length === 1 && only?.type === 'tool/result'
    const type = isResult && b % 2 === 0 ? 'tool/result' : 'user/message'
    const draft = surfaceDraft(type, seq, ids, { op: 'replace', ...range })
    const data = type === 'tool/result' ? { ...only?.data, content: [] } : draft.data
    return { ...draft, data, sourceEventSeqs: shadowed } as EventDraft
  }
  if (act === 'quiet') return { type: 'session/title', data: { title: 't', source: 'human' } }
  const type = (['user/message', 'assistant/message', 'tool/result'] as const)[a % 3]!
  return surfaceDraft(type, seq, ids, 'append')
}

const LOOSE = ['append', 'append', 'append', 'replace', 'replace', 'restore', 'quiet']

/** A history whose surface folds; its pairs need not be sound and no bracket is asked for. */
export const arbitraryFoldable = (maxLength = 40): fc.Arbitrary<SessionEvent[]> =>
  fc.array(choice(LOOSE), { maxLength, size: 'max' }).map(playLoose)

/** A long history that mostly grows, so that many nodes are appended between its few replacements. */
export const arbitraryGrowth = (): fc.Arbitrary<SessionEvent[]> =>
  fc
    .array(choice([...LOOSE, ...new Array<string>(200).fill('append')]), {
      minLength: 300,
      maxLength: 500,
      size: 'max',
    })
    .map(playLoose)

function playLoose(list: readonly Choice[]): SessionEvent[] {
  const events: SessionEvent[] = []
  const heads: EventHead[] = []
  for (const one of list) {
    const seq = events.length
    events.push({ seq, time: EPOCH + seq, ...looseDraft(events, heads, one) } as SessionEvent)
    heads.push(headOf(events[seq]!))
  }
  return events
}

type Damage = (event: Record<string, unknown>, other: number) => unknown[]

/** Ways to damage one event: what stands in its place. */
const DAMAGES: Record<string, Damage> = {
  drop: () => [],
  twice: (event) => [event, event],
  wrongSeq: (event, other) => [{ ...event, seq: Number(event.seq) + 1 + other }],
  noOp: ({ surfaceOp: _, ...event }) => [event],
  otherOp: (event, other) => [
    { ...event, surfaceOp: { op: 'replace', start: other, end: Number(event.seq) - 1 } },
  ],
  swappedEnds: (event) => {
    const { start, end } = (event.surfaceOp ?? {}) as { start?: Seq; end?: Seq }
    return [{ ...event, surfaceOp: { op: 'replace', start: end ?? 0, end: start ?? 0 } }]
  },
  otherCall: (event, other) => [
    { ...event, data: { ...(event.data as object), callId: `k${other}` } },
  ],
  restoreOp: (event, other) => [{ ...event, surfaceOp: { op: 'restore', seq: other } }],
  badOp: (event) => [{ ...event, surfaceOp: ['append'] }],
  noSources: ({ sourceEventSeqs: _, ...event }) => [event],
  emptySources: (event) => [{ ...event, sourceEventSeqs: [] }],
  laterSources: (event, other) => [{ ...event, sourceEventSeqs: [Number(event.seq) + other] }],
  doubleSources: (event) => [{ ...event, sourceEventSeqs: [0, 0] }],
  strangeKey: (event) => [{ ...event, note: 1 }],
  strangeType: (event) => [{ ...event, type: 'todo/write' }],
  noData: (event) => [{ ...event, data: null }],
}

export type Damaged = { kind: string; at: number; before: SessionEvent[]; events: unknown[] }

/** A foldable history with one event damaged. It may still be a good one: `kind` says what was tried. */
export const arbitraryDamaged = (maxLength = 30): fc.Arbitrary<Damaged> =>
  fc
    .record({
      before: arbitraryFoldable(maxLength).filter((events) => events.length > 0),
      kind: fc.constantFrom(...Object.keys(DAMAGES)),
      place: fc.nat(),
      other: fc.nat(20),
    })
    .map(({ before, kind, place, other }) => {
      const index = place % before.length
      const put = DAMAGES[kind]!({ ...before[index] }, other)
      return { kind, at: index, before, events: before.toSpliced(index, 1, ...(put as never[])) }
    })
