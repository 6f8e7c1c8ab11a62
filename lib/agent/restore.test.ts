import { expect, it } from 'vitest'
import { surfaceNodes } from '../core/log'
import { readMeter } from '../core/meter'
import { PRESETS } from '../core/policy'
import { previewRestore } from '../core/restore'
import { createSession } from './session'
import { type Line, says, uses } from './testing/model'
import { type Rig, reader, rig, text } from './testing/rig'
import { must } from './writer'

const reading = (count: number, size: number, of = 'r'): Line[] =>
  Array.from({ length: count }, (_, n) => uses([`${of}${n}`, 'read', { size }]))
const signal = () => new AbortController().signal
const turn = async (r: Rig, words: string) => {
  await r.agent.send(text(words))
  await r.agent.idle()
}
const newestRestore = (r: Rig): number => r.types().lastIndexOf('surface/restore')

/** Two layers: a checkpoint of the first reading, and one that merged it with the second; then more turns. */
async function layered() {
  const r = rig({
    tools: [reader],
    header: { contextWindow: 12_000 },
    policy: {
      threshold: { ratio: 0.8 },
      micro: { ...PRESETS.standard.micro, when: 'off' },
      keepTail: 'newest-unit',
    },
    script: [
      ...reading(2, 8000, 'a'),
      says('first'),
      ...reading(1, 8000, 'b'),
      says('second'),
      ...Array.from({ length: 12 }, (_, n) => says(`later ${n}`)),
    ],
    summaries: Array.from({ length: 4 }, (_, n) => says(`Record ${n}.`)),
  })
  await turn(r, 'read a')
  const plain = r.surface()
  const [inner] = (await r.agent.compactNow(signal()))!
  const innerSurface = r.surface()
  await turn(r, 'read b')
  const between = r.surface()
  const [outer] = (await r.agent.compactNow(signal()))!
  for (let n = 0; n < 10; n++) await turn(r, `and then ${n}`)
  return {
    r,
    plain,
    between,
    innerSurface,
    inner: inner!.summarySeq + 1,
    outer: outer!.summarySeq + 1,
  }
}

it('[S7] many turns later both layers are undone from the outside in, and what came later stays', async () => {
  const { r, plain, between, inner, outer } = await layered()
  const later = r.surface().slice(2)
  expect(later).toHaveLength(20)
  expect(previewRestore(r.log, inner)).toMatchObject({ path: [outer, inner], refusal: null })
  await r.agent.restore(outer)
  expect(r.surface()).toEqual([...between, ...later])
  expect(previewRestore(r.log, inner).path).toEqual([inner])
  await r.agent.restore(inner)
  expect(r.surface()).toEqual([...plain, ...between.slice(2), ...later])
  await r.verify()
})

it('[S7] a restore through layers is one write, and one undo puts every layer back, after a reload too', async () => {
  const { r, plain, between, inner, outer } = await layered()
  const before = r.surface()
  const later = before.slice(2)
  await r.agent.restore(inner)
  expect(r.types().slice(-2)).toEqual(['surface/restore', 'surface/restore'])
  expect(r.surface()).toEqual([...plain, ...between.slice(2), ...later])
  await r.agent.close()
  const again = rig({ tools: [reader], script: [], summaries: [], disk: r.disk })
  await again.agent.open()
  // Whichever of the two restores is named.
  await again.agent.undoRestore(newestRestore(again) - 1)
  expect(again.surface()).toEqual(before)
  expect(again.summariser.asked).toEqual([])
  const [checkpoint] = surfaceNodes(again.log)
  const inside = again.log.history.shadowsOf(checkpoint!)
  expect(inside).toHaveLength(again.log.history.shadowsOf(outer).length)
  // The layers are there again, to be restored one by one or both.
  expect(previewRestore(again.log, inside[0]!).path).toEqual([checkpoint, inside[0]])
  expect(again.log.history.shadowsOf(inside[0]!)).toEqual(again.log.history.shadowsOf(inner))
  await again.verify()
})

it('[S7] a pruned result inside three checkpoints is restored and put back in one go, again and again', async () => {
  const r = rig({
    tools: [reader],
    header: { contextWindow: 12_000 },
    policy: {
      threshold: { absolute: 5000, ratio: 0.8 },
      micro: { ...PRESETS.standard.micro, when: 'off' },
      keepTail: 'newest-unit',
    },
    script: [
      ...[...reading(3, 12_000, 'a'), says('first')],
      ...[...reading(1, 3000, 'b'), says('second')],
      ...[...reading(1, 3000, 'c'), says('third')],
    ],
    summaries: [says('Record 0.'), says('Record 1.'), says('Record 2.')],
  })
  await turn(r, 'read a')
  for (const words of ['read b', 'read c']) {
    await turn(r, words)
    await r.agent.compactNow(signal())
  }
  const before = r.surface()
  let pruned = r.types().indexOf('compact/prune') + 1
  for (let time = 1; time <= 2; time++) {
    r.clock.advance(1)
    expect(previewRestore(r.log, pruned).path).toHaveLength(4)
    await r.agent.restore(pruned)
    await r.agent.undoRestore(newestRestore(r))
    expect(r.surface()).toEqual(before)
    pruned = r.types().lastIndexOf('compact/prune') + 1
  }
  expect(r.summariser.asked).toHaveLength(3)
  await r.verify()
})

