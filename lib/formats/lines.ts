/** Lines of a file of any size, as bytes: split on `\n` only, so no text is cut inside a character. */

export type Source = Blob | Uint8Array | string

type Progress = { bytes: number; total: number }

export type LineOptions = {
  /** Aborting rejects with the signal's reason. */
  signal?: AbortSignal
  onProgress?(progress: Progress): void
}

export type Line = {
  /** From 1. */
  number: number
  bytes: Uint8Array
  /** No line end follows: the last line, whole or cut off. */
  last: boolean
}

/** Bytes taken from memory between two pauses, so that a page stays alive while it reads. */
const SLICE = 1 << 20
const NEWLINE = 0x0a

const encode = (source: Source): Blob | Uint8Array =>
  typeof source === 'string' ? new TextEncoder().encode(source) : source

/** The first bytes of a source, for detection. */
export async function firstBytes(source: Source, count: number): Promise<Uint8Array> {
  if (source instanceof Blob) return new Uint8Array(await source.slice(0, count).arrayBuffer())
  if (typeof source === 'string') return new TextEncoder().encode(source.slice(0, count))
  return source.subarray(0, count)
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve))

/** Bytes of a file read at once, into the same memory each time. */
const WINDOW = 1 << 18

/** A reader that fills what it is given; null where a browser's blobs have none. */
function byteReader(blob: Blob): ReadableStreamBYOBReader | null {
  try {
    return blob.stream().getReader({ mode: 'byob' })
  } catch {
    return null
  }
}

async function* chunksOfBlob(blob: Blob): AsyncGenerator<Uint8Array> {
  const filling = byteReader(blob)
  const plain = filling ? null : blob.stream().getReader()
  let window = new Uint8Array(WINDOW)
  const read = () => filling?.read(window) ?? plain?.read()
  try {
    for (let next = await read(); next && !next.done; next = await read()) {
      yield next.value
      if (filling) window = new Uint8Array(next.value.buffer)
    }
  } finally {
    await (filling ?? plain)?.cancel()
  }
}

/** A chunk holds until the next is asked for. */
async function* chunksOf(source: Blob | Uint8Array): AsyncGenerator<Uint8Array> {
  if (source instanceof Blob) {
    yield* chunksOfBlob(source)
    return
  }
  for (let at = 0; at < source.length; at += SLICE) {
    if (at > 0) await pause()
    yield source.subarray(at, at + SLICE)
  }
}

/** Pieces as one; a single one as it is. */
export function join(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0] as Uint8Array
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/**
 * Every line, empty ones too, by the chunks they end in; nothing after a final line end. A cut between
 * chunks is invisible. By chunks, because waiting for each line costs as much as many a line. The bytes of
 * a run's lines hold until the next run is asked for.
 */
export async function* readLineRuns(
  source: Source,
  options: LineOptions = {},
): AsyncGenerator<Line[]> {
  const input = encode(source)
  const total = input instanceof Blob ? input.size : input.length
  let pending: Uint8Array[] = []
  let number = 0
  let read = 0
  for await (const chunk of chunksOf(input)) {
    options.signal?.throwIfAborted()
    const run: Line[] = []
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      number += 1
      const tail = chunk.subarray(from, end)
      run.push({ number, bytes: pending.length > 0 ? join([...pending, tail]) : tail, last: false })
      if (pending.length > 0) pending = []
      from = end + 1
    }
    if (from < chunk.length) pending.push(chunk.slice(from))
    if (run.length > 0) yield run
    read += chunk.length
    options.onProgress?.({ bytes: read, total })
  }
  options.signal?.throwIfAborted()
  if (pending.length > 0) {
    number += 1
    yield [{ number, bytes: join(pending), last: true }]
  }
}

/** The same, line by line. */
export async function* readLines(source: Source, options: LineOptions = {}): AsyncGenerator<Line> {
  for await (const run of readLineRuns(source, options)) yield* run
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/** A line's text without byte order mark and `\r`. `broken`: bytes that are no UTF-8 became U+FFFD. */
export function decodeLine(line: Pick<Line, 'number' | 'bytes'>): {
  text: string
  broken: boolean
} {
  const { text, broken } = decode(line.bytes)
  const from = line.number === 1 && text.startsWith('\ufeff') ? 1 : 0
  return { text: text.slice(from, text.endsWith('\r') ? -1 : undefined), broken }
}

function decode(bytes: Uint8Array): { text: string; broken: boolean } {
  try {
    return { text: strict.decode(bytes), broken: false }
  } catch {
    return { text: lenient.decode(bytes), broken: true }
  }
}
