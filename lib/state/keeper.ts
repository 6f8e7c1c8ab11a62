/**
 * Keeps originals in a worker beside the one that reads them: hashing and packing a large file take about
 * half as long as understanding it, and a machine has more than one core.
 */

import { openDatabase } from '../storage/db'
import { type KeptFile, keepRaw } from '../storage/raw'
import type { Keep } from './import-files'

type ToKeeper =
  | { type: 'keep'; job: number; database: string; id: string; name: string; file: File }
  | { type: 'cancel'; job: number }

type FromKeeper =
  | { type: 'progress'; job: number; bytes: number; total: number }
  | { type: 'kept'; job: number; kept: KeptFile }
  | { type: 'failed'; job: number; message: string }

/** Smaller files are kept before a worker would have begun. */
const WORTH_BYTES = 4 << 20

export type Keeper = {
  /** As `keepRaw`; in the worker where that is worth it. */
  keep: Keep
  /** Ends the worker. */
  end(): void
}

/**
 * `start` gives the worker, which must run `serveKeeping`, or null where a worker can have none of its own; it
 * is called when a file is worth it.
 */
export function createKeeper(here: Keep, database: string, start: () => Worker | null): Keeper {
  let worker: Worker | null | undefined
  let jobs = 0

  const keepIn = (there: Worker, ...[id, name, file, options]: Parameters<Keep>) => {
    const { signal, onProgress } = options
    const job = jobs
    jobs += 1
    return new Promise<KeptFile>((resolve, reject) => {
      const say = (message: ToKeeper) => there.postMessage(message)
      const cancel = () => say({ type: 'cancel', job })
      const stop = new AbortController()
      const end = () => {
        stop.abort()
        signal?.removeEventListener('abort', cancel)
      }
      const hear = ({ data }: MessageEvent<FromKeeper>) => {
        if (data.job !== job) return
        if (data.type === 'progress') return onProgress?.(data)
        end()
        if (data.type === 'kept') resolve(data.kept)
        else reject(signal?.aborted ? signal.reason : new Error(data.message))
      }
      const fail = ({ message }: ErrorEvent) => {
        end()
        reject(new Error(message || 'The worker that keeps files did not load.'))
      }
      there.addEventListener('message', hear, stop)
      there.addEventListener('error', fail, stop)
      signal?.addEventListener('abort', cancel)
      say({ type: 'keep', job, database, id, name, file })
      if (signal?.aborted) cancel()
    })
  }

  return {
    keep(id, name, file, options) {
      if (file.size < WORTH_BYTES) return here(id, name, file, options)
      if (worker === undefined) worker = start()
      return worker ? keepIn(worker, id, name, file, options) : here(id, name, file, options)
    },
    end: () => worker?.terminate(),
  }
}

/** The worker's own end, which a page's types know from outside only. */
type Port = Pick<Worker, 'postMessage' | 'addEventListener'>

/** Keeps what a `createKeeper` at the other end asks for, and leaves nothing of what it cancels. */
export function serveKeeping(port: Port): void {
  const stops = new Map<number, AbortController>()
  const say = (message: FromKeeper) => port.postMessage(message)
  const keep = async (asked: Extract<ToKeeper, { type: 'keep' }>) => {
    const { job, database, id, name, file } = asked
    const stop = new AbortController()
    stops.set(job, stop)
    const db = await openDatabase(database)
    try {
      const kept = await keepRaw(db, id, name, file, {
        signal: stop.signal,
        onProgress: (progress) => say({ type: 'progress', job, ...progress }),
      })
      say({ type: 'kept', job, kept })
    } finally {
      stops.delete(job)
      db.close()
    }
  }
  port.addEventListener('message', ({ data }: MessageEvent<ToKeeper>) => {
    if (data.type === 'cancel') stops.get(data.job)?.abort(new Error('The import was cancelled.'))
    else
      keep(data).catch((error: unknown) =>
        say({
          type: 'failed',
          job: data.job,
          message: error instanceof Error ? error.message : String(error),
        }),
      )
  })
}
