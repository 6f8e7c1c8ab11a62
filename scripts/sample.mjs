// npm run sample: writes public/sample-session.jsonl, the session the first screen opens.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './prepare.mjs'

const { module } = await runnerImport(join(root, 'scripts/sample/write.ts'), {
  configFile: false,
  root,
})
const folder = join(root, 'public/sample-workspace')
const index = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'))
const files = Object.fromEntries(
  await Promise.all(
    index.map(async ({ path }) => [path, await readFile(join(folder, path), 'utf8')]),
  ),
)
const { text, told } = await module.writeSample(files)
await writeFile(join(root, 'public/sample-session.jsonl'), text)
console.log(told)
