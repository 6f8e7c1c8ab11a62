'use client'

import { LongText } from '@/components/ui/long-text'
import { Markdown } from '@/components/ui/markdown'
import { SectionTitle } from '@/components/ui/panel'
import { readableRecord } from '@/lib/core/checkpoint'
import type { SessionEvent } from '@/lib/core/event'
import { type Block, isText, isToolUse } from '@/lib/core/message'
import { isCheckpoint } from '../shared/words'

/** Longer than this, text is shown as it is instead of as Markdown. */
const RICH = 24_000

/** What the selected event says. */
export function NodeText({ event }: { event: SessionEvent }) {
  switch (event.type) {
    case 'user/message':
    case 'assistant/message':
      return (
        <>
          {event.data.content.map((block, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks of an event never move
            <BlockText key={i} block={isCheckpoint(event) ? unframed(block) : block} rich />
          ))}
        </>
      )
    case 'tool/result':
      return (
        <>
          {event.data.content.map((block, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks of an event never move
            <BlockText key={i} block={block} rich={false} />
          ))}
        </>
      )
    case 'compact/summary':
    case 'compact/draft':
    case 'compact/window':
      return <Rich text={event.data.summary} />
    default:
      return <LongText text={JSON.stringify(event.data, null, 2)} />
  }
}

/** The record without the tags that frame it for the model. */
const unframed = (block: Block): Block =>
  isText(block) ? { ...block, text: readableRecord(block.text) } : block

const Rich = ({ text }: { text: string }) =>
  text.length > RICH ? <LongText text={text} /> : <Markdown text={text} />

function BlockText({ block, rich }: { block: Block; rich: boolean }) {
  if (isText(block)) return rich ? <Rich text={block.text} /> : <LongText text={block.text} />
  if (isToolUse(block))
    return (
      <div>
        <SectionTitle>
          <span className="mono text-call-ink">{block.name}</span>
        </SectionTitle>
        <LongText text={JSON.stringify(block.input, null, 2)} />
      </div>
    )
  if (block.type === 'thinking' && typeof block.thinking === 'string')
    return (
      <div>
        <SectionTitle>Thinking</SectionTitle>
        <LongText text={block.thinking} className="text-ink2" />
      </div>
    )
  return <LongText text={JSON.stringify(block, null, 2)} className="text-ink2" />
}
