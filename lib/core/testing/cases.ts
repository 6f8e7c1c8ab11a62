/** Cases of reference vectors, one JSON value a line; the first line holds what the cases share. */

import { readFileSync } from 'node:fs'

/** `{repeat: ['a', ['q', 500]]}` stands for an `a` and 500 `q`. */
const spell = (parts: (string | [string, number])[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part[0].repeat(part[1]))).join('')

export function readCases<Shared, Case>(name: string): { shared: Shared; cases: Case[] } {
  const file = new URL(`./vectors/${name}.jsonl`, import.meta.url)
  const [shared, ...cases] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) =>
      JSON.parse(line, (_, value) => (Array.isArray(value?.repeat) ? spell(value.repeat) : value)),
    )
  return { shared: shared as Shared, cases: cases as Case[] }
}
