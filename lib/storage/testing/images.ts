/** Headers of images, byte by byte from their specifications; enough of a file to say its size. */

const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0))
const big = (value: number, size: number): number[] =>
  Array.from({ length: size }, (_, at) => (value >>> (8 * (size - 1 - at))) & 0xff)
const little = (value: number, size: number): number[] => big(value, size).reverse()
const of = (...parts: (number | number[])[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(parts.flat())

export const png = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  of([0x89, ...ascii('PNG'), 13, 10, 26, 10], big(13, 4), ascii('IHDR'), big(width, 4), [
    ...big(height, 4),
    ...[8, 6, 0, 0, 0],
  ])

export const gif = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  of(ascii('GIF89a'), little(width, 2), little(height, 2), [0, 0, 0])

/** With an application segment and a Huffman table before the frame header, as cameras write them. */
export const jpeg = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  of(
    [0xff, 0xd8],
    [0xff, 0xe0, ...big(16, 2), ...ascii('JFIF'), ...new Array<number>(10).fill(0)],
    [0xff, 0xc4, ...big(5, 2), 0xff, 0xc0, 0xff],
    [0xff, 0xc2, ...big(17, 2), 8, ...big(height, 2), ...big(width, 2), 3],
    new Array<number>(9).fill(0),
  )

const riff = (chunk: string, payload: number[]): Uint8Array<ArrayBuffer> =>
  of(ascii('RIFF'), little(payload.length + 12, 4), ascii('WEBP'), ascii(chunk), [
    ...little(payload.length, 4),
    ...payload,
    ...new Array<number>(16).fill(0),
  ])

export const webpExtended = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  riff('VP8X', [0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)])

export const webpLossless = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  riff('VP8L', [0x2f, ...little((width - 1) | ((height - 1) << 14), 4)])

export const webpLossy = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  riff('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2)])
