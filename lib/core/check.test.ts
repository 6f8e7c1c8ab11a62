import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check, createChecker } from './check'
import type { SessionHeader } from './event'
import { arbitraryDamaged, arbitraryFoldable, arbitraryLog } from './testing/arbitrary'
import {
  bracket,
  build,
  call,
  FOREIGN,
  header,
  pin,
  result,
  sessionHeader,
  summary,
  turnStart,
  user,
} from './testing/build'
import { SMALLEST, type Smallest } from './testing/smallest'

/** Milliseconds that thorough tests may take where other work shares the machine. */
const SLOW = 60_000

const rulesOf = (log: Smallest): string[] => [
  ...new Set(check(log.header ?? sessionHeader(), clean(log.events)).map((found) => found.rule)),
]
/** Members set to undefined are meant as absent. */
const clean = (events: unknown[]): unknown[] =>
  events.map((event) =>
    Object.fromEntries(Object.entries(event as object).filter(([, value]) => value !== undefined)),
  )

describe('check', () => {
  it.each(SMALLEST)('[%s] reports %s by its id alone', (rule, _, log) => {
    expect(rulesOf(log)).toEqual([rule])
  })

  it('[K4] has a smallest log for every log rule of SPEC.md', () => {
    const spec = readFileSync(new URL('./SPEC.md', import.meta.url), 'utf8')
    const logRules = [...spec.matchAll(/^- \*\*(\w+)\*\* [^:]*\*log\*[^:]*:/gm)].map(
      (match) => match[1]!,
    )
    const shown = new Set(SMALLEST.map(([rule]) => rule))
    expect([...shown].toSorted()).toEqual(logRules.toSorted())
    expect(logRules.length).toBeGreaterThan(15)
  })

  it(
    '[K4][C2][X3] finds nothing in a sound log, and when it is cut short, only a parted transaction',
    () => {
      fc.assert(
        fc.property(arbitraryLog(), ({ header: session, events }) => {
          const checker = createChecker(session)
          const cuts = events.flatMap((event) => {
            expect(checker.add(event)).toEqual([])
            return checker.end()
          })
          expect(cuts.filter(({ rule }) => !['C2', 'C16', 'X3'].includes(rule))).toEqual([])
          expect(checker.end()).toEqual([])
        }),
        { numRuns: 80 },
      )
    },
    SLOW,
  )

  it(
    '[K4][L7] says event by event what it says of the whole',
    () => {
      fc.assert(
        fc.property(arbitraryDamaged(), ({ events }) => {
          const checker = createChecker(FOREIGN)
          const found = events.flatMap((event, index) => {
            const here = checker.add(event)
            expect(here.every(({ seq }) => seq === index)).toBe(true)
            return here
          })
          expect([...found, ...checker.end()]).toEqual(check(FOREIGN, events))
        }),
        { numRuns: 120 },
      )
    },
    SLOW,
  )

  it(
    '[K4][S6] of a history that folds, reports unsound pairs and nothing else',
    () => {
      fc.assert(
        fc.property(arbitraryFoldable(), (events) => {
          const rules = new Set(check(FOREIGN, events).map((found) => found.rule))
          rules.delete('S6')
          expect([...rules]).toEqual([])
        }),
        { numRuns: 100 },
      )
    },
    SLOW,
  )

  it('[K4] judges later events by themselves once the surface no longer folds', () => {
    const { events } = build(user('a'), user('b'), user('c'))
    const broken = [events[0], { ...events[1], seq: 9 }, { ...events[2], note: 1 }]
    expect(check(sessionHeader(), broken).map(({ rule, seq }) => [rule, seq])).toEqual([
      ['L1', 1],
      ['L2', 2],
    ])
  })

  it('[K4] goes on after a text it would refuse to append', () => {
    const { events } = build(user('a'), call('x'))
    const lone = { ...events[0]!, data: { ...events[0]!.data, id: '\ud800' } }
    const { events: other } = build(user('a'), call('y'), result('y'))
    const orphan = other[2]
    const found = check(sessionHeader(), [lone, events[1], orphan])
    expect(found.map(({ rule, seq }) => [rule, seq])).toEqual([
      ['L5', 0],
      ['S6', 2],
    ])
  })

  it('[K4] what is still going on breaks nothing', () => {
    const { header: session, events } = build(
      header(),
      turnStart,
      user('a'),
      user('b'),
      call('x'),
      bracket(2, 2),
    )
    expect(check(session, events)).toEqual([])
  })

  it('[L6] an ignorable event of an unknown type is passed over', () => {
    const { events } = build(user('a'))
    const newer = { seq: 1, time: 0, type: 'todo/write', data: { todos: [] }, ignorable: true }
    expect(check(sessionHeader(), [...events, newer])).toEqual([])
  })

  it('[L6] a newer version is called newer, never damaged', () => {
    const found = check({ ...sessionHeader(), version: 2 } satisfies SessionHeader, [])
    expect(found).toMatchObject([{ rule: 'L6', seq: -1 }])
    expect(found[0]?.message).toMatch('newer version')
  })

  it('[K1] a pin outlives the compactions around it', () => {
    const {
      header: session,
      events,
      log,
    } = build(
      ...[user('a'), call('x'), result('x'), user('b'), user('c')],
      pin(2),
      summary(0, 0),
      summary(3, 3),
    )
    expect(check(session, events)).toEqual([])
    expect([...log.state.pins].toSorted()).toEqual([1, 2])
  })
})
