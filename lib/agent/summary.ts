/** Asking a summariser: the same wire as chat (C15), shown as it writes. */

import { textOf } from '../core/message'
import type { RequestBody } from '../core/request'
import { err, ok, type Result } from '../core/result'
import type { Model, ModelError } from '../ports'
import { ask } from './ask'
import { createAssembler, type Reply } from './assemble'
import { createCallIds } from './call-ids'
import type { Session } from './session'
import type { Spending } from './spending'

/** One reply, with transport retries: half a summary is no reason not to ask again (C11). */
export async function askSummary(
  session: Session,
  { model, body }: { model: Model; body: RequestBody },
  { signal, spending }: { signal: AbortSignal; spending: Spending },
): Promise<Result<Reply, ModelError>> {
  const { deps, live } = session
  const fresh = () => createAssembler(createCallIds([]))
  let assembler = fresh()
  const show = (text: string) => {
    const { compaction } = live.current
    if (compaction) live.set({ compaction: { ...compaction, text }, retry: undefined })
  }
  const error = await ask({
    model,
    body,
    signal,
    clock: deps.clock,
    random: deps.random,
    onAttempt() {
      assembler = fresh()
      show('')
    },
    onEvent(event) {
      assembler.add(event)
      const connection = event.type === 'queued' ? ('queued' as const) : undefined
      if (connection !== live.current.connection) live.set({ connection })
      if (event.type === 'delta' && event.delta.type === 'text')
        show(textOf(assembler.partial().content))
    },
    started: () => false,
    async onFailed() {
      spending.cut(assembler.told())
      // A cancel that comes while it waits finds nothing to count again.
      assembler = fresh()
    },
    onWait({ ms, attempt, error: cause, skip }) {
      session.skipWait = skip
      live.set({ retry: { at: deps.clock.now() + ms, attempt, error: cause } })
    },
  })
  session.skipWait = null
  live.set({ retry: undefined, connection: undefined })
  if (error) spending.cut(assembler.told())
  return error ? err(error) : ok(assembler.reply())
}
