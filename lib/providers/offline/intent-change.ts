/** Requests to change something, to run a command or to compact. */

import type { Matcher } from './intent'
import { fenceIn, filesIn, LITERAL, literalAt, shellWord } from './words'

const SHELL =
  /^(?:ls|cat|wc|grep|rg|find|sort|uniq|head|tail|sed|awk|jq|diff|tree|du|cut|tr|echo|printf|pwd|stat|file|cp|mv|rm|mkdir|touch|seq|xargs|tac|nl|comm|join|paste|md5sum|sha256sum|for|while|if|date|basename|dirname|rev|fold|column|test|env|true|false)\b/

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
    const bare = asked[1]!.replace(/[.!]$/, '')
    if (SHELL.test(bare)) return { kind: 'run', command: bare }
    return null
  }
  const typed = /^\$\s+(.+)$/s.exec(text)
  if (typed) return { kind: 'run', command: typed[1]! }
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

export const edit: Matcher = (text) => {
  const body = `(?:replace|change|swap|rename)\\s+(?:(all|every|each)\\s+(?:occurrences?\\s+of\\s+)?)?${LITERAL}\\s+(?:with|to|by|into|for)\\s+${LITERAL}`
  const after = new RegExp(
    `^${body}\\s+(everywhere\\s+)?(?:in|inside|within)\\s+(?:the\\s+file\\s+)?${PATH_WORD}([^\\n]*)$`,
    'is',
  ).exec(text)
  if (after) {
    const tail = `${after[1] ?? ''} ${after[14] ?? ''} ${after[16] ?? ''}`
    return {
      kind: 'edit',
      path: after[15]!.replace(/\.$/, ''),
      from: literalAt(after, 2),
      to: literalAt(after, 8),
      all: /\b(?:all|every|each|everywhere)\b/i.test(tail),
    }
  }
  const before = new RegExp(
    `^in\\s+(?:the\\s+file\\s+)?${PATH_WORD},?\\s+${body}\\s*(everywhere)?[.!]?$`,
    'is',
  ).exec(text)
  if (!before) return null
  return {
    kind: 'edit',
    path: before[1]!.replace(/,$/, ''),
    from: literalAt(before, 3),
    to: literalAt(before, 9),
    all: before[2] !== undefined || before[15] !== undefined,
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

export const write: Matcher = (text) => {
  const named = new RegExp(
    `^(?:create|write|make|add|save|start)\\s+(?:a\\s+|an\\s+|the\\s+)?(?:new\\s+)?(?:text\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+|at\\s+)?${PATH_WORD}(?:(?:\\s+(?:and\\s+\\w+\\s+)?(?:with|containing|that\\s+says|saying|holding)|\\s*:)\\s*(?:the\\s+|this\\s+)?(?:following\\s+)?(?:contents?|text|lines?|words?)?\\s*:?\\s*([\\s\\S]+))?$`,
    'i',
  ).exec(text)
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
