/** Shortening old tool results without a model: what to shorten, to what, and as which events (X1–X5). */

import type { EventDraft, EventHead, EventOf, Policy, PruneCause, Seq } from './event'
import { type Log, surfaceNodes } from './log'
import { type Block, isKnown, isMedia, isText, type TextBlock } from './message'
import { type Reading, readMeter } from './meter'
import { isHeavy, REQUEST_LIMITS } from './policy'
import { estimateMessage } from './price'
import { shieldedNodes } from './range'
import { type Refusal, refuse } from './result'
import { codePoints } from './text'

export type PruneBudgets = Policy['prune']

/** Stands where the middle of a result was. */
export const MARKER = '\n\n[... tool result middle pruned ...]\n\n'
const MARKER_CHARS = codePoints(MARKER)

/** Refuses budgets under which a pruned result would exceed the threshold and be pruned again (X2). */
export function checkBudgets({
  thresholdChars,
  headChars,
  tailChars,
}: PruneBudgets): Refusal | null {
  const whole = [thresholdChars, headChars, tailChars].every(Number.isInteger)
  if (!whole || thresholdChars < 1 || headChars < 0 || tailChars < 0)
    return refuse(
      'X2',
      'Budgets are whole numbers, the threshold at least 1, the others at least 0.',
    ).error
  const kept = headChars + MARKER_CHARS + tailChars
  if (kept > thresholdChars)
    return refuse('X2', `Head, marker and tail (${kept}) exceed the threshold (${thresholdChars}).`)
      .error
  return null
}

/** UTF-16 length of the first `count` code points. */
function unitsOf(text: string, count: number): number {
  let units = 0
  for (let left = count; left > 0 && units < text.length; left--)
    units += text.codePointAt(units)! > 0xffff ? 2 : 1
  return units
}

const textChars = (blocks: readonly Block[]): number =>
  blocks.filter(isText).reduce((sum, block) => sum + codePoints(block.text), 0)

/**
 * Keeps the first `headChars` and last `tailChars` code points of a result's text, counted over all its
 * text blocks, with the marker where the head ends (X2). Other blocks keep their place; text blocks
 * left empty go. Null where the text is within the threshold.
 */
export function pruneContent(blocks: readonly Block[], budgets: PruneBudgets): Block[] | null {
  const total = textChars(blocks)
  if (total <= budgets.thresholdChars) return null
  const tailFrom = total - budgets.tailChars
  const pruned: Block[] = []
  let before = 0
  let marked = false
  for (const block of blocks) {
    if (!isText(block)) {
      pruned.push(block)
      continue
    }
    const length = codePoints(block.text)
    const headEnds = Math.min(length, Math.max(0, budgets.headChars - before))
    const tailBegins = Math.max(headEnds, Math.min(length, tailFrom - before))
    const isCut: boolean = !marked && before + length > budgets.headChars
    const text =
      block.text.slice(0, unitsOf(block.text, headEnds)) +
      (isCut ? MARKER : '') +
      block.text.slice(unitsOf(block.text, tailBegins))
    marked ||= isCut
    before += length
    if (text !== '') pruned.push({ ...block, text } satisfies TextBlock)
  }
  return pruned
}

/** Media make room first when bytes or images run out (X2, M4); what was there stays readable. */
function withoutMedia(blocks: readonly Block[]): Block[] | null {
  if (!blocks.some((block) => isKnown(block) && isMedia(block))) return null
  return blocks.map((block) =>
    isKnown(block) && isMedia(block)
      ? { type: 'text', text: `[${block.type} left out: ${block.source.media_type}]` }
      : block,
  )
}

/** A result's content after a prune: `media` drops images and documents too. Null where nothing changes. */
export function shortenResult(
  content: readonly Block[],
  budgets: PruneBudgets,
  media: boolean,
): Block[] | null {
  const light = media ? withoutMedia(content) : null
  return pruneContent(light ?? content, budgets) ?? light
}

/** The result that a chain of replacements began with; itself where it replaced nothing. */
function originOf(heads: readonly EventHead[], seq: Seq): Seq {
  const { op } = heads[seq]!
  return typeof op === 'object' && op.op === 'replace' ? originOf(heads, op.start) : seq
}

/**
 * Results older than this have been before the model: nothing touches the surface between a request and
 * its reply (Q1), so the newest reply's request carried all that came before it (X1).
 */
const newestReply = (heads: readonly EventHead[]): Seq =>
  heads.findLastIndex((head) => head.type === 'assistant/message' && head.op === 'append')

const resultsOf = (log: Log): EventHead[] =>
  surfaceNodes(log)
    .map((seq) => log.heads[seq]!)
    .filter((head) => head.type === 'tool/result')

/** The tool a result came from, as it says itself or as its call says. */
function toolOf(heads: readonly EventHead[], result: EventHead): string {
  if (result.name !== undefined) return result.name
  const id = result.calls?.[0] ?? ''
  for (let at = result.seq - 1; at >= 0; at--) {
    const index = heads[at]!.calls?.indexOf(id) ?? -1
    if (index < 0) continue
    const name = heads[at]!.names?.[index] ?? heads[at]!.name
    if (heads[at]!.type !== 'tool/result' && name !== undefined) return name
  }
  return 'tool'
}

/** Tokens that standing in for `head` with this text costs (M1). */
const priceOf = (head: EventHead, text: string): number =>
  estimateMessage([
    { type: 'tool_result', tool_use_id: head.calls![0]!, content: [{ type: 'text', text }] },
  ])

/** A micro pass over at least this much is worth losing the provider's cache behind it (X5). */
const WORTH = { tokens: 20_000, ofWindow: 0.1, ofRest: 0.25 }

