/** Files that are trees, read in one pass where their rows stand in the order they are shown in, as in nearly all. */

import type { ForeignFile, Part, Reader } from './foreign'

/** The order of the file is not that of the conversation it shows. */
export class NotStraight extends Error {}

/**
 * What `straight` reads of the file. It may throw `NotStraight` until the first session ends: what was read is void
 * then, and `planned` reads the file from its beginning.
 */
export async function* readStraight(
  file: ForeignFile,
  straight: Reader,
  planned: Reader,
): AsyncGenerator<Part> {
  const before = structuredClone(file.report)
  try {
    yield* straight(file)
    return
  } catch (error) {
    if (!(error instanceof NotStraight)) throw error
  }
  Object.assign(file.report, before)
  file.seen.length = 0
  file.counted.clear()
  yield { type: 'again' }
  yield* planned(file)
}
