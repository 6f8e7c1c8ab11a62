import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { EventHead, Seq, SessionEvent } from '../core/event'
import { headOf } from '../core/head'
import { BUILDER } from '../core/request'
import { readTranscript } from '../formats/transcript'
import { hashJson } from '../storage/hash'
import { proveRequest } from './request-proof'

const shipped = async (): Promise<SessionEvent[]> =>
  (await readTranscript(readFileSync('public/sample-session.jsonl', 'utf8'))).sessions[0]!.events

const prove = (events: SessionEvent[], seq: Seq) => {
  const heads: EventHead[] = events.map(headOf)
  return proveRequest(heads, async (at) => events[at]!, seq, hashJson)
}

it('[Q5] steps and summaries say which builder made them', async () => {
  const events = await shipped()
  const step = events.findLast(({ type }) => type === 'step/start')!
  const compaction = events.findLast(({ type }) => type === 'compact/start')!
  for (const { seq } of [step, compaction]) {
    const proof = (await prove(events, seq))!
    expect(proof.hash).toBe(proof.recorded)
    expect(proof.builder).toBe(BUILDER)
  }
})

it('[Q5] a step made by another builder is known as such, by the header it was made with', async () => {
  const events = (await shipped()).map((event) =>
    event.type === 'request/header' ? { ...event, data: { ...event.data, builder: 7 } } : event,
  )
  const step = events.findLast(({ type }) => type === 'step/start')!
  expect((await prove(events, step.seq))!.builder).toBe(7)
})

it('nothing was sent before the first step', async () => {
  expect(await prove(await shipped(), 0)).toBeNull()
})
