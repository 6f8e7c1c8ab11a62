import { expect, it } from 'vitest'
import { emptyReport } from '../formats/report'
import { addSession, emptyImport } from './import-report'

it('what is told of a file takes as many remarks as a long log has', () => {
  const kept = Array.from({ length: 300_000 }, (_, n) => ({ line: 2 * n + 1, reason: 'inert' }))
  const told = emptyImport('log.jsonl')
  addSession(told, 'a', { ...emptyReport(), kept, keptRecords: kept.length })
  addSession(told, 'b', { ...emptyReport(), mended: [{ line: 7, reason: 'mended' }] })
  expect([told.kept.length, told.keptRecords, told.mended.length]).toEqual([300_000, 300_000, 1])
  expect([told.sessionId, told.sessions]).toEqual(['a', 2])
})
