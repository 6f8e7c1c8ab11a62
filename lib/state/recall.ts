/** What the recall tools read: nodes the model no longer sees, from the log (K3). */

import type { EventHead, Seq, SessionEvent } from '../core/event'
import { isSurfaceType } from '../core/event'
import type { Log } from '../core/log'
import { isText, isToolUse, textOf } from '../core/message'
import { matchesQuery, type Recall, type RecallEntry } from '../tools/recall'

/** Nodes read from storage at once while searching: bounds memory, newest first. */
const PAGE = 100

const isNode = (head: EventHead): boolean => isSurfaceType(head.type)

export function createRecall(
  log: () => Log,
  read: (seqs: readonly Seq[]) => Promise<SessionEvent[]>,
): Recall {
  const isShadowed = (head: EventHead) => {
    const { history, heads } = log()
    return isNode(head) && history.replacementOf(head.seq, heads.length - 1) !== null
  }
  return {
    async search(query, limit) {
      const seqs = log()
        .heads.filter(isShadowed)
        .map((head) => head.seq)
        .reverse()
      const found: RecallEntry[] = []
      for (let from = 0; from < seqs.length && found.length < limit; from += PAGE) {
        const entries = (await read(seqs.slice(from, from + PAGE))).flatMap(entryOf)
        found.push(...entries.filter((entry) => matchesQuery(entry.text, query)))
      }
      return found.slice(0, limit)
    },
    async read(from, to) {
      const { history, heads } = log()
      const shadowed = from === to ? history.shadowsOf(from) : []
      const seqs =
        shadowed.length > 0
          ? shadowed
          : heads
              .slice(Math.max(0, from), to + 1)
              .filter(isNode)
              .map((head) => head.seq)
      return (await read(seqs)).flatMap(entryOf)
    },
  }
}

/** A node as readable text, tool calls included; nothing for an event that is no node. */
function entryOf(event: SessionEvent): RecallEntry[] {
  switch (event.type) {
    case 'user/message':
      return [
        {
          seq: event.seq,
          kind: event.data.source.kind === 'checkpoint' ? 'checkpoint' : 'user',
          text: textOf(event.data.content),
        },
      ]
    case 'assistant/message':
      return [
        {
          seq: event.seq,
          kind: 'assistant',
          text: event.data.content
            .map((block) => {
              if (isText(block)) return block.text
              return isToolUse(block) ? `${block.name} ${JSON.stringify(block.input)}` : ''
            })
            .filter((line) => line !== '')
            .join('\n'),
        },
      ]
    case 'tool/result':
      return [
        {
          seq: event.seq,
          kind: 'result',
          ...(event.data.name === undefined ? {} : { name: event.data.name }),
          text: textOf(event.data.content),
        },
      ]
    default:
      return []
  }
}
