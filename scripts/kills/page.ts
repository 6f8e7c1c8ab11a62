/** What the kill run does and looks at inside the browser. Bundled by e2e/support/kills.ts into one script. */

import './jitless'
import type { Look, Seen } from '../../e2e/support/kills'
import { createChecker } from '../../lib/core/check'
import type { SessionEvent, SessionHeader } from '../../lib/core/event'
import { headOf } from '../../lib/core/head'
import { createLog, loadLog } from '../../lib/core/log'
import { writeBackup } from '../../lib/storage/backup'
import { checksum } from '../../lib/storage/checksum'
import { openDatabase, type Tables } from '../../lib/storage/db'
import { importSession, sweepImports } from '../../lib/storage/import'
import { inspectSession, readableEvents } from '../../lib/storage/integrity'
import { openJournal } from '../../lib/storage/journal'
import { acquireWriter } from '../../lib/storage/lock'
import { finishRestore, openBackup } from '../../lib/storage/restore'
import { createSession, listSessions, purgeSession, trashSession } from '../../lib/storage/sessions'

const numbered = (count: number, from: number): SessionEvent[] =>
  Array.from({ length: count }, (_, at) => ({
    seq: from + at,
    time: 1_700_000_000_000 + from + at,
    type: 'user/message',
    data: {
      id: `m${from + at}`,
      content: [{ type: 'text', text: `message ${from + at} `.repeat(20) }],
      source: { kind: 'human' },
    },
    surfaceOp: 'append',
  }))

const header = (id: string): SessionHeader => ({ version: 1, id, createdAt: Date.now() })

async function see(
  db: Awaited<ReturnType<typeof openDatabase>>,
  head: SessionHeader,
  upTo: number,
): Promise<Seen> {
  const { length, damage } = await inspectSession(db, head.id)
  const checker = createChecker(head)
  const violations = []
  const events: SessionEvent[] = []
  let prefix = 0
  for await (const event of readableEvents(db, head.id)) {
    violations.push(...checker.add(event))
    events.push(event)
    if (event.seq < upTo) prefix = checksum(String(prefix), JSON.stringify(event))
  }
  violations.push(...checker.end())
  const loaded = loadLog(head, events.map(headOf))
  const { state } = loaded.ok ? loaded.value : createLog(head)
  return {
    id: head.id,
    length,
    damage: damage.length,
    violations: violations.map(({ rule, seq, message }) => `${rule} at ${seq}: ${message}`),
    open: state.turn !== null || state.bracket !== null,
    prefix,
  }
}

/** Ids that have rows but no session. */
async function orphans(tables: Tables): Promise<string[]> {
  const known = new Set<string>(await tables.sessions.toCollection().primaryKeys())
  const found = new Set<string>()
  const { fresh, segments, bodies, filters, files, queue } = tables
  for (const table of [fresh, segments, bodies, filters, files, queue]) {
    for (const key of (await table.toCollection().primaryKeys()) as [string, unknown][]) {
      if (!known.has(key[0])) found.add(key[0])
    }
  }
  for (const id of await tables.writers.toCollection().primaryKeys()) {
    if (!known.has(id)) found.add(id)
  }
  for (const use of await tables.blobUses.toArray()) {
    if (!known.has(use.sessionId)) found.add(use.sessionId)
  }
  return [...found]
}

const OLD_EVENTS = 6_000
/** Keys of the first version's tables; the upgrade needs no more of it. */
const OLD_STORES: Record<string, string | string[]> = {
  sessions: 'id',
  events: ['sessionId', 'seq'],
  blobs: 'hash',
  blobUses: ['hash', 'sessionId'],
  drafts: 'sessionId',
  queue: ['sessionId', 'id'],
  streams: 'sessionId',
  files: ['sessionId', 'path'],
  settings: 'key',
}

/** A database of the first version, made in one transaction: it is there whole or not at all. */
const makeOld = (name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open(name, 10)
    asked.onupgradeneeded = () => {
      const stores = Object.entries(OLD_STORES).map(
        ([store, keyPath]) => [store, asked.result.createObjectStore(store, { keyPath })] as const,
      )
      const { sessions, events } = Object.fromEntries(stores)
      const row = {
        header: header(name),
        title: '',
        counts: { events: OLD_EVENTS, compactions: 0 },
      }
      const times = { createdAt: 0, updatedAt: 0, epoch: 3, length: OLD_EVENTS }
      sessions?.put({ id: name, sparkline: [], ...row, ...times })
      for (const event of numbered(OLD_EVENTS, 0))
        events?.put({ sessionId: name, seq: event.seq, event })
    }
    asked.onsuccess = () => {
      asked.result.close()
      resolve()
    }
    asked.onerror = () => reject(asked.error)
  })

