import fc from 'fast-check'
import { expect, it } from 'vitest'
import { extractFacts, type FactKind, type FactSource, LEXICAL_KINDS, normalise } from './facts'
import { readCorpus, score, stripMarks } from './testing/facts/corpus'

const found = (text: string, role: FactSource['role'] = 'assistant'): [FactKind, string][] =>
  extractFacts([{ seq: 1, role, text }]).map((fact) => [fact.kind, fact.text])
const corpus = readCorpus()
const half = (name: 'open' | 'held') => corpus.filter((text) => text.half === name)

/** Pieces that are likely to meet in odd ways. */
const piece = fc.oneof(
  fc.constantFrom(...corpus.flatMap(({ labels }) => labels.map(({ text }) => text))),
  fc.constantFrom(
    ' ',
    '\n',
    '`',
    '"',
    '(',
    ')',
    ': ',
    '. ',
    '/',
    '--',
    '⟦',
    '。',
    '、',
    'и',
    '\ud83c',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
)
const anyText = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
const anySources = fc.array(
  fc.record({
    seq: fc.nat(99),
    role: fc.constantFrom('user' as const, 'assistant' as const, 'result' as const),
    text: anyText,
  }),
  { maxLength: 4 },
)

it('marks are stripped, and labels point at what they marked', () => {
  expect(stripMarks('a ⟦instruction:keep ⟦path:b.ts⟧⟧ ⟦path:b.ts⟧')).toEqual({
    text: 'a keep b.ts b.ts',
    labels: [
      { kind: 'instruction', text: 'keep b.ts', offset: 2 },
      { kind: 'path', text: 'b.ts', offset: 7 },
    ],
  })
})

it('every lexical class has 80 labels at least, half of these held', () => {
  for (const kind of LEXICAL_KINDS) {
    const held = score(half('held'), kind).labels
    expect(held, kind).toBeGreaterThanOrEqual(40)
    expect(held + score(half('open'), kind).labels, kind).toBeGreaterThanOrEqual(80)
  }
})

it.each(LEXICAL_KINDS)('[C13] %s: precision 0.9 and recall 0.8', (kind) => {
  for (const name of ['open', 'held'] as const) {
    const { precision, recall } = score(half(name), kind)
    expect(precision, name).toBeGreaterThanOrEqual(0.9)
    expect(recall, name).toBeGreaterThanOrEqual(0.8)
  }
})

it('one line holds a fact of each class that never overlaps', () => {
  const text =
    'src/a.ts https://x.org/b?c=1 readRows 64 KiB v1.2.3 ECONNRESET --no-cache 9f3c2ab1 and/or'
  expect(found(text)).toEqual([
    ['path', 'src/a.ts'],
    ['url', 'https://x.org/b?c=1'],
    ['identifier', 'readRows'],
    ['number', '64 KiB'],
    ['version', 'v1.2.3'],
    ['error', 'ECONNRESET'],
    ['flag', '--no-cache'],
    ['hash', '9f3c2ab1'],
  ])
})

it('words, dates, ratios, lists and names of products are no facts', () => {
  const text =
    '- TCP/IP and/or 24/7, i.e. 3:1 at 12:30 on 2024-05-01 or 12.05.2024; a facade of a decade, GitHub, UTF-8 🎉'
  expect(found(text)).toEqual([])
})

it('a literal inside an error message belongs to the message', () => {
  expect(found('Error: cannot open /etc/hosts\nsee /etc/motd', 'result')).toEqual([
    ['error', 'Error: cannot open /etc/hosts'],
    ['path', '/etc/motd'],
  ])
})

it('instructions come from users alone, and leave the literals in them to their classes', () => {
  const text = "Don't touch src/old.ts. Could you look at it?"
  expect(found(text, 'user')).toEqual([
    ['instruction', "Don't touch src/old.ts"],
    ['path', 'src/old.ts'],
  ])
  expect(found(text, 'assistant')).toEqual([['path', 'src/old.ts']])
  expect(found(text, 'result')).toEqual([['path', 'src/old.ts']])
})

it('a fenced paste gives no instructions', () => {
  expect(found('Look:\n```\nnever do this\n```\n', 'user')).toEqual([])
})

it("git's a/ and b/ are no folders, and a removed line is no flag", () => {
  const diff = 'diff --git a/lib/x.ts b/lib/x.ts\n--- a/lib/x.ts\n+++ b/lib/x.ts\n-const a = 1\n'
  expect(found(diff, 'result')).toEqual([['path', 'lib/x.ts']])
})

it('a version knows what it is the version of', () => {
  const named = extractFacts([
    { seq: 1, role: 'result', text: '"zod": "^3.23.8"\nreact@19.1.0\nPython 3.12\n' },
  ]).map(({ text, name }) => [text, name])
  expect(named).toEqual([
    ['3.23.8', 'zod'],
    ['19.1.0', 'react'],
    ['3.12', 'Python'],
  ])
})

it('equal facts are one, at their first place, over all sources', () => {
  const facts = extractFacts([
    { seq: 4, role: 'user', text: 'open `src/a.ts`' },
    { seq: 5, role: 'result', text: 'src/a.ts and src/b.ts' },
  ])
  expect(facts).toEqual([
    { kind: 'path', text: 'src/a.ts', seq: 4, offset: 6 },
    { kind: 'path', text: 'src/b.ts', seq: 5, offset: 13 },
  ])
})

it('an overlong line is data and holds no facts, and offsets after it are right', () => {
  const text = `${'readRows '.repeat(3000)}\nsrc/a.ts`
  expect(extractFacts([{ seq: 1, role: 'result', text }])).toEqual([
    { kind: 'path', text: 'src/a.ts', seq: 1, offset: text.length - 8 },
  ])
})

it('extraction is deterministic, and every offset points at its literal', () => {
  fc.assert(
    fc.property(anySources, (sources) => {
      const numbered = sources.map((source, seq) => ({ ...source, seq }))
      const facts = extractFacts(numbered)
      expect(extractFacts(numbered)).toEqual(facts)
      for (const { text, seq, offset } of facts) {
        expect(text.length).toBeGreaterThan(0)
        expect(numbered[seq]!.text.slice(offset, offset + text.length)).toBe(text)
      }
      const keys = facts.map(({ kind, text }) => `${kind} ${normalise(text)}`)
      expect(new Set(keys).size).toBe(keys.length)
    }),
  )
})

it('[L5] a fact cut at its longest never parts a surrogate pair, at either end', () => {
  for (const text of [
    `Error: cannot open ${'😀'.repeat(250)}`,
    `Error: cannot open a${'😀'.repeat(250)}`,
    `${'😀'.repeat(300)} connection refused`,
    `${'😀'.repeat(300)}a connection refused`,
  ]) {
    const facts = extractFacts([{ seq: 1, role: 'result', text }])
    expect(facts).not.toEqual([])
    for (const fact of facts) {
      expect(fact.text.isWellFormed()).toBe(true)
      expect(text.slice(fact.offset).startsWith(fact.text)).toBe(true)
    }
  }
})

it('a second reading of the same texts adds nothing', () => {
  fc.assert(
    fc.property(anySources, (sources) => {
      expect(extractFacts([...sources, ...sources])).toEqual(extractFacts(sources))
    }),
  )
})

const OVERLAYS = new Set<FactKind>(['instruction', 'decision', 'effect'])

it('literals of different classes never overlap', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let end = 0
      for (const fact of extractFacts([{ seq: 1, role: 'user', text }])) {
        if (OVERLAYS.has(fact.kind)) continue
        expect(fact.offset).toBeGreaterThanOrEqual(end)
        end = fact.offset + fact.text.length
      }
    }),
  )
})

