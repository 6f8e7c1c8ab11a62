/** A generated log for benches: turns of tool work with micro-compactions and summaries, by a fixed seed. */

import type { EventDraft, EventHead, SessionEvent } from '../../lib/core/event'
import { headOf } from '../../lib/core/head'

/** Deterministic numbers in [0, 1): Park and Miller's minimal standard generator. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16807) % 2147483647
    return (state - 1) / 2147483646
  }
}

const WORDS =
  'stream parser buffer chunk window summary token surface agent file read write test path'.split(
    ' ',
  )

/**
 * About `length` events: three calls a turn, results of 200 to 2,000 characters, every eighth turn a
 * summary over the older half of the surface, `replacements` results replaced on the way.
 */
export function generateLog(length: number, replacements: number, seed = 7): SessionEvent[] {
  const random = seeded(seed)
  const events: SessionEvent[] = []
  let surface: number[] = []
  const text = (size: number) => {
    const words: string[] = []
    for (let at = 0; at < size; at += 7)
      words.push(WORDS[Math.floor(random() * WORDS.length)] as string)
    return words.join(' ')
  }
  const add = (draft: EventDraft) => {
    const seq = events.length
    events.push({ ...draft, seq, time: 1_700_000_000_000 + seq * 50 } as SessionEvent)
    return seq
  }
  const replaceAt = (
    position: number,
    count: number,
    draft: (start: number, end: number, shadowed: number[]) => EventDraft,
  ) => {
    const shadowed = surface.slice(position, position + count)
    const seq = add(draft(shadowed[0] as number, shadowed.at(-1) as number, shadowed))
    surface = [...surface.slice(0, position), seq, ...surface.slice(position + count)]
  }
  const every = Math.max(1, Math.floor(length / Math.max(1, replacements)))
  const prunable: number[] = []
  for (let turn = 1; events.length < length; turn++) {
    add({ type: 'turn/start', data: { turn } })
    surface.push(
      add({
        type: 'user/message',
        data: {
          id: `u${turn}`,
          content: [{ type: 'text', text: text(120) }],
          source: { kind: 'human' },
        },
        surfaceOp: 'append',
      }),
    )
    for (let step = 1; step <= 3; step++) {
      const callId = `c${turn}-${step}`
      add({ type: 'step/start', data: { turn, step } })
      surface.push(
        add({
          type: 'assistant/message',
          data: {
            id: `a${callId}`,
            turn,
            step,
            content: [
              { type: 'text', text: text(200) },
              {
                type: 'tool_use',
                id: callId,
                name: 'read_file',
                input: { path: `agents/${step}.py` },
              },
            ],
          },
          surfaceOp: 'append',
          sourceEventSeqs: [],
        }),
      )
      const call = add({
        type: 'tool/call',
        data: { turn, step, callId, name: 'read_file', input: { path: `agents/${step}.py` } },
      })
      const result = add({
        type: 'tool/result',
        data: {
          id: `r${callId}`,
          turn,
          step,
          callId,
          name: 'read_file',
          content: [{ type: 'text', text: text(200 + random() * 1800) }],
          isError: false,
        },
        surfaceOp: 'append',
        sourceEventSeqs: [call],
      })
      surface.push(result)
      prunable.push(result)
      add({ type: 'step/end', data: { turn, step } })
      if (events.length % every < 6 && prunable.length > 4) {
        const target = prunable.shift() as number
        const position = surface.indexOf(target)
        const original = events[target] as Extract<SessionEvent, { type: 'tool/result' }>
        if (position >= 0) {
          add({
            type: 'compact/prune',
            data: {
              cause: 'micro',
              shadowedRange: { start: target, end: target },
              shadowedSeqs: [target],
              shadowedTokenCount: 100,
            },
          })
          replaceAt(position, 1, (start, end, shadowed) => ({
            type: 'tool/result',
            data: {
              ...original.data,
              content: [{ type: 'text', text: '[Previous: used read_file]' }],
            },
            surfaceOp: { op: 'replace', start, end },
            sourceEventSeqs: shadowed,
          }))
        }
      }
    }
    add({ type: 'turn/end', data: { turn, reason: 'completed' } })
    if (turn % 8 === 0) {
      const compactionId = `k${turn}`
      const count = Math.floor((surface.length * 3) / 4 / 7) * 7
      const range = { start: surface[0] as number, end: surface[count - 1] as number }
      const shadowedSeqs = surface.slice(0, count)
      add({ type: 'compact/start', data: { compactionId, turn: null, trigger: 'pressure', range } })
      add({
        type: 'compact/summary',
        data: {
          compactionId,
          summary: text(2000),
          shadowedRange: range,
          shadowedSeqs,
          shadowedTokenCount: 1000,
          certainty: 'exact',
        },
      })
      replaceAt(0, count, (start, end, shadowed) => ({
        type: 'user/message',
        data: {
          id: compactionId,
          content: [{ type: 'text', text: text(2000) }],
          source: { kind: 'checkpoint', compactionId },
        },
        surfaceOp: { op: 'replace', start, end },
        sourceEventSeqs: shadowed,
      }))
      add({ type: 'compact/end', data: { compactionId, turn: null } })
    }
  }
  return events
}

export const headsOf = (events: readonly SessionEvent[]): EventHead[] => events.map(headOf)
