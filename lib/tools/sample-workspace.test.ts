import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { normalisePath } from './path'
import { runTool, toolsInPlace } from './testing/run-tool'
import { memoryWorkspace } from './workspace'

const root = fileURLToPath(new URL('../../public/sample-workspace/', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

function* filesIn(folder: string): Generator<string> {
  for (const name of readdirSync(join(root, folder))) {
    const path = posix.join(folder, name)
    if (statSync(join(root, path)).isDirectory()) yield* filesIn(path)
    else if (path !== 'index.json') yield path
  }
}
const paths = [...filesIn('.')].sort()
const agents = paths.filter((path) => path.startsWith('agents/'))

it('the index lists exactly the files that are there, with their sizes', () => {
  const index = JSON.parse(read('index.json')) as unknown
  expect(index).toEqual(paths.map((path) => ({ path, bytes: statSync(join(root, path)).size })))
  for (const path of paths) expect(normalisePath(path)).toEqual({ ok: true, value: path })
  expect(paths.length).toBeGreaterThanOrEqual(28)
})

it('agents/ holds twelve files of 1.5 to 2 thousand tokens, each read whole below the pruning threshold', async () => {
  expect(agents).toHaveLength(12)
  const tools = toolsInPlace(
    memoryWorkspace(Object.fromEntries(agents.map((path) => [path, read(path)]))),
  )
  for (const path of agents) {
    const chars = read(path).length
    expect([path, chars >= 6_000 && chars <= 8_000]).toEqual([path, true])
    const result = await runTool(tools, 'read_file', { path })
    expect(result).not.toContain('[lines')
    expect(result.length).toBeLessThan(8_192)
  }
})

it('is varied: no line longer than a column is said twice in one file of agents/', () => {
  for (const path of agents) {
    const lines = read(path)
      .split('\n')
      .filter((line) => line.trim().length > 60)
    const twice = lines.filter((line, at) => lines.indexOf(line) !== at)
    expect([path, twice.filter((line) => !line.includes('mailbox.post'))]).toEqual([path, []])
  }
})

it('every file it refers to in words is there', () => {
  const missing: string[] = []
  for (const path of paths.filter((path) => !path.startsWith('data/'))) {
    for (const [found] of read(path).matchAll(
      /\b(?:agents|harbor|config|data|docs|tests|web)\/[\w.]+\.\w+/g,
    )) {
      if (!paths.includes(found)) missing.push(`${path}: ${found}`)
    }
  }
  expect(missing).toEqual([])
})

it('THRESHOLD is defined in one place and used in others', async () => {
  const tools = toolsInPlace(
    memoryWorkspace(Object.fromEntries(paths.map((path) => [path, read(path)]))),
  )
  expect(await runTool(tools, 'search_files', { query: '^THRESHOLD\\s*=', regex: true })).toContain(
    '1 match in 1 file:\nharbor/scoring.py:8: THRESHOLD = 0.72',
  )
  expect(await runTool(tools, 'search_files', { query: 'THRESHOLD' })).toMatch(
    /in [5-9] files|in \d\d files/,
  )
})
