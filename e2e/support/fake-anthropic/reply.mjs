import { sealRedacted, sha, signThinking } from './sign.mjs'
import { tokensOfText } from './tokens.mjs'

const WORDS =
  'the log holds every event and the surface is what remains of it for the model to read while nothing is ever lost'.split(
    ' ',
  )
const longText = (count) =>
  Array.from({ length: count }, (_, i) => WORDS[i % WORDS.length]).join(' ')

/** Pieces of about `size` UTF-16 units, never inside a surrogate pair. */
function* pieces(text, size) {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + size)
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1])) end++
    yield text.slice(at, end)
    at = end
  }
}

/** The finished content blocks of a step, ids and signatures included. */
export function contentOf(step, { model, number }) {
  const content = []
  if (step.thinking) {
    const thinking = step.thinking === true ? 'Let me think about what was asked.' : step.thinking
    content.push({ type: 'thinking', thinking, signature: signThinking(model, thinking) })
  }
  if (step.redacted) content.push({ type: 'redacted_thinking', data: sealRedacted(model, number) })
  const text = step.words ? longText(step.words) : step.text
  if (text) content.push({ type: 'text', text })
  content.push(...(step.blocks ?? []))
  if (step.pause)
    content.push({
      type: 'server_tool_use',
      id: `srvtoolu_${number}`,
      name: 'web_search',
      input: { query: 'palimpsest' },
    })
  ;(step.calls ?? []).forEach((call, i) => {
    const id = `toolu_${sha(`${number} ${i}`).slice(0, 24)}`
    content.push({ type: 'tool_use', id, name: call.name, input: call.input })
  })
  return content
}

/** How a block begins on the wire, and the deltas that complete it. */
function partsOf(block) {
  switch (block.type) {
    case 'text':
      return [
        { ...block, text: '' },
        [...pieces(block.text, 12)].map((text) => ({ type: 'text_delta', text })),
      ]
    case 'thinking':
      return [
        { ...block, thinking: '', signature: '' },
        [
          ...[...pieces(block.thinking, 12)].map((thinking) => ({
            type: 'thinking_delta',
            thinking,
          })),
          { type: 'signature_delta', signature: block.signature },
        ],
      ]
    case 'tool_use':
    case 'server_tool_use':
      return [
        { ...block, input: {} },
        ['', ...pieces(JSON.stringify(block.input), 7)].map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      ]
    default:
      return [block, []]
  }
}

const lengthOf = (delta) => (delta.text ?? delta.thinking ?? delta.partial_json ?? '').length

/**
 * The events of a reply in order, after `message_start`. Output stops at `budget` tokens with
 * `limitReason`, in the middle of a block if need be, as a model's does.
 */
export function* eventsOf(step, content, { budget, limitReason }) {
  let chars = 0
  let stopReason =
    step.stop ?? (step.pause ? 'pause_turn' : step.calls?.length ? 'tool_use' : 'end_turn')
  const tokens = () => Math.max(1, tokensOfText('x'.repeat(chars)))
  outer: for (const [index, block] of content.entries()) {
    const [start, deltas] = partsOf(block)
    yield { type: 'content_block_start', index, content_block: start }
    if (index === 0) yield { type: 'ping' }
    for (const delta of deltas) {
      chars += lengthOf(delta)
      if (tokens() > budget) {
        stopReason = limitReason
        yield { type: 'content_block_stop', index }
        break outer
      }
      yield { type: 'content_block_delta', index, delta }
    }
    yield { type: 'content_block_stop', index }
  }
  yield {
    type: 'message_delta',
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: Math.min(tokens(), budget) },
  }
  yield { type: 'message_stop' }
}
