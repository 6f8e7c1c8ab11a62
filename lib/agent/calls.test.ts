import { expect, it } from 'vitest'
import { toolsInPlace } from '../tools/testing/run-tool'
import { memoryWorkspace } from '../tools/workspace'
import { says, uses } from './testing/model'
import { reader, rig, text, tool } from './testing/rig'

const edit = (old_text: string, new_text: string) => ({ path: 'f.txt', old_text, new_text })

it('two edits of one file in one reply both stand', async () => {
  const files = memoryWorkspace({ 'f.txt': 'one\ntwo\n' })
  const script = [
    uses(['a', 'edit_file', edit('one', '1')], ['b', 'edit_file', edit('two', '2')]),
    says('done'),
  ]
  const r = rig({ tools: toolsInPlace(files), script })
  await r.agent.send(text('go'))
  await r.agent.idle()
  expect(await files.read('f.txt')).toBe('1\n2\n')
  expect(r.surface().filter((node) => node.startsWith('result'))).toHaveLength(2)
  await r.verify()
})

it('what one call writes the next one finds, whichever tools they are', async () => {
  const files = memoryWorkspace({ 'f.txt': 'one\n' })
  const script = [
    uses(
      ['a', 'bash', { command: 'echo two >> f.txt' }],
      ['b', 'bash', { command: 'echo three >> f.txt' }],
      ['c', 'write_file', { path: 'g.txt', content: 'g' }],
      ['d', 'read_file', { path: 'g.txt' }],
    ),
    says('done'),
  ]
  const r = rig({ tools: toolsInPlace(files), script })
  await r.agent.send(text('go'))
  await r.agent.idle()
  expect(await files.read('f.txt')).toBe('one\ntwo\nthree\n')
  expect(r.surface().at(-2)).toBe('result: 1\tg')
  await r.verify()
})

it('a changing call runs alone and in its place; readers beside each other run together', async () => {
  const seen: string[] = []
  let together = 0
  const step = (name: string, effect: 'reads' | 'changes') =>
    tool(
      name,
      async () => {
        seen.push(`${name} begins with ${together++}`)
        // A turn of the loop: whatever may begin beside this call has begun then.
        await new Promise((done) => setTimeout(done))
        together--
        return { content: text(name), isError: false }
      },
      effect,
    )
  const script = [
    uses(
      ...['look', 'look', 'change', 'look', 'look', 'change'].map(
        (name, i) => [`c${i}`, name] as [string, string],
      ),
    ),
    says('done'),
  ]
  const r = rig({ tools: [step('look', 'reads'), step('change', 'changes')], script })
  await r.agent.send(text('go'))
  await r.agent.idle()
  expect(seen).toEqual([
    'look begins with 0',
    'look begins with 1',
    'change begins with 0',
    'look begins with 0',
    'look begins with 1',
    'change begins with 0',
  ])
  await r.verify()
})

it('[R2] the intent of a call that waits for its turn becomes durable just before it begins', async () => {
  const intents: number[] = []
  const write = tool(
    'write',
    () => {
      intents.push(r.types().filter((type) => type === 'tool/call').length)
      return { content: text('ok'), isError: false }
    },
    'changes',
  )
  const r = rig({ tools: [write], script: [uses(['a', 'write'], ['b', 'write']), says('done')] })
  await r.agent.send(text('go'))
  await r.agent.idle()
  expect(intents).toEqual([1, 2])
  await r.verify()
})

it('[R3] stop answers what runs as cut off and what waits as never begun, and begins nothing more', async () => {
  const began: unknown[] = []
  let tell = () => {}
  const first = new Promise<void>((resolve) => {
    tell = resolve
  })
  const hang = tool(
    'hang',
    (input) => {
      began.push(input)
      tell()
      return new Promise<never>(() => {})
    },
    'changes',
  )
  const script = [uses(['a', 'hang', { n: 1 }], ['b', 'hang', { n: 2 }], ['c', 'read'])]
  const r = rig({ tools: [hang, reader], script })
  await r.agent.send(text('go'))
  await first
  expect(r.agent.live.running).toEqual([{ callId: 'a', name: 'hang' }])
  r.agent.stop()
  await r.agent.idle()
  expect(began).toEqual([{ n: 1 }])
  const answers = r
    .events()
    .flatMap((event) =>
      event.type === 'tool/result' ? [[event.data.callId, event.data.content]] : [],
    )
  expect(answers).toEqual([
    ['a', text('Cancelled by the user before it finished; it may have had effects.')],
    ['b', text('Cancelled by the user before it was run.')],
    ['c', text('Cancelled by the user before it was run.')],
  ])
  expect(r.types().filter((type) => type === 'tool/call')).toHaveLength(1)
  await r.verify()
})
