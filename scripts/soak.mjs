// npm run soak [-- turns [seed]]: long sessions by chance, judged after every turn; exits 1 on a problem.
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './prepare.mjs'

const [turns = '300', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2)
const { module } = await runnerImport(join(root, 'scripts/soak/run.ts'), {
  configFile: false,
  root,
})
const began = Date.now()
const report = await module.soak({ turns: Number(turns), seed: Number(seed) })
console.log(JSON.stringify({ seed: Number(seed), ms: Date.now() - began, ...report }, null, 2))
if (report.problems.length > 0) process.exitCode = 1
