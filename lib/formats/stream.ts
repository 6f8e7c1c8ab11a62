/** Text as a stream of UTF-8, produced only as fast as it is taken. */

/** Characters collected before a chunk goes out: a chunk a line would cost more than the line. */
const CHUNK = 64 * 1024

/** Cancelling the stream ends the generator; what the generator throws errors the stream. */
export function streamText(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text = ''
        while (text.length < CHUNK) {
          const next = await pieces.next()
          if (next.done) {
            if (text) controller.enqueue(encoder.encode(text))
            controller.close()
            return
          }
          text += next.value
        }
        controller.enqueue(encoder.encode(text))
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 1 },
  )
}
