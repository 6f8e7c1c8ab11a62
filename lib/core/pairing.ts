/** Tool calls and their results: balanced cuts, units and soundness (P1–P3). */

import type { EventHead, Seq } from './event'
import { ok, type Refusal, type Result, refuse } from './result'
import { type Change, headAt, openCallsAt, positionOf, type Surface, sizeOf } from './surface'

/** Heads by seq: a log's own array, or anything that looks like it. */
export type HeadsBySeq = { readonly [seq: number]: EventHead | undefined }

const callsOf = (head: EventHead | undefined): readonly string[] => head?.calls ?? []

type Scan = {
  /** Whether the cut before each position, and the one after the last, is balanced. */
  balanced: boolean[]
  /** An orphan or duplicate result (P2). */
  stray: Refusal | null
}

function scan(nodes: readonly Seq[], heads: HeadsBySeq): Scan {
  const open = new Set<string>()
  const balanced = [true]
  let stray: Refusal | null = null
  for (const seq of nodes) {
    const head = heads[seq]
    if (head?.type === 'assistant/message') for (const id of callsOf(head)) open.add(id)
    if (head?.type === 'tool/result') {
      const id = callsOf(head)[0] ?? ''
      if (!open.delete(id)) {
        stray ??= refuse('P2', `result ${seq} answers no open call (${id})`, seq).error
      }
    }
    balanced.push(open.size === 0)
  }
  return { balanced, stray }
}

function balancedBeside(
  nodes: readonly Seq[],
  heads: HeadsBySeq,
  seq: Seq,
  offset: 0 | 1,
): Result<boolean, Refusal> {
  const position = nodes.indexOf(seq)
  if (position < 0) return refuse('P2', `node ${seq} is not on the surface`, seq)
  const { balanced, stray } = scan(nodes, heads)
  return stray ? { ok: false, error: stray } : ok(balanced[position + offset]!)
}

/** Whether the cut before node `seq` is balanced (P1); refused as P2 says. O(n). */
export const balancedBefore = (nodes: readonly Seq[], heads: HeadsBySeq, seq: Seq) =>
  balancedBeside(nodes, heads, seq, 0)

/** Whether the cut after node `seq` is balanced (P1); refused as P2 says. O(n). */
export const balancedAfter = (nodes: readonly Seq[], heads: HeadsBySeq, seq: Seq) =>
  balancedBeside(nodes, heads, seq, 1)

/** Positions, 0 to n, before which a cut is balanced (P1). Stray results count for nothing. O(n). */
export const balancedCuts = (nodes: readonly Seq[], heads: HeadsBySeq): number[] =>
  scan(nodes, heads).balanced.flatMap((is, position) => (is ? [position] : []))

/** Positions of a run of nodes; `to` is not part of it. */
export type Run = { from: number; to: number }

/** The unit at a position: the smallest run around it that no balanced cut parts (P1). O(n). */
export function unitOf(nodes: readonly Seq[], heads: HeadsBySeq, position: number): Run {
  const { balanced } = scan(nodes, heads)
  const from = balanced.lastIndexOf(true, position)
  const to = balanced.indexOf(true, position + 1)
  return { from, to: to < 0 ? nodes.length : to }
}

/** The same on a surface that is sound, without reading all of it. O(unit × log n). */
export function unitAt(surface: Surface, position: number): Run {
  let from = position
  while (from > 0 && openCallsAt(surface, from) !== 0) from--
  let to = position + 1
  while (to < sizeOf(surface) && openCallsAt(surface, to) !== 0) to++
  return { from, to }
}

/** Whether a surface is sound, from zero: the truth that the fold below is tested against (P1). */
export function checkPairing(nodes: readonly Seq[], heads: HeadsBySeq): Refusal | null {
  const { stray } = scan(nodes, heads)
  if (stray) return { ...stray, rule: 'P1' }
  const callers = new Map<string, Seq>()
  const answered = new Set<string>()
  let newest: Seq | undefined
  for (const seq of nodes) {
    const head = heads[seq]
    if (head?.type === 'tool/result') answered.add(callsOf(head)[0] ?? '')
    if (head?.type !== 'assistant/message') continue
    newest = seq
    for (const id of callsOf(head)) {
      if (callers.has(id)) return refuse('P1', `call ${id} stands twice`, seq).error
      callers.set(id, seq)
    }
  }
  for (const [id, seq] of callers) {
    if (!answered.has(id) && seq !== newest) {
      return refuse('P1', `call ${id} of node ${seq} is open behind a newer message`, seq).error
    }
  }
  return null
}

/** A call on the surface that no result has answered. */
export type OpenCall = {
  readonly callId: string
  readonly name: string
  /** Its assistant message. */
  readonly seq: Seq
  /** Its `tool/call` is in the log: the tool may have run (R2). */
  readonly started: boolean
}

/** Every event that ever called or answered an id, in log order. */
export type Occurrences = (callId: string) => readonly EventHead[]

