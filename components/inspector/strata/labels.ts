/** The few words a node carries, shortest first. */

import { exact, short } from '@/components/ui/format'
import type { EventHead } from '@/lib/core/event'
import { type NodeKind, nodeKind } from '@/lib/core/projections/strata'

export const KIND_WORDS: Record<NodeKind, string> = {
  user: 'user',
  notice: 'notice',
  assistant: 'assistant',
  call: 'assistant',
  result: 'tool result',
  summary: 'summary',
  pruned: 'pruned result',
}

/** `summary #388`, `read_file`, `pruned`, `user`. */
export function titleOf(head: EventHead): string {
  const kind = nodeKind(head)
  if (kind === 'summary') return `summary #${head.seq}`
  if (kind === 'pruned') return 'pruned'
  if (kind === 'result') return head.name ?? 'result'
  return KIND_WORDS[kind]
}

/** `1,742 tok · was 148k`; `under` is what lies beneath, absent where nothing does. */
export const sizeOf = (head: EventHead, under?: number): string =>
  under === undefined
    ? `${exact(head.tokens)} tok`
    : `${exact(head.tokens)} tok · was ${short(under)}`
