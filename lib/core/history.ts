/**
 * The surface at every moment of a log, without refolding (S8). Versions of the surface are kept where
 * it was replaced, restored, or grew by a tail; between two of them it only grew, so any moment is a
 * version and a few appended nodes. Every link between a replacement and what it shadows carries the
 * time it held.
 */

import type { EventHead, Seq } from './event'
import { placementFlaw } from './placement'
import { ok, type Refusal, type Result } from './result'
import {
  appended,
  applyChange,
  type Change,
  emptySurface,
  flush,
  type Node,
  planChange,
  type Surface,
  sizeOf,
  TAIL,
  tokensOf,
  withTail,
} from './surface'

export interface History {
  /** The surface after event `seq`; after the last event folded, if `seq` is later. O(log n). */
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
  /** Takes the next head; refuses one that does not fold and then every later one. */
  push(head: EventHead): Result<Change | null, Refusal>
}

/** `key` is the seq after which it holds. */
type Version = { readonly key: Seq; readonly surface: Surface }
/** `until` is the seq of the restore that ended it. */
type Link = { readonly by: Seq; until: Seq }

/** Index of the last entry whose key is not after `seq`, or -1. */
function lastAt(entries: readonly { key: Seq }[], seq: Seq): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.key <= seq) low = middle + 1
    else high = middle
  }
  return low - 1
}

export function growHistory(): GrowingHistory {
  const versions: Version[] = [{ key: -1, surface: emptySurface }]
  /** All appended nodes, and how many of them stood before each version. */
  const grown: Node[] = []
  const grownBefore: number[] = [0]
  const shadows = new Map<Seq, readonly Node[]>()
  const shadowSeqs = new Map<Seq, readonly Seq[]>()
  /** Nearly every node is replaced once. */
  const links = new Map<Seq, Link | Link[]>()
  const linksOf = (seq: Seq): readonly Link[] => [links.get(seq) ?? []].flat()
  const restoredAt = new Map<Seq, Seq>()
  let length = 0
  let failure: Refusal | null = null

  /** The surface after the last event, as far as somebody asked; the newest appended nodes may be missing. */
  let newest = emptySurface
  let inNewest = 0

  function surfaceNow(): Surface {
    newest = withTail(newest, grown.slice(inNewest))
    inNewest = grown.length
    return newest
  }

  function surfaceAt(seq: Seq): Surface {
    if (seq >= length - 1) return surfaceNow()
    const index = lastAt(versions, seq)
    if (index < 0) return emptySurface
    const from = grownBefore[index]!
    const to = Math.min(grownBefore[index + 1] ?? grown.length, lastAt(grown, seq) + 1)
    return withTail(versions[index]!.surface, grown.slice(from, Math.max(from, to)))
  }

  function addVersion(seq: Seq, surface: Surface): void {
    versions.push({ key: seq, surface })
    grownBefore.push(grown.length)
  }

  function record(change: Change, seq: Seq): void {
    if (change.kind === 'append') {
      grown.push(appended(change.head))
      const waiting = grown.length - grownBefore[grownBefore.length - 1]!
      if (waiting < TAIL) return
      newest = flush(surfaceNow())
      addVersion(seq, newest)
      return
    }
    newest = applyChange(surfaceNow(), change)
    addVersion(seq, newest)
    if (change.kind === 'replace') {
      shadows.set(seq, change.shadowed)
      const seqs = change.shadowed.map((node) => node.head.seq)
      shadowSeqs.set(seq, seqs)
      for (const shadowed of seqs) {
        const link = { by: seq, until: Number.POSITIVE_INFINITY }
        const known = links.get(shadowed)
        links.set(shadowed, known === undefined ? link : [known, link].flat())
      }
      return
    }
    restoredAt.set(change.replacement.seq, seq)
    for (const { head } of change.returned) linksOf(head.seq).at(-1)!.until = seq
  }

  const shadowsOf = (seq: Seq) => shadows.get(seq)

  function push(head: EventHead): Result<Change | null, Refusal> {
    failure ??= placementFlaw(head, length)
    if (failure) return { ok: false, error: failure }
    const change = planChange(surfaceNow, head, shadowsOf)
    if (!change.ok) {
      failure = change.error
      return change
    }
    if (change.value) record(change.value, head.seq)
    length++
    return ok(change.value)
  }

  return {
    push,
    surfaceAt,
    tokensAt: (seq) => tokensOf(surfaceAt(seq)),
    sizeAt: (seq) => sizeOf(surfaceAt(seq)),
    replacementOf: (seq, at) =>
      linksOf(seq).find((link) => link.by <= at && at < link.until)?.by ?? null,
    shadowedBy: (seq, at) =>
      seq <= at && at < (restoredAt.get(seq) ?? Number.POSITIVE_INFINITY)
        ? (shadowSeqs.get(seq) ?? [])
        : [],
    shadowsOf: (seq) => shadowSeqs.get(seq) ?? [],
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
