/** The door for events and headers that were stored, imported or built elsewhere (L1–L3, L5, L6). */

import {
  type EventData,
  type EventHead,
  type EventType,
  LOG_VERSION,
  type SessionEvent,
  type SessionHeader,
} from './event'
import { placementFlaw } from './placement'
import { ok, type Refusal, type Result, refuse } from './result'
import { isRecord } from './schema'
import { isWellFormed } from './text'
import { HEADER_SHAPE, SHAPES } from './vocabulary'

/** Whether the type belongs to the vocabulary; an `ignorable` event may be of another (L6). */
export const isEventType = (type: string): type is EventType => SHAPES.has(type)

const ENVELOPE = new Set([
  ...['seq', 'time', 'type', 'data', 'surfaceOp', 'sourceEventSeqs', 'ignorable'],
])
const isSeq = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

type Envelope = { seq: number; time: number; type: string; data: unknown } & Record<string, unknown>

function envelopeFlaw(value: unknown): string | null {
  if (!isRecord(value)) return 'an event is not an object'
  if (!isSeq(value.seq)) return 'seq is not a whole number'
  if (!Number.isSafeInteger(value.time)) return `the time of ${value.seq} is not in milliseconds`
  if (typeof value.type !== 'string') return `the type of ${value.seq} is not a text`
  if (!Object.hasOwn(value, 'data')) return `event ${value.seq} has no data`
  if (Object.hasOwn(value, 'ignorable') && value.ignorable !== true) {
    return `ignorable of ${value.seq} is not true`
  }
  for (const key in value) {
    if (!ENVELOPE.has(key)) return `event ${value.seq} has an unknown key ${key}`
  }
  return null
}

function dataFlaw({ type, data, ignorable }: Envelope): string | null {
  const shape = SHAPES.get(type)
  const found = shape?.flaw(data)
  if (shape) return found ? `${type}${found}` : null
  return ignorable === true ? null : `${type} is no event of this version`
}

function placeFlaw(event: Envelope): Refusal | null {
  const { seq, time, type, surfaceOp, sourceEventSeqs, data } = event
  // Unread like this, the two fields are what `placementFlaw` exists to judge.
  const place = { seq, time, type, op: surfaceOp, sources: sourceEventSeqs } as EventHead
  const flaw = placementFlaw(place, seq)
  if (flaw || type !== 'surface/restore') return flaw
  const isSame = isRecord(data) && isRecord(surfaceOp) && surfaceOp.seq === data.replacementSeq
  return isSame ? null : refuse('S1', `restore ${seq} names two replacements`, seq).error
}

const LONE = 'a text holds a lone surrogate'

/** What is wrong with a value that holds no others. */
function scalarFlaw(value: unknown, isStrict: boolean): string | null {
  if (typeof value === 'string') return isWellFormed(value) ? null : LONE
  if (value === null || typeof value === 'boolean') return null
  if (!Number.isFinite(value)) return 'a value is not JSON'
  return isStrict && Object.is(value, -0) ? 'a value is a negative zero' : null
}

/** Levels looked at by recursion: what code writes is no deeper, and a stack of them is quick. */
const SHALLOW = 32

/**
 * Why a value is no JSON that survives storage (L5), or null. Text turns a negative zero into a plain one;
 * `isStrict` calls that a loss.
 */
function jsonFlaw(value: unknown, isStrict: boolean, depth = 0): string | null {
  if (typeof value !== 'object' || value === null) return scalarFlaw(value, isStrict)
  if (depth === SHALLOW) return deepFlaw(value, isStrict)
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const found = jsonFlaw(value[at], isStrict, depth + 1)
      if (found !== null) return found
    }
    return null
  }
  for (const key in value) {
    if (!isWellFormed(key)) return LONE
    const found = jsonFlaw((value as Record<string, unknown>)[key], isStrict, depth + 1)
    if (found !== null) return found
  }
  return null
}

/** The same without recursion: data may be deeper than any stack. */
function deepFlaw(root: object, isStrict: boolean): string | null {
  const left: unknown[] = [root]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) {
      const found = scalarFlaw(value, isStrict)
      if (found !== null) return found
    } else if (Array.isArray(value)) for (const member of value) left.push(member)
    else {
      for (const key of Object.keys(value)) {
        if (!isWellFormed(key)) return LONE
        left.push((value as Record<string, unknown>)[key])
      }
    }
  }
  return null
}

/** C1: the seqs say what is shadowed, and the range is their ends. A summary is judged where it stands. */
function rangeFlaw({ type, data }: Envelope): string | null {
  if (type !== 'compact/prune') return null
  const { shadowedRange, shadowedSeqs } = data as EventData['compact/prune']
  const isSame =
    shadowedRange.start === shadowedSeqs[0] && shadowedRange.end === shadowedSeqs.at(-1)
  return isSame || shadowedSeqs.length === 0 ? null : 'shadowedRange and shadowedSeqs disagree'
}

/** `folds`: whatever is wrong, its head can be made and stands where it may. */
export type Inspection = { flaw: Refusal | null; folds: boolean }

function flawed(rule: string, message: string, value: unknown, folds: boolean): Inspection {
  const seq = isRecord(value) && isSeq(value.seq) ? value.seq : undefined
  return { flaw: refuse(rule, message, seq).error, folds }
}

function inspect(value: unknown, isStrict: boolean): Inspection {
  const envelope = envelopeFlaw(value)
  if (envelope !== null) return flawed('L2', envelope, value, false)
  const event = value as Envelope
  const data = dataFlaw(event)
  if (data !== null) return flawed('L3', data, value, false)
  const place = placeFlaw(event)
  if (place) return { flaw: place, folds: false }
  const text = jsonFlaw(event.data, isStrict)
  if (text !== null) return flawed('L5', text, value, true)
  const range = isStrict ? rangeFlaw(event) : null
  return range === null ? SOUND : flawed('C1', range, value, true)
}

const SOUND: Inspection = { flaw: null, folds: true }

/** Everything wrong with an event by itself: what `parseEvent` refuses, and what only a new event may not say. */
export const inspectEvent = (value: unknown): Inspection => inspect(value, true)

/**
 * Reads an event from outside. Refuses by L2 (envelope), L3 (type and data), S1 and S4 (place), L5
 * (JSON, Unicode). An event of an unknown type passes when it is `ignorable` (L6): test `isEventType`
 * before a `switch` where that can matter.
 */
export function parseEvent(value: unknown): Result<SessionEvent, Refusal> {
  const { flaw } = inspect(value, false)
  return flaw ? { ok: false, error: flaw } : ok(value as SessionEvent)
}

/** Reads a session header from outside. Refuses by L6 (a newer version, said as such) and L1. */
export function parseHeader(value: unknown): Result<SessionHeader, Refusal> {
  const version = isRecord(value) ? value.version : undefined
  if (isSeq(version) && version > LOG_VERSION) {
    return refuse(
      'L6',
      `written by a newer version (${version}, this program reads ${LOG_VERSION})`,
    )
  }
  const flaw = HEADER_SHAPE.flaw(value) ?? jsonFlaw(value, false)
  return flaw ? refuse('L1', `the header: ${flaw}`) : ok(value as SessionHeader)
}
