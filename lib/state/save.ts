/** Saving a file through the browser. */

/** A file name that every system takes: the title's letters and digits, at most 60 of them. */
export const fileName = (title: string, extension: string): string => {
  const name = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${name || 'session'}.${extension}`
}

/** Offers `stream` as a download, collected in a Blob, which browsers spill to disk when it is large. */
export async function saveStream(
  stream: ReadableStream<Uint8Array>,
  name: string,
  type: string,
): Promise<void> {
  const blob = await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).blob()
  const url = URL.createObjectURL(new Blob([blob], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download holds its own reference once begun; a minute is ample for that.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
