/** The wire as a person meets it: closing tabs, many tabs, a server that restarts, replies cut short. */

import type { Page } from '@playwright/test'
import { expect, test } from './support/app'
import { begun, closed, requestsWith, unique } from './support/fake'
import { freePort, startServer } from './support/server'
import {
  ask,
  chooseModel,
  composer,
  conversation,
  idle,
  openPanel,
  say,
  startChat,
} from './support/workbench'

const MODEL = 'Claude Sonnet 5.5'
/** The bar above the composer; the framework has an alert of its own, for titles. */
const problem = (page: Page) => page.getByRole('alert').filter({ has: page.getByRole('button') })

test('a reply cut short at its limit is continued with one click', async ({ page }) => {
  const word = unique('continue')
  await startChat(page, MODEL)
  await say(page, `${word} [[stop: max_tokens]] [[reply: The first half]]`)
  await idle(page)
  await expect(conversation(page).getByText('longest allowed length')).toBeVisible()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  // The stand-in takes “where” for a search, so there may be one more step.
  await expect.poll(async () => (await requestsWith(word)).length).toBeGreaterThan(1)
  await idle(page)
  const [, second] = await requestsWith(word)
  expect(second!.status).toBe(200)
  expect(JSON.stringify(second!.body)).toContain('Go on from where it stopped')
  await expect(page.getByRole('button', { name: 'Continue', exact: true })).toHaveCount(0)
})

test('closing the tab ends the reply at the provider within a second', async ({ page }) => {
  const word = unique('close')
  await startChat(page, MODEL)
  await say(page, `${word} [[delay: 50]] [[long: 2000]]`)
  const entry = await begun(word)
  const at = Date.now()
  await page.close()
  const { after, finished } = await closed(entry, word, at)
  expect(after).toBeLessThan(1000)
  expect(finished).toBe(false)
})

test('closing the tab ends a summary at the provider within a second', async ({ page }) => {
  const word = unique('closesum')
  await startChat(page, MODEL)
  await ask(
    page,
    `${word} ${'filler words '.repeat(900)} [[summary: delay 50]] [[summary: long 2000]]`,
    'the log holds',
  ).catch(() => undefined)
  await idle(page)
  await ask(page, `${word} and more [[reply: more]]`, 'more')
  await composer(page).fill('/compact')
  await composer(page).press('Enter')
  const entry = await begun(word, 'summary')
  const at = Date.now()
  await page.close()
  const { after, finished } = await closed(entry, word, at)
  expect(after).toBeLessThan(1000)
  expect(finished).toBe(false)
})

test('of six replies in six tabs five stream and one waits its turn, and a cancel still gets through', async ({
  profile,
}) => {
  test.setTimeout(240_000)
  const word = unique('six')
  const pages: Page[] = []
  for (let n = 0; n < 6; n++) {
    const page = await profile.context.newPage()
    await startChat(page, MODEL)
    await say(page, `${word} ${n} [[delay: 300]] [[long: 600]]`)
    if (n < 5)
      await expect(conversation(page).getByText('the log holds every event').first()).toBeVisible({
        timeout: 40_000,
      })
    pages.push(page)
  }
  const last = pages[5]!
  await expect(
    conversation(last).getByText('Waiting its turn: five replies are streaming already'),
  ).toBeVisible({ timeout: 40_000 })
  expect((await requestsWith(word)).length).toBe(5)
  const at = Date.now()
  const first = (await requestsWith(`${word} 0`))[0]!
  await pages[0]!.bringToFront()
  await pages[0]!.keyboard.press('Escape')
  expect((await closed(first, `${word} 0`, at)).after).toBeLessThan(2500)
  await expect.poll(async () => (await requestsWith(word)).length, { timeout: 40_000 }).toBe(6)
  await last.bringToFront()
  await expect(conversation(last).getByText('the log holds every event').first()).toBeVisible({
    timeout: 40_000,
  })
  for (const page of pages) await page.close()
})

