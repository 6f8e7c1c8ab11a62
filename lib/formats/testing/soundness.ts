/** What must hold of whatever was read from a foreign file, sound or broken. */

import { check } from '../../core/check'
import type { RequestHeader, SurfaceEvent } from '../../core/event'
import { headOf } from '../../core/head'
import { loadLog, surfaceNodes } from '../../core/log'
import { PRESETS } from '../../core/policy'
import { planRepair } from '../../core/repair'
import { buildRequest, validateRequest } from '../../core/request'
import { decodeLine, readLines, type Source } from '../lines'
import { parseRecords } from '../records'
import type { ReadResult, ReadSession } from '../report'

const HEADER: RequestHeader = {
  provider: 'anthropic',
  model: 'claude-other',
  system: 'You go on.',
  tools: [],
  params: { max_tokens: 1_000 },
  policy: PRESETS.standard,
  builder: 1,
}

/** Why the session could not be continued with one more message, after the opening repair; null if it can (Q4). */
export function continuationFlaw({ header, events }: ReadSession): string | null {
  const loaded = loadLog(header, events.map(headOf))
  if (!loaded.ok) return `the log does not load: ${loaded.error.message}`
  const bodies = new Map(events.map((event) => [event.seq, event]))
  const nodes = surfaceNodes(loaded.value).map((seq) => bodies.get(seq) as SurfaceEvent)
  let n = 0
  const repair = planRepair(loaded.value, null, () => `repair-${n++}`)
  const added = [
    ...repair.filter(({ type }) => type === 'tool/result'),
    {
      type: 'user/message',
      data: { id: 'next', content: [{ type: 'text', text: 'Go on' }], source: { kind: 'human' } },
      surfaceOp: 'append',
    },
  ].map((draft, at) => ({ ...draft, seq: events.length + at, time: 0 }) as SurfaceEvent)
  return validateRequest(buildRequest(HEADER, [...nodes, ...added]))?.message ?? null
}

/** Records of a JSONL file, counted without any reader. */
export async function countRecords(source: Source): Promise<number> {
  let records = 0
  for await (const line of readLines(source))
    records += parseRecords(decodeLine(line).text).values.length
  return records
}

const sum = (sessions: readonly ReadSession[], of: (session: ReadSession) => number): number =>
  sessions.reduce((total, session) => total + of(session), 0)

/** Records that a report speaks of. */
export const accountedFor = ({ sessions }: ReadResult): number =>
  sum(sessions, ({ report }) => report.read + report.recovered + report.keptRecords)

/** Problems with what was read: rules broken, sessions that could not go on, events without an origin. */
export function flawsOf({ sessions }: ReadResult): string[] {
  return sessions.flatMap((session) => {
    const { header, events, origins } = session
    const broken = check(header, events).map(
      ({ rule, seq, message }) => `${rule} #${seq}: ${message}`,
    )
    const flaw = continuationFlaw(session)
    const mapped = origins?.length === events.length ? [] : ['not every event has an origin']
    return [...broken, ...mapped, ...(flaw ? [flaw] : [])].map((one) => `${header.id}: ${one}`)
  })
}
