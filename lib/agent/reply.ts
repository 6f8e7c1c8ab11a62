/** Streams one reply of a step into the live state and the stream row. Rules R3; retries in ask.ts. */

import type { DraftOf } from '../core/event'
import type { RequestBody } from '../core/request'
import type { ModelError } from '../ports'
import { ask } from './ask'
import { createAssembler, type Reply } from './assemble'
import type { Place } from './calls'
import type { StepContext } from './step'
import { createStreamSaver } from './stream-row'
import { must } from './writer'

export type Received = {
  /** As far as it came. */
  reply: Reply
  /** What ended it early. */
  error: ModelError | null
  /** The number of the attempt that ended it, from 1. */
  attempt: number
  /** Something arrived, so there may be a stream row. */
  hasStreamed: boolean
}

/** Asks until a reply comes or hope is lost; every failed attempt is in the log. */
export async function receiveReply(
  { session, place, header, signal }: StepContext,
  body: RequestBody,
): Promise<Received> {
  const { deps, live, writer } = session
  const { provider, model } = header
  let assembler = createAssembler(session.ids)
  let newest = 1
  const saver = createStreamSaver(deps.journal, deps.clock, () => ({
    ...place,
    provider,
    model,
    content: assembler.reply().content,
  }))
  const error = await ask({
    model: deps.model(provider),
    body,
    signal,
    clock: deps.clock,
    random: deps.random,
    onAttempt(attempt) {
      newest = attempt
      assembler = createAssembler(session.ids)
      live.set({ ...WAITING, content: [], typing: undefined, retry: undefined })
    },
    onEvent(event) {
      assembler.add(event)
      if (event.type === 'queued') live.set({ connection: 'queued' })
      else if (live.current.connection) live.set(WAITING)
      if (!assembler.started) return
      live.set({ phase: 'streaming', typing: undefined, ...assembler.partial() })
      saver.touch()
    },
    started: () => assembler.started,
    async onFailed(failure, attempt) {
      if (assembler.started) await saver.close()
      await must(writer, [failedDraft(place, attempt, failure)])
    },
    onWait({ ms, attempt, error: cause, skip }) {
      session.skipWait = skip
      live.set({ phase: 'retrying', retry: { at: deps.clock.now() + ms, attempt, error: cause } })
    },
  })
  session.skipWait = null
  await saver.close()
  live.set({ retry: undefined, typing: undefined, connection: undefined })
  return { reply: assembler.reply(), error, attempt: newest, hasStreamed: assembler.started }
}

const WAITING = { phase: 'waiting', connection: undefined } as const

export const failedDraft = (
  place: Place,
  attempt: number,
  error: ModelError,
): DraftOf<'request/failed'> => ({ type: 'request/failed', data: { ...place, attempt, error } })
