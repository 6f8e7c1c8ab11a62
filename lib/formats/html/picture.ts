/**
 * The strata and the token curve as SVG. The edges of a node are those of the strata panel and stay; its row
 * says how many replacements lie over it, so that the top row is the surface at every moment.
 */

import type { Seq } from '../../core/event'
import { bucketTimeline } from '../../core/projections/curve'
import { NODE_KINDS } from '../../core/projections/strata'
import type { Mark } from '../../core/projections/timeline'
import { momentsOf, type Picture } from './shadows'
import type { Turns } from './turns'

const WIDTH = 1200
const ROW = 30
const TALLEST = 240
const CURVE = 120
/** More rectangles than this say no more to the eye; thin neighbours are then drawn as one. */
const MANY = 6000
const COLUMNS = 1200
/** Nodes between two looks at the clock. */
const STRIDE = 256

const digits = (value: number): string => String(Math.round(value * 100) / 100)
export const number = (value: number): string => Math.round(value).toLocaleString('en-US')

type Box = {
  seq: Seq
  level: number
  depth: number
  left: number
  right: number
  data: string
  state: string
}

async function levelsOf({ heads, history }: Picture, turns: Turns): Promise<Map<Seq, number>> {
  const levels = new Map<Seq, number>()
  for (const { seq, op } of heads) {
    if (seq % STRIDE === 0) await turns()
    if (op === 'append') levels.set(seq, 0)
    const under = history.shadowsOf(seq)
    if (under.length === 0) continue
    levels.set(seq, 1 + under.reduce((most, one) => Math.max(most, levels.get(one) ?? 0), 0))
  }
  return levels
}

/** How many replacements lie over each node at the end of the log. */
function depthOf({ gone }: Picture, seq: Seq): number {
  const over = (of: Seq) => gone.get(of)?.find(({ until }) => until === undefined)?.by
  let depth = 0
  for (let by = over(seq); by !== undefined; by = over(by)) depth += 1
  return depth
}

async function boxesOf(picture: Picture, turns: Turns): Promise<Box[]> {
  const { strata } = picture
  const scale = WIDTH / Math.max(1, strata.end.tokens)
  const boxes: Box[] = []
  const lastOf = new Map<number, Box>()
  const levels = await levelsOf(picture, turns)
  let nodes = 0
  for (const [seq, level] of levels) {
    nodes += 1
    if (nodes % STRIDE === 0) await turns()
    const left = strata.left.tokens[seq]! * scale
    const right = strata.right.tokens[seq]! * scale
    if (!Number.isFinite(left) || !Number.isFinite(right)) continue
    const { data, state } = momentsOf(picture, seq)
    const depth = depthOf(picture, seq)
    const last = lastOf.get(level)
    const joins =
      levels.size > MANY &&
      last !== undefined &&
      right - last.left < 0.5 &&
      left >= last.left &&
      state === last.state &&
      depth === last.depth
    if (joins) Object.assign(last, { right: Math.max(right, last.right) })
    else {
      const box = { seq, level, depth, left, right, data, state }
      boxes.push(box)
      lastOf.set(level, box)
    }
  }
  return boxes
}

/** All nodes ever on the surface: at the top what is there at the end, beneath it what it replaced. */
export async function strataSvg(picture: Picture, turns: Turns): Promise<string> {
  const boxes = await boxesOf(picture, turns)
  const rows = boxes.reduce((most, { level }) => Math.max(most, level + 1), 1)
  const row = Math.max(4, Math.min(ROW, Math.floor(TALLEST / rows)))
  const height = rows * row
  const rects: string[] = []
  for (const { seq, depth, left, right, data, state } of boxes) {
    if (rects.length % STRIDE === 0) await turns()
    const kind = NODE_KINDS[picture.strata.kinds[seq]!] ?? 'user'
    const gap = right - left > 3 ? 1.2 : 0
    const tokens = number(picture.heads[seq]!.tokens)
    rects.push(
      `<rect class="k-${kind}${state}"${data} x="${digits(left)}"` +
        ` y="${depth * row}" width="${digits(Math.max(0.3, right - left - gap))}"` +
        ` height="${row > 8 ? row - 3 : row - 1}"><title>#${seq} ${kind}, ${tokens} tokens</title></rect>`,
    )
  }
  return (
    `<svg class="strata" id="strata" data-row="${row}" role="img" aria-label="Strata: what the model sees on top, what it replaced beneath"` +
    ` viewBox="0 0 ${WIDTH} ${height}" height="${height}" preserveAspectRatio="none">\n${rects.join('\n')}\n</svg>\n`
  )
}

/** A line from what the window held to what was left of it, headed by a dot. */
function markLine(
  { kind, status, seq, before, after }: Mark,
  x: (seq: Seq) => number,
  y: (tokens: number) => string,
) {
  const at = digits(x(seq))
  const words = `${kind}, ${status}: ${number(before)} to ${number(after)} tokens`
  const look = `m-${kind}${status === 'done' ? '' : ' failed'}`
  const head = `x1="${at}" x2="${at}" y1="${y(before)}"`
  return (
    `<line class="mark ${look}" ${head} y2="${y(after)}"></line>` +
    `<line class="dot ${look}" ${head} y2="${y(before)}"><title>#${seq} ${words}</title></line>`
  )
}

/** Tokens of the window after every event; a lost spike is a lost fact, so columns keep their extremes. */
export function curveSvg({ timeline }: Picture): string {
  const { length } = timeline
  const columns = Math.max(1, Math.min(COLUMNS, length))
  const curve = bucketTimeline(timeline, columns)
  const limit = timeline.limits.at(-1)
  const top = Math.max(1, timeline.peak, limit?.threshold ?? 0) * 1.08
  const x = (seq: Seq) => ((seq + 1) / Math.max(1, length)) * WIDTH
  const y = (tokens: number) => digits(CURVE - (tokens / top) * CURVE)
  let line = `M0,${CURVE}`
  for (let c = 0; c < columns && length > 0; c += 1) {
    const at = digits(((c + 1) / columns) * WIDTH)
    const [high, low, last] = [curve.high[c]!, curve.low[c]!, curve.last[c]!]
    line += high === last && low === last ? `L${at},${y(last)}` : ''
    if (high !== last || low !== last) line += `L${at},${y(high)}L${at},${y(low)}L${at},${y(last)}`
  }
  const totals = length === 0 ? '' : [...curve.last].map(Math.round).join(' ')
  const threshold = limit?.threshold
  const marks = [...new Set(timeline.marks.map(({ seq }) => seq))].sort((a, b) => a - b).join(' ')
  const rule =
    threshold === undefined
      ? ''
      : `<line class="limit" x1="0" x2="${WIDTH}" y1="${y(threshold)}" y2="${y(threshold)}">` +
        `<title>Compaction threshold: ${number(threshold)} tokens</title></line>`
  return (
    `<svg class="curve" id="curve" role="img" aria-label="Tokens of the window over time"` +
    ` data-totals="${totals}" data-marks="${marks}" viewBox="0 0 ${WIDTH} ${CURVE}" preserveAspectRatio="none">` +
    `<path d="${line}L${WIDTH},${CURVE}Z"></path>${rule}` +
    `${timeline.marks.map((mark) => markLine(mark, x, y)).join('')}` +
    `<line id="cursor" class="cursor" x1="${WIDTH}" x2="${WIDTH}" y1="0" y2="${CURVE}"></line></svg>\n`
  )
}
