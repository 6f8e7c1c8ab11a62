/** All content of an event, string by string, and what is no content but the log's own shape. */

import { type Block, isKnown } from '../core/message'

/** Words of the log's own shape at these keys; content below `FREE` keys may have the same keys. */
const SHAPE = new Set([
  ...['type', 'op', 'kind', 'reason', 'trigger', 'cause', 'certainty', 'preset', 'when'],
  ...['keepTail', 'effort', 'hash', 'requestHash', 'code', 'sha256', 'source', 'surfaceOp'],
  // Signed or encrypted by a provider: changed by a bit they are worth nothing.
  ...['signature', 'data'],
])
const FREE = new Set(['input', 'input_schema'])

export type Visit = (text: string, field: string) => string

/** A number is content only where anything may stand: a code typed into a form, say. */
function visitNumber(value: number, visit: Visit, field: string): unknown {
  const text = String(value)
  const visited = visit(text, field)
  return visited === text ? value : visited
}

/** Every string of a value that is content, its keys too, passed through `visit`; the same value if none changed. */
export function walk(value: unknown, visit: Visit, field: string, isFree: boolean): unknown {
  if (typeof value === 'string') return visit(value, field)
  if (typeof value === 'number' && isFree) return visitNumber(value, visit, field)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list = value.map((one) => walk(one, visit, field, isFree))
    return list.every((one, index) => one === value[index]) ? value : list
  }
  // Of a block no one knows, everything is content.
  const isForeign = !isFree && /content$/.test(field) && 'type' in value && !isKnown(value as Block)
  const isAny = isFree || isForeign
  let changed = false
  const entries = Object.entries(value).map(([key, one]) => {
    if (!isAny && SHAPE.has(key) && typeof one === 'string') return [key, one]
    const name = isAny && key !== 'type' ? visit(key, field) : key
    const at = field === '' ? key : `${field}.${key}`
    const walked = walk(one, visit, at, isAny || FREE.has(key))
    changed ||= name !== key || walked !== one
    return [name, walked]
  })
  return changed ? Object.fromEntries(entries) : value
}
