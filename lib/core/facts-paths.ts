/** Files and folders, absolute, relative and bare. */

import { lineStart, type Span } from './facts-literals'
import { BARE_FILES, BRANCHES, FILE_ENDINGS, FOLDERS, MEDIA_TYPES } from './facts-words'

const SEGMENT =
  '(?:[\\w.@+~*$\\u00c0-\\u024f\\u0400-\\u04ff-]|\\[\\.{0,3}\\w{1,40}\\]|\\{\\w{1,40}\\}|(?<=/)[\\u4e00-\\u9fff]{1,20}(?=/)|(?<=/):(?=[a-z]))'
const PATH = new RegExp(
  `(?<![\\w\\u00c0-\\u024f\\u0400-\\u04ff@.$~/\\\\<*+-])(?:` +
    `[A-Za-z]:\\\\[^\\s"'\`<>|:?()]{1,300}` +
    `|\\\\\\\\[\\w.-]{1,60}(?:\\\\[^\\s"'\`<>|:*?\\\\]{1,100}){1,20}` +
    `|%[A-Z_]{2,30}%(?:\\\\[^\\s"'\`<>|:*?\\\\]{1,100}){1,20}` +
    `|~?/(?:${SEGMENT}{1,120}/?){1,40}(?:\\?[\\w.~%&=+-]{1,200})?` +
    `|${SEGMENT}{1,120}(?:/${SEGMENT}{1,120}){0,40}/?)`,
  'g',
)

const endingOf = (segment: string): string | undefined =>
  /\.([A-Za-z][A-Za-z0-9]{0,9})$/.exec(segment)?.[1]
const isFile = (segment: string): boolean => {
  const ending = endingOf(segment)
  // `A.C` is code, `README.MD` a file.
  return ending !== undefined && FILE_ENDINGS.has(ending.length > 1 ? ending.toLowerCase() : ending)
}
const DOTFILE =
  /^\.(?:env|git|npm|nvm|yarn|docker|eslint|prettier|babel|editor|bash|zsh|vim|ssh|cache|github|gitlab|vscode|husky)[\w.-]*$/

/** Two words for one thing each, not a folder in a folder. */
const PAIR =
  /^(?:client\/server|server\/client|public\/private|test\/(?:dev|prod)|docs?\/(?:tests?|code)|tests?\/docs?|scripts?\/tools?|logs?\/metrics|models?\/views?|data\/(?:code|model))$/

function isRelative(literal: string, quoted: boolean): boolean {
  const segments = literal.split('/').filter(Boolean)
  const first = segments[0] as string
  const last = segments[segments.length - 1] as string
  if (/^\.{1,2}$/.test(first)) return segments.length > 1
  if (first.startsWith('@') || (MEDIA_TYPES.has(first) && segments.length === 2 && !isFile(last)))
    return false
  if (literal.endsWith('/'))
    return /[\w*]/.test(first) && !/^[A-Za-z]\/$/.test(literal) && !/^\d+$/.test(first)
  if (isFile(last)) return true
  if (BRANCHES.has(first)) return false
  if (segments.some((part) => part.includes('*') && /\w/.test(literal))) return true
  if (PAIR.test(literal)) return false
  if (FOLDERS.has(first) || DOTFILE.test(first)) return true
  // Three folders and more are a path when one is a folder of any project, or the last is spelled like a file.
  if (segments.length > 2 && segments.every((part) => part.length > 1))
    if (segments.some((part) => FOLDERS.has(part) || /[A-Za-z].*[_\d]/.test(part))) return true
  return quoted && /^[\w.-]+$/.test(first) && !/^(?:\d|try|and|if|on|either)/.test(first)
}

function isBareFile(literal: string): boolean {
  if (BARE_FILES.has(literal) || DOTFILE.test(literal)) return true
  if (!isFile(literal) || /^\.+\w+$/.test(literal)) return false
  const stem = literal.slice(0, literal.lastIndexOf('.'))
  if (
    /^(?:Node|Next|Vue|Nuxt|React|Express|Three|D3|Chart|Alpine|Ember|Backbone|Deno|ASP)$/.test(
      stem,
    )
  )
    return false
  // One letter and one letter is `c.h` in a book and `a.b` in code; a name of code may end like a file.
  return (
    (stem.length > 1 || stem === '*') &&
    !/^(?:this|self|process|System|e|i|z|module|window|console|Math|JSON)$/.test(stem)
  )
}

