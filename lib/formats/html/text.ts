/** Any text as HTML that is nothing but text: escaped, colours as classes, safe links, no controls. */

import { CONTROL, cleanText } from '../terminal'

/** Text for a place between tags or within a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'`]/g, (mark) => `&#${mark.charCodeAt(0)};`)

type Style = { marks: Set<string>; front: string; back: string }

const plainStyle = (): Style => ({ marks: new Set(), front: '', back: '' })

const MARKS: Record<number, string> = {
  1: 'bold',
  2: 'dim',
  3: 'slant',
  4: 'line',
  7: 'swap',
  9: 'struck',
}
const UNMARKS: Record<number, string[]> = {
  22: ['bold', 'dim'],
  23: ['slant'],
  24: ['line'],
  27: ['swap'],
  29: ['struck'],
}

/** The nearest of the sixteen colours, which are all a page without inline styles needs. */
function nearest(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue)
  const least = Math.min(red, green, blue)
  if (most - least < 32) return most < 64 ? 0 : most < 144 ? 8 : most < 216 ? 7 : 15
  const on = (value: number) => (value - least > (most - least) / 2 ? 1 : 0)
  return on(red) + 2 * on(green) + 4 * on(blue) + (most > 192 ? 8 : 0)
}

function indexed(index: number): number {
  if (index < 16) return index
  if (index >= 232) return nearest(...(Array(3).fill((index - 232) * 10 + 8) as Rgb))
  const cube = index - 16
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40)
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6))
}

type Rgb = [number, number, number]

/** An extended colour at `at` (its 38 or 48); answers the colour and how many further codes it took. */
function extended(codes: readonly number[], at: number): { color: number; took: number } | null {
  const kind = codes[at + 1]
  const index = codes[at + 2]
  if (kind === 5 && index !== undefined && index < 256) return { color: indexed(index), took: 2 }
  const [red, green, blue] = codes.slice(at + 2, at + 5)
  if (kind !== 2 || blue === undefined) return null
  return { color: nearest(red!, green!, blue), took: 4 }
}

function takeCode(style: Style, codes: readonly number[], at: number): number {
  const code = codes[at]!
  if (code === 0) Object.assign(style, plainStyle())
  else if (MARKS[code]) style.marks.add(MARKS[code])
  else if (UNMARKS[code]) for (const mark of UNMARKS[code]) style.marks.delete(mark)
  else if (code >= 30 && code <= 37) style.front = `f${code - 30}`
  else if (code >= 40 && code <= 47) style.back = `g${code - 40}`
  else if (code >= 90 && code <= 97) style.front = `f${code - 82}`
  else if (code >= 100 && code <= 107) style.back = `g${code - 92}`
  else if (code === 39) style.front = ''
  else if (code === 49) style.back = ''
  else if (code === 38 || code === 48) {
    const found = extended(codes, at)
    if (!found) return codes.length
    if (code === 38) style.front = `f${found.color}`
    else style.back = `g${found.color}`
    return at + found.took
  }
  return at
}

function takeCodes(style: Style, parameters: string): void {
  const codes = parameters.split(/[;:]/).map((code) => Number(code) || 0)
  for (let at = 0; at < codes.length; at += 1) at = takeCode(style, codes, at)
}

const classOf = ({ marks, front, back }: Style): string =>
  [...marks, front, back].filter(Boolean).join(' ')

const LINK = /\b(?:https?:\/\/|mailto:)[^\s<>"'`]{1,2000}/gi
const SAFE: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

/** The address a link may have, or null: anything but http, https and mailto stays text. */
export function safeHref(address: string): string | null {
  try {
    const url = new URL(address)
    return SAFE.has(url.protocol) ? url.href : null
  } catch {
    return null
  }
}

function linked(text: string): string {
  let html = ''
  let from = 0
  for (const match of text.matchAll(LINK)) {
    const address = match[0].replace(/[.,;:!?)\]}]+$/, '')
    const href = safeHref(address)
    if (!href) continue
    html += escapeHtml(text.slice(from, match.index))
    html += `<a href="${escapeHtml(href)}" rel="noopener noreferrer">${escapeHtml(address)}</a>`
    from = match.index + address.length
  }
  return html + escapeHtml(text.slice(from))
}

/** Text with colours and links as HTML. */
export function richText(text: string): string {
  let html = ''
  let from = 0
  let run = ''
  const style = plainStyle()
  const flush = () => {
    const name = classOf(style)
    if (run) html += name ? `<span class="${name}">${linked(run)}</span>` : linked(run)
    run = ''
  }
  for (const match of text.matchAll(CONTROL)) {
    run += text.slice(from, match.index)
    from = match.index + match[0].length
    if (match[0].startsWith('\r')) run += '\n'
    if (match.groups?.codes === undefined) continue
    flush()
    takeCodes(style, match.groups.codes)
  }
  run += text.slice(from)
  flush()
  return html
}

/** One line of words, for headings and labels. */
export const lineOf = (text: string, limit = 200): string => {
  const line = cleanText(text).replace(/\s+/g, ' ').trim()
  return escapeHtml(line.length > limit ? `${line.slice(0, limit)}…` : line)
}
