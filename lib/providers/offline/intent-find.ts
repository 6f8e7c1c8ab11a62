/** Requests to find something: a definition, words, what was said before. */

import type { Matcher } from './intent'
import { contentWords } from './prose'
import { codeNamesIn, filesIn, isCodeName, nameOf, whereIn } from './words'

export const recall: Matcher = (text) => {
  const seq = /^(?:recall|show(?:\s+me)?|read)\s+(?:message\s+|node\s+)?#(\d+)/i.exec(text)
  if (seq) return { kind: 'recall', query: '', path: null, seq: Number(seq[1]) }
  const asked =
    /^(?:what\s+(?:did|was|were|had)\b|recall\b|remind\s+me\b|do\s+you\s+remember\b|what\s+do\s+you\s+remember\b|search\s+(?:the\s+)?(?:history|earlier\s+messages|conversation)\b|look\s+up\s+(?:in\s+)?(?:the\s+)?(?:history|earlier)\b)(.*)$/is.exec(
      text,
    )
  if (!asked) return null
  if (/^what\s+(?:did|was|were|had)\b/i.test(text) && /\b(?:change|differ)/i.test(text)) return null
  const [path] = filesIn(asked[1]!)
  const names = codeNamesIn(asked[1]!)
  const query =
    path ??
    names[0] ??
    contentWords(asked[1]!)
      .filter((word) => !TALK.has(word))
      .slice(0, 3)
      .join(' ')
  return query === '' ? null : { kind: 'recall', query, path: path ?? null, seq: null }
}

const TALK = new Set([
  'again',
  'earlier',
  'before',
  'history',
  'conversation',
  'messages',
  'message',
  'read',
  'remember',
  'said',
  'say',
  'told',
  'remind',
  'ago',
  'now',
  'contain',
  'contained',
])

export const define: Matcher = (text) => {
  const match =
    /^(?:where|in\s+which\s+(?:file|module))\s+(?:is|are|was|does|do)\s+(.+?)\s+(?:defined|declared|set|introduced|come\s+from|implemented|assigned)\b(.*)$/is.exec(
      text,
    ) ??
    /^(?:find|show(?:\s+me)?|give\s+me|locate|look\s+up|go\s+to)\s+(?:me\s+)?(?:the\s+)?(?:definition|declaration)\s+of\s+(.+?)(?:\s+(in\s+\S+))?$/is.exec(
      text,
    ) ??
    /^(?:which|what)\s+(?:file|module|script)s?\s+(?:defines?|declares?|sets?|introduces?)\s+(.+?)(?:\s+(in\s+\S+))?$/is.exec(
      text,
    ) ??
    /^what(?:'s|\s+is)\s+the\s+(?:value|definition)\s+of\s+(.+?)(?:\s+(in\s+\S+))?$/is.exec(text) ??
    /^what\s+is\s+(\S+)\s+set\s+to(?:\s+(in\s+\S+))?$/is.exec(text) ??
    /^how\s+is\s+(.+?)\s+defined(?:\s+(in\s+\S+))?$/is.exec(text) ??
    /^define\s+(\S+)$/i.exec(text)
  const plain = match
    ? null
    : /^what(?:'s|\s+is|\s+does)\s+(?:the\s+\w+\s+)?`?([\w$]+)`?(?:\(\))?(?:\s+(?:mean|do))?$/i.exec(
        text,
      )
  if (plain && (isCodeName(plain[1]!) || text.includes('`')))
    return { kind: 'define', name: plain[1]!, where: null }
  if (!match) return null
  const name = nameOf(match[1]!)
  if (name === '' || /\s/.test(name)) return null
  return { kind: 'define', name, where: whereIn(match[2] ?? '') }
}

const IN = '(?:\\s+(?:in|under|inside|within|across)\\s+(.+?))?'

export const search: Matcher = (text) => {
  const inside = /^(?:search|grep|look|scan)\s+(?:in\s+|through\s+)?(\S+)\s+for\s+(.+)$/is.exec(
    text,
  )
  const place = inside ? whereIn(`in ${inside[1]}`) : null
  if (inside && place !== null)
    return { kind: 'search', text: nameOf(inside[2]!), where: place, wants: 'places' }
  const patterns: [RegExp, 'places' | 'files' | 'count'][] = [
    [
      /^how\s+(?:often|many\s+times)\s+(?:is|are|does|do)\s+(.+?)\s+(?:used|mentioned|occur|appear|called|referenced|come\s+up|found)(.*)$/is,
      'count',
    ],
    [
      new RegExp(
        `^(?:count|how\\s+many)\\s+(?:are\\s+there\\s+)?(?:the\\s+)?(?:occurrences?|matches|mentions|uses)\\s+(?:of|for)\\s+(.+?)(?:\\s+are\\s+there)?${IN}$`,
        'is',
      ),
      'count',
    ],
    [
      new RegExp(
        `^(?:which|what)\\s+files?\\s+(?:mention|use|uses|contain|contains|mentions|refer\\s+to|import|imports|call|calls|have|has|reference)\\s+(.+?)${IN}$`,
        'is',
      ),
      'files',
    ],
    [
      /^(?:where|in\s+which\s+files?)\s+(?:is|are|do\s+we|does\s+it|can\s+i\s+find)\s+(.+?)\s+(?:used|mentioned|called|referenced|imported|found|written|use|mention)\b(.*)$/is,
      'places',
    ],
    [
      new RegExp(
        `^(?:where|who|what)\\s+(?:uses|mentions|calls|references|imports)\\s+(.+?)${IN}$`,
        'is',
      ),
      'places',
    ],
    [
      new RegExp(
        `^(?:find|show(?:\\s+me)?|list)\\s+(?:me\\s+)?(?:all|every|any|each)?\\s*(?:the\\s+)?(?:uses?|usages?|mentions?|occurrences?|references?|lines?|places?|matches)\\s+(?:of|to|with|for|that\\s+(?:contain|mention|use|say)s?|containing|mentioning|where)\\s+(.+?)${IN}$`,
        'is',
      ),
      'places',
    ],
    [
      new RegExp(
        `^(?:search|grep|look|scan)\\s+(?:through\\s+)?(?:(?:the\\s+)?(?:workspace|files|code|project|repository|everything)\\s+)?(?:for\\s+)?(.+?)${IN}$`,
        'is',
      ),
      'places',
    ],
    [/^does\s+any(?:thing|\s+file)?\s+(?:mention|use|contain|call|say)s?\s+(.+?)$/is, 'files'],
    [
      new RegExp(`^where\\s+(?:is|are|can\\s+i\\s+find|do\\s+i\\s+find)\\s+(.+?)${IN}$`, 'is'),
      'places',
    ],
    [new RegExp(`^(?:find|list)\\s+(.+?)${IN}$`, 'is'), 'places'],
  ]
  for (const [pattern, wants] of patterns) {
    const match = pattern.exec(text)
    if (!match) continue
    const found = nameOf(match[1]!)
    if (found === '' || found.length > 120) return null
    return { kind: 'search', text: found, where: whereIn(match[2] ? `in ${match[2]}` : ''), wants }
  }
  const topic =
    /^what\s+(?:does|do)\s+(.+?)\s+(?:say|tell(?:\s+us)?|have\s+to\s+say)\s+about\s+(.+)$/is.exec(
      text,
    )
  const [path] = topic ? filesIn(topic[1]!) : []
  return topic && path
    ? { kind: 'search', text: nameOf(topic[2]!), where: path, wants: 'places' }
    : null
}
