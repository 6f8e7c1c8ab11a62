/** Names of code, packages, tickets and branches. */

import { lineStart, type Span, trimmed } from './facts-literals'
import { BRANCHES, CODE_NOUN, MEDIA_TYPES, PRODUCTS, STANDARDS } from './facts-words'

const NAME =
  /(?<![\w$@/\u00c0-\u024f]|(?<!<)-|[\w-]\.)[A-Za-z_$][\w$]{0,80}(?:(?:\.|::|#(?=[a-z])|\\(?=[A-Z]))(?:[A-Za-z_$][\w$]{0,80}|<anonymous>|\(\*?\w{1,60}\)(?=\.))){0,12}(?:(?:->[A-Za-z_]\w{0,60}){1,4}(?=\(\)))?(?:\(\))?/g
const SCOPED = /(?<![\w@./-])@[a-z0-9][\w.-]{0,60}\/[a-z0-9][\w.-]{0,80}(?:\/[\w.-]{1,60}){0,3}/g
const BRANCH = new RegExp(
  `(?<![\\w./-]|\\.{2}\\/)(?:${[...BRANCHES].join('|')})/[\\w./-]{1,100}`,
  'g',
)
/** Findings of scanners, and the cases of a test in Go. */
const ADVISORY =
  /(?<![\w-])(?:CVE-\d{4}-\d{4,7}|GHSA(?:-[0-9a-z]{4}){3}|RUSTSEC-\d{4}-\d{4}|(?:CWE|PYSEC|GO|DSA|RHSA|USN)-\d{2,5}(?:[-:]\d{1,5})?)(?![\w-])/g
const SUBTEST = /(?<![\w./-])(?:Test|Benchmark|Fuzz)[A-Z]\w{1,80}(?:\/[\w.=#-]{1,80}){1,4}/g
/** Commands of PowerShell; German compounds such as `Export-Datei` have no humps and no noun of PowerShell. */
const CMDLET =
  /(?<![\w-])(?:(?:Get|Invoke|Remove|ConvertTo|ConvertFrom)-[A-Z][A-Za-z]{2,40}|[A-Z][a-z]{2,10}-(?:[A-Z][a-z]+[A-Z][A-Za-z]{1,40}|Item|Content|Location|Object|Module|Csv|Variable|Acl|Path|Output)|(?:Start|Stop|Restart)-(?:Process|Service|Sleep)|Write-(?:Host|Error|Warning))(?![\w-])/g
const TICKET = /(?<![\w./-])[A-Z][A-Z0-9]{1,9}-\d{1,6}(?![\w-]|\.\d)/g
const NUMBERED = /(?<![\w&#/]|\]\(|[:"'] ?(?=#\d+[;"']))#\d{2,5}(?![\w.-]*[A-Za-z\d])/g
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
const ABBREVIATION = /^(?:[A-Za-z]\.)+[A-Za-z]{1,3}$|^(?:[A-Z][a-z]{0,3}\.)+[A-Z][a-z]?$/

/**
 * Databases, systems and protocols are named so in any prose: `DuckDB`, `ChromeOS`, `LibreSSL`, `gRPC`, `mTLS`;
 * people (`McDonald`) and chips (`STM32L4`) are no names of code either.
 */
const PRODUCT_SHAPE =
  /^(?:[A-Z][A-Za-z]*[a-z](?:DB|SQL|JS|OS|SSL|SSH|VPN|GL|QL|MQ|CI|CD|ML|AI|BSD|Pi|Hub|Lab|Ops|Script)|[a-z][A-Z]{2,}s?|Ma?c[A-Z][a-z]+|[A-Z\d]+|i(?:Phone|Pad|Pod|Mac|Cloud)\w{0,3}|[kKMGT]i?B(?:it|yte)s?|[A-Z]\w*[a-z]Innen|\w*x86_64|[a-z]{2}_[A-Z]{2})$/

function isName(name: string, after: string): boolean {
  if (PRODUCTS.has(name.replace(/\(\)$/, '')) || PRODUCT_SHAPE.test(name)) return false
  // A name before its version is a product's; a level ends the channel of a log.
  if (
    (/^ \d{1,4}(?:\.\d{1,4}){1,3}(?![\w%.])/.test(after) && !/[._:]/.test(name)) ||
    /\.(?:ERROR|INFO|WARNING|DEBUG|CRITICAL)$/.test(name)
  )
    return false
  if (name.endsWith('()')) return true
  // Abbreviations (`GmbH`, `StGB`, `MwSt`), libraries (`Chart.js`, `Socket.io`) and random tokens.
  if (/^(?=.*[A-Z].*[A-Z])[A-Z][A-Za-z]{2,4}$|^[A-Z]\w+\.(?:js|io|ai|com)$/.test(name)) return false
  if (
    name.length > 19 &&
    (name.match(/\d[a-z]+[A-Z]|[A-Z]\d+[a-z]|[a-z]\d+[A-Z]/g)?.length ?? 0) > 1
  )
    return false
  if (/::|#|\.</.test(name)) return true
  if (GLUED.test(name) && !after.startsWith('(')) return false
  if (name.includes('.')) return !ABBREVIATION.test(name) || /^\s?[([=+\-*/<]|^_/.test(after)
  if (/^\$[A-Z_]+$/.test(name)) return true
  if (/[A-Za-z0-9]_[A-Za-z0-9]|^_+[A-Za-z]\w{2,}/.test(name)) return true
  return HUMPS.test(name) && !/^[A-Z]+s$/.test(name) && name.length > 3
}

/** What any name of code has behind its first letter; most words of a text have none of it. */
const SPELLED = /^_|.[A-Z_$.:#()\\>]/

/** Two sentences without a space, and volumes: `honest.No`, `vol.II`. */
const GLUED =
  /^[a-z]{2,20}\.(?:No|Yes|It|Its|We|He|She|They|The|This|That|These|And|But|So|If|In|On|At|You|My|Not|Is|As|For|What|When|How|Why|[IVX]{1,5})$/

/** Lines of code and of logs begin like this, not sentences. */
const CODE_LINE =
  /^(?:\s{2,}|\d{4}-\d\d|at |import |export |class |public |private |const |let |def |func |fn |\$ )|(?<!\p{L})(?:class|function|method|type|component|hook|Klasse|Funktion|Methode|Komponente|classe|fonction|composant|clase|función|componente|função|funzione|функция|функции|класс|класса|метод|クラス|関数|函数|类) $/iu
const SOURCE_FILE =
  /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|cpp|cc|hpp|h|swift|scala|vue|svelte|dart|exs?)(?!\w)/

/** The names in capitals and humps that a text marks as code somewhere: by ticks, a call or a member. */
function markedNames(text: string): ReadonlySet<string> {
  const marked = text.matchAll(
    /`([A-Z][A-Za-z]{2,60})|(?<!\w)([A-Z][a-z]+[A-Z][A-Za-z]{0,60})(?=\(|::|\.[A-Za-z])/g,
  )
  return new Set([...marked].map(([, ticked, used]) => (ticked ?? used) as string))
}

/** A name in humps that a sentence mentions, and that no file or noun of code shows to be more than a product's. */
function isProductInProse(text: string, name: string, from: number): boolean {
  if (!/^[A-Z][a-z]+(?:[A-Z][a-z]*)+$/.test(name) || CODE_NOUN.test(name)) return false
  const to = from + name.length
  if (!/[\s(„“"]/.test(text[from - 1] ?? ' ') || !/[\s,.;:!?)”"’'-]/.test(text[to] ?? ' '))
    return false
  const before = text.slice(Math.max(lineStart(text, from), from - 400), from)
  if (CODE_LINE.test(before) || before.split('`').length % 2 === 0) return false
  return !SOURCE_FILE.test(text.slice(to, to + 200).split('\n', 1)[0] as string)
}

/** Names of code, packages, tickets and branches. */
export function* identifiers(text: string, prose: boolean): Generator<Span> {
  const marked = prose ? markedNames(text) : new Set()
  for (const { index, 0: literal } of text.matchAll(SCOPED))
    yield { from: index, to: index + trimmed(literal).length }
  for (const { index, 0: literal } of text.matchAll(BRANCH))
    yield { from: index, to: index + trimmed(literal).length }
  for (const { index, 0: literal } of text.matchAll(TICKET))
    if (!STANDARDS.has(literal.slice(0, literal.indexOf('-'))))
      yield { from: index, to: index + literal.length }
  for (const pattern of [ADVISORY, SUBTEST, NUMBERED, CMDLET])
    for (const { index, 0: literal } of text.matchAll(pattern))
      yield { from: index, to: index + literal.length }
  for (const match of text.matchAll(NAME)) {
    if (!SPELLED.test(match[0])) continue
    const to = match.index + match[0].length
    if (prose && !marked.has(match[0]) && isProductInProse(text, match[0], match.index)) continue
    if (text[to] !== '@' && isName(match[0], text.slice(to, to + 20)))
      yield { from: match.index, to }
  }
  for (const match of text.matchAll(TICKED)) {
    const name = match[1] as string
    if (
      name.length > 1 &&
      !MEDIA_TYPES.has(name.split('/', 1)[0] as string) &&
      !PRODUCTS.has(name) &&
      !CONSTANTS.has(name)
    )
      yield { from: match.index + 1, to: match.index + 1 + name.length }
  }
}
