import { expect, it } from 'vitest'
import { rankEntry } from './palette-rank'

it('a command’s name counts before its other words, and those before scattered letters', () => {
  const entries: [string, string[]][] = [
    ['Export…', ['save', 'file', 'secrets', 'redact', 'Log (JSONL)', 'Request (Anthropic JSON)']],
    ['Storage use', ['privacy', 'data', 'settings']],
    ['Session settings', []],
    ['Settings', ['key', 'model']],
    ['Show the strata in angles', []],
  ]
  const found = (typed: string) =>
    entries
      .map(([name, words]) => [name, rankEntry(name, words, typed)] as const)
      .filter(([, rank]) => rank > 0)
      .sort((a, b) => b[1] - a[1])
      .map(([name]) => name)
  expect(found('Settings')).toEqual(['Settings', 'Session settings', 'Storage use'])
  expect(found('json')).toEqual(['Export…'])
  expect(found('save log')).toEqual(['Export…'])
  expect(found('stgs')).toContain('Settings')
  expect(found('zzz')).toEqual([])
  expect(found('')).toHaveLength(entries.length)
})
