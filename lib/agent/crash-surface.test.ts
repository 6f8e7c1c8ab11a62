import { expect, it } from 'vitest'
import { surfaceNodes } from '../core/log'
import { PRESETS } from '../core/policy'
import { crashesOf, type Play, rehearse, survive } from './testing/crash'
import { says, uses } from './testing/model'
import { type Rig, reader, rig, text } from './testing/rig'

const signal = () => new AbortController().signal
const summary = says('## Request and intent\nRead.')

/** A turn of reading, then `work` on the surface it left. */
const after =
  (work: (r: Rig) => Promise<unknown>): Play =>
  (options) => {
    const r = rig({
      ...options,
      tools: [reader],
      header: { contextWindow: 200_000 },
      policy: { micro: { ...PRESETS.standard.micro, when: 'off' }, keepTail: 'newest-unit' },
      script: [
        ...Array.from({ length: 3 }, (_, n) => uses([`r${n}`, 'read', { size: 12_000 }])),
        says('read'),
        says('more'),
      ],
      summaries: Array.from({ length: 9 }, () => summary),
    })
    const run = async () => {
      await r.agent.send(text('read it all'))
      await r.agent.idle()
      await work(r)
      await r.agent.close()
    }
    return { rig: r, done: run() }
  }

const newest = (r: Rig, type: string): number => r.types().lastIndexOf(type as never)

const plays: Record<string, Play> = {
  'a compaction in one call': after((r) => r.agent.compactNow(signal())),
  'a compaction in windows': after((r) => {
    r.chosen = { ...r.chosen, contextWindow: 9000 }
    return r.agent.compactNow(signal())
  }),
  'a draft, one discarded, and the commit': after(async (r) => {
    const [drafted] = (await r.agent.draft('whole', signal()))!
    const [other] = (await r.agent.draft('whole', signal()))!
    await r.agent.discardDraft(other!.draftSeq)
    await r.agent.commitDraft(drafted!.draftSeq, 'As it was shown.')
  }),
  'a restore, its undo and a merge of what stands then': after(async (r) => {
    const [first, second] = surfaceNodes(r.log)
    const end = surfaceNodes(r.log)[2]!
    const [done] = (await r.agent.compactRegion(second!, end, signal()))!
    await r.agent.restore(done!.summarySeq + 1)
    await r.agent.undoRestore(newest(r, 'surface/restore'))
    expect(surfaceNodes(r.log)[0]).toBe(first)
    await r.agent.compactNow(signal())
  }),
  'a restore through two layers and its undo': after(async (r) => {
    const [, start, , , end] = surfaceNodes(r.log)
    const [inner] = (await r.agent.compactRegion(start!, end!, signal()))!
    await r.agent.compactNow(signal())
    const compacted = surfaceNodes(r.log).length
    await r.agent.restore(inner!.summarySeq + 1)
    await r.agent.undoRestore(newest(r, 'surface/restore'))
    expect(surfaceNodes(r.log)).toHaveLength(compacted)
  }),
}

for (const [name, play] of Object.entries(plays)) {
  const rehearsal = await rehearse(play)

  it(`[R4] ${name} is what it says`, async () => {
    const types = rehearsal.rig.types()
    expect(types).toContain('compact/summary')
    if (name.includes('windows')) expect(types).toContain('compact/window')
    if (name.includes('draft')) expect(types).toContain('compact/draft')
    if (name.includes('restore')) expect(types).toContain('surface/restore')
    expect(rehearsal.surfaces.size).toBeGreaterThan(5)
    await rehearsal.rig.verify()
  })

  it.each(crashesOf(rehearsal.writes))(
    `[R4] ${name}: a crash at write $at ($how) leaves the surface of before or after`,
    (crash) => survive(play, crash, rehearsal),
    20_000,
  )
}
