/**
 * Foreign rows, one after another, as a sound log: joins messages that were written in parts, drops what
 * rewritten history repeats, and holds messages back while earlier calls wait for their results.
 */

import type { EventDraft, SessionHeader, UserSource } from '../core/event'
import { type Block, isToolUse, textOf } from '../core/message'
import type { Part, Place } from './foreign'
import {
  type Answered,
  createScribe,
  type SaidByModel,
  type Scribe,
  type ScribeOptions,
} from './scribe'

export type { Answered, SaidByModel } from './scribe'

type Operation = {
  /** `message`: must not stand behind an open call (P1). */
  kind: 'message' | 'result' | 'other'
  answer?: Answered
  time: number
  run(): void
}

type Pending = { said: SaidByModel; places: Place[]; time: number; after: Operation[] }

/** What is held back for a late result; beyond this the call counts as unanswered. */
const MAX_HELD = 200
/** Events that go on together, and bytes of their messages: what is held longer is moved about in memory. */
const BATCH = 32
const BATCH_BYTES = 1 << 15

function known<T extends object>(members: T): Partial<T> {
  const found: Partial<T> = {}
  for (const key in members) if (members[key] !== undefined) found[key] = members[key]
  return found
}

export type Builder = ReturnType<typeof createBuilder>

export function createBuilder(header: SessionHeader, options: ScribeOptions = {}) {
  const scribe: Scribe = createScribe(header, options)
  const { log, report, keep, mend, took, append } = scribe
  const printsOf = new Map<string, readonly number[]>()
  const queue: Operation[] = []
  let pending: Pending | null = null
  let now = header.createdAt
  let last: Place = { index: 0, line: 1, nth: 0, at: 0, bytes: 0, damaged: false }

  const waits = () => log.state.openCalls.length > 0

  function run(operation: Operation): void {
    scribe.setTime(operation.time)
    operation.run()
  }

  /** Runs what may run: a message waits while a call is open, and what follows it waits with it. */
  function pump(): void {
    for (let next = queue[0]; next; next = queue[0]) {
      if (next.kind === 'message' && waits()) {
        const at = queue.findIndex(({ answer }) => answer && scribe.callFor(answer))
        if (at < 0) return
        for (const found of queue.splice(at, 1)) run(found)
      } else {
        queue.shift()
        run(next)
      }
    }
  }

  function push(operation: Operation): void {
    queue.push(operation)
    pump()
    if (queue.length <= MAX_HELD) return
    scribe.closeCalls(last)
    pump()
  }

  /** Ends the message that is being joined. */
  function flush(): void {
    if (!pending) return
    const { said, places, time, after } = pending
    pending = null
    push({ kind: 'message', time, run: () => scribe.assistant(places, said) })
    for (const operation of after) push(operation)
  }

  function force(): void {
    flush()
    while (queue.length > 0) {
      scribe.closeCalls(last)
      pump()
    }
  }

  /** Blocks of a message that were not read before: history is written again by some programs. */
  function fresh({ key, isId, content }: SaidByModel): Block[] {
    if (key === undefined || !isId) return content
    let prints = printsOf.get(key) ?? []
    const blocks = content.filter((block) => {
      const print = printOf(block)
      if (prints.includes(print)) return false
      // Pushed to, a list would hold room for sixteen more.
      prints = prints.concat(print)
      return true
    })
    if (blocks.length > 0) printsOf.set(key, prints)
    return blocks
  }

  function assistant(at: Place, said: SaidByModel): void {
    last = at
    if (said.content.length === 0) return void keep(at, 'its message holds nothing')
    const content = fresh(said)
    if (content.length === 0) return void keep(at, 'it repeats a message that was read before')
    if (pending && said.key !== undefined && pending.said.key === said.key) {
      const before = pending.said
      pending.said = { ...before, ...known(said), content: [...before.content, ...content] }
      if (before.id !== undefined) pending.said.id = before.id
      pending.places.push(at)
      return
    }
    flush()
    pending = { said: { ...said, content }, places: [at], time: now, after: [] }
    if (said.key === undefined) flush()
  }

  /** Runs after what was said before and before what is said later. */
  function inOrder(at: Place, work: () => void): void {
    last = at
    flush()
    push({ kind: 'other', time: now, run: work })
  }

  /** Without one, the first words a person says become the title. */
  let titled = false
  function title(at: Place, words: string, source: 'human' | 'automatic' = 'automatic'): void {
    titled = true
    const data = { title: words, source }
    inOrder(at, () => void append(at, [{ type: 'session/title', data }]))
  }

  function isFull(): boolean {
    const { events, bytes } = scribe.held()
    return events >= BATCH || bytes >= BATCH_BYTES
  }

  function* all(): Generator<Part> {
    const fresh = scribe.drain()
    if (fresh.events.length > 0) yield { type: 'events', ...fresh }
  }

  return {
    log,
    report,
    rows: scribe.rows,
    keep,
    mend,
    took,
    append,
    callId: scribe.callId,
    assistant,
    /** What a later row says of the message that was said last, while it can still be joined. */
    describe(facts: Pick<SaidByModel, 'usage' | 'stopReason'>): boolean {
      if (pending) pending.said = { ...pending.said, ...known(facts) }
      return pending !== null
    },
    inOrder,
    /** A call was made that nothing has answered yet. */
    waitsForResult: (): boolean =>
      waits() || (pending?.said.content.some(isToolUse) ?? false) || queue.length > 0,
    /** Milliseconds of what comes next; where nothing is said it stays as it was. */
    setTime(time: number | undefined): void {
      if (time !== undefined) now = time
    },
    user(at: Place, content: Block[], source: UserSource = { kind: 'human' }, id?: string): void {
      if (content.length === 0) return void keep(at, 'its message holds nothing')
      inOrder(at, () => void scribe.user(at, content, source, id))
      const words = source.kind === 'human' && !titled ? titleFrom(content) : ''
      if (words !== '') title(at, words)
    },
    title,
    /** The file gives titles of its own. */
    namesItself(): void {
      titled = true
    },
    result(at: Place, answer: Answered): void {
      last = at
      const run = () => scribe.result(at, answer)
      const operation: Operation = { kind: 'result', answer, time: now, run }
      if (pending) pending.after.push(operation)
      else push(operation)
    },
    /** Drafts that make one transaction. Refused ones are kept raw. */
    write(at: Place, drafts: EventDraft[]): void {
      inOrder(at, () => void append(at, drafts))
    },
    /** Runs when nothing waits any more; calls still open are answered with an error first. */
    settled(at: Place, work: () => void): void {
      last = at
      force()
      scribe.closeCalls(at)
      scribe.setTime(now)
      work()
    },
    ensureBeginning: scribe.ensureBeginning,
    /** The events so far are worth a part. */
    isFull,
    /** The events so far as a part, if they are worth one. */
    *drain(): Generator<Part> {
      if (isFull()) yield* all()
    },
    /** Writes what still waits, then everything that is left and the report. */
    *finish(): Generator<Part> {
      force()
      yield* all()
      yield { type: 'end', report }
    },
  }
}

