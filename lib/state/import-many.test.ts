import 'fake-indexeddb/auto'
import { strToU8, zipSync } from 'fflate'
import { beforeEach, describe, expect, it } from 'vitest'
import { check } from '../core/check'
import { chatgpt, claudeAi, opencode } from '../formats/testing/fixture-documents'
import { GIF } from '../formats/testing/fixture-rows'
import { allTables, type Database, openDatabase } from '../storage/db'
import { openReader } from '../storage/journal'
import { readSideTable } from '../storage/raw'
import { getSession, listSessions } from '../storage/sessions'
import { freshName } from '../storage/testing/database'
import { createLocks, type TestLocks } from '../storage/testing/locks'
import type { Choose, ConversationList } from './import-choice'
import { type FileToImport, importFiles } from './import-files'

let db: Database
let locks: TestLocks
let ids = 0
beforeEach(async () => {
  db = await openDatabase(freshName())
  locks = createLocks()
})

const file = (path: string, content: BlobPart): FileToImport => ({
  path,
  file: new File([content], path.split('/').at(-1) ?? path, { lastModified: 1_700_000_000_000 }),
})
const bring = (files: FileToImport[], choose?: Choose, signal?: AbortSignal) =>
  importFiles({ db, locks, newId: () => `raw-${ids++}`, choose, signal }, files)
const eventsOf = async (id: string) => {
  const row = await getSession(db, id)
  return openReader(db, id).read(Array.from({ length: row?.length ?? 0 }, (_, seq) => seq))
}
const idsHere = async () => (await listSessions(db)).sessions.map(({ id }) => id).sort()
const isEmpty = async () =>
  (await Promise.all(allTables(db.relaxed).map((table) => table.count()))).every((n) => n === 0)
const zip = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        path,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
  ) as Uint8Array<ArrayBuffer>

const second = {
  ...chatgpt[0],
  title: 'Second',
  conversation_id: 'gpt-second',
  update_time: 1_780_000_000,
}
const exported = JSON.stringify([...chatgpt, second])

describe('exports of many conversations', () => {
  it('are asked for once, with titles, dates and counts, and only what was chosen comes in', async () => {
    const asked: ConversationList[][] = []
    const choose: Choose = async (_, lists) => {
      asked.push(lists)
      return new Map([['conversations.json', new Set([2])]])
    }
    const [report] = await bring([file('conversations.json', exported)], choose)
    expect(asked).toEqual([
      [
        {
          path: 'conversations.json',
          conversations: [
            { index: 0, title: 'Compost', updatedAt: 1_770_000_000_250, messages: 4 },
            { index: 2, title: 'Second', updatedAt: 1_780_000_000_000, messages: 4 },
          ],
        },
      ],
    ])
    expect(await idsHere()).toEqual(['gpt-second', 'gpt-second-n2'])
    expect(report?.kept).toContainEqual({ line: 1, reason: 'a conversation that was not chosen' })
    const { file: kept } = (await readSideTable(db, 'gpt-second'))!
    expect(kept.bytes).toBe(new TextEncoder().encode(exported).length)
  })

  it('give what was not chosen another time', async () => {
    const only =
      (index: number): Choose =>
      async () =>
        new Map([['conversations.json', new Set([index])]])
    await bring([file('conversations.json', exported)], only(2))
    await bring([file('conversations.json', exported)], only(0))
    expect(await idsHere()).toEqual([
      ...['gpt-compost', 'gpt-compost-n2', 'gpt-second', 'gpt-second-n2'],
    ])
    expect(await db.relaxed.rawFiles.count()).toBe(1)
  })

  it('are one question for all files of an archive', async () => {
    const archive = zip({
      'conversations-000.json': JSON.stringify(chatgpt),
      'conversations-001.json': JSON.stringify(claudeAi),
    })
    const asked: string[][] = []
    const choose: Choose = async (name, lists) => {
      asked.push([name, ...lists.map(({ path }) => path)])
      return new Map([
        ['conversations-000.json', new Set<number>()],
        ['conversations-001.json', new Set([0])],
      ])
    }
    const reports = await bring([file('all.zip', archive)], choose)
    expect(asked).toEqual([['all.zip', 'conversations-000.json', 'conversations-001.json']])
    expect((await idsHere())[0]).toBe('ai-herbs')
    expect(await getSession(db, 'gpt-compost')).toBeNull()
    expect(reports[0]?.problem).toBeUndefined()
  })

  it('that hold one conversation are not asked for', async () => {
    const choose: Choose = () => Promise.reject(new Error('asked'))
    const [report] = await bring([file('a.json', JSON.stringify(claudeAi))], choose)
    expect(report?.sessions).toBeGreaterThan(0)
  })

  it('leave nothing behind where none was chosen, or the question was cancelled', async () => {
    const [report] = await bring([file('a.json', exported)], async () => null)
    expect([report?.note, report?.problem]).toEqual([
      'No conversation of it was chosen.',
      undefined,
    ])
    expect(await isEmpty()).toBe(true)
    const stop = new AbortController()
    const cancelled = bring(
      [file('a.json', exported)],
      async () => {
        stop.abort(new Error('enough'))
        return null
      },
      stop.signal,
    )
    await expect(cancelled).rejects.toThrow('enough')
    expect(await isEmpty()).toBe(true)
  })
})

