// PNG files of a screen with at most 256 colours: a third of the size, and no package for it.
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])

function* chunksOf(png) {
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    yield { type, data: png.subarray(at + 8, at + 8 + length) }
    at += length + 12
  }
}

const chunk = (type, data) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), frame.length - 4)
  return frame
}

const paeth = (a, b, c) => {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)]
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
}

/** Undoes the five row filters in place; `bytes` a pixel. */
function unfilter(raw, width, height, bytes) {
  const stride = width * bytes
  const out = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const left = x < bytes ? 0 : out[y * stride + x - bytes]
      const up = y === 0 ? 0 : out[(y - 1) * stride + x]
      const corner = x < bytes || y === 0 ? 0 : out[(y - 1) * stride + x - bytes]
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]
      out[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess
    }
  }
  return out
}

/** The colours of an 8-bit RGB or RGBA file without interlacing, as Chromium writes them: 0xRRGGBB, row by row. */
export function readPng(png) {
  const parts = [...chunksOf(png)]
  const header = parts.find(({ type }) => type === 'IHDR').data
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth, colour, , , interlaced] = header.subarray(8)
  if (depth !== 8 || (colour !== 2 && colour !== 6) || interlaced)
    throw new Error('not a PNG as a browser writes it')
  const bytes = colour === 6 ? 4 : 3
  const packed = Buffer.concat(parts.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  const rows = unfilter(inflateSync(packed), width, height, bytes)
  const pixels = new Uint32Array(width * height)
  for (let i = 0; i < pixels.length; i++) pixels[i] = rows.readUIntBE(i * bytes, 3)
  return { width, height, pixels }
}

const SHIFTS = [16, 8, 0]
const channel = (colour, shift) => (colour >> shift) & 255

/** Which channel of a box of colours spreads most, and how far. */
function spread(colours) {
  let most = { shift: 16, range: -1 }
  for (const shift of SHIFTS) {
    let [low, high] = [255, 0]
    for (const [colour] of colours) {
      const value = channel(colour, shift)
      if (value < low) low = value
      if (value > high) high = value
    }
    if (high - low > most.range) most = { shift, range: high - low }
  }
  return most
}

/** Median cut: colours that are used much, or differ much, are told apart first. */
function paletteOf(counts, size) {
  const weigh = (colours) => {
    const { shift, range } = spread(colours)
    const uses = colours.reduce((sum, [, count]) => sum + count, 0)
    return { colours, shift, range, uses, weight: range * Math.sqrt(uses) }
  }
  const boxes = [weigh([...counts])]
  while (boxes.length < size) {
    boxes.sort((a, b) => a.weight - b.weight)
    if (boxes.at(-1).range === 0) break
    const { colours, shift, uses } = boxes.pop()
    colours.sort(([a], [b]) => channel(a, shift) - channel(b, shift))
    let cut = 0
    for (let seen = 0; cut < colours.length - 1 && seen < uses / 2; cut++) seen += colours[cut][1]
    cut = Math.max(1, cut)
    boxes.push(weigh(colours.slice(0, cut)), weigh(colours.slice(cut)))
  }
  // The most used colour of a box stands for it, so that flat surfaces keep theirs exactly.
  return boxes.map(({ colours }) => colours.reduce((a, b) => (b[1] > a[1] ? b : a))[0])
}

const distance = (a, b) => SHIFTS.reduce((sum, s) => sum + (channel(a, s) - channel(b, s)) ** 2, 0)

/** The same picture with at most 256 colours. */
export function reduceColours(png) {
  const { width, height, pixels } = readPng(png)
  const counts = new Map()
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = paletteOf(counts, 256)
  const nearest = new Map(
    [...counts.keys()].map((colour) => {
      let best = 0
      for (let i = 1; i < palette.length; i++)
        if (distance(colour, palette[i]) < distance(colour, palette[best])) best = i
      return [colour, best]
    }),
  )
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rows[y * (width + 1) + 1 + x] = nearest.get(pixels[y * width + x])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap((c) => SHIFTS.map((shift) => channel(c, shift))))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
