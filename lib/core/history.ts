/**
 * The surface at every moment of a log, without refolding (S8). A log is taken head by head into columns
 * of numbers: what stands, and for every node by which replacement it left and when it came back. From
 * them the surface of any moment can be made at once. Moments that are asked for are kept as versions that
 * share all but a path with their neighbours; between two of them the surface only grew by a short tail.
 */

import type { EventHead, Seq } from './event'
import { placementFlaw } from './placement'
import { itemOf } from './radix'
import type { Refusal, Result } from './result'
import { createStanding, grownTo } from './standing'
import {
  appended,
  applyChange,
  type Change,
  emptySurface,
  flush,
  type Ground,
  planChange,
  type Surface,
  sizeOf,
  surfaceFrom,
  TAIL,
  tokensOf,
  withTail,
} from './surface'

export interface History {
  /** The surface after event `seq`; after the last event folded, if `seq` is later. O(log n) where it was asked for. */
  surfaceAt(seq: Seq): Surface
  /** Estimated tokens of that surface. O(log n). */
  tokensAt(seq: Seq): number
  /** Nodes of that surface. O(log n). */
  sizeAt(seq: Seq): number
  /** The node that directly replaced `seq`, as of event `at`; null when none did or it was restored. */
  replacementOf(seq: Seq, at: Seq): Seq | null
  /** The nodes that replacement `seq` shadows as of event `at`, in surface order; none once restored. */
  shadowedBy(seq: Seq, at: Seq): readonly Seq[]
  /** Everything replacement `seq` ever shadowed, in surface order; none for other events. */
  shadowsOf(seq: Seq): readonly Seq[]
  /** The first head that does not fold, and why; nothing after it is part of the history. */
  readonly failure: Refusal | null
}

/** A history that still grows, owned by a log. */
export interface GrowingHistory extends History {
  /** All heads taken. */
  readonly heads: readonly EventHead[]
  /** The newest moment. */
  readonly ground: Ground
  /** Takes the next head; refuses one that does not fold and then every later one. */
  push(head: EventHead): Result<Change | null, Refusal>
}

/** Where the surface changed, or grew by a tail: after event `key`, when `grown` nodes had been appended. */
type Mark = { readonly key: Seq; readonly grown: number; readonly change: Change | null }
/** `until` is the seq of the restore that ended it. */
type Link = { readonly by: Seq; readonly until: Seq }

/** Marks between two versions that are made from nothing: what a moment nobody asked for costs at most. */
const STRIDE = 64
const [NEVER, NOBODY] = [0x7fffffff, -1]
const NONE: readonly Seq[] = []

