import { describe, expect, it } from 'vitest'
import type { BlobRef } from '../core/message'
import { runTool, toolsInPlace } from './testing/run-tool'
import { memoryWorkspace } from './workspace'

const sample = () =>
  memoryWorkspace({
    'README.md': '# Sample\n\nThe limit is LIMIT.\n',
    'src/app.py': 'LIMIT = 10\n\n\ndef total(rows):\n    return sum(rows[:LIMIT])\n',
    'src/dos.txt': 'one\r\ntwo\r\n',
    'logo.png': new Uint8Array([0x89, 0x50, 0, 1]),
  })

const on = (files = sample()) => {
  const tools = toolsInPlace(files)
  return { files, run: (name: string, input: unknown) => runTool(tools, name, input) }
}

describe('specs', () => {
  it('[Q6] come in one order with lean schemas', () => {
    const specs = toolsInPlace(sample()).map((tool) => tool.spec)
    expect(specs.map((spec) => spec.name)).toEqual([
      'read_file',
      'write_file',
      'edit_file',
      'list_files',
      'search_files',
      'bash',
      'compact',
      'recall_search',
      'recall_read',
    ])
    expect(specs[0]!.input_schema).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1 },
        from: { type: 'integer', minimum: 1, description: 'First line, counted from 1' },
        to: { type: 'integer', minimum: 1, description: 'Last line, included' },
      },
      required: ['path'],
      additionalProperties: false,
    })
    expect(JSON.stringify(specs).length).toBeLessThan(6_000)
  })

  it('answer bad input with what is wrong, what is expected and an example', async () => {
    const { run } = on()
    const answer = await run('read_file', { file: 'x', from: 0 })
    expect(answer).toMatch(/^ERROR Invalid input for read_file\. /)
    expect(answer).toContain('"path"')
    expect(answer).toContain('"from"')
    expect(answer).toContain('Unrecognized key')
    expect(answer).toContain('Expected {"path": string, "from"?: integer, "to"?: integer}')
    expect(answer).toContain('Example: {"path":"docs/guide.md","from":1,"to":40}')
    for (const input of [null, 'text', 7, [], { path: 3 }]) {
      expect(await run('read_file', input)).toMatch(/^ERROR Invalid input/)
    }
  })

  it('do nothing once aborted', async () => {
    const files = sample()
    const write = toolsInPlace(files).find((tool) => tool.spec.name === 'write_file')!
    const outcome = await write.run({ path: 'a', content: 'b' }, AbortSignal.abort())
    expect(outcome.isError).toBe(true)
    expect(await files.read('a')).toBeNull()
  })
})

describe('read_file', () => {
  it('numbers lines and says which range it shows', async () => {
    const { run } = on()
    expect(await run('read_file', { path: 'src/app.py', from: 4, to: 5 })).toBe(
      '4\tdef total(rows):\n5\t    return sum(rows[:LIMIT])\n[lines 4-5 of 5]',
    )
    expect(await run('read_file', { path: './README.md' })).toBe(
      '1\t# Sample\n2\t\n3\tThe limit is LIMIT.',
    )
    expect(await run('read_file', { path: 'src/dos.txt' })).toBe('1\tone\n2\ttwo')
  })

  it('cuts a long file and says how to go on, until the whole has been seen', async () => {
    const text = Array.from({ length: 4000 }, (_, at) => `line number ${at + 1}`).join('\n')
    const { run } = on(memoryWorkspace({ 'long.txt': text }))
    const seen: string[] = []
    let next: unknown = { path: 'long.txt' }
    for (let page = 0; next && page < 10; page++) {
      const answer = await run('read_file', next)
      expect(answer.length).toBeLessThan(33_000)
      seen.push(
        ...answer
          .split('\n')
          .filter((row) => row.includes('\t'))
          .map((row) => row.slice(row.indexOf('\t') + 1)),
      )
      const more = /go on with (\{.*\})\]/.exec(answer)
      next = more ? JSON.parse(more[1]!) : null
    }
    expect(seen.join('\n')).toBe(text)
  })

  it('[L5] cuts an endless line without parting a surrogate pair, and says so', async () => {
    const { run } = on(memoryWorkspace({ 'x.json': '😀'.repeat(9_000) }))
    const answer = await run('read_file', { path: 'x.json' })
    expect(answer.isWellFormed()).toBe(true)
    expect(answer).toContain('[lines 1 are cut at 4000 characters')
  })

  it('explains what is not there', async () => {
    const { run } = on()
    expect(await run('read_file', { path: 'app.py' })).toBe(
      'ERROR There is no file app.py. Did you mean src/app.py?',
    )
    expect(await run('read_file', { path: 'src' })).toContain('src is a folder with 2 files')
    expect(await run('read_file', { path: '../etc/passwd' })).toContain('leads upwards')
    expect(await run('read_file', { path: 'README.md', from: 9 })).toBe(
      'ERROR README.md has 3 lines; "from" is 9.',
    )
    expect(await run('read_file', { path: 'logo.png' })).toContain('not a text file (4 bytes)')
  })

  it('gives an image as an image block when the workspace has a blob for it', async () => {
    const blob: BlobRef = { type: 'blob', hash: 'ab', media_type: 'image/png', bytes: 4 }
    const files = { ...sample(), blob: async () => blob }
    const outcome = await toolsInPlace(files)[0]!.run(
      { path: 'logo.png' },
      new AbortController().signal,
    )
    expect(outcome.isError).toBe(false)
    expect(outcome.content[1]).toEqual({ type: 'image', source: blob })
  })
})

