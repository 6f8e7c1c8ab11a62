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

/** A folder or glob a sentence names: `docs/`, `src/*.py`, "the docs folder", "in docs"; null if none. */
export function placeIn(text: string): string | null {
  const tokens = tokensOf(text)
  const glob = tokens.find((token) => /[*{]/.test(token) && /[\w./*]/.test(token))
  if (glob) return glob.replace(/^\.\//, '')
  const folder = tokens.find((token) => /^[\w@.~+-]+(?:\/[\w@.~+-]+)*\/$/.test(token))
  if (folder) return folder.replace(/^\.\//, '')
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

/** "lines 10-20", "line 7": the range, or null. */
export function linesIn(text: string): { from: number; to: number } | null {
  const match = /\blines?\s+(\d+)(?:\s*(?:-|–|to|through|until|and)\s*(\d+))?/i.exec(text)
  if (!match) {
    const first = /\bfirst\s+(\d+)\s+lines\b/i.exec(text)
    return first ? { from: 1, to: Number(first[1]) } : null
  }
  const from = Math.max(1, Number(match[1]))
  return { from, to: Math.max(from, Number(match[2] ?? from)) }
}

/** The body of the first fenced block, or null. */
export function fenceIn(text: string): string | null {
  const match = /```[^\n]*\n([\s\S]*?)\n?```/.exec(text)
  return match ? `${match[1]}\n` : null
}

/** A name in code as asked for: quotes, call brackets and words like "the constant" taken off. */
export function nameOf(text: string): string {
  return withoutStop(text)
    .replace(
      /^(?:the\s+)?(?:constant|function|class|variable|method|type|setting|key|field|option|value|name|symbol|term|word|string|text|phrase)\s+(?:of\s+|called\s+|named\s+)?/i,
      '',
    )
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
