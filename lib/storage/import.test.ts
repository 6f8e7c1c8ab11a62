import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SessionEvent } from '../core/event'
import { sampleLog } from '../formats/testing/sample-log'
import { readTranscript, writeTranscript } from '../formats/transcript'
import { getBlob, putBlob } from './blobs'
import { allTables, type Database, openDatabase } from './db'
import { addSegment } from './events'
import { importSession, sweepImports } from './import'
import { openReader } from './journal'
import { acquireWriter } from './lock'
import { packable } from './segments'
import { clearAll, createSession, getSession, listSessions } from './sessions'
import { freshName } from './testing/database'
import { png } from './testing/images'
import { createLocks } from './testing/locks'
import { messages, numbered, sampleHeader, titled } from './testing/sample-events'

const ID = 'imported'
const header = sampleHeader(ID)
const text = (words: string) => ({
  bytes: new TextEncoder().encode(words),
  mediaType: 'text/plain',
})

let db: Database
beforeEach(async () => {
  db = await openDatabase(freshName())
})

const isEmpty = async () => {
  const counts = await Promise.all(allTables(db.relaxed).map((table) => table.count()))
  return counts.every((count) => count === 0)
}

describe('importing a whole log', () => {
  it('brings in every event, blob and the summary', async () => {
    const events = [...numbered([titled('From elsewhere')]), ...messages(1_200, 1)]
    const made = await importSession(db, header, events, [text('picture')])
    expect(made).toMatchObject({ ok: true, value: { length: 1_201, title: 'From elsewhere' } })
    const row = await getSession(db, ID)
    expect(row).toEqual(made.ok && made.value)
    expect(row?.sparkline).toHaveLength(60)
    expect(row?.sparkline).toEqual([...(row?.sparkline ?? [])].sort((a, b) => a - b))
    const reader = openReader(db, ID)
    expect(await reader.read(events.map(({ seq }) => seq))).toEqual(events)
    const [blob] = await db.relaxed.blobs.toArray()
    expect(await getBlob(db, blob!.hash)).toEqual(text('picture'))
  })

  it('export, clear, import: the same session again, to the byte', async () => {
    const image = await putBlob(db, ID, png(3, 2), 'image/png')
    const log = sampleLog(image.hash)
    await createSession(db, header, log)
    const exportAll = async () => {
      const events = await openReader(db, ID).read(log.map(({ seq }) => seq))
      const blobOf = (hash: string) => getBlob(db, hash)
      return new Response(writeTranscript('native', header, events, { blobOf })).text()
    }
    const file = await exportAll()
    await clearAll(db)
    const { sessions } = await readTranscript(new Blob([file]))
    const session = sessions[0]!
    expect(session.report).toMatchObject({ rejected: [], violations: [], missingBlobs: [] })
    await importSession(db, session.header, session.events, session.blobs.values())
    expect(await openReader(db, ID).read(log.map(({ seq }) => seq))).toEqual(log)
    expect(await exportAll()).toBe(file)
    const row = await getSession(db, ID)
    expect(row).toMatchObject({ title: 'Reading *agents*', counts: { compactions: 1 } })
  })

  it('is on no list before it is whole', async () => {
    const seen: number[] = []
    async function* slowly(): AsyncGenerator<SessionEvent> {
      for (const event of messages(1_600)) {
        if (event.seq === 1_599) {
          seen.push((await listSessions(db)).sessions.length, await db.relaxed.segments.count())
          expect(await getSession(db, ID)).toBeNull()
        }
        yield event
      }
    }
    await importSession(db, header, slowly())
    expect(seen).toEqual([0, 1])
    expect((await listSessions(db)).sessions).toHaveLength(1)
  })

  it('a cancel leaves nothing behind', async () => {
    const cancel = new AbortController()
    const onProgress = ({ events }: { events: number }) => {
      if (events === 1_000) cancel.abort(new Error('enough'))
    }
    const work = importSession(db, header, messages(2_700), [text('picture')], {
      signal: cancel.signal,
      onProgress,
    })
    await expect(work).rejects.toThrow('enough')
    expect(await isEmpty()).toBe(true)
  })

  it('[L1] events that are no log leave nothing behind', async () => {
    const gap = [...messages(1_600), ...messages(1, 1_601)]
    await expect(importSession(db, header, gap)).rejects.toMatchObject({ code: 'failed' })
    expect(await isEmpty()).toBe(true)
  })

  it('[L1] refuses an id that is here, at once even while a tab writes it', async () => {
    const locks = createLocks()
    await createSession(db, header, messages(2))
    await acquireWriter(db, ID, locks)
    const again = await importSession(db, header, messages(5), [], { locks })
    expect(again).toMatchObject({ ok: false, error: { rule: 'L1' } })
    expect(await getSession(db, ID)).toMatchObject({ length: 2 })
  })

  it('[R4] sweeps what a tab that died left, and not what another still writes', async () => {
    const locks = createLocks()
    let die = () => {}
    const died = new Promise<void>((resolve) => {
      die = resolve
    })
    async function* endless(): AsyncGenerator<SessionEvent> {
      yield* messages(1_700)
      await died
      throw new Error('tab closed')
    }
    const running = importSession(db, header, endless(), [], {
      locks,
      onProgress: async () => {
        expect(await sweepImports(db, locks)).toEqual([])
        die()
      },
    })
    await expect(running).rejects.toThrow('tab closed')

    await db.relaxed.sessions.add({
      ...(await rowOf('dead')),
      importing: true,
    })
    await addSegment(db.relaxed, 'dead', 0, messages(3).map(packable))
    await createSession(db, sampleHeader('alive'), messages(1))
    expect(await sweepImports(db, locks)).toEqual(['dead'])
    expect(await db.relaxed.segments.count()).toBe(0)
    expect(await db.relaxed.fresh.count()).toBe(1)
    expect(await sweepImports(db, undefined)).toEqual([])
  })
})

/** A well-formed session row. */
async function rowOf(id: string) {
  const other = await openDatabase(freshName())
  await createSession(other, sampleHeader(id))
  const row = await getSession(other, id)
  return row!
}
