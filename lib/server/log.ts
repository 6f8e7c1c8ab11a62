/**
 * One line of JSON for each model call, on standard output: what was asked for where, how it ended, how long
 * it took. Never content, keys, error texts or addresses. `PALIMPSEST_LOG=off` silences it; outside of
 * production it speaks only with `on`.
 */

import 'server-only'

export type CallRecord = {
  route: 'messages' | 'summary' | 'count' | 'server'
  /** `end`, the code of an error, or `gone` where the reader left. */
  outcome: string
  model?: string
  status?: number
  /** Milliseconds until the first event, and in all. */
  firstMs?: number
  ms?: number
  events?: number
  usage?: { [kind: string]: number }
}

const isOn = (): boolean =>
  process.env.PALIMPSEST_LOG === 'on' ||
  (process.env.NODE_ENV === 'production' && process.env.PALIMPSEST_LOG !== 'off')

export function writeLog(record: CallRecord): void {
  if (isOn())
    process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...record })}\n`)
}
