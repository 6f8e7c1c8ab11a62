import { expect, it } from 'vitest'
import { textBlock } from './blocks'
import { createBuilder } from './builder'

/** The title a session gets of what a person said first. */
function titled(said: string): string | undefined {
  const builder = createBuilder({ version: 1, id: 's', createdAt: 0 })
  const at = { index: 0, line: 1, nth: 0, at: 0, bytes: 1, damaged: false }
  builder.user(at, [textBlock(said)])
  for (const part of builder.finish()) {
    if (part.type !== 'events') continue
    for (const event of part.events) if (event.type === 'session/title') return event.data.title
  }
}

it('a title is the first line with words, cut at a word after sixty code points', () => {
  expect(titled(' \n\t\r\n  Mend the door  \r\nand more')).toBe('Mend the door')
  expect(titled('😀'.repeat(60))).toBe('😀'.repeat(60))
  expect(titled('😀'.repeat(61))).toBe(`${'😀'.repeat(60)}…`)
  expect(titled('word '.repeat(2_000_000))).toBe(`${'word '.repeat(11)}word…`)
  expect(titled('<system>a program</system>')).toBeUndefined()
  expect(titled(' \n ')).toBeUndefined()
})