/** Endings that are also common members: a bare `row.key` is code, `server.key` in quotes a file. */
const MEMBER_ENDINGS =
  /\.(?:key|map|config|env|log|lock|info|mod|sum|db|data|dat|a|o|c|m|r|h|s|so|bin|out|po|ai|age|sig|asc|pid|bak|tmp|pub|img|dump|props|targets|unity|blend|cf|opus|elm|zig|liquid|ml|ex|go|d)$/

const isQuoted = (text: string, from: number, to: number): boolean =>
  /[`"'«„“「]/.test(text[from - 1] ?? '') && /[`"'»”“」:]/.test(text[to] ?? '')

/** A document by its name with spaces: `"Invoice 0917 final.pdf"`. */
const TITLED =
  /(?<=["“„«]\s?)[^\s"“”„«»/\\:][^"“”„«»/\\\n:]{0,80} [^"“”„«»/\\\n:]{0,60}\.(?:docx?|xlsx?|pptx?|pdf|od[tsp]|rtf|txt|csv|md|zip|jpe?g|png|gif|svg|mp[34]|mov|key|pages|numbers|psd|dwg)(?=\s?["“”»])/gi

/** Files and folders, without git's `a/` and `b/` and without a line and column. */
export function* paths(text: string): Generator<Span> {
  for (const { index, 0: literal } of text.matchAll(TITLED))
    yield { from: index, to: index + literal.length }
  for (const match of text.matchAll(PATH)) {
    let from = match.index
    let literal = match[0]
    // Most matches are plain words.
    if (!/[./\\*+~$-]/.test(literal) && !BARE_FILES.has(literal)) continue
    if (/^\*\*[^*]+\*\*$/.test(literal)) {
      from += 2
      literal = literal.slice(2, -2)
    }
    if (
      /^[ab]\/./.test(literal) &&
      /^(?:diff --git |--- |\+\+\+ )/.test(
        text.slice(lineStart(text, from), lineStart(text, from) + 12),
      )
    ) {
      from += 2
      literal = literal.slice(2)
    }
    // Go's `./...` names a folder and all below it.
    if (!literal.endsWith('/...')) literal = literal.replace(/[.,:~$+-]+$/, '')
    literal = literal.replace(/^[$+-]+(?=\.?\/|\w)/, (cut) => {
      from += cut.length
      return ''
    })
    const to = from + literal.length
    if (isPath(text, from, to, literal)) yield { from, to }
  }
}

function isPath(text: string, from: number, to: number, literal: string): boolean {
  if (!/[A-Za-z\u00c0-\u04ff]/.test(literal) && !/^~\//.test(literal)) return false
  if (/^(?:[A-Za-z]:|%[A-Z_]+%|\\)\\/.test(literal)) return true
  if (literal.startsWith('...')) return false
  const quoted = isQuoted(text, from, to)
  if (/^~?\//.test(literal))
    return /^~?\/\.?[\w@*$[\u00c0-\u024f]/.test(literal) && literal.length > 2
  if (literal.includes('/'))
    return text.slice(from - 5, from) !== 'node:' && isRelative(literal, quoted)
  if (literal.includes('@')) return false
  if (text[to] === '(' && MEMBER_ENDINGS.test(literal)) return false
  return (
    isBareFile(literal) &&
    (quoted ||
      literal.split('.').length > 2 ||
      !MEMBER_ENDINGS.test(literal) ||
      isListed(text, from, to))
  )
}

/** Alone on its side of the line, or followed by a position, as compilers and `ls` print files. */
const isListed = (text: string, from: number, to: number): boolean =>
  /[(\s=⟦]|^$/.test(text[from - 1] ?? '') && /^(?::[\d\s]|\s|$|\)|,)/.test(text.slice(to, to + 2))
