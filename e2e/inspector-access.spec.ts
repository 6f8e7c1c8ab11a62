/** The inspector for everybody: forced colours, zoom of 200 %, a narrow screen. */

import { expect, test } from './support/app'
import { openSample, playhead } from './support/workbench'

test('forced colours keep the picture and the curve', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await openSample(page)
  for (const place of ['strata', 'time-bar']) {
    const canvas = page.getByTestId(place).locator('canvas')
    await expect(canvas).toHaveAttribute('data-drawn', /\d/)
    const colours = await canvas.evaluate((element: HTMLCanvasElement) => {
      const context = element.getContext('2d') as CanvasRenderingContext2D
      const { data } = context.getImageData(0, 0, element.width, element.height)
      const seen = new Set<number>()
      for (let i = 0; i < data.length; i += 4)
        if ((data[i + 3] ?? 0) > 200)
          seen.add(((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0))
      return seen.size
    })
    expect(colours, place).toBeGreaterThan(3)
  }
  // Bars keep the colours that are their figures, and what is chosen is framed.
  const meter = page.getByRole('button', { name: /^Context:/ })
  const fills = await meter
    .locator('.figure span span')
    .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).backgroundColor))
  expect(new Set(fills).size).toBeGreaterThan(2)
  const chosen = page.getByRole('radiogroup', { name: 'Width of a node' }).locator('label')
  const frames = await chosen.evaluateAll((labels) =>
    labels.map((label) => getComputedStyle(label).outlineStyle),
  )
  expect(frames.filter((style) => style === 'solid')).toHaveLength(1)
})

// A window of 1440 × 900 at 200 % is half of that in CSS pixels.
for (const [name, size] of Object.entries({
  'two hundred per cent': { width: 720, height: 450 },
  'a narrow screen': { width: 390, height: 844 },
}))
  test(`at ${name} every view is reached and nothing is cut off`, async ({ page }) => {
    await openSample(page)
    await page.setViewportSize(size)
    const views = page.getByRole('navigation', { name: 'Views' })
    for (const view of ['Strata', 'Surface', 'Request', 'Log', 'Compare', 'Files']) {
      await views.getByText(view, { exact: true }).click()
      await expect(page.getByTestId('inspector')).toHaveAttribute('data-panel', view.toLowerCase())
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide, view).toBeLessThanOrEqual(size.width)
    }
    await views.getByText('Chat', { exact: true }).click()
    await expect(page.getByTestId('transcript')).toBeVisible()
    if (size.height > 520) {
      await playhead(page).focus()
      await page.keyboard.press('Home')
      await expect(page.getByTestId('time-bar')).toHaveAttribute('data-moment', '0')
    }
  })