it('[S7] layers restored by two wishes are taken back by two', async () => {
  const { r, between, inner, outer } = await layered()
  const before = r.surface()
  const later = before.slice(2)
  await r.agent.restore(outer)
  r.clock.advance(1)
  await r.agent.restore(inner)
  await r.agent.undoRestore(newestRestore(r))
  expect(r.surface()).toEqual([...between, ...later])
  await r.agent.undoRestore(r.types().indexOf('surface/restore'))
  expect(r.surface()).toEqual(before)
  await r.verify()
})

it('[S7] [K1] where the outer layer holds a pinned node since, the inner one still returns alone', async () => {
  const { r, between, inner, outer } = await layered()
  const later = r.surface().slice(2)
  await r.agent.restore(inner)
  await r.agent.setPins([r.log.history.shadowsOf(outer).at(-1)!], true)
  await r.agent.undoRestore(newestRestore(r))
  expect(r.surface()).toEqual([...between, ...later])
  await expect(r.agent.undoRestore(newestRestore(r) - 1)).rejects.toThrow(
    'changed since, or is pinned',
  )
  await r.verify()
})

it('[S7] [T3] a checkpoint that was imported comes back with the messages it held, not made of its summary', async () => {
  const r = rig({ tools: [reader], script: [...reading(2, 9000), says('read'), says('more')] })
  await turn(r, 'read')
  await turn(r, 'again')
  const seqs = surfaceNodes(r.log).slice(0, -2)
  const range = { start: seqs[0]!, end: seqs.at(-1)! }
  const content = [...text('kept one'), ...text('kept two')]
  const compactionId = 'foreign'
  const { writer } = createSession(r.deps)
  await must(writer, [
    { type: 'compact/start', data: { compactionId, turn: null, trigger: 'pressure', range } },
    {
      type: 'compact/summary',
      data: {
        compactionId,
        summary: '',
        shadowedRange: range,
        shadowedSeqs: seqs,
        shadowedTokenCount: 5000,
        certainty: 'exact',
        opaque: true,
      },
    },
    {
      type: 'user/message',
      data: { id: 'held', content, source: { kind: 'checkpoint', compactionId } },
      surfaceOp: { op: 'replace', ...range },
      sourceEventSeqs: seqs,
    },
    { type: 'compact/end', data: { compactionId, turn: null } },
  ])
  await writer.settled()
  const again = rig({ tools: [reader], disk: r.disk })
  await again.agent.restore(surfaceNodes(again.log)[0]!)
  await again.agent.undoRestore(newestRestore(again))
  expect(again.events()[surfaceNodes(again.log)[0]!]!.data).toMatchObject({ content })
  expect(again.events().findLast(({ type }) => type === 'compact/summary')?.data).toMatchObject({
    summary: '',
    opaque: true,
  })
  await again.verify()
})

it('[S7] a preview says what it would come to, before anything is written', async () => {
  const { r, inner, outer } = await layered()
  const { length } = r.log.heads
  const outerOnly = previewRestore(r.log, outer)
  const both = previewRestore(r.log, inner)
  expect(r.log.heads).toHaveLength(length)
  expect(outerOnly).toMatchObject({ path: [outer], window: 12_000, threshold: 8800, refusal: null })
  expect(outerOnly.before).toBe(readMeter(r.log).total)
  expect(both.after).toBeGreaterThan(outerOnly.after)
  await r.agent.restore(outer)
  expect(readMeter(r.log).total).toBe(outerOnly.after)
  await r.agent.restore(inner)
  expect(Math.abs(readMeter(r.log).total - both.after)).toBeLessThan(20)
  expect([outerOnly.isAboveThreshold, outerOnly.isAboveWindow]).toEqual([false, false])
})

it('[S7] a preview warns of a restore that no window would hold, and it is undone in one call', async () => {
  const { r, outer } = await layered()
  r.chosen = { ...r.chosen, contextWindow: 4000 }
  await turn(r, 'smaller now')
  const preview = previewRestore(r.log, outer)
  expect(preview).toMatchObject({ isAboveThreshold: true, isAboveWindow: true, refusal: null })
  const before = r.surface()
  await r.agent.restore(outer)
  await r.agent.undoRestore(newestRestore(r))
  expect(r.surface()).toEqual(before)
  await r.verify()
})

it('[S7] a preview refuses what replaces nothing, what was restored, and what would part a pair', async () => {
  const { r, outer } = await layered()
  expect(previewRestore(r.log, surfaceNodes(r.log).at(-1)!).refusal).toMatchObject({ rule: 'S7' })
  await r.agent.restore(outer)
  expect(previewRestore(r.log, outer)).toMatchObject({ path: [], refusal: { rule: 'S7' } })
})

it('[S7] restored nodes are spared by automatic runs many turns later, until an unpin names them', async () => {
  const { r, outer } = await layered()
  await r.agent.restore(outer)
  const back = r.log.history.shadowsOf(outer)
  r.chosen = { ...r.chosen, contextWindow: 3500 }
  r.model.add(says('x'.repeat(400)), says('y'))
  r.summariser.add(...Array.from({ length: 6 }, () => says('Small talk.')))
  await turn(r, 'z'.repeat(2000))
  expect(surfaceNodes(r.log)).toEqual(expect.arrayContaining([...back]))
  await r.agent.setPins([...back], false)
  expect(r.log.state.restored.size).toBe(0)
  await r.verify()
})
