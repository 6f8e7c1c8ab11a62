/** The labelled texts beside this file, and how well an extractor does on them. README.md has the rules. */

import { readdirSync, readFileSync } from 'node:fs'
import { extractFacts, type Fact, type FactKind, type FactSource, normalise } from '../../facts'

export type Label = { kind: FactKind; text: string; offset: number }
export type Labelled = { name: string; half: 'open' | 'held'; source: FactSource; labels: Label[] }

const OPEN = /⟦([a-z]+):/y

/** The text without its marks, and what they mark. */
export function stripMarks(marked: string): { text: string; labels: Label[] } {
  const open: { kind: FactKind; offset: number }[] = []
  const labels: Label[] = []
  let text = ''
  for (let at = 0; at < marked.length; ) {
    OPEN.lastIndex = at
    const mark = OPEN.exec(marked)
    if (mark) {
      open.push({ kind: mark[1] as FactKind, offset: text.length })
      at = OPEN.lastIndex
    } else if (marked[at] === '⟧') {
      const { kind, offset } = open.pop() as { kind: FactKind; offset: number }
      labels.push({ kind, offset, text: text.slice(offset) })
      at++
    } else text += marked[at++]
  }
  if (open.length > 0) throw new Error(`a mark is not closed: ${text.slice(open[0]?.offset)}`)
  const first = new Map<string, Label>()
  for (const label of labels.sort((a, b) => a.offset - b.offset)) {
    const key = `${label.kind} ${normalise(label.text)}`
    if (!first.has(key)) first.set(key, label)
  }
  return { text, labels: [...first.values()] }
}

/** Texts up to this number were read while the extractor was built; of later ones only totals are looked at. */
const SEEN = 230

const halfOf = (number: number): Labelled['half'] => (number > SEEN ? 'held' : 'open')

export function readCorpus(): Labelled[] {
  const folder = new URL('./', import.meta.url)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => {
      const [number, role] = name.split('.')
      const { text, labels } = stripMarks(readFileSync(new URL(name, folder), 'utf8'))
      const source = { seq: Number(number), role: role as FactSource['role'], text }
      return { name, half: halfOf(Number(number)), source, labels }
    })
}

export type Score = {
  labels: number
  found: number
  hits: number
  precision: number
  recall: number
}

/** Kinds whose spans need not match to the letter. */
const LOOSE: ReadonlySet<FactKind> = new Set(['error', 'instruction', 'decision', 'effect'])
const SHARED = 0.6

const isSame = (label: Label, fact: Fact): boolean => {
  if (label.kind !== fact.kind) return false
  if (normalise(label.text) === normalise(fact.text)) return true
  if (!LOOSE.has(label.kind)) return false
  const from = Math.max(label.offset, fact.offset)
  const to = Math.min(label.offset + label.text.length, fact.offset + fact.text.length)
  return (to - from) / (label.text.length + fact.text.length - (to - from)) >= SHARED
}

/** Each label paired with at most one fact of its text. */
export function matchText({ source, labels }: Labelled): {
  missed: Label[]
  wrong: Fact[]
  hits: Label[]
} {
  const wrong = extractFacts([source])
  const missed: Label[] = []
  const hits: Label[] = []
  for (const label of labels) {
    const at = wrong.findIndex((fact) => isSame(label, fact))
    if (at < 0) missed.push(label)
    else {
      hits.push(label)
      wrong.splice(at, 1)
    }
  }
  return { missed, wrong, hits }
}

export function score(texts: readonly Labelled[], kind: FactKind): Score {
  let [labels, found, hits] = [0, 0, 0]
  for (const text of texts) {
    const match = matchText(text)
    const count = (facts: readonly { kind: FactKind }[]) =>
      facts.filter((fact) => fact.kind === kind).length
    hits += count(match.hits)
    labels += count(match.hits) + count(match.missed)
    found += count(match.hits) + count(match.wrong)
  }
  return {
    labels,
    found,
    hits,
    precision: hits / Math.max(1, found),
    recall: hits / Math.max(1, labels),
  }
}
