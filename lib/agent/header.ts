/** The header requests are made with: what the log says, and what the user has chosen since. Rules Q1, Q3. */

import type { EventOf, RequestHeader } from '../core/event'
import { type Reading, readMeter } from '../core/meter'
import { thresholdOf } from '../core/policy'
import { BUILDER } from '../core/request'
import { canonicalJson } from '../core/text'
import type { Session } from './session'
import { must } from './writer'

/** The header the log ends with, or null before the first. */
export async function currentHeader(session: Session): Promise<RequestHeader | null> {
  const seq = session.log.state.headerSeq
  if (seq === null) return null
  const [event] = await session.bodies.read([seq])
  return (event as EventOf<'request/header'>).data
}

/** Its system prompt was typed like any text, and is made well-formed like it (L5). */
export function wantedHeader({ deps }: Session): RequestHeader {
  const header = deps.header()
  return { ...header, system: header.system.toWellFormed(), builder: BUILDER }
}

/** Writes the wanted header if the log ends with another; the header in force. */
export async function settleHeader(session: Session): Promise<RequestHeader> {
  const wanted = wantedHeader(session)
  const current = await currentHeader(session)
  if (current && sameHeader(current, wanted)) return current
  await must(session.writer, [{ type: 'request/header', data: wanted }])
  return wanted
}

export const sameHeader = (a: RequestHeader, b: RequestHeader): boolean =>
  canonicalJson(a) === canonicalJson(b)

/** The reading now, judged as if `header` were in force. */
export function readingFor({ log }: Session, header: RequestHeader): Reading {
  const { contextWindow, policy, params } = header
  return {
    ...readMeter(log),
    window: contextWindow,
    threshold: thresholdOf(policy, contextWindow, params.max_tokens),
    maxTokens: params.max_tokens,
  }
}
