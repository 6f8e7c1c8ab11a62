import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventDraft, SessionEvent } from '../event'
import { headOf } from '../head'
import type { Usage } from '../message'
import { arbitraryLog } from '../testing/arbitrary'
import { forge } from '../testing/build'
import { emptyUsage, extendUsage as extendHeads, type UsageTotals } from './usage'

const extendUsage = (totals: UsageTotals, events: readonly SessionEvent[]) =>
  extendHeads(totals, events.map(headOf))

const usage = (input: number, read = 0, write = 0, output = 1): Usage => ({
  input_tokens: input,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: write,
  output_tokens: output,
})
const reply = (turn: number | undefined, report?: Usage, model = 'a'): EventDraft => ({
  type: 'assistant/message',
  data: { id: 'm', turn, step: 1, content: [], model, usage: report },
  surfaceOp: 'append',
})
const range = { start: 0, end: 0 }
const begin = (turn: number | null, patch = {}): EventDraft => ({
  type: 'compact/start',
  data: { compactionId: 'k', turn, trigger: 'pressure', range, model: 's', ...patch },
})
const window = (report: Usage): EventDraft => ({
  type: 'compact/window',
  data: { compactionId: 'k', index: 0, range, summary: 's', usage: report, ms: 1 },
})
const summed = (report?: Usage): EventDraft => ({
  type: 'compact/summary',
  data: {
    compactionId: 'k',
    summary: 's',
    shadowedRange: range,
    shadowedSeqs: [0],
    shadowedTokenCount: 1,
    usage: report,
    certainty: 'exact',
  },
})
const end: EventDraft = { type: 'compact/end', data: { compactionId: 'k', turn: null } }
const title: EventDraft = { type: 'session/title', data: { title: 't', source: 'human' } }
const fold = (...drafts: EventDraft[]) => extendUsage(emptyUsage(), forge(...drafts))

describe('usage', () => {
  it('[M2] sums reports by cache state, over the session, its turns and its models', () => {
    const totals = fold(
      reply(1, usage(10, 100, 5, 2)),
      reply(1, usage(1)),
      reply(2, usage(3), 'b'),
      reply(undefined, usage(4)),
    )
    expect(totals.session).toEqual({
      input_tokens: 18,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 5,
      output_tokens: 5,
      requests: 4,
    })
    expect(
      totals.turns.map(({ turn, totals: of }) => [turn, of.input_tokens, of.requests]),
    ).toEqual([
      [1, 11, 2],
      [2, 3, 1],
      [null, 4, 1],
    ])
    expect(totals.models.a!.input_tokens).toBe(15)
    expect(totals.models.b!.input_tokens).toBe(3)
    expect(totals.summaries.requests).toBe(0)
  })
  it('counts summaries, windows and drafts into the turn and model of their bracket', () => {
    const totals = fold(
      reply(7, usage(1)),
      begin(7),
      window(usage(20)),
      summed(usage(30)),
      end,
      begin(null),
      summed(usage(5)),
      end,
    )
    expect(totals.summaries).toMatchObject({ input_tokens: 55, requests: 3 })
    expect(totals.session.input_tokens).toBe(56)
    expect(totals.turns.map(({ turn, totals: of }) => [turn, of.input_tokens])).toEqual([
      [7, 51],
      [null, 5],
    ])
    expect(totals.models.s!.requests).toBe(3)
  })
  it('[C16] a reviewed draft is paid for once', () => {
    const draft: EventDraft = {
      type: 'compact/draft',
      data: { compactionId: 'k', summary: 's', usage: usage(9), ms: 1 },
    }
    const totals = fold(
      begin(null),
      draft,
      end,
      begin(null, { draftSeq: 1 }),
      summed(usage(9)),
      end,
    )
    expect(totals.summaries).toMatchObject({ input_tokens: 9, requests: 1 })
  })
  it('says how many replies were not reported', () => {
    expect(fold(reply(1), reply(1, usage(1)), reply(2)).unreported).toBe(2)
  })
  it('[L7] is the same reference after an event of no interest', () => {
    const events = forge(reply(1, usage(1)), title)
    const before = extendUsage(emptyUsage(), events.slice(0, 1))
    expect(extendUsage(before, events)).toBe(before)
  })
  it('[L7] extended in any pieces, overlapping or not, it is the sum from zero', () => {
    const reports = fc.array(fc.option(fc.nat(1000), { nil: undefined }), { minLength: 1 })
    fc.assert(
      fc.property(arbitraryLog(), reports, fc.array(fc.nat()), (built, inputs, cuts) => {
        const events = built.events.map((event): SessionEvent => {
          const input = inputs[event.seq % inputs.length]
          if (event.type !== 'assistant/message' || input === undefined) return event
          return { ...event, data: { ...event.data, usage: usage(input) } }
        })
        const stops = cuts.map((cut) => cut % (events.length + 1)).sort((a, b) => a - b)
        const pieces = stops.reduce(
          (all, stop) => extendUsage(all, events.slice(0, stop)),
          emptyUsage(),
        )
        expect(extendUsage(pieces, events)).toEqual(extendUsage(emptyUsage(), events))
        const inputsReported = events.reduce(
          (sum, event) =>
            sum + (event.type === 'assistant/message' ? (event.data.usage?.input_tokens ?? 0) : 0),
          0,
        )
        expect(extendUsage(pieces, events).session.input_tokens).toBe(inputsReported)
      }),
    )
  }, 20_000)
})
