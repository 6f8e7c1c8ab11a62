import { expect, it } from 'vitest'
import { missingSections } from '../core/accept'
import type { EventOf } from '../core/event'
import { surfaceNodes } from '../core/log'
import { PRESETS } from '../core/policy'
import { SECTIONS } from '../core/prompt'
import { fails, type Line, says, stalls, uses } from './testing/model'
import { compactTool, MIN_GAIN, reader, rig, text } from './testing/rig'

const reading = (count: number, size: number): Line[] =>
  Array.from({ length: count }, (_, n) => uses([`r${n}`, 'read', { size }]))
const summary = says(SECTIONS.map(({ title }) => `## ${title}\nnone`).join('\n'))
/** T = 0.8 × (window − 1,000). */
const small = { tools: [reader], header: { contextWindow: 8000 } }

it('[C7] pressure is relieved after a step, once its results are durable and before it ends', async () => {
  const r = rig({
    ...small,
    policy: { keepTail: 'newest-unit', micro: { ...PRESETS.standard.micro, when: 'off' } },
    script: [...reading(4, 7000), says('done')],
    summaries: [summary],
  })
  await r.agent.send(text('read all of it'))
  await r.agent.idle()
  const types = r.types()
  const start = types.indexOf('compact/start')
  expect(types.slice(start - 1, start + 5)).toEqual([
    'tool/result',
    'compact/start',
    'compact/summary',
    'user/message',
    'compact/end',
    'step/end',
  ])
  expect(r.lives.some(({ phase, compaction }) => phase === 'compacting' && compaction)).toBe(true)
  expect(r.lives.some(({ phase, compaction }) => phase === 'streaming' && compaction)).toBe(false)
  const shadowed = (r.events()[start + 1] as EventOf<'compact/summary'>).data.shadowedSeqs
  expect(shadowed).toHaveLength(7)
  expect(r.surface()).toEqual([
    'checkpoint',
    'assistant: 1 calls',
    expect.stringMatching(/^result/),
    'assistant: done',
  ])
  expect(r.events()[start]!.data).toMatchObject({
    trigger: 'pressure',
    turn: 1,
    threshold: 5600,
    window: 8000,
  })
  await r.verify()
})

it('[C7] the new prompt counts before the first request of a turn', async () => {
  const r = rig({ ...small, script: [says('x'.repeat(8000)), says('ok')], summaries: [summary] })
  await r.agent.send(text('y'.repeat(8000)))
  await r.agent.idle()
  expect(r.types()).not.toContain('compact/start')
  await r.agent.send(text('z'.repeat(9000)))
  await r.agent.idle()
  const types = r.types()
  const second = types.lastIndexOf('turn/start')
  expect(types.slice(second, second + 7)).toEqual([
    'turn/start',
    'user/message',
    'compact/start',
    'compact/summary',
    'user/message',
    'compact/end',
    'step/start',
  ])
  expect(r.surface()).toEqual(['checkpoint', expect.stringMatching(/^human: zzz/), 'assistant: ok'])
  await r.verify()
})

