import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventHead, Seq, SessionEvent } from './event'
import { headOf } from './head'
import { createHistory, growHistory, type History } from './history'
import { bytesOf, type Fold, foldSurface, mediaOf, nodeAt, nodesOf, positionOf } from './surface'
import {
  arbitraryDamaged,
  arbitraryFoldable,
  arbitraryGrowth,
  arbitraryLog,
} from './testing/arbitrary'
import { build, pruneOf, restore, summary, user } from './testing/build'

/** Milliseconds that thorough tests may take where other work shares the machine. */
const SLOW = 60_000

const foldOf = (heads: readonly EventHead[]): Fold => {
  const fold = foldSurface(heads)
  if (!fold.ok) throw new Error(fold.error.message)
  return fold.value
}

const sum = (heads: readonly EventHead[], seqs: readonly Seq[], of: 'tokens' | 'bytes' | 'media') =>
  seqs.reduce((total, seq) => total + heads[seq]![of], 0)

/** The links at a moment, read off the plain fold of the prefix: the last word on every node. */
function linksOf({ replacements, restores }: Fold) {
  const undone = new Set(restores.map((restored) => restored.replacementSeq))
  const by = new Map<Seq, Seq>()
  const shadows = new Map<Seq, readonly Seq[]>()
  for (const { seq, shadowedSeqs } of replacements) {
    if (undone.has(seq)) continue
    shadows.set(seq, shadowedSeqs)
    for (const shadowed of shadowedSeqs) by.set(shadowed, seq)
  }
  return { by, shadows }
}

/** All a history says about the moment after `seq`, and the same from the fold of that prefix. */
function bothAt(history: History, heads: readonly EventHead[], seq: Seq) {
  const fold = foldOf(heads.slice(0, seq + 1))
  const { by, shadows } = linksOf(fold)
  const surface = history.surfaceAt(seq)
  const { nodes } = fold
  const ours = {
    nodes: nodesOf(surface),
    some: nodesOf(surface, 1, 3),
    each: nodes.map((_, position) => nodeAt(surface, position)),
    positions: heads.map((head) => positionOf(surface, head.seq)),
    size: history.sizeAt(seq),
    weights: [history.tokensAt(seq), bytesOf(surface), mediaOf(surface)],
    replacedBy: heads.map((head) => history.replacementOf(head.seq, seq)),
    shadows: heads.map((head) => history.shadowedBy(head.seq, seq)),
  }
  const truth = {
    nodes,
    some: nodes.slice(1, 3),
    each: nodes,
    positions: heads.map((head) => nodes.indexOf(head.seq)),
    size: nodes.length,
    weights: (['tokens', 'bytes', 'media'] as const).map((of) => sum(heads, nodes, of)),
    replacedBy: heads.map((head) => by.get(head.seq) ?? null),
    shadows: heads.map((head) => shadows.get(head.seq) ?? []),
  }
  return { ours, truth }
}

function expectAgreement(history: History, heads: readonly EventHead[]): void {
  for (let seq = -1; seq < heads.length; seq++) {
    const { ours, truth } = bothAt(history, heads, seq)
    expect(ours).toEqual(truth)
  }
  const { replacements } = foldOf(heads)
  expect(replacements.map(({ seq }) => history.shadowsOf(seq))).toEqual(
    replacements.map(({ shadowedSeqs }) => shadowedSeqs),
  )
}

