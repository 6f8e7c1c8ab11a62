/** Requests to change something, to run a command or to compact. */

import type { Matcher } from './intent'
import {
  fenceIn,
  filesIn,
  isFilePath,
  LITERAL,
  literalAt,
  manyIn,
  placeIn,
  shellWord,
} from './words'

const SHELL =
  /^(?:ls|cat|wc|grep|rg|find|sort|uniq|head|tail|sed|awk|jq|diff|tree|du|cut|tr|echo|printf|pwd|stat|file|cp|mv|rm|mkdir|touch|seq|xargs|tac|nl|comm|join|paste|md5sum|sha256sum|for|while|if|date|basename|dirname|rev|fold|column|test|env|true|false)\b/

/** "… with bash": how, not what. */
const IN_SHELL =
  /\s+(?:with|in|using|via|through|by)\s+(?:the\s+|a\s+)?(?:bash|sh|shell|terminal|console|command\s+line)[.!]?$/i

export const run: Matcher = (text) => {
  const asked =
    /^(?:run|execute|exec|try)\s+(?:the\s+|this\s+)?(?:(?:shell\s+|bash\s+)?command\s*)?:?\s*([\s\S]+)$/i.exec(
      text,
    )
  if (asked) {
    const fenced = fenceIn(asked[1]!)
    if (fenced) return { kind: 'run', command: fenced.trim() }
    const quoted = /^`([^`]+)`/.exec(asked[1]!)
    if (quoted) return { kind: 'run', command: quoted[1]! }
    const bare = asked[1]!.replace(IN_SHELL, '').replace(/[.!]$/, '')
    if (SHELL.test(bare)) return { kind: 'run', command: bare }
    return null
  }
  const typed = /^\$\s+(.+)$/s.exec(text)
  if (typed) return { kind: 'run', command: typed[1]! }
  const moved =
    /^(?:rename|move|mv)\s+(?:the\s+)?(?:file\s+)?(\S+)\s+(?:to|into|as)\s+(\S+)$/i.exec(text)
  const [from, to] = moved ? filesIn(`${moved[1]} ${moved[2]}`) : []
  if (from && to) return { kind: 'run', command: `mv ${shellWord(from)} ${shellWord(to)}` }
  const removed = /^(?:delete|remove)\s+(?:the\s+)?(?:file\s+)?(\S+)$/i.exec(text)
  const [path] = removed ? filesIn(removed[1]!) : []
  return path ? { kind: 'run', command: `rm ${shellWord(path)}` } : null
}

export const compact: Matcher = (text) => {
  if (!/^(?:compact|compress|condense)\b/i.test(text)) return null
  if (filesIn(text).length > 0 && !/\b(?:context|conversation|now|history|session)\b/i.test(text))
    return null
  const focus =
    /\b(?:focus(?:ing|sed)?(?:\s+on)?|keep(?:ing)?|concentrat\w+\s+on)\b:?\s*(.+?)[.!]?$/is.exec(
      text,
    )?.[1]
  return { kind: 'compact', focus: focus?.trim() || null }
}

const PATH_WORD = '["`]?([\\w@.~+/-]+)["`]?'

const CHANGE = '(?:replace|change|swap|rename|substitute)'
const EDIT = new RegExp(
  `^${CHANGE}\\s+(?:(?:all|every|each)\\s+(?:occurrences?\\s+of\\s+)?)?${LITERAL}\\s+(?:with|to|by|into|for)\\s+${LITERAL}(\\s+[^\\n]*)?$`,
  'is',
)
/** "in a.ts, change …" says the same as "change … in a.ts". */
const PLACE_FIRST = new RegExp(`^in\\s+(?:(\\S+?),?|([^,]+),)\\s+(${CHANGE}\\b.+)$`, 'is')

export const PRONOUN = /^(?:it|them|this|that|these|those)$/i

export const edit: Matcher = (text) => {
  const moved = PLACE_FIRST.exec(text)
  const match = EDIT.exec(moved ? `${moved[3]} in ${moved[1] ?? moved[2]}` : text)
  if (!match) return null
  const tail = match[13] ?? ''
  if (tail !== '' && !/\b(?:in|inside|within|under|across|of|everywhere)\b/i.test(tail)) return null
  // "replace it", "in all of them": without a name nothing is changed.
  if (PRONOUN.test(match[6] ?? '')) return null
  const paths = filesIn(tail)
  const isMany =
    !/\b(?:them|these|those|it|there)\b/i.test(tail) &&
    (/\b(?:all|every|each|everywhere|workspace|project|files|folder|directory)\b/i.test(tail) ||
      placeIn(tail) !== null)
  const verb = text.slice(0, 60)
  return {
    kind: 'edit',
    paths,
    where: paths.length === 0 && isMany ? manyIn(tail) : null,
    except: [],
    from: literalAt(match, 1),
    to: literalAt(match, 7),
    all:
      (paths.length === 0 && isMany) ||
      new RegExp(`${CHANGE}\\s+(?:all|every|each)\\b`, 'i').test(verb) ||
      /\beverywhere\b/i.test(tail),
  }
}

/** Exactly what stands in a fence or in quotes, else all the words that follow. */
function contentOf(text: string): string {
  const fenced = fenceIn(text)
  if (fenced !== null) return fenced
  const whole = text.trim()
  const quoted = /^(?:`([\s\S]+)`|"([\s\S]+)"|“([\s\S]+)”|'([\s\S]+)')[.!]?$/.exec(whole)
  return quoted?.slice(1).find((group) => group !== undefined) ?? whole
}

/** Words for what the part before has found. */
export const RESULT =
  /^(?:it|that|this|them|these|those|everything|the\s+(?:lines|(?:\w+\s+)?(?:results?|summary|answer|list|output|findings|matches|text|differences?)))$/i

export const write: Matcher = (text) => {
  const named = new RegExp(
    `^(?:create|write|make|add|save|start)\\s+(?:a\\s+|an\\s+|the\\s+)?(?:new\\s+)?(?:text\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+|at\\s+)?${PATH_WORD}(?:(?:\\s+(?:and\\s+\\w+\\s+)?(?:with|containing|that\\s+says|saying|holding)|\\s*:)\\s*(?:the\\s+|this\\s+)?(?:following\\s+)?(?:contents?|text|lines?|words?)?\\s*:?\\s*([\\s\\S]+))?$`,
    'i',
  ).exec(text)
  // Words after the closing quote ask for something else: what is meant is not sure.
  if (named?.[2] !== undefined && /^(?!```)(?:`[^`]*`|"[^"]*"|“[^”]*”)\s*[^\s.!]/.test(named[2]))
    return null
  if (named && filesIn(named[1]!).length === 1) {
    return {
      kind: 'write',
      path: named[1]!,
      content: named[2] === undefined ? null : contentOf(named[2]),
    }
  }
  const into = new RegExp(
    `^(?:write|save|put|store)\\s+${LITERAL}\\s+(?:to|into|in|as)\\s+(?:a\\s+|the\\s+)?(?:new\\s+)?(?:file\\s+)?(?:called\\s+)?${PATH_WORD}[.!]?$`,
    'is',
  ).exec(text)
  if (!into || filesIn(into[7]!).length !== 1) return null
  // A file's name is no text to write: its lines are meant, and go another way.
  if (into[6] !== undefined && (isFilePath(into[6]) || RESULT.test(into[6]))) return null
  return { kind: 'write', path: filesIn(into[7]!)[0]!, content: literalAt(into, 1) }
}

export const append: Matcher = (text) => {
  const match = new RegExp(
    `^(?:append|add)\\s+(?:the\\s+)?(?:line\\s+|text\\s+)?${LITERAL}\\s+(?:to|at\\s+the\\s+end\\s+of)\\s+(?:the\\s+end\\s+of\\s+)?(?:the\\s+file\\s+)?${PATH_WORD}[.!]?$`,
    'is',
  ).exec(text)
  if (!match || filesIn(match[7]!).length !== 1) return null
  return { kind: 'append', path: filesIn(match[7]!)[0]!, content: literalAt(match, 1) }
}
