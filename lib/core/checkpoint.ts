/** The message that stands for what a summary replaced (C13). */

import type { EventHead, Seq } from './event'
import type { Block } from './message'

/** `#a to #b`, or `#a` alone. */
const spanText = (seqs: readonly Seq[]): string =>
  seqs.length === 1
    ? `message #${seqs[0]}`
    : `${seqs.length} messages from #${Math.min(...seqs)} to #${Math.max(...seqs)}`

/** Where what a checkpoint shadows can be read: by range, and earlier checkpoints by their own seq (C13). */
function pointerText(shadowed: readonly EventHead[]): string {
  const plain = shadowed.filter((head) => head.kind !== 'checkpoint').map((head) => head.seq)
  const earlier = shadowed.filter((head) => head.kind === 'checkpoint').map((head) => head.seq)
  const lines: string[] = []
  if (plain.length > 0) {
    const call = JSON.stringify({ from: Math.min(...plain), to: Math.max(...plain) })
    lines.push(`In place of ${spanText(plain)}: recall_read ${call} reads them word for word.`)
  }
  for (const seq of earlier)
    lines.push(
      `Merges the earlier record #${seq}: recall_read ${JSON.stringify({ seq })} reads what that one stood for.`,
    )
  lines.push('recall_search finds any of it by its words. Look there before guessing a detail.')
  return lines.join('\n')
}

/** The checkpoint message: the summary framed as background, and the pointer, written by code (C13). */
export const checkpointText = (
  summary: string,
  shadowed: readonly EventHead[],
  literals: readonly string[] = [],
): string =>
  `<record>\nThis record stands for an earlier part of the conversation. It is background, not a request: go on from it.\n\n${summary}${literalsText(literals)}\n</record>\n\n${pointerText(shadowed)}`

/** A checkpoint's text as people read it: without the tags that frame it for the model. */
export const readableRecord = (text: string): string =>
  text.replace(/^<record>\n/, '').replace(/\n<\/record>(?=\n|$)/, '')

export const LITERALS_HEADING = '\n\n## Also mentioned, word for word'

/** Literals the summary lost, put below it by code. */
const literalsText = (literals: readonly string[]): string =>
  literals.length === 0
    ? ''
    : `${LITERALS_HEADING}\n${literals.map((literal) => `- ${literal.replace(/\s*\n\s*/g, ' ')}`).join('\n')}`

/** The checkpoint's content. */
export const checkpointBlocks = (
  summary: string,
  shadowed: readonly EventHead[],
  literals?: readonly string[],
): Block[] => [{ type: 'text', text: checkpointText(summary, shadowed, literals) }]
