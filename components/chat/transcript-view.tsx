'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { transcriptLength, viewNodeAt } from '@/lib/core/projections/transcript'
import { useApp, useIsLive, useMoment, useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { isBusy } from './busy'
import { LiveRow } from './live-row'
import { Row } from './row'
import { estimateRow, lastRowAt, rowOf } from './rows'

/** Pixels from the end that still count as reading along. */
const NEAR_END = 64

/** The whole conversation in log order; only what is near the window exists. */
export function TranscriptView({
  scroller,
  found,
}: {
  scroller: HTMLDivElement | null
  /** Row that the find bar wants seen. */
  found: number | null
}) {
  'use no memo'
  const transcript = useSession((state) => state.transcript)
  const log = useSession((state) => state.log)
  const busy = useSession((state) => isBusy(state.live.phase))
  const length = transcriptLength(transcript)
  const count = length + (busy ? 1 : 0)
  const [atEnd, setAtEnd] = useState(true)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: (i) => (i < length ? estimateRow(viewNodeAt(transcript, i)!, log.heads) : 60),
    getItemKey: (i) => (i < length ? viewNodeAt(transcript, i)!.seq : 'live'),
    overscan: 5,
    paddingStart: 12,
    paddingEnd: 20,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: NEAR_END,
    onChange: (instance) => setAtEnd(instance.isAtEnd(NEAR_END)),
  })
  useScrolling(rows, scroller !== null, found)
  return (
    <>
      <div
        role="feed"
        aria-label="Conversation"
        aria-busy={busy}
        className="relative mx-auto w-full max-w-176 px-6 max-wide:px-4"
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map((item) => {
          const node = item.index < length ? viewNodeAt(transcript, item.index) : undefined
          return (
            <article
              key={item.key}
              ref={rows.measureElement}
              data-index={item.index}
              data-seq={node?.seq}
              data-kind={node?.kind ?? 'live'}
              aria-posinset={item.index + 1}
              aria-setsize={count}
              aria-label={node ? `${LABELS[node.kind]} #${node.seq}` : 'Now'}
              className="absolute inset-x-0 top-0 px-6 max-wide:px-4"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {node ? <Row index={item.index} /> : <LiveRow />}
            </article>
          )
        })}
      </div>
      {atEnd ? null : <JumpDown onClick={() => rows.scrollToEnd()} />}
    </>
  )
}

const LABELS = {
  turn: 'Turn',
  user: 'You',
  notice: 'Notice',
  assistant: 'Assistant',
  result: 'Tool result',
  compaction: 'Compaction',
  prune: 'Old results replaced',
  failure: 'Request failed',
  restore: 'Restored',
} as const

type Rows = ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>

/** Scrolls to what the playhead, the selection and the find bar point at; to the end at first. */
function useScrolling(rows: Rows, ready: boolean, found: number | null) {
  const transcript = useSession((state) => state.transcript)
  const node = useApp((state) => state.view.node)
  const live = useIsLive()
  const moment = useMoment()
  const started = useRef(false)
  const empty = transcriptLength(transcript) === 0
  const latest = useRef(transcript)
  latest.current = transcript

  useLayoutEffect(() => {
    if (!ready || empty || started.current) return
    started.current = true
    if (live && node === null) rows.scrollToEnd()
  }, [ready, empty, live, node, rows])

  // Only where the playhead is in the past; live, the list follows by itself.
  const past = live ? null : moment
  useEffect(() => {
    if (past === null || !ready) return
    const row = lastRowAt(latest.current, past)
    if (row >= 0) rows.scrollToIndex(row, { align: 'center' })
  }, [past, ready, rows])

  const wasLive = useRef(live)
  useEffect(() => {
    if (live && !wasLive.current) rows.scrollToEnd()
    wasLive.current = live
  }, [live, rows])

  useEffect(() => {
    if (node === null || !ready) return
    const row = rowOf(latest.current, node)
    if (row >= 0) rows.scrollToIndex(row, { align: 'auto' })
  }, [node, ready, rows])

  useEffect(() => {
    if (found !== null) rows.scrollToIndex(found, { align: 'center' })
  }, [found, rows])
}

function JumpDown({ onClick }: { onClick(): void }) {
  return (
    <div className="pointer-events-none sticky bottom-3 z-10 flex h-0 items-end justify-center">
      <Button
        className="pointer-events-auto animate-rise rounded-full bg-raised shadow-float"
        onClick={onClick}
      >
        <ArrowDown size={13} aria-hidden="true" />
        Newest
      </Button>
    </div>
  )
}
