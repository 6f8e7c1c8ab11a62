/** What a provider refuses, found before it is asked (Q4). Sentences, one for each kind of problem. */

import { blockFlaw, deepBlocks, LEGAL_NAME, sideOf } from './fit'
import { type Block, isText, isToolUse, type Message, type ToolResultBlock } from './message'
import { REQUEST_LIMITS } from './policy'
import {
  bytesOfMessage,
  bytesOfPreamble,
  countMedia,
  estimateMessage,
  estimateText,
  estimateTools,
} from './price'
import type { RequestBody } from './request'

/** The characters the Messages API takes in ids of calls. */
const LEGAL_ID = /^[a-zA-Z0-9_-]+$/
const MAX_BREAKPOINTS = 4

const isResult = (block: Block): block is ToolResultBlock => block.type === 'tool_result'
const callIds = ({ role, content }: Message): string[] =>
  role === 'assistant' ? content.filter(isToolUse).map((call) => call.id) : []

function* allBlocks(body: RequestBody): Generator<Block> {
  yield* body.system
  for (const message of body.messages) yield* deepBlocks(message.content)
}

/** Calls and results of one message against the next: adjacent, complete, in place (Q4). */
function pairProblems(message: Message, next: Message | undefined, mayBeOpen: boolean): string[] {
  const calls = new Set(callIds(message))
  const results = next?.role === 'user' ? next.content.filter(isResult) : []
  const answered = new Set(results.map((result) => result.tool_use_id))
  const problems: string[] = []
  for (const id of calls)
    if (!answered.has(id) && !mayBeOpen)
      problems.push(`Call ${id} has no result in the message after it.`)
  for (const id of answered)
    if (!calls.has(id)) problems.push(`Result ${id} has no call in the message before it.`)
  if (answered.size < results.length) problems.push('A call is answered twice.')
  const late = next?.content.findIndex((block) => !isResult(block)) ?? -1
  if (late >= 0 && next!.content.slice(late).some(isResult))
    problems.push('A tool result stands after other content of its message.')
  return problems
}

function blockProblems(block: Block): string[] {
  if (isText(block) && block.text.trim() === '') return ['A text block is empty or blank.']
  if (block.type === 'thinking' && !block.signature) return ['Thinking has no signature.']
  if (isResult(block) && block.is_error && block.content.length === 0)
    return ['An error result has no content.']
  return []
}

function idProblems(messages: readonly Message[]): string[] {
  const ids = messages.flatMap(callIds)
  const problems = ids
    .filter((id) => !LEGAL_ID.test(id))
    .map((id) => `Call id ${JSON.stringify(id)} holds illegal characters.`)
  if (new Set(ids).size < ids.length) problems.push('Two calls share one id.')
  return problems
}

/** Pairs, blocks, ids and the first message. `mayBeOpen` lets the newest reply's calls wait (P1). */
export function structureProblems({ messages }: RequestBody, mayBeOpen = false): string[] {
  const problems: string[] = []
  if (messages.length === 0) problems.push('There is no message.')
  else if (messages[0]!.role !== 'user') problems.push('The first message is not the user’s.')
  if (messages[0]?.content.some(isResult))
    problems.push('The first message answers a call that is not there.')
  const newest = messages.findLastIndex((message) => message.role === 'assistant')
  messages.forEach((message, index) => {
    if (message.content.length === 0) problems.push(`Message ${index + 1} has no content.`)
    if (message.role === 'assistant' && message.content.some(isResult))
      problems.push('A tool result stands in an assistant message.')
    if (message.role === 'assistant' && message.content.at(-1)?.type.endsWith('thinking'))
      problems.push('An assistant message ends with thinking.')
    const next = messages[index + 1]
    if (next?.role === message.role)
      problems.push(`Messages ${index + 1} and ${index + 2} share a role.`)
    if (message.role === 'assistant')
      problems.push(...pairProblems(message, next, mayBeOpen && index === newest))
    for (const block of deepBlocks(message.content)) problems.push(...blockProblems(block))
  })
  return [...new Set([...problems, ...idProblems(messages)])]
}

export type RequestLimits = {
  /** Tokens of the model's window; a request known to fill it is not sent (C10). */
  window?: number
  /** Tokens of the request, where a better figure than the estimate is known (M2). */
  tokens?: number
  bytes?: number
  media?: number
  /** The last message may be the assistant's: a reply that paused is being continued. */
  paused?: boolean
}

function breakpointProblems(body: RequestBody): string[] {
  const marked = [...body.tools, ...allBlocks(body)].filter((part) => 'cache_control' in part)
  const problems: string[] = []
  if (marked.length > MAX_BREAKPOINTS)
    problems.push(`There are ${marked.length} cache breakpoints; ${MAX_BREAKPOINTS} are allowed.`)
  for (const part of marked) {
    const type = 'type' in part ? String(part.type) : ''
    const empty =
      (type === 'text' && String((part as Block & { text?: unknown }).text).trim() === '') ||
      (type === 'tool_result' && (part as ToolResultBlock).content.length === 0)
    if (type.endsWith('thinking') || empty)
      problems.push('A cache breakpoint stands on thinking or on an empty block.')
  }
  return problems
}

/** Estimated tokens of a body (M1). */
export const estimateRequest = ({ system, tools, messages }: RequestBody): number =>
  system.reduce((sum, block) => sum + estimateText(block.text), 0) +
  estimateTools(tools) +
  messages.reduce((sum, message) => sum + estimateMessage(message.content), 0)

const bytesOf = ({ system, tools, messages }: RequestBody): number =>
  bytesOfPreamble(system.map((block) => block.text).join('\n'), tools) +
  messages.reduce((sum, message) => sum + bytesOfMessage(message), 0)

function limitProblems(body: RequestBody, limits: RequestLimits): string[] {
  const problems: string[] = []
  const bytes = bytesOf(body)
  const media = body.messages.reduce((sum, message) => sum + countMedia(message.content), 0)
  const tokens = limits.tokens ?? estimateRequest(body)
  const maxBytes = limits.bytes ?? REQUEST_LIMITS.bytes
  const maxMedia = limits.media ?? REQUEST_LIMITS.media
  if (limits.window !== undefined && tokens >= limits.window)
    problems.push(`The request holds ${tokens} tokens; the window holds ${limits.window}.`)
  if (bytes > maxBytes)
    problems.push(`The request is ${bytes} bytes long; the provider takes ${maxBytes}.`)
  if (media > maxMedia)
    problems.push(
      `The request holds ${media} images and documents; the provider takes ${maxMedia}.`,
    )
  return problems
}

/** Media and names of calls that the provider refuses by themselves. */
function fitProblems({ messages }: RequestBody): string[] {
  const side = sideOf(messages)
  const flaws = messages.flatMap(({ role, content }) =>
    [...deepBlocks(content)].flatMap((block) => blockFlaw(block, role, side) ?? []),
  )
  return [...new Set(flaws)]
}

/** What matters only when a body is sent: the last message, names, media, breakpoints and sizes (Q4). */
export function sendingProblems(body: RequestBody, limits: RequestLimits): string[] {
  const problems: string[] = []
  if (!limits.paused && body.messages.at(-1)?.role === 'assistant')
    problems.push('The last message is not the user’s.')
  for (const { name } of body.tools)
    if (!LEGAL_NAME.test(name)) problems.push(`Tool name ${JSON.stringify(name)} is not legal.`)
  if (new Set(body.tools.map((tool) => tool.name)).size < body.tools.length)
    problems.push('Two tools share one name.')
  problems.push(...fitProblems(body), ...breakpointProblems(body))
  return [...problems, ...limitProblems(body, limits)]
}
