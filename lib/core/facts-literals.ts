/**
 * Flags, addresses, hashes, figures and versions, each by one pass over the text. Every pattern begins
 * at a boundary and repeats within bounds, so that no text makes a pass more than linear.
 */

import { NUMBER } from './facts-units'
import {
  FILE_ENDINGS,
  HOST_ENDINGS,
  MEMBER_LIKE,
  PLACES,
  SMALL_WORDS,
  TOOLS,
  WHOLE_VERSIONS,
  WORD_LIKE,
} from './facts-words'

/** A stretch of the text, UTF-16 offsets, `to` not included. */
export type Span = { from: number; to: number; name?: string }

/** Where the line of `at` begins. */
export const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1

const FLAG =
  /(?<![^\s'"`([,|=:「、。，（\u3040-\u9fff])(?:--[A-Za-z][\w-]{0,60}(?:\.[a-z][\w-]{0,40}){0,4}|-(?:W[alp],[\w,.=/-]{1,100}|X[a-z]{2,20}:[\w:.-]{1,40}|[DP][\w.-]{1,60}(?==)|[A-Z]{2}:[+-]?\w{1,60}|[A-Za-z][\w-]{0,30})|-\d{1,2}(?![\w.])|\/p:[A-Z]\w{1,60}(?==))(?:=(?:[^\s'"`(),;|\]}、。，\u3040-\u9fff]|,(?=[\w-])){1,200})?/g
const SHORT_FLAG = /^-(?:[A-Za-z]|[a-z]{2,4}|[A-Z]+\w*|[OW]\w{0,30}|[a-z][\w-]{0,30})$/
/** Longer words behind one dash that are flags all the same, as `find`, `go` and `java` have them. */
const WORD_FLAG =
  /^-(?:name|iname|type|exec|path|maxdepth|mindepth|race|count|run|bench|cover|short|std|version|help|jar|cp|classpath|out|connect|servername|verbose|v+|var|vet|timeout|in|noout|days|nodes|subj|keyout|i|print|delete|f[a-z-]+|m[a-z-]+)$/

/** Before a switch of PowerShell, which is a word with a capital: a prompt, a script, a command. */
const POWERSHELL =
  /\bPS [^>\n]{0,80}>|\.ps1\b|\b(?:powershell|pwsh)\b|\b[A-Z][a-z]{2,10}-[A-Z][a-z]+[A-Z]?/

function isShortFlag(text: string, from: number, literal: string): boolean {
  const start = lineStart(text, from)
  if (start === from) return false
  const head = literal.split('=', 1)[0] as string
  if (/\d/.test(head[1] as string)) {
    const before = text.slice(start, from)
    return /^(\$|>|#) .*[a-z] $|\|.*[a-z] $/.test(before) || /^\s+$/.test(before)
  }
  if (literal.includes('=') || /^-(?:[A-Z]{2}:|X[a-z]+:|W[alp],)/.test(head)) return true
  if (
    /^-[A-Z][a-z]{2,}\w*$/.test(head) &&
    POWERSHELL.test(text.slice(Math.max(start, from - 200), from))
  )
    return true
  if (isCluster(text, start, from, head)) return true
  if (!SHORT_FLAG.test(head)) return false
  // `openssl -brief`, `xcodebuild -derivedDataPath`: a word of its own behind one dash.
  if (/^-[a-z]{3,}(?:[A-Z]\w*|-[a-z]+)*$/.test(head) && /\s/.test(text[from - 1] ?? '')) return true
  return head.length <= 5 ? !/^-[A-Z][a-z]{2,}$/.test(head) || /^-W/.test(head) : isLongShort(head)
}

/** Letters of several switches in one, on the line of a command: `curl -fsSLO`. */
const isCluster = (text: string, start: number, from: number, head: string): boolean =>
  /^-[A-Za-z]{2,6}$/.test(head) && /^\s*[$#>] /.test(text.slice(start, Math.min(from, start + 8)))

const isLongShort = (head: string): boolean =>
  WORD_FLAG.test(head) || /^-(?:[DWXL]|O\d)[\w-]+$/.test(head)

/** Switches of commands; neither `diff --git` nor what begins a line with one dash. */
export function* flags(text: string): Generator<Span> {
  for (const match of text.matchAll(FLAG)) {
    const from = match.index
    const literal = match[0].replace(/[.:]+$/, '').replace(/-+$/, '')
    if (literal.length < 2 || literal === '--git') continue
    if (literal.startsWith('/')) {
      yield { from, to: from + literal.length }
      continue
    }
    if (literal.startsWith('--')) {
      const isProperty =
        text[from + literal.length] === ':' &&
        /^\s*$/.test(text.slice(lineStart(text, from), from).slice(0, 80))
      if (isProperty || text.slice(from - 4, from) === 'var(') continue
    } else if (!isShortFlag(text, from, literal)) continue
    yield { from, to: from + literal.length }
  }
}

const STOP = '\\s<>"\'`|\\\\^{}()\\u201c\\u201d\\u00ab\\u00bb\\u3000-\\u9fff\\uff00-\\uffef⟦⟧'
const SCHEME = new RegExp(
  `(?<![A-Za-z0-9])(?:(?:jdbc:(?:[a-z0-9]{1,20}:){0,3}@?|[A-Za-z][A-Za-z0-9+-]{1,15}:)//)[^${STOP}]{1,2000}`,
  'g',
)
const REMOTE = /(?<![\w.-])[\w.-]{1,40}@[\w.-]{1,100}:[\w./~-]{1,200}/g
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const PORT = ':\\d{2,5}(?!\\d|[.:,]\\d)'
const HOST = new RegExp(
  '(?<![\\w./\\-]|[\\w.+-]@)(?:localhost(?![\\w-]|\\.\\w)|\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\w.]*\\d\\.)|\\[[0-9a-f:]{2,39}\\](?=:\\d)' +
    `|(?:${LABEL}\\.){1,6}(?:(?:${HOST_ENDINGS})(?![\\w-]|\\.\\w|\\()|[A-Za-z]{2,12}(?=${PORT})))` +
    `(?:${PORT})?(?:/[^${STOP},;:@]{0,500})?`,
  'g',
)
/** A machine of a private network by its port: `pg-primary:5432`; `build:2024` is none. */
const MACHINE = /(?<![\w.@/:-])[a-z][a-z0-9]{0,30}(?:-[a-z0-9]{1,30}|\d){1,4}:\d{4,5}(?![\w:.-])/g
/** A label that names a machine or a service, as no member of an object is named. */
const MACHINE_LABEL =
  /^(?:www|cdn|docs|status|mail|smtp|imap|ftp|git|gitlab|wiki|blog|registry|ci|jenkins|grafana|[a-z]{1,12}\d{1,3})\.|-/

/** Without the punctuation of the sentence around it. */
export const trimmed = (literal: string): string => {
  const bare = literal.startsWith('file:') ? literal.replace(/(?::\d{1,7}){1,2}$/, '') : literal
  return bare.replace(/[.,;:!?\]*_$]+$/, '')
}

/** Addresses: with a scheme, git remotes, hosts and IPs, with or without a port. */
export function* urls(text: string): Generator<Span> {
  for (const pattern of [SCHEME, REMOTE, HOST, MACHINE])
    for (const match of text.matchAll(pattern)) {
      const literal = pattern === HOST && match[0].startsWith('[') ? match[0] : trimmed(match[0])
      if (pattern === REMOTE && !/[/]|\.git$/.test(literal)) continue
      // A dotted name of two words is a host only with a port or a path: `self.app`, `user.io`.
      if (pattern === HOST && (isDottedName(literal) || isNamedVersion(text, match.index, literal)))
        continue
      yield { from: match.index, to: match.index + literal.length }
    }
}

function isDottedName(literal: string): boolean {
  if (!/^[A-Za-z_][\w.]*$/.test(literal))
    return FILE_ENDINGS.has(/\.([a-z]+):\d+$/.exec(literal)?.[1] ?? '')
  if (MACHINE_LABEL.test(literal)) return false
  const labels = literal.split('.')
  const ending = labels[labels.length - 1] as string
  // Members of four names and more do not end like a country.
  if (labels.length > 3 && ending.length === 2 && literal === literal.toLowerCase()) return false
  return MEMBER_LIKE.has(ending)
    ? labels.length < 3 || WORD_LIKE.has(ending)
    : /[a-z][A-Z]/.test(literal)
}

/** "Rails 7.1.3.4" is no address. */
const isNamedVersion = (text: string, from: number, literal: string): boolean =>
  /^[\d.]+$/.test(literal) &&
  TOOLS.has(
    /([A-Za-z]+) $/.exec(text.slice(Math.max(0, from - 20), from))?.[1]?.toLowerCase() ?? '',
  )

const HEX = /(?<![\w+/%&-]|(?<!\.)\.)(?:[0-9a-f]{7,128}|[0-9A-F]{32,128})(?![\w=+]|[-/]\w)/g
/** Long enough to stand between dashes, as in `00-4bf9…-01`. */
const LONG_HEX = /(?<![0-9a-fA-F\w])[0-9a-f]{32}(?![0-9a-fA-F\w])/g
const UUID = /(?<![\w-])[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![\w-])/g
const DIGEST =
  /(?<![\w-])(?:[Ss][Hh][Aa]-?(?:1|224|256|384|512)|[Mm][Dd]5|blake[23]b?|h1)[:-](?:(?:(?<=[Ss][Hh][Aa]\d{1,3}:)[0-9a-f]{7,128}|[0-9a-fA-F]{32,128})(?![\w+/])|[A-Za-z0-9+/]{20,128}={0,2})/g

/** A short row of hex digits is a commit when it mixes letters and digits: `facade` and 1234567 are none. */
function isHash(literal: string): boolean {
  if (literal.length >= 32) return /\d/.test(literal) && /[a-f]/i.test(literal)
  return /\d/.test(literal) && /[a-f]/.test(literal) && !/^\d+e\d+$/.test(literal)
}

/** Commits, digests and UUIDs. */
export function* hashes(text: string): Generator<Span> {
  for (const pattern of [DIGEST, UUID, HEX, LONG_HEX])
    for (const { index, 0: literal } of text.matchAll(pattern))
      if ((pattern !== HEX && pattern !== LONG_HEX) || isHash(literal))
        yield { from: index, to: index + literal.length }
}

/** `$1` of a prepared statement is no money. */
const PLACEHOLDER = /\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|VALUES|LIMIT|OFFSET)\b[^\n]*[=(, ]$/
/** "between 10h and 17h" are times of the day. */
const CLOCK = /(?:entre|às|à|vers|dès|das|desde las|a las)(?: \d{1,2} ?h (?:e|et|y|a|à|às))? $/

/** Figures with a unit. */
export function* numbers(text: string): Generator<Span> {
  for (const { index, 0: literal } of text.matchAll(NUMBER)) {
    if (
      /^\$\d{1,2}$/.test(literal) &&
      PLACEHOLDER.test(text.slice(Math.max(0, index - 200), index))
    )
      continue
    if (/^\d{1,2} ?h$/.test(literal) && CLOCK.test(text.slice(Math.max(0, index - 12), index)))
      continue
    yield { from: index, to: index + literal.length }
  }
}

const VERSION =
  /(?<![\w.,]|(?<![A-Za-z\d]{2})\/|\d[-:])(?:v\d{1,4}(?:\.\d{1,6}){0,4}|\d{1,4}(?:\.\d{1,6}){1,4})(?:-[0-9A-Za-z][0-9A-Za-z.-]{0,40}(?:\+[0-9A-Za-z.]{1,40})?|\+[0-9A-Za-z.]{1,40}|(?:rc|a|b|alpha|beta|dev|post)\d{1,3})?(?![\w/%]|\.\d)/g
const NAME_BEFORE =
  /(@?[\w.+-]{1,40}(?:\/[\w.-]{1,40})?)["'`]?[ \t]{0,2}[@:=]?[ \t]{0,2}["'`(]?(?:[\^~=<>!]{1,2} ?)?$/
const VERSION_WORD = /(?:версия|версии|версию|версией|版本|バージョン|版)[ ：:]{0,2}$/i

/** After a figure: what makes it the version of something. */
const VERSION_AFTER =
  /^ ?(?:release|branch|series|milestone|beta|alpha|LTS|への|にアップ|から\d|版本)/
const VERSION_NOUN =
  /(?:release|version|versión|versão|versione|version|wersja|wersji|tag|build|rolled back to|upgraded? to|updated? to|downgraded? to|from)[ :]{1,2}$/i

function isVersion(literal: string, before: string, after: string): boolean {
  if (literal.startsWith('v')) return true
  const word = /(?<![\w.])([\p{L}][\p{L}\d+#.-]{0,30})[ -]$/u.exec(before)?.[1]
  if (word !== undefined && PLACES.has(word.toLowerCase().replace(/\.$/, ''))) return false
  if (VERSION_AFTER.test(after) || VERSION_NOUN.test(before)) return true
  const figures = /^[\d.]+/.exec(literal)?.[0].split('.') ?? []
  if (
    /^\d{1,2}\.\d{1,2}\.(?:19|20)\d\d$/.test(literal) ||
    /^(?:19|20)\d\d\.\d{1,2}\.\d{1,2}$/.test(literal)
  )
    return false
  if (figures.length > 2) return true
  if (/[\^~<>]=? ?$/.test(before) || VERSION_WORD.test(before)) return true
  if (/[A-Za-z][:@]$/.test(before) || (/[=:] ?["']$/.test(before) && /^["']/.test(after)))
    return true
  if (word === undefined || !/^[A-Za-z]/.test(word)) return false
  return (
    TOOLS.has(word.toLowerCase()) ||
    (/^[A-Z]|[a-z][A-Z]/.test(word) && !SMALL_WORDS.has(word.toLowerCase()))
  )
}

/** Versions, with the name before them where there is one. */
export function* versions(text: string): Generator<Span> {
  for (const match of text.matchAll(VERSION)) {
    const from = match.index
    const literal = match[0].replace(/[.-]+$/, '')
    const to = from + literal.length
    const before = text
      .slice(Math.max(0, from - 64), from)
      .split('\n')
      .pop() as string
    if (!isVersion(literal, before, text.slice(to, to + 12))) continue
    const name = NAME_BEFORE.exec(before)?.[1]?.replace(/[.+-]+$/, '')
    yield name === undefined || !/[A-Za-z]/.test(name) ? { from, to } : { from, to, name }
  }
  for (const { index, 0: whole, groups } of text.matchAll(WHOLE_VERSIONS)) {
    const figure = groups?.figure as string
    const to = index + whole.length
    yield { from: to - figure.length, to, name: whole.slice(0, -figure.length).trim() }
  }
}
