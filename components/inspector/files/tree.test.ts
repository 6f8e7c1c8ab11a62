import { expect, it } from 'vitest'
import type { WorkspaceFile } from '@/lib/state/model'
import { fileRows } from './tree'

const file = (path: string, changed: WorkspaceFile['changed'] = null): WorkspaceFile => ({
  path,
  bytes: 1,
  text: true,
  changed,
})
const files = [
  file('notes.md'),
  file('agents/s02.py'),
  file('agents/deep/x.py', 'modified'),
  file('agents/s01.py'),
  file('bin/run'),
]
const show = (closed: string[] = []) =>
  fileRows(files, new Set(closed)).map((row) => `${'  '.repeat(row.level)}${row.name}`)

it('folders come before files, each by name, at every level', () => {
  expect(show()).toEqual([
    'agents',
    '  deep',
    '    x.py',
    '  s01.py',
    '  s02.py',
    'bin',
    '  run',
    'notes.md',
  ])
})

it('a closed folder keeps its rows', () => {
  expect(show(['agents'])).toEqual(['agents', 'bin', '  run', 'notes.md'])
})

it('a folder says that something in it changed', () => {
  const folders = fileRows(files, new Set()).filter((row) => row.row === 'folder')
  expect(folders.map((row) => [row.path, row.changed])).toEqual([
    ['agents', true],
    ['agents/deep', true],
    ['bin', false],
  ])
})
