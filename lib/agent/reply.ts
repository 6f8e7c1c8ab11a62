/** Streams one reply of a step into the live state and the stream row. Rules R3; retries in ask.ts. */

import type { DraftOf, RequestHeader } from '../core/event'
import type { RequestBody } from '../core/request'
import type { ModelError } from '../ports'
import { ask } from './ask'
import { createAssembler, type Reply } from './assemble'
import type { Place } from './calls'
import type { Session } from './session'
import { createStreamSaver } from './stream-row'
import { must } from './writer'

/** The reply as far as it came, and what ended it early; every failed attempt is in the log. */
export async function receiveReply(
  session: Session,
  place: Place,
  header: RequestHeader,
  body: RequestBody,
  signal: AbortSignal,
): Promise<{ reply: Reply; error: ModelError | null }> {
  const { deps, live, writer } = session
  const { provider, model } = header
  let assembler = createAssembler(session.ids)
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
    onAttempt() {
      assembler = createAssembler(session.ids)
      live.set({ phase: 'waiting', content: [], typing: undefined, retry: undefined })
    },
    onEvent(event) {
      assembler.add(event)
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
  live.set({ retry: undefined, typing: undefined })
  return { reply: assembler.reply(), error }
}

export const failedDraft = (
  place: Place,
  attempt: number,
  error: ModelError,
): DraftOf<'request/failed'> => ({ type: 'request/failed', data: { ...place, attempt, error } })
