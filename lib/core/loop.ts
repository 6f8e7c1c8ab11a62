/** When automatic compaction stops, why, and what sets it going again (C11). Derived from the log. */

import type { EventHead, Policy, Seq } from './event'
import { type Log, surfaceNodes } from './log'
import { measureTotal, readMeter } from './meter'
import { isHeavy, thresholdOf } from './policy'
import { chooseRuns, newestUnitOf } from './range'
import { isAutomatic } from './state'
import { bytesOf, mediaOf } from './surface'

/** What no compaction can take away, in the provider's tokens. */
export type Floor = {
  system: number
  tools: number
  pins: number
  /** Brought back by hand, and spared until that is taken back (S7). */
  restored: number
  newestUnit: number
}

export type Stopped = {
  /** `failures`: two brackets in a row; `floor`: above the threshold with no useful range. */
  code: 'failures' | 'floor'
  /** For people, with what they can do. */
  message: string
  floor: Floor
}

/** Failed brackets in a row that stop automatic runs (C11). */
const PATIENCE = 2

const isBelow = (log: Log, seq: number): boolean => {
  const { total, header } = measureTotal(log, seq)
  const threshold = header?.limits?.threshold
  if (threshold === undefined || total > threshold) return false
  const surface = log.history.surfaceAt(seq)
  return !isHeavy({ bytes: bytesOf(surface) + (header?.bytes ?? 0), media: mediaOf(surface) })
}

const isOtherModel = (a: EventHead | undefined, b: EventHead): boolean =>
  a !== undefined && (a.name !== b.name || a.limits?.window !== b.limits?.window)

/**
 * Automatic brackets in a row that ended `summary` or `commit`; other failures neither count nor end the
 * row. A model or window change, an unpin, any success or a surface below T ends it.
 */
function failuresInARow(log: Log): number {
  const automatic = new Set<string>()
  let row = 0
  let header: EventHead | undefined
  for (const head of log.heads) {
    if (head.type === 'compact/start' && isAutomatic((head.kind ?? 'manual') as 'manual'))
      automatic.add(head.compactionId ?? '')
    if (head.type === 'compact/end') {
      const failed = head.kind === 'summary' || head.kind === 'commit'
      if (head.kind === undefined) row = 0
      else if (failed && automatic.has(head.compactionId ?? '')) row++
    }
    if (head.type === 'pin/set' && head.kind === 'unpinned') row = 0
    if (head.type === 'request/header') {
      if (isOtherModel(header, head)) row = 0
      header = head
    }
    if (row > 0 && head.op !== undefined && isBelow(log, head.seq)) row = 0
  }
  return row
}

/** What stays whatever is compacted, each node counted once. */
function keptNodes(log: Log): Record<'pins' | 'restored' | 'newestUnit', Seq[]> {
  const { pins, restored } = log.state
  const newestUnit = newestUnitOf(log)
  const older = surfaceNodes(log).filter((seq) => !newestUnit.includes(seq))
  return {
    pins: older.filter((seq) => pins.has(seq)),
    restored: older.filter((seq) => restored.has(seq) && !pins.has(seq)),
    newestUnit,
  }
}

/** Tokens that stay whatever is compacted: system, tools, pinned and restored nodes, the newest unit. */
export function floorOf(log: Log): Floor {
  const { parts, scale } = readMeter(log)
  const tokens = (seqs: readonly Seq[]): number =>
    Math.round(scale * seqs.reduce((sum, seq) => sum + log.heads[seq]!.tokens, 0))
  const { pins, restored, newestUnit } = keptNodes(log)
  return {
    system: parts.system,
    tools: parts.tools,
    pins: tokens(pins),
    restored: tokens(restored),
    newestUnit: tokens(newestUnit),
  }
}

const floorText = ({ system, tools, pins, restored, newestUnit }: Floor): string =>
  `system ${system}, tools ${tools}, pins ${pins}, restored ${restored}, newest messages ${newestUnit} tokens`

const REMEDIES =
  'Unpin messages, choose a model with a larger window, or start a new session from here.'

/**
 * Why automatic compaction does not run although the surface is above T or its media are about to overflow
 * (C11, M4), or null: it may run, or need not. After an overflow (`overflowed`) only failures stop it: the
 * provider has said that there is too much.
 */
