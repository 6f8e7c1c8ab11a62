/** Which blobs an event names. */

import { isSurfaceType, type SessionEvent } from '../core/event'
import { type BlobRef, type Block, isMedia } from '../core/message'

const isRef = (value: unknown): value is BlobRef =>
  typeof value === 'object' &&
  value !== null &&
  (value as { type?: unknown }).type === 'blob' &&
  typeof (value as { hash?: unknown }).hash === 'string'

/** Media in the order they stand, those inside tool results too; `name` is a title, else the type. */
export function mediaBlocks(event: SessionEvent): { source: BlobRef; name: string }[] {
  if (!isSurfaceType(event.type) || !('content' in event.data)) return []
  const found: { source: BlobRef; name: string }[] = []
  const waiting: Block[] = [...event.data.content].reverse()
  for (let block = waiting.pop(); block; block = waiting.pop()) {
    if (isMedia(block)) {
      if (!isRef(block.source)) continue
      const title = block.type === 'document' ? block.title : undefined
      found.push({ source: block.source, name: title || block.source.media_type })
    } else if ('content' in block && Array.isArray(block.content)) {
      waiting.push(...([...block.content].reverse() as Block[]))
    }
  }
  return found
}

/** Hashes in the order they are named, without duplicates. */
export const blobHashes = (event: SessionEvent): string[] => [
  ...new Set(mediaBlocks(event).map(({ source }) => source.hash)),
]

/** The event with other sources for these hashes. */
export function withSources(
  event: SessionEvent,
  sources: ReadonlyMap<string, BlobRef>,
): SessionEvent {
  if (!isSurfaceType(event.type) || !('content' in event.data)) return event
  const moved = (blocks: readonly Block[]): Block[] =>
    blocks.map((block): Block => {
      if (isMedia(block)) {
        const source = isRef(block.source) ? sources.get(block.source.hash) : undefined
        return source ? { ...block, source } : block
      }
      if (!('content' in block) || !Array.isArray(block.content)) return block
      return { ...block, content: moved(block.content as Block[]) } as Block
    })
  return { ...event, data: { ...event.data, content: moved(event.data.content) } } as SessionEvent
}
