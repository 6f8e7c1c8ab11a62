import { expect, it } from 'vitest'
import { snapTo } from './range'

it('[P1] a range grows to the nearest balanced cuts', () => {
  expect(snapTo([0, 1, 3, 4], 1, 1)).toEqual({ from: 1, to: 2 })
  expect(snapTo([0, 1, 3, 4], 2, 0)).toEqual({ from: 0, to: 2 })
  expect(snapTo([0, 1, 3, 4], 3, 3)).toEqual({ from: 3, to: 3 })
})

it('[P1] there is no range around a call that is still open', () => {
  expect(snapTo([0, 1], 1, 2)).toBeNull()
})
