/** Generated workspaces: names and contents from a seed, every quotation checked against them. */

import * as fc from 'fast-check'
import { expect } from 'vitest'

const SYLLABLES = ['ba', 'ro', 'ke', 'lu', 'min', 'tor', 'vex', 'sal', 'pi', 'dun', 'gra', 'ost']
export const word = fc
  .array(fc.constantFrom(...SYLLABLES), { minLength: 2, maxLength: 4 })
  .map((parts) => parts.join(''))
const sentence = fc
  .array(word, { minLength: 4, maxLength: 12 })
  .map((words) => `${words.join(' ')}.`)
const line = fc.oneof(
  { weight: 5, arbitrary: sentence },
  { weight: 1, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: word.map((name) => `## ${name} \`${name}\``) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(word, fc.nat(999))
      .map(([name, value]) => `${name} must never exceed ${value} \u{1F6A2}`),
  },
)
/** A small workspace of random names: a folder of prose, a script, two settings files and notes. */
export const world = fc
  .record({
    folder: word,
    names: fc.uniqueArray(word, { minLength: 5, maxLength: 9 }),
    constant: fc.tuple(word, word).map(([a, b]) => `${a}_${b}`.toUpperCase()),
    unused: word.map((name) => `zz_${name}`.toUpperCase()),
    value: fc.nat(9999),
    bodies: fc.array(fc.array(line, { minLength: 4, maxLength: 40 }), {
      minLength: 9,
      maxLength: 9,
    }),
    topic: word.map((name) => `qua${name}x`),
  })
  .map(({ folder, names, constant, unused, value, bodies, topic }) => {
    const paths = names.map((name, at) => `${folder}/${name}.${at % 2 ? 'md' : 'txt'}`).sort()
    const files: Record<string, string> = {}
    paths.forEach((path, at) => {
      files[path] = `${bodies[at]!.join('\n')}\n`
    })
    files[`src/${names[0]}.py`] =
      `"""${names[1]} of ${names[2]}."""\n\n${constant} = ${value}\n\n\ndef use():\n    return ${constant} + 1\n`
    files['conf/old.toml'] =
      `# ${names[0]}\nlimit = ${value}\nname = "${names[1]}"\n${bodies[0]!.join('\n')}\n`
    files['conf/new.toml'] =
      `# ${names[0]}\nlimit = ${value + 1}\nname = "${names[1]}"\nextra = true\n${bodies[0]!.join('\n')}\n`
    files['notes.md'] =
      `# ${names[3]}\n\nThe ${topic} is kept in ${paths[0]}.\n${bodies[1]!.join('\n')}\n`
    return { folder, paths, files, constant, unused, value, topic, script: `src/${names[0]}.py` }
  })
export type World = typeof world extends fc.Arbitrary<infer T> ? T : never

/** `path:line` and what is quoted there, read independently of the reader's own code. */
function quotations(words: string): { path: string; line: number; quoted: string }[] {
  return [...words.matchAll(/`([^`\n]+):(\d+)`: (`+)( ?)([\s\S]*?)\4\3(?!`)/g)].map((match) => ({
    path: match[1]!,
    line: Number(match[2]),
    quoted: match[5]!,
  }))
}

/** Every quotation of an answer stands where it says, and there are at least so many. */
export function expectQuoted(files: Record<string, string>, words: string, least: number): void {
  const found = quotations(words)
  expect(found.length).toBeGreaterThanOrEqual(least)
  expect(found.length).toBe([...words.matchAll(/`[^`\n]+:\d+`: /g)].length)
  for (const { path, line: number, quoted } of found) {
    const actual = files[path]?.split('\n')[number - 1] ?? `(no ${path}:${number})`
    expect(actual).toContain(quoted)
    expect(quoted).not.toBe('')
  }
}
