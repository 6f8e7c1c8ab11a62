/**
 * A span too large for one summary call: its transcript in windows, and their records merged (C10). All of
 * it follows from the nodes, the budget in the log and the records so far, so that every call can be
 * rebuilt (Q5).
 */

import type { Range, SurfaceEvent } from './event'
import { isToolUse } from './message'
import { estimateText, fitText } from './price'
import {
  mergeInstruction,
  SUMMARY_SYSTEM,
  transcriptInstruction,
  windowInstruction,
} from './prompt'
import { ENTRY_GAP, type Entry, renderEntries } from './render'

/** A stretch of transcript that one call holds. */
export type Window = Range & { text: string }
/** What a call made of the nodes of a range. */
export type PartRecord = Range & { text: string }

/** Tokens of the gap that joins entries, rounded up. */
const GAP_TOKENS = 1
/** Tokens of the words around a record among others. */
const RECORD_FRAME = 16
/** A cut moves back to the end of a line within this share of a piece. */
const LINE_SHARE = 0.2
/** Below this a window holds too little for its record to be worth a call. */
export const MIN_BUDGET = 512

/**
 * Share of a window's input that estimates may fill. Code and data have fewer characters a token than
 * prose, and nothing known to be too large is sent (C10).
 */
export const TEXT_MARGIN = 0.85

/** What a call is asked beside its text, at its longest. */
function frameTokens(focus: string | undefined): number {
  const many = { part: 9999, of: 9999 }
  const asks = [
    transcriptInstruction('', focus),
    windowInstruction('', many, focus),
    mergeInstruction([], focus),
  ]
  return estimateText(SUMMARY_SYSTEM) + Math.max(...asks.map(estimateText)) + RECORD_FRAME
}

/**
 * Estimated tokens of transcript that one call of a summariser may hold. `window` and `maxTokens` are in
 * the provider's tokens, of which an estimated one is worth `scale`.
 */
export function windowBudget(
  limits: { window: number; maxTokens: number; scale: number },
  focus?: string,
): number {
  const room = (limits.window - limits.maxTokens) / Math.max(1, limits.scale)
  return Math.floor(room * TEXT_MARGIN) - frameTokens(focus)
}

const costOf = ({ text }: Entry): number => estimateText(text) + GAP_TOKENS
const sumOf = <T>(items: readonly T[], cost: (item: T) => number): number =>
  items.reduce((sum, item) => sum + cost(item), 0)

/** Entries by unit: what stands between a call and its result stays together where it fits (P1). */
function unitsOf(nodes: readonly SurfaceEvent[]): Entry[][] {
  const entries = new Map(renderEntries(nodes).map((entry) => [entry.seq, entry]))
  const open = new Set<string>()
  const units: Entry[][] = []
  let unit: Entry[] = []
  for (const node of nodes) {
    if (node.type === 'assistant/message')
      for (const call of node.data.content.filter(isToolUse)) open.add(call.id)
    if (node.type === 'tool/result') open.delete(node.data.callId)
    const entry = entries.get(node.seq)
    if (entry) unit.push(entry)
    if (open.size > 0 || unit.length === 0) continue
    units.push(unit)
    unit = []
  }
  return unit.length > 0 ? [...units, unit] : units
}

/** Where a piece that begins at `from` ends: at its budget, or at the end of a line shortly before. */
function pieceEnd(text: string, from: number, budget: number): number {
  const end = fitText(text, from, budget)
  if (end >= text.length) return end
  const line = text.lastIndexOf('\n', end - 1)
  return line > from + (end - from) * (1 - LINE_SHARE) ? line + 1 : end
}

/** Begins every piece of an entry but its first, so that it says where it belongs (C10). */
function titleOf({ seq, text }: Entry): string {
  const title = text.slice(0, text.indexOf('\n') + 1).trimEnd()
  return `${title.length > 0 && title.length <= MAX_TITLE ? title : `#${seq}`} (continued)\n`
}
const MAX_TITLE = 200
/** Share of a window worth beginning a piece in. */
const LEAST_ROOM = 0.25

