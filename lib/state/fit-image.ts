/** Images too large for a model, drawn again in the browser before they are kept. */

import { IMAGE_LIMITS, imageFlaw } from '../core/fit'
import { type ImageInfo, readImage } from '../storage/images'

type Size = { width: number; height: number }

/** Draws an image in that size and type; rejects where the browser cannot read it. */
export type Redraw = (image: Blob, size: Size, type: string) => Promise<Blob>

export type Fitted = { bytes: Uint8Array<ArrayBuffer>; info: ImageInfo }

/**
 * Longer sides tried one after the other, in pixels. The first is the most an image may have beside twenty
 * others; a model sees no more than about 1,600 anyway.
 */
const EDGES = [IMAGE_LIMITS.sideOfMany, 1024]
/** Of JPEG and WebP, from 0 to 1. */
const QUALITY = 0.85

const flawOf = ({ mediaType, ...size }: ImageInfo, bytes: number): string | null =>
  imageFlaw(
    { type: 'blob', hash: '', media_type: mediaType, bytes, ...size },
    IMAGE_LIMITS.sideOfMany,
  )

/** The size with no side longer than `edge`, in the same shape as far as whole pixels allow. */
export function scaledTo({ width, height }: Size, edge: number): Size {
  const factor = Math.min(1, edge / Math.max(width, height))
  const side = (pixels: number) => Math.max(1, Math.round(pixels * factor))
  return { width: side(width), height: side(height) }
}

export const redrawInBrowser: Redraw = async (image, { width, height }, type) => {
  const bitmap = await createImageBitmap(image)
  try {
    const canvas = new OffscreenCanvas(width, height)
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('this browser draws no images')
    // JPEG has no transparency: what is behind it would turn black.
    if (type === 'image/jpeg') {
      pen.fillStyle = '#fff'
      pen.fillRect(0, 0, width, height)
    }
    pen.imageSmoothingQuality = 'high'
    pen.drawImage(bitmap, 0, 0, width, height)
    return await canvas.convertToBlob({ type, quality: QUALITY })
  } finally {
    bitmap.close()
  }
}

/**
 * The image as it is where any request may hold it, else a smaller one: in its own type where that is small
 * enough (a GIF becomes a still PNG), otherwise as JPEG. Null where it cannot be made small enough or not read.
 */
export async function fitImage(
  bytes: Uint8Array<ArrayBuffer>,
  info: ImageInfo,
  redraw: Redraw = redrawInBrowser,
): Promise<Fitted | null> {
  if (flawOf(info, bytes.length) === null) return { bytes, info }
  const own = info.mediaType === 'image/gif' ? 'image/png' : info.mediaType
  const image = new Blob([bytes], { type: info.mediaType })
  try {
    for (const edge of EDGES) {
      for (const type of new Set([own, 'image/jpeg'])) {
        const drawn = await redraw(image, scaledTo(info, edge), type)
        const fitted = new Uint8Array(await drawn.arrayBuffer())
        const found = readImage(fitted)
        if (found && flawOf(found, fitted.length) === null) return { bytes: fitted, info: found }
      }
    }
  } catch {
    // An image that says its size and cannot be decoded: nothing can be made of it.
  }
  return null
}
