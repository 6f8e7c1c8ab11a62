/** The sample session as the file the app ships, and a line about what is in it. */

import { writeTranscript } from '../../lib/formats/transcript'
import { makeSample } from './make'

export async function writeSample(
  files: Record<string, string>,
): Promise<{ text: string; told: string }> {
  const { header, events, log } = await makeSample(files)
  const stream = writeTranscript('native', header, events, { count: events.length })
  const text = await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).text()
  const count = (type: string) => events.filter((event) => event.type === type).length
  const tokens = log.heads.reduce((sum, head) => sum + (head.op === 'append' ? head.tokens : 0), 0)
  const ends = log.heads
    .filter((head) => head.type === 'compact/end')
    .map((head) => head.kind ?? 'done')
  const causes = log.heads.filter((head) => head.type === 'compact/prune').map((head) => head.kind)
  return {
    text,
    told: `${events.length} events, ${tokens} tokens of content, summaries: ${ends.join(' ')}, ${count('compact/prune')} replacements (${[...new Set(causes)].join(' ')})`,
  }
}
