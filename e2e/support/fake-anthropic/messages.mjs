import { defaultStep, summaryStep } from './agent.mjs'
import { apiError, refuse } from './api-error.mjs'
import { allText, isSummaryRequest, remainingSteps } from './conversation.mjs'
import { parseDirectives, stepFrom, summaryDirectives } from './directives.mjs'
import { contentOf, eventsOf } from './reply.mjs'
import { segmentsOf, totalOf } from './tokens.mjs'
import { validate } from './validate.mjs'

/** Failures come after this many deltas, or at the end of a reply with fewer. */
const BROKEN_AFTER = 3
const FAILURES = ['raw', 'error', 'midError', 'cut', 'stall', 'hang', 'wait']

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** What to do with a valid request: scripted step, directives, or the agent's own idea. */
function choose(state, body) {
  const kind = isSummaryRequest(body) ? 'summary' : 'step'
  const { text, replies, left } = remainingSteps(body.messages)
  const scripted = state.scripted(kind, allText(body).join('\n'))
  if (scripted) return { kind, key: 'script', step: scripted }
  if (kind === 'summary') {
    const said = summaryDirectives(parseDirectives(allText(body).join('\n')))
    return { kind, key: `summary ${text}`, step: { ...summaryStep(body), ...stepFrom(said) } }
  }
  const own = left.length > 0 ? stepFrom(left[0]) : {}
  const speaks = ['text', 'words', 'calls', 'blocks', 'pause', 'clock'].some(
    (key) => own[key] !== undefined,
  )
  return {
    kind,
    key: `${replies} ${text}`,
    step: speaks ? own : { ...defaultStep(body, bare(text)), ...own },
  }
}

/** A model that was given room to think does. */
const thinks = ({ thinking }) => thinking?.type === 'enabled' || thinking?.type === 'adaptive'

const bare = (text) => text.replace(/\[\[[^\]]*\]\]/g, '').trim()

/** A step whose limited failure was met often enough goes on without it. */
function withoutSpentFailures(state, { step, key }) {
  if (state.isDue(step, key)) return step
  return Object.fromEntries(Object.entries(step).filter(([name]) => !FAILURES.includes(name)))
}

function readRequest(state, raw, entry, countOnly) {
  if (entry.bytes > state.config.maxBytes) throw apiError(413)
  let json
  try {
    json = JSON.parse(raw)
  } catch (error) {
    refuse(`The request body is not valid JSON: ${error.message}`)
  }
  entry.body = json
  entry.model = json?.model ?? null
  entry.stream = json?.stream === true
  const { body, model } = validate(json, {
    models: state.config.models,
    isPaused: state.isPaused,
    countOnly,
  })
  const segments = segmentsOf(body)
  return { body, model, segments, prompt: totalOf(segments) }
}

export function countTokens(state, raw, entry) {
  return { input_tokens: readRequest(state, raw, entry, true).prompt }
}

/** Answers `POST /v1/messages` on `response`; throws an API error before anything is written. */
export async function answerMessages(state, raw, entry, response) {
  const { body, model, segments, prompt } = readRequest(state, raw, entry, false)
  const window = model.max_input_tokens
  if (prompt > window) refuse(`prompt is too long: ${prompt} tokens > ${window} maximum`)
  const chosen = choose(state, body)
  entry.kind = chosen.kind
  const step = withoutSpentFailures(state, chosen)
  if (step.wait) await sleep(step.wait)
  if (step.hang) return
  if (step.error) {
    const { status, message, type, retryAfter } = step.error
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
    throw apiError(status, message, { type, headers })
  }
  if (response.destroyed) return
  if (step.raw) return playRaw(step.raw, entry, response)
  const usage = {
    ...state.cache.bill(model.id, segments),
    output_tokens: 1,
    service_tier: 'standard',
  }
  entry.usage = usage
  const message = {
    id: `msg_${entry.id}`,
    type: 'message',
    role: 'assistant',
    model: model.id,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  }
  const thinking = step.thinking ?? thinks(body)
  const content = contentOf({ ...step, thinking }, { model: model.id, number: entry.id })
  if (step.pause) state.rememberPause(content)
  if (step.clock) return tick(step, message, entry, response)
  const room = window - prompt
  const events = eventsOf(step, content, {
    budget: Math.min(body.max_tokens, room),
    limitReason: room < body.max_tokens ? 'model_context_window_exceeded' : 'max_tokens',
  })
  if (entry.stream) await stream(state, { step, message, events, entry, response })
  else answerWhole({ message, content, events, entry, response })
}

