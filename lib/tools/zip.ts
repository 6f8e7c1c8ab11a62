/** The workspace as a download. */

import { strToU8, Zip, ZipDeflate } from 'fflate'
import type { Content } from './workspace'

/** Files are dated alike, so that equal workspaces give equal bytes. */
const DATE = '2026-01-01T00:00:00'

/**
 * A zip of the files given, in their order, a file at a time as it is taken. Paths must be normalised. What reading
 * a file throws errors the stream; cancelling it ends the reading.
 */
export function zipWorkspace(
  files: AsyncGenerator<{ path: string; content: Content }>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const zip = new Zip()
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        zip.ondata = (error, chunk, isLast) => {
          if (error) return controller.error(error)
          controller.enqueue(chunk as Uint8Array<ArrayBuffer>)
          if (isLast) controller.close()
        }
      },
      async pull() {
        const next = await files.next()
        if (next.done) return zip.end()
        const { path, content } = next.value
        const file = new ZipDeflate(path, { level: 6 })
        file.mtime = DATE
        zip.add(file)
        file.push(typeof content === 'string' ? strToU8(content) : content, true)
      },
      async cancel() {
        await files.return(undefined)
      },
    },
    { highWaterMark: 1 },
  )
}
