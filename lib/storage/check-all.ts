/** Every session looked at whole: checksums of its rows and every rule of its log. For a worker. */

import { createChecker } from '../core/check'
import type { Database } from './db'
import { guarded } from './failure'
import { scanSession } from './integrity'
import type { SessionRow } from './rows'
import { listSessions } from './sessions'

export type BrokenSession = {
  id: string
  title: string
  /** Events that cannot be read. */
  damaged: number
  /** Rules that its log breaks. */
  rules: string[]
}

export type CheckedAll = { sessions: number; events: number; broken: BrokenSession[] }

/** How far a check has come. */
export type CheckProgress = { title: string; sessions: number; of: number; events: number }

/** How many events between two tellings. */
const TELL = 2_000

async function checkOne(
  db: Database,
  row: SessionRow,
  onEvent: () => void,
): Promise<BrokenSession | null> {
  const checker = createChecker(row.header)
  const rules = new Set<string>()
  let damaged = 0
  let length = 0
  for await (const found of scanSession(db, row.id)) {
    if ('event' in found) {
      for (const { rule } of checker.add(found.event)) rules.add(rule)
      length = found.event.seq + 1
      onEvent()
    } else {
      damaged += found.to - found.from
      length = found.to
    }
  }
  // Behind damage much looks wrong that is not.
  for (const { rule } of checker.end()) rules.add(rule)
  damaged += Math.max(0, row.length - length)
  if (damaged === 0 && rules.size === 0) return null
  const broken = damaged > 0 ? [] : [...rules]
  return { id: row.id, title: row.title, damaged, rules: broken }
}

/** Checks all sessions, the trash too. Rejects with `JournalError`. */
export async function checkAll(
  db: Database,
  onProgress: (progress: CheckProgress) => void,
): Promise<CheckedAll> {
  const { sessions, trash, damaged } = await guarded('list the sessions', () => listSessions(db))
  const rows = [...sessions, ...trash]
  const checked: CheckedAll = { sessions: rows.length + damaged.length, events: 0, broken: [] }
  for (const { id } of damaged) checked.broken.push({ id, title: '', damaged: 1, rules: [] })
  for (const [at, row] of rows.entries()) {
    const tell = () =>
      onProgress({ title: row.title, sessions: at, of: rows.length, events: checked.events })
    tell()
    const broken = await checkOne(db, row, () => {
      checked.events += 1
      if (checked.events % TELL === 0) tell()
    })
    if (broken) checked.broken.push(broken)
  }
  return checked
}
