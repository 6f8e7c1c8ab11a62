import { expect, it } from 'vitest'
import { matchesQuery, type Recall, type RecallEntry } from './recall'
import { pagesOf } from './recall-read'
import { runTool, toolsInPlace } from './testing/run-tool'
import { memoryWorkspace } from './workspace'

const entries: RecallEntry[] = [
  { seq: 3, kind: 'user', text: 'where is the threshold?' },
  {
    seq: 5,
    kind: 'result',
    name: 'read_file',
    text: '1\tTHRESHOLD = 5\n2\tother\n3\tthreshold of config',
  },
  { seq: 9, kind: 'checkpoint', text: 'summary' },
]
const recall: Recall = {
  search: async (query, limit) =>
    entries
      .filter((entry) => matchesQuery(entry.text, query))
      .reverse()
      .slice(0, limit),
  read: async (from, to) =>
    from === 9 && to === 9
      ? entries.slice(0, 2)
      : entries.filter((entry) => entry.seq >= from && entry.seq <= to),
}
const tools = toolsInPlace(memoryWorkspace(), recall)

it('[K3] search finds every word in any case and shows the lines that hold most of them', async () => {
  expect(await runTool(tools, 'recall_search', { query: 'config Threshold' })).toBe(
    '#5 result of read_file\n  3\tthreshold of config\n  1\tTHRESHOLD = 5',
  )
  expect(await runTool(tools, 'recall_search', { query: 'absent' })).toContain(
    'Nothing out of view holds all of "absent"',
  )
})

it('[K3] read gives one node, a range, or what a checkpoint replaced', async () => {
  expect(await runTool(tools, 'recall_read', { seq: 3 })).toBe('#3 user\nwhere is the threshold?')
  expect(await runTool(tools, 'recall_read', { seq: 9 })).toContain(
    '#3 user\nwhere is the threshold?\n\n#5 result of read_file',
  )
  expect(await runTool(tools, 'recall_read', { from: 4, to: 5 })).toMatch(/^#5 result/)
  expect(await runTool(tools, 'recall_read', { seq: 77 })).toContain('There is no message at #77')
  expect(await runTool(tools, 'recall_read', { from: 3 })).toContain(
    'give "seq", or "from" and "to"',
  )
  expect(await runTool(tools, 'recall_read', { from: 5, to: 3 })).toContain('is before')
})

it('[K3] pages hold all of the text, each below the pruning threshold', () => {
  const long: RecallEntry[] = [
    {
      seq: 1,
      kind: 'result',
      name: 'bash',
      text: `${'😀'.repeat(9_001)}\n${'row of text\n'.repeat(900)}`,
    },
  ]
  const pages = pagesOf(long)
  expect(pages.join('')).toBe(`#1 result of bash\n${long[0]!.text}`)
  expect(pages.every((page) => page.length <= 8_000 && page.isWellFormed())).toBe(true)
})

it('[K3] says which page it shows and how to go on', async () => {
  const big: Recall = {
    ...recall,
    read: async () => [{ seq: 1, kind: 'assistant', text: 'a line\n'.repeat(2_000) }],
  }
  const bigTools = toolsInPlace(memoryWorkspace(), big)
  expect(await runTool(bigTools, 'recall_read', { seq: 1 })).toContain(
    '[page 1 of 2; go on with "page": 2]',
  )
  expect(await runTool(bigTools, 'recall_read', { seq: 1, page: 3 })).toContain(
    'has 2 pages; "page" is 3',
  )
})
