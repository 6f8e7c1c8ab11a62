import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { FIXTURES } from '../formats/testing/fixtures'
import { allTables, type Database, openDatabase } from '../storage/db'
import { type KeptFile, keepRaw, readRaw, readSideTable } from '../storage/raw'
import { listSessions } from '../storage/sessions'
import { freshName } from '../storage/testing/database'
import { createLocks } from '../storage/testing/locks'
import { importFiles, type Keep } from './import-files'
import { createKeeper, serveKeeping } from './keeper'

let db: Database
let ids = 0
beforeEach(async () => {
  db = await openDatabase(freshName())
})

const here: Keep = (...given) => keepRaw(db, ...given)
const given = (text: string, name = 'given.jsonl') => ({
  path: name,
  file: new File([text], name, { lastModified: 1_700_000_000_000 }),
})
const bring = (keep: Keep, ...texts: string[]) =>
  importFiles(
    { db, locks: createLocks(), newId: () => `raw-${ids++}`, keep },
    texts.map((text) => given(text)),
  )
const isEmpty = async () =>
  (await Promise.all(allTables(db.relaxed).map((table) => table.count()))).every((n) => n === 0)
const textOf = (name: string) => FIXTURES[name]?.text ?? ''

describe('a file is kept while it is read', () => {
  /** Keeps a file when told to, and not before. */
  function later() {
    let go = () => {}
    const told = new Promise<void>((resolve) => {
      go = resolve
    })
    const keep: Keep = async (...asked) => {
      await told
      return here(...asked)
    }
    return { keep, go: () => go() }
  }

  it('what names its sessions is read before the hash is known, and its origin names the hash', async () => {
    const { keep, go } = later()
    let read = 0
    const done = importFiles(
      {
        db,
        locks: createLocks(),
        newId: () => `raw-${ids++}`,
        keep,
        onProgress: ({ bytes }) => {
          read = bytes
        },
      },
      [given(textOf('claude-code'))],
    )
    await expect.poll(() => read).toBeGreaterThan(0)
    // All of the session is written, and nobody sees it yet.
    await expect.poll(() => db.relaxed.segments.count()).toBeGreaterThan(0)
    expect((await listSessions(db)).sessions).toEqual([])
    go()
    const [report] = await done
    const { sessions } = await listSessions(db)
    expect(sessions).toHaveLength(report?.sessions ?? 0)
    const table = await readSideTable(db, sessions[0]!.id)
    for (const { header } of sessions) expect(header.origin?.sha256).toBe(table?.file.sha256)
  })

  it('[T1] records that name no session wait for the hash, and are counted once', async () => {
    const text = textOf('learn-claude-code')
    const [report] = await bring(here, text)
    const other = await openDatabase(freshName())
    const known = await keepRaw(other, 'raw', 'given.jsonl', given(text).file)
    const { sessions } = await listSessions(db)
    expect(sessions[0]?.id).toContain(known.sha256.slice(0, 16))
    expect((report?.read ?? 0) + (report?.keptRecords ?? 0)).toBe(text.trimEnd().split('\n').length)
  })

  it('where it cannot be kept nothing of it stays, and reading ends', async () => {
    const keep: Keep = () => Promise.reject(new Error('The disk is full.'))
    const [report] = await bring(keep, textOf('claude-code'))
    expect(report?.problem).toBe('The disk is full.')
    expect(await isEmpty()).toBe(true)
  })

  it('where it cannot be read what was kept of it goes', async () => {
    const keeping = vi.fn<Keep>(async (id, name, file, options) => {
      const kept = await here(id, name, file, options)
      vi.spyOn(db.relaxed.segments, 'add').mockRejectedValue(new Error('no more rows'))
      return kept
    })
    const [report] = await bring(keeping, textOf('learn-claude-code'))
    expect(report?.problem).toContain('no more rows')
    vi.restoreAllMocks()
    expect(await isEmpty()).toBe(true)
  })
})

describe('the keeper', () => {
  type Listener = (event: { data: unknown }) => void

  /** A worker that runs in place: what is posted to one end is heard at the other, later. */
  function workerHere() {
    const ends: Listener[][] = [[], []]
    const end = (own: number) => ({
      postMessage: (data: unknown) =>
        queueMicrotask(() => {
          for (const listener of [...ends[1 - own]!]) listener({ data: structuredClone(data) })
        }),
      addEventListener(type: string, listener: Listener, options?: { signal?: AbortSignal }) {
        if (type !== 'message') return
        const list = ends[own]!
        list.push(listener)
        options?.signal?.addEventListener('abort', () => list.splice(list.indexOf(listener), 1))
      },
      terminate: () => {},
    })
    serveKeeping(end(1) as unknown as Worker)
    return end(0) as unknown as Worker
  }
  const large = () => given(`${'x'.repeat(64)}\n`.repeat(80_000)).file
  const readBack = async ({ id }: KeptFile) => {
    const file = await db.relaxed.rawFiles.get(id)
    return file ? new Response(readRaw(db, file)).text() : null
  }

  it('keeps a large file in its worker as it would be kept here, and a small one here', async () => {
    const start = vi.fn(workerHere)
    const keeper = createKeeper(here, db.name, start)
    await keeper.keep('small', 'small.txt', given('few words').file, {})
    expect(start).not.toHaveBeenCalled()
    const progress: number[] = []
    const onProgress = ({ bytes }: { bytes: number }) => progress.push(bytes)
    const kept = await keeper.keep('large', 'large.txt', large(), { onProgress })
    const again = await keeper.keep('again', 'again.txt', large(), {})
    expect(start).toHaveBeenCalledOnce()
    expect(await readBack(kept)).toBe(await large().text())
    expect(progress.at(-1)).toBe(large().size)
    expect(again).toEqual({ ...kept, isKnown: true })
    expect(kept).toEqual({ ...(await keepRaw(db, 'x', 'x', large())), isKnown: false })
  })

  it('keeps a large file here where its worker can have none of its own', async () => {
    const start = vi.fn(() => null)
    const keeper = createKeeper(here, db.name, start)
    const kept = await keeper.keep('large', 'large.txt', large(), {})
    expect(await readBack(kept)).toBe(await large().text())
    await keeper.keep('again', 'again.txt', large(), {})
    expect(start).toHaveBeenCalledOnce()
  })

  it('a cancel there leaves nothing, and rejects with the signal’s reason', async () => {
    const keeper = createKeeper(here, db.name, workerHere)
    const stop = new AbortController()
    const reason = new Error('enough')
    const kept = keeper.keep('large', 'large.txt', large(), {
      signal: stop.signal,
      onProgress: () => stop.abort(reason),
    })
    await expect(kept).rejects.toBe(reason)
    expect(await isEmpty()).toBe(true)
  })

  it('a failure there is told in its words', async () => {
    const keeper = createKeeper(here, 'no-such-version', () => {
      const worker = workerHere()
      vi.spyOn(indexedDB, 'open').mockImplementationOnce(() => {
        throw new Error('storage is out of reach')
      })
      return worker
    })
    await expect(keeper.keep('large', 'large.txt', large(), {})).rejects.toThrow(
      'storage is out of reach',
    )
  })
})
