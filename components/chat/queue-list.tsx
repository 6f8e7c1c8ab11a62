'use client'

import { CornerDownRight, Pin, X } from 'lucide-react'
import { textOf } from '@/lib/core/message'
import { useActions, useSession } from '@/lib/state/hooks'
import { Button, IconButton } from '../ui/button'
import { firstLine } from '../ui/format'

/** Messages typed while the agent works, in the order they will be sent. */
export function QueueList() {
  const queue = useSession((state) => state.queue)
  const held = useSession((state) => state.live.held)
  const writer = useSession((state) => state.role === 'writer')
  const { sendNow, unqueue } = useActions()
  if (queue.length === 0) return null
  return (
    <section aria-label="Queued messages" className="mb-2 rounded-lg border bg-panel">
      <p className="m-0 border-b px-3 py-1 text-xs text-ink2">
        {writer
          ? held
            ? 'Waiting for you: the last turn was stopped.'
            : 'Sent when the model is done.'
          : 'Waiting in the tab that writes this session.'}
      </p>
      <ul className="m-0 max-h-40 list-none overflow-y-auto p-0">
        {queue.map((message) => (
          <li key={message.id} className="flex items-center gap-2 py-1 pl-3 pr-1.5">
            <CornerDownRight size={13} className="shrink-0 text-ink3" aria-hidden="true" />
            <span className="min-w-0 flex-1 truncate">
              {firstLine(textOf(message.content), 160) || 'An attachment'}
            </span>
            {message.keep ? (
              <Pin size={11} aria-label="will be pinned" className="shrink-0 text-ink2" />
            ) : null}
            {message.sendNow ? (
              <span className="text-xs text-ink2">goes before the next step</span>
            ) : (
              <Button size="sm" disabled={!writer} onClick={() => void sendNow(message.id)}>
                Send now
              </Button>
            )}
            <IconButton
              size="sm"
              label="Remove from the queue"
              disabled={!writer}
              onClick={() => void unqueue(message.id)}
            >
              <X size={13} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