describe('write_file and edit_file', () => {
  it('create, replace and mark what changed', async () => {
    const { files, run } = on()
    expect(await run('write_file', { path: 'notes/a.txt', content: 'x\ny\n' })).toBe(
      'Created notes/a.txt (2 lines, 4 bytes).',
    )
    expect(await run('write_file', { path: 'README.md', content: '' })).toBe(
      'Replaced README.md (0 lines, 0 bytes).',
    )
    await files.remove('src/dos.txt')
    const changes = Object.fromEntries(
      (await files.list()).map((file) => [file.path, file.changed]),
    )
    expect(changes).toEqual({
      'README.md': 'modified',
      'logo.png': null,
      'notes/a.txt': 'added',
      'src/app.py': null,
      'src/dos.txt': 'deleted',
    })
    expect(await files.base('README.md')).toContain('# Sample')
  })

  it('refuse to put a file where a folder is', async () => {
    const { run } = on()
    expect(await run('write_file', { path: 'src', content: '' })).toContain('src is a folder')
    expect(await run('write_file', { path: 'README.md/x', content: '' })).toContain(
      'README.md is a file',
    )
  })

  it('edit exactly one place and show it', async () => {
    const { files, run } = on()
    expect(
      await run('edit_file', {
        path: 'src/app.py',
        old_text: 'LIMIT = 10',
        new_text: 'LIMIT = 20',
      }),
    ).toBe('Edited src/app.py (1 place). It now reads:\n1\tLIMIT = 20\n2\t\n3\t')
    expect(await files.read('src/app.py')).toMatch(/^LIMIT = 20\n/)
  })

  it('say how many matches there are and change nothing', async () => {
    const { files, run } = on()
    const before = await files.read('src/app.py')
    expect(
      await run('edit_file', { path: 'src/app.py', old_text: 'LIMIT', new_text: 'MAX' }),
    ).toContain('matches 2 times in src/app.py (lines 1, 5)')
    expect(
      await run('edit_file', { path: 'src/app.py', old_text: 'limit', new_text: 'MAX' }),
    ).toContain('No match')
    expect(
      await run('edit_file', { path: 'src/app.py', old_text: 'def  total(rows):', new_text: 'x' }),
    ).toContain('Line 4 differs from it only in white space')
    expect(await run('edit_file', { path: 'src/app.py', old_text: 'x', new_text: 'x' })).toContain(
      'are the same',
    )
    expect(await files.read('src/app.py')).toBe(before)
    expect(
      await run('edit_file', { path: 'src/app.py', old_text: 'LIMIT', new_text: '$&', all: true }),
    ).toContain('2 places')
    expect(await files.read('src/app.py')).toContain('sum(rows[:$&])')
  })

  it('keep CRLF line ends', async () => {
    const { files, run } = on()
    await run('edit_file', { path: 'src/dos.txt', old_text: 'one\ntwo', new_text: 'a\nb\nc' })
    expect(await files.read('src/dos.txt')).toBe('a\r\nb\r\nc\r\n')
  })
})

