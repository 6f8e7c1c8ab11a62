/** Ends a reply that has stopped coming. The SDK's timeout ends with the headers and does not cover this. */

export type Watchdog = {
  /** Something arrived: bytes of any kind, pings included. */
  touch(): void
  /** Waits for the next piece under the limit of the present stage. */
  guard<T>(waiting: Promise<T>): Promise<T>
  /** The first event is here: from now on silence is measured by the shorter limit. */
  started(): void
  readonly fired: boolean
}

/**
 * Milliseconds. `first`: until the first event; a local model may read a long prompt for minutes before
 * it says anything. `idle`: silence between bytes afterwards. Only time spent waiting for upstream counts,
 * never time in which our own reader was slow.
 */
export type Limits = { first: number; idle: number }

export function createWatchdog(limits: Limits, bark: () => void): Watchdog {
  let limit = limits.first
  let timer: ReturnType<typeof setTimeout> | undefined
  let waiting = false
  let fired = false
  const arm = () => {
    clearTimeout(timer)
    if (!waiting) return
    timer = setTimeout(() => {
      fired = true
      bark()
    }, limit)
  }
  return {
    touch: arm,
    started() {
      limit = limits.idle
      arm()
    },
    async guard(promise) {
      waiting = true
      arm()
      try {
        return await promise
      } finally {
        waiting = false
        clearTimeout(timer)
      }
    },
    get fired() {
      return fired
    },
  }
}

/** `fetch` that reports every chunk of a body, which the SDK does not show (it swallows pings). */
export function watchBody(fetch: typeof globalThis.fetch, touch: () => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    touch()
    if (!response.body) return response
    const watched = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          touch()
          controller.enqueue(chunk)
        },
      }),
    )
    return new Response(watched, response)
  }
}
