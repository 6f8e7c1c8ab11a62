/** A turn as far as one part of its request goes: its calls, its words, what a record tells of it. */

import { headingsIn } from './heading'
import type { Turn } from './turns'

/** What was said for a part: between its heading and the next. */
function saidFor(turn: Turn, part: number): string[] {
  const said: string[] = []
  const first = turn.said.flatMap(headingsIn)[0]
  // Each part names itself as it begins, so what stands before a heading belongs to the one before.
  let current = first ? first.part - 1 : (turn.part ?? 1)
  for (const text of turn.said) {
    let from = 0
    for (const heading of [...headingsIn(text), null]) {
      const piece = text.slice(from, heading?.from).trim()
      if (current === part && piece !== '') said.push(piece)
      if (heading) [current, from] = [heading.part, heading.to]
    }
  }
  return said
}

/** Everything of `turn` that belongs to `part`. A turn whose request has one part is that part. */
export function partView(turn: Turn, part: number): Turn {
  if (turn.part === null) return part === 1 ? turn : { ...turn, steps: [], said: [], memory: null }
  return {
    ...turn,
    part,
    steps: turn.steps.filter((step) => (step.part ?? turn.memory?.part ?? 1) === part),
    said: saidFor(turn, part),
    memory: turn.memory && (turn.memory.part ?? 1) === part ? turn.memory : null,
  }
}
