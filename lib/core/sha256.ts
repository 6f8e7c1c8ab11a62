/** SHA-256 of bytes that come in pieces (FIPS 180-4). `crypto.subtle` wants all of them at once. */

const BLOCK = 64

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
const K = roundConstants()
/** The same of their square roots, for the first eight (5.3.3). */
const INITIAL = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]

function roundConstants(): Int32Array {
  const constants = new Int32Array(64)
  const isPrime = (n: number) => {
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) return false
    return true
  }
  for (let n = 2, at = 0; at < 64; n += 1) {
    if (!isPrime(n)) continue
    const root = Math.cbrt(n)
    constants[at] = Math.floor((root - Math.floor(root)) * 2 ** 32)
    at += 1
  }
  return constants
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** One block. Written for speed: every byte of an import passes here, so nothing is made but numbers. */
function compress(state: Uint32Array, words: Int32Array, view: DataView, from: number): void {
  for (let t = 0; t < 16; t += 1) words[t] = view.getInt32(from + t * 4)
  for (let t = 16; t < 64; t += 1) {
    const w15 = words[t - 15]!
    const w2 = words[t - 2]!
    const s0 = turn(w15, 7) ^ turn(w15, 18) ^ (w15 >>> 3)
    const s1 = turn(w2, 17) ^ turn(w2, 19) ^ (w2 >>> 10)
    words[t] = (words[t - 16]! + s0 + words[t - 7]! + s1) | 0
  }
  let a = state[0]! | 0
  let b = state[1]! | 0
  let c = state[2]! | 0
  let d = state[3]! | 0
  let e = state[4]! | 0
  let f = state[5]! | 0
  let g = state[6]! | 0
  let h = state[7]! | 0
  for (let t = 0; t < 64; t += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const choice = (e & f) ^ (~e & g)
    const t1 = (h + s1 + choice + K[t]! + words[t]!) | 0
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + s0 + majority) | 0
  }
  state[0]! += a
  state[1]! += b
  state[2]! += c
  state[3]! += d
  state[4]! += e
  state[5]! += f
  state[6]! += g
  state[7]! += h
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)

export type Sha256 = {
  update(bytes: Uint8Array): void
  /** Hash of everything so far, 64 hex digits; more may follow. */
  hex(): string
}

export function createSha256(): Sha256 {
  const state = Uint32Array.from(INITIAL)
  const words = new Int32Array(64)
  const rest = new Uint8Array(BLOCK)
  let filled = 0
  let total = 0

  function update(bytes: Uint8Array): void {
    total += bytes.length
    let from = 0
    if (filled > 0) {
      from = Math.min(BLOCK - filled, bytes.length)
      rest.set(bytes.subarray(0, from), filled)
      filled += from
      if (filled < BLOCK) return
      compress(state, words, viewOf(rest), 0)
      filled = 0
    }
    const view = viewOf(bytes)
    for (; from + BLOCK <= bytes.length; from += BLOCK) compress(state, words, view, from)
    rest.set(bytes.subarray(from))
    filled = bytes.length - from
  }

  function hex(): string {
    const end = Uint32Array.from(state)
    const tail = new Uint8Array(filled < BLOCK - 8 ? BLOCK : 2 * BLOCK)
    tail.set(rest.subarray(0, filled))
    tail[filled] = 0x80
    new DataView(tail.buffer).setBigUint64(tail.length - 8, BigInt(total) * 8n)
    const view = viewOf(tail)
    for (let from = 0; from < tail.length; from += BLOCK) compress(end, words, view, from)
    return Array.from(end, (word) => word.toString(16).padStart(8, '0')).join('')
  }

  return { update, hex }
}
