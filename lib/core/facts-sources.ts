/** The texts of surface nodes that facts are looked for in. */

import type { SurfaceEvent } from './event'
import { extractFacts, type Fact, type FactKind, type FactSource } from './facts'
import { appendLost, traceFacts } from './facts-trace'
import { type Block, isKnown, type Json } from './message'
import { isRecalled } from './recall'

/** The strings of a call's input, which hold its paths and commands. */
function strings(value: Json): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(strings)
}

function textsOf(blocks: readonly Block[], role: FactSource['role'], seq: number): FactSource[] {
  return blocks.flatMap((block): FactSource[] => {
    if (!isKnown(block)) return []
    if (block.type === 'text') return [{ seq, role, text: block.text }]
    if (block.type === 'tool_use')
      return [{ seq, role: 'result', text: strings(block.input).join('\n') }]
    return block.type === 'tool_result' ? textsOf(block.content, 'result', seq) : []
  })
}

/** What an earlier summary says, without the words that code put around it; blanks keep the offsets. */
function recordOf(text: string): string {
  const inside = /^<record>\n[^\n]*\n([\s\S]*)\n<\/record>/.exec(text)
  if (!inside) return text
  const before = inside[0].indexOf(inside[1] as string, '<record>\n'.length)
  return ' '.repeat(before) + inside[1]
}

/**
 * Texts of nodes, each block of text, input of a call or result one source; `offset` of a fact counts in that
 * text. An earlier checkpoint counts as the user's, whose instructions it quotes; thinking holds no facts,
 * and what was recalled is the fact of the message it repeats (K3).
 */
export function sourcesOf(nodes: readonly SurfaceEvent[]): FactSource[] {
  return nodes.flatMap((node) => {
    if (isRecalled(node)) return []
    if (node.type === 'tool/result') return textsOf(node.data.content, 'result', node.seq)
    if (node.type === 'assistant/message') return textsOf(node.data.content, 'assistant', node.seq)
    const { kind } = node.data.source
    const sources = textsOf(node.data.content, kind === 'notice' ? 'result' : 'user', node.seq)
    return kind === 'checkpoint'
      ? sources.map((source) => ({ ...source, text: recordOf(source.text) }))
      : sources
  })
}

/** Facts of nodes, in order. */
export const factsOf = (nodes: readonly SurfaceEvent[]): Fact[] => extractFacts(sourcesOf(nodes))

/** Literals of the chosen kinds that a summary of `nodes` lost, worth most first, within `budgetTokens`. */
export function lostLiterals(
  nodes: readonly SurfaceEvent[],
  summary: string,
  kinds: readonly FactKind[],
  budgetTokens: number,
): string[] {
  const wanted = new Set(kinds)
  const facts = factsOf(nodes).filter((fact) => wanted.has(fact.kind))
  const lost = traceFacts(facts, summary).filter(({ fate }) => fate === 'lost')
  return appendLost(
    lost.map(({ fact }) => fact),
    budgetTokens,
  )
}
