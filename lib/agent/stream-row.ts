/** Keeps the stream row at most 500 ms behind what has arrived, one write at a time (R3). */

import type { Clock, Journal, StreamRow } from '../ports'

/** Longest age of text that a crash may cost, in milliseconds (R3). */
export const STREAM_ROW_MS = 500

export interface StreamSaver {
  /** Something arrived. */
  touch(): void
  /** No write is under way and none will follow. Call before the append that deletes the row. */
  close(): Promise<void>
}

/** A failing save is not reported: the append that follows meets the same journal and is. */
export function createStreamSaver(
  journal: Journal,
  clock: Clock,
  row: () => Omit<StreamRow, 'time'>,
): StreamSaver {
  const closed = new AbortController()
  let saving: Promise<void> | null = null
  let dirty = false

  async function run(): Promise<void> {
    while (dirty) {
      await clock.sleep(STREAM_ROW_MS, closed.signal)
      if (closed.signal.aborted) break
      dirty = false
      try {
        await journal.saveStream({ ...row(), time: clock.now() })
      } catch {}
    }
    saving = null
  }
  return {
    touch() {
      if (closed.signal.aborted) return
      dirty = true
      saving ??= run()
    },
    async close() {
      closed.abort()
      await saving
    },
  }
}
