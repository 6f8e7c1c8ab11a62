import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { View } from './model'
import { formatView, NO_SESSION, parseView } from './view'

const seq = fc.option(fc.nat(1_000_000), { nil: null })
const view: fc.Arbitrary<View> = fc.record({
  session: fc.uuid(),
  seq,
  node: seq,
  panel: fc.constantFrom('strata', 'surface', 'request', 'log', 'compare', 'files'),
  compare: seq,
})

it('a link reopens the same view', () => {
  fc.assert(
    fc.property(view, (v) => {
      expect(parseView(formatView(v))).toEqual(v)
    }),
  )
})

it('a hostile or broken query means the first screen, never an error', () => {
  for (const search of [
    '?s=<script>',
    '?s=../../x',
    '?s=',
    '?at=12',
    '?%E0%A4%A',
    `?s=${'a'.repeat(99)}`,
  ])
    expect(parseView(search).session).toBeNull()
  expect(parseView('?s=abc&at=-1&node=1.5&panel=nope&from=x')).toEqual({
    ...NO_SESSION,
    session: 'abc',
  })
  fc.assert(fc.property(fc.string(), (text) => void parseView(`?${text}`)))
})
