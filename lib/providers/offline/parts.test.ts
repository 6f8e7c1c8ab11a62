import { describe, expect, it } from 'vitest'
import type { Intent } from './intent'
import { readRequest } from './parts'

type Expected = { parts: Partial<Intent & { into: string }>[]; left?: string[] }
const each = { kind: 'each', where: 'docs/' } as const
const file = (path: string, lines: object | null = null) =>
  ({ kind: 'read', paths: [path], lines }) as Partial<Intent>

describe('readRequest', () => {
  it.each<[string, Expected]>([
    // Parts.
    [
      'Read a.md. Then tell me where X_Y is defined',
      { parts: [file('a.md'), { kind: 'define', name: 'X_Y' }] },
    ],
    [
      '1. read a.md\n2. list docs/\n3. sing',
      { parts: [file('a.md'), { kind: 'list', where: 'docs/' }], left: ['sing'] },
    ],
    [
      'read a.md, list docs/, and summarise b.md',
      { parts: [file('a.md'), { kind: 'list' }, { kind: 'summarise', path: 'b.md' }] },
    ],
    ['list docs/; read a.md and then stop', { parts: [{ kind: 'list' }, file('a.md')] }],
    ['Hello! Read a.md. Thanks a lot.', { parts: [file('a.md')] }],
    [
      'summarise a.md and b.md',
      {
        parts: [
          { kind: 'summarise', path: 'a.md' },
          { kind: 'summarise', path: 'b.md' },
        ],
      },
    ],
    [
      'read a.md and b.md and compare them',
      { parts: [{ kind: 'read' }, { kind: 'compare', paths: ['a.md', 'b.md'] }] },
    ],
    ['read a.md and summarise it', { parts: [file('a.md'), { kind: 'summarise', path: 'a.md' }] }],
    [
      'read a.md, then find TODO in it',
      { parts: [file('a.md'), { kind: 'search', text: 'TODO', where: 'a.md' }] },
    ],
    ['read a.md and make it nicer', { parts: [file('a.md')], left: ['make it nicer'] }],
    [
      'read a.md and translate it into German',
      { parts: [file('a.md')], left: ['translate it into German'] },
    ],
    [
      'I am new here. Where is X_Y defined?',
      { parts: [{ kind: 'define', name: 'X_Y' }], left: ['I am new here'] },
    ],
    ['read notes.md carefully', { parts: [file('notes.md')], left: ['carefully'] }],
    [
      'refactor MAX_ROWS to be nicer',
      { parts: [{ kind: 'search' }], left: ['refactor MAX_ROWS to be nicer'] },
    ],
    [
      'Create hello.txt with the text "hi" and read it back',
      { parts: [{ kind: 'write', path: 'hello.txt', content: 'hi' }, file('hello.txt')] },
    ],
    [
      'create a.txt with "a" as its title',
      { parts: [], left: ['create a.txt with "a" as its title'] },
    ],
    [
      'Find every TODO and FIXME in src/',
      {
        parts: [
          { kind: 'search', text: 'TODO', where: 'src/' },
          { kind: 'search', text: 'FIXME', where: 'src/' },
        ],
      },
    ],
    [
      'where is MAX_X defined and used?',
      {
        parts: [
          { kind: 'define', name: 'MAX_X' },
          { kind: 'search', text: 'MAX_X' },
        ],
      },
    ],
    [
      'list docs/; read a.md; and then compact',
      { parts: [{ kind: 'list' }, file('a.md'), { kind: 'compact' }] },
    ],
    ['Can you fix the bug in a.py?', { parts: [], left: ['fix the bug in a.py?'] }],
    ['Do not touch conf/. Read a.md', { parts: [file('a.md')], left: ['Do not touch conf/'] }],
    [
      'where is MAX_X defined? Which files mention it?',
      {
        parts: [
          { kind: 'define', name: 'MAX_X' },
          { kind: 'search', text: 'MAX_X', wants: 'files' },
        ],
      },
    ],
    [
      'read all files in docs/ except a.md, then replace "x" by "y" in all of them',
      {
        parts: [
          { ...each, except: ['a.md'] },
          { kind: 'edit', paths: [], where: null },
        ],
      },
    ],
    [
      'Find "x" and replace it with "y" in a.md',
      { parts: [{ kind: 'search', text: 'x' }], left: ['replace it with "y" in a.md'] },
    ],
    [
      'read every file in docs/ and write a summary of each to out.md',
      { parts: [each], left: ['write a summary of each to out.md'] },
    ],
    [
      'append the last line of a.md to b.md',
      { parts: [], left: ['append the last line of a.md to b.md'] },
    ],
    ['sing me a song', { parts: [], left: ['sing me a song'] }],
    // Quoted text, content and commands are never cut.
    [
      'run `ls; wc x` and then read a.md',
      { parts: [{ kind: 'run', command: 'ls; wc x' }, file('a.md')] },
    ],
    ['run ls -la; wc -l x.md', { parts: [{ kind: 'run', command: 'ls -la; wc -l x.md' }] }],
    [
      'run for f in *; do echo $f; done',
      { parts: [{ kind: 'run', command: 'for f in *; do echo $f; done' }] },
    ],
    [
      'create a.md with "x. Then go and read b.md"',
      { parts: [{ kind: 'write', content: 'x. Then go and read b.md' }] },
    ],
    [
      'create a.md: one. Then two, and read',
      { parts: [{ kind: 'write', content: 'one. Then two, and read' }] },
    ],
    [
      'create a.md with:\n```\nx. Then y\n```\nThen read it',
      { parts: [{ kind: 'write', content: 'x. Then y\n' }, file('a.md')] },
    ],
    [
      'search for read and write access',
      { parts: [{ kind: 'search', text: 'read and write access' }] },
    ],
    // Exceptions.
    ['read every file in docs/ except a.md', { parts: [{ ...each, except: ['a.md'] }] }],
    [
      'read all files in docs/ but not a.md, b.md or old/ one by one',
      { parts: [{ ...each, except: ['a.md', 'b.md', 'old/'] }] },
    ],
    [
      'summarise every file in docs/ other than the python files',
      { parts: [{ ...each, except: ['**/*.py'] }] },
    ],
    ['go through each file in docs/ without intro', { parts: [{ ...each, except: ['intro'] }] }],
    ['list the files except *.md', { parts: [{ kind: 'list', except: ['*.md'] }] }],
    [
      'replace a with b in all files but not x.py',
      { parts: [{ kind: 'edit', where: '', except: ['x.py'] }] },
    ],
    [
      'read a.md except the boring bits',
      { parts: [file('a.md')], left: ['except the boring bits'] },
    ],
    // Lines from either end.
    ['read the last 5 lines of a.md', { parts: [file('a.md', { last: 5 })] }],
    ['show me the final line of a.md', { parts: [file('a.md', { last: 1 })] }],
    ['print the first three lines of a.md', { parts: [file('a.md', { from: 1, to: 3 })] }],
    ['lines 10-20 of a.md', { parts: [file('a.md', { from: 10, to: 20 })] }],
    ['read a.md from line 10 to line 20', { parts: [file('a.md', { from: 10, to: 20 })] }],
    ['read a.md from line 10 to the end', { parts: [file('a.md', { from: 10 })] }],
    [
      'show the first 2 lines of every file in docs/',
      { parts: [{ ...each, lines: { from: 1, to: 2 } }] },
    ],
    [
      'show the last 2 lines of every file in docs/',
      { parts: [{ ...each, lines: null }], left: ['last 2'] },
    ],
    ['summarise lines 3-9 of a.md', { parts: [{ kind: 'summarise' }], left: ['3-9'] }],
    // All files, or some.
    [
      'replace X by Y in all files',
      { parts: [{ kind: 'edit', paths: [], where: '', from: 'X', to: 'Y', all: true }] },
    ],
    [
      'change "a b" to `c` in every python file in docs/',
      { parts: [{ kind: 'edit', where: 'docs/**/*.py', from: 'a b', to: 'c' }] },
    ],
    ['in src/, replace X with Y', { parts: [{ kind: 'edit', where: 'src/', all: true }] }],
    [
      'replace X with Y in a.md and b.md',
      { parts: [{ kind: 'edit', paths: ['a.md', 'b.md'], where: null, all: false }] },
    ],
    ['read only the markdown files in docs/', { parts: [{ kind: 'each', where: 'docs/**/*.md' }] }],
    // Where the result goes.
    [
      'write a summary of a.md to b.md',
      { parts: [{ kind: 'summarise', path: 'a.md', into: 'b.md' }] },
    ],
    [
      'summarise a.md and save it as out/b.md',
      { parts: [{ kind: 'summarise', path: 'a.md', into: 'out/b.md' }] },
    ],
    [
      'read a.md and write its first line to b.txt',
      { parts: [file('a.md'), { ...file('a.md', { from: 1, to: 1 }), into: 'b.txt' }] },
    ],
    [
      'copy the last two lines of a.md to b.md',
      { parts: [{ ...file('a.md', { last: 2 }), into: 'b.md' }] },
    ],
    [
      'save all mentions of tide to x.txt',
      { parts: [{ kind: 'search', text: 'tide', into: 'x.txt' }] },
    ],
    [
      'find TODO, then write the result to x.txt',
      { parts: [{ kind: 'search', text: 'TODO', into: 'x.txt' }] },
    ],
    [
      'write the list of files in docs/ to x.txt',
      { parts: [{ kind: 'list', where: 'docs/', into: 'x.txt' }] },
    ],
    ['write it to x.txt', { parts: [], left: ['write it to x.txt'] }],
    // What a search is for, without the words around it.
    ['find all TODO comments', { parts: [{ kind: 'search', text: 'TODO' }] }],
    [
      'list every FIXME marker in src/',
      { parts: [{ kind: 'search', text: 'FIXME', where: 'src/' }] },
    ],
    ['search for all TODOs', { parts: [{ kind: 'search', text: 'TODO' }] }],
    ['find "TODO comments"', { parts: [{ kind: 'search', text: 'TODO comments' }] }],
    [
      'find TODO in the code written by Bob',
      { parts: [{ kind: 'search', text: 'TODO' }], left: ['written by Bob'] },
    ],
    ['run ls -la with bash', { parts: [{ kind: 'run', command: 'ls -la' }] }],
    ['execute wc -l a.md in the terminal', { parts: [{ kind: 'run', command: 'wc -l a.md' }] }],
  ])('%s', (request, { parts, left = [] }) => {
    const read = readRequest(request)
    expect(read.parts.map(({ intent, into }) => ({ ...intent, into }))).toEqual(
      parts.map((part) => expect.objectContaining({ into: null, ...part })),
    )
    expect(read.left).toEqual(left)
  })

  it('names what is beyond twelve parts instead of planning it', () => {
    const { parts, left } = readRequest(
      Array.from({ length: 20 }, (_, at) => `read ${at}.md`).join('. '),
    )
    expect(parts).toHaveLength(12)
    expect(left.join(' ')).toContain('12.md')
    expect(left.join(' ')).toContain('19.md')
  })
})