/** Upgrades what a kill left of such databases, and says which lost something. */
async function lookAtUpgrades(): Promise<Look['upgrades']> {
  const wrong: Look['upgrades'] = []
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('kill-')) continue
    const db = await openDatabase(name)
    const { sessions } = await listSessions(db)
    const [row] = sessions
    if (row) {
      const { readable, damage } = await inspectSession(db, row.id)
      if (readable !== OLD_EVENTS || damage.length > 0)
        wrong.push({ id: name, reason: `${readable} of ${OLD_EVENTS} events` })
    }
    db.close()
    if (wrong.length === 0) indexedDB.deleteDatabase(name)
  }
  return wrong
}

const REPLACED = 'replaced-'
const KEPT = ['kept-0', 'kept-1', 'kept-2']
const KEPT_EVENTS = 3_000

/** A database that is replaced by a backup of itself, taken when it held `KEPT` alone and the row `made`. */
async function replaceByBackup(name: string): Promise<void> {
  const db = await openDatabase(name)
  for (const id of KEPT) await importSession(db, header(id), numbered(KEPT_EVENTS, 0))
  await db.strict.settings.put({ key: 'made', value: true })
  const zip = await new Response(
    writeBackup(db, 0) as ReadableStream<Uint8Array<ArrayBuffer>>,
  ).blob()
  await importSession(db, header('later'), numbered(500, 0))
  const backup = await openBackup(db, zip)
  await backup.restore('replace')
  await backup.close()
}

/** Finishes what a kill left of such restores, as the app does when it starts, and says what was lost. */
async function lookAtRestores(): Promise<Look['upgrades']> {
  const wrong: Look['upgrades'] = []
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith(REPLACED) || name.endsWith('-restore')) continue
    const db = await openDatabase(name)
    await finishRestore(db)
    await sweepImports(db)
    const { sessions } = await listSessions(db)
    const ids = sessions.map(({ id }) => id).filter((id) => id !== 'later')
    const whole = []
    for (const id of ids)
      if ((await inspectSession(db, id)).readable === KEPT_EVENTS) whole.push(id)
    // Killed while it was being made, it need not be whole yet.
    const isMade = (await db.relaxed.settings.get('made')) !== undefined
    db.close()
    if (isMade && whole.sort().join() !== KEPT.join())
      wrong.push({ id: name, reason: `whole are ${whole.join(', ') || 'none'}, there ${ids}` })
    else indexedDB.deleteDatabase(name)
  }
  return wrong
}

const kills = {
  /** Every session, looked at whole; `before` says how long each was when it was seen last. */
  async look(before: Record<string, number>): Promise<Look> {
    const db = await openDatabase()
    const { sessions, trash, damaged } = await listSessions(db)
    const seen: Seen[] = []
    for (const row of [...sessions, ...trash])
      seen.push(await see(db, row.header, before[row.id] ?? 0))
    const lost = await orphans(db.relaxed)
    db.close()
    const upgrades = [...(await lookAtUpgrades()), ...(await lookAtRestores())]
    return { seen, damaged, orphans: lost, upgrades }
  },
  /** Appends and seals without end. */
  async grow(id: string) {
    const db = await openDatabase()
    await createSession(db, header(id))
    const lease = await acquireWriter(db, id)
    if (!lease) throw new Error('no lease')
    const journal = openJournal(db, id, lease)
    let next = (await journal.heads()).length
    for (;;) {
      const events = numbered(40, next)
      await journal.append({ events, durability: next % 80 === 0 ? 'strict' : 'relaxed' })
      next += events.length
      if (next % 400 === 0) {
        await journal.seal()
        await journal.summarise([next])
      }
    }
  },
  async bring(id: string) {
    const db = await openDatabase()
    await importSession(db, header(id), numbered(60_000, 0))
  },
  async upgrade(id: string) {
    await makeOld(id)
    await openDatabase(id)
  },
  async replace(id: string) {
    await replaceByBackup(`${REPLACED}${id}`)
  },
  /** Makes sessions and deletes them for good, without end. */
  async remove(id: string) {
    const db = await openDatabase()
    for (let round = 0; ; round += 1) {
      const each = `${id}-${round}`
      await importSession(db, header(each), numbered(1_500, 0))
      await trashSession(db, each, Date.now())
      await purgeSession(db, each)
    }
  },
}

Object.assign(globalThis, { kills })
