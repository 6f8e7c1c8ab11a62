/**
 * Indexes over a log that grow with it, one of each per log. Every function here is pure in what it is
 * given: heads never change, so a moment has one answer for good.
 */

import type { Seq } from '@/lib/core/event'
import type { Log } from '@/lib/core/log'
import {
  createLinks,
  extendLinks,
  type LinkIndex,
  type Links,
  linksOf,
} from '@/lib/core/projections/links'
import {
  type Attempt,
  attemptsAt,
  createStrata,
  type Doubt,
  extendStrata,
  type Measure,
  pinsAt,
  restoredAt,
  type StrataIndex,
} from '@/lib/core/projections/strata'
import { layoutStrata, type StrataLayout } from '@/lib/core/projections/strata-layout'

const strata = new WeakMap<Log, StrataIndex>()
const links = new WeakMap<Log, LinkIndex>()

function strataOf(log: Log): StrataIndex {
  const index = strata.get(log) ?? createStrata()
  strata.set(log, index)
  return extendStrata(index, log.heads)
}

export function linkIndexOf(log: Log): LinkIndex {
  const index = links.get(log) ?? createLinks()
  links.set(log, index)
  return extendLinks(index, log.heads)
}

const laidOut = new WeakMap<Log, StrataLayout>()

/** The layout of a moment; the last one asked for is kept, since several views ask for the same. */
export function layoutAt(log: Log, at: Seq, measure: Measure): StrataLayout {
  const last = laidOut.get(log)
  if (last && last.at === at && last.measure === measure) return last
  const layout = layoutStrata(strataOf(log), log.history, at, measure)
  laidOut.set(log, layout)
  return layout
}

export const linksAt = (log: Log, seq: Seq, at: Seq): Links =>
  linksOf(linkIndexOf(log), log, seq, at)

/**
 * The node an event is about: itself, the checkpoint of its bracket, what its prune left, the message
 * that made its call; null where it is about none.
 */
export function nodeOf(log: Log, seq: Seq): Seq | null {
  const head = log.heads[seq]
  if (!head) return null
  if (head.type === 'surface/restore')
    return typeof head.op === 'object' && head.op.op === 'restore' ? head.op.seq : null
  if (head.op !== undefined) return seq
  const links = linksAt(log, seq, log.heads.length - 1)
  return links.bracket?.checkpoint ?? links.prune ?? links.calls[0]?.message ?? null
}

export const pinnedAt = (log: Log, at: Seq): ReadonlySet<Seq> => pinsAt(strataOf(log), at)

export const returnedAt = (log: Log, at: Seq): ReadonlySet<Seq> =>
  restoredAt(strataOf(log), log.history, at)

export const bracketsAt = (log: Log, at: Seq): { running: Attempt | null; failed: Attempt[] } =>
  attemptsAt(strataOf(log), at)

/** Checkpoints whose span is not known exactly, for good. */
export const doubtsOf = (log: Log): ReadonlyMap<Seq, Doubt> => strataOf(log).doubts
