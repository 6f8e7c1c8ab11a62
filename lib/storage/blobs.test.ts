import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { getBlob, putBlob } from './blobs'
import { type Database, openDatabase } from './db'
import { hashBytes } from './hash'
import { readImage } from './images'
import { freshName } from './testing/database'
import { gif, jpeg, png, webpExtended, webpLossless, webpLossy } from './testing/images'

let db: Database
beforeEach(async () => {
  db = await openDatabase(freshName())
})

describe('blobs', () => {
  it('names bytes by their hash and gives them back', async () => {
    const bytes = new TextEncoder().encode('a page')
    const ref = await putBlob(db, 'a', bytes, 'application/pdf')
    expect(ref).toEqual({
      type: 'blob',
      hash: await hashBytes(bytes),
      media_type: 'application/pdf',
      bytes: 6,
    })
    expect(await getBlob(db, ref.hash)).toEqual({ bytes, mediaType: 'application/pdf' })
    expect(await getBlob(db, '0'.repeat(64))).toBeNull()
  })

  it('keeps the same bytes once, whoever puts them and how often', async () => {
    for (const session of ['a', 'b', 'a']) await putBlob(db, session, png(2, 2), 'image/png')
    expect([await db.relaxed.blobs.count(), await db.relaxed.blobUses.count()]).toEqual([1, 2])
  })

  it('[M1] says the size of an image and corrects a wrong type', async () => {
    const ref = await putBlob(db, 'a', jpeg(640, 480), 'image/png')
    expect(ref).toMatchObject({ media_type: 'image/jpeg', width: 640, height: 480 })
    expect((await getBlob(db, ref.hash))?.mediaType).toBe('image/jpeg')
  })

  it('reads a damaged row as a blob that is not here', async () => {
    const ref = await putBlob(db, 'a', png(1, 1), 'image/png')
    await db.relaxed.blobs.put({ hash: ref.hash, bytes: 'gone' } as never)
    expect(await getBlob(db, ref.hash)).toBeNull()
  })
})

describe('image headers', () => {
  it.each([
    ['PNG', png, 'image/png'],
    ['GIF', gif, 'image/gif'],
    ['JPEG', jpeg, 'image/jpeg'],
    ['extended WebP', webpExtended, 'image/webp'],
    ['lossless WebP', webpLossless, 'image/webp'],
    ['lossy WebP', webpLossy, 'image/webp'],
  ] as const)('[M1] reads the size of a %s', (_, make, mediaType) => {
    for (const [width, height] of [
      [1, 1],
      [640, 480],
      [300, 9_001],
    ] as const) {
      expect(readImage(make(width, height))).toEqual({ mediaType, width, height })
    }
  })

  it('[M1] reads a size inside a larger buffer', () => {
    const buffer = new Uint8Array(100)
    buffer.set(png(7, 8), 30)
    expect(readImage(buffer.subarray(30))).toMatchObject({ width: 7, height: 8 })
  })

  it('says null for what is no image, is cut, or is empty', () => {
    expect(readImage(new TextEncoder().encode('just some words here'))).toBeNull()
    expect(readImage(new Uint8Array())).toBeNull()
    expect(readImage(png(0, 5))).toBeNull()
    for (const image of [png(9, 9), gif(9, 9), jpeg(9, 9), webpLossless(9, 9)]) {
      for (let cut = 0; cut < image.length; cut += 1) readImage(image.subarray(0, cut))
    }
    expect(readImage(png(9, 9).subarray(0, 20))).toBeNull()
    expect(readImage(jpeg(9, 9).subarray(0, 34))).toBeNull()
  })

  it('never throws, whatever the bytes', () => {
    const starts = [png(9, 9), gif(9, 9), jpeg(9, 9), webpExtended(9, 9), webpLossy(9, 9)]
    const mutated = fc.tuple(
      fc.constantFrom(...starts),
      fc.uint8Array({ maxLength: 60 }),
      fc.nat(60),
    )
    fc.assert(
      fc.property(mutated, ([start, noise, at]) => {
        const bytes = new Uint8Array([...start.subarray(0, at), ...noise])
        const info = readImage(bytes)
        expect(info === null || (info.width > 0 && info.height > 0)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})
