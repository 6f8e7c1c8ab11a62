import 'fake-indexeddb/auto'
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SessionEvent } from '../core/event'
import { checksum } from './checksum'
import { type Database, openDatabase } from './db'
import { importSession } from './import'
import { inspectSession } from './integrity'
import { openReader } from './journal'
import { BODIES_FORM, packable, packSegment } from './segments'
import { freshName } from './testing/database'
import { messages, sampleHeader } from './testing/sample-events'

const ID = 'session-1'

let db: Database
beforeEach(async () => {
  db = await openDatabase(freshName())
})

const readAll = () => openReader(db, ID).read(Array.from({ length: 700 }, (_, seq) => seq))

describe('chunks of bodies', () => {
  const source = new URL('../core/vocabulary.ts', import.meta.url)

  it('of before version 5, with another checksum, are read, and their damage is found', async () => {
    const events = messages(700)
    await importSession(db, sampleHeader(ID), events)
    const { bodies } = db.relaxed
    for (const { form: _, ...row } of await bodies.toArray()) {
      const place = `bodies:${ID}/${row.seq}-${row.end}`
      await bodies.put({ ...row, sum: checksum(place, row.text) })
    }
    expect(await readAll()).toEqual(events)
    expect((await inspectSession(db, ID)).damage).toEqual([])
    const first = (await bodies.get([ID, 0]))!
    await bodies.put({ ...first, text: first.text.replace('e', 'f') })
    await expect(openReader(db, ID).read([0])).rejects.toMatchObject({ name: 'DamagedRow', seq: 0 })
  })

  it('of another form are inspected when they are read; a check inspects all of them', async () => {
    const events = messages(300)
    await importSession(db, sampleHeader(ID), events)
    const strange = { ...events[7], type: 'from/mars' } as unknown as SessionEvent
    const texts = events.map((event) => packable(event))
    texts[7] = { ...texts[7]!, text: JSON.stringify(strange) }
    const [row] = packSegment(ID, 0, texts).bodies
    await db.relaxed.bodies.put({ ...row!, form: BODIES_FORM + 1 })
    await expect(openReader(db, ID).read([7])).rejects.toThrow(/from\/mars is no event/)
    expect(await openReader(db, ID).read([6])).toEqual([events[6]])
    await db.relaxed.bodies.put(row!)
    expect(await openReader(db, ID).read([7])).toEqual([strange])
    expect((await inspectSession(db, ID)).damage).toMatchObject([{ from: 7, to: 8 }])
  })

  it('their form is raised when the vocabulary changes', () => {
    const words = readFileSync(source, 'utf8').replace(/\/\*\*[\s\S]*?\*\/|\s+/g, '')
    expect({ form: BODIES_FORM, vocabulary: checksum('', words) }).toEqual({
      form: 1,
      vocabulary: 5161342674016906,
    })
  })
})
