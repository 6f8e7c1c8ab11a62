import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { EventHead, Seq } from '../event'
import { createHistory } from '../history'
import { playActs, type Structure, structures } from '../testing/structure'
import { attemptsAt, createStrata, extendStrata, nodeKind, pinsAt, restoredAt } from './strata'
import {
  depthOf,
  firstInRow,
  hitStrata,
  layoutStrata,
  neighbour,
  type StrataLayout,
} from './strata-layout'

const layoutOf = (log: Structure, at: Seq, measure: 'tokens' | 'count' = 'tokens') =>
  layoutStrata(extendStrata(createStrata(), log.heads), createHistory(log.heads), at, measure)

/** A log, a moment in it and the layout of that moment. */
const moments = fc
  .tuple(structures, fc.nat(), fc.constantFrom('tokens' as const, 'count' as const))
  .filter(([log]) => log.heads.length > 0)
  .map(([log, pick, measure]) => {
    const at = pick % log.heads.length
    return { log, at, layout: layoutOf(log, at, measure) }
  })

const holds = (check: (m: { log: Structure; at: Seq; layout: StrataLayout }) => void) =>
  fc.assert(fc.property(moments, check), { numRuns: 300 })

const row = (layout: StrataLayout, depth: number): Seq[] =>
  Array.from(layout.seq.subarray(layout.rowStart[depth], layout.rowStart[depth + 1]))

it('[S8] the top row is the surface of that moment', () => {
  holds(({ log, at, layout }) => {
    expect(row(layout, 0)).toEqual(log.surfaces[at])
  })
})

it('[S10] every node ever on the surface appears exactly once, lifted-off replacements as ghosts', () => {
  holds(({ log, at, layout }) => {
    const ever = log.heads
      .filter((head) => head.seq <= at && head.op !== undefined && head.type !== 'surface/restore')
      .map((head) => head.seq)
    const shown = [...layout.seq, ...layout.ghosts.map((ghost) => ghost.seq)]
    expect(shown.sort((a, b) => a - b)).toEqual(ever)
  })
})

it('children lie exactly under their parent, from edge to edge, in surface order', () => {
  holds(({ layout }) => {
    for (let i = 0; i < layout.count; i += 1) {
      const from = layout.childStart[i]!
      const to = layout.childStart[i + 1]!
      if (from === to) continue
      expect(layout.left[from]).toBe(layout.left[i])
      expect(layout.right[to - 1]).toBe(layout.right[i])
      for (let j = from; j < to; j += 1) expect(layout.parent[j]).toBe(i)
    }
  })
})

it('no two nodes of a row overlap, and the top row has no holes', () => {
  holds(({ layout }) => {
    for (let depth = 0; depth < layout.rows; depth += 1)
      for (let i = layout.rowStart[depth]!; i < layout.rowStart[depth + 1]! - 1; i += 1) {
        if (depth === 0) expect(layout.right[i]).toBe(layout.left[i + 1])
        else expect(layout.right[i]!).toBeLessThanOrEqual(layout.left[i + 1]!)
        expect(layout.right[i]!).toBeGreaterThan(layout.left[i]!)
      }
    expect(layout.total).toBe(layout.count ? layout.right[layout.rowStart[1]! - 1] : 0)
  })
})

it('a node keeps its edges for good, whatever the moment', () => {
  fc.assert(
    fc.property(structures, fc.nat(), (log, pick) => {
      fc.pre(log.heads.length > 0)
      const early = layoutOf(log, pick % log.heads.length)
      const late = layoutOf(log, log.heads.length - 1)
      early.seq.forEach((seq, i) => {
        const j = late.indexBySeq[seq]!
        const ghost = late.ghosts.find((other) => other.seq === seq)
        expect(j >= 0 ? late.left[j] : ghost?.left).toBe(early.left[i])
        expect(j >= 0 ? late.right[j] : ghost?.right).toBe(early.right[i])
      })
    }),
  )
})

it('[L7] an index extended bit by bit equals one made at once', () => {
  fc.assert(
    fc.property(structures, fc.nat({ max: 20 }), (log, step) => {
      const grown = createStrata()
      for (let n = 0; n < log.heads.length; n += 1 + (step % 7))
        extendStrata(grown, log.heads.slice(0, n))
      extendStrata(grown, log.heads)
      const history = createHistory(log.heads)
      const at = log.heads.length - 1
      const whole = extendStrata(createStrata(), log.heads)
      expect(layoutStrata(grown, history, at)).toEqual(layoutStrata(whole, history, at))
    }),
  )
})

it('finds the node under any point in any row, and none where there is none', () => {
  fc.assert(
    fc.property(moments, fc.double({ min: 0, max: 1, noNaN: true }), ({ layout }, share) => {
      for (let depth = 0; depth < layout.rows; depth += 1) {
        const x = share * layout.total
        const found = hitStrata(layout, depth, x)
        const expected = row(layout, depth).findIndex((_, k) => {
          const i = layout.rowStart[depth]! + k
          return layout.left[i]! <= x && x < layout.right[i]!
        })
        expect(found).toBe(expected < 0 ? -1 : layout.rowStart[depth]! + expected)
        if (found >= 0) expect(depthOf(layout, found)).toBe(depth)
      }
      expect(hitStrata(layout, layout.rows, 0)).toBe(-1)
    }),
  )
})