describe('list_files and search_files', () => {
  it('list folders and globs', async () => {
    const { run } = on()
    expect(await run('list_files', { path: 'src/' })).toBe(
      '2 files in src/:\nsrc/app.py\t59\nsrc/dos.txt\t10',
    )
    expect(await run('list_files', { path: '*.md' })).toBe('1 file in *.md:\nREADME.md\t30')
    expect(await run('list_files', {})).toContain('4 files in the workspace')
    expect(await run('list_files', { path: 'nope' })).toBe(
      'ERROR There is nothing at nope. Top folders: ., src.',
    )
    expect(await run('list_files', { path: 'nope/*' })).toBe('No files match nope/*.')
  })

  it('find literal text and regular expressions with path and line', async () => {
    const { run } = on()
    expect(await run('search_files', { query: 'LIMIT' })).toBe(
      '3 matches in 2 files:\nREADME.md:3: The limit is LIMIT.\nsrc/app.py:1: LIMIT = 10\nsrc/app.py:5:     return sum(rows[:LIMIT])',
    )
    expect(await run('search_files', { query: '^def \\w+', regex: true, context: 1 })).toBe(
      '1 match in 1 file:\nsrc/app.py-3- \nsrc/app.py:4: def total(rows):\nsrc/app.py-5-     return sum(rows[:LIMIT])',
    )
    expect(
      await run('search_files', { query: 'limit', ignore_case: true, path: 'README.md' }),
    ).toContain('1 match in 1 file')
    expect(await run('search_files', { query: '(' })).toContain('2 matches')
    expect(await run('search_files', { query: '(', regex: true })).toMatch(
      /^ERROR The search failed: /,
    )
    expect(await run('search_files', { query: 'zzz' })).toBe('No match for "zzz" in 3 files.')
    expect(await run('search_files', { query: 'x', path: 'logo.png' })).toContain('no text files')
  })

  it('show context once when matches lie side by side', async () => {
    const { run } = on(memoryWorkspace({ t: 'a\nhit\nb\nhit\nhit\nc\n' }))
    expect(await run('search_files', { query: 'hit', context: 2 })).toBe(
      '3 matches in 1 file:\nt-1- a\nt:2: hit\nt-3- b\nt:4: hit\nt:5: hit\nt-6- c',
    )
  })

  it('cap what they show and say so', async () => {
    const { run } = on(
      memoryWorkspace({
        'a.txt': 'hit\n'.repeat(500),
        ...Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`many/${at}`, ''])),
      }),
    )
    expect(await run('search_files', { query: 'hit' })).toMatch(
      /More than 100 matches in 1 file:[\s\S]*the first 100 matches shown/,
    )
    expect(await run('list_files', { path: 'many' })).toContain('[100 more not shown')
  })
})

describe('bash', () => {
  it('works over the workspace and brings changes back', async () => {
    const { files, run } = on()
    expect(await run('bash', { command: 'wc -l src/*; cat logo.png | wc -c' })).toContain(
      '5 src/app.py',
    )
    expect(
      await run('bash', {
        command:
          'mkdir d && sed s/10/30/ src/app.py > d/new.py && rm README.md && echo "né 😀" >> src/dos.txt',
      }),
    ).toBe('[workspace: wrote d/new.py, src/dos.txt; deleted README.md]')
    expect(await files.read('d/new.py')).toContain('LIMIT = 30')
    expect(await files.read('src/dos.txt')).toBe('one\r\ntwo\r\nné 😀\n')
    expect(await files.read('README.md')).toBeNull()
    expect(await files.read('logo.png')).toEqual(new Uint8Array([0x89, 0x50, 0, 1]))
  })

  it('reports failure, cuts long output and drops what a workspace cannot hold', async () => {
    const { run } = on()
    expect(await run('bash', { command: 'cat nope' })).toMatch(
      /^ERROR \[stderr\]\n.*nope.*\n\[exit code 1\]$/s,
    )
    const long = await run('bash', { command: 'seq 1 9000' })
    expect(long).toMatch(/^1\n2\n[\s\S]*characters left out[\s\S]*\n9000$/)
    expect(long.length).toBeLessThan(17_000)
    expect(await run('bash', { command: 'ln -s README.md l' })).toContain(
      'did not keep (links and such names are not supported) l',
    )
    expect(await run('bash', { command: 'true' })).toBe('[no output]')
    expect(await run('bash', { command: 'if then' })).toContain('syntax error')
  })

  it('works in an empty workspace', async () => {
    const { files, run } = on(memoryWorkspace())
    await run('bash', { command: 'pwd; echo hi > a.txt' })
    expect(await files.read('a.txt')).toBe('hi\n')
  })
})

describe('compact', () => {
  it('[C12] answers that it is scheduled and passes the focus on', async () => {
    const compact = toolsInPlace(sample()).find((tool) => tool.spec.name === 'compact')!
    const outcome = await compact.run({ focus: 'the open work' }, new AbortController().signal)
    expect(outcome.isError).toBe(false)
    expect(outcome.compact).toEqual({ focus: 'the open work' })
    expect((await compact.run({}, new AbortController().signal)).compact).toEqual({})
  })
})
