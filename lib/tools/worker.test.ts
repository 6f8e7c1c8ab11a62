import { afterEach, expect, it, vi } from 'vitest'
import { runInWorker } from './worker'

/** A worker that answers what the test tells it to. */
class FakeWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null
  onerror: ((event: { message: string }) => void) | null = null
  terminated = false
  constructor(private readonly answer: unknown) {}
  postMessage() {
    if (this.answer !== undefined) queueMicrotask(() => this.onmessage?.({ data: this.answer }))
  }
  terminate() {
    this.terminated = true
  }
}
const start = (worker: FakeWorker, signal: AbortSignal) =>
  runInWorker<string, number>(() => worker as unknown as Worker, 'job', signal, 1000)

afterEach(() => void vi.useRealTimers())

it('gives the answer and ends the worker', async () => {
  const worker = new FakeWorker({ value: 7 })
  expect(await start(worker, new AbortController().signal)).toEqual({ kind: 'done', value: 7 })
  expect(worker.terminated).toBe(true)
  expect(await start(new FakeWorker({ error: 'bad' }), new AbortController().signal)).toEqual({
    kind: 'failed',
    message: 'bad',
  })
})

it('an abort ends the worker at once', async () => {
  const worker = new FakeWorker(undefined)
  const stop = new AbortController()
  const result = start(worker, stop.signal)
  stop.abort()
  expect(await result).toEqual({ kind: 'aborted' })
  expect(worker.terminated).toBe(true)
})

it('a job that takes too long ends with its worker', async () => {
  vi.useFakeTimers()
  const worker = new FakeWorker(undefined)
  const result = start(worker, new AbortController().signal)
  vi.advanceTimersByTime(1000)
  expect(await result).toEqual({ kind: 'timeout' })
  expect(worker.terminated).toBe(true)
})

it('a worker that cannot be made is a failure, not an exception', async () => {
  const result = await runInWorker(
    () => {
      throw new Error('no workers here')
    },
    1,
    new AbortController().signal,
    10,
  )
  expect(result.kind).toBe('failed')
})
