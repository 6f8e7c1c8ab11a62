/** Benches of the import, in a worker as the app's: reading a log beside parsing its lines, and all of it beside writing. */

import type { SessionEvent } from '../../lib/core/event'
import { openTranscript } from '../../lib/formats/open'
import { readTranscript } from '../../lib/formats/transcript'
import { importFiles } from '../../lib/state/import-files'
import { createKeeper, serveKeeping } from '../../lib/state/keeper'
import { openDatabase } from '../../lib/storage/db'
import { importSession } from '../../lib/storage/import'
import { keepRaw } from '../../lib/storage/raw'
import { elapsed, type Figure, figure } from './figures'
import { generateLog, type LogKind } from './import-logs'

/** What the page asks its worker for. */
type ImportAsk = { kind: LogKind; megabytes: number; whole: boolean }

const SCRIPT = '/bench.js'
/** What the script's address ends with where it keeps originals. */
const KEEPING = '#keeping'

const LOG_MB = 100
const RUNS = 6
const NEWLINE = 0x0a

const logOf = (kind: LogKind, megabytes: number): Blob =>
  new Blob([...generateLog(kind, megabytes << 20)])

/** The least that any reader does: streams the file, decodes every line and parses it. */
async function parseLines(blob: Blob): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let pending = new Uint8Array()
  const take = (bytes: Uint8Array) => {
    // Elements of a list stand on lines of their own, between commas and brackets.
    const text = decoder.decode(bytes).replace(/^[[,]/, '').replace(/\]$/, '')
    if (text !== '') JSON.parse(text)
  }
  const reader = blob.stream().getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const chunk = next.value
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const line = chunk.subarray(from, end)
      take(pending.length > 0 ? joined(pending, line) : line)
      pending = new Uint8Array()
      from = end + 1
    }
    pending = joined(pending, chunk.subarray(from))
  }
  take(pending)
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(a.length + b.length)
  whole.set(a)
  whole.set(b, a.length)
  return whole
}

/** Reads a log to its last event. Its hash is known to an import before reading begins. */
async function readLog(blob: Blob): Promise<number> {
  const opened = await openTranscript(blob, { sha256: '-' })
  if (opened.kind === 'native') return (await readTranscript(blob)).sessions[0]?.events.length ?? 0
  if (opened.kind !== 'foreign') throw new Error('the generated log is not recognised')
  let events = 0
  const keepBlob = () => Promise.reject(new Error('the generated log holds no media'))
  for await (const part of opened.read(keepBlob)) {
    if (part.type === 'events') events += part.events.length
  }
  return events
}

async function reading({ kind, megabytes }: ImportAsk): Promise<Figure> {
  const blob = logOf(kind, megabytes)
  const ours: number[] = []
  const least: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    least.push(await elapsed(() => parseLines(blob)))
    const events = await elapsed(async () => {
      if ((await readLog(blob)) === 0) throw new Error(`nothing was read from the ${kind} log`)
    })
    ours.push(events)
  }
  const name = `read ${megabytes} MB of ${kind}, beside streaming, decoding and parsing its lines`
  // The quickest of each: what else the machine does makes both slower, and neither faster.
  return figure(name, Math.min(...ours), Math.min(...least), 2)
}

/** Events whose JSON has about as many bytes as the log: what a session of that size is to write. */
async function eventsOf(megabytes: number): Promise<SessionEvent[]> {
  const read = await readTranscript(logOf('native', megabytes))
  return read.sessions[0]?.events ?? []
}

async function importing({ kind, megabytes }: ImportAsk): Promise<Figure> {
  const db = await openDatabase(`bench-import-${kind}`)
  const writing = await (async () => {
    const events = await eventsOf(megabytes)
    return elapsed(() => importSession(db, { version: 1, id: 'written', createdAt: 0 }, events))
  })()
  const file = new File([logOf(kind, megabytes)], 'log.jsonl', { lastModified: 0 })
  // As the import's own worker does.
  const start = () => new Worker(`${SCRIPT}${KEEPING}`, { type: 'module' })
  const keeper = createKeeper((...given) => keepRaw(db, ...given), db.name, start)
  const job = { db, newId: () => crypto.randomUUID(), keep: keeper.keep }
  const bringing = await elapsed(async () => {
    const [report] = await importFiles(job, [{ file, path: file.name }])
    if (!report?.sessionId || report.problem) throw new Error(`not imported: ${report?.problem}`)
  })
  keeper.end()
  db.close()
  const name = `import ${megabytes} MB of ${kind}, original and all, beside writing as many bytes as segments`
  return figure(name, bringing, writing, 3)
}

const measure = (ask: ImportAsk): Promise<Figure> => (ask.whole ? importing(ask) : reading(ask))

const READ: LogKind[] = ['claude-code', 'codex', 'dsh', 'pi', 'messages', 'chatgpt', 'native']
const WHOLE: LogKind[] = ['claude-code', 'codex']

/** Every figure in a worker of its own, as an import has one. */
async function importBench(megabytes = LOG_MB): Promise<Figure[]> {
  const asks: ImportAsk[] = [
    ...READ.map((kind) => ({ kind, megabytes, whole: false })),
    ...WHOLE.map((kind) => ({ kind, megabytes, whole: true })),
  ]
  const figures: Figure[] = []
  for (const ask of asks) {
    const worker = new Worker(SCRIPT, { type: 'module' })
    figures.push(
      await new Promise<Figure>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<Figure | string>) =>
          typeof data === 'string' ? reject(new Error(data)) : resolve(data)
        worker.onerror = (event) => reject(new Error(event.message))
        worker.postMessage(ask)
      }),
    )
    worker.terminate()
  }
  return figures
}

// The page and its worker are one script.
if (typeof document !== 'undefined') Object.assign(globalThis, { importBench })
else if (location.hash === KEEPING) serveKeeping(self as unknown as Worker)
else {
  self.onmessage = async ({ data }: MessageEvent<ImportAsk>) =>
    self.postMessage(await measure(data).catch((error: unknown) => String(error)))
}
