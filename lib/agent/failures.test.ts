import { expect, it } from 'vitest'
import type { CompactFailure, SessionEvent } from '../core/event'
import { PRESETS } from '../core/policy'
import { JournalError } from '../ports'
import { prunePass } from './passes'
import { relievePressure } from './pressure'
import { createSession } from './session'
import { fails, type Line, says, stalls, uses } from './testing/model'
import { compactTool, type RigOptions, reader, rig, text } from './testing/rig'
import { userDraft } from './user-draft'
import { must } from './writer'

const reading = (count: number, size: number): Line[] =>
  Array.from({ length: count }, (_, n) => uses([`r${n}`, 'read', { size }]))
const summary = says('## Request and intent\nRead.')
const signal = () => new AbortController().signal

/** A session worth compacting, at rest. */
async function rested(options: RigOptions = {}) {
  const r = rig({ tools: [reader], script: [...reading(3, 9000), says('read')], ...options })
  await r.agent.send(text('read'))
  await r.agent.idle()
  return { r, before: r.surface(), from: r.log.heads.length }
}

const ends = (events: SessionEvent[]): (CompactFailure | undefined)[] =>
  events.flatMap((event) => (event.type === 'compact/end' ? [event.data.error?.code] : []))

it.each<[string, Line]>([
  ['an error', fails('invalid-request')],
  ['an empty answer', says('')],
  ['an unfinished answer', says('So', 'max_tokens')],
  ['a refusal', says('No.', 'refusal')],
  ['a call instead of words', uses(['x', 'read'])],
  ['a summary as long as what it replaces', says('x'.repeat(40_000))],
])('[C6] `summary`: %s closes the bracket and leaves the surface', async (_, line) => {
  const { r, before } = await rested({ summaries: [line] })
  await expect(r.agent.compactNow(signal())).rejects.toMatchObject({ code: 'summary' })
  expect(ends(r.events())).toEqual(['summary'])
  expect(r.surface()).toEqual(before)
  expect(r.agent.live).toMatchObject({ phase: 'idle', compaction: undefined })
  await r.verify()
})

it('[C11] a passing failure of the summariser is asked again, twice at most', async () => {
  const { r } = await rested({ summaries: [fails('overloaded'), stalls('Ha'), summary] })
  const wished = r.agent.compactNow(signal())
  await r.until(({ retry }) => retry?.attempt === 2)
  await r.agent.retry()
  await r.until(({ compaction }) => compaction?.text === 'Ha')
  r.agent.stop()
  await expect(wished).rejects.toMatchObject({ code: 'cancelled' })
  const again = await rested({ summaries: [fails('server'), fails('server'), fails('server')] })
  const failing = again.r.agent.compactNow(signal())
  await again.r.until(({ retry }) => retry?.attempt === 2)
  await again.r.agent.retry()
  await again.r.until(({ retry }) => retry?.attempt === 3)
  await again.r.agent.retry()
  await expect(failing).rejects.toMatchObject({ code: 'summary' })
  await again.r.verify()
})

it("[C5] `cancelled`: the caller's signal aborts the model call itself", async () => {
  const { r, before } = await rested({ summaries: [stalls('So far')] })
  const controller = new AbortController()
  const wished = r.agent.compactNow(controller.signal)
  await r.until(({ compaction }) => compaction?.text === 'So far')
  controller.abort()
  await expect(wished).rejects.toMatchObject({ code: 'cancelled' })
  expect(ends(r.events())).toEqual(['cancelled'])
  expect(r.surface()).toEqual(before)
  await r.verify()
})

it('[C5] a cancel wins over a summary that has come but is not yet committed', async () => {
  const controller = new AbortController()
  const { r, before } = await rested()
  r.summariser.add([
    ...summary.slice(0, -1),
    async () => {
      controller.abort()
    },
    ...summary.slice(-1),
  ])
  await expect(r.agent.compactNow(controller.signal)).rejects.toMatchObject({ code: 'cancelled' })
  expect(r.surface()).toEqual(before)
  await r.verify()
})

it('[C5] once the commit is issued the result stands, whatever is cancelled then', async () => {
  const controller = new AbortController()
  const { r } = await rested({
    summaries: [summary],
    journal: (memory) => ({
      ...memory,
      async append(write) {
        if (write.events.some(({ type }) => type === 'compact/summary')) controller.abort()
        return memory.append(write)
      },
    }),
  })
  expect(await r.agent.compactNow(controller.signal)).toHaveLength(1)
  expect(ends(r.events())).toEqual([undefined])
  await r.verify()
})

