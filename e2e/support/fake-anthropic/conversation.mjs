/** What the stand-in reads out of a request: the newest user text, how far the task is, what kind of request it is. */

import { parseDirectives, stepsOf } from './directives.mjs'

export const SECTIONS = [
  'Request and intent',
  'Constraints and instructions',
  'Decisions',
  'Files and code',
  'Errors and fixes',
  'Open work',
  'Current state',
  'Next step',
]
const namesSections = (text) =>
  SECTIONS.filter((name) => text.toLowerCase().includes(name.toLowerCase())).length >= 6

const textsOf = (message) =>
  message.content.filter((block) => block.type === 'text').map((block) => block.text)

/** An instruction says what to do with the headings it lists; a summary standing in the conversation just has them. */
const ASKS = /\bthese (?:headings|sections)\b/i
const isCheckpoint = (text) => namesSections(text) && !ASKS.test(text)

/** Whether the request asks for a summary: its last text asks for the fixed sections. */
export function isSummaryRequest(body) {
  const last = textsOf(body.messages.at(-1)).at(-1) ?? ''
  return namesSections(last) && ASKS.test(last)
}

/** The newest human text and the number of replies since; a checkpoint counts only where nothing else was said. */
function newestText(messages) {
  for (let n = messages.length - 1; n >= 0; n--) {
    if (messages[n].role !== 'user') continue
    const texts = textsOf(messages[n])
    if (texts.length === 0) continue
    const said = texts.filter((text) => !isCheckpoint(text))
    return {
      text: (said.length > 0 ? said : texts).join('\n'),
      replies: messages.slice(n + 1).filter((message) => message.role === 'assistant').length,
    }
  }
  return { text: '', replies: 0 }
}

/** What is left to do by the directives of the newest text. */
export function remainingSteps(messages) {
  const { text, replies } = newestText(messages)
  const steps = stepsOf(parseDirectives(text).filter((one) => one.name !== 'summary'))
  return { text, replies, steps, left: steps.slice(replies) }
}

/** Results in the newest message, each with the call it answers. */
export function newestResults(messages) {
  const calls = new Map(
    (messages.at(-2)?.content ?? [])
      .filter((block) => block.type === 'tool_use')
      .map((block) => [block.id, block]),
  )
  return messages
    .at(-1)
    .content.filter((block) => block.type === 'tool_result')
    .map((block) => ({
      call: calls.get(block.tool_use_id),
      text: textsOf({ content: block.content ?? [] }).join('\n'),
      isError: block.is_error === true,
    }))
}

export const allText = (body) =>
  body.messages.flatMap(textsOf).concat(body.system.map((block) => block.text))
