/** Benches of exports, in Chromium on a profile on disk: from the database into a file, beside its bytes alone. */

import type { SessionEvent } from '../../lib/core/event'
import { passesOf, type WriteFormat, writeTranscript } from '../../lib/formats/write'
import { saveStream } from '../../lib/state/save'
import { openDatabase } from '../../lib/storage/db'
import { importSession } from '../../lib/storage/import'
import { openReader } from '../../lib/storage/journal'
import { elapsed, type Figure, figure, median } from './figures'
import { generateSession } from './session'

const EVENTS = 20_000
const PAGE = 500
const ROUNDS = 3

const FORMATS: { format: WriteFormat; atMost: number }[] = [
  { format: 'native', atMost: 4 },
  { format: 'markdown', atMost: 6 },
  { format: 'html', atMost: 12 },
]

/** A file on disk that a stream can be saved to, as the one a person chooses. */
async function fileNamed(name: string): Promise<FileSystemFileHandle> {
  const root = await navigator.storage.getDirectory()
  return root.getFileHandle(name, { create: true })
}

/** The bytes of a file as a stream of chunks as large as an export's. */
const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> => {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + 65_536))
      at += 65_536
    },
  })
}

/** The longest time the window was held while `work` ran. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const ticker = new MessageChannel()
  ticker.port1.onmessage = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    ticker.port2.postMessage(0)
  }
  ticker.port2.postMessage(0)
  await work()
  ticker.port1.close()
  return longest
}

export async function exportBench(): Promise<Figure[]> {
  const db = await openDatabase('bench-export')
  const header = { version: 1, id: 'export', createdAt: 0 }
  await importSession(db, header, generateSession(EVENTS))
  const reader = openReader(db, 'export')
  async function* read(): AsyncGenerator<SessionEvent> {
    for (let from = 0; from < EVENTS; from += PAGE) {
      const to = Math.min(from + PAGE, EVENTS)
      yield* await reader.read(Array.from({ length: to - from }, (_, at) => from + at))
    }
  }
  const figures: Figure[] = []
  for (const { format, atMost } of FORMATS) {
    const file = await fileNamed(`bench.${format}`)
    const write = () =>
      saveStream(writeTranscript(format, header, read, { count: EVENTS }), '', '', { file })
    await write()
    const bytes = new Uint8Array(await (await file.getFile()).arrayBuffer())
    const plain = await fileNamed('bench.plain')
    const ours: number[] = []
    const alone: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await elapsed(write))
      alone.push(await elapsed(() => saveStream(streamOf(bytes), '', '', { file: plain })))
    }
    const size = `${(bytes.length / 1e6).toFixed(0)} MB`
    const times = passesOf(format, {}) === 1 ? 'once' : `${passesOf(format, {})} times`
    const words = `export ${size} as ${format}, the log read ${times}, beside writing the same bytes`
    figures.push(figure(words, median(ours), median(alone), atMost))
    const longest = await longestHold(write)
    const what = `longest time the window was held by an export as ${format}, beside a long task`
    figures.push(figure(what, longest, 50, 1.5))
  }
  db.close()
  return figures
}

Object.assign(globalThis, { exportBench })
