/** Opening a session for writing: what a crash left is closed first. Rules R2, R3. */

import type { EventData } from '../core/event'
import type { Log } from '../core/log'
import { planRepair } from '../core/repair'
import type { Session } from './session'
import { must } from './writer'

export type OpenReason = EventData['session/open']['reason']

/** One transaction: the repair, then `session/open`; a stream row goes with it. */
export async function openForWriting(session: Session, reason?: OpenReason): Promise<void> {
  const { deps, log, writer } = session
  const row = await deps.journal.stream()
  await must(
    writer,
    () => [
      ...planRepair(log, row, deps.newId),
      {
        type: 'session/open',
        data: { writer: deps.newId(), reason: reason ?? defaultReason(log) },
      },
    ],
    { durability: 'strict', onFailure: 'fail', ...(row ? { endStream: true } : {}) },
  )
}

/** Whether a former writer left something open. What a foreign file left open was never running here. */
export function isCutOff({ header, heads, state }: Log): boolean {
  const isOurs = !header.origin || heads.some(({ type }) => type === 'session/open')
  return isOurs && (state.turn !== null || state.bracket !== null || state.openCalls.length > 0)
}

function defaultReason({ header, heads }: Log): OpenReason {
  const own = (header.parent?.seq ?? -1) + 1
  if (heads.some((head) => head.type === 'session/open' && head.seq >= own)) return 'resumed'
  if (header.parent) return 'forked'
  if (header.origin) return 'imported'
  return heads.length > 0 ? 'resumed' : 'created'
}
