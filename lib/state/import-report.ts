/** What is told of an imported file. */

import type { ReadSession } from '../formats/report'
import type { ImportReport } from './model'

type Report = ReadSession['report']

export const emptyImport = (name: string): ImportReport => ({
  name,
  sessionId: null,
  sessions: 0,
  foreign: true,
  read: 0,
  recovered: 0,
  rejected: [],
  kept: [],
  keptRecords: 0,
  mended: [],
  compactions: { exact: 0, derived: 0, unknown: 0 },
  violations: [],
})

export const failedImport = (name: string, problem: string): ImportReport => ({
  ...emptyImport(name),
  problem,
})

/** Adds what one more session of the file says. The first one is the one to open. */
export function addSession(told: ImportReport, sessionId: string, report: Report): void {
  told.sessionId ??= sessionId
  told.sessions += 1
  told.read += report.read
  told.recovered += report.recovered
  told.keptRecords += report.keptRecords
  // Joined, not pushed: a long log has more remarks than a call can have arguments.
  told.rejected = told.rejected.concat(report.rejected)
  told.kept = told.kept.concat(report.kept)
  told.mended = told.mended.concat(report.mended)
  told.violations = told.violations.concat(report.violations)
  for (const certainty of ['exact', 'derived', 'unknown'] as const) {
    told.compactions[certainty] += report.compactions[certainty]
  }
}
