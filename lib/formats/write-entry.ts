/** What one event says to a reader, before any format: a heading, facts, and parts of text. */

import type { CompactTrigger, EventOf, Seq, SessionEvent, SurfaceEvent } from '../core/event'
import { type BlobRef, type Block, isKnown } from '../core/message'
import { assertNever } from '../core/result'
import { isEventType } from '../core/shape'

export type EntryPart =
  | { kind: 'text' | 'output' | 'thinking' | 'quote'; text: string }
  /** A value of any shape, as JSON. `label` and `names` say what it belongs to. */
  | { kind: 'data'; label: string; names: string[]; text: string }
  | { kind: 'media'; label: string; source: BlobRef }

export type EntryKind =
  | 'user'
  | 'notice'
  | 'checkpoint'
  | 'assistant'
  | 'result'
  | 'compaction'
  | 'note'

export type Entry = {
  seq: Seq
  time: number
  kind: EntryKind
  title: string
  /** Identifiers that belong to the title: a tool, a call. */
  names: string[]
  facts: string[]
  parts: EntryPart[]
  /** Events this one speaks of: what it replaced, shortened or restored. */
  about: Seq[]
}

/** Triggers of the compactions begun so far, by id. */
export type Triggers = Map<string, CompactTrigger>

/** Days and times as UTC; a time no calendar holds is shown as the number it is. */
export function timeText(time: number): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return String(time)
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z')
}

export const countText = (value: number, word: string): string =>
  `${value.toLocaleString('en-US')} ${word}${value === 1 ? '' : 's'}`

const jsonText = (value: unknown): string => JSON.stringify(value, null, 2) ?? ''

/** What a medium is, in words: type, size in pixels where known, bytes. */
export function mediaText({ media_type: type, width, height, bytes }: BlobRef): string {
  const size = width && height ? `, ${width} × ${height}` : ''
  return `${type}${size}, ${countText(bytes, 'byte')}`
}

/** `isOutput`: a tool's words, which are data. */
function partsOf(blocks: readonly Block[], isOutput = false): EntryPart[] {
  return blocks.flatMap((block): EntryPart[] => {
    if (!isKnown(block))
      return [{ kind: 'data', label: block.type, names: [], text: jsonText(block) }]
    switch (block.type) {
      case 'text':
        return [{ kind: isOutput ? 'output' : 'text', text: block.text }]
      case 'thinking':
        return [{ kind: 'thinking', text: block.thinking }]
      case 'redacted_thinking':
        return [{ kind: 'thinking', text: '(redacted by the provider)' }]
      case 'tool_use': {
        const names = [block.name, block.id]
        return [{ kind: 'data', label: 'Tool call', names, text: jsonText(block.input) }]
      }
      case 'image':
        return [{ kind: 'media', label: 'Image', source: block.source }]
      case 'document': {
        const label = block.title ? `Document ${block.title}` : 'Document'
        return [{ kind: 'media', label, source: block.source }]
      }
      case 'tool_result':
        return partsOf(block.content, true)
      default:
        return assertNever(block)
    }
  })
}

function placeOf({ surfaceOp: op }: SurfaceEvent): string[] {
  if (op === 'append') return []
  return [
    op.start === op.end ? `in place of #${op.start}` : `in place of #${op.start} to #${op.end}`,
  ]
}

type Said = Omit<Entry, 'seq' | 'time' | 'about' | 'names'> & { about?: Seq[]; names?: string[] }

const note = (title: string, about: Seq[] = []): Said => ({
  kind: 'note',
  title,
  facts: [],
  parts: [],
  about,
})

function userEntry(event: EventOf<'user/message'>): Said {
  const { source, content } = event.data
  const kind = source.kind === 'human' ? 'user' : source.kind
  const title = { user: 'User', notice: 'Notice', checkpoint: 'Checkpoint' }[kind]
  return { kind, title, facts: placeOf(event), parts: partsOf(content) }
}