type Pair = { callers: EventHead[]; results: EventHead[] }

function pairOn(surface: Surface, occurrences: readonly EventHead[]): Pair {
  const here = occurrences.filter((head) => positionOf(surface, head.seq) >= 0)
  return {
    callers: here.filter((head) => head.type === 'assistant/message'),
    results: here.filter((head) => head.type === 'tool/result'),
  }
}

function pairFlaw(surface: Surface, id: string, { callers, results }: Pair): string | null {
  const [caller] = callers
  const [result] = results
  const twice = caller && callsOf(caller).filter((other) => other === id).length > 1
  if (callers.length > 1 || twice) return `call ${id} stands twice`
  if (results.length > 1) return `call ${id} is answered twice`
  if (!result) return null
  const isAnswer = caller && positionOf(surface, caller.seq) < positionOf(surface, result.seq)
  return isAnswer ? null : `result ${result.seq} answers no open call (${id})`
}

function newestAssistant(surface: Surface): Seq | undefined {
  for (let position = sizeOf(surface) - 1; position >= 0; position--) {
    const head = headAt(surface, position)
    if (head?.type === 'assistant/message') return head.seq
  }
  return undefined
}

const byCallOrder = (a: OpenCall, b: OpenCall): number => a.seq - b.seq

/** See `foldUsual`. */
function foldAppended(
  before: readonly OpenCall[],
  head: EventHead,
  occurrences: Occurrences,
): readonly OpenCall[] | null {
  if (head.type === 'user/message') return before
  const calls = callsOf(head)
  if (head.type === 'tool/result') {
    const [id] = calls
    return calls.length === 1 && before.some((call) => call.callId === id)
      ? before.filter((call) => call.callId !== id)
      : null
  }
  if (before.length > 0) return null
  if (calls.length === 0) return before
  if (calls.some((id) => occurrences(id).length > 1)) return null
  const { seq, names } = head
  return calls.map((callId, at) => ({ callId, name: names?.[at] ?? '', seq, started: false }))
}

/** Whether a run of nodes of a sound surface holds whole pairs only: every call with its answer. */
function isWhole(run: readonly EventHead[]): boolean {
  const open = new Set<string>()
  for (const head of run) {
    if (head.type === 'assistant/message') for (const id of callsOf(head)) open.add(id)
    else if (head.type === 'tool/result' && !open.delete(callsOf(head)[0] ?? '')) return false
  }
  return open.size === 0
}

/** See `foldUsual`: a result that goes on answering its call, or a message for whole pairs. */
function foldReplaced(
  before: readonly OpenCall[],
  head: EventHead,
  shadowed: readonly EventHead[],
): readonly OpenCall[] | null {
  if (head.type === 'user/message') return isWhole(shadowed) ? before : null
  if (head.type !== 'tool/result' || before.length > 0) return null
  const answers = [head, ...shadowed].map((result) => callsOf(result)[0])
  return answers.length === 2 && answers[0] === answers[1] ? before : null
}

/**
 * The open calls after a change of a sound surface, where they and the change tell that it is sound still:
 * the usual case, in which `foldPairing` answers the same. Null where the surface must be looked at.
 */
export function foldUsual(
  before: readonly OpenCall[],
  change: Change,
  occurrences: Occurrences,
): readonly OpenCall[] | null {
  if (change.kind === 'append') return foldAppended(before, change.head, occurrences)
  return change.kind === 'replace' ? foldReplaced(before, change.head, change.shadowed) : null
}

/**
 * The open calls of a surface that was sound until the nodes `touched` came or left, and what is
 * unsound about it now (P1). Looks at the ids of those nodes and at the calls open before (P3).
 */
export function foldPairing(
  before: readonly OpenCall[],
  surface: Surface,
  touched: readonly EventHead[],
  occurrences: Occurrences,
): { open: readonly OpenCall[]; flaw: string | null } {
  const ids = new Set(touched.flatMap(callsOf))
  const callsMayHaveAged = touched.some((head) => head.type !== 'user/message')
  if (ids.size === 0 && !(callsMayHaveAged && before.length > 0))
    return { open: before, flaw: null }
  const open = before.filter((call) => !ids.has(call.callId))
  let flaw: string | null = null
  for (const id of ids) {
    const pair = pairOn(surface, occurrences(id))
    flaw ??= pairFlaw(surface, id, pair)
    const [caller] = pair.callers
    if (!caller || pair.results.length > 0) continue
    const known = before.find((call) => call.callId === id && call.seq === caller.seq)
    const name = caller.names?.[callsOf(caller).indexOf(id)] ?? ''
    open.push(known ?? { callId: id, name, seq: caller.seq, started: false })
  }
  open.sort(byCallOrder)
  if (open.length > 0) {
    const newest = newestAssistant(surface)
    const aged = open.find((call) => call.seq !== newest)
    if (aged) flaw ??= `call ${aged.callId} of node ${aged.seq} is open behind a newer message`
  }
  return { open, flaw }
}
