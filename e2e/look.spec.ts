/** What everybody needs: no grave finding of axe on any view, both themes, both sizes, and the keyboard alone. */

import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/app'
import { expectAccessible } from './support/axe'
import { requestsWith, unique } from './support/fake'
import { readSample } from './support/sample'
import {
  composer,
  conversation,
  dismiss,
  importFiles,
  openSample,
  type Panel,
  position,
} from './support/workbench'

const WIDE = { width: 1440, height: 900 }
const NARROW = { width: 390, height: 844 }
const PANELS: Panel[] = ['Strata', 'Surface', 'Request', 'Log', 'Compare', 'Files']

/** Something to see in each panel once it is open. */
const CONTENT: Record<Panel, (page: Page) => Locator> = {
  Strata: (page) => page.getByRole('application', { name: /^Strata/ }),
  Surface: (page) => page.getByRole('option').first(),
  Request: (page) => page.getByText('hash equals what was sent'),
  Log: (page) => page.getByText('check: clean'),
  Compare: (page) => page.getByRole('list', { name: 'What changed' }),
  Files: (page) => page.getByRole('list', { name: 'Files' }),
}

/** A command of the palette, which both sizes have. */
async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Type a command or a session’s title').fill(name)
  await page.getByRole('option', { name }).first().click()
}

type Look = (where: string, within?: string) => Promise<void>

const DIALOG = '[role="dialog"]'
const INSPECTOR = '[data-testid="inspector"]'

/** A moment with everything in it, a selected checkpoint and something to compare with. */
async function openMoment(page: Page): Promise<void> {
  const { checkpoints, before } = await readSample()
  const [, second] = checkpoints
  await page.goto(`/?s=sample-harbor&at=${second + 30}&node=${second}&from=${before(second)}`)
  await expect(position(page)).toContainText(`seq ${second + 30} /`)
}

async function everyPanel(page: Page, look: Look, narrow: boolean): Promise<void> {
  await openMoment(page)
  await look('chat')
  for (const panel of PANELS) {
    const inBar = narrow && panel !== 'Compare' && panel !== 'Files'
    if (inBar) await page.getByRole('navigation', { name: 'Views' }).getByText(panel).click()
    else if (!narrow) await page.getByRole('tab', { name: panel, exact: true }).click()
    else await page.keyboard.press(String(PANELS.indexOf(panel) + 1))
    await expect(CONTENT[panel](page)).toBeVisible({ timeout: 20_000 })
    await look(panel, INSPECTOR)
    if (panel !== 'Strata') continue
    await page.getByRole('button', { name: 'Show as a list' }).click()
    await expect(page.getByRole('tree', { name: 'Strata as a list' })).toBeVisible()
    await look('Strata as a list', INSPECTOR)
  }
}

async function everyDialog(page: Page, look: Look): Promise<void> {
  await command(page, 'Settings')
  const settings = page.getByRole('dialog', { name: 'Settings' })
  for (const tab of ['General', 'Models', 'Compaction', 'Storage']) {
    await settings.getByRole('tab', { name: tab }).click()
    await expect(settings.getByRole('tabpanel', { name: tab })).toBeVisible()
    await look(`settings, ${tab}`, DIALOG)
  }
  await dismiss(page.locator(DIALOG))
  await command(page, 'Compact…')
  await expect(page.getByRole('dialog', { name: 'Compact this session' })).toBeVisible()
  await look('compact', DIALOG)
  await dismiss(page.locator(DIALOG))
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible()
  await look('palette', DIALOG)
  await dismiss(page.locator(DIALOG))
  await command(page, 'Keys')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await look('keys', DIALOG)
  await dismiss(page.locator(DIALOG))
  await command(page, 'Find in this session')
  await expect(page.getByRole('search', { name: 'Find in this session' })).toBeVisible()
  await look('find', 'search')
  await page.keyboard.press('Escape')
}

async function importReport(page: Page, look: Look, narrow: boolean): Promise<void> {
  if (narrow) {
    await page.getByRole('button', { name: 'Sessions' }).click()
    await look('sessions', DIALOG)
  }
  const report = await importFiles(page, [
    { name: 'no transcript.txt', mimeType: 'text/plain', buffer: Buffer.from('eggs\nflour\n') },
  ])
  await expect(report).toBeVisible()
  await look('import report', DIALOG)
}

