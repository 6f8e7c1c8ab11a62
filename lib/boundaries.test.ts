import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const ANY = /./
/** Room → rooms it may import besides itself, packages it may import (docs/architecture.md). */
const MAY: Record<string, { rooms: string[]; packages: RegExp }> = {
  'lib/core': { rooms: [], packages: /^$/ },
  'lib/ports': { rooms: ['lib/core'], packages: /^$/ },
  'lib/agent': { rooms: ['lib/core', 'lib/ports'], packages: /^$/ },
  'lib/providers': {
    rooms: ['lib/core', 'lib/ports'],
    packages: /^(@anthropic-ai\/sdk|zod|server-only)/,
  },
  'lib/tools': { rooms: ['lib/core', 'lib/ports'], packages: /^(just-bash|zod|fflate|diff)/ },
  'lib/storage': { rooms: ['lib/core', 'lib/ports'], packages: /^(dexie|zod|canonicalize|fflate)/ },
  'lib/formats': { rooms: ['lib/core'], packages: /^(zod|fflate|fzstd)/ },
  'lib/state': {
    rooms: [
      'lib/core',
      'lib/ports',
      'lib/agent',
      'lib/providers',
      'lib/tools',
      'lib/storage',
      'lib/formats',
    ],
    packages: /^(zustand|react|zod)/,
  },
  'lib/server': { rooms: ['lib/core', 'lib/ports', 'lib/providers'], packages: ANY },
  components: { rooms: ['lib/core', 'lib/state'], packages: ANY },
  app: { rooms: ['components', 'lib/state', 'lib/server'], packages: ANY },
  // Sessions as large as the bench's are made by the bench's generator.
  e2e: { rooms: ['scripts/bench'], packages: ANY },
  'scripts/bench': { rooms: ['lib/core'], packages: ANY },
}
const roomOf = (path: string) =>
  Object.keys(MAY).find(
    (room) => path === room || path.startsWith(`${room}/`) || path.startsWith(`${room}.`),
  )
const IMPORT =
  /^(?:import|export)\b[^'"]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
const isTest = (path: string) => /(\.test\.tsx?$)|(\/testing\/)/.test(path)

function* sources(dir: string): Generator<string> {
  for (const name of readdirSync(join(root, dir))) {
    const path = `${dir}/${name}`
    if (statSync(join(root, path)).isDirectory()) yield* sources(path)
    else if (/\.(ts|tsx|mts)$/.test(name)) yield path
  }
}

it('every import goes to a floor below', () => {
  const wrong: string[] = []
  for (const path of ['app', 'components', 'lib', 'e2e'].flatMap((dir) => [...sources(dir)])) {
    const room = roomOf(path)
    if (!room || isTest(path)) continue
    const text = readFileSync(join(root, path), 'utf8')
    for (const match of text.matchAll(IMPORT)) {
      const target = (match[1] ?? match[2] ?? match[3]) as string
      const inside = target.startsWith('@/')
        ? target.slice(2)
        : target.startsWith('.')
          ? relative(root, resolve(root, dirname(path), target))
          : null
      const allowed =
        inside === null
          ? MAY[room]!.packages.test(target)
          : [room, ...MAY[room]!.rooms].includes(roomOf(inside) ?? '')
      if (!allowed && !/\.css$/.test(target)) wrong.push(`${path} imports ${target}`)
    }
  }
  expect(wrong).toEqual([])
})
