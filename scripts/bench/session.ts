/**
 * A generated session as a long-lived agent leaves it: turns of tool work, old results pruned, turns
 * summarised and summaries summarised again, six layers deep. By a fixed seed; every log rule holds.
 */

import type { EventDraft, EventHead, Seq, SessionEvent, SessionHeader } from '../../lib/core/event'
import { headOf } from '../../lib/core/head'
import { PRESETS } from '../../lib/core/policy'

/** Turns a summary takes, turns left raw behind it, and summaries that one of the next level takes. */
const TURNS = 6
const RAW = 2
const BRANCHES = 5
/** One prune to so many events; with the summaries about 2,000 replacements to 100,000 events. */
const PRUNE_EVERY = 95

const WORDS =
  'stream parser buffer chunk window summary token surface agent file read write test path'.split(
    ' ',
  )

/** Deterministic numbers in [0, 1): Park and Miller's minimal standard generator. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16807) % 2147483647
    return (state - 1) / 2147483646
  }
}

export const headsOf = (events: readonly SessionEvent[]): EventHead[] => events.map(headOf)

export const headerOf = (id: string): SessionHeader => ({
  version: 1,
  id,
  createdAt: 1_700_000_000_000,
})

/** Nodes on the surface that belong together: a turn's messages, or one checkpoint of a level above 0. */
type Unit = { level: number; nodes: Seq[]; chars: number }

