import { describe, expect, it } from 'vitest'
import type { Model, ModelEvent } from '../ports'
import { createLocks } from '../storage/testing/locks'
import { createSlots, MAX_STREAMS, withSlots } from './slots'
import { bodyOf } from './testing/fake'

/** A model that ends when told to. */
function patient() {
  const waiting: (() => void)[] = []
  const model: Model = {
    provider: 'test',
    async *stream() {
      yield { type: 'start', model: 'm' }
      await new Promise<void>((go) => waiting.push(go))
      yield { type: 'end', stopReason: 'end_turn' }
    },
  }
  return { model, waiting }
}

const open = () => new AbortController().signal
/** Lets everything that is due run. */
const settle = () => new Promise((done) => setTimeout(done, 5))

function reading(model: Model, signal = open()) {
  const seen: string[] = []
  const done = (async () => {
    for await (const event of model.stream(bodyOf('hi'), signal) as AsyncIterable<ModelEvent>)
      seen.push(event.type === 'error' ? event.error.code : event.type)
  })()
  return { seen, done }
}

describe('streams across tabs', () => {
  it('are five at most; the sixth says that it waits and goes on when one ends', async () => {
    const locks = createLocks()
    const { model, waiting } = patient()
    // Two tabs: slots of their own over the same locks.
    const tabs = [0, 1].map(() => withSlots(model, createSlots(locks)))
    const all = Array.from({ length: 7 }, (_, n) => reading(tabs[n % 2]!))
    await settle()
    const states = all.map(({ seen }) => seen.join())
    expect(states.filter((state) => state === 'start')).toHaveLength(MAX_STREAMS)
    expect(states.filter((state) => state === 'queued')).toHaveLength(2)
    waiting[0]!()
    await settle()
    expect(all.filter(({ seen }) => seen.join() === 'queued,start')).toHaveLength(1)
    while (waiting.length > 0) {
      waiting.shift()!()
      await settle()
    }
    await Promise.all(all.map(({ done }) => done))
    expect(all.every(({ seen }) => seen.at(-1) === 'end')).toBe(true)
  })

  it('can be cancelled while they wait, and leave the queue', async () => {
    const slots = createSlots(createLocks(), 1)
    const { model, waiting } = patient()
    const limited = withSlots(model, slots)
    const first = reading(limited)
    await settle()
    const abort = new AbortController()
    const second = reading(limited, abort.signal)
    await settle()
    abort.abort()
    await second.done
    expect(second.seen).toEqual(['queued', 'cancelled'])
    waiting[0]!()
    await first.done
    const third = reading(limited)
    await settle()
    expect(third.seen).toEqual(['start'])
    waiting[1]!()
    await third.done
  })

  it('give their place back when the reader leaves', async () => {
    const slots = createSlots(createLocks(), 1)
    const limited = withSlots(patient().model, slots)
    for await (const event of limited.stream(bodyOf('hi'), open()))
      if (event.type === 'start') break
    await settle()
    expect(await slots.tryTake()).not.toBeNull()
  })
})
