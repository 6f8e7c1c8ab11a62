import 'fake-indexeddb/auto'
import { strToU8, zipSync } from 'fflate'
import { beforeEach, describe, expect, it } from 'vitest'
import { check } from '../core/check'
import { boundary, model, person, summary } from '../formats/testing/fixture-claude'
import { GIF, jsonl, text } from '../formats/testing/fixture-rows'
import { FIXTURES } from '../formats/testing/fixtures'
import { header as sampleHeader, sampleLog } from '../formats/testing/sample-log'
import { writeTranscript } from '../formats/write'
import { allTables, type Database, openDatabase } from '../storage/db'
import { openJournal, openReader } from '../storage/journal'
import { acquireWriter } from '../storage/lock'
import { readRaw, readSideTable } from '../storage/raw'
import { getSession, listSessions, purgeSession } from '../storage/sessions'
import { freshName } from '../storage/testing/database'
import { createLocks, type TestLocks } from '../storage/testing/locks'
import { type FileToImport, type ImportProgress, importFiles } from './import-files'

let db: Database
let locks: TestLocks
let ids = 0
beforeEach(async () => {
  db = await openDatabase(freshName())
  locks = createLocks()
})

const fixture = (name: string): string => FIXTURES[name]?.text ?? ''
/** A file whose parts are read one after another. */
const file = (path: string, ...content: BlobPart[]): FileToImport => ({
  path,
  file: new File(content, path.split('/').at(-1) ?? path, { lastModified: 1_700_000_000_000 }),
})
const bring = (
  files: FileToImport[],
  more: { signal?: AbortSignal; onProgress?(progress: ImportProgress): void } = {},
) => importFiles({ db, locks, newId: () => `raw-${ids++}`, ...more }, files)

const eventsOf = async (id: string) => {
  const row = await getSession(db, id)
  return openReader(db, id).read(Array.from({ length: row?.length ?? 0 }, (_, seq) => seq))
}
const idsHere = async () => (await listSessions(db)).sessions.map(({ id }) => id).sort()
const rawOf = async (id: string): Promise<Uint8Array> => {
  const found = await readSideTable(db, id)
  return new Uint8Array(found ? await new Response(readRaw(db, found.file)).arrayBuffer() : [])
}
const originalOf = async (id: string): Promise<string> => {
  const found = await readSideTable(db, id)
  return found ? new Response(readRaw(db, found.file)).text() : ''
}
const isEmpty = async () =>
  (await Promise.all(allTables(db.relaxed).map((table) => table.count()))).every((n) => n === 0)

const rows = [
  person('p1', null, 'First'),
  model('m1', 'p1', 'msg_a', text('One')),
  person('p2', 'm1', 'Second'),
  model('m2', 'p2', 'msg_b', text('Two')),
]
/** Enough for several parts. */
const talk = Array.from({ length: 60 }, (_, n) =>
  person(`p${n}`, n === 0 ? null : `p${n - 1}`, `Question ${n}`),
)
const more = [person('p3', 'm2', 'Third'), model('m3', 'p3', 'msg_c', text('Three'))]

