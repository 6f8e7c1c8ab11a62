'use client'

import { CircleStop, Unplug } from 'lucide-react'
import { isToolUse, textOf } from '@/lib/core/message'
import type { ViewNode } from '@/lib/core/projections/transcript'
import { useBody, useSession } from '@/lib/state/hooks'
import { Name } from '../ui/name'
import { BlockView } from './blocks'
import { Message } from './message'
import { stopWords } from './problems'
import { useFound } from './standing'
import { ToolRow } from './tool-row'
import { BodySkeleton } from './user-row'

type Node = Extract<ViewNode, { kind: 'assistant' }>

/** A reply: words, folded thinking, and its tool calls joined with their results. */
export function AssistantRow({ node, continues }: { node: Node; continues: boolean }) {
  const event = useBody(node.seq)
  const body = event?.type === 'assistant/message' ? event.data : null
  const found = useFound(node.seq)
  const stopped = stopWords(body?.stopReason)
  const calls = new Map(node.calls.map((call) => [call.callId, call]))
  return (
    <Message
      seq={node.seq}
      kind="assistant"
      label="Assistant"
      continues={continues}
      aside={<ModelName model={body?.model} />}
      text={body && (() => textOf(body.content))}
    >
      {body ? (
        body.content.map((block, i) => {
          const id = `${node.seq}.${i}`
          if (!isToolUse(block)) return <BlockView key={id} block={block} id={id} found={found} />
          const call = calls.get(block.id)
          return call ? (
            <ToolRow key={block.id} call={call} input={block.input} assistantSeq={node.seq} />
          ) : null
        })
      ) : (
        <>
          <BodySkeleton seq={node.seq} />
          {node.calls.map((call) => (
            <ToolRow key={call.callId} call={call} input={undefined} assistantSeq={node.seq} />
          ))}
        </>
      )}
      {stopped ? (
        <p className="m-0 mt-1 flex items-center gap-1.5 text-ink2">
          <CircleStop size={13} aria-hidden="true" />
          {stopped}
        </p>
      ) : null}
      {node.interrupted ? (
        <p className="m-0 mt-1 flex items-center gap-1.5 text-ink2">
          <Unplug size={13} aria-hidden="true" />
          Cut off here; what had arrived is kept.
        </p>
      ) : null}
    </Message>
  )
}

/** Named only where it is not the model the session uses now. */
function ModelName({ model }: { model: string | undefined }) {
  const current = useSession((state) => state.chosen.model)
  return model && model !== current ? (
    <span className="mono text-ink3">
      <Name>{model}</Name>
    </span>
  ) : null
}
