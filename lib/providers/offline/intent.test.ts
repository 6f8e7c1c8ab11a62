import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Intent, readIntent } from './intent'
import { readRequest } from './parts'

const each = (where: string, atOnce = false): Intent => ({
  kind: 'each',
  where,
  atOnce,
  except: [],
  lines: null,
})
const list = (where: string): Intent => ({ kind: 'list', where, except: [] })
const edit = (path: string, from: string, to: string, all = false): Intent => ({
  kind: 'edit',
  paths: [path],
  where: null,
  except: [],
  from,
  to,
  all,
})
const search = (
  text: string,
  wants: 'places' | 'files' | 'count' = 'places',
  where: string | null = null,
): Intent => ({ kind: 'search', text, where, wants })
const define = (name: string, where: string | null = null): Intent => ({
  kind: 'define',
  name,
  where,
})
const read = (...paths: string[]): Intent => ({ kind: 'read', paths, lines: null })

describe('readIntent', () => {
  it.each<[string, Intent]>([
    ['read every file in agents/ one after the other', each('agents/')],
    ['Please read all the files in the agents folder, one by one.', each('agents/')],
    ['go through each file in `docs/` in turn', each('docs/')],
    ['Could you open every document under docs?', each('docs/')],
    ['look at all files inside src/core one after another', each('src/core/')],
    ['read everything in agents', each('agents/')],
    ['summarise every file in docs/', each('docs/')],
    ['read the whole agents folder', each('agents/')],
    ['read agents/*.md one by one', each('agents/*.md')],
    ['read every python file', each('**/*.py')],
    ['read all files', each('')],
    ['read all files in agents/ two at a time', each('agents/', true)],
    ['where is THRESHOLD defined?', define('THRESHOLD')],
    ['Where is `max_rows` declared', define('max_rows')],
    ['find the definition of parseLine', define('parseLine')],
    ['which file defines Mailbox?', define('Mailbox')],
    ["what's the value of LIMIT?", define('LIMIT')],
    ['what is PAGE_SIZE?', define('PAGE_SIZE')],
    ['where does the constant RATE come from?', define('RATE')],
    ['where is the function run_round() defined in harbor/?', define('run_round', 'harbor/')],
    ['where is mailbox used?', search('mailbox')],
    ['which files mention THRESHOLD?', search('THRESHOLD', 'files')],
    ['How many times does `score` occur?', search('score', 'count')],
    ['find all uses of accepted', search('accepted')],
    ['search for "quiet hours"', search('quiet hours')],
    ['search docs for tide', search('tide', 'places', 'docs/')],
    ['grep for TURN_BUDGET in harbor/', search('TURN_BUDGET', 'places', 'harbor/')],
    ['what does docs/runbook.md say about cranes?', search('cranes', 'places', 'docs/runbook.md')],
    ['who calls run_round', search('run_round')],
    ['tell me something about DELAY_HALF', search('DELAY_HALF')],
    [
      'what changed between a/old.toml and a/new.toml?',
      { kind: 'compare', paths: ['a/old.toml', 'a/new.toml'] },
    ],
    ['what changed between x.py and x.py?', { kind: 'compare', paths: ['x.py', 'x.py'] }],
    ['compare `x.py` with `y.py`', { kind: 'compare', paths: ['x.py', 'y.py'] }],
    ['diff a.txt b.txt', { kind: 'compare', paths: ['a.txt', 'b.txt'] }],
    ['what is the difference between these two files?', { kind: 'compare', paths: [] }],
    ['summarise notes.md', { kind: 'summarise', path: 'notes.md' }],
    [
      'Give me a summary of docs/overview.md, please.',
      { kind: 'summarise', path: 'docs/overview.md' },
    ],
    ['what is README.md about?', { kind: 'summarise', path: 'README.md' }],
    ['tl;dr of CHANGELOG.md', { kind: 'summarise', path: 'CHANGELOG.md' }],
    ['summarise the attached file', { kind: 'summarise', path: null }],
    ['read notes.md', read('notes.md')],
    ['show me docs/overview.md and docs/summary.md', read('docs/overview.md', 'docs/summary.md')],
    [
      'show lines 3-9 of docs/overview.md',
      { kind: 'read', paths: ['docs/overview.md'], lines: { from: 3, to: 9 } },
    ],
    ['what is in data/list.csv?', read('data/list.csv')],
    ['docs/compare.md', read('docs/compare.md')],
    ['list the files in docs/', list('docs/')],
    ['what files are there?', list('')],
    ['how many files are in src', list('src/')],
    ['ls agents', list('agents')],
    [
      'create notes/todo.txt with "first line"',
      { kind: 'write', path: 'notes/todo.txt', content: 'first line' },
    ],
    [
      'Create a file called a.md containing:\n```\n# A\n\ntext\n```',
      { kind: 'write', path: 'a.md', content: '# A\n\ntext\n' },
    ],
    ['write `x = 1` to src/x.py', { kind: 'write', path: 'src/x.py', content: 'x = 1' }],
    ['create empty.txt', { kind: 'write', path: 'empty.txt', content: null }],
    [
      'add "buy rope" to notes/todo.txt',
      { kind: 'append', path: 'notes/todo.txt', content: 'buy rope' },
    ],
    [
      'replace `0.72` with `0.75` in `harbor/scoring.py`',
      edit('harbor/scoring.py', '0.72', '0.75'),
    ],
    ['in src/a.ts, change "let x" to "const x"', edit('src/a.ts', 'let x', 'const x')],
    ['replace every foo with bar in a.txt', edit('a.txt', 'foo', 'bar', true)],
    ['run `wc -l agents/*`', { kind: 'run', command: 'wc -l agents/*' }],
    ['execute the command: grep -c x a.txt', { kind: 'run', command: 'grep -c x a.txt' }],
    ['$ ls -la', { kind: 'run', command: 'ls -la' }],
    ['delete notes/todo.txt', { kind: 'run', command: 'rm notes/todo.txt' }],
    ['compact now, focus on the decisions', { kind: 'compact', focus: 'the decisions' }],
    ['please compact the conversation', { kind: 'compact', focus: null }],
    ['what did notes.md say?', { kind: 'recall', query: 'notes.md', path: 'notes.md', seq: null }],
    ['recall #42', { kind: 'recall', query: '', path: null, seq: 42 }],
    [
      'do you remember the tide table',
      { kind: 'recall', query: 'tide table', path: null, seq: null },
    ],
    ['continue', { kind: 'continue' }],
    ['go on, please', { kind: 'continue' }],
    ['hello', { kind: 'talk', topic: 'greeting' }],
    ['Hi there!', { kind: 'talk', topic: 'greeting' }],
    ['are you a language model?', { kind: 'talk', topic: 'identity' }],
    ['who are you?', { kind: 'talk', topic: 'identity' }],
    ['what can you do?', { kind: 'talk', topic: 'ability' }],
    ['thanks a lot', { kind: 'talk', topic: 'thanks' }],
    ['how long do pilots rest?', { kind: 'ask', words: ['long', 'pilots', 'rest'] }],
    ['write me a poem', { kind: 'unknown' }],
    ['refactor everything to be nicer', { kind: 'unknown' }],
    ['', { kind: 'unknown' }],
  ])('%s', (request, intent) => {
    expect(readIntent(request)).toEqual(intent)
    const whole = readRequest(request)
    if (intent.kind === 'unknown') expect(whole.parts).toEqual([])
    else
      expect(whole).toEqual({
        parts: [{ words: expect.any(String), intent, into: null }],
        left: [],
      })
  })

  it('gives an intent for any text, in reasonable time', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        (text) => void readRequest(text),
      ),
    )
    for (const part of [
      'read all the files in the ',
      'replace a ',
      '`a` ',
      '"',
      'a/',
      'read a.md and ',
      'x. then list ',
      '```\n',
      ' where is x used in ',
    ]) {
      const began = performance.now()
      readRequest(`replace every ${part.repeat(Math.floor(3_900 / part.length))}`)
      readRequest(part.repeat(20_000))
      readRequest(part.repeat(Math.floor(3_900 / part.length)))
      expect(performance.now() - began).toBeLessThan(2_000)
    }
  })
})
