/**
 * A long session by chance: turns with compactions, drafts, restores, pins, forks, model switches, reloads,
 * crashes and cancels among them. After every turn the log is checked by every rule and every request hash
 * in it is rebuilt; every request is judged by the strict stand-in of the provider.
 */

import { CompactionError } from '../../lib/agent/manual'
import { RefusedError } from '../../lib/agent/writer'
import { check } from '../../lib/core/check'
import { draftsOf } from '../../lib/core/drafts'
import { LOG_VERSION, type SessionHeader } from '../../lib/core/event'
import { surfaceNodes } from '../../lib/core/log'
import { PRESETS } from '../../lib/core/policy'
import { snapRange } from '../../lib/core/range'
import { BUILDER } from '../../lib/core/request'
import { previewRestore } from '../../lib/core/restore'
import { JournalError, type Tool } from '../../lib/ports'
import { memoryDisk } from '../../lib/storage/memory'
import { createJudge, type Desk, openDesk, type World } from './desk'
import { createWire, WINDOWS } from './model'
import { type Chance, createChance } from './random'

export type Report = {
  problems: string[]
  events: number
  rebuilt: number
  asked: { chat: number; summaries: number; overflows: number }
  /** What was done, how often it came about, and how often it was refused or failed in order. */
  done: Record<string, number>
  declined: Record<string, number>
}

const tool = (name: string, run: (size: number) => Awaited<ReturnType<Tool['run']>>): Tool => ({
  effect: 'reads',
  spec: { name, description: `The tool ${name}.`, input_schema: { type: 'object' } },
  run: async (input) => run(Number((input as { size?: number }).size ?? 10)),
})

const toolsOf = (chance: Chance): Tool[] => [
  tool('read', (size) =>
    chance.odds(0.05)
      ? { content: [{ type: 'text', text: 'ENOENT: no such file' }], isError: true }
      : { content: [{ type: 'text', text: chance.words(size) }], isError: false },
  ),
  tool('compact', () => ({
    content: [{ type: 'text', text: 'Scheduled.' }],
    isError: false,
    compact: {},
  })),
]

function createWorld(chance: Chance): World {
  let id = 0
  let time = 1_700_000_000_000
  const newId = () => `id-${id++}`
  const tools = toolsOf(chance)
  return {
    wire: createWire(chance, () => `toolu_${id++}`),
    clock: {
      now: () => ++time,
      async sleep(ms) {
        time += ms
      },
    },
    tools,
    newId,
    random: chance.next,
    onCommit: () => {},
    blindFor: 0,
    chosen: {
      provider: 'anthropic',
      model: 'claude-haiku-5-5',
      contextWindow: 200_000,
      system: 'You keep the harbour in order.',
      tools: tools.map(({ spec }) => spec),
      params: { max_tokens: 2000 },
      policy: PRESETS.standard,
      builder: BUILDER,
    },
  }
}

/** A refusal, a failure with a code of C5, or a journal taken over: things that happen. Anything else is a bug. */
const isInOrder = (error: unknown): boolean =>
  error instanceof CompactionError || error instanceof RefusedError || error instanceof JournalError

const never = () => new AbortController().signal

type Deed = (desk: Desk, world: World, chance: Chance) => Promise<unknown>

const someNode = ({ log }: Desk, chance: Chance) => {
  const nodes = surfaceNodes(log)
  return nodes.length === 0 ? null : chance.one(nodes)
}

function someRange(desk: Desk, chance: Chance) {
  const [one, other] = [someNode(desk, chance), someNode(desk, chance)]
  return one === null || other === null ? null : snapRange(desk.log, one, other)
}

