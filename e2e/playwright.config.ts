import { defineConfig } from '@playwright/test'

const PORT = Number(process.env.E2E_PORT ?? 3311)
const FAKE_PORT = Number(process.env.E2E_FAKE_PORT ?? 3312)

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['../scripts/reporters/playwright-closing-line.ts']],
  use: { baseURL: `http://127.0.0.1:${PORT}`, trace: 'off', actionTimeout: 15_000 },
  webServer: [
    {
      command: 'node e2e/support/fake-anthropic/main.mjs',
      cwd: '..',
      port: FAKE_PORT,
      reuseExistingServer: false,
      env: { FAKE_PORT: String(FAKE_PORT) },
    },
    {
      command: `node node_modules/next/dist/bin/next start -H 127.0.0.1 -p ${PORT}`,
      cwd: '..',
      url: `http://127.0.0.1:${PORT}/api/health`,
      reuseExistingServer: false,
      stdout: 'ignore',
      stderr: 'pipe',
      env: {
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${FAKE_PORT}`,
        ANTHROPIC_API_KEY: 'test-key',
        NEXT_TELEMETRY_DISABLED: '1',
      },
    },
  ],
})
