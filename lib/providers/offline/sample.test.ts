import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { estimateText } from '../../core/price'
import { memoryWorkspace } from '../../tools/workspace'
import { readCites } from './cite'
import { createLoop, type LoopOptions } from './testing/loop'

const root = new URL('../../../public/sample-workspace/', import.meta.url)
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, root)), 'utf8')
const index = JSON.parse(read('index.json')) as { path: string }[]
const files = Object.fromEntries(index.map(({ path }) => [path, read(path)]))
const agents = index.map(({ path }) => path).filter((path) => path.startsWith('agents/'))
const loop = (options?: LoopOptions) => createLoop(memoryWorkspace(files), options)

/** Every quotation stands where it says; how many there are. */
function countTrue(words: string): number {
  const cites = readCites(words)
  for (const { path, line, text } of cites)
    expect(files[path]?.split('\n')[line - 1] ?? `${path}:${line} is not there`).toContain(text)
  return cites.length
}

describe('read every file in agents/ one after the other', () => {
  const request = 'read every file in agents/ one after the other'
  const modes: [string, LoopOptions][] = [
    ['older results replaced by placeholders', { micro: 3 }],
    ['a summary in the middle', { micro: 3, compactAfter: [7] }],
    ['a summary after every third step', { micro: 3, compactAfter: [3, 6, 9, 12] }],
    ['a summary after every step', { compactAfter: Array.from({ length: 40 }, (_, at) => at + 1) }],
  ]
  it.each(modes)('reads each once, in order, and ends, with %s', async (_, options) => {
    const { calls, answer, words, steps } = await loop(options).send(request)
    const reads = calls.filter((call) => call.name === 'read_file')
    expect(reads.map((call) => call.input.path)).toEqual(agents)
    expect(calls.length - reads.length).toBe(1)
    for (const path of agents) expect(answer).toContain(path)
    expect(answer).toContain('12 files of `agents/` read')
    expect(countTrue(words)).toBeGreaterThan(60)
    const remarks = steps.slice(2, -1).map(({ text }) => estimateText(text))
    const mean = remarks.reduce((sum, tokens) => sum + tokens, 0) / remarks.length
    expect(mean).toBeGreaterThan(200)
    expect(mean).toBeLessThan(300)
    expect(Math.max(...remarks)).toBeLessThan(350)
  })
})

it.each<[string, string]>([
  ['where is THRESHOLD defined?', '`harbor/scoring.py:8`: `THRESHOLD = 0.72`'],
  ['what is PILOT_REST_MIN?', '`harbor/settings.py:26`: `PILOT_REST_MIN = 600`'],
  ['which files mention DELAY_HALF_LIFE_MIN?', '`docs/runbook.md`'],
  [
    'what changed between config/harbor.old.toml and config/harbor.toml?',
    '`config/harbor.toml:9`: `max_weight_kg = 32500`',
  ],
  ['summarise notes.md', 'Decision: THRESHOLD stays at 0.72'],
  ['how long do pilots rest?', '# A pilot rests this long after a job'],
  ['run `wc -l agents/* | tail -1`', 'total'],
])('%s', async (request, expected) => {
  const { answer, words } = await loop().send(request)
  expect(answer).toContain(expected)
  countTrue(words)
})
