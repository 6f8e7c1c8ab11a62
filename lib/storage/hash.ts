/** Content hashes (Q5): SHA-256 in hex. */

import canonicalize from 'canonicalize'
import type { HashJson } from '../ports'

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** SHA-256 of some bytes, 64 hex digits. Needs a secure context (https or localhost). */
export async function hashBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => HEX[byte]).join('')
}

export const hashText = (text: string): Promise<string> =>
  hashBytes(new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>)

/** SHA-256 over the value's RFC 8785 JSON: equal values hash equal whatever the order of their keys. */
export const hashJson: HashJson = async (value) => {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('only JSON values have a hash')
  return hashText(text)
}