/** Both figures in the provider's tokens; `rest` is what stands from the oldest change on (X5). */
function isWorthwhile(freed: number, rest: number, window: number | undefined): boolean {
  const least = Math.min(WORTH.tokens, WORTH.ofWindow * (window ?? Number.POSITIVE_INFINITY))
  return freed >= least && freed >= WORTH.ofRest * rest
}

export type MicroPlan = { seq: Seq; content: Block[] }[]

/**
 * The micro pass before a request: old results and the text that stands in for each, on heads alone
 * (X1, X5). `#seq` in the hint is the result as the tool gave it. Empty where the pass is not worth it.
 */
export function planMicro(log: Log, policy: Policy, reading: Reading): MicroPlan {
  const { when, keepRecent, minChars, exempt, recallHint } = policy.micro
  if (when === 'off') return []
  const results = resultsOf(log)
  const shielded = shieldedNodes(log)
  const carried = newestReply(log.heads)
  const plan: MicroPlan = []
  let freed = 0
  for (const head of results.slice(0, Math.max(0, results.length - keepRecent))) {
    const name = toolOf(log.heads, head)
    const origin = originOf(log.heads, head.seq)
    const spared = head.kind === 'error' || exempt.includes(name) || shielded.has(head.seq)
    if (spared || origin > carried || (head.chars ?? 0) <= minChars) continue
    const text = `[Previous: used ${name}${recallHint ? `; recall #${origin}` : ''}]`
    const gain = head.tokens - priceOf(head, text)
    if (gain <= 0) continue
    freed += gain
    plan.push({ seq: head.seq, content: [{ type: 'text', text }] })
  }
  if (when === 'always' || plan.length === 0) return plan
  const nodes = surfaceNodes(log)
  const rest = nodes
    .slice(nodes.indexOf(plan[0]!.seq))
    .reduce((sum, seq) => sum + log.heads[seq]!.tokens, 0)
  return isWorthwhile(freed * reading.scale, rest * reading.scale, reading.window) ? plan : []
}

/** Share of what may be held that media leave when they make room, so that the next few find some (M4). */
const MEDIA_RELIEF = 0.5

/** Results a prune may touch, oldest first: no request has carried the rest, but on overflow (X2). */
function prunable(log: Log, cause: PruneCause): EventHead[] {
  const shielded = shieldedNodes(log)
  const carried = cause === 'overflow' ? log.heads.length : newestReply(log.heads)
  return resultsOf(log).filter(
    (head) => !shielded.has(head.seq) && originOf(log.heads, head.seq) <= carried,
  )
}

/**
 * Results whose media go, oldest first, until half of the provider's limits is free (X2, M4); none where
 * media are no trouble. `refused`: the provider has refused the bytes, whatever we think of its limits;
 * then half of what there is goes.
 */
export function chooseMedia(log: Log, cause: PruneCause, refused = false): Seq[] {
  const reading = readMeter(log)
  if (!refused && !isHeavy(reading)) return []
  const most = refused ? reading : REQUEST_LIMITS
  let { bytes, media } = reading
  const chosen: Seq[] = []
  for (const head of prunable(log, cause)) {
    if (bytes <= MEDIA_RELIEF * most.bytes && media <= MEDIA_RELIEF * most.media) break
    if (head.media === 0) continue
    chosen.push(head.seq)
    bytes -= head.bytes
    media -= head.media
  }
  return chosen
}

/**
 * Results a prune would shorten, oldest first, on heads alone (X2): long ones, and those `media` names
 * (`chooseMedia`). Their new content is `shortenResult(content, policy.prune, media.includes(seq))`.
 * Pinned and restored ones are spared always.
 */
export function choosePrune(
  log: Log,
  policy: Policy,
  cause: PruneCause,
  media: readonly Seq[] = chooseMedia(log, cause),
): Seq[] {
  return prunable(log, cause)
    .filter((head) => (head.chars ?? 0) > policy.prune.thresholdChars || media.includes(head.seq))
    .map((head) => head.seq)
}

/** One replacement of a result's content, with the event that announces it: adjacent, one batch (X3). */
export function pruneDrafts(
  log: Log,
  seq: Seq,
  event: EventOf<'tool/result'>,
  content: Block[],
  cause: PruneCause,
): EventDraft[] {
  const span = { start: seq, end: seq }
  return [
    {
      type: 'compact/prune',
      data: {
        cause,
        shadowedRange: span,
        shadowedSeqs: [seq],
        shadowedTokenCount: log.heads[seq]!.tokens,
      },
    },
    {
      type: 'tool/result',
      data: { ...event.data, content },
      surfaceOp: { op: 'replace', ...span },
      sourceEventSeqs: [seq],
    },
  ]
}

export type PruneReport = {
  pruned: {
    originalSeq: Seq
    replacementSeq: Seq
    callId: string
    charsBefore: number
    charsAfter: number
  }[]
  charsRemoved: number
}

/** What a pass did, read back from the heads it appended: those from `from` on (X3). */
export function reportPrune(heads: readonly EventHead[], from: Seq): PruneReport {
  const pruned = heads.slice(from).flatMap((head) => {
    if (head.type !== 'tool/result' || typeof head.op !== 'object') return []
    const originalSeq = head.op.op === 'replace' ? head.op.start : head.op.seq
    const charsBefore = heads[originalSeq]!.chars ?? 0
    const charsAfter = head.chars ?? 0
    return [
      { originalSeq, replacementSeq: head.seq, callId: head.calls![0]!, charsBefore, charsAfter },
    ]
  })
  const charsRemoved = pruned.reduce((sum, one) => sum + one.charsBefore - one.charsAfter, 0)
  return { pruned, charsRemoved }
}
