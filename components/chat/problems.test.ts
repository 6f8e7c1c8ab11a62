import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { problemWords } from './problem-kinds'
import { errorWords, stopWords } from './problems'

/** The closed list of model error codes, as lib/ports.ts spells it. */
const CODES = (
  /export type ModelErrorCode =([\s\S]*?)\n\n/.exec(
    readFileSync(join(import.meta.dirname, '../../lib/ports.ts'), 'utf8'),
  )?.[1] ?? ''
)
  .match(/'[a-z-]+'/g)!
  .map((quoted) => quoted.slice(1, -1))
const JOURNAL = ['journal-quota', 'journal-failed', 'journal-closed', 'journal-epoch']
const SHOWN = [...CODES.filter((code) => code !== 'cancelled'), ...JOURNAL, 'automatic-stopped']

describe('every kind of failure', () => {
  it('has a title, a help and short words of its own', () => {
    expect(CODES.length).toBeGreaterThan(15)
    const other = problemWords('no such code')
    for (const part of ['title', 'help'] as const) {
      const said = SHOWN.map((code) => problemWords(code)[part])
      expect(new Set(said).size).toBe(said.length)
      expect(said).not.toContain(other[part])
    }
    const short = CODES.map(errorWords)
    expect(new Set(short).size).toBe(short.length)
  })

  it.each<[code: string, again: string, ways: string[]]>([
    ['authentication', 'now', ['settings']],
    ['permission', 'now', ['model', 'settings']],
    ['billing', 'now', ['settings', 'model']],
    ['not-found', 'now', ['model']],
    ['invalid-request', 'once-changed', ['request', 'model', 'edit']],
    ['overflow', 'once-changed', ['compact', 'request', 'model']],
    ['rate-limit', 'now', ['model']],
    ['overloaded', 'now', ['model']],
    ['server', 'now', ['model']],
    ['network', 'now', ['model']],
    ['stalled', 'now', ['model']],
    ['unreachable', 'now', []],
    ['restarted', 'now', []],
    ['offline', 'now', ['model']],
    ['access', 'never', ['reload']],
    ['outdated', 'now', ['reload']],
    ['automatic-stopped', 'never', ['compact', 'model']],
    ['journal-quota', 'now', ['storage', 'copy']],
    ['journal-failed', 'now', ['storage', 'copy']],
    ['journal-closed', 'never', ['copy', 'reload']],
    ['journal-epoch', 'never', []],
    ['internal', 'now', ['reload']],
  ])('%s may be tried again %s and leads to %j', (code, again, ways) => {
    expect(problemWords(code)).toMatchObject({ again, ways })
  })

  it('is in that table', () => {
    expect(SHOWN).toHaveLength(21)
  })
})

describe('what a server says of a model’s limits leads past them', () => {
  it.each([
    'registry.ollama.ai/library/gemma3:latest does not support tools',
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    'tools param requires --jinja flag',
  ])('no tools: %s', (message) => {
    expect(problemWords('invalid-request', message).ways).toContain('tools')
    expect(problemWords('server', message).again).toBe('once-changed')
  })

  it.each([
    'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
    'qwen3 is not a multimodal model',
    'this model does not support images',
  ])('no images: %s', (message) => {
    expect(problemWords('invalid-request', message).title).toMatch(/no images/)
  })

  it('other kinds keep their words whatever the message says', () => {
    expect(problemWords('rate-limit', 'does not support tools')).toEqual(problemWords('rate-limit'))
  })
})

it('a stop reason is named where it is not simply the end', () => {
  expect(stopWords('end_turn')).toBeNull()
  expect(stopWords('refusal')).toMatch(/declined/)
  expect(stopWords('novel_reason')).toContain('novel_reason')
})