test('a server that shuts down in the middle of a reply says so; what came is kept and taken up again', async ({
  page,
  errors,
}) => {
  const word = unique('restart')
  const port = await freePort()
  const first = await startServer({ PALIMPSEST_LOG: 'on' }, port)
  await page.goto(first.base)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await chooseModel(page, MODEL)
  await say(page, `${word} [[delay: 40]] [[long: 400]]`)
  await expect(conversation(page).getByText('the log holds every event').first()).toBeVisible()
  await first.stop()
  await expect(problem(page).getByText('The Palimpsest server was restarted')).toBeVisible()
  await expect(
    conversation(page).getByText('Cut off here; what had arrived is kept.'),
  ).toBeVisible()
  expect(first.output()).toContain('"outcome":"restarted"')

  // Gone altogether: other words.
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(problem(page).getByText('The Palimpsest server does not answer')).toBeVisible({
    timeout: 20_000,
  })

  const second = await startServer({}, port)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(async () => (await requestsWith(word)).length).toBe(2)
  await idle(page)
  await expect(problem(page)).toHaveCount(0)
  // The refused connections are the point of this test.
  errors.splice(
    0,
    errors.length,
    ...errors.filter((text) => !/Failed to load resource|ERR_CONNECTION|ERR_INCOMPLETE/.test(text)),
  )
  await page.close()
  await second.stop()
})

test('a browser without a network says so', async ({ page, profile, errors }) => {
  await startChat(page, MODEL)
  await profile.context.setOffline(true)
  await say(page, 'hello?')
  await expect(problem(page).getByText('This browser is offline')).toBeVisible()
  await profile.context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(conversation(page).getByText('You said “hello?”')).toBeVisible()
  errors.splice(
    0,
    errors.length,
    ...errors.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED')),
  )
})

test('a rate limit is counted down on screen and tried again', async ({ page }) => {
  const word = unique('limit')
  await startChat(page, MODEL)
  await say(page, `${word} [[error: 429 retry-after=3 once]] [[reply: Through ${word}.]]`)
  await expect(
    conversation(page).getByText(/Too many requests\. Attempt 2 in [123] s/),
  ).toBeVisible()
  await expect(conversation(page).getByText(`Through ${word}.`, { exact: true })).toBeVisible()
  expect((await requestsWith(word)).map((entry) => entry.status)).toEqual([429, 200])
})

test('what can only be refused again is not offered again; what helps is', async ({ page }) => {
  const word = unique('refused')
  await startChat(page, MODEL)
  await say(page, `${word} [[error: 400 gemma3 does not support tools once]] [[reply: ${word} ok]]`)
  await expect(problem(page)).toContainText('This model takes no tools')
  await expect(problem(page).getByRole('button')).toHaveText([
    'Go on without tools',
    'Choose another model',
  ])
  await problem(page).getByRole('button', { name: 'Go on without tools' }).click()
  await expect(conversation(page).getByText(`${word} ok`, { exact: true })).toBeVisible()
  await idle(page)
  const [first, second] = await requestsWith(word)
  expect([first!.status, second!.status]).toEqual([400, 200])
  expect(second!.body).not.toHaveProperty('tools')

  await say(page, `${word} [[error: 400 max_tokens is too high once]] [[reply: ${word} again]]`)
  await expect(problem(page)).toContainText('This request is refused as it stands')
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  await problem(page).getByRole('button', { name: 'Thinking and limits…' }).click()
  const limits = page.getByRole('dialog')
  await limits.getByLabel('Longest reply, tokens').fill('2k')
  await limits.getByRole('button', { name: 'Use these' }).click()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(conversation(page).getByText(`${word} again`, { exact: true })).toBeVisible()
})

