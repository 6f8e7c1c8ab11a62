import { expect, it } from 'vitest'
import type { Range } from '@/lib/core/event'
import { startReview, useReview } from './review-store'

const run = (start: number, end: number) => ({ start, end, seqs: [start, end], tokens: 900 })

it('[C16] all drafts of a review are asked for at once, whatever is on screen when the first is written', async () => {
  const asked: (readonly Range[] | null)[] = []
  const plan = { runs: [run(2, 4), run(7, 9)], rows: [], refusal: null }
  await startReview(
    {
      async draft(ranges) {
        asked.push(ranges)
        return null
      },
    },
    { session: 'one', plan, isWhole: false },
  )
  expect(asked).toMatchObject([
    [
      { start: 2, end: 4 },
      { start: 7, end: 9 },
    ],
  ])
  expect(useReview.getState().review).toMatchObject({ stage: 'ready', isWithout: true })
})