/**
 * The transcript of some nodes in windows of at most `budget` estimated tokens. Whole units share a
 * window; one larger than a window is parted between its entries, and where need be inside their text.
 * Nothing is left out.
 */
export function splitWindows(nodes: readonly SurfaceEvent[], budget: number): Window[] {
  const windows: Window[] = []
  let entries: Entry[] = []
  let room = budget
  const close = () => {
    const [first] = entries
    if (!first) return
    const text = entries.map((entry) => entry.text).join(ENTRY_GAP)
    windows.push({ start: first.seq, end: entries.at(-1)!.seq, text })
    entries = []
    room = budget
  }
  const take = (entry: Entry) => {
    entries.push(entry)
    room -= costOf(entry)
  }
  const takeInPieces = (entry: Entry) => {
    const { seq, text } = entry
    for (let from = 0; from < text.length; ) {
      if (room < LEAST_ROOM * budget) close()
      const title = from === 0 ? '' : titleOf(entry)
      const left = room - estimateText(title) - 2 * GAP_TOKENS
      const end = Math.max(from + 1, pieceEnd(text, from, left))
      take({ seq, text: title + text.slice(from, end) })
      if (end < text.length) close()
      from = end
    }
  }
  for (const unit of unitsOf(nodes)) {
    const cost = sumOf(unit, costOf)
    if (cost > budget)
      for (const entry of unit) {
        if (costOf(entry) <= room) take(entry)
        else takeInPieces(entry)
      }
    else {
      if (cost > room) close()
      unit.forEach(take)
    }
  }
  close()
  return windows
}

/** Tokens a record of a window may have: two of them must fit one merge, or merging would not end. */
export const recordLimit = (budget: number): number => Math.floor(budget / 2) - RECORD_FRAME

/** Neighbouring records that one call can merge, as many as fit. */
function groupRecords(records: readonly PartRecord[], budget: number): PartRecord[][] {
  const groups: PartRecord[][] = []
  let room = 0
  for (const record of records) {
    const cost = estimateText(record.text) + RECORD_FRAME
    if (groups.length === 0 || cost > room) {
      groups.push([])
      room = budget
    }
    groups.at(-1)!.push(record)
    room -= cost
  }
  return groups
}

const rangeOf = (records: readonly PartRecord[]): Range => ({
  start: records[0]!.start,
  end: records.at(-1)!.end,
})

/** One call of a bracket that reads its span as text. */
export type FoldCall = {
  range: Range
  /** Place among the calls of its phase, from 1; merges are counted layer by layer. */
  part: number
  of: number
  /** Its answer is the summary of the whole range. */
  isLast: boolean
} & ({ phase: 'window'; text: string } | { phase: 'merge'; records: readonly PartRecord[] })

/**
 * The call after those that answered `done`: each window in turn, then layers of merges until one holds
 * all that is left.
 */
export function nextCall(
  windows: readonly Window[],
  done: readonly string[],
  budget: number,
): FoldCall {
  const at = done.length
  const window = windows[at]
  if (window) {
    const { start, end, text } = window
    const isLast = windows.length === 1
    const range = { start, end }
    return { phase: 'window', range, part: at + 1, of: windows.length, isLast, text }
  }
  let records = windows.map((one, index): PartRecord => ({ ...one, text: done[index]! }))
  let used = windows.length
  for (;;) {
    const groups = groupRecords(records, budget)
    const isLast = groups.length === 1
    const merges = groups.filter((group) => isLast || group.length > 1)
    const part = at - used + 1
    const group = merges[part - 1]
    if (group) {
      const range = rangeOf(group)
      return { phase: 'merge', range, part, of: merges.length, isLast, records: group }
    }
    const from = used
    records = groups.map((one) => {
      const merged = merges.indexOf(one)
      return merged < 0 ? one[0]! : { ...rangeOf(one), text: done[from + merged]! }
    })
    used += merges.length
  }
}
