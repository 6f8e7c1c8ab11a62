'use client'

import { X } from 'lucide-react'
import type { ExportRun } from '@/lib/state/export-model'
import { useActions, useApp } from '@/lib/state/hooks'
import { IconButton } from '../ui/button'
import { bytes } from '../ui/format'
import { Progress } from '../ui/spinner'

/** Files being written, each with how far it is and a way to end it. What is quick never shows. */
export function ExportProgress() {
  const exports = useApp((state) => state.exports)
  if (exports.length === 0) return null
  return (
    <div
      role="status"
      className="fixed right-3 top-13 z-50 flex w-72 max-w-[calc(100vw-24px)] flex-col gap-2"
    >
      {exports.map((run) => (
        <Run key={run.id} run={run} />
      ))}
    </div>
  )
}

function Run({ run: { id, name, bytes: size, share } }: { run: ExportRun }) {
  const { cancelExport } = useActions()
  return (
    <div className="animate-late rounded-lg border bg-raised p-2.5 shadow-float">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate">Writing {name}</span>
        <IconButton size="sm" label="Cancel the export" onClick={() => cancelExport(id)}>
          <X size={13} />
        </IconButton>
      </div>
      {share === null ? null : <Progress value={share} max={1} label={`Writing ${name}`} />}
      <p className="mono m-0 mt-1 text-ink3">{bytes(size)}</p>
    </div>
  )
}
