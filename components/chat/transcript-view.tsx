'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { startTransition, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { transcriptLength, viewNodeAt } from '@/lib/core/projections/transcript'
import { useApp, useSession } from '@/lib/state/hooks'
import { useScreen } from '../shell/screen'
import { Button } from '../ui/button'
import { isBusy } from './busy'
import { useModelRows } from './chat-view'
import { LiveRow } from './live-row'
import { Row } from './row'
import { estimateRow, lastRowAt, rowOf } from './rows'
import { useSettledPast } from './settled-past'
import { distance, NEAR, useStick } from './use-stick'

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
  // A reply that could not be stored is nowhere but here.
  const live = useSession(({ live }) => isBusy(live.phase) || live.content.length > 0)
  const model = useModelRows()
  const length = model ? model.length : transcriptLength(transcript)
  const rowAt = (i: number) => (model ? model[i]! : i)
  const nodeAt = (i: number) => viewNodeAt(transcript, rowAt(i))!
  const count = length + (live ? 1 : 0)
  // The same function while the rows are the same: for another one every row of the list is placed anew.
  const keyAt = useCallback(
    (i: number) => (i < length ? viewNodeAt(transcript, model ? model[i]! : i)!.seq : 'live'),
    [transcript, model, length],
  )
  const rows: Rows = useVirtualizer<HTMLDivElement, Element>({
    count,
    getScrollElement: () => scroller,
    estimateSize: (i) => (i < length ? estimateRow(nodeAt(i), log.heads) : 60),
    getItemKey: keyAt,
    overscan: useOverscan(),
    paddingStart: 12,
    paddingEnd: 20,
    // The first render is of the newest rows, before the window is measured.
    initialRect: { width: 0, height: innerHeight * SHARE },
    initialOffset: () => Math.max(0, rows.getTotalSize() - innerHeight * SHARE),
  })
  const stick = useStick(scroller)
  useScrolling(rows, stick, scroller, found, model)
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
          const node = item.index < length ? nodeAt(item.index) : undefined
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
              {node ? <Row index={rowAt(item.index)} /> : <LiveRow />}
            </article>
          )
        })}
      </div>
      {stick.away ? <JumpDown onClick={stick.toEnd} /> : null}
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

/** Of the window's height, about what is left to the conversation. */
const SHARE = 2 / 3

/** Rows kept beyond the window: one while the first of them are waited for, then enough to scroll into. */
function useOverscan(): number {
  const [overscan, setOverscan] = useState(1)
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setOverscan(5)), 100)
    return () => clearTimeout(timer)
  }, [])
  return overscan
}

/** Pixels of a row that make it seen. */
const SLIVER = 24

type Rows = ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>

/** Scrolls to what the playhead, the selection and the find bar point at. */
function useScrolling(
  rows: Rows,
  stick: ReturnType<typeof useStick>,
  scroller: HTMLElement | null,
  found: number | null,
  /** The rows of the model's view, or null. */
  model: readonly number[] | null,
) {
  const transcript = useSession((state) => state.transcript)
  const node = useApp((state) => state.view.node)
  const latest = useRef(transcript)
  latest.current = transcript

  const isSeen = (row: number): boolean => {
    const item = rows.getVirtualItems().find(({ index }) => index === row)
    if (!scroller || !item) return false
    const top = scroller.scrollTop
    return item.end > top + SLIVER && item.start < top + scroller.clientHeight - SLIVER
  }
  const show = useEffectEvent((wanted: number, when: 'always' | 'unseen') => {
    const row = model ? model.indexOf(wanted) : wanted
    if (row < 0 || transcriptLength(latest.current) === 0) return
    // What was clicked here, or can be seen anyway, stays where it is.
    if (when === 'unseen' && isSeen(row)) return
    stick.stuck.current = false
    rows.scrollToIndex(row, { align: 'center' })
    // A row in view at the end moves nothing, and the reader is still reading along.
    requestAnimationFrame(() => {
      if (scroller && distance(scroller) <= NEAR) stick.stuck.current = true
    })
  })
  const toEnd = useEffectEvent(stick.toEnd)
  const ready = scroller !== null

  // Only where the playhead is in the past; live, the list follows by itself.
  const past = useSettledPast()
  const wasPast = useRef(false)
  useEffect(() => {
    if (!ready) return
    if (past !== null) show(Math.max(0, lastRowAt(latest.current, past)), 'always')
    else if (wasPast.current) toEnd()
    wasPast.current = past !== null
  }, [past, ready])

  useEffect(() => {
    if (node !== null && ready) show(rowOf(latest.current, node), 'unseen')
  }, [node, ready])

  const sent = useScreen((state) => state.sent)
  const sentBefore = useRef(sent)
  useEffect(() => {
    if (sent !== sentBefore.current) toEnd()
    sentBefore.current = sent
  }, [sent])

  useEffect(() => {
    if (found !== null) show(found, 'always')
  }, [found])
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
