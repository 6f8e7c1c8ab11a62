/** Which events a log view shows: by group of types, and by text over heads and bodies at hand. */

import type { EventHead, EventType, Seq, SessionEvent } from '@/lib/core/event'
import { headline, plainText } from '../shared/words'

export type Group = 'all' | 'messages' | 'tools' | 'compaction' | 'steps' | 'errors' | 'other'

export const GROUPS: { value: Group; label: string }[] = [
  { value: 'all', label: 'All kinds' },
  { value: 'messages', label: 'Messages' },
  { value: 'tools', label: 'Tool calls and results' },
  { value: 'compaction', label: 'Compaction, pins, restores' },
  { value: 'steps', label: 'Turns and steps' },
  { value: 'errors', label: 'Failures' },
  { value: 'other', label: 'Session and settings' },
]

const GROUP_OF: Record<EventType, Exclude<Group, 'all' | 'errors'>> = {
  'session/open': 'other',
  'session/title': 'other',
  'request/header': 'other',
  'turn/start': 'steps',
  'turn/end': 'steps',
  'step/start': 'steps',
  'step/end': 'steps',
  'request/failed': 'steps',
  'user/message': 'messages',
  'assistant/message': 'messages',
  'tool/call': 'tools',
  'tool/result': 'tools',
  'compact/start': 'compaction',
  'compact/window': 'compaction',
  'compact/draft': 'compaction',
  'compact/summary': 'compaction',
  'compact/end': 'compaction',
  'compact/prune': 'compaction',
  'pin/set': 'compaction',
  'surface/restore': 'compaction',
}

const isFailure = (head: EventHead): boolean =>
  head.type === 'request/failed' ||
  (head.type === 'tool/result' && head.kind === 'error') ||
  (head.type === 'compact/end' && head.kind !== undefined && head.kind !== 'drafted') ||
  head.kind === 'interrupted' ||
  (head.type === 'turn/end' && head.kind !== 'completed')

const inGroup = (head: EventHead, group: Group): boolean =>
  group === 'all' || (group === 'errors' ? isFailure(head) : GROUP_OF[head.type] === group)

const headText = (head: EventHead): string =>
  `#${head.seq} ${head.type} ${headline(head)} ${head.names?.join(' ') ?? ''} ${head.kind ?? ''}`

/**
 * Seqs to show, in order. `peek` gives bodies that are loaded; an event whose body is not is judged by
 * its head alone.
 */
export function filterLog(
  heads: readonly EventHead[],
  group: Group,
  text: string,
  peek: (seq: Seq) => SessionEvent | undefined,
): Seq[] {
  const wanted = text.trim().toLowerCase()
  const seqs: Seq[] = []
  for (const head of heads) {
    if (!inGroup(head, group)) continue
    if (wanted !== '' && !headText(head).toLowerCase().includes(wanted)) {
      const event = peek(head.seq)
      if (!event || !plainText(event).toLowerCase().includes(wanted)) continue
    }
    seqs.push(head.seq)
  }
  return seqs
}
