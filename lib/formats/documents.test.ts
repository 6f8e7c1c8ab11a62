import { expect, it } from 'vitest'
import { readRecords } from './documents'
import { emptyReport } from './report'

async function read(source: Blob | Uint8Array) {
  const rest = { sha256: '', name: '', time: 0, lines: {}, seen: [], counted: new Set<number>() }
  const keepBlob = () => Promise.reject(new Error('no media'))
  const found: { value: unknown; line: number }[] = []
  for await (const { value, line } of readRecords({
    ...rest,
    source,
    keepBlob,
    report: emptyReport(),
  }))
    found.push({ value, line })
  return found
}

it('[T1] elements end where JSON says, wherever quotes, escapes and line ends fall among words of four bytes', async () => {
  const values = Array.from({ length: 24 }, (_, n) => ({
    key: `${'x'.repeat(n)}"\\`,
    'a "key" \\': `${'é'.repeat(n % 5)}{[\n\t\u0001]}"${'日本'.repeat(n)}\\\\"`,
    list: [n, `${'y'.repeat(n % 7)}\\`, { inner: '"' }],
  }))
  const packed = new TextEncoder().encode(JSON.stringify(values))
  expect(await read(packed)).toEqual(values.map((value) => ({ value, line: 1 })))
  const spread = JSON.stringify(values, null, 2)
  const lines = spread.split('\n').flatMap((text, at) => (text === '  {' ? [at + 1] : []))
  expect(await read(new Blob([spread]))).toEqual(
    values.map((value, at) => ({ value, line: lines[at] })),
  )
})
