import { expect, it } from 'vitest'
import { soak } from './run'

it.each([1, 2, 3])(
  '[K4] [Q5] [R4] twenty turns by chance (seed %i) leave a clean log, accepted requests and true hashes',
  async (seed) => {
    const report = await soak({ turns: 20, seed })
    expect(report.problems).toEqual([])
    expect(report.done.turn).toBeGreaterThan(15)
    expect(report.rebuilt).toBeGreaterThan(20)
  },
  60_000,
)
