import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const css = readFileSync(new URL('../../app/globals.css', import.meta.url), 'utf8')
const [, ofLight = ''] = /:root \{([^}]*)\}/.exec(css) ?? []
const [, ofDark = ''] = /\[data-theme="dark"\] \{([^}]*)\}/.exec(css) ?? []
const tokens = (block: string): Record<string, string> =>
  Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]),
  )
const light = tokens(ofLight)
const THEMES = { light, dark: { ...light, ...tokens(ofDark) } }
/** What text stands on: surfaces, hovered and selected rows, cards. */
const GROUNDS = ['paper', 'panel', 'raised', 'hover', 'active', 'accent-soft', 'err-soft']

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (bright + 0.05) / (dim + 0.05)
}

it.each(Object.entries(THEMES))('every ink can be read on every ground, %s', (_, theme) => {
  const inks = Object.keys(theme).filter((name) => /ink\d?$/.test(name))
  expect(inks.length).toBeGreaterThan(10)
  const faint = inks.flatMap((ink) =>
    GROUNDS.flatMap((ground) => {
      const ratio = contrast(theme[ink]!, theme[ground]!)
      return ratio < 4.5 ? [`${ink} on ${ground}: ${ratio.toFixed(2)}`] : []
    }),
  )
  expect(faint).toEqual([])
})
