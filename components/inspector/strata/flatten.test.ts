import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createHistory } from '@/lib/core/history'
import { createStrata, extendStrata } from '@/lib/core/projections/strata'
import { layoutStrata } from '@/lib/core/projections/strata-layout'
import { structures } from '@/lib/core/testing/structure'
import { ancestors, flatten } from './flatten'

const layouts = structures
  .filter(({ heads }) => heads.length > 0)
  .map(({ heads }) =>
    layoutStrata(extendStrata(createStrata(), heads), createHistory(heads), heads.length - 1),
  )

it('closed, the list is the surface', () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      const rows = flatten(layout, new Set())
      expect(rows.map((row) => row.seq)).toEqual([
        ...layout.seq.subarray(0, layout.rowStart[1] ?? 0),
      ])
    }),
  )
})

it('fully open, the list holds every node once, each right below what it lies under', () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      const rows = flatten(layout, new Set(layout.seq))
      expect(rows.map((row) => row.seq).sort((a, b) => a - b)).toEqual(
        [...layout.seq].sort((a, b) => a - b),
      )
      rows.forEach((row, at) => {
        const above = rows.slice(0, at).findLast((other) => other.level === row.level - 1)
        expect(above?.index ?? -1).toBe(layout.parent[row.index])
      })
    }),
  )
})

it('opening its ancestors brings a node into the list', () => {
  fc.assert(
    fc.property(layouts, fc.nat(), (layout, pick) => {
      fc.pre(layout.count > 0)
      const index = pick % layout.count
      const rows = flatten(layout, new Set(ancestors(layout, index)))
      expect(rows.some((row) => row.index === index)).toBe(true)
    }),
  )
})