it('[C5] `persistence`: a commit the disk refuses closes the bracket once the disk is back', async () => {
  let isBroken = true
  const { r, before } = await rested({
    summaries: [summary],
    journal: (memory) => ({
      ...memory,
      async append(write) {
        const types = write.events.map(({ type }) => type)
        if (isBroken && types.some((type) => type === 'compact/summary' || type === 'compact/end'))
          throw new JournalError('quota', 'no space')
        return memory.append(write)
      },
    }),
  })
  const wished = r.agent.compactNow(signal())
  const live = await r.until(({ problem }) => problem !== undefined)
  expect(live.problem).toMatchObject({ code: 'journal-quota' })
  isBroken = false
  await r.agent.retry()
  await expect(wished).rejects.toMatchObject({ code: 'persistence' })
  expect(ends(r.events())).toEqual(['persistence'])
  expect(r.surface()).toEqual(before)
  await r.verify()
})

it('[C5] a bracket that cannot even be opened writes nothing', async () => {
  const { r, from } = await rested({ summaries: [summary] })
  r.disk.beforeWrite = () => {
    throw new JournalError('failed', 'broken')
  }
  await expect(r.agent.compactNow(signal())).rejects.toMatchObject({ code: 'persistence' })
  expect(r.log.heads).toHaveLength(from)
  expect(r.summariser.asked).toEqual([])
  await r.verify()
})

it('[C5] `commit`: what the log refuses closes the bracket', async () => {
  let isBad = false
  let next = 0
  const { r, before } = await rested({
    deps: { newId: () => (isBad ? '\ud800' : `x-${next++}`) },
  })
  r.summariser.add(() => {
    isBad = true
    return summary
  })
  await expect(r.agent.compactNow(signal())).rejects.toMatchObject({ code: 'commit' })
  expect(ends(r.events())).toEqual(['commit'])
  expect(r.surface()).toEqual(before)
  await r.verify()
})

it('[C4] `changed`: an automatic run needs the whole surface as it was', async () => {
  const { r } = await rested({
    policy: {
      threshold: { absolute: 50, ratio: 0.8 },
      micro: { ...PRESETS.standard.micro, when: 'off' },
    },
    script: [says('hello')],
  })
  const session = createSession(r.deps)
  const say = (words: string) => must(session.writer, [userDraft(`m-${words.length}`, text(words))])
  await say('x'.repeat(4000))
  await say('y'.repeat(400))
  r.summariser.add([() => say('late'), ...summary])
  const runs = await relievePressure(session, { turn: null, signal: signal() })
  expect(runs?.failure).toMatchObject({ code: 'changed' })
  expect(ends(r.events())).toEqual(['changed'])
  expect(r.surface().at(-1)).toBe('human: late')
  await r.verify()
})

it('[C1] nothing useful to do is null, and nothing is written', async () => {
  const r = rig({ script: [says('hello')] })
  expect(await r.agent.compactNow(signal())).toBeNull()
  await r.agent.send(text('hi'))
  await r.agent.idle()
  const { length } = r.log.heads
  r.chosen = { ...r.chosen, model: 'another' }
  expect(await r.agent.compactNow(signal())).toBeNull()
  expect(await r.agent.compactIfNeeded('pressure', signal())).toBeNull()
  expect(r.log.heads).toHaveLength(length)
  await r.verify()
})

it('[C3] a range that parts a call from its result is refused, and nothing is written', async () => {
  const { r, from } = await rested({ summaries: [summary] })
  const seqs = r.events().flatMap(({ type, seq }) => (/message|result/.test(type) ? [seq] : []))
  await expect(r.agent.compactRegion(seqs[0]!, seqs[1]!, signal())).rejects.toMatchObject({
    code: 'refused',
  })
  await expect(r.agent.compactRegion(seqs[0]!, seqs.at(-1)!, signal())).rejects.toThrow(
    'newest unit',
  )
  expect([r.log.heads.length, r.summariser.asked]).toEqual([from, []])
  const results = (await r.agent.compactRegion(seqs[1]!, seqs[2]!, signal()))!
  expect(results[0]!.shadowedSeqs).toEqual([seqs[1], seqs[2]])
  expect(r.surface()[1]).toBe('checkpoint')
  await r.verify()
})

