/** Writers that die at a chosen write, and what must be true of what they leave (R4). */

import { expect } from 'vitest'
import { headOf } from '../../core/head'
import { loadLog, surfaceNodes } from '../../core/log'
import { type Journal, JournalError } from '../../ports'
import { type MemoryDisk, memoryDisk } from '../../storage/memory'
import { says } from './model'
import { type Rig, type RigOptions, rig, text } from './rig'

/** `refused`: the store is gone. `lost`: the write never lands. `unheard`: it lands and nobody learns of it. */
export type Crash = 'refused' | 'lost' | 'unheard'
const WAYS: readonly Crash[] = ['refused', 'lost', 'unheard']

export const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Wraps every write of a journal. */
const guarded =
  (guard: (write: () => Promise<void>) => Promise<void>) =>
  (journal: Journal): Journal => ({
    ...journal,
    append: (write) => guard(() => journal.append(write)),
    saveStream: (row) => guard(() => journal.saveStream(row)),
    saveQueued: (message) => guard(() => journal.saveQueued(message)),
  })

/** Makes write number `at` of a journal its last. */
export function crashing(at: number, how: Crash, onCrash: () => void) {
  let writes = 0
  return guarded(async (write) => {
    const number = writes++
    if (number < at) return write()
    if (number === at && how === 'unheard') await write()
    onCrash()
    if (how === 'refused') throw new JournalError('closed', 'the store is gone')
    return new Promise<never>(() => {})
  })
}

export function storedSurface({ events }: MemoryDisk, header: Rig['header']) {
  const log = loadLog(header, events.map(headOf))
  if (!log.ok) throw new Error(log.error.message)
  return surfaceNodes(log.value)
}

/** Starts something that writes; `done` settles when it is over. */
export type Play = (options: Pick<RigOptions, 'journal' | 'disk'>) => {
  rig: Rig
  done: Promise<unknown>
}

export type Rehearsal = { rig: Rig; writes: number; surfaces: ReadonlySet<string> }

/** The play without a crash: how many writes it takes, and every surface between two of them. */
export async function rehearse(play: Play): Promise<Rehearsal> {
  let writes = 0
  const surfaces = new Set(['[]'])
  const whole = play({
    journal: guarded(async (write) => {
      await write()
      writes++
      surfaces.add(JSON.stringify(storedSurface(whole.rig.disk, whole.rig.header)))
    }),
  })
  await whole.done
  return { rig: whole.rig, writes, surfaces }
}

export const crashesOf = (writes: number) =>
  Array.from({ length: writes }, (_, at) => at).flatMap((at) => WAYS.map((how) => ({ at, how })))

/** Crashes the play there, opens what is left, and finds R4 true; the session goes on. */
export async function survive(
  play: Play,
  { at, how }: { at: number; how: Crash },
  { surfaces }: Rehearsal,
): Promise<void> {
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
  const stored = storedSurface(left, broken.header)
  expect([...surfaces]).toContain(JSON.stringify(stored))

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
}
