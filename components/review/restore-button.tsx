'use client'

import { History } from 'lucide-react'
import { useState } from 'react'
import type { Seq } from '@/lib/core/event'
import type { RestorePreview } from '@/lib/core/restore'
import { useActions, useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { count, exact, short } from '../ui/format'
import { Popover } from '../ui/popover'

/** Takes a checkpoint or a pruned result off the surface, after it has been said what that comes to (S7). */
export function RestoreButton({ seq, title }: { seq: Seq; title?: string }) {
  const writer = useSession((state) => state.role === 'writer')
  return (
    <Popover
      label={`Restore #${seq}`}
      align="end"
      trigger={
        <Button size="sm" disabled={!writer} title={title}>
          <History size={12} aria-hidden="true" />
          Restore
        </Button>
      }
    >
      {(close) => <Preview seq={seq} onDone={close} />}
    </Popover>
  )
}

function Preview({ seq, onDone }: { seq: Seq; onDone(): void }) {
  const actions = useActions()
  // What it comes to changes with the log.
  const [preview] = useState(() => actions.restorePreview(seq))
  const [isRunning, setRunning] = useState(false)
  if (!preview) return null
  const restore = async () => {
    setRunning(true)
    await actions.restore(seq)
    onDone()
  }
  return (
    <div className="flex flex-col gap-2.5">
      {preview.refusal ? (
        <p role="alert" className="m-0">
          <b className="font-semibold">It cannot be restored.</b> {preview.refusal.message}
        </p>
      ) : (
        <Consequences preview={preview} seq={seq} />
      )}
      <div className="flex justify-end gap-2">
        <Button size="sm" onClick={onDone}>
          Cancel
        </Button>
        {preview.refusal ? null : (
          <Button size="sm" tone="primary" disabled={isRunning} onClick={() => void restore()}>
            {preview.isAboveWindow ? 'Put it back anyway' : 'Put it back'}
          </Button>
        )}
      </div>
    </div>
  )
}

function Consequences({ preview, seq }: { preview: RestorePreview; seq: Seq }) {
  const { returns, before, after, window, threshold, path } = preview
  const of = window === undefined ? '' : ` of ${short(window)}`
  return (
    <>
      <p className="m-0">
        <b className="font-semibold" title={`${exact(before)} → ${exact(after)} tokens`}>
          Back to {short(after)}
          {of}
        </b>
        , from {short(before)} now. {count(returns.length, 'node')}{' '}
        {returns.length === 1 ? 'comes' : 'come'} back in place of #{seq}; later messages stay.
      </p>
      {path.length > 1 ? (
        <p className="m-0 text-ink2">
          {path.length - 1 === 1
            ? 'A later summary has'
            : `${path.length - 1} later summaries have`}{' '}
          taken it in: {path.map((layer) => `#${layer}`).join(', ')} are taken off with it, and one
          undo puts them all back.
        </p>
      ) : null}
      {preview.isAboveWindow ? (
        <p role="alert" className="m-0 text-err-ink">
          No request would fit the window any more. Choose a larger model first, or compact
          something else.
        </p>
      ) : preview.isAboveThreshold ? (
        <p className="m-0 text-ink2">
          That is above {short(threshold ?? 0)}, where compaction begins. It takes other messages
          then: what comes back is spared until you unpin it.
        </p>
      ) : null}
    </>
  )
}