for (const colorScheme of ['light', 'dark'] as const)
  for (const viewport of [WIDE, NARROW]) {
    const narrow = viewport === NARROW
    test.describe(`${colorScheme}, ${viewport.width} × ${viewport.height}`, () => {
      test.use({ colorScheme, viewport })

      test('axe finds nothing grave on any view', async ({ page }) => {
        test.setTimeout(180_000)
        const look: Look = (where, within) =>
          expectAccessible(page, { where, within, coloursOnly: colorScheme === 'dark' })
        await page.goto('/')
        await expect(page.getByRole('button', { name: 'Open sample' })).toBeVisible()
        await look('first screen')
        await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
        await openSample(page)
        await everyPanel(page, look, narrow)
        await page.reload()
        await expect(position(page)).toContainText('compaction 2 of 3')
        await everyDialog(page, look)
        await importReport(page, look, narrow)
      })
    })
  }

test('a theme that was chosen stays, whatever the system says', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').click()
  const html = page.locator('html')
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('radiogroup', { name: 'Theme' }).getByText('As the system').click()
  await expect(html).toHaveAttribute('data-theme', 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(html).toHaveAttribute('data-theme', 'dark')
})

/** Presses Tab, or Shift+Tab, until `target` has the focus. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never comes to ${target}`)
}

test('the keyboard alone: open, go back in time, walk the strata, find a command, write', async ({
  page,
}) => {
  const word = unique('keys')
  const { last, checkpoints } = await readSample()
  const [, second, third] = checkpoints
  await page.goto('/')
  const open = page.getByRole('button', { name: 'Open sample' })
  await expect(open).toBeVisible()
  await tabTo(page, open)
  await page.keyboard.press('Enter')
  await expect(position(page)).toContainText('compaction 3 of 3')

  const slider = page.getByRole('slider', { name: 'Playhead' })
  await tabTo(page, slider, 'Shift+Tab')
  await page.keyboard.press('ArrowLeft')
  await expect(position(page)).toContainText(`seq ${last - 1} / ${last}`)
  await page.keyboard.press('[')
  await expect(position(page)).toContainText(`seq ${third} / ${last}`)

  await page.keyboard.press('2')
  await expect(page.getByRole('tab', { name: 'Surface' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('1')
  const strata = page.getByRole('application', { name: /^Strata/ })
  await expect(strata).toBeVisible()
  await tabTo(page, strata, 'Shift+Tab')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(new RegExp(`node=${third}`))
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('region', { name: `Event ${second}` })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`node=${second}`))
  await page.reload()
  await expect(page.getByRole('region', { name: `Event ${second}` })).toBeVisible()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('back to live')
  await page.keyboard.press('Enter')
  await expect(position(page)).toContainText(`seq ${last} / ${last}`)
  await page.keyboard.press('?')
  await dismiss(page.getByRole('dialog', { name: 'Keys' }))

  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('/')
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('/model claude-haiku-5-5')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Model: Claude Haiku 5.5' })).toBeVisible()
  await page.keyboard.type(`by keys ${word} [[reply: Understood, ${word}.]]`)
  await page.keyboard.press('Enter')
  await expect(conversation(page).getByText(`Understood, ${word}.`, { exact: true })).toBeVisible()
  expect((await requestsWith(word)).map(({ status }) => status)).toEqual([200])
})

test('the words of a control come to the pointer and to the keys, and go', async ({ page }) => {
  await page.goto('/')
  const settings = page.getByRole('button', { name: 'Settings' })
  const tip = page.getByRole('tooltip', { name: 'Settings' })
  await settings.hover()
  await expect(tip).toBeVisible()
  await expect(settings).toHaveAccessibleDescription('Settings')
  // They stay while they are pointed at.
  await tip.hover()
  await expect(tip).toBeVisible()
  await page.mouse.move(10, 500)
  await expect(tip).toBeHidden()
  await expect(settings).toHaveAccessibleDescription('')
  await settings.focus()
  await expect(tip).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tip).toBeHidden()
  await page.keyboard.press('Shift+Tab')
  const palette = page.getByRole('button', { name: 'Command palette' })
  await expect(palette).toBeFocused()
  await expect(page.getByRole('tooltip', { name: 'Every command' })).toBeVisible()
})

test('a menu is entered by a key at its first item, by the pointer at none, and gives the focus back', async ({
  page,
}) => {
  await page.goto('/')
  const button = page.getByRole('button', { name: 'New session' })
  const menu = page.getByRole('menu', { name: 'New session' })
  for (const key of ['Enter', 'ArrowDown']) {
    await button.focus()
    await page.keyboard.press(key)
    await expect(menu.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(button).toBeFocused()
  }
  await button.click()
  await expect(menu).toBeVisible()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await expect(menu.getByRole('menuitem').first()).not.toBeFocused()
  await button.click()
  await expect(menu).toBeHidden()
})
