import { expect, it } from 'vitest'
import { draftsOf } from '../core/drafts'
import type { EventOf, Seq, SessionEvent } from '../core/event'
import { surfaceNodes } from '../core/log'
import { PRESETS } from '../core/policy'
import { compactionCost, costSeqs } from '../core/projections/cost'
import { requestAt } from '../core/request'
import { fails, type Line, says, stalls, uses } from './testing/model'
import { compactTool, type Rig, type RigOptions, reader, rig, text } from './testing/rig'

const reading = (count: number, size: number): Line[] =>
  Array.from({ length: count }, (_, n) => uses([`r${n}`, 'read', { size }]))
const WORDS = '## Request and intent\nRead.'
const summary = says(WORDS)
const signal = () => new AbortController().signal

async function rested(options: RigOptions = {}) {
  const r = rig({
    tools: [reader],
    script: [...reading(3, 9000), says('read'), says('and more')],
    summaries: [summary, says('Another one.')],
    ...options,
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  return { r, before: r.surface(), from: r.log.heads.length }
}
const typesFrom = (r: Rig, from: number) => r.types().slice(from)
const checkpointOf = (r: Rig): string => {
  const seq = surfaceNodes(r.log).find((at) => r.log.heads[at]!.kind === 'checkpoint')!
  return JSON.stringify(r.events()[seq]!.data)
}
const ofType = <T extends SessionEvent['type']>(r: Rig, type: T) =>
  r.events().filter((event): event is EventOf<T> => event.type === type)

it('[C16] a draft is a bracket that ends drafted in one transaction; the surface and the lock are free', async () => {
  const batches: string[][] = []
  const { r, before, from } = await rested({
    journal: (memory) => ({
      ...memory,
      async append(write) {
        batches.push(write.events.map(({ type }) => type))
        return memory.append(write)
      },
    }),
  })
  const drafts = (await r.agent.draft('whole', signal()))!
  expect(drafts).toHaveLength(1)
  expect(typesFrom(r, from)).toEqual(['compact/start', 'compact/draft', 'compact/end'])
  expect(batches.at(-1)).toEqual(['compact/draft', 'compact/end'])
  expect(r.surface()).toEqual(before)
  expect(r.log.state.bracket).toBeNull()
  expect(drafts[0]).toMatchObject({
    summary: WORDS,
    draftSeq: from + 1,
    seqs: surfaceNodes(r.log).slice(0, -1),
  })
  expect(r.lives.some(({ compaction }) => compaction?.text === WORDS)).toBe(true)
  await r.agent.send(text('go on'))
  await r.agent.idle()
  expect(r.surface().at(-1)).toBe('assistant: and more')
  await r.verify()
})

it('[C16] committing takes exactly the text shown, without a model call, and later messages stay', async () => {
  const { r } = await rested()
  const [drafted] = (await r.agent.draft('whole', signal()))!
  await r.agent.send(text('go on'))
  await r.agent.idle()
  const { length } = r.summariser.asked
  const from = r.log.heads.length
  const words = '  Edited by hand.\n\nTwo spaces before, a line after.\n'
  const result = await r.agent.commitDraft(drafted!.draftSeq, words)
  expect(r.summariser.asked).toHaveLength(length)
  expect(typesFrom(r, from)).toEqual([
    'compact/start',
    'compact/summary',
    'user/message',
    'compact/end',
  ])
  const [start, done] = r.events().slice(from) as [
    EventOf<'compact/start'>,
    EventOf<'compact/summary'>,
  ]
  expect(start.data).toMatchObject({ draftSeq: drafted!.draftSeq, trigger: 'manual' })
  expect(start.data.model).toBeUndefined()
  expect(done.data).toMatchObject({
    summary: words,
    edited: true,
    provider: 'fake',
    model: 'fake-1',
  })
  expect(checkpointOf(r)).toContain(JSON.stringify(words).slice(1, -1))
  expect(result.shadowedSeqs).toEqual(drafted!.seqs)
  expect(r.surface()).toEqual([
    'checkpoint',
    'assistant: read',
    'human: go on',
    'assistant: and more',
  ])
  const read = async (seq: Seq) => r.events()[seq]!
  expect(await requestAt(r.log.heads, read, done.seq)).toEqual(r.summariser.asked[0])
  expect(draftsOf(r.log)[0]).toMatchObject({ committedBy: start.seq, isStale: true })
  await r.verify()
})

it('[C16] the text as it was drafted is not called edited', async () => {
  const { r } = await rested()
  const [drafted] = (await r.agent.draft('whole', signal()))!
  await r.agent.commitDraft(drafted!.draftSeq, drafted!.summary)
  expect(ofType(r, 'compact/summary')[0]!.data.edited).toBeUndefined()
  await r.verify()
})

it('[C16] a draft written again leaves the first where it is; either may be committed, once', async () => {
  const { r } = await rested()
  const [first] = (await r.agent.draft('whole', signal()))!
  const [second] = (await r.agent.draft([first!.range], signal(), {
    instructions: 'colours',
    model: 'big-1',
  }))!
  expect(second!.summary).toBe('Another one.')
  expect(r.summariser.asked[1]!.model).toBe('big-1')
  expect(JSON.stringify(r.summariser.asked[1]!.messages)).toContain('colours')
  expect(draftsOf(r.log).map(({ draftSeq, isStale }) => [draftSeq, isStale])).toEqual([
    [first!.draftSeq, false],
    [second!.draftSeq, false],
  ])
  await r.agent.commitDraft(first!.draftSeq, first!.summary)
  await expect(r.agent.commitDraft(second!.draftSeq, second!.summary)).rejects.toMatchObject({
    code: 'changed',
  })
  expect(ofType(r, 'compact/draft')).toHaveLength(2)
  await r.verify()
})

it('[C16] a draft is stale when its own span changed, a micro pass included, and nothing is written', async () => {
  const { r } = await rested({ policy: { micro: { ...PRESETS.teaching.micro, keepRecent: 1 } } })
  const [seq] = surfaceNodes(r.log)
    .filter((at) => r.log.heads[at]!.type === 'tool/result')
    .slice(-1)
  const [drafted] = (await r.agent.draft('whole', signal()))!
  await r.agent.send(text('go on'))
  await r.agent.idle()
  expect(drafted!.seqs).toContain(seq)
  const changed = ofType(r, 'compact/prune').some(({ seq: at }) => at > drafted!.draftSeq)
  expect(draftsOf(r.log)[0]!.isStale).toBe(changed)
  const from = r.log.heads.length
  const committed = r.agent.commitDraft(drafted!.draftSeq, 'Text.')
  if (changed) await expect(committed).rejects.toMatchObject({ code: 'changed' })
  else await committed
  if (changed) expect(r.log.heads).toHaveLength(from)
  await r.verify()
})

it('[C16] a restore inside the span makes it stale, one elsewhere does not', async () => {
  const { r } = await rested()
  const [first] = surfaceNodes(r.log)
  const results = (await r.agent.compactRegion(first!, surfaceNodes(r.log)[2]!, signal()))!
  const [drafted] = (await r.agent.draft(
    [{ start: surfaceNodes(r.log)[1]!, end: surfaceNodes(r.log)[4]! }],
    signal(),
  ))!
  await r.agent.restore(results[0]!.summarySeq + 1)
  expect(draftsOf(r.log)[0]!.isStale).toBe(false)
  await r.agent.commitDraft(drafted!.draftSeq, 'Both read.')
  expect(r.surface()[3]).toBe('checkpoint')
  await r.verify()
})

it('[C16] a span drafted again after its checkpoint was restored and a result in it rewritten is not committed yet', async () => {
  const { r } = await rested({ script: [...reading(3, 9000), says('read'), says('and more')] })
  const range = { start: surfaceNodes(r.log)[0]!, end: surfaceNodes(r.log)[4]! }
  const [old] = (await r.agent.draft([range], signal()))!
  const { summarySeq } = await r.agent.commitDraft(old!.draftSeq, 'All read.')
  expect(draftsOf(r.log)).toMatchObject([{ isStale: true, isStanding: true }])
  await r.agent.restore(summarySeq + 1)
  await r.agent.setPins(r.log.history.shadowsOf(summarySeq + 1).slice(), false)
  const { micro } = r.chosen.policy
  const policy = { ...r.chosen.policy, micro: { ...micro, when: 'always' as const, keepRecent: 2 } }
  r.chosen = { ...r.chosen, policy }
  await r.agent.send(text('and more'))
  await r.agent.idle()
  expect(r.types()).toContain('compact/prune')
  await r.agent.draft([range], signal())
  expect(draftsOf(r.log)).toMatchObject([
    { range, isStale: true, isStanding: false },
    { range, isStale: false, isStanding: false },
  ])
  await r.verify()
})

it('[C6] [C16] an empty text, or one that gains nothing, is refused and nothing is written', async () => {
  const { r } = await rested()
  const [drafted] = (await r.agent.draft('whole', signal()))!
  const from = r.log.heads.length
  for (const words of ['', ' \n', 'x'.repeat(60_000)])
    await expect(r.agent.commitDraft(drafted!.draftSeq, words)).rejects.toMatchObject({
      code: 'refused',
    })
  await expect(r.agent.commitDraft(1, 'Text.')).rejects.toMatchObject({ code: 'refused' })
  await r.agent.setPins([drafted!.seqs[1]!], true)
  await expect(r.agent.commitDraft(drafted!.draftSeq, 'Text.')).rejects.toMatchObject({
    code: 'refused',
  })
  expect(r.log.heads).toHaveLength(from + 1)
  await r.verify()
})

it('[C16] a draft may be too long to commit: a person can shorten it', async () => {
  const { r } = await rested({ summaries: [says('x'.repeat(60_000))] })
  const [drafted] = (await r.agent.draft('whole', signal()))!
  await expect(r.agent.commitDraft(drafted!.draftSeq, drafted!.summary)).rejects.toMatchObject({
    code: 'refused',
  })
  await r.agent.commitDraft(drafted!.draftSeq, drafted!.summary.slice(0, 100))
  expect(r.surface()[0]).toBe('checkpoint')
  await r.verify()
})

it('[C16] [C5] the drafts of several ranges are one wish, and one cancel ends all', async () => {
  const { r, from } = await rested({ summaries: [summary, summary, stalls('So')] })
  const nodes = surfaceNodes(r.log)
  const ranges = [1, 3, 5].map((at) => ({ start: nodes[at]!, end: nodes[at + 1]! }))
  const controller = new AbortController()
  const wished = r.agent.draft(ranges, controller.signal)
  await r.until((live) => live.compaction?.text === 'So')
  controller.abort()
  await expect(wished).rejects.toMatchObject({ code: 'cancelled' })
  expect(typesFrom(r, from)).toEqual([
    ...['compact/start', 'compact/draft', 'compact/end'],
    ...['compact/start', 'compact/draft', 'compact/end'],
    ...['compact/start', 'compact/end'],
  ])
  expect(draftsOf(r.log).map(({ range }) => range)).toEqual(ranges.slice(0, 2))
  await r.verify()
})

it('[C5] a draft that fails or is cancelled closes its bracket', async () => {
  const { r, before } = await rested({ summaries: [fails('authentication'), stalls('Half')] })
  await expect(r.agent.draft('whole', signal())).rejects.toMatchObject({ code: 'summary' })
  const controller = new AbortController()
  const wished = r.agent.draft('whole', controller.signal)
  await r.until(({ compaction }) => compaction?.text === 'Half')
  controller.abort()
  await expect(wished).rejects.toMatchObject({ code: 'cancelled' })
  expect(ofType(r, 'compact/end').map(({ data }) => data.error?.code)).toEqual([
    'summary',
    'cancelled',
  ])
  expect(r.surface()).toEqual(before)
  await r.verify()
})

it('literals a summary lost are put below it by code, within what it gained, and come back with it', async () => {
  const { r } = await rested({
    deps: {
      lostLiterals: (nodes, said) =>
        nodes.length > 3 && said === WORDS ? ['/etc/hosts', 'v1.2.3', 'v1.2.3'] : [],
    },
  })
  const [done] = (await r.agent.compactNow(signal()))!
  expect(ofType(r, 'compact/summary')[0]!.data).toMatchObject({
    summary: WORDS,
    literals: ['/etc/hosts', 'v1.2.3'],
  })
  const written = checkpointOf(r)
  expect(written).toContain('word for word\\n- /etc/hosts\\n- v1.2.3')
  await r.agent.restore(done!.summarySeq + 1)
  await r.agent.undoRestore(r.log.heads.length - 1)
  const blocks = (json: string) => JSON.parse(json).content
  expect(blocks(checkpointOf(r))).toEqual(blocks(written))
  await r.verify()
})

it('[L5] [C5] half a surrogate pair in the focus or in a failure is repaired: the bracket says what happened', async () => {
  const message = 'cannot read \ud83d'
  const { r } = await rested({ summaries: [fails('invalid-request', { message }), summary] })
  const wished = () => r.agent.compactNow(signal(), 'keep \ud83d')
  await expect(wished()).rejects.toMatchObject({ code: 'summary', message: 'cannot read \ufffd' })
  expect(await wished()).toHaveLength(1)
  expect(ofType(r, 'compact/start')[1]!.data.instructions).toBe('keep \ufffd')
  expect(ofType(r, 'compact/end').map(({ data }) => data.error?.code)).toEqual([
    'summary',
    undefined,
  ])
  await r.verify()
})

it('[L5] a literal that is no whole text is left out, and does not keep the checkpoint from the log', async () => {
  const { r } = await rested({ deps: { lostLiterals: () => ['half \ud83d', '/etc/hosts'] } })
  await r.agent.compactNow(signal())
  expect(ofType(r, 'compact/summary')[0]!.data.literals).toEqual(['/etc/hosts'])
  await r.verify()
})

it('[C6] literals never cost what the summary had to gain', async () => {
  const many = Array.from({ length: 5000 }, (_, n) => `/a/path/number/${n}`)
  const { r } = await rested({ deps: { lostLiterals: () => many } })
  const [done] = (await r.agent.compactNow(signal()))!
  const kept = ofType(r, 'compact/summary')[0]!.data.literals!
  expect(kept.length).toBeGreaterThan(50)
  expect(kept).toEqual(many.slice(0, kept.length))
  const checkpoint = r.log.heads[done!.summarySeq + 1]!
  expect(checkpoint.tokens).toBeLessThan(1400)
  await r.verify()
})

const asking: RigOptions = {
  tools: [reader],
  policy: {
    askFirst: true,
    threshold: { absolute: 3000, ratio: 0.8 },
    micro: { ...PRESETS.standard.micro, when: 'off' },
    keepTail: 'newest-unit',
  },
  script: [...reading(6, 4000), says('read'), says('more'), says('and more')],
  summaries: [summary, summary],
}

it('[C16] [C11] automatic runs that ask first leave one draft, not one for every step, and go on', async () => {
  const { r } = await rested(asking)
  expect(ofType(r, 'compact/draft')).toHaveLength(1)
  expect(ofType(r, 'compact/summary')).toEqual([])
  expect(r.summariser.asked).toHaveLength(1)
  const [waiting] = draftsOf(r.log)
  expect(waiting).toMatchObject({ trigger: 'pressure', isStale: false })
  expect(r.agent.live).toMatchObject({ phase: 'idle', review: { draftSeqs: [waiting!.draftSeq] } })
  await r.agent.commitDraft(waiting!.draftSeq, WORDS)
  expect(r.agent.live.review).toBeUndefined()
  expect(r.surface()[0]).toBe('checkpoint')
  await r.verify()
})

it('[C16] a discarded draft leaves the screen, not the log, and is not asked for again', async () => {
  const { r } = await rested(asking)
  const { draftSeqs } = r.agent.live.review!
  const kept = r.agent.discardDraft(draftSeqs[0]!)
  expect(r.agent.live.review).toBeUndefined()
  await kept
  await r.agent.send(text('more'))
  await r.agent.idle()
  expect(r.summariser.asked).toHaveLength(1)
  expect(ofType(r, 'compact/draft')).toHaveLength(1)
  await r.verify()
})

it('[C16] a discarded draft stays discarded after a reload, and the log says who did not want it', async () => {
  const { r } = await rested(asking)
  const [draftSeq] = r.agent.live.review!.draftSeqs
  await r.agent.discardDraft(draftSeq!)
  expect(ofType(r, 'compact/start').at(-1)!.data).toMatchObject({ draftSeq, trigger: 'manual' })
  expect(ofType(r, 'compact/end').at(-1)!.data.error!.code).toBe('cancelled')
  await r.agent.close()
  const again = rig({ ...asking, script: [says('more')], summaries: [], disk: r.disk })
  await again.agent.open()
  expect(again.agent.live.review).toBeUndefined()
  expect(draftsOf(again.log)).toMatchObject([{ isDiscarded: true, isStale: false }])
  await again.agent.send(text('more'))
  await again.agent.idle()
  expect(again.summariser.asked).toEqual([])
  // It still fits, and a person may think better of it.
  await again.agent.commitDraft(draftSeq!, WORDS)
  expect(again.surface()[0]).toBe('checkpoint')
  await again.verify()
})

it('[C16] a discard in the middle of a step is kept at once', async () => {
  const { r } = await rested({ ...asking, script: [...asking.script!.slice(0, 7), stalls('Half')] })
  const [draftSeq] = r.agent.live.review!.draftSeqs
  await r.agent.send(text('more'))
  await r.until(({ phase }) => phase === 'streaming')
  await r.agent.discardDraft(draftSeq!)
  expect(draftsOf(r.log)).toMatchObject([{ isDiscarded: true }])
  r.agent.stop()
  await r.agent.idle()
  await r.verify()
})

it('[C16] [K1] a draft over a node that was pinned meanwhile waits for nobody', async () => {
  const { r } = await rested(asking)
  const [waiting] = draftsOf(r.log)
  await r.agent.setPins([waiting!.seqs[0]!], true)
  expect(r.agent.live.review).toBeUndefined()
  await r.agent.close()
  const again = rig({ ...asking, script: [], summaries: [], disk: r.disk })
  await again.agent.open()
  expect(again.agent.live.review).toBeUndefined()
  await again.verify()
})

it('[C16] a reload finds the draft that waits', async () => {
  const { r } = await rested(asking)
  const waiting = r.agent.live.review
  await r.agent.close()
  const again = rig({ ...asking, script: [], summaries: [], disk: r.disk })
  await again.agent.open()
  expect(again.agent.live.review).toEqual(waiting)
  await again.agent.commitDraft(waiting!.draftSeqs[0]!, WORDS)
  expect(again.surface()[0]).toBe('checkpoint')
  await again.verify()
})

it('[C11] a compaction tells what it cost, drafts and windows included, and what it saves', async () => {
  const { r } = await rested({ header: { contextWindow: 100_000 } })
  const [first] = (await r.agent.draft('whole', signal()))!
  await r.agent.draft([first!.range], signal())
  const done = await r.agent.commitDraft(first!.draftSeq, 'Short.')
  const id = r.log.heads[done.startSeq]!.compactionId!
  const seqs = costSeqs(r.log.heads, id)
  const cost = compactionCost(
    r.log,
    seqs.map((seq) => r.events()[seq]!),
  )
  const paid = ofType(r, 'compact/draft')[0]!.data.usage!
  expect(cost).toMatchObject({
    calls: 1,
    unreported: 0,
    model: 'fake-1',
    usage: {
      input_tokens: paid.input_tokens,
      output_tokens: paid.output_tokens,
      cache_read_input_tokens: 0,
    },
  })
  expect(cost.savedPerRequest).toBe(cost.before! - cost.after!)
  expect(cost.before!).toBeGreaterThan(cost.after! * 10)
  expect(cost.ms).toBeGreaterThan(0)
})

it('[C12] [C16] what the model asks for is left to the person who wants to be asked', async () => {
  const { r } = await rested({
    ...asking,
    tools: [reader, compactTool],
    policy: { ...asking.policy, threshold: { absolute: 90_000, ratio: 0.8 } },
    script: [...reading(2, 4000), uses(['c', 'compact', { focus: 'tides' }]), says('read')],
  })
  expect(draftsOf(r.log)).toMatchObject([{ trigger: 'model', isStale: false }])
  expect(r.agent.live.review).toEqual({ draftSeqs: [draftsOf(r.log)[0]!.draftSeq] })
  expect(r.surface().slice(-2)).toEqual(['notice: The compaction you s', 'assistant: read'])
  await r.verify()
})

it('[C12] [C16] with nothing to draft, the model is told that nothing was needed', async () => {
  const r = rig({
    ...asking,
    tools: [compactTool],
    script: [uses(['c', 'compact']), says('done')],
  })
  await r.agent.send(text('compact'))
  await r.agent.idle()
  expect(draftsOf(r.log)).toEqual([])
  const [notice] = ofType(r, 'user/message').filter(({ data }) => data.source.kind === 'notice')
  expect(JSON.stringify(notice!.data.content)).toContain('was not needed')
  await r.verify()
})
