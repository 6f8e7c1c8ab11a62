/** Benches of the domain, in Node. */

import { createHistory } from '../../lib/core/history'
import { createStrata, extendStrata } from '../../lib/core/projections/strata'
import { layoutStrata } from '../../lib/core/projections/strata-layout'
import { foldSurface } from '../../lib/core/surface'
import { type Figure, figure, median, time } from './figures'
import { generateSession, headsOf, seeded } from './session'

export async function run(): Promise<Figure[]> {
  const heads = headsOf(generateSession(10_000))
  const history = createHistory(heads)
  const random = seeded(11)
  const seqs = Array.from({ length: 200 }, () => Math.floor(random() * heads.length))

  const folded = await time(9, () => foldSurface(heads.slice(0, 5_000)))
  const seek = await time(9, () => {
    for (const seq of seqs) history.surfaceAt(seq)
  })
  const perSeek = median(seek) / seqs.length

  const pass = await time(9, () => {
    let tokens = 0
    for (const head of heads) tokens += head.tokens
    return tokens
  })
  const index = extendStrata(createStrata(), heads)
  const layout = await time(9, () => layoutStrata(index, history, heads.length - 1))
  // One microsecond for each node, on top of one pass over the heads.
  const allowed = median(pass) + index.nodes / 1000

  return [
    figure(
      'surfaceAt at 10k events, beside foldSurface of half of them',
      perSeek,
      median(folded),
      1 / 20,
    ),
    figure('strata layout at 10k events, beside 1 µs a node', median(layout), allowed, 1),
  ]
}
