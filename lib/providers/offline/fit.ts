/** A memory made to fit its budget: what matters least for going on goes first. */

import { estimateText } from '../../core/price'
import { cutText } from './cite'
import { type Memory, writeMemory } from './memory'

type Cut = (memory: Memory) => Memory

const newestOf = <T>(items: readonly T[], many: number): T[] =>
  many === 0 ? [] : items.slice(-many)

/** The first request says what a session is about; of the others the newest matter. */
const requests = (memory: Memory, many: number): Memory['earlier'] =>
  memory.earlier.length <= many
    ? memory.earlier
    : [memory.earlier[0]!, ...newestOf(memory.earlier.slice(1), many - 1)]

const withLeft = (memory: Memory, many: number): Memory => ({
  ...memory,
  left: memory.left.slice(0, many),
  leftMore: memory.leftMore + Math.max(0, memory.left.length - many),
})

/** Without quotes for the oldest files; a path is worth more than what it opens with. */
const withCites = (memory: Memory, many: number): Memory => ({
  ...memory,
  read: memory.read.map((note, at) =>
    at >= memory.read.length - many ? note : { ...note, cite: null, lines: null },
  ),
})

const withRequest = (memory: Memory, units: number): Memory => {
  if (memory.request === null || memory.request.length <= units) return memory
  return {
    ...memory,
    request: cutText(memory.request, units),
    requestLength: memory.requestLength ?? memory.request.length,
  }
}

/** What goes first when a summary is too long, in this order. */
const CUTS: Cut[] = [
  (memory) => ({
    ...memory,
    decisions: newestOf(memory.decisions, 6),
    errors: newestOf(memory.errors, 5),
    ran: newestOf(memory.ran, 6),
  }),
  (memory) => ({
    ...memory,
    earlier: requests(memory, 8),
    constraints: newestOf(memory.constraints, 8),
  }),
  (memory) => ({ ...memory, readBefore: newestOf(memory.readBefore, 20) }),
  (memory) => ({
    ...memory,
    decisions: newestOf(memory.decisions, 3),
    errors: newestOf(memory.errors, 2),
    ran: newestOf(memory.ran, 3),
  }),
  (memory) => ({
    ...memory,
    earlier: requests(memory, 4),
    readBefore: newestOf(memory.readBefore, 8),
  }),
  (memory) => withLeft(memory, 25),
  (memory) => withCites(memory, 16),
  (memory) => ({
    ...memory,
    read: newestOf(memory.read, 40),
    changed: new Map(newestOf([...memory.changed], 12)),
  }),
  (memory) => ({
    ...memory,
    constraints: newestOf(memory.constraints, 4),
    decisions: newestOf(memory.decisions, 1),
    lastWords: null,
  }),
  (memory) => withCites(memory, 8),
  (memory) => withLeft({ ...memory, read: newestOf(memory.read, 20) }, 10),
  (memory) => ({
    ...memory,
    earlier: requests(memory, 2),
    readBefore: [],
    ran: [],
    errors: newestOf(memory.errors, 1),
  }),
  (memory) => withRequest(memory, 400),
  (memory) => withCites(withLeft({ ...memory, read: newestOf(memory.read, 8) }, 5), 2),
  (memory) => ({
    ...memory,
    earlier: [],
    decisions: [],
    errors: [],
    constraints: newestOf(memory.constraints, 1),
  }),
  (memory) =>
    withRequest(
      { ...memory, constraints: [], changed: new Map(newestOf([...memory.changed], 3)) },
      120,
    ),
  (memory) => withCites(withLeft({ ...memory, read: newestOf(memory.read, 2) }, 1), 0),
]

/** The text of a memory within `budget` tokens (M1), or the shortest there is. */
export function fitWithin(memory: Memory, titles: readonly string[], budget: number): string {
  let lean = memory
  let text = writeMemory(lean, titles)
  for (const cut of CUTS) {
    if (estimateText(text) <= budget) break
    lean = cut(lean)
    text = writeMemory(lean, titles)
  }
  return text
}