describe('what lies beside a transcript', () => {
  it('pictures of a ChatGPT export become attachments, once each', async () => {
    const archive = zip({
      'conversations.json': exported,
      'files/leaf-abc.gif': Uint8Array.from(Buffer.from(GIF, 'base64')),
    })
    const reports = await bring([file('all.zip', archive)])
    expect(reports).toHaveLength(1)
    expect(await db.relaxed.blobs.count()).toBe(1)
    const said = JSON.stringify(await eventsOf('gpt-compost'))
    expect([said.includes('image/gif'), said.includes('file-service')]).toEqual([true, false])
  })

  it('files of a folder that are no transcripts are counted, not listed', async () => {
    const reports = await bring([
      file('export/user.json', '{"email":"x"}'),
      file('export/conversations.json', JSON.stringify(chatgpt)),
      file('export/chat.html', '<html></html>'),
    ])
    expect(reports.map(({ name, note }) => [name, note])).toEqual([
      ['export/conversations.json', '2 other files are no transcripts.'],
    ])
    const loose = Array.from({ length: 12 }, (_, n) => file(`picture-${n}.png`, 'x'))
    const [only, ...more] = await bring([file('a.json', JSON.stringify(claudeAi)), ...loose])
    expect([only?.note, more]).toEqual(['12 other files are no transcripts.', []])
    const [none] = await bring([file('pictures/a.txt', 'a'), file('pictures/b.txt', 'b')])
    expect([none?.name, none?.problem]).toEqual([
      'pictures',
      'The folder holds no transcript in a format Palimpsest knows.',
    ])
  })
})

describe('a folder of opencode', () => {
  const { info, messages } = opencode
  const root = 'opencode/storage'
  const stored: Record<string, string> = {
    [`${root}/session/p1/${info.id}.json`]: JSON.stringify(info),
  }
  for (const message of messages) {
    const own = message.info as { id: string }
    stored[`${root}/message/${info.id}/${own.id}.json`] = JSON.stringify(own)
    message.parts.forEach((part, n) => {
      stored[`${root}/part/${own.id}/prt_${String(n).padStart(3, '0')}.json`] = JSON.stringify(part)
    })
  }
  const meaning = async () =>
    (await eventsOf(info.id)).map(({ type, data, ...rest }) => ({
      type,
      data,
      op: 'surfaceOp' in rest ? rest.surfaceOp : null,
    }))

  it('is the session that its own export is', async () => {
    await bring([file('export.json', JSON.stringify(opencode))])
    const whole = await meaning()
    db = await openDatabase(freshName())
    const [report] = await bring(Object.entries(stored).map(([path, text]) => file(path, text)))
    expect(report?.note).toBe(
      `Put together from ${Object.keys(stored).length} files of an opencode folder.`,
    )
    expect(await meaning()).toEqual(whole)
    expect(check((await getSession(db, info.id))?.header, await eventsOf(info.id))).toEqual([])
    db = await openDatabase(freshName())
    await bring([file('storage.zip', zip(stored))])
    expect(await meaning()).toEqual(whole)
  })

  it('says of a broken file and of one that belongs nowhere that they are left out', async () => {
    const more = {
      ...stored,
      [`${root}/part/msg_1/prt_zzz.json`]: '{"type":"te',
      [`${root}/message/ses_gone/msg_9.json`]: '{"id":"msg_9"}',
    }
    const reports = await bring(Object.entries(more).map(([path, text]) => file(path, text)))
    const problems = reports.flatMap(({ name, problem }) => (problem ? [[name, problem]] : []))
    expect(problems).toEqual([
      [`${root}/part/msg_1/prt_zzz.json`, 'It is no JSON.'],
      [`${root}/message/ses_gone/msg_9.json`, 'The opencode session it belongs to is not here.'],
    ])
    expect(await idsHere()).toEqual([info.id])
  })
})
