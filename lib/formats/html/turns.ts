/** Long work in the window, done in pieces. */

/** Milliseconds the window is held at once: less than a frame. */
const PIECE_MS = 12

/** Answers at once within a piece; between two pieces it lets whatever waits for the window come first. */
export type Turns = () => Promise<void>

export function createTurns(): Turns {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < PIECE_MS) return
    await new Promise((next) => setTimeout(next))
    since = performance.now()
  }
}
