import { expect, it } from 'vitest'
import { JournalError } from '../ports'
import { says } from './testing/model'
import { rig, text } from './testing/rig'

const isReply = (types: string[]) => types.includes('assistant/message')

/** A disk that refuses replies with this code while `broken`. */
function refusingReplies(code: 'quota' | 'closed') {
  const state = { broken: true }
  const r = rig({
    script: [says('a reply'), says('another')],
    journal: (memory) => ({
      ...memory,
      async append(write) {
        if (state.broken && isReply(write.events.map(({ type }) => type)))
          throw new JournalError(code, 'refused')
        return memory.append(write)
      },
    }),
  })
  return { r, state }
}
const unsavedTypes = ({ r }: ReturnType<typeof refusingReplies>) =>
  r.agent.unsaved().map(({ type }) => type)

it('[R3] a reply the full disk refuses is held, shown and told; once there is room it is stored', async () => {
  const held = refusingReplies('quota')
  const { r, state } = held
  await r.agent.send(text('hi'))
  const live = await r.until(({ problem }) => problem !== undefined)
  expect(live).toMatchObject({ phase: 'failed', problem: { code: 'journal-quota' } })
  expect(live.content).toMatchObject([{ text: 'a reply' }])
  expect(unsavedTypes(held)).toEqual(['assistant/message'])
  state.broken = false
  r.agent.resume()
  await r.agent.idle()
  expect(r.agent.unsaved()).toEqual([])
  expect(r.agent.live).toMatchObject({ phase: 'idle', content: [], problem: undefined })
  await r.verify()
})

it('a reply that a lost store did not take stays on screen and is told, after all has ended', async () => {
  const lost = refusingReplies('closed')
  const { r } = lost
  await r.agent.send(text('hi'))
  await r.agent.idle()
  expect(r.agent.live).toMatchObject({ phase: 'failed', problem: { code: 'journal-closed' } })
  expect(r.agent.live.content).toMatchObject([{ text: 'a reply' }])
  expect(unsavedTypes(lost)).toEqual(['assistant/message'])
})

it('`resume` begins nothing where nothing is held', async () => {
  const { r, state } = refusingReplies('quota')
  state.broken = false
  r.agent.resume()
  await r.agent.idle()
  expect(r.log.heads).toHaveLength(0)
})
