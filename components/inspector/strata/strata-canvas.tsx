'use client'

import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { cx } from '@/components/ui/cx'
import { exact } from '@/components/ui/format'
import type { Seq } from '@/lib/core/event'
import type { StrataLayout } from '@/lib/core/projections/strata-layout'
import { useActions, useApp, useSession } from '@/lib/state/hooks'
import { useCanvas, useSize } from '../canvas/use-canvas'
import { bracketsAt, doubtsOf, nodeOf, pinnedAt } from '../shared/indexes'
import { fitRows, xOf } from './camera'
import { drawStrata } from './draw-strata'
import { HoverCard } from './hover-card'
import { pressKey } from './keys'
import { titleOf } from './labels'
import { cutsOf, snapTo, type TopRange } from './range'
import { RangeBar } from './range-bar'
import { bandOf, bracketsOf } from './scene'
import { useCamera } from './use-camera'
import { useGestures } from './use-gestures'
import { useSinking } from './use-sinking'
import { MoreBelow, ZoomBar } from './zoom-bar'

type Props = {
  layout: StrataLayout
  range: TopRange | null
  onRange(range: TopRange | null): void
}

/** The picture itself: drawn, walked, zoomed, and chosen from. */
export function StrataCanvas({ layout, range, onRange }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const log = useSession((state) => state.log)
  const chosen = useApp((state) => state.view.node)
  const { select } = useActions()
  const selected = chosen === null ? null : nodeOf(log, chosen)
  const size = useSize(box)
  const width = size?.width ?? 0
  const pins = useMemo(() => pinnedAt(log, layout.at), [log, layout.at])
  const brackets = useMemo(() => bracketsOf(layout, bracketsAt(log, layout.at)), [log, layout])
  const snap = (one: number, other: number) => snapTo(cutsOf(layout, log.heads), one, other)
  const rows = fitRows(layout.rows, size?.height ?? 0, bandOf(brackets, pins.size > 0))
  const control = useCamera(layout.total, width, rows.overflow)
  const { camera } = control
  const sinking = useSinking(layout)
  const focus = (i: number) => control.focus(layout.left[i]!, layout.right[i]!)
  const { hover, panning } = useGestures(
    box,
    { layout, camera, rows, width, control, brackets },
    {
      onSelect(seq) {
        onRange(null)
        select(seq)
      },
      onFocus: focus,
      onRange: (one, other) => onRange(snap(one, other)),
    },
  )
  const scene = {
    layout,
    ...sinking,
    heads: log.heads,
    camera,
    rows,
    pins,
    brackets,
    doubts: doubtsOf(log),
    selected,
    hovered: hover?.seq ?? null,
    range,
  }
  useCanvas(canvas, size, drawStrata(scene))

  const index = selected === null ? -1 : (layout.indexBySeq[selected] ?? -1)
  const showSelected = useEffectEvent((_: Seq | null) => {
    if (index >= 0) control.reveal(layout.left[index]!, layout.right[index]!)
  })
  useEffect(() => showSelected(selected), [selected])

  const walk = (event: KeyboardEvent) => {
    const done = pressKey({
      event,
      layout,
      index,
      control,
      range,
      snap,
      onRange,
      select,
      focus,
      width,
    })
    if (done) event.preventDefault()
  }
  const head = index < 0 ? null : log.heads[selected!]
  return (
    <div className="relative h-full min-h-0">
      <div
        ref={box}
        role="application"
        aria-label="Strata: what the model sees, and beneath it what each node replaced"
        aria-describedby="strata-keys"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the picture is walked with the arrow keys
        tabIndex={0}
        data-testid="strata"
        data-nodes={layout.count}
        data-rows={layout.rows}
        data-at={layout.at}
        data-selected={selected ?? undefined}
        data-doubts={scene.doubts.size}
        data-from={camera.from}
        data-to={camera.to}
        data-total={layout.total}
        data-top={rows.top}
        data-step={rows.step}
        data-row={rows.height}
        onKeyDown={walk}
        className={cx(
          'h-full touch-pan-y select-none rounded-sm outline-offset-3',
          panning ? 'cursor-grabbing' : hover ? 'cursor-pointer' : 'cursor-default',
        )}
      >
        <canvas ref={canvas} className="pointer-events-none size-full" />
      </div>
      <p id="strata-keys" className="sr-only">
        Left and right walk along a row, down to what lies beneath, up to what lies over it. Shift
        with left and right chooses a range of the top row. Enter fills the view with the node,
        escape goes back, plus and minus zoom.
      </p>
      <p aria-live="polite" className="sr-only">
        {head ? `${titleOf(head)}, number ${head.seq}, ${exact(head.tokens)} tokens` : ''}
      </p>
      <MoreBelow rows={rows} control={control} />
      {control.zoomed ? <ZoomBar control={control} layout={layout} width={width} /> : null}
      {hover && !panning && !range ? (
        <HoverCard hover={hover} layout={layout} width={width} />
      ) : null}
      {range ? (
        <RangeBar
          layout={layout}
          range={range}
          onClose={() => {
            onRange(null)
            box.current?.focus()
          }}
          left={xOf(camera, layout.left[range.from]!, width)}
          right={xOf(camera, layout.right[range.to]!, width)}
          top={rows.top + rows.height + 10}
          width={width}
        />
      ) : null}
    </div>
  )
}