/** Index of the last entry not after `seq`, or -1. */
function lastAt<T>(entries: readonly T[], keyOf: (entry: T) => Seq, seq: Seq): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (keyOf(entries[middle]!) <= seq) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** An empty history. `stride`: see `STRIDE`. */
export function growHistory(stride = STRIDE): GrowingHistory {
  const heads: EventHead[] = []
  /** Seqs of all appended nodes. */
  const grown: Seq[] = []
  const marks: Mark[] = [{ key: -1, grown: 0, change: null }]
  /** Surfaces at marks, as far as somebody asked. */
  const versions: (Surface | undefined)[] = [emptySurface]
  const standing = createStanding()
  const shadows = new Map<Seq, readonly EventHead[]>()
  const shadowSeqs = new Map<Seq, readonly Seq[]>()
  /** The newest link of every node; what was restored and replaced again has earlier ones. */
  let by = new Int32Array(64).fill(NOBODY)
  let until = new Int32Array(64)
  const earlier = new Map<Seq, Link[]>()
  const restoredAt = new Map<Seq, Seq>()
  let failure: Refusal | null = null
  /** The surface after the last event, once somebody asked, but for its newest appended nodes. */
  let newest: Surface | null = null
  let inNewest = 0

  const headAt = (seq: Seq) => heads[seq]!
  const shadowedHeads = (seq: Seq) => shadows.get(seq)
  const tailOf = (from: number, to: number) =>
    grown.slice(from, to).map((seq) => appended(headAt(seq)))

  function replacementOf(seq: Seq, at: Seq): Seq | null {
    const over = seq < by.length ? by[seq]! : NOBODY
    if (over === NOBODY) return null
    if (over <= at && at < until[seq]!) return over
    return earlier.get(seq)?.find((link) => link.by <= at && at < link.until)?.by ?? null
  }

  /** The node that stands at an anchor at a moment; null where it stands under a node of another anchor. */
  function standingAt(anchor: Seq, at: Seq): Seq | null {
    let seq = anchor
    for (let over = replacementOf(seq, at); over !== null; over = replacementOf(seq, at)) {
      if (standing.anchorOf(over) !== anchor) return null
      seq = over
    }
    return seq
  }

  /** The surface after event `at`, from nothing: `count` nodes had been appended by then. O(n). */
  function surfaceFor(at: Seq, count: number): Surface {
    const nodes = []
    for (let index = 0; index < count; index += 1) {
      const anchor = grown[index]!
      const seq = standingAt(anchor, at)
      if (seq !== null) nodes.push(itemOf(anchor, headAt(seq)))
    }
    return surfaceFrom(nodes)
  }

  /** The surface at a mark, given that of the mark before it. */
  function stepTo(index: number, before: Surface): Surface {
    const { grown: to, change } = marks[index]!
    const full = withTail(before, tailOf(marks[index - 1]!.grown, to))
    return change ? applyChange(full, change, shadowedHeads) : flush(full)
  }

  function versionAt(index: number): Surface {
    const known = versions[index]
    if (known) return known
    let at = index
    while (at % stride !== 0 && !versions[at - 1]) at -= 1
    const start = marks[at]!
    let surface =
      at % stride === 0 ? surfaceFor(start.key, start.grown) : stepTo(at, versions[at - 1]!)
    versions[at] = surface
    for (at += 1; at <= index; at += 1) {
      surface = stepTo(at, surface)
      versions[at] = surface
    }
    return surface
  }

  function surfaceNow(): Surface {
    if (!newest) {
      const last = marks.length - 1
      newest = versionAt(last)
      inNewest = marks[last]!.grown
    }
    newest = withTail(newest, tailOf(inNewest, grown.length))
    inNewest = grown.length
    return newest
  }

  function surfaceAt(seq: Seq): Surface {
    if (seq >= heads.length - 1) return surfaceNow()
    const index = lastAt(marks, (mark) => mark.key, seq)
    if (index < 0) return emptySurface
    const to = lastAt(grown, (node) => node, seq) + 1
    return withTail(versionAt(index), tailOf(marks[index]!.grown, to))
  }

  /** Notes a mark after event `key`. A surface that is kept up with the log is a version there. */
  function mark(key: Seq, change: Change | null): void {
    if (newest) {
      const full = surfaceNow()
      newest = change ? applyChange(full, change, shadowedHeads) : flush(full)
      versions[marks.length] = newest
    }
    marks.push({ key, grown: grown.length, change })
  }

  function replace(seq: Seq, shadowed: readonly EventHead[]): void {
    shadows.set(seq, shadowed)
    standing.replace(seq, shadowed[0]!.seq, shadowed[shadowed.length - 1]!.seq)
    by = grownTo(by, seq, NOBODY)
    until = grownTo(until, seq, NEVER)
    for (const { seq: gone } of shadowed) {
      if (by[gone] !== NOBODY) {
        const links = earlier.get(gone) ?? []
        links.push({ by: by[gone]!, until: until[gone]! })
        earlier.set(gone, links)
      }
      by[gone] = seq
      until[gone] = NEVER
    }
  }

  function restore(replacement: Seq, returned: readonly EventHead[], seq: Seq): void {
    standing.restore(replacement, shadowsOf(replacement))
    restoredAt.set(replacement, seq)
    for (const head of returned) until[head.seq] = seq
  }

  function record(change: Change, seq: Seq): void {
    if (change.kind === 'append') {
      standing.append(seq)
      grown.push(seq)
      if (grown.length - marks[marks.length - 1]!.grown >= TAIL) mark(seq, null)
      return
    }
    if (change.kind === 'replace') replace(seq, change.shadowed)
    else restore(change.replacement.seq, change.returned, seq)
    mark(seq, change)
  }

  const ground: Ground = {
    orderOf: standing.orderOf,
    headOf: headAt,
    run: (start, end) => standing.run(start, end).map(headAt),
    surface: surfaceNow,
  }

  function push(head: EventHead): Result<Change | null, Refusal> {
    failure ??= placementFlaw(head, heads.length)
    if (failure) return { ok: false, error: failure }
    const change = planChange(ground, head, shadowedHeads)
    if (!change.ok) {
      failure = change.error
      return change
    }
    heads.push(head)
    if (change.value) record(change.value, head.seq)
    return change
  }

  function shadowsOf(seq: Seq): readonly Seq[] {
    const known = shadowSeqs.get(seq)
    if (known) return known
    const seqs = shadows.get(seq)?.map((head) => head.seq)
    if (seqs) shadowSeqs.set(seq, seqs)
    return seqs ?? NONE
  }

  return {
    heads,
    ground,
    push,
    surfaceAt,
    tokensAt: (seq) => tokensOf(surfaceAt(seq)),
    sizeAt: (seq) => sizeOf(surfaceAt(seq)),
    replacementOf,
    shadowedBy: (seq, at) =>
      seq <= at && at < (restoredAt.get(seq) ?? NEVER) ? shadowsOf(seq) : NONE,
    shadowsOf,
    get failure() {
      return failure
    },
  }
}

/** The history of a log's foldable prefix; `failure` says where and why it ends early. */
export function createHistory(heads: readonly EventHead[]): History {
  const history = growHistory()
  for (const head of heads) {
    if (!history.push(head).ok) break
  }
  return history
}
