/** Benches of the facts: how well the held half of the labelled texts is read, and how fast. */

import { extractFacts, LEXICAL_KINDS, MEANING_KINDS } from '../../lib/core/facts'
import { readCorpus, score } from '../../lib/core/testing/facts/corpus'
import { type Figure, figure, median } from './figures'

const PRECISION = 0.9
const RECALL = 0.8
/** Text to read in one run, and how long it may take: a megabyte a second. */
const MEGABYTES = 2
const MS_PER_MEGABYTE = 1000

/** Milliseconds of this process's own work: other processes must not make the reader look slow. */
function worked(work: () => unknown): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** A share that must be at least `least`; the baseline is the least, so the ratio is turned round. */
const share = (name: string, value: number, least: number): Figure => {
  const { ratio, atMost, ok } = figure(name, least, value, 1, 'share')
  return {
    name,
    value: Number(value.toPrecision(4)),
    baseline: least,
    unit: 'share',
    ratio,
    atMost,
    ok,
  }
}

export async function run(): Promise<Figure[]> {
  const corpus = readCorpus()
  const held = corpus.filter(({ half }) => half === 'held')
  const figures = LEXICAL_KINDS.flatMap((kind) => {
    const { precision, recall, labels } = score(held, kind)
    const name = `facts, ${kind}: ${labels} held labels`
    return [
      share(`${name}, precision`, precision, PRECISION),
      share(`${name}, recall`, recall, RECALL),
    ]
  })
  // Classes that need meaning are told, never missed.
  for (const kind of MEANING_KINDS) {
    const { precision, recall, labels } = score(held, kind)
    const name = `facts, ${kind}: ${labels} held labels`
    figures.push(share(`${name}, precision`, precision, 0), share(`${name}, recall`, recall, 0))
  }

  const bytes = (text: string) => new TextEncoder().encode(text).length
  const once = corpus.reduce((sum, { source }) => sum + bytes(source.text), 0)
  const rounds = Math.ceil((MEGABYTES * 1e6) / once)
  const sources = Array.from({ length: rounds }, () => corpus.map(({ source }) => source)).flat()
  extractFacts(sources)
  const runs = Array.from({ length: 5 }, () => worked(() => extractFacts(sources)))
  const perMegabyte = median(runs) / ((once * rounds) / 1e6)
  return [
    ...figures,
    figure('facts of 1 MB of dense text, beside a second', perMegabyte, MS_PER_MEGABYTE, 1),
  ]
}
