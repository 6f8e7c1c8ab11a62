import { it } from 'vitest'
import { fuzzForeign } from './testing/fuzz'

it('whatever is done to a foreign file, it is read soundly and no record is lost', async () => {
  await fuzzForeign(2_000)
}, 300_000)
