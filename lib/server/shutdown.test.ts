/** SIGTERM in the middle of a reply, without the signal. */

import { expect, it } from 'vitest'
import { bodyOf, collect, errorOf, eventually } from '../providers/testing/fake'
import { beginShutdown, forgetShutdown } from './shutdown'
import { endOf, lastReply, script, startBench } from './testing/conformance'

const bench = startBench()
const failure = async () => errorOf(await collect(bench.model(), bodyOf('hi')))

it('[R3] a server that shuts down says so, keeps what came, and the turn can go on', async () => {
  const run = bench.agent()
  script(bench, { words: 5000, delay: 5 })
  const sent = run.agent.send([{ type: 'text', text: 'hi' }])
  await run.until((live) => live.content.length > 0 && JSON.stringify(live.content).length > 100)
  beginShutdown()
  await sent
  await run.agent.idle()
  expect(run.agent.live.problem?.code).toBe('restarted')
  expect(lastReply(run).interrupted).toBe(true)
  await eventually(() => bench.calls()[0]?.closedAt)
  expect((await failure()).code).toBe('restarted')
  forgetShutdown()
  await run.agent.retry()
  await run.agent.idle()
  expect(endOf(run)).toBe('completed')
  await run.verify()
})
