'use client'

import { ChevronDown, Minus, Plus, ScanLine } from 'lucide-react'
import { Button, IconButton } from '@/components/ui/button'
import { count } from '@/components/ui/format'
import type { StrataLayout } from '@/lib/core/projections/strata-layout'
import type { Rows } from './camera'
import type { CameraControl } from './use-camera'

/** Shown while only a part is in sight: which part, and the way back. */
export function ZoomBar({
  control,
  layout,
  width,
}: {
  control: CameraControl
  layout: StrataLayout
  width: number
}) {
  const { camera } = control
  const total = Math.max(1, layout.total)
  return (
    <div className="absolute bottom-0 right-0 flex items-center gap-1 rounded-md border bg-raised px-1 py-0.5">
      <span aria-hidden="true" className="figure relative mx-1 h-1 w-20 rounded-full bg-active">
        <span
          className="absolute inset-y-0 min-w-1 rounded-full bg-ink2"
          style={{
            left: `${(camera.from / total) * 100}%`,
            width: `${((camera.to - camera.from) / total) * 100}%`,
          }}
        />
      </span>
      <IconButton
        size="sm"
        label="Zoom out"
        keys="-"
        onClick={() => control.zoomAt(width / 2, 0.6)}
      >
        <Minus size={13} />
      </IconButton>
      <IconButton size="sm" label="Zoom in" keys="+" onClick={() => control.zoomAt(width / 2, 1.6)}>
        <Plus size={13} />
      </IconButton>
      <IconButton size="sm" label="Show all" keys="0" onClick={control.whole}>
        <ScanLine size={13} />
      </IconButton>
    </div>
  )
}

/** More layers than fit: how many, and the way down to them. */
export function MoreBelow({ rows, control }: { rows: Rows; control: CameraControl }) {
  const hidden = rows.overflow - control.camera.scroll
  if (hidden <= 1) return null
  return (
    <Button
      size="sm"
      className="absolute bottom-0 left-0"
      onClick={() => control.panBy(0, rows.step * 4)}
    >
      <ChevronDown size={12} />
      {count(Math.ceil(hidden / rows.step), 'layer')} below
    </Button>
  )
}
