/** Names of code, packages, tickets and branches. */

import { type Span, trimmed } from './facts-literals'
import { BRANCHES, PRODUCTS, STANDARDS } from './facts-words'

const NAME =
  /(?<![\w$@\-/\u00c0-\u024f])[A-Za-z_$][\w$]{0,80}(?:(?:\.|::|#(?=[a-z]))(?:[A-Za-z_$][\w$]{0,80}|<anonymous>)){0,12}(?:\(\))?/g
const SCOPED = /(?<![\w@./-])@[a-z0-9][\w.-]{0,60}\/[a-z0-9][\w.-]{0,80}(?:\/[\w.-]{1,60}){0,3}/g
const BRANCH = new RegExp(
  `(?<![\\w./-]|\\.{2}\\/)(?:${[...BRANCHES].join('|')})/[\\w./-]{1,100}`,
  'g',
)
const TICKET = /(?<![\w./-])[A-Z][A-Z0-9]{1,9}-\d{1,6}(?![\w-]|\.\d)/g
const NUMBERED = /(?<![\w&#/(]|\]\()#\d{2,6}(?![\w.-]*[A-Za-z])/g
const CONSTANTS: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'undefined',
  'None',
  'nil',
])
const TICKED = /(?<!`)`([A-Za-z_$@.][\w$.:#<>@/-]{0,80}(?:\(\))?)`(?!`)/g

const HUMPS = /^[a-z$_][a-z0-9]*[A-Z]|[A-Z][a-z0-9]+[A-Z]|^[A-Z]{2,}[a-z]{2,}[A-Z]?/
const ABBREVIATION = /^(?:[A-Za-z]\.)+[A-Za-z]{1,3}$/

/** Databases, systems and protocols are named so in any prose: `DuckDB`, `ChromeOS`, `LibreSSL`. */
const PRODUCT_ENDING = /^[A-Z][A-Za-z]*[a-z](?:DB|SQL|JS|OS|SSL|SSH|VPN|GL|QL)$/

function isName(name: string, after: string): boolean {
  if (PRODUCTS.has(name.replace(/\(\)$/, '')) || PRODUCT_ENDING.test(name)) return false
  if (name.endsWith('()')) return true
  if (/::|#|\.</.test(name)) return true
  if (name.includes('.')) return !ABBREVIATION.test(name) || /^\s?[([=+\-*/<]|^_/.test(after)
  if (/^\$[A-Z_]+$/.test(name)) return true
  if (/[A-Za-z0-9]_[A-Za-z0-9]|^_+[A-Za-z]\w{2,}/.test(name)) return true
  return HUMPS.test(name) && !/^[A-Z]+s$/.test(name) && name.length > 3
}

/** Names of code, packages, tickets and branches. */
export function* identifiers(text: string): Generator<Span> {
  for (const { index, 0: literal } of text.matchAll(SCOPED))
    yield { from: index, to: index + trimmed(literal).length }
  for (const { index, 0: literal } of text.matchAll(BRANCH))
    yield { from: index, to: index + trimmed(literal).length }
  for (const { index, 0: literal } of text.matchAll(TICKET))
    if (!STANDARDS.has(literal.slice(0, literal.indexOf('-'))))
      yield { from: index, to: index + literal.length }
  for (const { index, 0: literal } of text.matchAll(NUMBERED))
    yield { from: index, to: index + literal.length }
  for (const match of text.matchAll(NAME)) {
    const to = match.index + match[0].length
    if (text[to] !== '@' && isName(match[0], text.slice(to, to + 3)))
      yield { from: match.index, to }
  }
  for (const match of text.matchAll(TICKED)) {
    const name = match[1] as string
    if (name.length > 1 && !PRODUCTS.has(name) && !CONSTANTS.has(name))
      yield { from: match.index + 1, to: match.index + 1 + name.length }
  }
}
