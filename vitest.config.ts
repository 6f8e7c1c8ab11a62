import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('./', import.meta.url))
export default defineConfig({
  resolve: {
    alias: { '@/': root, 'server-only': `${root}scripts/server-only-stub.mjs` },
  },
  test: {
    include: [
      'lib/**/*.test.ts',
      'components/**/*.test.ts',
      'app/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    environment: 'node',
    // Nothing here measures time; a busy machine must not look like a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', './scripts/reporters/vitest-closing-line.ts'],
  },
})
