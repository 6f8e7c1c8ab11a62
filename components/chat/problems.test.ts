import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { errorWords, problemWords, stopWords } from './problems'

/** The closed list of model error codes, as lib/ports.ts spells it. */
const CODES = (
  /export type ModelErrorCode =([\s\S]*?)\n\n/.exec(
    readFileSync(join(import.meta.dirname, '../../lib/ports.ts'), 'utf8'),
  )?.[1] ?? ''
)
  .match(/'[a-z-]+'/g)!
  .map((quoted) => quoted.slice(1, -1))

it('every kind of failure has words of its own and a way out', () => {
  expect(CODES.length).toBeGreaterThan(15)
  const shown = CODES.filter((code) => code !== 'cancelled')
  const titles = shown.map((code) => problemWords(code).title)
  expect(new Set(titles).size).toBe(titles.length)
  expect(titles).not.toContain(problemWords('no such code').title)
  for (const code of shown) expect(problemWords(code).ways.length).toBeGreaterThan(0)
  const short = CODES.map(errorWords)
  expect(new Set(short).size).toBe(short.length)
})

it('a stop reason is named where it is not simply the end', () => {
  expect(stopWords('end_turn')).toBeNull()
  expect(stopWords('refusal')).toMatch(/declined/)
  expect(stopWords('novel_reason')).toContain('novel_reason')
})
