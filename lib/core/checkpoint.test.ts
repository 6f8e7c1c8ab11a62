import { expect, it } from 'vitest'
import { checkpointText, readableRecord } from './checkpoint'

it('[C13] people read a record without the tags that frame it for the model', () => {
  const summary = 'Read `a.md`.\n\n<record> is a word here\n</records>'
  const text = checkpointText(summary, [])
  expect(text).toMatch(/^<record>\n/)
  const read = readableRecord(text)
  expect(read).toContain(summary)
  expect(read).toMatch(/^This record stands/)
  expect(read).not.toMatch(/<\/record>/)
  expect(readableRecord('no record')).toBe('no record')
})