describe('a history', () => {
  it(
    '[S8][L7] agrees with the fold from zero at every seq of any history that folds',
    () => {
      fc.assert(
        fc.property(arbitraryFoldable(), (events) => {
          const heads = events.map(headOf)
          const history = createHistory(heads)
          expect(history.failure).toBeNull()
          expectAgreement(history, heads)
        }),
        { numRuns: 80 },
      )
    },
    SLOW,
  )

  it(
    '[S8] agrees with it on valid logs, where brackets, prunes and restores follow their rules',
    () => {
      fc.assert(
        fc.property(arbitraryLog(), ({ heads }) => {
          expectAgreement(createHistory(heads), heads)
        }),
        { numRuns: 40 },
      )
    },
    SLOW,
  )

  it(
    '[S8] agrees with it over histories of many tails, at moments taken at random',
    () => {
      fc.assert(
        fc.property(arbitraryGrowth(), fc.infiniteStream(fc.nat()), (events, picks) => {
          const heads = events.map(headOf)
          const history = createHistory(heads)
          for (const pick of [...picks.take(6)]) {
            const { ours, truth } = bothAt(history, heads, pick % heads.length)
            expect(ours).toEqual(truth)
          }
        }),
        { numRuns: 10 },
      )
    },
    SLOW,
  )

  it(
    '[S8] agrees with it whatever was asked for while it grew, and wherever versions are made from nothing',
    () => {
      const asks = fc.array(fc.option(fc.nat()), { minLength: 1, maxLength: 40 })
      fc.assert(
        fc.property(
          arbitraryFoldable(),
          fc.integer({ min: 1, max: 4 }),
          asks,
          (events, stride, picks) => {
            const heads = events.map(headOf)
            const history = growHistory(stride)
            const pickAt = (at: number) => picks[at % picks.length] ?? null
            for (const head of heads) {
              history.push(head)
              const pick = pickAt(head.seq)
              if (pick !== null) history.surfaceAt(pick % (head.seq + 2))
            }
            for (let at = 0; at < 8; at += 1) {
              const { ours, truth } = bothAt(history, heads, (pickAt(at) ?? at * 7) % heads.length)
              expect(ours).toEqual(truth)
            }
          },
        ),
        { numRuns: 200 },
      )
    },
    SLOW,
  )

  it(
    '[S8] stops where the fold from zero refuses a damaged log, for the same rule',
    () => {
      fc.assert(
        fc.property(arbitraryDamaged(), ({ events }) => {
          const heads = (events as SessionEvent[]).filter((event) => event.data).map(headOf)
          const fold = foldSurface(heads)
          const { failure } = createHistory(heads)
          expect(failure?.rule ?? null).toBe(fold.ok ? null : fold.error.rule)
          expect(failure?.seq ?? null).toBe(fold.ok ? null : fold.error.seq)
        }),
        { numRuns: 300 },
      )
    },
    SLOW,
  )

  it('[S8] keeps the surface of the prefix after a head that does not fold', () => {
    const { heads } = build(user('a'), user('b'))
    const history = createHistory([...heads, { ...heads[1]!, seq: 7 }])
    expect(history.failure).toMatchObject({ rule: 'L1', seq: 2 })
    expect(nodesOf(history.surfaceAt(99))).toEqual([0, 1])
  })

  it('[S7][S8] follows a node through three layers and back', () => {
    // 0–3 users, 4–7 a summary over 1–2 (node 6), 8–11 over it and 3 (node 10), 12 and 13 users.
    const { log, nodes } = build(
      ...['a', 'b', 'c', 'd'].map((text) => user(text)),
      user('e'),
      summary(1, 2),
      summary(7, 3),
      user('f'),
      restore(11),
      restore(7),
    )
    const { history } = log
    expect(nodes).toEqual([0, 1, 2, 3, 4, 13])
    expect(nodesOf(history.surfaceAt(8))).toEqual([0, 7, 3, 4])
    expect(nodesOf(history.surfaceAt(13))).toEqual([0, 11, 4, 13])
    expect(nodesOf(history.surfaceAt(14))).toEqual([0, 7, 3, 4, 13])
    expect(history.replacementOf(1, 13)).toBe(7)
    expect(history.replacementOf(7, 13)).toBe(11)
    expect(history.replacementOf(7, 14)).toBeNull()
    expect(history.replacementOf(1, 14)).toBe(7)
    expect(history.shadowedBy(7, 15)).toEqual([])
    expect(history.shadowsOf(7)).toEqual([1, 2])
  })

  it('[S8] answers about moments between versions without taking later nodes', () => {
    const users = Array.from({ length: 200 }, (_, index) => user(`${index}`))
    const { log } = build(...users)
    for (const seq of [0, 62, 63, 64, 65, 127, 128, 150, 199]) {
      expect(nodesOf(log.history.surfaceAt(seq))).toEqual(
        log.heads.slice(0, seq + 1).map((h) => h.seq),
      )
    }
  })

  it('[S8] gives surfaces that later events leave as they are', () => {
    const { log } = build(user('a'), user('b'), user('c'))
    const before = log.history.surfaceAt(2)
    const built = build(user('a'), user('b'), user('c'), summary(0, 1))
    expect(nodesOf(before)).toEqual([0, 1, 2])
    expect(nodesOf(built.log.history.surfaceAt(2))).toEqual([0, 1, 2])
  })

  it('[S10] loses nothing: every node is on the surface or named by a replacement or restore', () => {
    fc.assert(
      fc.property(arbitraryLog(), ({ heads }) => {
        const { nodes, replacements, restores } = foldOf(heads)
        const named = new Set([
          ...nodes,
          ...replacements.flatMap((replacement) => replacement.shadowedSeqs),
          ...restores.map((restored) => restored.replacementSeq),
        ])
        const joined = heads.filter((head) => head.op && head.type !== 'surface/restore')
        expect(joined.filter((head) => !named.has(head.seq))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it(
    '[S8][L8] folds 100,000 heads with 2,000 replacements and finds any moment at once',
    () => {
      const heads: EventHead[] = []
      const nodes: Seq[] = []
      for (let seq = 0; seq < 100_000; seq++) {
        const node = {
          seq,
          time: seq,
          type: 'user/message' as const,
          tokens: 1,
          bytes: 1,
          media: 0,
        }
        if (seq % 50 < 49 || nodes.length < 60) {
          heads.push({ ...node, op: 'append' })
          nodes.push(seq)
          continue
        }
        const from = (seq * 7919) % (nodes.length - 12)
        const sources = nodes.slice(from, from + 10)
        heads.push({
          ...node,
          op: { op: 'replace', start: sources[0]!, end: sources[9]! },
          sources,
        })
        nodes.splice(from, 10, seq)
      }
      const history = createHistory(heads)
      expect(nodesOf(history.surfaceAt(100_000))).toEqual(nodes)
      const timed = (work: () => void): number => {
        const began = performance.now()
        work()
        return performance.now() - began
      }
      let total = 0
      const refold = timed(() => foldSurface(heads))
      const seek = timed(() => {
        for (let i = 0; i < 1000; i++) total += history.tokensAt((i * 7919) % 100_000)
      })
      expect(total).toBeGreaterThan(0)
      // A thousand seeks take a tenth of one fold from zero; a seek that folds takes a thousand times it.
      expect(seek).toBeLessThan(refold * 20)
    },
    SLOW,
  )
})

it('[S5] a pruned result can be pruned again and taken back layer by layer', () => {
  const { log, nodes } = build(
    user('a'),
    (writer) => {
      writer.write({
        type: 'assistant/message',
        data: { id: 'm', content: [{ type: 'tool_use', id: 'x', name: 't', input: {} }] },
        surfaceOp: 'append',
      })
      writer.write({
        type: 'tool/result',
        data: { id: 'r', callId: 'x', content: [{ type: 'text', text: 'long' }], isError: false },
        surfaceOp: 'append',
      })
      writer.write(...pruneOf(writer, 2, 'short', 'manual'))
      writer.write(...pruneOf(writer, 4, '', 'manual'))
    },
    restore(6),
  )
  expect(nodes).toEqual([0, 1, 4])
  expect(log.history.replacementOf(2, 7)).toBe(4)
})