/** What people do to a session between turns. */
const DEEDS: Record<string, Deed> = {
  compact: ({ agent }, _, chance) => agent.compactNow(never(), chance.odds(0.3) ? 'the tide' : ''),
  'compact region': async (desk, _, chance) => {
    const range = someRange(desk, chance)
    return range && desk.agent.compactRegion(range.start, range.end, never())
  },
  'cancelled compact': ({ agent }, world, chance) => {
    const controller = new AbortController()
    let left = chance.whole(0, 6)
    world.wire.onBeat = () => {
      if (left-- <= 0) controller.abort()
    }
    return agent.compactNow(controller.signal).finally(() => {
      world.wire.onBeat = () => {}
    })
  },
  draft: async (desk, _, chance) => {
    const range = chance.odds(0.5) ? null : someRange(desk, chance)
    return desk.agent.draft(range ? [range] : 'whole', never(), {
      model: chance.odds(0.3) ? 'fake-small-16k' : undefined,
    })
  },
  'commit draft': async ({ log, agent }, _, chance) => {
    const drafts = draftsOf(log).filter(({ isStale }) => !isStale)
    if (drafts.length === 0) return null
    return agent.commitDraft(chance.one(drafts).draftSeq, chance.words(200), ['a/literal'])
  },
  'discard draft': async ({ log, agent }, _, chance) => {
    const drafts = draftsOf(log)
    return drafts.length === 0 ? null : agent.discardDraft(chance.one(drafts).draftSeq)
  },
  pin: async (desk, _, chance) => {
    const seq = someNode(desk, chance)
    return seq === null ? null : desk.agent.setPins([seq], true)
  },
  unpin: async ({ log, agent }, _, chance) => {
    const held = [...log.state.pins, ...log.state.restored]
    return held.length === 0 ? null : agent.setPins([chance.one(held)], false)
  },
  restore: async ({ log, agent }, _, chance) => {
    const replaced = surfaceNodes(log).filter((seq) => log.history.shadowsOf(seq).length > 0)
    if (replaced.length === 0) return null
    const seq = chance.one(replaced)
    const { refusal } = previewRestore(log, seq)
    if (refusal) throw new RefusedError(refusal)
    return agent.restore(seq)
  },
  'restore through layers': async ({ log, agent }, _, chance) => {
    const merged = log.heads.filter(
      ({ seq, kind }) => kind === 'checkpoint' && previewRestore(log, seq).path.length > 1,
    )
    return merged.length === 0 ? null : agent.restore(chance.one(merged).seq)
  },
  'undo restore': async ({ log, agent }, _, chance) => {
    const restores = log.heads.filter(({ type }) => type === 'surface/restore')
    return restores.length === 0 ? null : agent.undoRestore(chance.one(restores.slice(-3)).seq)
  },
  'switch model': async (_, world, chance) => {
    const model = chance.one(Object.keys(WINDOWS))
    world.chosen = { ...world.chosen, model, contextWindow: WINDOWS[model] }
  },
  'forget window': async (_, world) => {
    world.blindFor = 3
    world.chosen = { ...world.chosen, contextWindow: undefined }
  },
  'switch policy': async (_, world, chance) => {
    const preset = chance.odds(0.5) ? PRESETS.teaching : PRESETS.standard
    const absolute = chance.one([3000, 8000, 20_000])
    const policy = {
      ...preset,
      threshold: { ...preset.threshold, absolute },
      ...(chance.odds(0.3) && { summaryModel: 'fake-small-16k' }),
      ...(chance.odds(0.15) && { askFirst: true as const }),
    }
    world.chosen = { ...world.chosen, policy }
  },
}

/** The prefix up to some turn's end as a session of its own (K2). */
async function fork(desk: Desk, world: World, chance: Chance): Promise<Desk> {
  const ends = desk.log.heads.filter(({ type }) => type === 'turn/end').slice(-20)
  if (ends.length === 0) return desk
  await desk.agent.close()
  const { seq } = chance.one(ends)
  const header: SessionHeader = {
    version: LOG_VERSION,
    id: world.newId(),
    createdAt: world.clock.now(),
    parent: { id: desk.header.id, seq },
  }
  return openDesk(world, header, memoryDisk(desk.disk.events.slice(0, seq + 1)))
}

