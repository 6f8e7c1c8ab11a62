/** Two records of one request's work put together. */

import type { Memory } from './memory'

/** A record and the one of the stretch right after it, in which no new request was made. */
export function joinMemories(first: Memory, second: Memory): Memory {
  const isSamePart = second.part === null || second.part === first.part
  if (!isSamePart)
    return {
      ...second,
      request: first.request,
      requestLength: first.requestLength,
      earlier: first.earlier,
      constraints: [...first.constraints, ...second.constraints],
      decisions: [...first.decisions, ...second.decisions],
      readBefore: [
        ...first.readBefore,
        ...first.read.map(({ path }) => path),
        ...second.readBefore,
      ],
      changed: new Map([...first.changed, ...second.changed]),
      ran: [...first.ran, ...second.ran],
      errors: [...first.errors, ...second.errors],
    }
  const known = new Set(first.read.map(({ path }) => path))
  const fresh = second.read.filter(({ path }) => !known.has(path))
  const done = new Set([...known, ...fresh.map(({ path }) => path)])
  const left = first.left.filter((path) => !done.has(path))
  const last = fresh.at(-1)?.path
  const unnamed = fresh.length - (first.left.length - left.length)
  return {
    ...first,
    isAnswered: second.isAnswered,
    constraints: [...first.constraints, ...second.constraints],
    decisions: [...first.decisions, ...second.decisions],
    read: [...first.read, ...fresh],
    readBefore: [...first.readBefore, ...second.readBefore],
    changed: new Map([...first.changed, ...second.changed]),
    ran: [...first.ran, ...second.ran],
    errors: [...first.errors, ...second.errors],
    list: first.list && {
      ...first.list,
      done: first.list.done + fresh.length,
      last: last ?? first.list.last,
    },
    left,
    leftMore: Math.max(0, first.leftMore - unnamed),
    calls: first.calls + second.calls,
    lastWords: second.lastWords ?? first.lastWords,
    next: second.next ?? first.next,
  }
}