export function automaticStopped(log: Log, policy: Policy, overflowed = false): Stopped | null {
  const reading = readMeter(log)
  const threshold = thresholdOf(policy, reading.window, reading.maxTokens)
  const isAbove = threshold !== undefined && reading.total > threshold
  if (!isAbove && !isHeavy(reading) && !overflowed) return null
  if (failuresInARow(log) >= PATIENCE) {
    const message = `Automatic compaction stopped: ${PATIENCE} attempts in a row failed. Compact by hand, unpin messages, or choose another model.`
    return { code: 'failures', message, floor: floorOf(log) }
  }
  if (overflowed || chooseRuns(log, reading, policy, 'pressure').length > 0) return null
  const floor = floorOf(log)
  const load = isAbove
    ? `above its threshold (${reading.total} of ${threshold} tokens)`
    : `full of media (${reading.media} in ${reading.bytes} bytes)`
  const message = `The window is ${load} and nothing is left that a summary could shrink: ${floorText(floor)}. ${REMEDIES}`
  return { code: 'floor', message, floor }
}

/** One thing that takes room, largest first in an explanation. `seqs`: its nodes, where it has some. */
export type FloorPart = {
  kind: keyof Floor | 'history'
  tokens: number
  seqs: Seq[]
}

/** What a person can do about it, and what that would bring, in the provider's tokens. */
export type Remedy =
  | { kind: 'unpin' | 'release'; seqs: Seq[]; frees: number }
  | { kind: 'drop-tools'; frees: number }
  /** `window`: the least that would put the threshold above what stands now. */
  | { kind: 'switch-model'; window: number }
  /** `at`: the newest `turn/end` after which the window stood below the present threshold. */
  | { kind: 'fork'; at: Seq }

export type Explanation = {
  total: number
  threshold?: number
  window?: number
  parts: FloorPart[]
  remedies: Remedy[]
}

/** The least window whose threshold is above `total`; none where an absolute threshold binds (C7). */
function windowFor(log: Log, policy: Policy, total: number, maxTokens: number): number | undefined {
  const { absolute, ratio } = policy.threshold
  if (absolute !== undefined && absolute <= total) return undefined
  const window = Math.ceil(total / ratio) + maxTokens + 1
  const own = log.state.headerSeq === null ? undefined : log.heads[log.state.headerSeq]?.limits
  return own?.window !== undefined && own.window >= window ? undefined : window
}

/**
 * What occupies the window and what helps (C11): for the screen that says why nothing more is compacted.
 * `history` is what no rule protects but no summary could shrink enough.
 */
export function explainFloor(log: Log, policy: Policy): Explanation {
  const { total, window, maxTokens, scale } = readMeter(log)
  const threshold = thresholdOf(policy, window, maxTokens)
  const floor = floorOf(log)
  const kept = keptNodes(log)
  const spared = new Set([...kept.pins, ...kept.restored, ...kept.newestUnit])
  const others = surfaceNodes(log).filter((seq) => !spared.has(seq))
  const history = Math.round(scale * others.reduce((sum, seq) => sum + log.heads[seq]!.tokens, 0))
  const parts: FloorPart[] = [
    { kind: 'system', tokens: floor.system, seqs: [] },
    { kind: 'tools', tokens: floor.tools, seqs: [] },
    { kind: 'pins', tokens: floor.pins, seqs: kept.pins },
    { kind: 'restored', tokens: floor.restored, seqs: kept.restored },
    { kind: 'newestUnit', tokens: floor.newestUnit, seqs: kept.newestUnit },
    { kind: 'history', tokens: history, seqs: others },
  ]
  const remedies: Remedy[] = []
  if (floor.pins > 0) remedies.push({ kind: 'unpin', seqs: kept.pins, frees: floor.pins })
  if (floor.restored > 0)
    remedies.push({ kind: 'release', seqs: kept.restored, frees: floor.restored })
  if (floor.tools > 0) remedies.push({ kind: 'drop-tools', frees: floor.tools })
  const larger = windowFor(log, policy, total, maxTokens)
  if (larger !== undefined) remedies.push({ kind: 'switch-model', window: larger })
  const at = log.heads.findLast(
    ({ type, seq }) => type === 'turn/end' && measureTotal(log, seq).total <= (threshold ?? 0),
  )
  if (at) remedies.push({ kind: 'fork', at: at.seq })
  return {
    total,
    ...(threshold !== undefined && { threshold }),
    ...(window !== undefined && { window }),
    parts: parts.filter(({ tokens }) => tokens > 0).toSorted((a, b) => b.tokens - a.tokens),
    remedies,
  }
}
