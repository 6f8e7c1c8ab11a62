/** Media leave the browser inside the request: blob references become base64 (images, PDF) or text. */

import { type BlobRef, type Block, isMedia, type Message } from '../core/message'
import type { RequestBody } from '../core/request'
import { err, ok, type Result } from '../core/result'
import type { ModelError } from '../ports'

/** The bytes behind a hash, or null where this browser no longer has them. */
export type ResolveBlob = (hash: string) => Promise<Blob | null>

// A string of code units for `btoa`, in pieces: the argument list of a call is limited.
const PIECE = 0x8000

async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += PIECE)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + PIECE)))
  return btoa(parts.join(''))
}

async function inlineSource(ref: BlobRef, blob: Blob) {
  const isPlain = ref.media_type.startsWith('text/')
  return isPlain
    ? { type: 'text', media_type: 'text/plain', data: await blob.text() }
    : { type: 'base64', media_type: ref.media_type, data: await toBase64(blob) }
}

const isRef = (block: Block): block is Block & { source: BlobRef } =>
  isMedia(block) && block.source.type === 'blob'

const inner = (block: Block): Block[] =>
  block.type === 'tool_result' && Array.isArray(block.content) ? (block.content as Block[]) : []

/** Blob references of a body, one for each hash. */
function refsOf(messages: readonly Message[]): Map<string, BlobRef> {
  const blocks = messages.flatMap((message) => message.content)
  const refs = blocks.flatMap((block) => [block, ...inner(block)]).filter(isRef)
  return new Map(refs.map((block) => [block.source.hash, block.source]))
}

/** The body with every blob reference replaced by its bytes; a missing blob refuses the whole request. */
export async function inlineMedia(
  body: RequestBody,
  resolveBlob: ResolveBlob,
): Promise<Result<RequestBody, ModelError>> {
  const sources = new Map<string, Awaited<ReturnType<typeof inlineSource>>>()
  for (const [hash, ref] of refsOf(body.messages)) {
    const blob = await resolveBlob(hash)
    if (!blob)
      return err({
        code: 'invalid-request',
        message: `An attachment (${ref.media_type}) is no longer stored in this browser.`,
      })
    sources.set(hash, await inlineSource(ref, blob))
  }
  if (sources.size === 0) return ok(body)
  const inline = (block: Block): Block => {
    if (isRef(block)) return { ...block, source: sources.get(block.source.hash)! }
    const content = inner(block)
    return content.length > 0 ? { ...block, content: content.map(inline) } : block
  }
  const messages = body.messages.map((message) => ({
    ...message,
    content: message.content.map(inline),
  }))
  return ok({ ...body, messages })
}
