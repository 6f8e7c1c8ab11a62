/** The sample log as a native file, and what tests of its reader ask for again and again. */

import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { writeNative } from '../native'
import type { ReadResult, ReadSession } from '../report'
import { header, pixel, sampleLog } from './sample-log'

export const HASH = createHash('sha256').update(pixel).digest('hex')
export const events = sampleLog(HASH)
export const blobOf = async (hash: string) =>
  hash === HASH ? { bytes: pixel, mediaType: 'image/png' } : null

export const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()
export const file = await textOf(writeNative(header, events, { blobOf, count: events.length }))
/** Line n of the file is `lines[n - 1]`; the last is empty. */
export const lines = file.split('\n')

/** The one session of a file that was read. */
export function only({ sessions, refusal }: ReadResult): ReadSession {
  expect([sessions.length, refusal]).toEqual([1, null])
  return sessions[0]!
}
