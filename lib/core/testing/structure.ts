/** Random structure without bodies: heads of logs that fold, dense in replacements and restores. */

import fc from 'fast-check'
import type { EventHead, Seq } from '../event'

type Act = { act: number; a: number; b: number; tokens: number }

const acts = fc.array(
  fc.record({
    act: fc.integer({ min: 0, max: 11 }),
    a: fc.nat(),
    b: fc.nat(),
    tokens: fc.nat({ max: 400 }),
  }),
  { maxLength: 60, size: 'max' },
)

const bare = { bytes: 0, media: 0 } as const

/** What the acts make, and the surface after every event by plain arrays. */
export type Structure = { heads: EventHead[]; surfaces: Seq[][] }

/** A log whose every prefix folds (S1–S5, S7); pairing is not kept, since structure does not ask for it. */
export const structures: fc.Arbitrary<Structure> = acts.map(playActs)

export function playActs(list: readonly Act[]): Structure {
  const heads: EventHead[] = []
  const surfaces: Seq[][] = []
  const shadows = new Map<Seq, Seq[]>()
  let nodes: Seq[] = []
  const push = (head: Partial<EventHead> & Pick<EventHead, 'type'>) => {
    const seq = heads.length
    heads.push({ ...bare, tokens: 0, time: 1000 + seq, ...head, seq })
    return seq
  }
  const note = () => {
    while (surfaces.length < heads.length) surfaces.push(nodes)
  }
  for (const { act, a, b, tokens } of list) {
    playAct({ act, a, b, tokens }, nodes, heads, push, note, shadows, (next) => {
      nodes = next
    })
    note()
  }
  return { heads, surfaces }
}

function playAct(
  { act, a, b, tokens }: Act,
  nodes: readonly Seq[],
  heads: readonly EventHead[],
  push: (head: Partial<EventHead> & Pick<EventHead, 'type'>) => Seq,
  note: () => void,
  shadows: Map<Seq, Seq[]>,
  become: (nodes: Seq[]) => void,
): void {
  const size = nodes.length
  const append = (head: Partial<EventHead> & Pick<EventHead, 'type'>) =>
    become([...nodes, push({ op: 'append', tokens, ...head })])
  const replace = (from: number, to: number, head: Partial<EventHead>) => {
    const gone = nodes.slice(from, to + 1)
    const seq = push({
      type: 'user/message',
      op: { op: 'replace', start: gone[0]!, end: gone.at(-1)! },
      sources: [...gone].sort((x, y) => x - y),
      tokens,
      ...head,
    })
    shadows.set(seq, gone)
    become([...nodes.slice(0, from), seq, ...nodes.slice(to + 1)])
  }
  if (act <= 2) append({ type: 'user/message', kind: 'human' })
  else if (act <= 4)
    append({
      type: 'assistant/message',
      ...(b % 3 === 2 ? { measured: tokens * 3 + (a % 97) } : {}),
    })
  else if (act === 5) append({ type: 'tool/result', frame: '{}', calls: ['x'] })
  else if (act === 6)
    push({ type: 'request/header', tokens, limits: { system: tokens, tools: 0, maxTokens: 10 } })
  else if (act <= 8 && size > 0) {
    const from = a % size
    const to = from + (b % (size - from))
    const id = `c${heads.length}`
    const range = { start: nodes[from]!, end: nodes[to]! }
    push({ type: 'compact/start', kind: 'pressure', compactionId: id, range })
    note()
    if (act === 7) replace(from, to, { kind: 'checkpoint', compactionId: id })
    note()
    push({ type: 'compact/end', compactionId: id, ...(act === 7 ? {} : { kind: 'cancelled' }) })
  } else if (act === 9) {
    const result = nodes.findIndex((seq) => heads[seq]!.type === 'tool/result')
    if (result < 0) return
    push({ type: 'compact/prune', kind: a % 2 ? 'micro' : 'pressure', seqs: [nodes[result]!] })
    note()
    replace(result, result, { type: 'tool/result', frame: '{}', calls: ['x'] })
  } else if (act === 10) {
    const seq = nodes.findLast((node) => shadows.has(node))
    if (seq === undefined) return
    push({ type: 'surface/restore', op: { op: 'restore', seq } })
    become(nodes.flatMap((node) => (node === seq ? shadows.get(seq)! : [node])))
  } else if (act === 11 && size > 0)
    push({ type: 'pin/set', kind: b % 3 ? 'pinned' : 'unpinned', seqs: [nodes[a % size]!] })
}