it('[C7] a prune that brings the surface below T spares the summary', async () => {
  const r = rig({
    ...small,
    policy: {
      micro: { ...PRESETS.standard.micro, when: 'off' },
      prune: { thresholdChars: 4000, headChars: 500, tailChars: 100 },
    },
    script: [...reading(3, 8400), says('done')],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  const types = r.types()
  expect(types).toContain('compact/prune')
  expect(types).not.toContain('compact/start')
  const prunes = types.flatMap((type, at) => (type === 'compact/prune' ? [types[at + 1]] : []))
  expect(prunes.every((type) => type === 'tool/result')).toBe(true)
  await r.verify()
})

it('[X1] [X2] [C7] the three layers take their turns in one run, and the task is finished', async () => {
  const r = rig({
    tools: [reader],
    policy: {
      threshold: { absolute: 1900, ratio: 0.8 },
      micro: { ...PRESETS.teaching.micro, keepRecent: 1 },
      prune: { thresholdChars: 3000, headChars: 1000, tailChars: 500 },
      keepTail: 'newest-unit',
    },
    script: [...reading(9, 5000), says('All nine read.')],
    summaries: Array.from({ length: 9 }, () => summary),
  })
  await r.agent.send(text('read every one'))
  await r.agent.idle()
  const causes = r
    .events()
    .flatMap((event) => (event.type === 'compact/prune' ? [event.data.cause] : []))
  expect(new Set(causes)).toEqual(new Set(['micro', 'pressure']))
  expect(r.types().filter((type) => type === 'compact/summary').length).toBeGreaterThan(0)
  expect(r.surface().at(-1)).toBe('assistant: All nine read.')
  expect(r.events().at(-1)!.data).toMatchObject({ reason: 'completed' })
  const firsts = ['micro', 'pressure'].map((cause) => causes.indexOf(cause as 'micro'))
  expect(firsts.every((at) => at >= 0)).toBe(true)
  await r.verify()
})

it('[X5] the standard preset leaves a cached prefix alone that is not worth breaking', async () => {
  const r = rig({ tools: [reader], script: [...reading(6, 400), says('done')] })
  await r.agent.send(text('read'))
  await r.agent.idle()
  expect(r.types()).not.toContain('compact/prune')
  await r.verify()
})

it('[C12] a compaction the model asks for comes after its result, in place of the pressure check', async () => {
  const ask = uses(['c', 'compact', { focus: 'the file names' }])
  const r = rig({
    ...small,
    tools: [reader, compactTool],
    header: { contextWindow: 20_000 },
    script: [...reading(2, 12_000), ask, says('done')],
    summaries: [summary],
  })
  await r.agent.send(text('read, then compact'))
  await r.agent.idle()
  const types = r.types()
  const start = types.indexOf('compact/start')
  expect(types[start - 1]).toBe('tool/result')
  expect(types.slice(start + 3, start + 5)).toEqual(['compact/end', 'step/end'])
  expect(r.events()[start]!.data).toMatchObject({
    trigger: 'model',
    turn: 1,
    instructions: 'the file names',
  })
  const { messages } = r.summariser.asked[0]!
  expect(JSON.stringify(messages.at(-1))).toContain('the file names')
  expect(r.surface()[0]).toBe('checkpoint')
  expect(r.surface().at(-1)).toBe('assistant: done')
  await r.verify()
})

it('[C12] its failure follows as a notice, and so does that there was nothing to do', async () => {
  const ask = (id: string) => uses([id, 'compact'])
  const r = rig({
    tools: [reader, compactTool],
    script: [ask('c1'), ...reading(1, 60_000), ask('c2'), says('done')],
    summaries: [fails('invalid-request')],
  })
  await r.agent.send(text('compact'))
  await r.agent.idle()
  const notices = r
    .events()
    .flatMap((event) =>
      event.type === 'user/message' && event.data.source.kind === 'notice'
        ? [JSON.stringify(event.data.content)]
        : [],
    )
  expect(notices).toEqual([
    expect.stringContaining('was not needed'),
    expect.stringContaining('failed (summary): scripted invalid-request'),
  ])
  await r.verify()
})

it('[C11] two failed automatic runs in a row stop them, and the live state says why', async () => {
  const bad = fails('invalid-request')
  const r = rig({
    ...small,
    policy: { micro: { ...PRESETS.standard.micro, when: 'off' } },
    script: [...reading(4, 7400), says('a'), says('b')],
    summaries: [bad, bad],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  await r.agent.send(text('more'))
  await r.agent.idle()
  expect(r.types().filter((type) => type === 'compact/start')).toHaveLength(2)
  expect(r.agent.live.problem).toMatchObject({ code: 'automatic-stopped' })
  await r.verify()
})

it('[C7] a smaller window is judged before its header is written, and the old model summarises', async () => {
  const r = rig({
    tools: [reader],
    policy: { micro: { ...PRESETS.standard.micro, when: 'off' } },
    script: [...reading(3, 8000), says('read'), says('hello from the small one')],
    summaries: [summary],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  expect(r.types()).not.toContain('compact/start')
  r.chosen = { ...r.chosen, model: 'fake-small', contextWindow: 6000 }
  await r.agent.send(text('go on'))
  await r.agent.idle()
  const types = r.types()
  const start = types.indexOf('compact/start')
  expect(types.lastIndexOf('request/header')).toBeGreaterThan(types.indexOf('compact/end'))
  expect(r.events()[start]!.data).toMatchObject({ model: 'fake-1', window: 6000 })
  expect(r.model.asked.at(-1)!.model).toBe('fake-small')
  await r.verify()
})

it('[C4] asked for during a turn it waits for the end of the step, and says so', async () => {
  let finish = () => {}
  const slow = new Promise<void>((resolve) => {
    finish = resolve
  })
  const r = rig({
    tools: [reader],
    script: [...reading(3, 9000), [slow, ...uses(['last', 'read', { size: 9 }])], says('done')],
    summaries: [summary],
  })
  await r.agent.send(text('read'))
  await r.written('step/start', 4)
  const wished = r.agent.compactNow(new AbortController().signal, 'keep the paths')
  const live = await r.until(({ compaction }) => compaction !== undefined)
  expect(live.compaction).toMatchObject({ trigger: 'manual', waiting: true })
  expect(r.types()).not.toContain('compact/start')
  finish()
  const results = await wished
  expect(results).toHaveLength(1)
  await r.agent.idle()
  const types = r.types()
  const start = types.indexOf('compact/start')
  expect(types[start - 1]).toBe('step/end')
  expect(types[types.indexOf('compact/end') + 1]).toBe('step/start')
  expect(r.agent.live.compaction).toBeUndefined()
  await r.verify()
})

it('[C4] a message sent while an idle session compacts stays after the checkpoint, and waits for it', async () => {
  let finish = () => {}
  const slow = new Promise<void>((resolve) => {
    finish = resolve
  })
  const r = rig({
    tools: [reader],
    script: [...reading(3, 9000), says('read'), says('and done')],
    summaries: [[slow, ...summary]] as Line[],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  const wished = r.agent.compactNow(new AbortController().signal)
  await r.until(({ compaction }) => compaction !== undefined && !compaction.waiting)
  await r.agent.send(text('meanwhile'))
  expect(r.types().slice(-2)).toEqual(['turn/start', 'user/message'])
  finish()
  await wished
  await r.agent.idle()
  expect(r.surface().slice(-2)).toEqual(['human: meanwhile', 'assistant: and done'])
  expect(r.surface()[0]).toBe('checkpoint')
  await r.verify()
})

it('[C5] stop while a summary is written cancels the bracket and the turn, and the surface stays', async () => {
  const r = rig({
    ...small,
    policy: { micro: { ...PRESETS.standard.micro, when: 'off' } },
    script: [...reading(4, 7000), says('never')],
    summaries: [stalls('So far')],
  })
  await r.agent.send(text('read'))
  await r.until(({ compaction }) => compaction?.text === 'So far')
  expect(r.agent.live.phase).toBe('compacting')
  const before = r.surface()
  r.agent.stop()
  await r.agent.idle()
  expect(r.types().slice(-3)).toEqual(['compact/end', 'step/end', 'turn/end'])
  expect(r.events().at(-3)!.data).toMatchObject({ error: { code: 'cancelled' } })
  expect(r.events().at(-1)!.data).toMatchObject({ reason: 'cancelled' })
  expect(r.surface()).toEqual(before)
  await r.verify()
})

it('[C14] [Q6] the summary request repeats the conversation with the instruction last, and asks for every section', async () => {
  const r = rig({
    tools: [reader],
    script: [...reading(3, 9000), says('read')],
    summaries: [summary],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  await r.agent.compactNow(new AbortController().signal)
  const [asked] = r.summariser.asked
  const last = r.model.asked.at(-1)!
  expect(asked!.system).toEqual(last.system)
  expect(asked!.tools).toEqual(last.tools)
  expect(asked!.messages[0]).toEqual(last.messages[0])
  const words = JSON.stringify(asked!.messages.at(-1))
  for (const { title } of SECTIONS) expect(words).toContain(title)
  const event = r.events().find(({ type }) => type === 'compact/summary')
  expect(event?.type === 'compact/summary' && missingSections(event.data.summary)).toEqual([])
  await r.verify()
})

it('[C15] another backend gets the transcript and is named in the log', async () => {
  const r = rig({ tools: [reader], script: [...reading(3, 9000), says('read')] })
  const template = { ...r.summariser, provider: 'template' }
  r.summariser.add(summary)
  r.deps.summariser = () => template
  await r.agent.send(text('read'))
  await r.agent.idle()
  await r.agent.compactNow(new AbortController().signal)
  const start = r.events().find(({ type }) => type === 'compact/start')
  expect(start?.data).toMatchObject({ provider: 'template', model: 'template' })
  expect(r.summariser.asked[0]!.tools).toEqual([])
  await r.verify()
})

it('[S7] a checkpoint is restored and put back without a model call, over the same nodes', async () => {
  const r = rig({
    tools: [reader],
    script: [...reading(3, 9000), says('read')],
    summaries: [summary],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  const before = r.surface()
  const [done] = (await r.agent.compactNow(new AbortController().signal))!
  const compacted = r.surface()
  await r.agent.restore(done!.summarySeq + 1)
  expect(r.surface()).toEqual(before)
  await r.agent.undoRestore(r.log.heads.length - 1)
  expect(r.surface()).toEqual(compacted)
  expect(r.summariser.asked).toHaveLength(1)
  await expect(r.agent.undoRestore(r.log.heads.length - 1)).rejects.toThrow('not a restore')
  await r.verify()
})

it('[S7] a restored prune is put back by a fresh one with the old content', async () => {
  const r = rig({
    ...small,
    policy: {
      micro: { ...PRESETS.standard.micro, when: 'off' },
      prune: { thresholdChars: 4000, headChars: 500, tailChars: 100 },
    },
    script: [...reading(3, 8400), says('done')],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  const replaced = r
    .events()
    .find((event) => event.type === 'tool/result' && event.surfaceOp !== 'append')!
  const before = r.surface()
  await r.agent.restore(replaced.seq)
  const restoreSeq = r.log.heads.length - 1
  await r.agent.undoRestore(restoreSeq)
  expect(r.surface()).toEqual(before)
  await expect(r.agent.undoRestore(restoreSeq)).rejects.toThrow('has changed since')
  await r.verify()
})

it('[K1] a pin set while the summary is written makes the run `changed`', async () => {
  const r = rig({ tools: [reader], script: [...reading(3, 9000), says('read')], summaries: [] })
  await r.agent.send(text('read'))
  await r.agent.idle()
  const pinned = r.events().find(({ type }) => type === 'assistant/message')!.seq
  r.summariser.add(() => [r.agent.setPins([pinned], true), ...summary])
  await expect(r.agent.compactNow(new AbortController().signal)).rejects.toMatchObject({
    code: 'changed',
  })
  expect(r.surface()[0]).toBe('human: read')
  await r.verify()
})

it('[C8] pins part the range into runs, each its own bracket, in order', async () => {
  const r = rig({
    tools: [reader],
    policy: { keepTail: 'newest-unit', minGain: MIN_GAIN },
    script: [...reading(5, 3000), says('read')],
    summaries: [summary, summary],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  const third = r.events().filter(({ type }) => type === 'assistant/message')[2]!.seq
  await r.agent.setPins([third], true)
  const results = (await r.agent.compactNow(new AbortController().signal))!
  expect(results).toHaveLength(2)
  expect(results[0]!.startSeq).toBeLessThan(results[1]!.startSeq)
  expect(r.surface()).toEqual([
    'checkpoint',
    'assistant: 1 calls',
    expect.stringMatching(/^result/),
    'checkpoint',
    'assistant: read',
  ])
  await r.verify()
})

it('[C5] several regions are one wish: a cancel of the first ends them all', async () => {
  const r = rig({
    tools: [reader],
    script: [...reading(3, 9000), says('read')],
    summaries: [stalls('So'), summary],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  const nodes = surfaceNodes(r.log)
  const ranges = [1, 3].map((at) => ({ start: nodes[at]!, end: nodes[at + 1]! }))
  const controller = new AbortController()
  const wished = r.agent.compactRegions(ranges, controller.signal)
  await r.until((live) => live.compaction?.text === 'So')
  controller.abort()
  await expect(wished).rejects.toMatchObject({ code: 'cancelled' })
  expect(r.summariser.asked).toHaveLength(1)
  r.summariser.add(summary)
  expect(await r.agent.compactRegions(ranges, new AbortController().signal)).toHaveLength(2)
  expect(r.surface()).toEqual([
    'human: read',
    'checkpoint',
    'checkpoint',
    'assistant: 1 calls',
    'result: lorem ipsum lorem ip',
    'assistant: read',
  ])
  await r.verify()
})
