/** A job in a worker of its own, so that a loop in it can be ended by ending the worker. */

export type JobResult<T> =
  | { kind: 'done'; value: T }
  /** The job threw; for a person or model to read. */
  | { kind: 'failed'; message: string }
  | { kind: 'timeout' }
  | { kind: 'aborted' }

type Answer<T> = { value: T } | { error: string }

/** The worker's side: runs every posted job and posts its answer. */
export function answerJob<J, T>(run: (job: J) => Promise<T>): void {
  self.onmessage = async (event: MessageEvent<J>) => {
    let answer: Answer<T>
    try {
      answer = { value: await run(event.data) }
    } catch (error) {
      answer = { error: error instanceof Error ? error.message : String(error) }
    }
    self.postMessage(answer)
  }
}

/** Runs `job` in a new worker; `signal` and `timeoutMs` end the worker itself. Never rejects. */
export function runInWorker<J, T>(
  createWorker: () => Worker,
  job: J,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<JobResult<T>> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ kind: 'aborted' })
    let worker: Worker
    try {
      worker = createWorker()
    } catch (error) {
      return resolve({ kind: 'failed', message: `the worker did not start: ${String(error)}` })
    }
    const finish = (result: JobResult<T>) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      worker.terminate()
      resolve(result)
    }
    const abort = () => finish({ kind: 'aborted' })
    const timer = setTimeout(() => finish({ kind: 'timeout' }), timeoutMs)
    signal.addEventListener('abort', abort)
    worker.onmessage = (event: MessageEvent<Answer<T>>) =>
      finish(
        'error' in event.data
          ? { kind: 'failed', message: event.data.error }
          : { kind: 'done', value: event.data.value },
      )
    worker.onerror = (event) =>
      finish({ kind: 'failed', message: event.message || 'the worker did not load' })
    worker.onmessageerror = () =>
      finish({ kind: 'failed', message: 'the worker sent something unreadable' })
    worker.postMessage(job)
  })
}

/** How tools run jobs; tests without workers run the same functions in place. */
export type RunJob<J, T> = (job: J, signal: AbortSignal, timeoutMs: number) => Promise<JobResult<T>>

export const inPlace =
  <J, T>(run: (job: J) => Promise<T>): RunJob<J, T> =>
  async (job, signal) => {
    if (signal.aborted) return { kind: 'aborted' }
    try {
      return { kind: 'done', value: await run(job) }
    } catch (error) {
      return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
    }
  }
