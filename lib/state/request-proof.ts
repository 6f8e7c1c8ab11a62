/** The request behind an event, rebuilt, and whether it is what was sent (Q5). */

import type { EventHead, Seq, SessionEvent } from '../core/event'
import type { History } from '../core/history'
import { callOf, requestAt } from '../core/request'
import type { HashJson } from '../ports'
import type { RequestProof } from './hooks'

type Read = (seq: Seq) => Promise<SessionEvent>

/**
 * Which version of the code derived the body of the call `call` belongs to: a compaction's own start
 * says it, for a step the header it was made with. Null where the log does not say.
 */
async function builderOf(
  heads: readonly EventHead[],
  call: Seq,
  read: Read,
): Promise<number | null> {
  const id = heads[call]?.compactionId
  const source = heads.findLast((head) =>
    id === undefined
      ? head.type === 'request/header' && head.seq < call
      : head.type === 'compact/start' && head.compactionId === id,
  )
  if (!source) return null
  const event = await read(source.seq)
  const isKnown = event.type === 'compact/start' || event.type === 'request/header'
  return isKnown ? (event.data.builder ?? null) : null
}

/** Null where nothing was sent at or before `seq`; rejects where the log cannot say what was. */
export async function proveRequest(
  heads: readonly EventHead[],
  read: Read,
  seq: Seq,
  hash: HashJson,
  history?: History,
): Promise<RequestProof | null> {
  const call = callOf(heads, seq)
  if (call < 0) return null
  const body = await requestAt(heads, read, seq, history)
  const event = await read(call)
  return {
    body,
    hash: await hash(body),
    recorded: 'requestHash' in event.data ? (event.data.requestHash ?? null) : null,
    builder: await builderOf(heads, call, read),
    seq: call,
  }
}
