/** What benches of the inspector need inside a page of the app's origin. Bundled with browser.ts. */

import type { EventHead, SessionEvent } from '../../lib/core/event'
import { createHistory } from '../../lib/core/history'
import { createStrata, extendStrata } from '../../lib/core/projections/strata'
import { layoutStrata } from '../../lib/core/projections/strata-layout'
import { foldSurface, nodesOf } from '../../lib/core/surface'
import { openDatabase } from '../../lib/storage/db'
import { importSession } from '../../lib/storage/import'
import { openReader } from '../../lib/storage/journal'
import { elapsed, median, sortedAt, time } from './figures'
import { openRaw, putRows, request } from './raw'
import { generateSession, headerOf, headsOf, seeded } from './session'

const idOf = (size: number) => `bench-${size}`

/** Fills the app's database, and beside it the same events as single rows. */
async function prepare(size: number) {
  const events = generateSession(size)
  const db = await openDatabase()
  await importSession(db, headerOf(idOf(size)), events)
  db.close()
  const raw = await openRaw()
  await putRows(raw, idOf(size), events)
  raw.close()
  return {
    id: idOf(size),
    events: events.length,
    headsJson: JSON.stringify(headsOf(events)).length,
  }
}

/** Milliseconds to read the events of one session as single rows, and as our log: heads, then all bodies. */
async function reading(size: number) {
  const raw = await openRaw()
  const range = IDBKeyRange.bound([idOf(size), 0], [idOf(size), Infinity])
  const rows = () => request(raw.transaction('events').objectStore('events').getAll(range))
  const plain = await time(3, rows)
  raw.close()
  const db = await openDatabase()
  const reader = openReader(db, idOf(size))
  const heads = await time(3, () => reader.heads())
  const { length } = await reader.heads()
  const bodies = await elapsed(async () => {
    for (let from = 0; from < length; from += 500)
      await reader.read(Array.from({ length: Math.min(500, length - from) }, (_, i) => from + i))
  })
  db.close()
  return { plain: median(plain), heads: median(heads), bodies }
}

/** Milliseconds of one view of the surface at random moments, and of folding for the same. */
function surfaces(heads: readonly EventHead[]) {
  const history = createHistory(heads)
  const random = seeded(11)
  const seqs = Array.from({ length: 400 }, () => Math.floor(random() * heads.length))
  const view = (seq: number) => nodesOf(history.surfaceAt(seq), 0, 60)
  for (const seq of seqs) view(seq)
  const each: number[] = []
  // The clock is coarse: a view is timed by repeating it.
  for (const seq of seqs) {
    const start = performance.now()
    for (let i = 0; i < 20; i += 1) view(seq)
    each.push((performance.now() - start) / 20)
  }
  const folds: number[] = []
  for (const seq of seqs.slice(0, 7)) {
    const start = performance.now()
    foldSurface(heads.slice(0, seq + 1))
    folds.push(performance.now() - start)
  }
  return {
    p95: sortedAt(each, 0.95),
    mean: each.reduce((a, b) => a + b, 0) / each.length,
    fold: median(folds),
  }
}

async function layouts(heads: readonly EventHead[]) {
  const history = createHistory(heads)
  const index = extendStrata(createStrata(), heads)
  const newest = heads.length - 1
  const pass = await time(9, () => heads.reduce((sum, head) => sum + head.tokens, 0))
  const laid = await time(9, () => layoutStrata(index, history, newest))
  return { nodes: index.nodes, pass: median(pass), layout: median(laid) }
}

const headsOfSize = new Map<number, EventHead[]>()
const heads = (size: number) => {
  const known = headsOfSize.get(size) ?? headsOf(generateSession(size) as SessionEvent[])
  headsOfSize.set(size, known)
  return known
}

export const inspectorBench = {
  prepare,
  reading,
  surfaces: (size: number) => surfaces(heads(size)),
  layouts: (size: number) => layouts(heads(size)),
}
