/** Messages from surface nodes, and where the provider's cache may hold them (Q2, Q3, Q6, S9). */

import type { Policy, RequestHeader, SurfaceEvent } from './event'
import { fitMessages } from './fit'
import { messageOf } from './head'
import {
  type Block,
  isKnown,
  isText,
  isToolUse,
  type Message,
  type ToolResultBlock,
} from './message'
import { codePoints } from './text'

const isThinking = (block: Block): boolean =>
  block.type === 'thinking' || block.type === 'redacted_thinking'

type Voice = Pick<RequestHeader, 'provider' | 'model'>

/**
 * What one node says to `voice`; empty where it derives no message (S9). Thinking counts only for the
 * model that signed it, and never as the last block of a message, which the API refuses (Q3).
 */
function contentFor(node: SurfaceEvent, voice: Voice): Block[] {
  const content = messageOf(node)?.content ?? []
  if (node.type !== 'assistant/message') return content
  const { model, provider } = node.data
  const own = model === voice.model && (provider === undefined || provider === voice.provider)
  const said = own ? content : content.filter((block) => !isThinking(block))
  return said.slice(0, said.findLastIndex((block) => !isThinking(block)) + 1)
}

/** Results first, in the order of the calls they answer; then what else the user side said (Q2). */
function userMessage(results: ToolResultBlock[], rest: Block[], before: Message | undefined) {
  const calls = before?.role === 'assistant' ? before.content.filter(isToolUse) : []
  const order = new Map(calls.map((call, index) => [call.id, index]))
  const place = (result: ToolResultBlock) => order.get(result.tool_use_id) ?? calls.length
  const sorted = results.toSorted((a, b) => place(a) - place(b))
  return { role: 'user' as const, content: [...sorted, ...rest] }
}

/**
 * The messages of surface nodes as `voice` would receive them; same-role nodes become one (Q2). What the
 * provider would refuse of single blocks is left out in words (Q4): imports hold such media.
 */
export function deriveMessages(nodes: readonly SurfaceEvent[], voice: Voice): Message[] {
  const messages: Message[] = []
  let results: ToolResultBlock[] = []
  let rest: Block[] = []
  const flush = () => {
    if (results.length + rest.length > 0) messages.push(userMessage(results, rest, messages.at(-1)))
    results = []
    rest = []
  }
  for (const node of nodes) {
    const content = contentFor(node, voice)
    if (content.length === 0) continue
    if (node.type === 'tool/result') results.push(...(content as ToolResultBlock[]))
    else if (node.type === 'user/message') rest.push(...content)
    else {
      flush()
      const last = messages.at(-1)
      if (last?.role === 'assistant') last.content.push(...content)
      else messages.push({ role: 'assistant', content: [...content] })
    }
  }
  flush()
  return fitMessages(messages)
}

export const EPHEMERAL = { type: 'ephemeral' } as const

function isCacheable(block: Block): boolean {
  if (!isKnown(block) || isThinking(block)) return false
  return block.type !== 'tool_result' || block.content.length > 0
}

/** Marks the newest block before message `end` that may carry a breakpoint, if there is one. */
function markBefore(messages: Message[], end: number): void {
  for (let at = end - 1; at >= 0; at--) {
    const content = messages[at]!.content
    const index = content.findLastIndex(isCacheable)
    if (index < 0) continue
    content[index] = { ...content[index]!, cache_control: EPHEMERAL }
    return
  }
}

const lastUserBefore = (messages: readonly Message[], end: number): number => {
  for (let at = end - 1; at >= 0; at--) if (messages[at]!.role === 'user') return at
  return -1
}

const textLength = (blocks: readonly Block[]): number =>
  blocks.filter(isText).reduce((sum, block) => sum + codePoints(block.text), 0)

/**
 * Index of the first message the next micro pass may rewrite: results among the newest `keepRecent` are
 * still whole and will be replaced later (X1).
 */
function firstUnstable(messages: readonly Message[], micro: Policy['micro']): number {
  let first = messages.length
  let seen = 0
  for (let at = messages.length - 1; at >= 0 && seen < micro.keepRecent; at--) {
    for (const block of messages[at]!.content) {
      if (block.type !== 'tool_result') continue
      const result = block as ToolResultBlock
      if (!result.is_error && textLength(result.content) > micro.minChars) first = at
      seen++
    }
  }
  return first
}

/**
 * Marks at most two places of fresh messages, in place (Q6). The newest block is one: the next step reads
 * it. The other is the place the step before marked last, so that a hit never depends on how many blocks
 * one step added (the provider looks back 20). Where every request is preceded by a micro pass the prefix
 * changes behind that place, and the other goes to the newest message the pass will leave alone.
 */
export function markStable(messages: Message[], micro: Policy['micro']): void {
  const unstable = micro.when === 'always' ? firstUnstable(messages, micro) : messages.length
  const newest = lastUserBefore(messages, messages.length)
  const previous = lastUserBefore(messages, newest) + 1
  const stable = unstable < messages.length ? unstable : previous
  if (stable > 0 && stable < messages.length) markBefore(messages, stable)
  markBefore(messages, messages.length)
}
