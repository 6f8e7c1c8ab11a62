import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileGlob } from './glob'
import { normaliseFolder, normalisePath } from './path'

const spellingOf = (path: string) => {
  const result = normalisePath(path)
  return result.ok ? result.value : null
}

describe('normalisePath', () => {
  it('gives one spelling for every way to write a path', () => {
    for (const path of [
      'a/b.md',
      './a/b.md',
      '/a/b.md',
      'a//b.md',
      '/workspace/a/b.md',
      'a/./b.md',
    ]) {
      expect(spellingOf(path)).toBe('a/b.md')
    }
    expect(spellingOf('e\u0301.md')).toBe('\u00e9.md')
    expect(spellingOf('workspace/a')).toBe('workspace/a')
  })

  it('refuses what leads out of the workspace or hides what it names', () => {
    const hostile = [
      '../a',
      'a/../../b',
      'a/..',
      '..',
      'C:/x',
      'a\\b',
      'a\u0000b',
      'a\nb',
      'x\u202egnp.exe',
      '',
      '/',
      '.',
      '__proto__/x',
      `${'a/'.repeat(600)}b`,
      `${'n'.repeat(256)}`,
      ' a',
      'a /b',
      '\ud800',
    ]
    for (const path of hostile) expect([path, spellingOf(path)]).toEqual([path, null])
  })

  it('is a fixed point and never yields an escape', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '..', '.', '', '/', 'b.md', '\\', ' ', 'workspace'), {
          maxLength: 8,
        }),
        (parts) => {
          const value = spellingOf(parts.join('/'))
          if (value === null) return
          expect(spellingOf(value)).toBe(value)
          expect(value.split('/')).not.toContain('..')
          expect(value.startsWith('/')).toBe(false)
        },
      ),
    )
  })

  it('knows the root as a folder only', () => {
    for (const root of ['', '.', './', '/', '/workspace', '/workspace/']) {
      expect(normaliseFolder(root)).toEqual({ ok: true, value: '' })
    }
    expect(normaliseFolder('docs/')).toEqual({ ok: true, value: 'docs' })
    expect(normaliseFolder('../x').ok).toBe(false)
  })
})

describe('compileGlob', () => {
  const paths = ['a.md', 'docs/b.md', 'docs/deep/c.md', 'src/x.py', 'src/y.ts', 'docs/[z].md']
  it.each([
    ['*.md', ['a.md', 'docs/b.md', 'docs/deep/c.md', 'docs/[z].md']],
    ['docs/*.md', ['docs/b.md', 'docs/[z].md']],
    ['docs/**', ['docs/b.md', 'docs/deep/c.md', 'docs/[z].md']],
    ['**/*.md', ['a.md', 'docs/b.md', 'docs/deep/c.md', 'docs/[z].md']],
    ['src/*.{py,ts}', ['src/x.py', 'src/y.ts']],
    ['src/[xy].*', ['src/x.py', 'src/y.ts']],
    ['src/[!x].*', ['src/y.ts']],
    ['./docs/?.md', ['docs/b.md']],
    ['docs/[z', []],
  ])('%s', (glob, expected) => {
    expect(paths.filter(compileGlob(glob))).toEqual(expected)
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (glob) => void compileGlob(glob)('docs/b.md')))
  })
})
