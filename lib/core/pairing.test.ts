import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventDraft, EventHead, Seq, SessionEvent } from './event'
import { headOf } from './head'
import { applyAppend, createLog, loadLog, planAppend, surfaceNodes, surfaceOf } from './log'
import type { Block } from './message'
import {
  balancedAfter,
  balancedBefore,
  balancedCuts,
  checkPairing,
  unitAt,
  unitOf,
} from './pairing'
import { foldSurface, openCallsAt, sizeOf } from './surface'
import { arbitraryFoldable, arbitraryLog } from './testing/arbitrary'
import {
  assistant,
  build,
  call,
  EPOCH,
  FOREIGN,
  forge,
  headsOf,
  notice,
  result,
  summary,
  use,
  user,
} from './testing/build'

/** Milliseconds that thorough tests may take where other work shares the machine. */
const SLOW = 60_000

const rule = (refused: { ok: boolean; error?: { rule: string } }) =>
  refused.ok ? 'accepted' : refused.error?.rule

/** Heads of these surface events alone, each appended. */
function surface(...spec: string[]): { nodes: Seq[]; heads: EventHead[] } {
  const drafts = spec.map((said, seq): EventDraft => {
    const [who, ...ids] = said.split(' ')
    const id = `m-${seq}`
    if (who === 'result') {
      const data = { id, callId: ids[0] ?? '', content: [], isError: false }
      return { type: 'tool/result', data, surfaceOp: 'append' }
    }
    if (who === 'call') {
      const content = ids.map((callId) => use(callId))
      return { type: 'assistant/message', data: { id, content }, surfaceOp: 'append' }
    }
    const data = { id, content: [], source: { kind: 'human' as const } }
    return { type: 'user/message', data, surfaceOp: 'append' }
  })
  const heads = headsOf(forge(...drafts))
  return { heads, nodes: heads.map((head) => head.seq) }
}

describe('cuts', () => {
  it('[P1] no cut parts a call from its result', () => {
    const { nodes, heads } = build(user('hi'), call('a'), result('a'), user('bye'))
    expect(balancedCuts(nodes, heads)).toEqual([0, 1, 3, 4])
  })

  it('[P1] parallel calls stay one unit until all are answered, with what stands between', () => {
    const { nodes, heads } = build(
      user('hi'),
      call('a', 'b'),
      result('b'),
      notice('still here'),
      result('a'),
      user('bye'),
    )
    expect(balancedCuts(nodes, heads)).toEqual([0, 1, 5, 6])
    expect(unitOf(nodes, heads, 3)).toEqual({ from: 1, to: 5 })
    expect(unitOf(nodes, heads, 0)).toEqual({ from: 0, to: 1 })
  })

  it('[P1] a result answers by id: a call with another id stays open', () => {
    const { nodes, heads } = surface('call a b', 'result b', 'user')
    expect(balancedCuts(nodes, heads)).toEqual([0])
    expect(unitOf(nodes, heads, 2)).toEqual({ from: 0, to: 3 })
  })

  it('[P1] a pair of a server tool inside one assistant message does not count', () => {
    const blocks: Block[] = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
    ]
    const { nodes, heads } = build(user('hi'), assistant(blocks), user('bye'))
    expect(balancedCuts(nodes, heads)).toEqual([0, 1, 2, 3])
  })

  it('[P2] the balance beside a node is refused when it is not on the surface', () => {
    const { nodes, heads } = build(user('a'), user('b'), user('c'), summary(0, 1))
    expect(rule(balancedBefore(nodes, heads, 0))).toBe('P2')
    expect(rule(balancedAfter(nodes, heads, 987_654))).toBe('P2')
    expect(balancedAfter(nodes, heads, 5)).toEqual({ ok: true, value: true })
  })

  it('[P2] the balance is refused on a surface with an orphan or a duplicate result', () => {
    const orphan = surface('user', 'result a')
    expect(rule(balancedBefore(orphan.nodes, orphan.heads, 0))).toBe('P2')
    const twice = surface('call a', 'result a', 'result a')
    expect(rule(balancedAfter(twice.nodes, twice.heads, 0))).toBe('P2')
    const open = surface('call a', 'user')
    expect(balancedAfter(open.nodes, open.heads, 1)).toEqual({ ok: true, value: false })
  })
})

