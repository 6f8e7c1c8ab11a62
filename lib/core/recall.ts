/** Results that repeat earlier messages of the log: what summarises them points back instead of copying (K3). */

import type { Seq, SurfaceEvent } from './event'
import { isText } from './message'

const TOOLS: ReadonlySet<string> = new Set(['recall_search', 'recall_read'])
/** Numbers named in a pointer at most. */
const NAMED = 20

/** Whether a node is what a recall gave; a failed one repeats nothing. */
export const isRecalled = (node: SurfaceEvent, name = ''): boolean =>
  node.type === 'tool/result' && !node.data.isError && TOOLS.has(node.data.name ?? name)

/** The messages a recalled result repeats: its entries begin with their number in the log. */
function numbersIn({ data }: SurfaceEvent): Seq[] {
  const text = data.content
    .filter(isText)
    .map((block) => block.text)
    .join('\n')
  return [...new Set([...text.matchAll(/^#(\d{1,9})\b/gm)].map(([, seq]) => Number(seq)))]
}

/** What stands for a recalled result in the text a summary is made of. */
export function pointerBack(node: SurfaceEvent): string {
  const seqs = numbersIn(node)
  if (seqs.length === 0) return '[repeats earlier messages; not copied here]'
  const named = seqs.slice(0, NAMED).map((seq) => `#${seq}`)
  const more = seqs.length > NAMED ? ` and ${seqs.length - NAMED} more` : ''
  return `[repeats ${named.join(', ')}${more}; not copied here, the numbers lead to it]`
}
