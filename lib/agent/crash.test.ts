import { expect, it } from 'vitest'
import { PRESETS } from '../core/policy'
import { crashesOf, rehearse, settle, survive } from './testing/crash'
import { type Beat, says, uses } from './testing/model'
import { compactTool, type Rig, type RigOptions, reader, rig, text } from './testing/rig'

/** A turn with parallel calls, slow words, the three layers, a wish of the model's and a queued message. */
function play(options: Pick<RigOptions, 'journal' | 'disk'>): { rig: Rig; done: Promise<void> } {
  const slowly = (beats: Beat[]): Beat[] => [
    ...beats.slice(0, -1),
    async () => {
      r.clock.advance(500)
      await settle()
    },
    ...beats.slice(-1),
  ]
  const size = 4000
  const r = rig({
    ...options,
    tools: [reader, compactTool],
    policy: {
      threshold: { absolute: 1500, ratio: 0.8 },
      micro: { ...PRESETS.teaching.micro, keepRecent: 1 },
      prune: { thresholdChars: 3000, headChars: 1000, tailChars: 500 },
      keepTail: 'newest-unit',
    },
    script: [
      slowly(uses(['a', 'read', { size }], ['b', 'read', { size: 200 }])),
      uses(['c', 'read', { size }]),
      uses(['d', 'read', { size }]),
      slowly(uses(['e', 'read', { size }], ['f', 'compact'])),
      slowly(says('All read.')),
      says('And the second.'),
    ],
    summaries: Array.from({ length: 5 }, () => says('## Request and intent\nRead everything.')),
  })
  const run = async () => {
    await r.agent.send(text('read it all'))
    await r.written('tool/result')
    await r.agent.send(text('and then this'))
    await r.agent.idle()
  }
  return { rig: r, done: run() }
}

const rehearsal = await rehearse(play)
const { rig: whole, writes } = rehearsal

it('[R4] the run that crashes below has everything in it', async () => {
  const types = new Set(whole.types())
  for (const type of ['compact/prune', 'compact/summary', 'tool/call', 'turn/end'] as const)
    expect(types).toContain(type)
  const causes = whole
    .events()
    .flatMap((event) => (event.type === 'compact/prune' ? [event.data.cause] : []))
  expect(new Set(causes)).toEqual(new Set(['micro', 'pressure']))
  const triggers = whole
    .events()
    .flatMap((event) => (event.type === 'compact/start' ? [event.data.trigger] : []))
  expect(new Set(triggers)).toEqual(new Set(['pressure', 'model']))
  expect(whole.surface().slice(-2)).toEqual(['human: and then this', 'assistant: And the second.'])
  expect(writes).toBeGreaterThan(30)
  await whole.verify()
})

it.each(crashesOf(writes))(
  '[R4] a crash at write $at ($how) leaves a clean log, on the surface of before or after',
  (crash) => survive(play, crash, rehearsal),
  20_000,
)
