/** The task in hand: what the newest request asks for, with all that was done for it. */

import { isGoOn } from './parts'
import { newTurn, type Turn } from './turns'

const isContinue = ({ request }: Turn) => request !== null && isGoOn(request)

/**
 * The newest turn; "go on" means the newest request that was something else, with its work and all
 * that came after it.
 */
export function taskOf(turns: readonly Turn[]): Turn {
  const last = turns.at(-1) ?? newTurn(null)
  const at = turns.findLastIndex((turn) => turn.request !== null && !isContinue(turn))
  if (!isContinue(last) || at < 0) return last
  const later = turns.slice(at)
  return {
    ...turns[at]!,
    steps: later.flatMap((turn) => turn.steps),
    said: later.flatMap((turn) => turn.said),
    memory: later.findLast((turn) => turn.memory !== null)?.memory ?? null,
    part: later.findLast((turn) => turn.part !== null)?.part ?? null,
    isAnswered: last.isAnswered,
  }
}
