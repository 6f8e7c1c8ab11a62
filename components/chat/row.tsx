'use client'

import type { ViewNode } from '@/lib/core/projections/transcript'
import { transcriptLength, viewNodeAt } from '@/lib/core/projections/transcript'
import { useSession } from '@/lib/state/hooks'
import { AssistantRow } from './assistant-row'
import { CompactionCard } from './compaction-card'
import { PruneRow } from './prune-row'
import { goesOn, turnEndedBetween } from './rows'
import { FailureRow, RestoreRow, TurnEnd } from './small-rows'
import { OrphanResult } from './tool-row'
import { UserRow } from './user-row'

/** One node of the transcript, and the end of its turn where that needs a word. */
export function Row({ index }: { index: number }) {
  const node = useSession((state) => viewNodeAt(state.transcript, index))
  const before = useSession((state) => viewNodeAt(state.transcript, index - 1))
  const ended = useSession((state) => {
    const at = viewNodeAt(state.transcript, index)
    if (!at) return null
    const next =
      index + 1 < transcriptLength(state.transcript)
        ? viewNodeAt(state.transcript, index + 1)!.seq
        : Number.POSITIVE_INFINITY
    return turnEndedBetween(state.timeline.turns, at.seq, next)
  })
  if (!node) return null
  return (
    <>
      <NodeView node={node} continues={node.kind === 'assistant' && goesOn(before, node.step)} />
      {ended ? <TurnEnd turn={ended} /> : null}
    </>
  )
}

function NodeView({ node, continues }: { node: ViewNode; continues: boolean }) {
  switch (node.kind) {
    case 'turn':
      return <div className="h-3" />
    case 'user':
      return <UserRow seq={node.seq} notice={false} />
    case 'notice':
      return <UserRow seq={node.seq} notice />
    case 'assistant':
      return <AssistantRow node={node} continues={continues} />
    case 'result':
      return <OrphanResult seq={node.seq} callId={node.callId} failed={node.failed} />
    case 'compaction':
      return <CompactionCard node={node} />
    case 'prune':
      return <PruneRow node={node} />
    case 'failure':
      return <FailureRow node={node} />
    case 'restore':
      return <RestoreRow node={node} />
  }
}
