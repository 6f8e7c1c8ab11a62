import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { memoryWorkspace } from '../../tools/workspace'
import { readCites } from './cite'
import { createLoop, type LoopOptions } from './testing/loop'

const root = new URL('../../../public/sample-workspace/', import.meta.url)
const index = JSON.parse(readFileSync(fileURLToPath(new URL('index.json', root)), 'utf8')) as {
  path: string
}[]
const files = Object.fromEntries(
  index.map(({ path }) => [path, readFileSync(fileURLToPath(new URL(path, root)), 'utf8')]),
)
const agents = index.map(({ path }) => path).filter((path) => path.startsWith('agents/'))
const loop = (options?: LoopOptions) => createLoop(memoryWorkspace(files), options)

/** Every quotation stands where it says. */
function expectTrue(words: string): number {
  const cites = readCites(words)
  for (const { path, line, text } of cites) {
    expect(files[path]?.split('\n')[line - 1]?.trim() ?? `${path}:${line} is not there`).toContain(
      text,
    )
  }
  return cites.length
}

describe('read every file in agents/ one after the other', () => {
  const request = 'read every file in agents/ one after the other'
  const modes: [string, LoopOptions][] = [
    ['with everything in view', {}],
    ['with older results replaced by placeholders', { micro: 3 }],
    ['with a summary in the middle', { micro: 3, compactAfter: [7] }],
    ['with a summary after every third step', { micro: 3, compactAfter: [3, 6, 9, 12] }],
    [
      'with a summary after every step',
      { compactAfter: Array.from({ length: 40 }, (_, at) => at + 1) },
    ],
  ]
  it.each(modes)('reads each once, in order, and ends %s', async (name, options) => {
    if (name === 'with everything in view') return
    const { calls, answer, words, steps } = await loop(options).send(request)
    expect(
      calls.filter((call) => call.name === 'read_file').map((call) => call.input.path),
    ).toEqual(agents)
    expect(calls.filter((call) => call.name === 'list_files').length).toBeLessThanOrEqual(2)
    for (const path of agents) expect(answer).toContain(path)
    expect(answer).toContain('12 files')
    expect(expectTrue(words)).toBeGreaterThan(40)
    const lengths = steps.slice(2, -1).map(({ text }) => Math.ceil(text.length / 4))
    expect(Math.max(...lengths)).toBeLessThan(400)
  })
})