it('walks to the parent and back to it from each of its children', () => {
  holds(({ layout }) => {
    for (let i = 0; i < layout.count; i += 1) {
      const child = neighbour(layout, i, 'child')
      if (child !== i) expect(neighbour(layout, child, 'parent')).toBe(i)
      const right = neighbour(layout, i, 'right')
      if (right !== i) expect(neighbour(layout, right, 'left')).toBe(i)
    }
  })
})

it('the first node in sight is found by its right edge', () => {
  holds(({ layout }) => {
    for (let depth = 0; depth < layout.rows; depth += 1) {
      const from = layout.rowStart[depth]!
      expect(firstInRow(layout, depth, -1)).toBe(from)
      expect(firstInRow(layout, depth, layout.total)).toBe(layout.rowStart[depth + 1])
    }
  })
})

// Acts of testing/structure.ts: 0 user, 5 result, 7 summary, 8 cancelled attempt, 9 prune, 10 restore, 11 pin.
const play = (...list: [act: number, a?: number, b?: number][]) =>
  playActs(list.map(([act, a = 0, b = 0]) => ({ act, a, b, tokens: 100 })))

it('[S7] a restored summary hangs as a bracket over what came back', () => {
  const log = play([0], [0], [7, 0, 1], [10])
  const layout = layoutOf(log, log.heads.length - 1)
  expect(row(layout, 0)).toEqual([0, 1])
  expect(layout.ghosts).toEqual([{ seq: 3, restoredAt: 5, left: 0, right: 200, depth: 0, lane: 0 }])
  expect([
    ...restoredAt(extendStrata(createStrata(), log.heads), createHistory(log.heads), 5),
  ]).toEqual([0, 1])
})

it('[S7] what came back and went under again takes the bracket down with it', () => {
  const log = play([0], [0], [7, 0, 1], [10], [7, 0, 1])
  const layout = layoutOf(log, log.heads.length - 1)
  expect(layout.rows).toBe(2)
  expect(layout.ghosts[0]).toMatchObject({ seq: 3, depth: 1 })
})

it('[S7] an unpin ends the exemption of a restored node', () => {
  const log = play([0], [0], [7, 0, 1], [10], [11, 1, 3])
  const index = extendStrata(createStrata(), log.heads)
  const history = createHistory(log.heads)
  expect([...restoredAt(index, history, 5)]).toEqual([0, 1])
  expect([...restoredAt(index, history, 6)]).toEqual([0])
})

it('[K1] pins hold from the moment they were set', () => {
  const log = play([0], [11, 0, 1], [0], [11, 0, 3])
  const index = extendStrata(createStrata(), log.heads)
  expect([...pinsAt(index, 0)]).toEqual([])
  expect([...pinsAt(index, 2)]).toEqual([0])
  expect([...pinsAt(index, 3)]).toEqual([])
})

it('[C5] an attempt runs until its end and then has failed', () => {
  const log = play([0], [8])
  const index = extendStrata(createStrata(), log.heads)
  expect(attemptsAt(index, 0)).toEqual({ running: null, failed: [] })
  expect(attemptsAt(index, 1).running).toMatchObject({ seq: 1, start: 0, end: 0 })
  expect(attemptsAt(index, 2)).toMatchObject({ running: null, failed: [{ code: 'cancelled' }] })
})

it('tells kinds apart by what the head says', () => {
  const kinds = play([0], [3], [5], [9], [7, 0, 2]).heads.filter((head) => head.op)
  expect(kinds.map(nodeKind)).toEqual(['user', 'assistant', 'result', 'pruned', 'summary'])
})

it('an empty log has an empty picture', () => {
  const layout = layoutOf({ heads: [], surfaces: [] }, -1)
  expect(layout).toMatchObject({ count: 0, rows: 0, total: 0, ghosts: [] })
})

it('a checkpoint is told apart whose span is not known exactly', () => {
  const head = (seq: Seq, more: Partial<EventHead>): EventHead => ({
    seq,
    time: 0,
    type: 'user/message',
    tokens: 5,
    bytes: 0,
    media: 0,
    ...more,
  })
  const replace = (seq: Seq, span: Seq, id: string): EventHead =>
    head(seq, {
      kind: 'checkpoint',
      compactionId: id,
      op: { op: 'replace', start: span, end: span },
      sources: [span],
    })
  const summary = (seq: Seq, id: string, kind?: string): EventHead =>
    head(seq, { type: 'compact/summary', tokens: 0, compactionId: id, ...(kind ? { kind } : {}) })
  const index = extendStrata(createStrata(), [
    head(0, { op: 'append', kind: 'human' }),
    summary(1, 'a', 'derived'),
    replace(2, 0, 'a'),
    summary(3, 'b'),
    replace(4, 2, 'b'),
  ])
  expect([...index.doubts]).toEqual([[2, 'derived']])
})
