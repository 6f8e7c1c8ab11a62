import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../core/event'
import type { History } from '../core/history'
import { foldSummary, newSessionRow, sparklineOf } from './summary'
import { messages, numbered, sampleHeader, titled } from './testing/sample-events'

describe('the summary row', () => {
  it('[L7] is the same folded at once or event by event', () => {
    const events = [...numbered([titled('a')]), ...messages(3, 1), ...numbered([titled('b')], 4)]
    const empty = newSessionRow(sampleHeader())
    const stepwise = events.reduce((row, event) => foldSummary(row, [event]), empty)
    expect(foldSummary(empty, events)).toEqual(stepwise)
    expect(stepwise).toMatchObject({ title: 'b', length: 5, counts: { events: 5, compactions: 0 } })
    expect(foldSummary(stepwise, [])).toBe(stepwise)
    expect(empty.length).toBe(0)
  })

  it('[L6] passes over an ignorable event of a later vocabulary', () => {
    const later = { seq: 0, time: 5, type: 'from/mars', data: null, ignorable: true }
    const row = foldSummary(newSessionRow(sampleHeader()), [later as unknown as SessionEvent])
    expect(row).toMatchObject({ length: 1, updatedAt: 5 })
  })

  it('has a curve of at most sixty points that ends with the newest', () => {
    const history = { tokensAt: (seq: number) => seq } as History
    expect(sparklineOf(history, 0)).toEqual([])
    expect(sparklineOf(history, 3)).toEqual([0, 1, 2])
    const long = sparklineOf(history, 6_001)
    expect([long.length, long.at(-1)]).toEqual([60, 6_000])
    expect(long).toEqual([...long].sort((a, b) => a - b))
  })
})
