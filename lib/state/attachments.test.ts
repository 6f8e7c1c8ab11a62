import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import { putBlob } from '../storage/blobs'
import { type Database, openDatabase } from '../storage/db'
import { readDraft } from '../storage/drafts'
import { freshName } from '../storage/testing/database'
import { attach, attachmentOf, draftKeeper, fileOf } from './attachments'

const PNG = Uint8Array.from(
  atob(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
  (char) => char.charCodeAt(0),
)
const image = () => new File([PNG], 'dot.png', { type: 'image/png' })
const note = () => new File(['one\ntwo'], 'a "b".txt', { type: 'text/plain' })

let db: Database
beforeEach(async () => {
  db = await openDatabase(freshName())
})
const problems: unknown[] = []
const keeper = () =>
  draftKeeper(
    () => db,
    (error) => problems.push(error),
  )
const blobs = () => db.relaxed.blobs.count()
/** The stored draft, once it has that many files. */
const stored = async (files: number) => {
  await expect.poll(async () => (await readDraft(db, 's')).attachments.length).toBe(files)
  return readDraft(db, 's')
}

describe('a draft', () => {
  it('comes back with its files, byte for byte and by name', async () => {
    keeper()('s', 'look', [image(), note()])
    const { text, attachments } = await stored(2)
    expect(text).toBe('look')
    const [dot, words] = await Promise.all(attachments.map((block) => fileOf(db, block)))
    expect([dot?.name, dot?.type, new Uint8Array(await dot!.arrayBuffer())]).toEqual([
      'dot.png',
      'image/png',
      PNG,
    ])
    expect([words?.name, await words?.text()]).toEqual(['a "b".txt', 'one\ntwo'])
    expect(problems).toEqual([])
  })

  it('has its text stored before its files are read', async () => {
    keeper()('s', 'at once', [image()])
    await expect.poll(async () => (await readDraft(db, 's')).text).toBe('at once')
    await stored(1)
  })

  it('that is emptied leaves no file behind, however soon', async () => {
    const keep = keeper()
    const file = image()
    keep('s', '', [file])
    keep('s', '', [])
    await expect.poll(blobs).toBe(0)
    keep('s', '', [file])
    await stored(1)
    keep('s', '', [])
    await expect.poll(blobs).toBe(0)
    expect(await stored(0)).toEqual({ text: '', attachments: [] })
  })

  it('that is emptied after a reload leaves no file behind', async () => {
    keeper()('s', '', [image()])
    await stored(1)
    keeper()('s', '', [])
    await expect.poll(blobs).toBe(0)
  })

  it('that is emptied leaves what was sent where it is', async () => {
    const keep = keeper()
    keep('s', '', [image()])
    await stored(1)
    await putBlob(db, 's', PNG, 'image/png')
    keep('s', '', [])
    await expect.poll(() => db.relaxed.blobUses.count()).toBe(1)
    expect(await blobs()).toBe(1)
  })

  it('comes back without a file whose bytes are gone', async () => {
    keeper()('s', '', [image()])
    const { attachments } = await stored(1)
    await db.relaxed.blobs.clear()
    expect(await fileOf(db, attachments[0]!)).toBeNull()
  })
})

it('a file that no model can read is said to be none, in words', async () => {
  const broken = new File(['not an image'], 'x.png', { type: 'image/png' })
  expect(await attach(db, 's', broken)).toMatch(/x\.png is not an image/)
  const binary = new File([new Uint8Array([0, 255, 0, 254])], 'x.bin')
  expect(await attach(db, 's', binary)).toMatch(/neither text nor an image/)
})

/** The beginning of a PNG of that size, as long as asked. */
function pngOf(width: number, height: number, bytes = PNG.length): Uint8Array<ArrayBuffer> {
  const png = new Uint8Array(bytes)
  png.set(PNG)
  new DataView(png.buffer).setUint32(16, width)
  new DataView(png.buffer).setUint32(20, height)
  return png
}
const picture = (...size: Parameters<typeof pngOf>) =>
  new File([pngOf(...size)], 'p.png', { type: 'image/png' })

describe('[Q4] an image', () => {
  const asked: [number, number, string][] = []
  const told: string[] = []
  beforeEach(() => {
    asked.length = 0
    told.length = 0
  })
  /** Draws PNGs of `heavy` bytes, and of anything else few. */
  const attached = (file: File, heavy = 0) =>
    attach(db, 's', file, {
      onScaled: (words) => told.push(words),
      redraw: async (_, { width, height }, type) => {
        asked.push([width, height, type])
        return new Blob([
          pngOf(width, height, type === 'image/png' && heavy > 0 ? heavy : PNG.length),
        ])
      },
    })

  it('that any request may hold is kept byte for byte', async () => {
    expect(await attached(picture(2000, 2000))).toMatchObject({
      source: { bytes: PNG.length, width: 2000, height: 2000 },
    })
    expect([asked, told]).toEqual([[], []])
  })

  it('with too many pixels is kept in a size that is taken, in its shape, and that is told', async () => {
    expect(await attached(picture(9000, 90), PNG.length)).toMatchObject({
      source: { width: 2000, height: 20 },
    })
    expect(asked).toEqual([[2000, 20, 'image/png']])
    expect(told).toEqual([
      'p.png is sent as 2000 × 20 pixels instead of 9000 × 90 pixels: larger images are refused.',
    ])
  })

  it('of too many bytes becomes a JPEG where its own type stays too long', async () => {
    const block = await attached(picture(1500, 1500, 4_000_000), 4_000_000)
    expect(block).toMatchObject({ source: { bytes: PNG.length, width: 1500 } })
    expect(asked).toEqual([
      [1500, 1500, 'image/png'],
      [1500, 1500, 'image/jpeg'],
    ])
  })

  it('that the browser cannot draw is said to be too large, in words', async () => {
    const redraw = () => Promise.reject(new Error('no'))
    const words = await attach(db, 's', picture(9000, 90), { redraw })
    expect(words).toMatch(/p\.png is too large for a model \(9000 × 90 pixels\)/)
    expect(await blobs()).toBe(0)
  })
})

it('an attached file is recognised and nothing else', () => {
  expect(attachmentOf('<file name="a \\"b\\".txt">\nx\ny\n</file>')).toEqual({
    name: 'a "b".txt',
    text: 'x\ny',
  })
  expect(attachmentOf('see <file name="a">')).toBeNull()
  expect(attachmentOf('<file name="\\q">\nx\n</file>')).toBeNull()
})