describe('files in', () => {
  it.each(Object.keys(FIXTURES))(
    '%s: every session sound, the original byte for byte',
    async (name) => {
      const content = fixture(name)
      const [report] = await bring([file('some/where.txt', content)])
      expect(report?.problem).toBeUndefined()
      const { sessions } = await listSessions(db)
      expect(sessions).toHaveLength(report?.sessions ?? 0)
      for (const { id, header } of sessions) {
        expect(check(header, await eventsOf(id))).toEqual([])
        expect(await originalOf(id)).toBe(content)
      }
    },
  )

  it('[T1] the side table leads from an event to its bytes', async () => {
    const content = fixture('claude-code')
    await bring([file('a.jsonl', content)])
    const bytes = new TextEncoder().encode(content)
    const { map } = (await readSideTable(db, 'garden-session'))!
    const events = await eventsOf('garden-session')
    expect(map.length).toBe(events.length)
    const at = events.findIndex(({ type }) => type === 'compact/prune')
    const found = bytes.slice(map.at[at], (map.at[at] ?? 0) + (map.bytes[at] ?? 0))
    expect(JSON.parse(new TextDecoder().decode(found))).toMatchObject({ uuid: 'mb' })
    expect(map.kept).toContainEqual({ line: 8, reason: 'a row that is no message (progress)' })
  })

  it('[T2] branches and sub-agents name the session they belong to', async () => {
    await bring([file('a.jsonl', fixture('claude-code'))])
    expect(await idsHere()).toEqual([
      ...['garden-session', 'garden-session-agent-beans', 'garden-session-q1'],
    ])
    const branch = await getSession(db, 'garden-session-q1')
    expect(branch?.header.parent).toEqual({ id: 'garden-session', seq: 5 })
    const shared = (await eventsOf('garden-session')).slice(0, 6)
    expect((await eventsOf('garden-session-q1')).slice(0, 6)).toEqual(shared)
  })

  it('[T2] a file that turns out to branch late is stored as if that had been known', async () => {
    const left = person('q', 'p0', 'Something else')
    const [report] = await bring([file('late.jsonl', jsonl(...talk), jsonl(left))])
    expect([report?.read, report?.sessions]).toEqual([61, 2])
    const [main = '', branch = ''] = await idsHere()
    const said = (await eventsOf(main)).filter(({ type }) => type === 'user/message')
    expect(said).toHaveLength(2)
    expect(await eventsOf(branch)).toHaveLength(61)
  })

  it('media cost once per content, over files and sessions', async () => {
    await bring([file('a.jsonl', fixture('claude-code')), file('b.json', fixture('openai chat'))])
    expect(fixture('claude-code').includes(GIF) && fixture('openai chat').includes(GIF)).toBe(true)
    expect(await db.relaxed.blobs.count()).toBe(1)
  })

  it('a page brings the log it carries, and so does one in a zip', async () => {
    const events = sampleLog('ab'.repeat(32))
    const page = await new Response(
      writeTranscript('html', sampleHeader, events, { count: events.length }),
    ).text()
    const [report] = await bring([file('page.html', page)])
    expect([report?.problem, report?.sessions]).toEqual([undefined, 1])
    expect(await eventsOf(sampleHeader.id)).toEqual(events)
    await purgeSession(db, sampleHeader.id)
    await bring([file('pages.zip', zipSync({ 'page.html': strToU8(page) }))])
    expect(await eventsOf(sampleHeader.id)).toEqual(events)
  })

  it('one bad file of several stops nothing', async () => {
    const reports = await bring([
      file('a.jsonl', fixture('pi')),
      file('b.txt', 'Dear diary'),
      file('c.db', 'SQLite format 3\0'),
      file('d.jsonl', jsonl({ type: 'session', version: 99, id: 'x', createdAt: 1 })),
      file('e.jsonl', fixture('codex')),
    ])
    expect(reports.map(({ problem }) => problem?.slice(0, 29) ?? null)).toEqual([
      null,
      'This is no transcript in a fo',
      'This looks like an SQLite dat',
      'This looks like a DeepSeek Ha',
      null,
    ])
    expect(await idsHere()).toContain('codex-garden')
    expect(await db.relaxed.rawFiles.count()).toBe(2)
  })

  it('the same file again changes nothing', async () => {
    await bring([file('a.jsonl', fixture('claude-code'))])
    const before = await idsHere()
    const [report] = await bring([file('renamed.txt', fixture('claude-code'))])
    expect(report?.note).toBe('It is in this browser already.')
    expect(report?.sessionId).toBe('garden-session')
    expect(await idsHere()).toEqual(before)
    expect(await db.relaxed.rawFiles.count()).toBe(1)
  })

  it('reports every record, and progress in bytes up to all of them', async () => {
    const seen: ImportProgress[] = []
    const one = file('a.jsonl', fixture('codex'))
    const [report] = await bring([one], { onProgress: (progress) => seen.push(progress) })
    expect((report?.read ?? 0) + (report?.keptRecords ?? 0)).toBe(18)
    expect(report?.compactions).toEqual({ exact: 1, derived: 1, unknown: 0 })
    expect(seen.at(-1)).toEqual({ name: 'a.jsonl', bytes: one.file.size, total: one.file.size })
  })

  it.each([1, 2, 3, 4])('a cancel leaves nothing behind (%i)', async (after) => {
    const stop = new AbortController()
    let calls = 0
    const bringing = bring([file('a.jsonl', fixture('claude-code'))], {
      signal: stop.signal,
      onProgress: () => ++calls === after && stop.abort(new Error('enough')),
    })
    await bringing.then(
      () => expect(calls).toBeLessThan(after),
      (error: Error) => expect(error.message).toBe('enough'),
    )
    if (calls >= after) expect(await isEmpty()).toBe(true)
  })

  it('deleting the last session of a file deletes its original', async () => {
    await bring([file('a.jsonl', fixture('pi'))])
    for (const id of await idsHere()) await purgeSession(db, id)
    expect(await isEmpty()).toBe(true)
  })
})

