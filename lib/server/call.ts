/** One model call for either door: ended when the server closes, and logged without content. */

import 'server-only'
import type { RequestBody } from '../core/request'
import type { ModelEvent } from '../ports'
import { failure } from '../providers/wire'
import { type CallRecord, writeLog } from './log'
import { isClosing, onShutdown } from './shutdown'
import { upstreamModel } from './upstream'

const RESTARTED = failure({
  code: 'restarted',
  message:
    'The Palimpsest server was shut down. What had arrived is kept; try again once it is back.',
})

/** The events of the reply; ends with exactly one `end` or `error` unless the reader leaves first. */
export async function* callModel(
  route: CallRecord['route'],
  { key, body }: { key: string | null; body: RequestBody },
  abort: AbortController,
): AsyncGenerator<ModelEvent> {
  if (isClosing()) {
    yield RESTARTED
    return
  }
  const begun = performance.now()
  const record: CallRecord = { route, outcome: 'gone', model: body.model, events: 0 }
  const since = () => Math.round(performance.now() - begun)
  const forget = onShutdown(() => abort.abort())
  try {
    for await (const event of upstreamModel(key).stream(body, abort.signal)) {
      record.firstMs ??= since()
      record.events = (record.events ?? 0) + 1
      if (event.type === 'end') Object.assign(record, { outcome: 'end', usage: event.usage })
      if (event.type === 'error')
        Object.assign(record, { outcome: event.error.code, status: event.error.status })
      const isCutShort = event.type === 'error' && event.error.code === 'cancelled' && isClosing()
      if (isCutShort) record.outcome = 'restarted'
      yield isCutShort ? RESTARTED : event
    }
  } finally {
    forget()
    writeLog({ ...record, ms: since() })
  }
}
