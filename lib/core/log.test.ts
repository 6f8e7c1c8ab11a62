import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from './check'
import type { EventDraft, Seq } from './event'
import { headOf } from './head'
import { applyAppend, loadLog, planAppend, surfaceNodes, surfaceOf } from './log'
import { parseEvent } from './shape'
import { foldSurface, nodesOf } from './surface'
import { arbitraryLog, choices, tryChoice } from './testing/arbitrary'
import {
  bracket,
  build,
  call,
  commitOf,
  EPOCH,
  pruneOf,
  result,
  sessionHeader,
  user,
} from './testing/build'
import { snapshot } from './testing/refusal'

/** Milliseconds that thorough tests may take where other work shares the machine. */
const SLOW = 60_000

const say = (id: string): EventDraft => ({
  type: 'user/message',
  data: { id, content: [{ type: 'text', text: id }], source: { kind: 'human' } },
  surfaceOp: 'append',
})

describe('appending', () => {
  it('[L1] gives drafts their seqs and the time they were given', () => {
    const { log } = build(user('a'))
    const plan = planAppend(log, [say('b'), say('c')], 5)
    expect(plan.ok && plan.value.events.map(({ seq, time }) => [seq, time])).toEqual([
      [1, 5],
      [2, 5],
    ])
    expect(plan.ok && plan.value.heads).toEqual(plan.ok && plan.value.events.map(headOf))
  })

  it('[L4] takes all of a batch or none of it, and names the rule and the seq', () => {
    const { log } = build(user('a'))
    const before = snapshot(log)
    const bad = { ...say('c'), surfaceOp: { op: 'replace', start: 9, end: 9 } } as EventDraft
    const plan = planAppend(log, [say('b'), { ...bad, sourceEventSeqs: [0] } as EventDraft], 5)
    expect(plan).toMatchObject({ ok: false, error: { rule: 'S3', seq: 2 } })
    expect(snapshot(log)).toEqual(before)
  })

  it(
    '[L4] changes nothing by planning, whatever comes of it',
    () => {
      fc.assert(
        fc.property(arbitraryLog(40), choices(4), ({ log, events }, tries) => {
          const before = snapshot(log)
          const surface = log.history.surfaceAt(log.heads.length)
          const nodes = nodesOf(surface)
          const watcher = {
            log,
            events: [...events],
            write: (...drafts: EventDraft[]) => {
              planAppend(log, drafts, EPOCH)
              return []
            },
          }
          for (const choice of tries) tryChoice(watcher, choice)
          expect(snapshot(log)).toEqual(before)
          expect(nodesOf(surface)).toEqual(nodes)
        }),
        { numRuns: 60 },
      )
    },
    SLOW,
  )

  it('[L4] plans the surface and the state that applying then gives', () => {
    const { log } = build(user('a'), user('b'), user('c'), bracket(0, 1))
    const writer = { log, events: [], write: () => [] }
    const plan = planAppend(log, commitOf(writer, [0, 1]), 5)
    if (!plan.ok) throw new Error(plan.error.message)
    applyAppend(log, plan.value)
    expect(nodesOf(plan.value.surface)).toEqual([5, 2])
    expect(surfaceNodes(log)).toEqual([5, 2])
    expect(log.state).toEqual(plan.value.state)
  })

  it('[L4] throws on a plan for another length: a bug, not a refusal', () => {
    const { log } = build(user('a'))
    const plan = planAppend(log, [say('b')], 5)
    if (!plan.ok) throw new Error('refused')
    applyAppend(log, plan.value)
    expect(() => applyAppend(log, plan.value)).toThrow('stale plan')
  })

  it('[C1] [L5] refuses what stored logs are read with all the same', () => {
    const { log, events } = build(user('a'), call('x'), result('x'), user('b'))
    const [named, ...rest] = pruneOf({ log, events, write: () => [] }, 2, 'p', 'manual')
    const wide = { ...named!.data, shadowedRange: { start: 0, end: 77 } }
    const drafts = [{ ...named, data: wide } as EventDraft, ...rest]
    expect(planAppend(log, drafts, 5)).toMatchObject({ error: { rule: 'C1', seq: 4 } })
    expect(parseEvent({ ...drafts[0], seq: 4, time: 5 }).ok).toBe(true)
    const content = [{ type: 'x', at: [0, { y: -0 }] }]
    const reply: EventDraft = {
      type: 'assistant/message',
      data: { id: 'm', content },
      surfaceOp: 'append',
    }
    expect(planAppend(log, [reply], 5)).toMatchObject({ error: { rule: 'L5' } })
    expect(parseEvent({ ...reply, seq: 4, time: 5 }).ok).toBe(true)
  })

  it('[L5] leaves out members that are undefined and refuses other things that are not JSON', () => {
    const { log } = build()
    const reply = (stopReason: unknown) =>
      ({
        type: 'assistant/message',
        data: { id: 'm', content: [{ type: 'text', text: 'x' }], usage: undefined, stopReason },
        surfaceOp: 'append',
      }) as EventDraft
    const source = { type: 'blob', hash: 'ab', media_type: 'image/png', bytes: 3, width: undefined }
    const image = { ...say('m'), data: { ...say('m').data, content: [{ type: 'image', source }] } }
    const sent = planAppend(log, [image as EventDraft], 5)
    expect(sent.ok && JSON.stringify(sent.value.events[0])).toBe(
      JSON.stringify({ ...image, seq: 0, time: 5 }),
    )
    expect(sent.ok && sent.value.events[0]).toStrictEqual(
      JSON.parse(JSON.stringify({ ...image, seq: 0, time: 5 })),
    )
    const plan = planAppend(log, [reply(undefined)], 5)
    expect(plan.ok && Object.keys(plan.value.events[0]!.data)).toEqual(['id', 'content'])
    expect(planAppend(log, [reply('a\ud800')], 5)).toMatchObject({ error: { rule: 'L5' } })
  })

  it(
    '[L7] every accepted log passes check, loads to the same state, and folds to its surface',
    () => {
      fc.assert(
        fc.property(arbitraryLog(), ({ header, events, log, nodes }) => {
          expect(check(header, events)).toEqual([])
          const loaded = loadLog(header, events.map(headOf))
          expect(loaded.ok && loaded.value.state).toEqual(log.state)
          const fold = foldSurface(log.heads)
          expect(fold.ok && fold.value.nodes).toEqual(nodes)
        }),
        { numRuns: 150 },
      )
    },
    SLOW,
  )

  it('[P3] events beside the surface cost it nothing', () => {
    const { log } = build(user('a'), call('x'))
    const named = { type: 'session/title', data: { title: 't', source: 'human' } } as const
    const plan = planAppend(log, [named], 5)
    expect(plan.ok && plan.value.state).toBe(log.state)
    expect(plan.ok && plan.value.surface).toEqual(surfaceOf(log))
  })

  it(
    '[L7] a batch leaves what its drafts leave one by one',
    () => {
      fc.assert(
        fc.property(arbitraryLog(30), ({ log, header }) => {
          const drafts = [say('x'), ...build(call('q'), result('q')).events.map(draftOf)]
          const plan = planAppend(log, drafts, 7)
          const single = loadLog(header, log.heads)
          if (!single.ok) throw new Error(single.error.message)
          const refused = drafts.some((one) => {
            const alone = planAppend(single.value, [one], 7)
            if (alone.ok) applyAppend(single.value, alone.value)
            return !alone.ok
          })
          expect(plan.ok).toBe(!refused)
          if (!plan.ok) return
          applyAppend(log, plan.value)
          expect(log.state).toEqual(single.value.state)
          expect(surfaceNodes(log)).toEqual(surfaceNodes(single.value))
        }),
        { numRuns: 60 },
      )
    },
    SLOW,
  )
})

const draftOf = ({ seq: _, time: __, ...draft }: { seq: Seq; time: number }) =>
  draft as unknown as EventDraft

describe('loading', () => {
  it('[L1] refuses heads whose surface does not fold', () => {
    const { header, heads } = build(user('a'), user('b'))
    expect(loadLog(header, [heads[1]!])).toMatchObject({ ok: false, error: { rule: 'L1' } })
  })

  it('[S6] opens a log whose pairs are not sound: it can still be seen', () => {
    const { heads } = build(user('a'), call('x'))
    const again = { ...heads[1]!, seq: 2 }
    const log = loadLog(sessionHeader(), [...heads, again])
    expect(log.ok && log.value.state.unsound).toMatch('call x stands twice')
  })
})