async function turn({ agent, log }: Desk, world: World, chance: Chance): Promise<void> {
  const stopAfter = chance.odds(0.12) ? chance.whole(1, 30) : Number.POSITIVE_INFINITY
  let beats = 0
  world.wire.onBeat = () => {
    if (++beats === stopAfter) agent.stop()
  }
  const say = (length: number) => agent.send([{ type: 'text', text: chance.words(length) }])
  await say(chance.whole(5, 3000))
  if (chance.odds(0.1)) await say(40)
  if (chance.odds(0.1)) void agent.compactNow(never()).catch(() => {})
  await agent.idle()
  world.wire.onBeat = () => {}
  // What was stopped or failed goes on, or stays for the next message.
  if (agent.live.phase === 'failed' && chance.odds(0.5)) {
    await agent.retry()
    await agent.idle()
  }
  if (log.state.turn !== null) throw new Error('A turn is open though nothing runs.')
}

export async function soak({ turns, seed }: { turns: number; seed: number }): Promise<Report> {
  const chance = createChance(seed)
  const world = createWorld(chance)
  world.wire.knowsWindow = () => world.blindFor <= 0
  const done: Record<string, number> = {}
  const declined: Record<string, number> = {}
  const problems: string[] = []
  const count = (into: Record<string, number>, what: string) => {
    into[what] = (into[what] ?? 0) + 1
  }
  let rebuilt = 0
  let events = 0
  let desk = await openDesk(world, { version: LOG_VERSION, id: 's', createdAt: 1 }, memoryDisk())
  let judge = createJudge(desk.header)
  const settle = async (at: string) => {
    const found = await judge.catchUp(desk.disk)
    const whole = check(desk.header, desk.disk.events)
    for (const one of [...found, ...(found.length === 0 ? whole : [])])
      problems.push(
        `${at}: ${typeof one === 'string' ? one : `[${one.rule}] #${one.seq} ${one.message}`}`,
      )
    for (const refused of world.wire.refused.splice(0)) problems.push(`${at}: refused: ${refused}`)
  }
  /** Another desk: a reload, a crash or a fork. The log is judged again from its beginning. */
  const move = async (next: Promise<Desk>) => {
    const { header } = desk
    desk = await next
    if (desk.header === header) return
    rebuilt += judge.rebuilt
    events += desk.disk.events.length
    judge = createJudge(desk.header)
  }
  for (let n = 1; n <= turns && problems.length === 0; n++) {
    const deeds = Array.from({ length: chance.whole(0, 3) }, () => chance.one(Object.keys(DEEDS)))
    for (const deed of deeds) {
      try {
        await DEEDS[deed]?.(desk, world, chance)
        count(done, deed)
      } catch (error) {
        if (!isInOrder(error)) throw error
        count(declined, deed)
      }
    }
    try {
      const crash = chance.odds(0.05)
      if (crash) void desk.agent.send([{ type: 'text', text: 'lost' }]).catch(() => {})
      for (let beat = crash ? chance.whole(1, 60) : 0; beat > 0; beat--) await Promise.resolve()
      if (crash) {
        count(done, 'crash')
        await move(openDesk(world, desk.header, desk.disk))
      } else if (chance.odds(0.05)) {
        count(done, 'reload')
        await desk.agent.close()
        await move(openDesk(world, desk.header, desk.disk))
      } else if (chance.odds(0.03)) {
        count(done, 'fork')
        await move(fork(desk, world, chance))
      }
      await turn(desk, world, chance)
      count(done, 'turn')
      if (world.chosen.contextWindow !== undefined) world.blindFor--
    } catch (error) {
      problems.push(
        `turn ${n} (${deeds.join(', ')}): ${error instanceof Error ? error.stack : error}`,
      )
    }
    await settle(`turn ${n} (${deeds.join(', ')})`)
  }
  await desk.agent.close()
  return {
    problems,
    events: events + desk.disk.events.length,
    rebuilt: rebuilt + judge.rebuilt,
    asked: world.wire.asked,
    done,
    declined,
  }
}
