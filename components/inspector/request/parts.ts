/** A request body as rows: one for the parameters, each system block, tool and message. */

import { type Block, isText, isToolUse, type Message } from '@/lib/core/message'
import { bytesOfMessage, estimateMessage, estimateText, estimateTools } from '@/lib/core/price'
import { BUILDER, type RequestBody } from '@/lib/core/request'
import type { RequestProof } from '@/lib/state/hooks'

export type PartName = 'parameters' | 'system' | 'tools' | 'messages'
export type RequestRow = {
  part: PartName
  /** Index within its part. */
  index: number
  label: string
  preview: string
  tokens: number
  bytes: number
  /** The provider is asked to keep everything up to here (Q6). */
  breakpoint: boolean
  value: unknown
}

const size = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

const marked = (value: object): boolean => 'cache_control' in value && Boolean(value.cache_control)

const wordOf = (block: Block): string => {
  if (isText(block)) return block.text.slice(0, 160)
  if (isToolUse(block)) return `${block.name} ${JSON.stringify(block.input).slice(0, 120)}`
  if (block.type === 'tool_result' && Array.isArray(block.content))
    return `result: ${(block.content as Block[]).map(wordOf).join(' ').slice(0, 140)}`
  return `[${block.type}]`
}

const messageRow = (message: Message, index: number): RequestRow => ({
  part: 'messages',
  index,
  label: message.role,
  preview: message.content.map(wordOf).join('  ').slice(0, 240).replace(/\s+/g, ' '),
  tokens: estimateMessage(message.content),
  bytes: bytesOfMessage(message),
  breakpoint: message.content.some(marked),
  value: message,
})

/** All rows of a body, in the order the provider reads it: tools, system, messages. */
export function rowsOf(body: RequestBody): RequestRow[] {
  const { system, tools, messages, ...parameters } = body
  return [
    {
      part: 'parameters',
      index: 0,
      label: 'parameters',
      preview: JSON.stringify(parameters),
      tokens: 0,
      bytes: size(parameters),
      breakpoint: false,
      value: parameters,
    },
    ...tools.map(
      (tool, index): RequestRow => ({
        part: 'tools',
        index,
        label: tool.name,
        preview: tool.description,
        tokens: estimateTools([tool]),
        bytes: size(tool),
        breakpoint: marked(tool),
        value: tool,
      }),
    ),
    ...system.map(
      (block, index): RequestRow => ({
        part: 'system',
        index,
        label: 'system',
        preview: block.text.slice(0, 240).replace(/\s+/g, ' '),
        tokens: estimateText(block.text),
        bytes: size(block),
        breakpoint: marked(block),
        value: block,
      }),
    ),
    ...messages.map(messageRow),
  ]
}

export type Verdict = 'equal' | 'different' | 'other-builder' | 'unrecorded'

/** Whether what was rebuilt is what was sent (Q5). */
export function verdictOf(proof: RequestProof): Verdict {
  if (proof.recorded === null) return 'unrecorded'
  if (proof.recorded === proof.hash) return 'equal'
  return proof.builder !== null && proof.builder !== BUILDER ? 'other-builder' : 'different'
}

/** Bytes of a request that a clipboard is asked to hold; a larger one is saved as a file. */
const CLIPBOARD = 20_000_000

export const isCopied = (weight: number): boolean => weight <= CLIPBOARD

/** The call as a shell command; the key comes from the environment. */
export function curlOf(body: RequestBody): string {
  return [
    'curl https://api.anthropic.com/v1/messages \\',
    '  -H "x-api-key: $ANTHROPIC_API_KEY" \\',
    "  -H 'anthropic-version: 2023-06-01' \\",
    "  -H 'content-type: application/json' \\",
    "  --data-binary @- <<'END_OF_BODY'",
    JSON.stringify(body, null, 2),
    'END_OF_BODY',
  ].join('\n')
}

/** The call with the official TypeScript SDK; the key comes from the environment. */
export function codeOf(body: RequestBody): string {
  return [
    "import Anthropic from '@anthropic-ai/sdk'",
    '',
    'const client = new Anthropic()',
    `const message = await client.messages.create(${JSON.stringify(body, null, 2)})`,
    'console.log(message.content)',
    '',
  ].join('\n')
}