/** Resolves when the client has taken what was written, or is gone. */
const drained = (response) =>
  new Promise((go) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      go(undefined)
    }
    response.on('drain', done).on('close', done)
  })

/**
 * Sends exactly what a script says, for servers that speak otherwise: strings and bytes as they are, objects as
 * events, numbers as a wait in ms. `after` is `end` (default), `cut` or `stall`.
 */
async function playRaw(raw, entry, response) {
  entry.status = raw.status ?? 200
  response.writeHead(entry.status, { 'content-type': 'text/event-stream', ...raw.headers })
  for (const piece of raw.chunks ?? []) {
    if (response.destroyed) return
    if (typeof piece === 'number') await sleep(piece)
    else {
      const isText = typeof piece === 'string' || piece instanceof Uint8Array
      const bytes = isText ? piece : `event: ${piece.type}\ndata: ${JSON.stringify(piece)}\n\n`
      entry.firstByteAt ??= Date.now()
      entry.deltas++
      if (!response.write(bytes)) await drained(response)
    }
  }
  if (raw.after === 'stall') return
  if (raw.after === 'cut') await sleep(20).then(() => response.destroy())
  else response.end()
}

/** A text of `step.clock` deltas, each `number:milliseconds ` of the moment it was written, for benches. */
async function tick(step, message, entry, response) {
  const at = (n) => `${n}:${(performance.timeOrigin + performance.now()).toFixed(2)} `
  const chunks = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ]
  await playRaw({ chunks, after: 'stall' }, entry, response)
  const send = (event) =>
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`) || drained(response)
  for (let n = 0; n < step.clock && !response.destroyed; n++) {
    await sleep(step.delay ?? 20)
    await send({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: at(n) + (step.pad ?? '') },
    })
  }
  await send({ type: 'content_block_stop', index: 0 })
  await send({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: step.clock },
  })
  await send({ type: 'message_stop' })
  response.end()
}

async function stream(state, { step, message, events, entry, response }) {
  const send = (event) => {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'request-id': `req_${entry.id}`,
  })
  entry.status = 200
  entry.firstByteAt = Date.now()
  send({ type: 'message_start', message })
  const delay = step.delay ?? state.config.delay
  for (const event of events) {
    if (response.destroyed) return
    const last = event.type === 'message_delta'
    if ((entry.deltas >= BROKEN_AFTER || last) && (await breakOff(state, step, response, send)))
      return
    if (event.type === 'content_block_delta') {
      await pause(state, delay, response, send)
      entry.deltas++
    }
    if (last) {
      entry.stopReason = event.delta.stop_reason
      entry.usage = { ...entry.usage, ...event.usage }
      event.usage = { ...entry.usage }
    }
    if (response.destroyed) return
    send(event)
  }
  response.end()
}

/** Waits; a long wait is filled with pings, as the provider does. */
async function pause(state, ms, response, send) {
  for (let left = ms; left > 0 && !response.destroyed; left -= state.config.pingMs) {
    await sleep(Math.min(left, state.config.pingMs))
    if (left > state.config.pingMs && !response.destroyed) send({ type: 'ping' })
  }
}

/** Performs the step's failure, if it has one; true when the reply is over. */
async function breakOff(state, step, response, send) {
  if (step.midError) {
    send({ type: 'error', error: { type: step.midError, message: 'Overloaded' } })
    response.end()
    return true
  }
  if (step.cut) {
    // What was written must reach the client first.
    await sleep(20)
    response.destroy()
    return true
  }
  if (step.stall) {
    while (step.stall === 'pings' && !response.destroyed) {
      await sleep(Math.min(100, state.config.pingMs))
      if (!response.destroyed) send({ type: 'ping' })
    }
    return true
  }
  return false
}

function answerWhole({ message, content, events, entry, response }) {
  const end = [...events].find((event) => event.type === 'message_delta')
  entry.stopReason = end.delta.stop_reason
  entry.usage = { ...entry.usage, ...end.usage }
  entry.status = 200
  response.writeHead(200, { 'content-type': 'application/json', 'request-id': `req_${entry.id}` })
  response.end(JSON.stringify({ ...message, content, ...end.delta, usage: entry.usage }))
}
