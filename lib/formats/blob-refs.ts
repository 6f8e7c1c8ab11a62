/** Which blobs an event names. */

import { isSurfaceType, type SessionEvent } from '../core/event'
import { type BlobRef, type Block, isMedia } from '../core/message'

const isRef = (value: unknown): value is BlobRef =>
  typeof value === 'object' &&
  value !== null &&
  (value as { type?: unknown }).type === 'blob' &&
  typeof (value as { hash?: unknown }).hash === 'string'

/** Hashes in the order they are named, without duplicates; media inside tool results too. */
export function blobHashes(event: SessionEvent): string[] {
  if (!isSurfaceType(event.type) || !('content' in event.data)) return []
  const hashes = new Set<string>()
  const waiting: Block[] = [...event.data.content].reverse()
  for (let block = waiting.pop(); block; block = waiting.pop()) {
    if (isMedia(block)) {
      if (isRef(block.source)) hashes.add(block.source.hash)
    } else if ('content' in block && Array.isArray(block.content)) {
      waiting.push(...([...block.content].reverse() as Block[]))
    }
  }
  return [...hashes]
}
