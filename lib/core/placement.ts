/** What one head may say about its place, before any surface is asked (L1, L2, S1, S4, S5). */

import { type EventHead, isSurfaceType, type Seq, type SurfaceOp } from './event'
import { type Refusal, refuse } from './result'
import { isRecord } from './schema'

const isSeq = (value: unknown): value is Seq => Number.isSafeInteger(value) && Number(value) >= 0

const flaw = (rule: string, message: string, seq: Seq): Refusal => refuse(rule, message, seq).error

function isSurfaceOp(op: unknown): op is SurfaceOp {
  if (op === 'append') return true
  const keys = isRecord(op) ? Object.keys(op) : []
  return (
    isRecord(op) && keys.length === 3 && op.op === 'replace' && isSeq(op.start) && isSeq(op.end)
  )
}

const isRestoreOp = (op: unknown): boolean =>
  isRecord(op) && Object.keys(op).length === 2 && op.op === 'restore' && isSeq(op.seq)

function opFlaw({ seq, type }: EventHead, op: EventHead['op']): Refusal | null {
  if (op === 'append' && isSurfaceType(type)) return null
  if (isSurfaceType(type)) {
    if (op === undefined) return flaw('S1', `${type} ${seq} says no place on the surface`, seq)
    return isSurfaceOp(op) ? null : flaw('S1', `${type} ${seq} has an invalid surfaceOp`, seq)
  }
  if (type === 'surface/restore') {
    return isRestoreOp(op) ? null : flaw('S1', `restore ${seq} has an invalid surfaceOp`, seq)
  }
  return op === undefined ? null : flaw('L2', `${type} ${seq} cannot carry a surfaceOp`, seq)
}

function sourcesFlaw(head: EventHead): Refusal | null {
  const { sources } = head
  if (sources === undefined) return null
  const { seq, type } = head
  if (!isSurfaceType(type)) return flaw('L2', `${type} ${seq} cannot carry sourceEventSeqs`, seq)
  if (!Array.isArray(sources) || !sources.every(isSeq)) {
    return flaw('S4', `the sources of ${seq} are not a list of seqs`, seq)
  }
  if (sources.length === 0 && type !== 'assistant/message') {
    return flaw('S4', `the sources of ${seq} are empty`, seq)
  }
  if (sources.some((source) => source >= seq)) {
    return flaw('S4', `the sources of ${seq} are not all earlier`, seq)
  }
  if (sources.length > 1 && new Set(sources).size < sources.length) {
    return flaw('S4', `the sources of ${seq} repeat themselves`, seq)
  }
  return null
}

/** Whether the head may stand at index `expected` of a log (L1, L2, S1, S4). */
export function placementFlaw(head: EventHead, expected: Seq): Refusal | null {
  if (head.seq !== expected) {
    return flaw('L1', `seq ${head.seq} stands where ${expected} is due`, expected)
  }
  return opFlaw(head, head.op) ?? sourcesFlaw(head)
}

/** Whether the head may replace these nodes, given in surface order (S4, S5). */
export function replaceFlaw(head: EventHead, shadowed: readonly EventHead[]): Refusal | null {
  const sources = new Set(head.sources)
  const missing = shadowed.find((node) => !sources.has(node.seq))
  if (missing) {
    return flaw('S4', `the sources of ${head.seq} miss node ${missing.seq}`, head.seq)
  }
  if (head.type !== 'tool/result') return null
  const only = shadowed[0]
  if (shadowed.length !== 1 || only?.type !== 'tool/result') {
    return flaw('S5', `tool/result ${head.seq} replaces more or other than one result`, head.seq)
  }
  return only.frame === head.frame
    ? null
    : flaw('S5', `tool/result ${head.seq} changes more than the content of ${only.seq}`, head.seq)
}
