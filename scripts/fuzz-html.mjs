// npm run fuzz:html [-- <pages> [<seed>]]: sessions with hostile strings in every field of every record, as pages opened from disk
// in Chromium; nothing of them may run, load, link or change the page. Exits 1 on the first that does.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { runnerImport } from 'vite'
import { findChromium, root } from './prepare.mjs'

const [pages = 2_000, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)

const { module } = await runnerImport(join(root, 'scripts/fuzz/html.ts'), {
  configFile: false,
  root,
})

/** Runs in the page before anything of it: counts whatever a page that runs content would do. */
function tripwire() {
  const fired = []
  const fire = (name) => () => {
    fired.push(name)
  }
  Object.assign(window, {
    fired,
    tripwire: fire('tripwire'),
    alert: fire('alert'),
    open: fire('open'),
  })
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    fired.push(`${effectiveDirective} ${blockedURI}`),
  )
}

/** Runs in the page: what of it is not of the writer's own making, after everything has been touched. */
async function strangers() {
  for (const one of document.querySelectorAll('article *, h1, .about *'))
    for (const kind of ['mouseover', 'focus', 'toggle', 'load', 'error', 'animationstart'])
      one.dispatchEvent(new Event(kind, { bubbles: true }))
  const range = document.querySelector('#at')
  range.value = '12'
  range.dispatchEvent(new Event('input'))
  await new Promise((next) => requestAnimationFrame(() => setTimeout(next)))
  const all = [...document.querySelectorAll('*')]
  const own =
    /^(html|head|meta|title|style|script|body|header|section|main|div|p|h[123]|a|button|svg|path|line|rect|input|output|article|span|pre|blockquote|figure|figcaption|img|time|code)$/
  return [
    ...all.filter((one) => !own.test(one.localName)).map((one) => `<${one.localName}>`),
    ...all.flatMap((one) =>
      [...one.attributes].filter(({ name }) => /^on|^style$/.test(name)).map(({ name }) => name),
    ),
    ...[...document.links]
      .map((link) => link.getAttribute('href') ?? link.href.baseVal ?? '')
      .filter((href) => !/^(#e\d+$|https?:|mailto:)/.test(href)),
    ...[...document.images]
      .map(({ src }) => src.slice(0, 40))
      .filter((src) => !/^data:image\/(png|jpeg|gif|webp);base64,/.test(src)),
    ...(document.scripts.length === 2 ? [] : [`${document.scripts.length} scripts`]),
    ...(document.querySelectorAll('meta').length === 5 ? [] : ['meta']),
    ...(document.querySelectorAll('main > article').length > 10
      ? []
      : ['articles are not where they belong']),
    ...(document.querySelector('#moment').textContent.startsWith('event 12 of')
      ? []
      : ['the script of the page did not run']),
    ...window.fired,
  ]
}

const folder = await mkdtemp(join(tmpdir(), 'palimpsest-fuzz-'))
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
})
const started = Date.now()
let broken = null
try {
  const path = join(folder, 'hostile.html')
  const url = pathToFileURL(path).href
  const page = await browser.newPage()
  const asked = []
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('data:image/')) asked.push(request.url())
  })
  page.on('dialog', (dialog) => {
    asked.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => asked.push(String(error)))
  await page.addInitScript(tripwire)
  for (let done = 0; done < pages && !broken; done += 1) {
    await writeFile(path, await module.hostilePage(seed + done))
    await page.goto(url)
    const found = await page.evaluate(strangers)
    if (found.length + asked.length > 0 || page.url() !== url)
      broken = { seed: seed + done, found, asked, at: page.url() }
  }
} finally {
  await browser.close()
  await rm(folder, { recursive: true, force: true })
}
const seconds = ((Date.now() - started) / 1000).toFixed(0)
if (broken) console.error(JSON.stringify(broken, null, 2))
else
  console.log(
    `fuzz:html: ${pages} hostile pages opened, nothing of them ran, in ${seconds} s (seed ${seed})`,
  )
process.exit(broken ? 1 : 0)
