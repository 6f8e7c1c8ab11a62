/** What axe finds that keeps people out. */

import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const GRAVE: readonly (string | null | undefined)[] = ['serious', 'critical']

type Scope = {
  /** Names the view in a failure. */
  where: string
  /** CSS selector of what is new in this view; the rest was looked at before. */
  within?: string
  /** Only the contrast of colours: all that another theme changes. */
  coloursOnly?: boolean
}

/** No serious or critical violation, and nothing wider than the window. */
export async function expectAccessible(
  page: Page,
  { where, within, coloursOnly }: Scope,
): Promise<void> {
  // Legacy mode runs in this page alone; there are no frames to look into.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  // What passes is not written up: most of the time would go into that.
  axe.options({ resultTypes: ['violations'] })
  if (within) axe.include(within)
  if (coloursOnly) axe.withRules(['color-contrast'])
  const { violations } = await axe.analyze()
  const found = violations
    .filter(({ impact }) => GRAVE.includes(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${where}: ${id} ${target} ${failureSummary}`),
    )
  expect(found).toEqual([])
  const { wide, window } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    window: innerWidth,
  }))
  expect(wide, where).toBeLessThanOrEqual(window)
}
