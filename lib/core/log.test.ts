import { expect, it } from 'vitest'
import { balancedCuts } from './pairing'
import { build, call, result, user } from './testing/build'

it('[P1] no cut parts a call from its result', () => {
  const { nodes, heads } = build(user('hi'), call('a'), result('a'), user('bye'))
  expect(balancedCuts(nodes, heads)).toEqual([0, 1, 3, 4])
})
