/** The summary row as a fold of what is appended: what the list shows without reading a log (L7). */

import type { SessionEvent, SessionHeader } from '../core/event'
import type { History } from '../core/history'
import { assertNever } from '../core/result'
import { isEventType } from '../core/shape'
import { type SessionRow, SPARKLINE_POINTS, type WriterRow } from './rows'

export const newSessionRow = (header: SessionHeader): SessionRow => ({
  id: header.id,
  header,
  title: '',
  counts: { events: 0, compactions: 0 },
  sparkline: [],
  createdAt: header.createdAt,
  updatedAt: header.createdAt,
  length: 0,
  size: 0,
})

/** `sealed`: events that are in segments from the start. */
export const newWriterRow = (sessionId: string, sealed: number): WriterRow => ({
  sessionId,
  epoch: 0,
  sealed,
  ahead: false,
})

function foldEvent(row: SessionRow, event: SessionEvent): void {
  switch (event.type) {
    case 'session/title':
      row.title = event.data.title
      return
    case 'request/header':
      row.model = event.data.model
      return
    case 'compact/summary':
      row.counts.compactions += 1
      return
    case 'session/open':
    case 'turn/start':
    case 'turn/end':
    case 'step/start':
    case 'step/end':
    case 'request/failed':
    case 'user/message':
    case 'assistant/message':
    case 'tool/call':
    case 'tool/result':
    case 'compact/start':
    case 'compact/window':
    case 'compact/draft':
    case 'compact/end':
    case 'compact/prune':
    case 'pin/set':
    case 'surface/restore':
      return
    default:
      assertNever(event)
  }
}

const sizeOf = (events: readonly SessionEvent[]): number =>
  events.reduce((sum, event) => sum + JSON.stringify(event).length, 0)

/** The row after `events`, which continue its log; `size` of their JSON where it is known already. */
export function foldSummary(
  row: SessionRow,
  events: readonly SessionEvent[],
  size?: number,
): SessionRow {
  const last = events.at(-1)
  if (!last) return row
  const next = { ...row, counts: { ...row.counts } }
  for (const event of events) if (isEventType(event.type)) foldEvent(next, event)
  next.length = last.seq + 1
  next.counts.events = next.length
  next.updatedAt = last.time
  if (row.size !== undefined) next.size = row.size + (size ?? sizeOf(events))
  return next
}

/** The token curve of a log of `length` events, thinned to at most 60 points; the newest is kept. */
export function sparklineOf(history: History, length: number): number[] {
  const points = Math.min(length, SPARKLINE_POINTS)
  return Array.from({ length: points }, (_, point) =>
    history.tokensAt(Math.ceil(((point + 1) * length) / points) - 1),
  )
}
