/** What the stand-in does when nothing tells it otherwise: a small agent with manners, and a summariser. */

import { newestResults, remainingSteps, SECTIONS } from './conversation.mjs'
import { writeDirectives } from './directives.mjs'

const FILE = /[\w./-]*\w\.[a-z]{1,5}\b/gi
const quoted = (text) => /["“`']([^"”`']+)["”`']/.exec(text)?.[1]

/** Fills a tool's schema from what a sentence offers, by the names its properties have. */
function inputFor(tool, offer) {
  const input = {}
  for (const name of Object.keys(tool.input_schema.properties ?? {})) {
    if (/path|file/.test(name)) input[name] = offer.path
    else if (/query|pattern|regex/.test(name)) input[name] = offer.query
    else if (/command|script/.test(name)) input[name] = offer.command
    else if (/content|text/.test(name)) input[name] = offer.content
    else if (/focus|instructions/.test(name)) input[name] = offer.focus
  }
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
}

/** Tool calls a sentence asks for, as far as this agent understands it and the tools exist. */
function callsFor(text, tools) {
  const tool = (name) => tools.find((one) => one.name === name)
  const call = (name, offer = {}) =>
    tool(name) ? [{ name, input: inputFor(tool(name), offer) }] : []
  const paths = text.match(FILE) ?? []
  if (/\bcompact\b/i.test(text)) return call('compact')
  if (/\b(write|create)\b/i.test(text) && paths[0])
    return call('write_file', { path: paths[0], content: `${quoted(text) ?? 'Hello'}\n` })
  if (/\b(read|open|show|summari[sz]e)\b/i.test(text) && paths.length > 0)
    return paths.flatMap((path) => call('read_file', { path }))
  if (/\brun\b/i.test(text) && quoted(text)) return call('bash', { command: quoted(text) })
  if (/\b(search|find|where)\b/i.test(text))
    return call('search_files', {
      query: quoted(text) ?? text.split(/\s+/).at(-1).replace(/\W/g, ''),
    })
  if (/\b(list|which files|what files)\b/i.test(text)) return call('list_files')
  return []
}

function sayResult({ call, text, isError }) {
  const what = call ? `\`${call.name}\`` : 'The tool'
  if (isError) return `${what} failed: ${text.split('\n')[0].slice(0, 120)}`
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const first = (lines[0] ?? '').trim().slice(0, 100)
  return `${what} gave ${lines.length} line${lines.length === 1 ? '' : 's'}${first ? `, beginning with “${first}”` : ''}.`
}

/** The step taken without directives. */
export function defaultStep(body, text) {
  const results = newestResults(body.messages)
  if (results.length > 0) return { text: `${results.map(sayResult).join('\n\n')}\n\nThat is done.` }
  const calls = callsFor(text, body.tools ?? [])
  if (calls.length > 0)
    return { text: `Let me look${calls.length > 1 ? ` at ${calls.length} things` : ''}.`, calls }
  const said = text.replace(/\s+/g, ' ').trim().slice(0, 80)
  return {
    text: `You said “${said}”. I am a scripted stand-in for a model, so this answer is short and always the same.`,
  }
}

const clip = (text) =>
  text.replace(/\s+/g, ' ').replaceAll('[[', '(').replaceAll(']]', ')').trim().slice(0, 120)

/** Texts and call arguments, where paths may stand. */
const mentioned = (messages) =>
  messages
    .flatMap((message) => message.content)
    .map((block) => (block.type === 'tool_use' ? Object.values(block.input).join(' ') : block.text))
    .join(' ')

/** A summary with every fixed section; what is left of a scripted task goes into the next step, so that it survives. */
export function summaryStep(body) {
  // The instruction is the last text of its message; the task is what stood before it.
  const messages = body.messages.slice(0, -1)
  const before = body.messages.at(-1).content.filter((block) => block.type !== 'text')
  const texts = body.messages
    .at(-1)
    .content.filter((block) => block.type === 'text')
    .slice(0, -1)
  if (before.length + texts.length > 0)
    messages.push({ role: 'user', content: [...before, ...texts] })
  const { text, left } = remainingSteps(messages)
  const paths = [...new Set(mentioned(messages).match(FILE) ?? [])].slice(0, 5)
  const next = left.map((step) => writeDirectives(step)).join(' [[then]] ')
  const content = [
    clip(text) || 'The conversation so far.',
    'None were stated.',
    'Go on as agreed.',
    paths.length > 0 ? paths.map((path) => `\`${path}\``).join(', ') : 'None.',
    'None.',
    next ? `${left.length} step${left.length === 1 ? '' : 's'} of the task.` : 'None.',
    `${body.messages.length} messages were read.`,
    next || 'Wait for the next request.',
  ]
  return { text: SECTIONS.map((name, i) => `## ${name}\n${content[i]}`).join('\n\n') }
}
