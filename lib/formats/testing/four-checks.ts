/** The four checks that every foreign format gets. */

import { expect } from 'vitest'
import type { ReadResult, ReadSession } from '../report'
import { readTranscript, writeTranscript } from '../transcript'
import { flawsOf } from './soundness'

const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()

const exportOf = ({ header, events, blobs }: ReadSession): Promise<string> =>
  textOf(
    writeTranscript('native', header, events, {
      blobOf: async (hash) => blobs.get(hash) ?? null,
      count: events.length,
    }),
  )

const meaningOf = ({ sessions }: ReadResult) =>
  sessions.map(({ header: { origin, ...header }, events }) => ({
    header: { ...header, origin: { ...origin, name: '' } },
    events,
  }))

/**
 * The four checks: the right result (`judge`), the same under another name, export → import keeps meaning,
 * and export of an import of an export is the same file.
 */
export async function fourChecks(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  judge: (result: ReadResult) => void | Promise<void>,
): Promise<void> {
  const result = await readTranscript(new File([bytes], name))
  expect(result.refusal).toBeNull()
  expect(flawsOf(result)).toEqual([])
  await judge(result)
  const renamed = await readTranscript(new File([bytes], 'holiday.jpeg'))
  expect(meaningOf(renamed)).toEqual(meaningOf(result))
  for (const session of result.sessions) {
    const file = await exportOf(session)
    const again = await readTranscript(file)
    expect(again.refusal).toBeNull()
    const [read] = again.sessions
    expect(read?.header).toEqual(session.header)
    expect(read?.events).toEqual(session.events)
    expect(read?.report.violations).toEqual([])
    expect(read?.report.missingBlobs).toEqual([])
    expect(await exportOf(read as ReadSession)).toBe(file)
  }
}
