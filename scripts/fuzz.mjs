// npm run fuzz [-- <cases> [<seed>]]: breaks transcripts of every foreign format and reads them, 100,000 times.
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './prepare.mjs'

const [cases = 100_000, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)
const BATCH = 1_000
/** Cases between two lines of progress where there is no terminal. */
const TOLD = 10_000

const { module } = await runnerImport(join(root, 'scripts/fuzz/run.ts'), {
  configFile: false,
  root,
})
const started = Date.now()
for (let done = 0; done < cases; done += BATCH) {
  const runs = Math.min(BATCH, cases - done)
  await module.fuzzForeign(runs, seed + done)
  const seconds = ((Date.now() - started) / 1000).toFixed(0)
  const so = `${done + runs} of ${cases} cases, ${seconds} s`
  if (process.stdout.isTTY) process.stdout.write(`\r${so}`)
  else if ((done + runs) % TOLD === 0) console.log(so)
}
const seconds = ((Date.now() - started) / 1000).toFixed(0)
console.log(`\nfuzz: ${cases} broken files read soundly in ${seconds} s (seed ${seed})`)