/** Code points of a title, which are two units each at most. */
const TITLE_LENGTH = 60
const FIRST_WORDS = new RegExp(`\\S[^\\n]{0,${2 * TITLE_LENGTH + 1}}`)

/** The first line of what was said, cut at a word; nothing where it is markup that a program wrote. */
function titleFrom(content: Block[]): string {
  const line = FIRST_WORDS.exec(textOf(content))?.[0].trimEnd() ?? ''
  if (line.startsWith('<')) return ''
  const points = [...line]
  if (points.length <= TITLE_LENGTH) return line
  return `${points
    .slice(0, TITLE_LENGTH)
    .join('')
    .replace(/\s+\S*$/, '')}…`
}

/** Longer texts are looked at in places: blocks of one message that long differ in more than a letter. */
const READ_WHOLE = 256

/** A print of 53 bits by which a block is known again: of what its members are called and say. */
function printOf(block: Block): number {
  let high = 0x41c6ce57
  let low = 0x2545f491
  const texts = Object.entries(block).flatMap(([key, member]) => [
    key,
    typeof member === 'string' ? member : JSON.stringify(member),
  ])
  for (const text of texts) {
    const { length } = text
    const edge = Math.min(length, READ_WHOLE / 2)
    const stride = 1 + Math.floor(length / READ_WHOLE)
    high ^= length
    for (let at = 0; at < length; at += at < edge || at >= length - edge ? 1 : stride) {
      const unit = text.charCodeAt(at)
      high = Math.imul(high ^ unit, 0x5bd1e995)
      high ^= high >>> 15
      low = Math.imul(low ^ unit, 0x01000193)
    }
  }
  return (high >>> 0) * 0x200000 + (low >>> 11)
}