/** Milliseconds of this process's own work, whatever else the machine does. */
const worked = (work: () => unknown): number => {
  const start = process.cpuUsage()
  work()
  const { user } = process.cpuUsage(start)
  return user / 1000
}

const SPITEFUL = [
  'a',
  '/',
  'a/',
  'a.',
  '--a',
  '1,',
  '1.',
  '`',
  '"a ',
  'a::',
  'e.g. ',
  'error: ',
  "thread 'a",
  'http://',
  'a@b:',
  'x_',
  '[a]',
  "Don't ",
  '0f',
  '1 000 ',
  'ne a ',
  'no such file or directory ',
  '«',
  '*',
  '2024-05-01 ',
  'lass ',
  'all x ',
  'a: ',
  'ERROR [a] b ',
  '"failed ',
  '```\n',
  '-ab ',
  '1m ',
  '« ',
  'a-1:',
  'x: y ',
  '1,000 ',
  '%AB%\\',
  'OpenThing ',
  'rules:\n- a\n',
  '"error": "a ',
  'a->',
  'TestA/',
  'fails with "a',
  'E_A',
  'returned 404 ',
  'Cannot ',
  'a:1: ',
]

it('no text makes extraction slow: repeated pieces in lines of 19,000 characters', {
  timeout: 60_000,
}, () => {
  for (const spite of SPITEFUL) {
    const line = `${spite.repeat(Math.floor(19_000 / spite.length))}\n`
    const ms = worked(() => extractFacts([{ seq: 1, role: 'user', text: line.repeat(3) }]))
    // 57 kB; at the promised 1 MB/s they take 57 ms, a quadratic pass takes minutes.
    expect(ms, spite).toBeLessThan(1500)
  }
})
