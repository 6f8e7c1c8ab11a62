import { expect, it } from 'vitest'
import { exportFormat, parseCommand, suggestions } from './commands'

it('reads a command with its argument', () => {
  expect(parseCommand('/compact keep the parser\nand tests')).toEqual({
    name: 'compact',
    argument: 'keep the parser\nand tests',
  })
  expect(parseCommand('/fork')).toEqual({ name: 'fork', argument: '' })
})

it('takes paths and unknown words as messages', () => {
  expect(parseCommand('/etc/hosts is missing')).toBeNull()
  expect(parseCommand('/compacted')).toBeNull()
  expect(parseCommand('see /compact')).toBeNull()
})

it('suggests only while the name is being written', () => {
  expect(suggestions('/').map(({ name }) => name)).toContain('export')
  expect(suggestions('/re').map(({ name }) => name)).toEqual(['rename'])
  expect(suggestions('/compact focus')).toEqual([])
  expect(suggestions('hello /')).toEqual([])
})

it('understands what to export', () => {
  expect(['', 'md', 'Markdown', 'request', 'jsonl', 'scroll'].map(exportFormat)).toEqual([
    ...[null, 'markdown', 'markdown', 'request', 'native', null],
  ])
})
