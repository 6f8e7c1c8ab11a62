'use client'

import { useMemo } from 'react'
import { create } from 'zustand'
import type { Seq } from '@/lib/core/event'
import type { Log } from '@/lib/core/log'
import { type Transcript, viewNodeAt } from '@/lib/core/projections/transcript'
import { nodesOf } from '@/lib/core/surface'
import { useSession } from '@/lib/state/hooks'
import { rowOf } from './rows'
import { useSettledPast } from './settled-past'

/** Whether the chat shows the whole conversation or only what the model sees. Not in the URL, not stored. */
export const useChatView = create<{ model: boolean }>()(() => ({ model: false }))

/** Rows of the transcript that show the surface of a moment, in the order the model reads them. */
export function modelRows(transcript: Transcript, log: Pick<Log, 'heads' | 'history'>, at: Seq) {
  const rows: number[] = []
  const known = new Set<number>()
  for (const seq of at < 0 ? [] : nodesOf(log.history.surfaceAt(at))) {
    const row = rowOf(transcript, seq)
    // A result stands in the row of its call, and its replacement too.
    const isInCall =
      log.heads[seq]!.type === 'tool/result' && viewNodeAt(transcript, row)?.kind !== 'result'
    if (row < 0 || isInCall || known.has(row)) continue
    known.add(row)
    rows.push(row)
  }
  return rows
}

/** The rows of the model's view at the moment the chat shows; null while the whole conversation is shown. */
export function useModelRows(): number[] | null {
  const model = useChatView((state) => state.model)
  const transcript = useSession((state) => state.transcript)
  const log = useSession((state) => state.log)
  const newest = useSession((state) => state.version - 1)
  const at = useSettledPast() ?? newest
  return useMemo(
    () => (model ? modelRows(transcript, log, at) : null),
    [model, transcript, log, at],
  )
}
