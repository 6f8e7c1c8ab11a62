import { expect, it } from 'vitest'
import type { SurfaceEvent } from './event'
import { factsOf } from './facts-sources'
import { renderTranscript } from './render'
import { build, call, result, user } from './testing/build'

const RECALLED =
  '#4 user\nKeep src/tide.ts as it is.\n\n#7 result of read_file\n/etc/harbour/berths.csv'

const nodesOf = (name: string, isError = false): SurfaceEvent[] =>
  build(user('what did I say?'), call('a'), result('a', RECALLED)).events.flatMap((event) => {
    if (event.type === 'tool/result')
      return [{ ...event, data: { ...event.data, name, isError } } as SurfaceEvent]
    return event.type === 'user/message' || event.type === 'assistant/message' ? [event] : []
  })

it('[K3] what is summarised names the messages a recall gave, and does not repeat them', () => {
  for (const tool of ['recall_read', 'recall_search']) {
    const text = renderTranscript(nodesOf(tool))
    expect(text).toContain(`result of ${tool}\n[repeats #4, #7; not copied here`)
    expect(text).not.toContain('berths.csv')
  }
  expect(renderTranscript(nodesOf('read_file'))).toContain('berths.csv')
  // A failed recall says why.
  expect(renderTranscript(nodesOf('recall_read', true))).toContain('berths.csv')
})

it('[K3] [C13] facts of a recalled result are those of the message it repeats', () => {
  const paths = (name: string) =>
    factsOf(nodesOf(name))
      .filter(({ kind }) => kind === 'path')
      .map(({ text }) => text)
  expect(paths('recall_read')).toEqual([])
  expect(paths('read_file')).toEqual(['src/tide.ts', '/etc/harbour/berths.csv'])
})

it('[K3] a recall that gave nothing with a number still leaves a trace', () => {
  const [, , node] = nodesOf('recall_search')
  const empty = { ...node, data: { ...node!.data, content: [{ type: 'text', text: 'none' }] } }
  expect(renderTranscript([empty as SurfaceEvent])).toContain('[repeats earlier messages;')
})
