import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { SECTIONS } from '../../core/prompt'
import { emptyMemory, type Memory, readMemory, writeMemory } from './memory'

const titles = SECTIONS.map(({ title }) => title)
const words = fc.string({ unit: 'grapheme', maxLength: 60 })
const said = words.filter((text) => text.trim() !== '')
const path = fc.stringMatching(/^[a-z]{1,8}(\/[a-z-]{1,8}){0,2}\.(md|py)$/)
const note = fc.record({
  path,
  lines: fc.option(fc.nat(999)),
  line: fc.integer({ min: 1, max: 999 }),
  text: fc.option(fc.stringMatching(/^[a-z`]([a-z `]{0,20}[a-z`])?$/)),
})
const memory: fc.Arbitrary<Memory> = fc
  .record({
    request: said,
    earlier: fc.array(fc.record({ request: said, answer: fc.option(said) }), { maxLength: 3 }),
    isAnswered: fc.boolean(),
    constraints: fc.array(words, { maxLength: 3 }),
    decisions: fc.array(words, { maxLength: 3 }),
    notes: fc.uniqueArray(note, { maxLength: 4, selector: (one) => one.path }),
    readBefore: fc.uniqueArray(path, { maxLength: 3 }),
    changed: fc.uniqueArray(path, { maxLength: 3 }),
    ran: fc.array(fc.record({ command: said, printed: words }), { maxLength: 2 }),
    errors: fc.array(words, { maxLength: 3 }),
    left: fc.uniqueArray(path, { maxLength: 4 }),
    leftMore: fc.nat(3),
    part: fc.option(fc.integer({ min: 1, max: 9 })),
    calls: fc.nat(30),
    last: fc.option(path),
    lastWords: fc.option(said),
  })
  .map(({ notes, changed, last, left, leftMore, ...rest }) => ({
    ...emptyMemory(),
    ...rest,
    read: notes.map(({ path: file, lines, line, text }) => ({
      path: file,
      lines,
      cite: text === null ? null : { path: file, line, text },
    })),
    changed: new Map(changed.map((file) => [file, 'edit_file'])),
    list: last === null ? null : { done: 3, total: 9, last },
    left,
    leftMore,
    next: left.length > 0 ? `read_file ${JSON.stringify({ path: left[0] })}` : null,
  }))

it('[C14] what a record says is read back as it was written', () => {
  fc.assert(
    fc.property(memory, (before) => {
      expect(readMemory(writeMemory(before, titles))).toEqual(before)
    }),
  )
})

it('a record by a language model is read as far as its sections and paths allow', () => {
  const memory = readMemory(`## 1. Request and intent
The user asked: “read every file in agents/ one after the other”.

## Files and code
- agents/a.md: the first one, 10 lines
- agents/b.md, nothing special

## Open work
- agents/c.md and agents/d.md have not been read.

## Current state
Read agents/b.md last.

## Next step
Read agents/c.md`)
  expect(memory.request).toBe('read every file in agents/ one after the other')
  expect(memory.read.map((note) => note.path)).toEqual(['agents/a.md', 'agents/b.md'])
  expect(memory.left).toEqual(['agents/c.md', 'agents/d.md'])
  expect(memory.isAnswered).toBe(false)
})
