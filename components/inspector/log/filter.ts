/** Which events a log view shows: by group of types, standing, turn and text. */

import type { EventHead, EventType, Seq, SessionEvent } from '@/lib/core/event'
import type { Log } from '@/lib/core/log'
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

/** How an event stands, besides its type. */
export type Standing = 'any' | 'shadowed' | 'surface' | 'media'

export const STANDINGS: { value: Standing; label: string }[] = [
  { value: 'any', label: 'Anywhere' },
  { value: 'surface', label: 'On the surface' },
  { value: 'shadowed', label: 'Shadowed' },
  { value: 'media', label: 'With image or document' },
]

export type Filter = {
  group: Group
  standing: Standing
  /** Of this turn alone; null for all. */
  turn: number | null
}

export const NO_FILTER: Filter = { group: 'all', standing: 'any', turn: null }

const inGroup = (head: EventHead, group: Group): boolean =>
  group === 'all' || (group === 'errors' ? isFailure(head) : GROUP_OF[head.type] === group)

const isNode = (head: EventHead): boolean =>
  head.op !== undefined && head.type !== 'surface/restore'

function stands(head: EventHead, standing: Standing, { history }: Pick<Log, 'history'>, at: Seq) {
  if (standing === 'any') return true
  if (standing === 'media') return head.media > 0
  if (!isNode(head) || head.seq > at) return false
  const over = history.replacementOf(head.seq, at) !== null
  if (standing === 'shadowed') return over
  const wasLifted =
    history.shadowsOf(head.seq).length > 0 && history.shadowedBy(head.seq, at).length === 0
  return !over && !wasLifted
}

/** Events of a turn stand between its start and its end, whether or not they name it. */
function turnSpan(heads: readonly EventHead[], turn: number): [Seq, Seq] {
  const from = heads.findIndex((head) => head.type === 'turn/start' && head.turn === turn)
  if (from < 0) return [0, -1]
  const to = heads.findIndex((head, seq) => seq > from && head.type === 'turn/end')
  return [from, to < 0 ? heads.length - 1 : to]
}

const headText = (head: EventHead): string =>
  `#${head.seq} ${head.type} ${headline(head)} ${head.names?.join(' ') ?? ''} ${head.kind ?? ''}`

const holds = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted)

/** Seqs that pass the filter, in order; of those, which carry `text` in their heads, and which must be read to tell. */
export function filterLog(
  log: Pick<Log, 'heads' | 'history'>,
  length: number,
  filter: Filter,
  text: string,
  at: Seq,
): { sure: Seq[]; unread: Seq[] } {
  const wanted = text.trim().toLowerCase()
  const [from, to] = filter.turn === null ? [0, length - 1] : turnSpan(log.heads, filter.turn)
  const sure: Seq[] = []
  const unread: Seq[] = []
  for (let seq = from; seq <= Math.min(to, length - 1); seq += 1) {
    const head = log.heads[seq]!
    if (!inGroup(head, filter.group) || !stands(head, filter.standing, log, at)) continue
    if (wanted === '' || holds(headText(head), wanted)) sure.push(seq)
    else if (GROUP_OF[head.type] !== 'steps') unread.push(seq)
  }
  return { sure, unread }
}

/** Whether an event's body carries the text. */
export const bodyHolds = (event: SessionEvent, text: string): boolean =>
  holds(plainText(event), text.trim().toLowerCase())
