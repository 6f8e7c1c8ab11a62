import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ForeignFile, Row } from './foreign'
import { emptyReport } from './report'
import { createShelf, readRowRuns } from './rows'

function fileOf(source: Blob): ForeignFile {
  const keepBlob = () => Promise.reject(new Error('no media here'))
  const rest = { sha256: '', name: '', time: 0, lines: {}, seen: [], counted: new Set<number>() }
  return { source, keepBlob, report: emptyReport(), ...rest }
}

/** Rows whose lines differ in length, some beyond what a stream passes over. */
const values = Array.from({ length: 40 }, (_, n) => ({
  n,
  said: 'é'.repeat(n % 7 === 3 ? 700_000 : n * 40),
  beside: { n, text: 'x'.repeat(n * 60) },
}))
const blob = new Blob(values.map((value) => `${JSON.stringify(value)}\n`))

async function outlined(file: ForeignFile, without?: string): Promise<Row[]> {
  const rows: Row[] = []
  for await (const run of readRowRuns(file, { outline: true, without })) rows.push(...run)
  return rows
}

it('a shelf has every row whole, in whatever order they are asked for', async () => {
  const file = fileOf(blob)
  const rows = await outlined(file)
  const order = fc.shuffledSubarray(rows, { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(order, async (asked) => {
      const shelf = createShelf(file)
      for (const row of asked) expect(await shelf.get(row)).toEqual(values[row.index])
    }),
    { numRuns: 20 },
  )
})

it('a shelf leaves out the member that nobody asks for, where it is long', async () => {
  const file = fileOf(blob)
  const rows = await outlined(file, 'beside')
  const shelf = createShelf(file)
  for (const row of rows) {
    const { beside, ...rest } = values[row.index]!
    const isLong = beside.text.length > 520
    expect(await shelf.get(row)).toEqual(isLong ? rest : row.cut ? rest : { ...rest, beside })
  }
  expect(rows.filter(({ cut }) => cut).length).toBeGreaterThan(25)
})
