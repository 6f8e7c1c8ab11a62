import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventHead, Seq } from '../event'
import { arbitraryFoldable, arbitraryLog } from '../testing/arbitrary'
import {
  assistant,
  bracket,
  build,
  call,
  commit,
  draft,
  fail,
  header,
  headsOf,
  notice,
  type Part,
  pin,
  prune,
  pruneOf,
  raw,
  restore,
  result,
  start,
  step,
  stepEnd,
  stepStart,
  summary,
  title,
  turn,
  turnStart,
  user,
} from '../testing/build'
import { entriesOf, put } from './list'
import {
  emptyTranscript,
  extendTranscript,
  stepTranscript,
  transcriptLength,
  type ViewNode,
  viewNodeAt,
  viewNodes,
} from './transcript'

const view = (...parts: Part[]): ViewNode[] =>
  viewNodes(extendTranscript(emptyTranscript(), build(...parts).heads))
const kinds = (nodes: ViewNode[]) => nodes.map((node) => node.kind)

describe('the transcript', () => {
  it('shows turns, messages, failures and notices in log order', () => {
    const failed = raw({
      type: 'request/failed',
      data: { turn: 1, step: 1, attempt: 1, error: { code: 'overloaded', message: 'later' } },
    })
    const nodes = view(
      header(),
      title('t'),
      turn(user('go'), step(failed, assistant('done'))),
      notice('by the way'),
    )
    expect(nodes).toMatchObject([
      { kind: 'turn', seq: 2, turn: 1, endSeq: 8, reason: 'completed' },
      { kind: 'user', seq: 3 },
      { kind: 'failure', seq: 5, turn: 1, step: 1, code: 'overloaded' },
      { kind: 'assistant', seq: 6, turn: 1, step: 1, interrupted: false, calls: [] },
      { kind: 'notice', seq: 9 },
    ])
  })
  it('an open turn has no end', () => {
    expect(view(turnStart, user('go'))[0]).toMatchObject({ kind: 'turn', endSeq: null })
  })
  it('joins calls to their results by id, in whatever order these come', () => {
    const nodes = view(
      header(),
      turnStart,
      user('go'),
      stepStart,
      call('a', 'b'),
      start('b'),
      result('b', 'no', true),
      result('a'),
      stepEnd,
    )
    expect(kinds(nodes)).toEqual(['turn', 'user', 'assistant'])
    expect(nodes[2]).toMatchObject({
      calls: [
        { callId: 'a', name: 'read_file', callSeq: null, resultSeq: 7, failed: false },
        { callId: 'b', name: 'read_file', callSeq: 5, resultSeq: 6, failed: true },
      ],
    })
  })
  it('keeps a result whose call is not there', () => {
    const [, lone] = headsOf(build(call('a'), result('a')).events)
    const nodes = viewNodes(extendTranscript(emptyTranscript(), [{ ...lone!, seq: 0 }]))
    expect(nodes).toEqual([{ kind: 'result', seq: 0, callId: 'a', failed: false }])
  })
  it('marks an interrupted reply', () => {
    const [node] = view(assistant('so', { interrupted: true }))
    expect(node).toMatchObject({ kind: 'assistant', interrupted: true })
  })

  const base = [user('a'), assistant('b'), user('c')]
  const cardOf = (...parts: Part[]) => {
    const nodes = view(...base, ...parts).filter((node) => node.kind === 'compaction')
    expect(nodes).toHaveLength(1)
    return nodes[0]!
  }
  it('makes one card of a compaction, and no line less of what it shadows', () => {
    const nodes = view(
      ...base,
      bracket(0, 1, { id: 'k', trigger: 'pressure' }),
      title('t'),
      commit(),
    )
    expect(kinds(nodes)).toEqual(['user', 'assistant', 'user', 'compaction'])
    expect(nodes[3]).toEqual({
      kind: 'compaction',
      seq: 3,
      compactionId: 'k',
      status: 'done',
      trigger: 'pressure',
      turn: null,
      range: { start: 0, end: 1 },
      code: null,
      startSeq: 3,
      windowSeqs: [],
      draftSeq: null,
      summarySeq: 5,
      checkpointSeq: 6,
      endSeq: 7,
      shadowedSeqs: [0, 1],
    })
  })
  it('a card tells how its bracket ended', () => {
    expect(cardOf(bracket(0, 1)).status).toBe('running')
    expect(cardOf(bracket(0, 1), fail('cancelled')).status).toBe('cancelled')
    expect(cardOf(bracket(0, 1), fail('interrupted')).status).toBe('interrupted')
    expect(cardOf(bracket(0, 1), fail('summary'))).toMatchObject({
      status: 'failed',
      code: 'summary',
      endSeq: 4,
    })
    expect(cardOf(bracket(0, 1), draft())).toMatchObject({ status: 'drafted', draftSeq: 4 })
  })
  it('a card gathers the windows of a span too large for one call', () => {
    const window = (index: number) =>
      raw({
        type: 'compact/window',
        data: {
          compactionId: 'k',
          index,
          range: { start: 0, end: 1 },
          summary: 's',
          ms: 1,
        },
      })
    const card = cardOf(bracket(0, 1, { id: 'k' }), window(0), window(1), commit())
    expect(card.windowSeqs).toEqual([4, 5])
  })
  it('what is said while a compaction runs stands behind its card', () => {
    const nodes = view(...base, bracket(0, 1), user('meanwhile'), commit())
    expect(kinds(nodes).slice(3)).toEqual(['compaction', 'user'])
    expect(nodes[3]).toMatchObject({ status: 'done' })
  })
  it('a checkpoint without a bracket, from elsewhere, is a card of its own', () => {
    const { heads } = build(...base, summary(0, 1, { id: 'k' }))
    const bare = heads
      .filter((head) => !head.type.startsWith('compact/'))
      .map((head, seq) => ({ ...head, seq }))
    const card = viewNodes(extendTranscript(emptyTranscript(), bare)).at(-1)
    expect(card).toMatchObject({
      kind: 'compaction',
      status: 'done',
      startSeq: null,
      checkpointSeq: 3,
    })
  })
  const reads = [user('go'), call('a', 'b'), result('a'), result('b'), user('more')]
  it('a pass over results is one batch, by cause', () => {
    const one = view(...reads, prune(2, 'x', 'micro'), prune(3, 'x', 'micro'))
    expect(one.at(-1)).toEqual({
      kind: 'prune',
      seq: 5,
      cause: 'micro',
      replaced: [
        { originalSeq: 2, replacementSeq: 6 },
        { originalSeq: 3, replacementSeq: 8 },
      ],
    })
    const two = view(...reads, prune(2, 'x', 'micro'), prune(3, 'x', 'pressure'))
    expect(kinds(two).slice(-2)).toEqual(['prune', 'prune'])
    const apart = view(...reads, prune(2, 'x', 'micro'), title('t'), prune(3, 'x', 'micro'))
    expect(kinds(apart).slice(-2)).toEqual(['prune', 'prune'])
  })
  it('a pass written as one transaction is one batch too', () => {
    const pass: Part = (writer) => {
      writer.write(...pruneOf(writer, 2, 'x', 'manual'), ...pruneOf(writer, 3, 'x', 'manual'))
    }
    expect(view(...reads, pass).at(-1)).toMatchObject({ replaced: [{}, {}] })
  })
  it('shows a restore', () => {
    const nodes = view(...reads, prune(2, 'x', 'micro'), restore(6))
    expect(nodes.at(-1)).toEqual({ kind: 'restore', seq: 7, replacementSeq: 6 })
  })

  it('[L7] is the same reference after an event of no interest', () => {
    const { heads } = build(header(), turn(user('go'), step(assistant('b'))), title('t'), pin(2))
    const t = extendTranscript(emptyTranscript(), heads.slice(0, -2))
    expect(stepTranscript(t, heads.at(-2)!)).toBe(t)
    expect(stepTranscript(t, heads.at(-1)!)).toBe(t)
    expect(extendTranscript(t, heads)).toBe(t)
    expect(extendTranscript(extendTranscript(t, heads), heads)).toBe(t)
  })
  it('begins anew for a shorter log', () => {
    const t = extendTranscript(emptyTranscript(), build(...base).heads)
    const other = build(user('x')).heads
    expect(viewNodes(extendTranscript(t, other))).toEqual([{ kind: 'user', seq: 0 }])
  })

  const logs = fc.oneof(
    arbitraryLog().map(({ heads }) => heads),
    arbitraryFoldable().map(headsOf),
  )
  it('[L7] extended in any pieces it is the transcript from zero, and what it was stays', () => {
    fc.assert(
      fc.property(logs, fc.array(fc.nat()), (heads, cuts) => {
        const whole = viewNodes(extendTranscript(emptyTranscript(), heads))
        const stops = cuts.map((cut) => cut % (heads.length + 1)).sort((a, b) => a - b)
        let t = emptyTranscript()
        const seen = stops.map((stop) => {
          t = extendTranscript(t, heads.slice(0, stop))
          return { t, stop }
        })
        expect(viewNodes(extendTranscript(t, heads))).toEqual(whole)
        for (const { t: then, stop } of seen) {
          const fresh = extendTranscript(emptyTranscript(), heads.slice(0, stop))
          expect(viewNodes(then)).toEqual(viewNodes(fresh))
        }
      }),
    )
  }, 20_000)
  it('[S10] shows every message ever appended exactly once, in log order', () => {
    fc.assert(
      fc.property(logs, (heads) => {
        const nodes = viewNodes(extendTranscript(emptyTranscript(), heads))
        expect(nodes.map((node) => node.seq)).toEqual(
          nodes.map((node) => node.seq).sort((a, b) => a - b),
        )
        expect(shown(nodes).sort((a, b) => a - b)).toEqual(surfaceSeqs(heads))
      }),
    )
  }, 20_000)
  const surfaceSeqs = (heads: readonly EventHead[]): Seq[] =>
    heads.filter((head) => head.op && head.type !== 'surface/restore').map((head) => head.seq)
  const shown = (nodes: ViewNode[]): Seq[] =>
    nodes.flatMap((node) => {
      switch (node.kind) {
        case 'user':
        case 'notice':
        case 'result':
          return [node.seq]
        case 'assistant':
          return [node.seq, ...node.calls.flatMap((one) => one.resultSeq ?? [])]
        case 'compaction':
          return node.checkpointSeq === null ? [] : [node.checkpointSeq]
        case 'prune':
          return node.replaced.map((one) => one.replacementSeq)
        default:
          return []
      }
    })

  it('reads nodes one by one across its chunks', () => {
    const { heads } = build(...Array.from({ length: 300 }, (_, n) => user(`m${n}`)))
    const t = extendTranscript(emptyTranscript(), heads)
    expect(transcriptLength(t)).toBe(300)
    expect([0, 127, 128, 299].map((index) => viewNodeAt(t, index)?.seq)).toEqual([0, 127, 128, 299])
    expect(viewNodeAt(t, 300)).toBeUndefined()
    const changed = put(t.nodes, 128, { kind: 'notice', seq: 128 })
    expect(entriesOf(changed)[128]).toEqual({ kind: 'notice', seq: 128 })
    expect(viewNodeAt(t, 128)?.kind).toBe('user')
  })
})