it('[C2] a summariser that throws is a failure, not a lock for ever', async () => {
  const { r } = await rested()
  r.deps.summariser = () => ({
    provider: 'fake',
    stream() {
      throw new Error('oops')
    },
  })
  const wished = r.agent.compactNow(signal())
  await r.until(({ retry }) => retry?.attempt === 2)
  await r.agent.retry()
  await r.until(({ retry }) => retry?.attempt === 3)
  await r.agent.retry()
  await expect(wished).rejects.toMatchObject({ code: 'summary', message: 'oops' })
  expect(r.log.state.bracket).toBeNull()
  await r.verify()
})

it('a wish withdrawn while it waits for the step rejects at once and writes nothing', async () => {
  const r = rig({ tools: [reader], script: [...reading(2, 9000), stalls('Half')] })
  await r.agent.send(text('read'))
  await r.until(({ content }) => JSON.stringify(content).includes('Half'))
  const controller = new AbortController()
  const wished = r.agent.compactNow(controller.signal)
  await r.until(({ compaction }) => compaction?.waiting === true)
  controller.abort()
  await expect(wished).rejects.toMatchObject({ code: 'cancelled' })
  expect(r.agent.live.compaction).toBeUndefined()
  expect(r.types()).not.toContain('compact/start')
  r.agent.stop()
  await r.agent.idle()
  await r.verify()
})

it('[C5] a cancel wins while the commit waits for another write', async () => {
  const controller = new AbortController()
  let finish = () => {}
  const slow = new Promise<void>((resolve) => {
    finish = resolve
  })
  const { r, before } = await rested({
    journal: (memory) => ({
      ...memory,
      async append(write) {
        if (write.events.some(({ type }) => type === 'session/title')) await slow
        return memory.append(write)
      },
    }),
  })
  r.summariser.add([async () => void r.agent.setTitle('meanwhile', 'human'), ...summary])
  const wished = r.agent.compactNow(controller.signal)
  await r.until(({ compaction }) => compaction?.text === '## Request and intent\nRead.')
  await new Promise((resolve) => setImmediate(resolve))
  controller.abort()
  finish()
  await expect(wished).rejects.toMatchObject({ code: 'cancelled' })
  expect(r.surface()).toEqual(before)
  await r.verify()
})

it('[C2] a bug between start and end closes the bracket and is not hidden', async () => {
  let isBad = false
  let next = 0
  const { r, before } = await rested({
    deps: {
      newId() {
        if (isBad) throw new Error('no ids left')
        return `x-${next++}`
      },
    },
  })
  r.summariser.add(() => {
    isBad = true
    return summary
  })
  await expect(r.agent.compactNow(signal())).rejects.toThrow('no ids left')
  expect(r.log.state.bracket).toBeNull()
  expect(r.surface()).toEqual(before)
  await r.verify()
})

it('[Q1] a compaction at rest is asked of the model chosen now, whose header comes first', async () => {
  const { r } = await rested({ summaries: [summary] })
  r.chosen = { ...r.chosen, model: 'fake-2' }
  await r.agent.compactNow(signal())
  expect(r.summariser.asked[0]!.model).toBe('fake-2')
  const types = r.types()
  expect(types.lastIndexOf('request/header')).toBe(types.indexOf('compact/start') - 1)
  await r.verify()
})

it('[C12] a stop while the compaction the model asked for runs leaves no notice', async () => {
  const r = rig({
    tools: [reader, compactTool],
    script: [...reading(3, 9000), uses(['c', 'compact'])],
    summaries: [stalls('So far')],
  })
  await r.agent.send(text('go'))
  await r.until(({ compaction }) => compaction?.text === 'So far')
  r.agent.stop()
  await r.agent.idle()
  expect(r.surface().at(-1)).toMatch(/^result: Scheduled/)
  await r.verify()
})

it('[K1] a pin set while a prune is being prepared holds', async () => {
  const { r } = await rested()
  const session = createSession(r.deps)
  const result = r.events().find(({ type }) => type === 'tool/result')!.seq
  const pass = prunePass(session, r.chosen.policy, 'pressure')
  await must(session.writer, [{ type: 'pin/set', data: { seqs: [result], pinned: true } }])
  const { pruned } = await pass
  expect(pruned.length).toBeGreaterThan(0)
  expect(pruned.map(({ originalSeq }) => originalSeq)).not.toContain(result)
  await r.verify()
})
