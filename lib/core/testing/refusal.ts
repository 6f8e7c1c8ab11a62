/** What refuses a part of a log, and a picture of a log to compare with one taken later. */

import { expect } from 'vitest'
import { type Log, surfaceNodes } from '../log'
import { createWriter, type Part } from './build'

/** The rule that refuses the last part after the others were written. */
export function refusal(...parts: Part[]): string {
  const writer = createWriter()
  const last = parts.pop()
  for (const part of parts) part(writer)
  const before = snapshot(writer.log)
  try {
    last?.(writer)
  } catch (error) {
    expect(snapshot(writer.log)).toEqual(before)
    return String(error).replace(/^Error: (\w+): .*$/, '$1')
  }
  return 'accepted'
}

/** Everything that can be read of a log, copied. */
export const snapshot = (log: Log) =>
  structuredClone({
    heads: log.heads,
    state: log.state,
    surface: surfaceNodes(log),
    tokens: log.history.tokensAt(log.heads.length),
    shadows: log.heads.map((head) => log.history.shadowedBy(head.seq, log.heads.length)),
    length: log.ledger.length,
  })
