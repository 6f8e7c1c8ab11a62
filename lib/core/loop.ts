/** When automatic compaction stops, why, and what sets it going again (C11). Derived from the log. */

import type { EventHead, Policy } from './event'
import { type Log, surfaceNodes } from './log'
import { measureTotal, readMeter } from './meter'
import { thresholdOf } from './policy'
import { chooseRuns, newestUnitOf } from './range'
import { isAutomatic } from './state'

/** What no compaction can take away, in the provider's tokens. */
export type Floor = { system: number; tools: number; pins: number; newestUnit: number }

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
  return threshold !== undefined && total <= threshold
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

/** Tokens that stay whatever is compacted: system, tools, pinned units and the newest unit. */
export function floorOf(log: Log): Floor {
  const { parts, scale } = readMeter(log)
  const tokens = (seqs: readonly number[]): number =>
    Math.round(scale * seqs.reduce((sum, seq) => sum + log.heads[seq]!.tokens, 0))
  const newest = newestUnitOf(log)
  const pins = surfaceNodes(log).filter((seq) => log.state.pins.has(seq) && !newest.includes(seq))
  return {
    system: parts.system,
    tools: parts.tools,
    pins: tokens(pins),
    newestUnit: tokens(newest),
  }
}

const floorText = ({ system, tools, pins, newestUnit }: Floor): string =>
  `system ${system}, tools ${tools}, pins ${pins}, newest messages ${newestUnit} tokens`

const REMEDIES =
  'Unpin messages, choose a model with a larger window, or start a new session from here.'

/**
 * Why automatic compaction does not run although the surface is above T (C11), or null: it may run, or
 * need not.
 */
export function automaticStopped(log: Log, policy: Policy): Stopped | null {
  const reading = readMeter(log)
  const threshold = thresholdOf(policy, reading.window, reading.maxTokens)
  if (threshold === undefined || reading.total <= threshold) return null
  if (failuresInARow(log) >= PATIENCE) {
    const message = `Automatic compaction stopped: ${PATIENCE} attempts in a row failed. Compact by hand, unpin messages, or choose another model.`
    return { code: 'failures', message, floor: floorOf(log) }
  }
  if (chooseRuns(log, reading, policy, 'pressure').length > 0) return null
  const floor = floorOf(log)
  const message = `The window is above its threshold (${reading.total} of ${threshold} tokens) and nothing is left that a summary could shrink: ${floorText(floor)}. ${REMEDIES}`
  return { code: 'floor', message, floor }
}
