/** What kind of picture some bytes are, by how they begin: names and declared types are often wrong. */

const SIGNATURES: [type: string, at: number, bytes: number[]][] = [
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/gif', 0, [0x47, 0x49, 0x46, 0x38]],
  // RIFF, four bytes of length, WEBP.
  ['image/webp', 8, [0x57, 0x45, 0x42, 0x50]],
]

/** Null for what no provider takes as an image. */
export const imageTypeOf = (head: Uint8Array): string | null =>
  SIGNATURES.find(([, at, bytes]) => bytes.every((byte, n) => head[at + n] === byte))?.[0] ?? null
