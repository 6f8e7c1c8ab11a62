/** Chromium killed, the process, at random moments: nothing acknowledged is lost (R2, R4). */

import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { runKills } from './support/kills'

const KILLS = 20

test('[R4] killed twenty times in the middle of its work, it opens and has lost nothing', async ({
  baseURL,
}) => {
  test.setTimeout(KILLS * 20_000)
  const { counts, found } = await runKills({
    baseURL: baseURL ?? '',
    root: fileURLToPath(new URL('..', import.meta.url)),
    executable: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    count: KILLS,
    random: Math.random,
  })
  expect(found).toEqual([])
  expect(Object.values(counts).reduce((sum, each) => sum + each, 0)).toBe(KILLS)
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0)
})