describe('soundness', () => {
  it.each([
    ['an orphan result', ['user', 'result a']],
    ['a duplicate result', ['call a', 'result a', 'result a']],
    ['a result before its call', ['result a', 'call a']],
    ['a duplicate call id', ['call a', 'result a', 'call a', 'result a']],
    ['a duplicate call id in one message', ['call a a', 'result a']],
    ['a call left open behind a newer assistant message', ['call a', 'call', 'user']],
  ])('[P1] %s makes a surface unsound', (_, spec) => {
    const { nodes, heads } = surface(...spec)
    expect(checkPairing(nodes, heads)?.rule).toBe('P1')
  })

  it('[P1] open calls of the newest assistant message leave it sound', () => {
    const { nodes, heads } = surface('call a', 'result a', 'call b c', 'result c', 'user')
    expect(checkPairing(nodes, heads)).toBeNull()
  })
})

/** Calls without a result, from zero. */
function openOf(nodes: readonly Seq[], heads: readonly EventHead[]): string[] {
  const answered = new Set(
    nodes.filter((seq) => heads[seq]!.type === 'tool/result').map((seq) => heads[seq]!.calls![0]),
  )
  return nodes
    .filter((seq) => heads[seq]!.type === 'assistant/message')
    .flatMap((seq) => heads[seq]!.calls ?? [])
    .filter((id) => !answered.has(id))
}

/** A draft again, from an event. */
const draftOf = ({ seq: _, time: __, ...draft }: SessionEvent) => draft as EventDraft

describe('the folded pairs of a log', () => {
  it(
    '[S6][P3] refuse exactly what leaves the surface unsound from zero',
    () => {
      const verdicts: Record<string, number> = {}
      fc.assert(
        fc.property(arbitraryFoldable(), (events) => {
          const log = createLog(FOREIGN)
          for (const event of events) {
            const draft = draftOf(event)
            const tried = headOf({ ...event, seq: log.heads.length })
            const fold = foldSurface([...log.heads, tried])
            const plan = planAppend(log, [draft], EPOCH)
            if (!fold.ok) expect(plan.ok).toBe(false)
            else {
              const flaw = checkPairing(fold.value.nodes, [...log.heads, tried])
              expect(rule(plan)).toBe(flaw ? 'S6' : 'accepted')
              verdicts[flaw ? 'S6' : 'accepted'] = (verdicts[flaw ? 'S6' : 'accepted'] ?? 0) + 1
            }
            if (plan.ok) applyAppend(log, plan.value)
            const open = log.state.openCalls.map((one) => one.callId)
            expect(open.toSorted()).toEqual(openOf(surfaceNodes(log), log.heads).toSorted())
          }
        }),
        { numRuns: 200 },
      )
      expect(verdicts.S6).toBeGreaterThan(100)
      expect(verdicts.accepted).toBeGreaterThan(100)
    },
    SLOW,
  )

  it(
    '[P1][P3] say on a sound surface what the scan of all of it says',
    () => {
      fc.assert(
        fc.property(arbitraryLog(), ({ log, nodes, heads }) => {
          const live = surfaceOf(log)
          expect(checkPairing(nodes, heads)).toBeNull()
          const cuts = Array.from({ length: sizeOf(live) + 1 }, (_, position) => position)
          expect(cuts.filter((position) => openCallsAt(live, position) === 0)).toEqual(
            balancedCuts(nodes, heads),
          )
          for (const position of nodes.keys()) {
            expect(unitAt(live, position)).toEqual(unitOf(nodes, heads, position))
          }
        }),
        { numRuns: 100 },
      )
    },
    SLOW,
  )

  it('[S6] a foreign log that came unsound goes on once an append mends it', () => {
    const { heads } = surface('call a', 'call b')
    const loaded = loadLog(FOREIGN, heads)
    if (!loaded.ok) throw new Error(loaded.error.message)
    const answer = (callId: string): EventDraft => ({
      type: 'tool/result',
      data: { id: `r-${callId}`, callId, content: [], isError: true },
      surfaceOp: 'append',
    })
    const log = loaded.value
    expect(log.state.unsound).not.toBeNull()
    const other = build(user('x')).events.map(draftOf)
    expect(rule(planAppend(log, other, EPOCH))).toBe('S6')
    const mended = planAppend(log, [answer('a'), answer('b')], EPOCH)
    expect(rule(mended)).toBe('accepted')
    if (mended.ok) applyAppend(log, mended.value)
    expect(rule(planAppend(log, other, EPOCH))).toBe('accepted')
  })
})
