/** The shipped session as its file tells it. */

import { readFile } from 'node:fs/promises'
import { type NativeLog, ofType, readLog } from './log'

export type Sample = NativeLog & {
  /** Seq of the newest event. */
  last: number
  /** Seqs of the checkpoints, oldest first. */
  checkpoints: [number, number, number]
  /** The last event before the bracket that a checkpoint stands in. */
  before(checkpoint: number): number
}

export async function readSample(): Promise<Sample> {
  const file = new URL('../../public/sample-session.jsonl', import.meta.url)
  const log = readLog(await readFile(file, 'utf8'))
  const { events } = log
  const [first, second, third] = ofType(events, 'user/message')
    .filter(({ data }) => data.source.kind === 'checkpoint')
    .map(({ seq }) => seq)
  return {
    ...log,
    last: events.length - 1,
    checkpoints: [first!, second!, third!],
    before: (checkpoint) => ofType(events.slice(0, checkpoint), 'compact/start').at(-1)!.seq - 1,
  }
}
