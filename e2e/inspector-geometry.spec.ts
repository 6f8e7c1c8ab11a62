/** Where Strata and Time draw things, for six fixed sessions: a click where the log says a node lies must find it. */

import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/app'
import { draw, openDrawn, SHAPES, words } from './support/inspector-logs'
import { type Event, foldAt } from './support/log'
import { openPanel, playhead } from './support/workbench'

type Box = { seq: number; left: number; right: number; depth: number }

/** Every node one unit wide: appended nodes side by side, a replacement over its span, spans one row down. */
function boxesOf(events: readonly Event[]): Box[] {
  const { surface, shadows } = foldAt(events, events.length - 1)
  const appended = events.filter(({ surfaceOp }) => surfaceOp === 'append').map(({ seq }) => seq)
  const edges = (seq: number): [number, number] => {
    const span = shadows.get(seq)
    if (!span) return [appended.indexOf(seq), appended.indexOf(seq) + 1]
    return [edges(span[0] as number)[0], edges(span.at(-1) as number)[1]]
  }
  const place = (seq: number, depth: number): Box[] => {
    const [left, right] = edges(seq)
    const below = (shadows.get(seq) ?? []).flatMap((under) => place(under, depth + 1))
    return [{ seq, left, right, depth }, ...below]
  }
  return surface.flatMap((seq) => place(seq, 0))
}

const pictureOf = (page: Page) => page.getByRole('application', { name: /^Strata/ })

for (const [name, shape] of Object.entries(SHAPES))
  test(`strata of a ${name} session`, async ({ page }) => {
    const pen = draw()
    shape(pen)
    await page.goto('/')
    await openDrawn(page, `fixed-${name}`, pen.events)
    const panel = await openPanel(page, 'Strata')
    await panel.getByText('Count', { exact: true }).click()
    const picture = pictureOf(page)
    const boxes = boxesOf(pen.events)
    const total = Math.max(...boxes.map(({ right }) => right))
    await expect(picture).toHaveAttribute('data-nodes', String(boxes.length))
    await expect(picture).toHaveAttribute('data-total', String(total))
    const depth = Math.max(...boxes.map((box) => box.depth)) + 1
    await expect(picture).toHaveAttribute('data-rows', String(depth))
    const area = await picture.boundingBox()
    if (!area) throw new Error('the picture is not there')
    const { top, step, row } = await picture.evaluate((element) => ({
      top: Number(element.dataset.top),
      step: Number(element.dataset.step),
      row: Number(element.dataset.row),
    }))
    for (const box of boxes) {
      // Near either edge as well as in the middle.
      const at = (share: number) => ({
        x: ((box.left + share * (box.right - box.left)) / total) * area.width,
        y: top + box.depth * step + row / 2,
      })
      for (const share of [0.06, 0.5, 0.94]) {
        await picture.click({ position: at(share) })
        await expect(picture).toHaveAttribute('data-selected', String(box.seq))
        await page.keyboard.press('Escape')
      }
    }
    const painted = await picture.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      const { width, height } = canvas
      const { data } = context.getImageData(0, 0, width, height)
      return { width, height, alpha: data.filter((_, i) => i % 4 === 3) }
    })
    const scale = painted.width / area.width
    for (const box of boxes) {
      const x = Math.round(((box.left + box.right) / 2 / total) * area.width * scale)
      const y = Math.round((top + box.depth * step + row - 4) * scale)
      expect(painted.alpha[y * painted.width + x], `node ${box.seq} is painted`).toBeGreaterThan(0)
    }
  })

for (const [name, shape] of Object.entries(SHAPES))
  test(`time of a ${name} session`, async ({ page }) => {
    const pen = draw()
    shape(pen)
    await page.goto('/')
    await openDrawn(page, `time-${name}`, pen.events)
    const newest = pen.events.length - 1
    const bar = page.getByTestId('time-bar')
    const boxOf = async (locator: Locator) => {
      const box = await locator.boundingBox()
      if (!box) throw new Error('it is not on the page')
      return box
    }
    const track = () => boxOf(bar.locator('[data-orientation]').first())
    /** Pixels from the track's left edge to the middle of the thumb. */
    const middle = async () => {
      const [thumb, { x }] = [await boxOf(playhead(page)), await track()]
      return thumb.x + thumb.width / 2 - x
    }
    // The value is told in the frame before the one that draws it.
    const expectAt = (seq: number) =>
      expect
        .poll(async () => Math.abs((await middle()) - (seq / newest) * (await track()).width))
        .toBeLessThan(1.5)
    await expect(playhead(page)).toHaveAttribute('aria-valuemax', String(newest))
    for (const seq of [0, Math.floor(newest / 2), newest - 1]) {
      const { x, y, width, height } = await track()
      await page.mouse.click(x + (seq / newest) * width, y + height / 2)
      await expect(playhead(page)).toHaveAttribute('aria-valuenow', String(seq))
      await expectAt(seq)
    }
    await bar.getByRole('button', { name: /^By wall clock/ }).click()
    await expect(bar).toHaveAttribute('data-gaps', name === 'derived' ? '1' : '0')
    // A second apart each, so without a pause the clock tells the same places.
    const seq = Math.floor(newest / 2)
    await page.keyboard.press('Escape')
    await playhead(page).focus()
    await page.keyboard.press('Home')
    await expect(playhead(page)).toHaveAttribute('aria-valuenow', '0')
    for (let i = 1; i <= seq; i += 1) {
      await page.keyboard.press('ArrowRight')
      await expect(playhead(page)).toHaveAttribute('aria-valuenow', String(i))
    }
    if (name !== 'derived') await expectAt(seq)
    else
      await expect
        .poll(async () => (await middle()) - (seq / newest) * (await track()).width)
        .toBeGreaterThan(0)
  })

test('a spike of one event in thousands is drawn at its full height', async ({ page }) => {
  const pen = draw()
  for (let i = 0; i < 3_000; i += 1)
    pen.add({ type: 'session/title', data: { title: `t${i}`, source: 'automatic' } })
  const big = pen.user(words(8_000))
  pen.summary([big], 'exact', 'short')
  for (let i = 0; i < 3_000; i += 1)
    pen.add({ type: 'session/title', data: { title: `t${i}`, source: 'automatic' } })
  await page.goto('/')
  await openDrawn(page, 'spike', pen.events)
  const canvas = page.getByTestId('time-bar').locator('canvas')
  await expect(canvas).toHaveAttribute('data-drawn', /\d/)
  const highest = await canvas.evaluate(async (element: HTMLCanvasElement) => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const context = element.getContext('2d') as CanvasRenderingContext2D
    const { width, height } = element
    const { data } = context.getImageData(0, 0, width, height)
    const middle = Math.floor((width - 44) / 2)
    for (let y = 0; y < height; y += 1)
      for (let x = middle - 12; x < middle + 12; x += 1)
        if ((data[(y * width + x) * 4 + 3] ?? 0) > 120) return y / height
    return 1
  })
  expect(highest).toBeLessThan(0.4)
})
