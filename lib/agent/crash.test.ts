import { expect, it } from 'vitest'
import { headOf } from '../core/head'
import { loadLog, surfaceNodes } from '../core/log'
import { PRESETS } from '../core/policy'
import { type Journal, JournalError } from '../ports'
import { type MemoryDisk, memoryDisk } from '../storage/memory'
import { type Beat, says, uses } from './testing/model'
import { compactTool, type Rig, type RigOptions, reader, rig, text } from './testing/rig'

/** `refused`: the store is gone. `lost`: the write never lands. `unheard`: it lands and nobody learns of it. */
type Crash = 'refused' | 'lost' | 'unheard'

const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Wraps a journal so that its write number `at` is its last. */
function crashing(at: number, how: Crash, onCrash: () => void) {
  let writes = 0
  const guard =
    <T extends unknown[]>(write: (...given: T) => Promise<void>) =>
    async (...given: T): Promise<void> => {
      const number = writes++
      if (number < at) return write(...given)
      if (number === at && how === 'unheard') await write(...given)
      onCrash()
      if (how === 'refused') throw new JournalError('closed', 'the store is gone')
      return new Promise<never>(() => {})
    }
  return (journal: Journal): Journal => ({
    ...journal,
    append: guard(journal.append),
    saveStream: guard(journal.saveStream),
    saveQueued: guard(journal.saveQueued),
  })
}

/** A turn with parallel calls, slow words, the three layers, a wish of the model's and a queued message. */
function play(options: Pick<RigOptions, 'journal' | 'disk'>): { rig: Rig; done: Promise<void> } {
  const slowly = (beats: Beat[]): Beat[] => [
    ...beats.slice(0, -1),
    async () => {
      r.clock.advance(500)
      await settle()
    },
    ...beats.slice(-1),
  ]
  const size = 4000
  const r = rig({
    ...options,
    tools: [reader, compactTool],
    policy: {
      threshold: { absolute: 1500, ratio: 0.8 },
      micro: { ...PRESETS.teaching.micro, keepRecent: 1 },
      prune: { thresholdChars: 3000, headChars: 1000, tailChars: 500 },
      keepTail: 'newest-unit',
    },
    script: [
      slowly(uses(['a', 'read', { size }], ['b', 'read', { size: 200 }])),
      uses(['c', 'read', { size }]),
      uses(['d', 'read', { size }]),
      slowly(uses(['e', 'read', { size }], ['f', 'compact'])),
      slowly(says('All read.')),
      says('And the second.'),
    ],
    summaries: Array.from({ length: 5 }, () => says('## Request and intent\nRead everything.')),
  })
  const run = async () => {
    await r.agent.send(text('read it all'))
    await r.written('tool/result')
    await r.agent.send(text('and then this'))
    await r.agent.idle()
  }
  return { rig: r, done: run() }
}

const surfaceOf = ({ events }: MemoryDisk, header: Rig['header']) => {
  const log = loadLog(header, events.map(headOf))
  if (!log.ok) throw new Error(log.error.message)
  return surfaceNodes(log.value)
}

const boundaries = new Set<string>()
let writes = 0
const whole = play({
  journal: (journal) => ({
    ...journal,
    async append(write) {
      await journal.append(write)
      writes++
      boundaries.add(JSON.stringify(surfaceOf(whole.rig.disk, whole.rig.header)))
    },
    async saveStream(row) {
      await journal.saveStream(row)
      writes++
    },
    async saveQueued(message) {
      await journal.saveQueued(message)
      writes++
    },
  }),
})
boundaries.add('[]')
await whole.done

it('[R4] the run that crashes below has everything in it', async () => {
  const types = new Set(whole.rig.types())
  for (const type of ['compact/prune', 'compact/summary', 'tool/call', 'turn/end'] as const)
    expect(types).toContain(type)
  const causes = whole.rig
    .events()
    .flatMap((event) => (event.type === 'compact/prune' ? [event.data.cause] : []))
  expect(new Set(causes)).toEqual(new Set(['micro', 'pressure']))
  const triggers = whole.rig
    .events()
    .flatMap((event) => (event.type === 'compact/start' ? [event.data.trigger] : []))
  expect(new Set(triggers)).toEqual(new Set(['pressure', 'model']))
  expect(whole.rig.surface().slice(-2)).toEqual([
    'human: and then this',
    'assistant: And the second.',
  ])
  expect(writes).toBeGreaterThan(30)
  await whole.rig.verify()
})

const cases = Array.from({ length: writes }, (_, at) => at).flatMap((at) =>
  (['refused', 'lost', 'unheard'] as const).map((how) => ({ at, how })),
)

it.each(cases)(
  '[R4] a crash at write $at ($how) leaves a clean log, on the surface of before or after',
  async ({ at, how }) => {
    let crash = () => {}
    const crashed = new Promise<void>((resolve) => {
      crash = resolve
    })
    const disk = memoryDisk()
    const { rig: broken, done } = play({ disk, journal: crashing(at, how, () => crash()) })
    done.catch(() => {})
    await crashed
    await settle()
    const left = structuredClone({ ...disk, beforeWrite: undefined })
    const stored = surfaceOf(left, broken.header)
    expect([...boundaries]).toContain(JSON.stringify(stored))

    const next = rig({ disk: left, script: [says('Back again.')] })
    await next.agent.recover()
    expect(next.log.state).toMatchObject({ turn: null, step: null, bracket: null, openCalls: [] })
    expect(left.stream).toBeNull()
    const nodes = surfaceNodes(next.log)
    expect(nodes.slice(0, stored.length)).toEqual(stored)
    for (const seq of nodes.slice(stored.length))
      expect(next.log.heads[seq]!.kind).toMatch(/^(interrupted|error)$/)
    await next.verify()

    await next.agent.send(text('where were we?'))
    await next.agent.idle()
    expect(next.surface()).toContain('assistant: Back again.')
    await next.verify()
  },
)