describe('files that grew', () => {
  it('[T4] add what they have more', async () => {
    await bring([file('a.jsonl', jsonl(...rows))])
    const before = await eventsOf('garden-session')
    const [report] = await bring([file('a.jsonl', jsonl(...rows, ...more))])
    expect(report?.note).toBe('It grew: 2 events were added.')
    const after = await eventsOf('garden-session')
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after).toHaveLength(before.length + 2)
    expect(check((await getSession(db, 'garden-session'))?.header, after)).toEqual([])
    expect(await originalOf('garden-session')).toBe(jsonl(...rows, ...more))
    expect(await db.relaxed.rawFiles.count()).toBe(1)
    expect(await idsHere()).toEqual(['garden-session'])
  })

  it('[T4] add what they have more where they branch too', async () => {
    const left = person('q', 'p0', 'Something else')
    await bring([file('a.jsonl', jsonl(...talk), jsonl(left))])
    const [main = '', branch] = await idsHere()
    const before = await eventsOf(main)
    await bring([file('a.jsonl', jsonl(...talk), jsonl(left, person('q2', 'q', 'And?')))])
    expect(await idsHere()).toEqual([main, branch])
    expect(await eventsOf(main)).toHaveLength(before.length + 1)
  })

  it('[T4] come in beside a session that was continued here', async () => {
    await bring([file('a.jsonl', jsonl(...rows))])
    const before = await eventsOf('garden-session')
    const lease = (await acquireWriter(db, 'garden-session', locks))!
    const open = { type: 'session/open', data: { writer: 'w', reason: 'imported' } } as const
    await openJournal(db, 'garden-session', lease).append({
      events: [{ ...open, seq: before.length, time: 1 }],
      durability: 'strict',
    })
    await lease.release()
    const [report] = await bring([file('a.jsonl', jsonl(...rows, ...more))])
    expect(report?.note).toMatch(/came in beside it/)
    const beside = (await idsHere()).find((id) => id.startsWith('garden-session~')) ?? ''
    expect((await getSession(db, beside))?.header.parent).toEqual({
      id: 'garden-session',
      seq: before.length - 1,
    })
    expect((await eventsOf('garden-session')).at(-1)?.type).toBe('session/open')
  })

  it('[T4] come in beside a session whose beginning reads otherwise now', async () => {
    await bring([file('a.jsonl', jsonl(...rows))])
    // The new rows answer an earlier message: what was shown becomes a branch.
    const rewound = [person('p9', 'm1', 'Second thoughts'), model('m9', 'p9', 'msg_z', text('Yes'))]
    const [report] = await bring([file('a.jsonl', jsonl(...rows, ...rewound))])
    expect(report?.note).toMatch(/came in beside it/)
    expect((await idsHere()).length).toBe(3)
    expect(await originalOf('garden-session')).toBe(jsonl(...rows))
  })

  it('[T4] come in beside a session that is open somewhere', async () => {
    await bring([file('a.jsonl', jsonl(...rows))])
    const lease = await acquireWriter(db, 'garden-session', locks)
    const [report] = await bring([file('a.jsonl', jsonl(...rows, ...more))])
    await lease?.release()
    expect(report?.note).toMatch(/came in beside it/)
  })

  it('[T4] a compaction in what is new joins the log as one', async () => {
    await bring([file('a.jsonl', jsonl(...rows))])
    const tail = [boundary('cb', 'm2'), summary('cs', 'cb', 'Summed up.'), person('p5', 'cs', 'On')]
    await bring([file('a.jsonl', jsonl(...rows, ...tail))])
    const events = await eventsOf('garden-session')
    expect(events.filter(({ type }) => type === 'compact/summary')).toHaveLength(1)
    expect(check((await getSession(db, 'garden-session'))?.header, events)).toEqual([])
  })
})

describe('archives and folders', () => {
  it('every transcript of a zip comes in; the rest is counted', async () => {
    const zip = zipSync({
      'export/conversations.json': strToU8(fixture('chatgpt')),
      'export/user.json': strToU8('{"email":"x"}'),
      '__MACOSX/._x': strToU8('noise'),
      'deep/er/rollout.jsonl': strToU8(fixture('codex')),
    })
    const reports = await bring([file('all.zip', zip as Uint8Array<ArrayBuffer>)])
    expect(reports.map(({ name }) => name)).toEqual([
      'all.zip › export/conversations.json',
      'all.zip › deep/er/rollout.jsonl',
    ])
    expect(reports[0]?.note).toMatch(/One other file is no transcript/)
    expect(await idsHere()).toEqual(['codex-garden', 'gpt-compost', 'gpt-compost-n2'])
    expect(Buffer.compare(await rawOf('codex-garden'), zip)).toBe(0)
    expect(await db.relaxed.rawFiles.count()).toBe(1)
  })

  it('[T2] a sub-agent in a folder hangs at the call that started it', async () => {
    const agent = (id: string) =>
      jsonl(
        person('a1', null, 'find beans', { isSidechain: true, agentId: id }),
        model('a2', 'a1', 'msg_x', text('Found'), { isSidechain: true, agentId: id }),
      )
    await bring([
      file('garden-session/subagents/agent-b1.jsonl', agent('b1')),
      file('garden-session/subagents/agent-b1.meta.json', '{"toolUseId":"call_c"}'),
      file('garden-session.jsonl', fixture('claude-code')),
    ])
    const here = await getSession(db, 'garden-session-agent-b1')
    const events = await eventsOf('garden-session')
    const parent = events[here?.header.parent?.seq ?? -1]
    expect(here?.header.parent?.id).toBe('garden-session')
    expect(parent?.type === 'assistant/message' && JSON.stringify(parent.data.content)).toContain(
      'call_c',
    )
  })
})
