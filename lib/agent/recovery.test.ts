import { expect, it } from 'vitest'
import { JournalError } from '../ports'
import { memoryJournal } from '../storage/memory'
import { says, stalls, uses } from './testing/model'
import { reader, rig, text, tool } from './testing/rig'

const settle = () => new Promise((resolve) => setImmediate(resolve))

it('[R2] opening a session that was closed well writes nothing', async () => {
  const r = rig({ script: [says('hello')] })
  await r.agent.send(text('hi'))
  await r.agent.idle()
  await r.agent.close()
  const { writes } = r.disk
  const next = rig({ disk: r.disk, script: [says('again')] })
  await next.agent.open()
  expect(r.disk.writes).toBe(writes)
  await next.agent.send(text('and?'))
  await next.agent.idle()
  const opens = next.events().filter(({ type }) => type === 'session/open')
  expect(opens.map(({ data }) => data)).toMatchObject([
    { reason: 'created' },
    { reason: 'resumed' },
  ])
  await next.verify()
})

it('[R2] [R3] what was streaming becomes an interrupted message, and nothing is shown as running', async () => {
  const r = rig({ script: [stalls('Half a sen')] })
  await r.agent.send(text('hi'))
  await r.until(({ content }) => JSON.stringify(content).includes('Half a sen'))
  r.clock.advance(500)
  await settle()
  const next = rig({ disk: structuredClone(r.disk) })
  await next.agent.open()
  expect(next.types().slice(-4)).toEqual([
    'assistant/message',
    'step/end',
    'turn/end',
    'session/open',
  ])
  expect(next.surface()).toEqual(['human: hi', 'assistant: Half a sen'])
  expect(next.agent.live).toMatchObject({ phase: 'idle', held: true })
  await next.verify()
})

it('[R2] a call that ran when the page died is answered as of unknown outcome', async () => {
  const never = tool('never', () => new Promise<never>(() => {}))
  const r = rig({ tools: [never], script: [uses(['a', 'never'])] })
  await r.agent.send(text('hi'))
  await r.written('tool/call')
  const next = rig({ disk: structuredClone(r.disk) })
  await next.agent.open()
  expect(next.surface().at(-1)).toBe('error: Outcome unknown: the')
  await next.verify()
})

it('messages queued before a reload wait for the user, and go out in order after the next', async () => {
  const r = rig({ script: [stalls()] })
  await r.agent.send(text('one'))
  await r.agent.send(text('two'))
  await r.agent.send(text('three'))
  const disk = structuredClone(r.disk)
  const next = rig({ disk, script: [says('a'), says('b'), says('c')] })
  await next.agent.open()
  await settle()
  expect(next.agent.live).toMatchObject({ held: true, queued: [{}, {}] })
  expect(next.model.asked).toEqual([])
  await next.agent.send(text('now'))
  await next.agent.idle()
  expect(next.surface().filter((node) => node.startsWith('human'))).toEqual([
    'human: one',
    'human: now',
    'human: two',
    'human: three',
  ])
  expect(disk.queue).toEqual([])
  await next.verify()
})

it('a full disk holds the turn with a clear problem; retry goes on and nothing is lost', async () => {
  let isFull = false
  const r = rig({ tools: [reader], script: [uses(['a', 'read']), says('done')] })
  r.disk.beforeWrite = () => {
    if (isFull) throw new JournalError('quota', 'no space')
  }
  await r.agent.send(text('go'))
  isFull = true
  const live = await r.until(({ problem }) => problem !== undefined)
  expect(live).toMatchObject({
    phase: 'failed',
    problem: { code: 'journal-quota', message: expect.stringContaining('no space') },
  })
  await r.agent.retry()
  await settle()
  expect(r.agent.live.problem).toBeDefined()
  isFull = false
  await r.agent.retry()
  await r.agent.idle()
  expect(r.agent.live).toMatchObject({ phase: 'idle', problem: undefined })
  expect(r.surface().at(-1)).toBe('assistant: done')
  await r.verify()
})

it('stop while a write is held takes effect when the disk is back', async () => {
  let isFull = false
  const r = rig({ tools: [reader], script: [uses(['a', 'read']), says('done')] })
  r.disk.beforeWrite = () => {
    if (isFull) throw new JournalError('failed', 'broken')
  }
  await r.agent.send(text('go'))
  isFull = true
  await r.until(({ problem }) => problem !== undefined)
  r.agent.stop()
  isFull = false
  await r.agent.retry()
  await r.agent.idle()
  expect(r.events().at(-1)!.data).toMatchObject({ reason: 'cancelled' })
  await r.verify()
})

it('a prompt that cannot be stored is given back, and the next one goes through', async () => {
  const r = rig({ script: [says('ok')] })
  await r.agent.recover()
  r.disk.beforeWrite = () => {
    throw new JournalError('quota', 'no space')
  }
  await expect(r.agent.send(text('lost?'))).rejects.toThrow('no space')
  expect(r.agent.live).toMatchObject({ phase: 'failed', problem: { code: 'journal-quota' } })
  r.disk.beforeWrite = undefined
  await r.agent.send(text('kept'))
  await r.agent.idle()
  expect(r.surface()).toEqual(['human: kept', 'assistant: ok'])
  await r.verify()
})

it('[R1] a writer that was taken over ends its turn and says so; the other one repairs', async () => {
  const r = rig({ script: [stalls('Half')] })
  await r.agent.send(text('go'))
  await r.until(({ phase }) => phase === 'streaming')
  memoryJournal('session', r.disk)
  r.agent.stop()
  await r.agent.idle()
  expect(r.agent.live).toMatchObject({ phase: 'failed', problem: { code: 'journal-epoch' } })
  const next = rig({ disk: r.disk })
  await next.agent.open()
  expect(next.types().slice(-2)).toEqual(['turn/end', 'session/open'])
  await next.verify()
})

it('close stops what runs, closes the turn and writes nothing after that', async () => {
  const r = rig({ script: [stalls('Half')] })
  await r.agent.send(text('go'))
  await r.until(({ phase }) => phase === 'streaming')
  await r.agent.close()
  expect(r.events().at(-1)!.data).toEqual({ turn: 1, reason: 'cancelled' })
  await expect(r.agent.send(text('late'))).rejects.toThrow('closed')
  await r.verify()
})

it('close does not wait for a disk that stays full', async () => {
  const r = rig({ script: [stalls('Half')] })
  await r.agent.send(text('go'))
  await r.until(({ phase }) => phase === 'streaming')
  r.disk.beforeWrite = () => {
    throw new JournalError('quota', 'no space')
  }
  await r.agent.close()
  const next = rig({ disk: { ...r.disk, beforeWrite: undefined } })
  await next.agent.open()
  expect(next.types().slice(-2)).toEqual(['turn/end', 'session/open'])
  await next.verify()
})

it.each([
  [{ parent: { id: 'other', seq: -1 } }, 'forked'],
  [{ origin: { format: 'x', sha256: 'ab', name: 'x.jsonl' } }, 'imported'],
] as const)('[R2] the first write of a copied session says what it is', async (session, reason) => {
  const r = rig({ session: session as object, script: [says('ok')] })
  await r.agent.setTitle('x', 'human')
  expect(r.events()[0]!.data).toMatchObject({ reason })
})
