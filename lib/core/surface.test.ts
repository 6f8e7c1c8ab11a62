import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventDraft, EventHead, Seq, SurfaceOp } from './event'
import {
  find,
  type Item,
  insertAll,
  itemOf,
  openBefore,
  rankOf,
  removeRange,
  slice,
  sumsOf,
  type Tree,
} from './radix'
import {
  applyChange,
  emptySurface,
  foldSurface,
  groundOf,
  nodesOf,
  planChange,
  type Surface,
} from './surface'
import {
  build,
  forge,
  headsOf,
  prune,
  pruneOf,
  restore,
  result,
  summary,
  use,
  user,
} from './testing/build'

/** Milliseconds that thorough tests may take where other work shares the machine. */
const SLOW = 60_000

const said = (
  id: string,
  surfaceOp: SurfaceOp = 'append',
  sourceEventSeqs?: Seq[],
): EventDraft => ({
  type: 'user/message',
  data: { id, content: [{ type: 'text', text: id }], source: { kind: 'human' } },
  surfaceOp,
  ...(sourceEventSeqs && { sourceEventSeqs }),
})

const replaced = (start: Seq, end: Seq, sources?: Seq[]) =>
  said('new', { op: 'replace', start, end }, sources)

const answered = (patch: object = {}, surfaceOp: SurfaceOp = 'append', sources?: Seq[]) =>
  ({
    type: 'tool/result',
    data: { id: 'r', callId: 'x', content: [], isError: false, ...patch },
    surfaceOp,
    ...(sources && { sourceEventSeqs: sources }),
  }) as EventDraft

/** Nodes of the plain fold, or the rule that refused. */
function fold(...drafts: object[]): Seq[] | string {
  const folded = foldSurface(headsOf(forge(...(drafts as EventDraft[]))))
  return folded.ok ? folded.value.nodes : folded.error.rule
}

describe('the fold', () => {
  const abc = [said('a'), said('b'), said('c')]

  it('[S2] puts an appended node at the tail', () => {
    expect(fold(...abc)).toEqual([0, 1, 2])
  })

  it('[S3] puts a replacement where the span it removes stood', () => {
    expect(fold(...abc, replaced(1, 2, [1, 2]))).toEqual([0, 3])
    expect(fold(...abc, replaced(0, 0, [0]))).toEqual([3, 1, 2])
  })

  it('[S3] reads a span by position: start may be the later event', () => {
    expect(fold(...abc, replaced(0, 0, [0]), replaced(3, 1, [1, 3]))).toEqual([4, 2])
  })

  it('[S3] refuses ends that are not on the surface or stand the wrong way round', () => {
    expect(fold(...abc, replaced(1, 1, [1]), replaced(1, 2, [1, 2]))).toBe('S3')
    expect(fold(...abc, replaced(0, 7, [0]))).toBe('S3')
    expect(fold(...abc, replaced(2, 1, [1, 2]))).toBe('S3')
  })

  it('[L1] refuses a seq that is not its index', () => {
    expect(fold(said('a'), { ...said('b'), seq: 5 })).toBe('L1')
  })

  it('[S1] refuses a node without a place and a place nobody knows', () => {
    expect(fold({ ...said('a'), surfaceOp: undefined })).toBe('S1')
    expect(fold({ ...said('a'), surfaceOp: 'prepend' })).toBe('S1')
    expect(
      fold(said('a'), { ...replaced(0, 0, [0]), surfaceOp: { op: 'replace', start: '0', end: 0 } }),
    ).toBe('S1')
    expect(fold({ type: 'surface/restore', data: { replacementSeq: 0 } })).toBe('S1')
  })

  it('[L2] refuses a place on an event that has none', () => {
    const title = { type: 'session/title', data: { title: 't', source: 'human' } }
    expect(fold({ ...title, surfaceOp: 'append' })).toBe('L2')
    expect(fold(said('a'), { ...title, sourceEventSeqs: [0] })).toBe('L2')
  })

  it('[S4] asks for sources that are earlier, unrepeated, and all that is shadowed', () => {
    expect(fold(...abc, replaced(0, 1, [2, 1, 0]))).toEqual([3, 2])
    expect(fold(...abc, replaced(0, 1))).toBe('S4')
    expect(fold(...abc, replaced(0, 1, [0]))).toBe('S4')
    expect(fold(said('a'), said('b', 'append', [1]))).toBe('S4')
    expect(fold(said('a'), said('b', 'append', [0, 0]))).toBe('S4')
    expect(fold(said('a'), said('b', 'append', []))).toBe('S4')
    const silent = { id: 'm', content: [] }
    expect(
      fold({ type: 'assistant/message', data: silent, surfaceOp: 'append', sourceEventSeqs: [] }),
    ).toEqual([0])
  })

  it('[S5] lets a result replace one result and change nothing but its content', () => {
    const one: SurfaceOp = { op: 'replace', start: 0, end: 0 }
    const short = { content: [{ type: 'text', text: 'short' }] }
    expect(fold(answered(), answered(short, one, [0]))).toEqual([1])
    expect(fold(answered(), answered({ ...short, isError: true }, one, [0]))).toBe('S5')
    expect(fold(answered(), answered({ ...short, id: 'other' }, one, [0]))).toBe('S5')
    expect(fold(answered(), answered({ ...short, durationMs: 1 }, one, [0]))).toBe('S5')
    expect(fold(said('a'), answered(short, one, [0]))).toBe('S5')
    const two: SurfaceOp = { op: 'replace', start: 0, end: 1 }
    expect(fold(answered(), answered(), answered(short, two, [0, 1]))).toBe('S5')
    expect(fold(answered(), replaced(0, 0, [0]))).toEqual([1])
  })

  it('[S7] puts back exactly what was shadowed, at its place, and leaves later nodes', () => {
    const { nodes, log } = build(
      ...['a', 'b', 'c'].map((id) => user(id)),
      summary(0, 1),
      user('d'),
      restore(5),
    )
    expect(nodes).toEqual([0, 1, 2, 7])
    const folded = foldSurface(log.heads)
    expect(folded.ok && folded.value.restores).toEqual([{ seq: 8, replacementSeq: 5 }])
  })

  it('[S7] refuses to restore what replaced nothing or is not there', () => {
    const back = (seq: Seq) => ({
      type: 'surface/restore',
      data: { replacementSeq: seq },
      surfaceOp: { op: 'restore', seq },
    })
    expect(fold(...abc, back(1))).toBe('S7')
    expect(fold(...abc, replaced(0, 1, [0, 1]), back(3), back(3))).toBe('S7')
    expect(fold(...abc, replaced(0, 1, [0, 1]), back(3))).toEqual([0, 1, 2])
  })

  it('[S7] a restored prune can be made again with the old content', () => {
    const again = build(
      user('a'),
      ({ write }) => {
        write({
          type: 'assistant/message',
          data: { id: 'm', content: [use('x')] },
          surfaceOp: 'append',
        })
      },
      result('x'),
      prune(2, 'short'),
      restore(4),
      (writer) => {
        writer.write(...pruneOf(writer, 2, 'short', 'manual'))
      },
    )
    expect(again.nodes).toEqual([0, 1, 7])
  })
})