/** Some `length` events; content of about 600 × `scale` characters to each. */
export function generateSession(length: number, { seed = 11, scale = 1 } = {}): SessionEvent[] {
  const random = seeded(seed)
  const pool = Array.from({ length: 40_000 }, () => WORDS[Math.floor(random() * WORDS.length)])
  const prose = pool.join(' ')
  const text = (characters: number) => {
    const size = Math.floor(characters * scale)
    const from = Math.floor(random() * (prose.length - size))
    return prose.slice(from, from + size)
  }
  const events: SessionEvent[] = []
  const add = (draft: EventDraft): Seq => {
    const seq = events.length
    // A break of a day after every fortieth turn, so that the clock has gaps to fold.
    const time = 1_700_000_000_000 + seq * 900 + Math.floor(seq / 840) * 86_400_000
    events.push({ ...draft, seq, time } as SessionEvent)
    return seq
  }
  const units: Unit[] = []
  const prunable: Seq[] = []
  let pruned = 0
  const charsNow = () => units.reduce((sum, unit) => sum + unit.chars, 0)

  add({ type: 'session/open', data: { writer: 'bench', reason: 'created' } })
  add({ type: 'session/title', data: { title: `Bench ${length}`, source: 'automatic' } })
  add({
    type: 'request/header',
    data: {
      provider: 'anthropic',
      model: 'bench',
      contextWindow: 200_000,
      system: text(4_000),
      tools: [],
      params: { max_tokens: 8_000 },
      policy: PRESETS.standard,
      builder: 1,
    },
  })

  const prune = () => {
    const target = prunable.shift()
    if (target === undefined) return
    const unit = units.find(({ nodes }) => nodes.includes(target))
    if (unit?.level !== 0) return
    const original = events[target] as Extract<SessionEvent, { type: 'tool/result' }>
    add({
      type: 'compact/prune',
      data: {
        cause: 'micro',
        shadowedRange: { start: target, end: target },
        shadowedSeqs: [target],
        shadowedTokenCount: 900,
      },
    })
    const seq = add({
      type: 'tool/result',
      data: { ...original.data, content: [{ type: 'text', text: '[Previous: used read_file]' }] },
      surfaceOp: { op: 'replace', start: target, end: target },
      sourceEventSeqs: [target],
    })
    unit.nodes[unit.nodes.indexOf(target)] = seq
    pruned += 1
  }

  const summarise = (from: number, count: number) => {
    const taken = units.slice(from, from + count)
    const nodes = taken.flatMap((unit) => unit.nodes)
    const range = { start: nodes[0] as Seq, end: nodes.at(-1) as Seq }
    const compactionId = `k${events.length}`
    const words = text(2_400)
    add({
      type: 'compact/start',
      data: { compactionId, turn: null, trigger: 'pressure', range, model: 'bench' },
    })
    add({
      type: 'compact/summary',
      data: {
        compactionId,
        summary: words,
        shadowedRange: range,
        shadowedSeqs: nodes,
        shadowedTokenCount: 1_000,
        model: 'bench',
        usage: { input_tokens: 9_000, output_tokens: 600 },
        ms: 5_200,
        certainty: 'exact',
      },
    })
    const seq = add({
      type: 'user/message',
      data: {
        id: compactionId,
        content: [{ type: 'text', text: words }],
        source: { kind: 'checkpoint', compactionId },
      },
      surfaceOp: { op: 'replace', ...range },
      sourceEventSeqs: nodes,
    })
    add({ type: 'compact/end', data: { compactionId, turn: null } })
    const level = Math.max(...taken.map((unit) => unit.level)) + 1
    units.splice(from, count, { level, nodes: [seq], chars: words.length })
  }

  const compact = () => {
    const raw = units.findIndex((unit) => unit.level === 0)
    if (units.length - raw < TURNS + RAW) return
    summarise(raw, TURNS)
    for (let level = 1; ; level += 1) {
      const from = units.findIndex((unit) => unit.level === level)
      const count = units.filter((unit) => unit.level === level).length
      if (count < BRANCHES) return
      summarise(from, count)
    }
  }

  for (let turn = 1; events.length < length; turn += 1) {
    const unit: Unit = { level: 0, nodes: [], chars: 0 }
    units.push(unit)
    const append = (draft: EventDraft, chars: number): Seq => {
      const seq = add(draft)
      unit.nodes.push(seq)
      unit.chars += chars
      return seq
    }
    add({ type: 'turn/start', data: { turn } })
    append(
      {
        type: 'user/message',
        data: {
          id: `u${turn}`,
          content: [{ type: 'text', text: text(220) }],
          source: { kind: 'human' },
        },
        surfaceOp: 'append',
      },
      220,
    )
    for (let step = 1; step <= 4; step += 1) {
      if (events.length > PRUNE_EVERY * (pruned + 1)) prune()
      add({ type: 'step/start', data: { turn, step } })
      if (turn % 97 === 0 && step === 1)
        add({
          type: 'request/failed',
          data: { turn, step, attempt: 1, error: { code: 'overloaded', message: 'Overloaded' } },
        })
      const callId = `c${turn}-${step}`
      const input = { path: `agents/s${step}/part${turn % 40}.py` }
      const asks = step < 4
      append(
        {
          type: 'assistant/message',
          data: {
            id: `a${callId}`,
            turn,
            step,
            content: [
              { type: 'text', text: text(340) },
              ...(asks
                ? [{ type: 'tool_use' as const, id: callId, name: 'read_file', input }]
                : []),
            ],
            provider: 'anthropic',
            model: 'bench',
            stopReason: asks ? 'tool_use' : 'end_turn',
            usage: {
              input_tokens: 400,
              cache_read_input_tokens: Math.round(charsNow() / 4) + 1_000,
              output_tokens: 120,
            },
          },
          surfaceOp: 'append',
        },
        420,
      )
      if (asks) {
        const call = add({
          type: 'tool/call',
          data: { turn, step, callId, name: 'read_file', input },
        })
        const size = 400 + random() * 7_000
        const result = append(
          {
            type: 'tool/result',
            data: {
              id: `r${callId}`,
              turn,
              step,
              callId,
              name: 'read_file',
              content: [{ type: 'text', text: text(size) }],
              isError: turn % 53 === 0 && step === 2,
              durationMs: 40,
            },
            surfaceOp: 'append',
            sourceEventSeqs: [call],
          },
          size,
        )
        prunable.push(result)
        if (prunable.length > 9) prunable.shift()
      }
      add({ type: 'step/end', data: { turn, step } })
    }
    add({ type: 'turn/end', data: { turn, reason: 'completed' } })
    compact()
  }
  return events
}
