/** Ending work at once when its signal aborts, whether or not the work listens. */

/** `work`, or `instead` as soon as the signal aborts; a late outcome of `work` is dropped. */
export async function orAborted<T, U>(
  work: Promise<T>,
  signal: AbortSignal,
  instead: () => U,
): Promise<T | U> {
  if (signal.aborted) {
    work.catch(() => {})
    return instead()
  }
  const done = new AbortController()
  const aborted = new Promise<'aborted'>((resolve) => {
    signal.addEventListener('abort', () => resolve('aborted'), { once: true, signal: done.signal })
  })
  try {
    const first = await Promise.race([work.then((value) => ({ value })), aborted])
    if (first !== 'aborted') return first.value
    work.catch(() => {})
    return instead()
  } finally {
    done.abort()
  }
}