const item = (key: number): Item =>
  itemOf(key, {
    ...{ seq: key, time: 0, type: 'user/message' as const },
    ...{ tokens: key + 1, bytes: 2, media: key % 2 },
  })

describe('the tree under a surface', () => {
  const keys = fc.uniqueArray(fc.nat(5000), { maxLength: 120, size: 'max' })
  const sorted = (list: readonly number[]) => list.toSorted((a, b) => a - b)

  it(
    '[S8] holds what a sorted list would, through insertions and removals',
    () => {
      fc.assert(
        fc.property(keys, keys, fc.nat(5000), fc.nat(600), (first, second, low, width) => {
          const high = low + width
          let tree: Tree<Item> = insertAll(null, sorted(first).map(item))
          tree = removeRange(tree, low, high)
          tree = insertAll(tree, sorted(second).map(item))
          const kept = first.filter((key) => key < low || key > high)
          const model = sorted([...new Set([...kept, ...second])])
          expect(slice(tree, 0, 9999).map((one) => one.key)).toEqual(model)
          expect(slice(tree, 3, 9).map((one) => one.key)).toEqual(model.slice(3, 9))
          expect(sumsOf(tree)).toMatchObject({
            count: model.length,
            tokens: model.reduce((sum, key) => sum + key + 1, 0),
            media: model.filter((key) => key % 2).length,
          })
          for (const key of [...model, low, high]) {
            expect(rankOf(tree, key)).toBe(model.filter((other) => other < key).length)
            expect(find(tree, key)?.key).toBe(model.includes(key) ? key : undefined)
          }
          expect(openBefore(tree, model.length)).toBe(0)
        }),
      )
    },
    SLOW,
  )
})

/** Branches of a surface's tree. */
function branchesOf(surface: Surface): Set<unknown> {
  const found = new Set<unknown>()
  const left: unknown[] = [surface.tree]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one !== 'object' || one === null || !('slots' in one)) continue
    found.add(one)
    left.push(...(one.slots as unknown[]))
  }
  return found
}

it('[S8][P3] a new version shares all but a path with the one before', () => {
  const heads = Array.from({ length: 20_000 }, (_, seq) => item(seq).head)
  const change = (surface: Surface, head: EventHead): Surface => {
    const nothing = () => undefined
    const planned = planChange(
      groundOf(() => surface),
      head,
      nothing,
    )
    if (!planned.ok || !planned.value) throw new Error('refused')
    return applyChange(surface, planned.value, nothing)
  }
  const grown = heads.reduce(
    (surface, head) => change(surface, { ...head, op: 'append' }),
    emptySurface,
  )
  const before = branchesOf(grown)
  const added = change(grown, { ...item(20_000).head, op: 'append' })
  const span = Array.from({ length: 100 }, (_, index) => 7000 + index)
  const op: SurfaceOp = { op: 'replace', start: 7000, end: 7099 }
  const shorter = change(added, { ...item(20_001).head, op, sources: span })
  const fresh = (surface: Surface) => [...branchesOf(surface)].filter((one) => !before.has(one))
  expect(before.size).toBeGreaterThan(600)
  expect(fresh(added).length).toBeLessThanOrEqual(8)
  expect(fresh(shorter).length).toBeLessThanOrEqual(16)
  expect(nodesOf(grown, 6999, 7001)).toEqual([6999, 7000])
  expect(nodesOf(shorter, 6999, 7002)).toEqual([6999, 20_001, 7100])
})
