/** Paths, literals and names as people write them in a sentence. */

/** A quoted literal or a bare word, for use inside larger patterns; one group for each way. */
export const LITERAL = '(?:`([^`]+)`|"([^"]+)"|“([^”]+)”|‘([^’]+)’|\'([^\']+)\'|(\\S+?))'

/** The literal of six groups from `at` on. */
export const literalAt = (groups: readonly (string | undefined)[], at: number): string =>
  groups.slice(at, at + 6).find((group) => group !== undefined) ?? ''

const EXTENSIONLESS = /^(?:Makefile|Dockerfile|LICENSE|README|CHANGELOG|NOTICE)$/
const ABBREVIATION = /^(?:e\.g|i\.e|etc|vs|v?\d+(?:\.\d+)*)$/i

const trimmed = (token: string) =>
  token.replace(/^[("'“‘`[<]+/, '').replace(/[)"'”’`\],;:!?>]+$/, '')

/** Without the full stop of a sentence. */
const withoutStop = (token: string) => trimmed(token).replace(/\.+$/, '')

export const isFilePath = (token: string): boolean => {
  if (/^https?:/.test(token) || ABBREVIATION.test(token) || token.endsWith('/')) return false
  const name = token.slice(token.lastIndexOf('/') + 1)
  return (
    EXTENSIONLESS.test(name) ||
    /^\.?[\w@~+ -][\w@~+. -]*\.[A-Za-z]\w{0,7}$|^\.[A-Za-z]\w+$/.test(name)
  )
}

/** Tokens of a sentence: code and quotations whole, else words. */
function tokensOf(text: string): string[] {
  const found = text.match(/`[^`]+`|"[^"\n]+"|“[^”\n]+”|\S+/g) ?? []
  return found.map(withoutStop).filter((token) => token !== '')
}

/** Files a sentence names, in order, each once. */
export const filesIn = (text: string): string[] => [
  ...new Set(
    tokensOf(text)
      .filter((token) => isFilePath(token) && !/[*{[]/.test(token))
      .map((token) => token.replace(/^\.\//, '')),
  ),
]

const PLACE = '[\\w@.~+-]+(?:/[\\w@.~+-]+)*/?'

/** Folders (`docs/`) and globs a sentence spells out, in order. */
export const placesIn = (text: string): string[] =>
  tokensOf(text)
    .filter((token) => (/[*{]/.test(token) ? /[\w./*]/.test(token) : FOLDER.test(token)))
    .map((token) => token.replace(/^\.\//, ''))

const FOLDER = /^[\w@.~+-]+(?:\/[\w@.~+-]+)*\/$/

const KINDS: Record<string, string> = {
  python: 'py',
  markdown: 'md',
  typescript: 'ts',
  javascript: 'js',
  json: 'json',
  csv: 'csv',
  toml: 'toml',
  yaml: 'yaml',
  text: 'txt',
  rust: 'rs',
  go: 'go',
}

/** "every python file", "all .md files": a glob for the kind of file named. */
export function extensionIn(text: string): string | null {
  const found =
    /(?:\b(python|markdown|typescript|javascript|json|csv|toml|yaml|text|rust|go)|(?<=^|\s)\*?\.([a-z]\w{0,5}))\s+(?:ones|files?|documents?|modules?|scripts?)\b/i.exec(
      text,
    )
  if (!found) return null
  return `**/*.${found[2] ?? KINDS[found[1]!.toLowerCase()]}`
}

/** The files many are chosen from: a place, a kind of file, both, or all (''). */
export function manyIn(text: string): string {
  const place = placeIn(text)
  const kind = extensionIn(text)
  if (place === null || kind === null) return place ?? kind ?? ''
  return place.endsWith('/') ? place + kind : place
}

/** A folder or glob a sentence names: `docs/`, `src/*.py`, "the docs folder", "in docs"; null if none. */
export function placeIn(text: string): string | null {
  const spelled = placesIn(text)
  const glob = spelled.find((token) => /[*{]/.test(token)) ?? spelled[0]
  if (glob !== undefined) return glob
  const named =
    new RegExp(`\\b(?:the\\s+)?\`?(${PLACE})\`?\\s+(?:folder|directory|dir)\\b`, 'i').exec(text) ??
    new RegExp(
      `\\b(?:folder|directory|dir)\\s+(?:called\\s+|named\\s+)?["\`]?(${PLACE})`,
      'i',
    ).exec(text) ??
    new RegExp(
      `\\b(?:in|under|inside|within|from|of)\\s+(?:the\\s+)?["\`]?(${PLACE})["\`]?(?=[\\s,.;:!?]|$)`,
      'i',
    ).exec(text)
  const place = named?.[1]?.replace(/\.+$/, '')
  if (!place || isFilePath(place)) return null
  if (NO_PLACE.test(place)) return null
  return place.endsWith('/') ? place : `${place}/`
}

const NO_PLACE =
  /^(?:the|this|that|these|those|a|an|it|here|there|order|turn|turns|sequence|parallel|detail|full|short|all|them|each|every|which|what|my|your|our|project|workspace|repository|repo|codebase|code|files?|folder|directory|one|two|words?|general|particular|entire|whole|is|are|and)$/i

/** The body of the first fenced block, or null. */
export function fenceIn(text: string): string | null {
  const match = /```[^\n]*\n([\s\S]*?)\n?```/.exec(text)
  return match ? `${match[1]}\n` : null
}

const KIND =
  'constant|function|class|variable|method|type|setting|key|field|option|value|name|symbol|term|word|string|text|phrase'
const AROUND_NAME =
  '(?:comments?|markers?|markings?|notes?|tags?|entries|items?|occurrences?|mentions?|references?|usages?|uses|lines?|places?)'

/** What is searched for, as asked: quotes, call brackets and words like "the constant", "comments" taken off. */
export function nameOf(text: string): string {
  const bare = withoutStop(text)
  const plain = /^[`"'“]/.test(text.trim())
    ? bare
    : bare
        .replace(/^(?:(?:all|every|each|any)\s+)?(?:of\s+)?(?:the\s+)?(?=\S)/i, '')
        .replace(new RegExp(`(?<=^[\\w$.-]+)\\s+${AROUND_NAME}$`, 'i'), '')
        .replace(/^([A-Z]{3,})s$/, '$1')
  return plain
    .replace(new RegExp(`^(?:the\\s+)?(?:${KIND})\\s+(?:of\\s+|called\\s+|named\\s+)?`, 'i'), '')
    .replace(/\(\)?$/, '')
    .replace(/^[`"'“]|[`"'”]$/g, '')
    .trim()
}

/** Looks like a name in code rather than a word of a sentence. */
export const isCodeName = (text: string): boolean =>
  /^[A-Za-z_$][\w$]*$/.test(text) &&
  (/_/.test(text) || /^[A-Z0-9]{3,}$/.test(text) || /[a-z][A-Z]/.test(text))

/** Names in code a sentence holds: in backticks, or spelled like one. */
export const codeNamesIn = (text: string): string[] => {
  const quoted = [...text.matchAll(/`([^`]+)`|"([^"\n]+)"|“([^”\n]+)”/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  )
  return [...new Set([...quoted, ...tokensOf(text).filter(isCodeName)])].filter(
    (name) => name !== '' && !isFilePath(name),
  )
}

/** Single quotes keep every character from the shell. */
export const shellWord = (text: string): string =>
  /^[\w./@+-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`

/** A file or folder to search in. */
export const whereIn = (text: string): string | null => filesIn(text)[0] ?? placeIn(text)

/** The sentence with every path as one neutral word, so that no file's name is taken for a verb. */
export const masked = (text: string): string =>
  text.replace(/`[^`]+`|"[^"\n]+"|\S+/g, (token) => {
    const bare = withoutStop(token)
    return isFilePath(bare) || (bare.includes('/') && !/\s/.test(bare))
      ? token.replace(bare, 'PATH')
      : token
  })
