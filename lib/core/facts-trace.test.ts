import fc from 'fast-check'
import { expect, it } from 'vitest'
import { extractFacts, type Fact, type FactKind } from './facts'
import { appendLost, countFates, traceFacts } from './facts-trace'
import { amountsOf } from './facts-values'
import { estimateText } from './price'
import { readCorpus } from './testing/facts/corpus'

const fact = (kind: FactKind, text: string, name?: string): Fact => ({
  kind,
  text,
  seq: 1,
  offset: 0,
  ...(name && { name }),
})
const fateOf = (one: Fact, summary: string) => {
  const { fate, now } = traceFacts([one], summary)[0]!
  return now === undefined ? fate : `${fate}: ${now}`
}

it.each<[FactKind, string, string]>([
  ['path', 'src/a.ts', 'It is in `src/a.ts`.'],
  ['number', '64 KiB', 'chunks of **64 KiB**'],
  ['identifier', 'readRows', 'see `this.readRows`'],
  ['flag', '--port', 'started with --port=3000'],
  ['url', 'https://x.org/a', 'at https://x.org/a.'],
  ['number', '30秒', '超时为30秒。'],
  ['identifier', 'café_x', 'cafe\u0301_x stays'],
  ['instruction', "Don't touch `s12`", '"Don\'t touch s12", he said'],
  ['instruction', 'Never write to build/', '- never write to build/'],
])('kept: the %s %s in "%s"', (kind, text, summary) => {
  expect(fateOf(fact(kind, text), summary)).toBe('kept')
})

it.each<[FactKind, string, string]>([
  ['path', 'src/a.ts', 'lib/src/a.tsx'],
  ['version', '1.2', 'on 1.2.3 now'],
  ['number', '5 MB', 'about 1.5 MB'],
  ['flag', '--no', 'with --no-cache'],
  ['identifier', 'readRow', 'call readRows'],
  ['error', 'E1042', 'nothing failed'],
  ['hash', '9f3c2ab', 'commit 9f3c2cd'],
  ['instruction', "Don't touch s12", 'touching s9 is fine'],
])('lost: the %s %s in "%s"', (kind, text, summary) => {
  expect(fateOf(fact(kind, text), summary)).toBe('lost')
})

it.each<[FactKind, string, string, string]>([
  ['number', '65,536 bytes', 'chunks stay at 64 KiB', '64 KiB'],
  ['number', '90 s', 'waits 1.5 minutes', '1.5 minutes'],
  ['number', '1,5 с', 'took 1500 ms', '1500 ms'],
  ['number', '10 000 €', 'capped at €10,000', '€10,000'],
  ['path', 'src/old/join.py', 'moved to `lib/join.py`', 'lib/join.py'],
  ['identifier', 'read_rows', 'it is readRows now', 'readRows'],
  ['url', 'http://x.org/a?b=1', 'at https://x.org/a', 'https://x.org/a'],
  ['flag', '--jobs=4', 'use --jobs=8', '--jobs=8'],
  ['hash', '9f3c2ab', 'at 9f3c2ab17de0', '9f3c2ab17de0'],
  ['version', 'v1.2.3', 'version 1.2.3', '1.2.3'],
  [
    'instruction',
    'Never write files outside build/tmp',
    'Rule: write files outside build only',
    'Rule: write files outside build only',
  ],
])('changed: the %s %s in "%s"', (kind, text, summary, now) => {
  expect(fateOf(fact(kind, text), summary)).toBe(`changed: ${now}`)
})

it('changed: a version raised for the same name, and lost for another', () => {
  const react = fact('version', '18.2.0', 'react')
  expect(fateOf(react, 'now on react@19.1.0')).toBe('changed: 19.1.0')
  expect(fateOf(react, 'now on preact@10.1.0')).toBe('lost')
})

it('an instruction whose negation went missing is not kept', () => {
  expect(
    fateOf(fact('instruction', 'Do not use eval in the parser'), 'Use eval in the parser'),
  ).toBe('changed: Use eval in the parser')
})

it('amounts are equal whatever the unit, and readings of a doubtful mark are all there', () => {
  expect(amountsOf('64 KiB')).toEqual(amountsOf('65,536 bytes').slice(0, 1))
  expect(amountsOf('1.024 Bytes')).toEqual(['1024 byte', '1.024 byte'])
  expect(amountsOf('10k requests')).toEqual(['10000 request'])
  expect(amountsOf('100 MB/s')).toContain('100000000 byte/s')
  expect(amountsOf('1920x1080')).toEqual([])
})

it('every fact of a text is kept by the text itself', () => {
  for (const { source, name } of readCorpus()) {
    const traced = traceFacts(extractFacts([source]), source.text)
    expect(
      traced.filter(({ fate }) => fate !== 'kept'),
      name,
    ).toEqual([])
  }
})

it('every fact is lost in an empty summary, and counts add up', () => {
  const facts = extractFacts(readCorpus().map(({ source }) => source))
  const traced = traceFacts(facts, '')
  expect(traced.map((one) => one.fact)).toEqual(facts)
  expect(traced.every(({ fate }) => fate === 'lost')).toBe(true)
  const counts = countFates([...traced, { fact: fact('flag', '-x'), fate: 'kept' }])
  expect(counts[0]?.kind).toBe('instruction')
  expect(counts.reduce((sum, { total }) => sum + total, 0)).toBe(facts.length + 1)
  for (const { total, kept, changed, lost } of counts) expect(kept + changed + lost).toBe(total)
})

it('lost facts are put in order of worth, instructions first, and keep within the budget', () => {
  const facts = [
    fact('hash', '9f3c2ab'),
    fact('path', 'src/a.ts'),
    fact('instruction', 'Never\npush'),
  ]
  expect(appendLost(facts, 100)).toEqual(['Never push', 'src/a.ts', '9f3c2ab'])
  fc.assert(
    fc.property(fc.nat(120), (budget) => {
      const all = extractFacts(
        readCorpus()
          .slice(0, 4)
          .map(({ source }) => source),
      )
      const lines = appendLost(all, budget)
      expect(lines.reduce((sum, line) => sum + estimateText(line) + 2, 0)).toBeLessThanOrEqual(
        budget,
      )
    }),
  )
})

it('what was appended is no longer lost', () => {
  const facts = extractFacts(readCorpus().map(({ source }) => source))
  const appended = appendLost(facts, 1_000_000)
    .map((line) => `- ${line}`)
    .join('\n')
  expect(traceFacts(facts, appended).filter(({ fate }) => fate === 'lost')).toEqual([])
})