function assistantEntry(event: EventOf<'assistant/message'>): Said {
  const { model, interrupted, stopReason, content } = event.data
  const cut = interrupted ? ['interrupted'] : stopReason === 'max_tokens' ? ['cut off'] : []
  const facts = [...(model ? [model] : []), ...cut, ...placeOf(event)]
  return { kind: 'assistant', title: 'Assistant', facts, parts: partsOf(content) }
}

function resultEntry(event: EventOf<'tool/result'>): Said {
  const { name = 'unknown tool', callId, isError, durationMs, content } = event.data
  const took = durationMs === undefined ? [] : [`${durationMs.toLocaleString('en-US')} ms`]
  const facts = [...(isError ? ['error'] : []), ...took, ...placeOf(event)]
  const names = [name, callId]
  return { kind: 'result', title: 'Tool result', names, facts, parts: partsOf(content, true) }
}

function summaryEntry(event: EventOf<'compact/summary'>, trigger: string | undefined): Said {
  const { summary, shadowedSeqs, shadowedRange, shadowedTokenCount, certainty } = event.data
  const text =
    `${countText(shadowedSeqs.length, 'message')}, #${shadowedRange.start} to #${shadowedRange.end} ` +
    `(${countText(shadowedTokenCount, 'token')}), gave place to the checkpoint below in what the ` +
    `model sees. They stay above in this transcript.` +
    (certainty === 'exact' ? '' : ` The range is ${certainty}.`)
  return {
    kind: 'compaction',
    title: 'Compaction',
    facts: trigger ? [trigger] : [],
    parts: [
      { kind: 'text', text },
      { kind: 'quote', text: summary },
    ],
    about: [shadowedRange.start, shadowedRange.end],
  }
}

const seqList = (seqs: readonly Seq[]): string => seqs.map((seq) => `#${seq}`).join(', ')

function saidOf(event: SessionEvent, triggers: Triggers): Said | null {
  switch (event.type) {
    case 'user/message':
      return userEntry(event)
    case 'assistant/message':
      return assistantEntry(event)
    case 'tool/result':
      return resultEntry(event)
    case 'compact/start':
      triggers.set(event.data.compactionId, event.data.trigger)
      return null
    case 'compact/summary':
      return summaryEntry(event, triggers.get(event.data.compactionId))
    case 'compact/end': {
      const { error } = event.data
      return error ? note(`Compaction ended (${error.code}): ${error.message}`) : null
    }
    case 'compact/prune': {
      const { shadowedSeqs, cause } = event.data
      const title = `Result ${seqList(shadowedSeqs)} shortened in what the model sees (${cause}).`
      return note(title, shadowedSeqs)
    }
    case 'surface/restore': {
      const { replacementSeq } = event.data
      return note(`Restored what #${replacementSeq} had replaced.`, [replacementSeq])
    }
    case 'session/title':
      return note(`Title: ${event.data.title}`)
    case 'request/failed':
      return note(`Request failed (${event.data.error.code}): ${event.data.error.message}`)
    case 'turn/end':
      return event.data.reason === 'completed' ? null : note(`Turn: ${event.data.reason}.`)
    case 'pin/set': {
      const { pinned, seqs } = event.data
      return note(`${pinned ? 'Pinned' : 'Unpinned'} ${seqList(seqs)}.`, seqs)
    }
    case 'session/open':
    case 'request/header':
    case 'turn/start':
    case 'step/start':
    case 'step/end':
    // Shown where the assistant asked for it.
    case 'tool/call':
    case 'compact/window':
    case 'compact/draft':
      return null
    default:
      return assertNever(event)
  }
}

/** What an event shows in log order; null for what people do not read. */
export function entryOf(event: SessionEvent, triggers: Triggers): Entry | null {
  // An ignorable event of a newer program (L6) has a type this union does not.
  const said = isEventType(event.type) ? saidOf(event, triggers) : null
  return said && { about: [], names: [], ...said, seq: event.seq, time: event.time }
}
