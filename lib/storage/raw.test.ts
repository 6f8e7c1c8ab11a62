import 'fake-indexeddb/auto'
import { createHash, randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from './db'
import { dropRaw, keepRaw, mapRaw, readRaw, readSideTable, type SideTable, sweepRaw } from './raw'
import { createSession, purgeSession } from './sessions'
import { freshName } from './testing/database'
import { createLocks } from './testing/locks'
import { sampleHeader } from './testing/sample-events'

let db: Database
beforeEach(async () => {
  db = await openDatabase(freshName())
})

const bytes = new Uint8Array(randomBytes(2_500_000)) as Uint8Array<ArrayBuffer>
const table: SideTable = {
  path: 'a.jsonl',
  origins: [
    { line: 2, at: 10, bytes: 5 },
    { line: 3, toLine: 5, at: 16, bytes: 40 },
  ],
  kept: [{ line: 1, reason: 'inert' }],
  rejected: [{ line: 6, toLine: 9, reason: 'it is not JSON' }],
  mended: [],
}
const counts = async () => [
  await db.relaxed.rawFiles.count(),
  await db.relaxed.rawPieces.count(),
  await db.relaxed.rawMaps.count(),
]
const all = async (id: string) =>
  new Uint8Array(
    await new Response(readRaw(db, (await db.relaxed.rawFiles.get(id))!)).arrayBuffer(),
  )

describe('originals of imports', () => {
  it('[T1] are kept in pieces and come back byte for byte', async () => {
    const progress: number[] = []
    const kept = await keepRaw(db, 'r1', 'a.jsonl', new Blob([bytes]), {
      onProgress: ({ bytes }) => progress.push(bytes),
    })
    expect(kept.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(progress).toEqual([1_048_576, 2_097_152, 2_500_000])
    expect(await counts()).toEqual([1, 3, 0])
    expect(Buffer.compare(await all('r1'), bytes)).toBe(0)
  })

  it('[T1] are the same where a browser’s blobs fill no memory that is given', async () => {
    const file = new Blob([bytes])
    const plain = () => new ReadableStream<Uint8Array<ArrayBuffer>>()
    const kept = await keepRaw(db, 'r1', 'a.jsonl', Object.assign(file, { stream: plain }))
    expect(await all('r1')).toEqual(bytes)
    expect(kept.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  it('[T1] an empty file is an original too', async () => {
    await keepRaw(db, 'r0', 'nothing', new Blob([]))
    expect(await all('r0')).toHaveLength(0)
  })

  it('cost once, however often they are brought in', async () => {
    await keepRaw(db, 'r1', 'a', new Blob([bytes]))
    const again = await keepRaw(db, 'r2', 'b', new Blob([bytes]))
    expect([again.id, again.isKnown]).toEqual(['r1', true])
    expect(await counts()).toEqual([1, 3, 0])
  })

  it('[T4] say of which earlier ones they are a longer form', async () => {
    const cut = (to: number) => new Blob([bytes.subarray(0, to)])
    await keepRaw(db, 'short', 's', cut(1_000))
    await keepRaw(db, 'edge', 'e', cut(1_048_576))
    await keepRaw(db, 'other', 'o', new Blob([randomBytes(2_000)]))
    const { grownFrom } = await keepRaw(db, 'long', 'l', new Blob([bytes]))
    expect(grownFrom.map(({ id }) => id)).toEqual(['edge', 'short'])
    expect((await keepRaw(db, 'same', 's', cut(1_000))).grownFrom).toEqual([])
  })

  it('[T1] the side table says where each event stood, and what became none', async () => {
    await keepRaw(db, 'r1', 'a.jsonl', new Blob([bytes]))
    await mapRaw(db, 's1', 'r1', table)
    const found = await readSideTable(db, 's1')
    expect(found?.file.id).toBe('r1')
    expect(found?.map).toMatchObject({
      length: 2,
      path: 'a.jsonl',
      kept: table.kept,
      rejected: table.rejected,
    })
    expect([...(found?.map.line ?? [])]).toEqual([2, 3])
    expect([...(found?.map.toLine ?? [])]).toEqual([2, 5])
    expect([...(found?.map.at ?? [])]).toEqual([10, 16])
    expect(await readSideTable(db, 'none')).toBeNull()
  })

  it('go with the last session that uses them', async () => {
    await keepRaw(db, 'r1', 'a', new Blob([bytes]))
    for (const id of ['s1', 's2']) {
      await createSession(db, sampleHeader(id))
      await mapRaw(db, id, 'r1', table)
    }
    await dropRaw(db, 'r1')
    await purgeSession(db, 's1')
    expect(await counts()).toEqual([1, 3, 1])
    await purgeSession(db, 's2')
    expect(await counts()).toEqual([0, 0, 0])
  })

  it('[T4] a session that grew lets its earlier original go', async () => {
    await keepRaw(db, 'r1', 'a', new Blob([bytes.subarray(0, 10)]))
    await mapRaw(db, 's1', 'r1', table)
    await keepRaw(db, 'r2', 'a', new Blob([bytes]))
    await mapRaw(db, 's1', 'r2', table)
    expect(await db.relaxed.rawFiles.toCollection().primaryKeys()).toEqual(['r2'])
  })

  it('leave nothing behind when the import is cancelled', async () => {
    const stop = new AbortController()
    const keeping = keepRaw(db, 'r1', 'a', new Blob([bytes]), {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    })
    await expect(keeping).rejects.toThrow('enough')
    expect(await counts()).toEqual([0, 0, 0])
  })

  it('that no session came to use are swept up', async () => {
    await keepRaw(db, 'used', 'u', new Blob(['used']))
    await mapRaw(db, 's1', 'used', table)
    await keepRaw(db, 'left', 'l', new Blob(['left']))
    await db.relaxed.rawPieces.put({ id: 'torn', index: 0, bytes: 1, packed: bytes.slice(0, 1) })
    await sweepRaw(db, createLocks())
    expect(await counts()).toEqual([1, 1, 1])
  })

  it('a damaged piece is said, not passed over', async () => {
    await keepRaw(db, 'r1', 'a', new Blob([bytes]))
    await db.relaxed.rawPieces
      .where('[id+index]')
      .equals(['r1', 1])
      .modify({ packed: bytes.slice(0, 9) })
    await expect(all('r1')).rejects.toThrow('Piece 1 of the original cannot be read.')
  })
})
