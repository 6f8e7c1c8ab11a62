/** A rebuilt request as the provider got it: a log names media by their hash, a request holds their bytes. */

import type { RequestBody } from '../core/request'
import type { BlobOf } from '../formats/native'
import { inlineMedia } from '../providers/wire-media'

/** Rejects, in words for people, where some medium is not stored any more. */
export async function wholeRequest(body: RequestBody, blobOf: BlobOf): Promise<RequestBody> {
  const inlined = await inlineMedia(body, async (hash) => {
    const blob = await blobOf(hash)
    return blob && new Blob([blob.bytes], { type: blob.mediaType })
  })
  if (!inlined.ok) throw new Error(inlined.error.message)
  return inlined.value
}
