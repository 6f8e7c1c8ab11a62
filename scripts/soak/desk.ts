/** One session on a disk in memory, and the agent that has it open; a reload opens it again. */

import { type Agent, createAgent } from '../../lib/agent/agent'
import { createChecker, type Violation } from '../../lib/core/check'
import type { RequestHeader, SessionHeader } from '../../lib/core/event'
import { headOf } from '../../lib/core/head'
import { type Log, loadLog } from '../../lib/core/log'
import { requestAt } from '../../lib/core/request'
import type { Clock, Tool } from '../../lib/ports'
import { hashJson } from '../../lib/storage/hash'
import { type MemoryDisk, memoryJournal } from '../../lib/storage/memory'
import type { Wire } from './model'
import { WINDOWS } from './model'

export type World = {
  wire: Wire
  clock: Clock
  tools: Tool[]
  newId(): string
  random(): number
  chosen: RequestHeader
  onCommit(): void
  /** Turns until every header in force says its window again. */
  blindFor: number
}

export type Desk = {
  header: SessionHeader
  disk: MemoryDisk
  log: Log
  agent: Agent
}

export async function openDesk(
  world: World,
  header: SessionHeader,
  disk: MemoryDisk,
): Promise<Desk> {
  const loaded = loadLog(header, disk.events.map(headOf))
  if (!loaded.ok) throw new Error(`[${loaded.error.rule}] ${loaded.error.message}`)
  const log = loaded.value
  const agent = createAgent({
    log,
    journal: memoryJournal(header.id, disk),
    model: () => world.wire,
    summariser: () => world.wire,
    windowOf: (_, model) => WINDOWS[model],
    lostLiterals: (nodes) => [`node-${nodes[0]?.seq}`, '/a/lost/path.ts'],
    tools: () => world.tools,
    clock: world.clock,
    newId: world.newId,
    hash: hashJson,
    random: world.random,
    header: () => world.chosen,
    maxSteps: 12,
    onCommit: world.onCommit,
    onLive: () => {},
  })
  await agent.open()
  return { header, disk, log, agent }
}

/** Judges a log as it grows: every event by every rule, every stored hash by its rebuilt request. */
export function createJudge(header: SessionHeader) {
  const checker = createChecker(header)
  let length = 0
  let rebuilt = 0
  return {
    get rebuilt() {
      return rebuilt
    },
    async catchUp({ events }: MemoryDisk): Promise<(Violation | string)[]> {
      const fresh = events.slice(length)
      length = events.length
      const found: (Violation | string)[] = fresh.flatMap((event) => checker.add(event))
      const heads = events.map(headOf)
      for (const event of fresh) {
        if (!('requestHash' in event.data) || event.data.requestHash === undefined) continue
        rebuilt++
        const body = await requestAt(heads, async (seq) => events[seq]!, event.seq)
        if ((await hashJson(body)) !== event.data.requestHash)
          found.push(`#${event.seq}: the rebuilt request is not the one that was sent`)
      }
      return found
    },
  }
}
