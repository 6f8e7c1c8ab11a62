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

type Picker = (options: {
  suggestedName: string
  types: { accept: Record<string, string[]> }[]
}) => Promise<FileSystemFileHandle>

const pickerOf = (): Picker | undefined =>
  (window as { showSaveFilePicker?: Picker }).showSaveFilePicker

/** Whether this browser can write straight into a file that the person chooses. */
export const canPickFile = (): boolean => pickerOf() !== undefined

/** Asks where to save; null when that is dismissed. Call it while a click is handled. */
export async function pickFile(name: string, type: string): Promise<FileSystemFileHandle | null> {
  const extension = /\.[a-z0-9]+$/i.exec(name)?.[0] ?? '.txt'
  try {
    return (
      (await pickerOf()?.call(window, {
        suggestedName: name,
        types: [{ accept: { [type]: [extension] } }],
      })) ?? null
    )
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    throw error
  }
}

export type SaveOptions = {
  /** Ends it; nothing is left behind. */
  signal?: AbortSignal
  /** Bytes so far, after every chunk. */
  onBytes?(bytes: number): void
  /** Written straight into this file; without it the browser downloads it. */
  file?: FileSystemFileHandle
}

/** Milliseconds after which the window gets a turn while a file is written. */
const TURN = 12
/** Bytes held before they go to the browser's blob store, which keeps them on disk. */
const PART = 4 * 1024 * 1024

/** Takes a stream chunk by chunk and lets the window breathe between them. */
async function takeAll(
  stream: ReadableStream<Uint8Array>,
  take: (chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>,
  { signal, onBytes }: SaveOptions,
): Promise<void> {
  const reader = stream.getReader()
  let bytes = 0
  let since = performance.now()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      signal?.throwIfAborted()
      await take(next.value as Uint8Array<ArrayBuffer>)
      bytes += next.value.length
      onBytes?.(bytes)
      if (performance.now() - since < TURN) continue
      await new Promise((turn) => setTimeout(turn))
      since = performance.now()
    }
    signal?.throwIfAborted()
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** A file the browser made for this export is empty until it is whole, and goes if it never is. */
async function saveTo(
  file: FileSystemFileHandle,
  stream: ReadableStream<Uint8Array>,
  options: SaveOptions,
): Promise<void> {
  const isNew = (await file.getFile()).size === 0
  const out = await file.createWritable()
  try {
    await takeAll(stream, (chunk) => out.write(chunk), options)
    await out.close()
  } catch (error) {
    await out.abort().catch(() => {})
    const { remove } = file as { remove?: () => Promise<void> }
    if (isNew) await remove?.call(file).catch(() => {})
    throw error
  }
}

/**
 * Saves `stream` as a file. It appears under its name only once it is whole: a chosen file is replaced on
 * closing, a download is offered when all of it is there. Rejects with the signal's reason, or with what
 * the stream or the disk failed of.
 */
export async function saveStream(
  stream: ReadableStream<Uint8Array>,
  name: string,
  type: string,
  options: SaveOptions = {},
): Promise<void> {
  if (options.file) return saveTo(options.file, stream, options)
  const parts: Blob[] = []
  let held: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const settle = () => {
    parts.push(new Blob(held))
    held = []
    size = 0
  }
  await takeAll(
    stream,
    (chunk) => {
      held.push(chunk)
      size += chunk.length
      if (size >= PART) settle()
    },
    options,
  )
  settle()
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download holds its own reference once begun; a minute is ample for that.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
