'use client'

import type { Seq } from '@/lib/core/event'
import { isText, textOf } from '@/lib/core/message'
import { useBody, useSession } from '@/lib/state/hooks'
import { Skeleton } from '../ui/spinner'
import { BlockView, UserText } from './blocks'
import { Message } from './message'
import { useFound } from './standing'

/** What a person wrote, or a notice the program wrote in their place. */
export function UserRow({ seq, notice }: { seq: Seq; notice: boolean }) {
  const event = useBody(seq)
  const found = useFound(seq)
  const content = event?.type === 'user/message' ? event.data.content : null
  return (
    <Message
      seq={seq}
      kind={notice ? 'system' : 'user'}
      label={notice ? 'Notice' : 'You'}
      text={content && (() => textOf(content))}
    >
      {content ? (
        <div className={notice ? 'text-ink2' : undefined}>
          {content.map((block, i) =>
            isText(block) ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: content never changes
              <UserText key={i} text={block.text} id={`${seq}.${i}`} found={found} />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: content never changes
              <BlockView key={i} block={block} id={`${seq}.${i}`} />
            ),
          )}
        </div>
      ) : (
        <BodySkeleton seq={seq} />
      )}
    </Message>
  )
}

/** Stands for a text still being read, about as tall as it will be. */
export function BodySkeleton({ seq }: { seq: Seq }) {
  const tokens = useSession((state) => state.log.heads[seq]?.tokens ?? 0)
  const lines = Math.max(1, Math.min(12, Math.ceil((tokens * 4) / 90)))
  return (
    <div className="flex flex-col gap-1.5 py-0.5" style={{ minHeight: lines * 20 }}>
      {Array.from({ length: Math.min(3, lines) }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical bars
        <Skeleton key={i} className={i === 2 || lines === 1 ? 'h-3.5 w-2/5' : 'h-3.5 w-full'} />
      ))}
    </div>
  )
}