test('a model’s limits and price are shown with who says so, and can be one’s own', async ({
  page,
}) => {
  const word = unique('price')
  await startChat(page, MODEL)
  await ask(page, `${word} [[reply: cheap ${word}]]`, `cheap ${word}`)
  const cost = page.getByTitle(/tokens in, /)
  await expect(cost).toContainText('$0.0')
  await page.getByRole('button', { name: 'Settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByRole('tab', { name: 'Models' }).click()
  const facts = settings.getByRole('region', { name: 'Limits and prices' })
  await facts.getByRole('combobox').first().selectOption({ label: MODEL })
  await expect(facts.getByLabel('Context window, tokens')).toHaveAttribute('placeholder', /^\d/)
  await expect(facts.getByText('as the server says').first()).toBeVisible()
  await expect(facts.getByRole('status')).toContainText('from our table of')
  await facts.getByLabel('In', { exact: true }).fill('1000')
  await facts.getByLabel('Out', { exact: true }).fill('1000')
  await facts.getByLabel('Out', { exact: true }).press('Enter')
  await facts.getByLabel('Context window, tokens').fill('64k')
  await facts.getByLabel('Context window, tokens').press('Enter')
  await expect(facts.getByText('yours', { exact: true })).toHaveCount(2)
  await settings.press('Escape')
  await expect(page.getByRole('button', { name: 'Settings' })).toBeFocused()
  await expect(cost).toContainText(/\$\d+\.\d\d/)
  await expect(page.getByRole('button', { name: /^Context: / })).toContainText('64k')
  await page.reload()
  await expect(cost).toContainText(/\$\d+\.\d\d/)

  await page.getByRole('button', { name: 'Settings' }).click()
  await settings.getByRole('tab', { name: 'Models' }).click()
  await facts
    .getByRole('combobox')
    .first()
    .selectOption({ label: `${MODEL} · yours` })
  await facts.getByRole('button', { name: 'Take back your price' }).click()
  await facts.getByRole('button', { name: 'Take back your context window' }).click()
  await expect(facts.getByText('yours', { exact: true })).toHaveCount(0)
  await settings.press('Escape')
  await expect(cost).toContainText('$0.0')
})

test('the model’s window is looked at before a switch, and the old model makes room', async ({
  page,
}) => {
  const word = unique('switch')
  await startChat(page, MODEL)
  for (const n of [1, 2, 3])
    await ask(
      page,
      `${word} ${n} ${'many filler words '.repeat(1100)} [[reply: read ${n}]]`,
      `read ${n}`,
    )
  await page.getByRole('button', { name: /^Model: / }).click()
  await page.getByRole('menuitemcheckbox', { name: /^Small window/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('smaller window')
  await dialog.getByRole('button', { name: 'Compact, then switch' }).click()
  await expect(page.getByRole('button', { name: 'Model: Small window' })).toBeVisible({
    timeout: 20_000,
  })
  await say(page, `${word} now`)
  await expect
    .poll(async () => (await requestsWith(word)).some((entry) => entry.model === 'fake-small-16k'))
    .toBe(true)
  await idle(page)
  const seen = await requestsWith(word)
  expect(seen.filter((entry) => entry.kind === 'summary').map((entry) => entry.model)).toEqual([
    'claude-sonnet-5-5',
  ])
  expect([seen.at(-1)!.model, seen.at(-1)!.status]).toEqual(['fake-small-16k', 200])
})

test('a session has its own prompt, limits and thinking, and the provider counts on demand', async ({
  page,
}) => {
  const word = unique('own')
  await startChat(page, MODEL)
  await page.getByRole('button', { name: /^Model: / }).click()
  await page.getByRole('menuitem', { name: /^Prompt, thinking and limits/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('System prompt').fill(`Be ${word}.`)
  await dialog.getByLabel('Longest reply, tokens').fill('4k')
  await dialog.getByLabel('Thinking', { exact: true }).selectOption('enabled')
  await dialog.getByLabel('Thinking budget, tokens').fill('2000')
  await dialog.getByLabel('Temperature').fill('0.3')
  await expect(dialog.getByText('Providers refuse a temperature with thinking')).toBeVisible()
  await dialog.getByLabel('Temperature').fill('')
  await dialog.getByLabel('Effort').selectOption('low')
  await dialog.getByRole('button', { name: 'Use these' }).click()
  await ask(page, `${word} hi [[reply: hello ${word}]]`, `hello ${word}`)
  const [entry] = await requestsWith(word)
  expect(entry!.body).toMatchObject({
    max_tokens: 4000,
    system: [{ text: `Be ${word}.` }],
    thinking: { type: 'enabled', budget_tokens: 2000 },
    output_config: { effort: 'low' },
  })
  await page.getByRole('button', { name: /^Context: / }).click()
  await page.getByRole('button', { name: 'Count with the provider' }).click()
  await expect(page.getByText(/^It counts [\d,]+ \([+−±][\d,]+\)\.$/)).toBeVisible()
  await page.getByRole('dialog', { name: 'Context by part' }).press('Escape')
  await openPanel(page, 'Log')
})
