/** The log inside an HTML export: native JSONL, gzip, base64, in a script element that is data. */

import { firstBytes, type LineOptions, type Source } from '../lines'

export const GENERATOR = '<meta name="generator" content="Palimpsest">'
export const LOG_OPENS = '<script type="application/octet-stream;base64" id="palimpsest-log">'

const toBase64 = (binary: string): string => btoa(binary)

/** Bytes as base64, in pieces whose joints do not show. */
export async function* base64Of(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader()
  const decoder = (bytes: Uint8Array) => {
    let text = ''
    for (let at = 0; at < bytes.length; at += 0x8000)
      text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
    return text
  }
  let rest = ''
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const binary = rest + decoder(next.value)
      const whole = binary.length - (binary.length % 3)
      rest = binary.slice(whole)
      if (whole > 0) yield toBase64(binary.slice(0, whole))
    }
    if (rest) yield toBase64(rest)
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** The gzip stream of a log as base64 text. */
export const packLog = (native: ReadableStream<Uint8Array>): AsyncGenerator<string> =>
  base64Of(
    native.pipeThrough(
      new CompressionStream('gzip') as unknown as ReadableWritablePair<Uint8Array, Uint8Array>,
    ),
  )

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** Takes base64 as it comes; bytes it can already tell. */
function createDecoder() {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let rest = ''
  return {
    take(text: string) {
      const all = rest + text.replace(/[^A-Za-z0-9+/=]/g, '')
      const whole = all.length - (all.length % 4)
      rest = all.slice(whole)
      if (whole > 0) parts.push(bytesOf(all.slice(0, whole)))
    },
    blob: () => new Blob(parts),
  }
}

async function isExport(source: Source): Promise<boolean> {
  const head = new TextDecoder().decode(await firstBytes(source, 1024))
  return /^[\ufeff\s]*<!doctype html/i.test(head) && head.includes(GENERATOR)
}

/**
 * The gzip data of the log an HTML export carries; null for any other file. What is no base64 is left
 * out: unpacking and reading then say what is missing.
 */
export async function embeddedLog(
  source: Source,
  { signal }: LineOptions = {},
): Promise<Blob | null> {
  if (!(await isExport(source))) return null
  const blob = source instanceof Blob ? source : new Blob([source as BlobPart])
  const reader = blob.stream().getReader()
  const decoder = new TextDecoder('latin1')
  const log = createDecoder()
  let seen = ''
  let inside = false
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      signal?.throwIfAborted()
      seen += decoder.decode(next.value)
      const opens = inside ? -1 : seen.indexOf(LOG_OPENS)
      if (!inside && opens < 0) {
        seen = seen.slice(-LOG_OPENS.length)
        continue
      }
      if (!inside) seen = seen.slice(opens + LOG_OPENS.length)
      inside = true
      const closes = seen.indexOf('<')
      log.take(closes < 0 ? seen : seen.slice(0, closes))
      if (closes >= 0) return log.blob()
      seen = ''
    }
    return inside ? log.blob() : null
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof DOMException) return log.blob()
    throw error
  } finally {
    await reader.cancel().catch(() => {})
  }
}
