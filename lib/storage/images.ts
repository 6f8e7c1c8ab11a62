/** Kind and size of an image from its first bytes (M1): PNG, JPEG, GIF and WebP, the four a model reads. */

export type ImageInfo = { mediaType: string; width: number; height: number }

const ascii = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function sizeOfPng(bytes: Uint8Array): ImageInfo | null {
  if (bytes.length < 24 || ascii(bytes, 12, 4) !== 'IHDR') return null
  const view = viewOf(bytes)
  return { mediaType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
}

function sizeOfGif(bytes: Uint8Array): ImageInfo | null {
  if (bytes.length < 10) return null
  const view = viewOf(bytes)
  return { mediaType: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

/** Frame headers are the markers C0 to CF but for C4 (tables), C8 (reserved) and CC (arithmetic). */
const isFrameMarker = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Walks the segments of a JPEG to its frame header; stops at the pixels. */
function sizeOfJpeg(bytes: Uint8Array): ImageInfo | null {
  const view = viewOf(bytes)
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1]!
    if (marker === 0xff) at += 1
    else if (isFrameMarker(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)]
      return { mediaType: 'image/jpeg', width, height }
    } else if (marker === 0xda || marker === 0xd9) return null
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else at += 2 + view.getUint16(at + 2)
  }
  return null
}

const uint24 = (bytes: Uint8Array, at: number): number =>
  bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16)

/** Three layouts: extended (a canvas size), lossless (14-bit fields), lossy (a key frame header). */
function sizeOfWebp(bytes: Uint8Array): ImageInfo | null {
  if (bytes.length < 30) return null
  const mediaType = 'image/webp'
  const view = viewOf(bytes)
  const chunk = ascii(bytes, 12, 4)
  if (chunk === 'VP8X') {
    return { mediaType, width: uint24(bytes, 24) + 1, height: uint24(bytes, 27) + 1 }
  }
  if (chunk === 'VP8L' && bytes[20] === 0x2f) {
    const bits = view.getUint32(21, true)
    return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (chunk === 'VP8 ' && uint24(bytes, 23) === 0x2a019d) {
    const [width, height] = [view.getUint16(26, true), view.getUint16(28, true)]
    return { mediaType, width: width & 0x3fff, height: height & 0x3fff }
  }
  return null
}

/** Null for anything else, and for a header that is cut, damaged or says an empty image. */
export function readImage(bytes: Uint8Array): ImageInfo | null {
  const info = sniff(bytes)
  return info && info.width > 0 && info.height > 0 ? info : null
}

function sniff(bytes: Uint8Array): ImageInfo | null {
  if (bytes.length < 10) return null
  if (bytes[0] === 0x89 && ascii(bytes, 1, 3) === 'PNG') return sizeOfPng(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return sizeOfJpeg(bytes)
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return sizeOfGif(bytes)
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') return sizeOfWebp(bytes)
  return null
}
