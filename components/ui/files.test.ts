import { expect, it } from 'vitest'
import { sortFolder } from './files'

const file = (path: string, size = 10) => ({ path, file: { size } as File })

it('leaves out what nobody means when they pick a project, and says so', () => {
  const { taken, left } = sortFolder([
    file('src/a.ts'),
    file('node_modules/x/index.js'),
    file('src/.git/HEAD'),
    file('big.bin', 3_000_000),
  ])
  expect(taken.map(({ path }) => path)).toEqual(['src/a.ts'])
  expect(left).toEqual([
    { reason: 'in .git, node_modules and the like', count: 2 },
    { reason: 'larger than 2 MB', count: 1 },
  ])
})

it('takes at most two thousand files and counts the rest', () => {
  const { taken, left } = sortFolder(Array.from({ length: 2003 }, (_, i) => file(`f${i}`)))
  expect(taken).toHaveLength(2000)
  expect(left).toEqual([{ reason: 'beyond the first 2000', count: 3 }])
})
