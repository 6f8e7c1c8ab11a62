/** Requests to read, list, compare or summarise files. */

import type { Matcher } from './intent'
import { rangeIn } from './range'
import { codeNamesIn, extensionIn, filesIn, manyIn, masked, placeIn } from './words'

export const compare: Matcher = (text) => {
  const asks =
    /\b(?:compare|diff|difference|differences|differ|differs|changed?\s+between|what(?:'s|\s+is|\s+has|\s+have)?\s+(?:is\s+)?(?:changed|different|new)\s+(?:between|in|from))\b/i
  if (!asks.test(masked(text))) return null
  const paths = filesIn(text)
  const [only] = paths
  // The same file twice is a slip of the pen worth saying, and no request to read it.
  if (only !== undefined && paths.length === 1 && text.split(only).length > 2)
    return { kind: 'compare', paths: [only, only] }
  if (paths.length < 2 && !/\b(?:two|both|them|these|those)\b/i.test(text)) return null
  return { kind: 'compare', paths: paths.slice(0, 2) }
}

export const each: Matcher = (text) => {
  const verb =
    /\b(?:read|open|go\s+(?:through|over)|walk\s+through|look\s+(?:at|into|through|over)|examine|inspect|review|study|work\s+through|skim|summari[sz]e|describe|show|print|quote|check|visit|take|tell\s+me\s+about|process)\b/i
  const all =
    /\b(?:every|each|all)\b(?:\s+of)?(?:\s+(?:the|my|our|these|those))?(?:\s+[\w.*]+){0,2}?\s+(?:files?|documents?|docs|modules?|pages?|scripts?|notes)\b|\b(?:everything|all|whatever\s+is)\s+(?:that\s+is\s+)?(?:in|under|inside|within)\b|\b(?:whole|entire|complete)\s+\S+\s*(?:folder|directory)?|\b(?:the|only)\s+(?:[\w.*]+\s+)?files\s+(?:in|under|inside|of|within)\b|\bfiles?\s+by\s+file\b|\bone\s+(?:by\s+one|after\s+(?:the\s+other|another))\b|\bin\s+turn\b/i
  if (!verb.test(masked(text)) || !(all.test(masked(text)) || /\*/.test(text))) return null
  if (filesIn(text).length > 0 && placeIn(text) === null) return null
  const range = rangeIn(text)?.range ?? null
  const atOnce = /\b(?:in\s+parallel|at\s+once|two\s+at\s+a\s+time|together)\b/i.test(text)
  return {
    kind: 'each',
    where: manyIn(text),
    atOnce,
    except: [],
    // The end of many files would take two readings of each.
    lines: range && 'last' in range ? null : range,
  }
}

export const summarise: Matcher = (text) => {
  const asks =
    /\b(?:summari[sz]e|summary|sum\s+up|tl;?dr|overview|gist|outline|key\s+points|main\s+points)\b|^what(?:'s|\s+is)\s+.+\s+about$|^what\s+(?:does|do)\s+\S+\s+(?:say|do|contain|describe|cover)$|^(?:describe|explain)\s+\S+$/i
  if (!asks.test(masked(text))) return null
  const [path] = filesIn(text)
  if (!path && !/\b(?:this|that|the|it|attached|attachment)\b/i.test(text)) return null
  return { kind: 'summarise', path: path ?? null }
}

export const list: Matcher = (text) => {
  const asks =
    /^(?:list|ls|tree)\b|\b(?:what|which)\s+files\s+(?:are|do|does|exist|can)\b|\bwhat(?:'s|\s+is)\s+(?:in|inside|under)\s+(?:the\s+)?\S+(?:\s+(?:folder|directory))?$|\bshow\s+(?:me\s+)?(?:the\s+|all\s+)?(?:files|tree|structure|folder|layout|workspace)\b|\bhow\s+many\s+files\b/i
  if (!asks.test(masked(text)) || (filesIn(text).length > 0 && placeIn(text) === null)) return null
  // "list all TODO markers": names are looked for, not files.
  if (!/\bfiles?\b/i.test(text) && codeNamesIn(text).length > 0) return null
  const bare = /^(?:ls|list|tree)\s+([\w./-]+)$/i.exec(text)?.[1]
  const where =
    placeIn(text) ??
    extensionIn(text) ??
    (bare && !/^(?:files|everything|all|it|them)$/i.test(bare) ? bare : '')
  return { kind: 'list', where, except: [] }
}

export const read: Matcher = (text) => {
  const asks =
    /\b(?:read|show|open|cat|print|display|quote|view|look\s+at|go\s+through|check|inspect|give\s+me|see|tell\s+me\s+about|lines?)\b|^what(?:'s|\s+is)\s+(?:in|inside|on|at)\b|\bcontents?\s+of\b/i
  const paths = filesIn(text)
  if (paths.length === 0) return null
  const isBare =
    paths.length === 1 && text.trim().replace(/[`"?.!]/g, '') === paths[0]!.replace(/[`"?.!]/g, '')
  if (!asks.test(masked(text)) && !isBare) return null
  return { kind: 'read', paths: paths.slice(0, 6), lines: rangeIn(text)?.range ?? null }
}
