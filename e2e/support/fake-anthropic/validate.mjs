import { apiError, refuse } from './api-error.mjs'
import { validateMessages } from './validate-messages.mjs'

const TOP_LEVEL = new Set(
  'model max_tokens system tools messages temperature thinking output_config stream stop_sequences metadata tool_choice top_p top_k service_tier'.split(
    ' ',
  ),
)
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const EFFORTS = new Set(['low', 'medium', 'high', 'xhigh', 'max'])

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const asBlocks = (content) =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** The shorthand forms of the API (plain strings for block lists) spelled out, so that one form is checked. */
function spellOut(body) {
  const messages = Array.isArray(body.messages) ? body.messages : []
  return {
    ...body,
    system: body.system === undefined ? [] : asBlocks(body.system),
    messages: messages.map((message) => ({
      ...message,
      content: Array.isArray(message?.content)
        ? message.content.map((block) =>
            block?.type === 'tool_result' && typeof block.content === 'string'
              ? { ...block, content: asBlocks(block.content) }
              : block,
          )
        : asBlocks(message?.content),
    })),
  }
}

function checkNumbers(body, model, countOnly) {
  if (!countOnly) {
    if (body.max_tokens === undefined) refuse('max_tokens: Field required')
    if (!Number.isInteger(body.max_tokens)) refuse('max_tokens: Input should be a valid integer')
    if (body.max_tokens < 1) refuse('max_tokens: Input should be greater than or equal to 1')
    if (body.max_tokens > model.max_tokens)
      refuse(
        `max_tokens: ${body.max_tokens} > ${model.max_tokens}, which is the maximum allowed number of output tokens for ${model.id}`,
      )
  }
  if (body.temperature !== undefined && !(body.temperature >= 0 && body.temperature <= 1))
    refuse('temperature: Input should be less than or equal to 1')
  const effort = body.output_config?.effort
  if (effort !== undefined && !EFFORTS.has(effort))
    refuse("output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'")
}

function checkThinking(body) {
  const { thinking } = body
  if (thinking === undefined) return
  const tags = ['enabled', 'adaptive', 'disabled', 'between_tools']
  if (!isObject(thinking) || !tags.includes(thinking.type))
    refuse(
      `thinking: Input tag '${thinking?.type}' found using 'type' does not match any of the expected tags: ${tags.map((tag) => `'${tag}'`).join(', ')}`,
    )
  if (thinking.type === 'disabled') return
  if (body.temperature !== undefined && body.temperature !== 1)
    refuse('`temperature` may only be set to 1 when thinking is enabled.')
  if (thinking.type !== 'enabled') return
  if (!Number.isInteger(thinking.budget_tokens))
    refuse('thinking.enabled.budget_tokens: Field required')
  if (thinking.budget_tokens < 1024)
    refuse('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024')
  if (body.max_tokens !== undefined && thinking.budget_tokens >= body.max_tokens)
    refuse('`max_tokens` must be greater than `thinking.budget_tokens`.')
}

function checkTools(tools) {
  if (tools === undefined) return
  if (!Array.isArray(tools)) refuse('tools: Input should be a valid list')
  const seen = new Set()
  tools.forEach((tool, i) => {
    if (!isObject(tool)) refuse(`tools.${i}: Input should be a valid dictionary`)
    if (typeof tool.name !== 'string') refuse(`tools.${i}.custom.name: Field required`)
    if (!TOOL_NAME.test(tool.name))
      refuse(`tools.${i}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
    if (seen.has(tool.name)) refuse('tools: Tool names must be unique.')
    seen.add(tool.name)
    if (!isObject(tool.input_schema)) refuse(`tools.${i}.custom.input_schema: Field required`)
    if (tool.input_schema.type !== 'object')
      refuse(`tools.${i}.custom.input_schema.type: Input should be 'object'`)
    for (const key of Object.keys(tool)) {
      if (!['name', 'description', 'input_schema', 'cache_control', 'type', 'strict'].includes(key))
        refuse(`tools.${i}.custom.${key}: Extra inputs are not permitted`)
    }
  })
}

function checkSystem(system) {
  if (!Array.isArray(system)) refuse('system: Input should be a valid list')
  system.forEach((block, i) => {
    if (block?.type !== 'text' || typeof block.text !== 'string')
      refuse(`system.${i}.text: Field required`)
    if (block.text === '' && block.cache_control)
      refuse(`system.${i}: cache_control cannot be set for empty text blocks`)
    if (block.text === '') refuse('system: text content blocks must be non-empty')
    if (block.text.trim() === '')
      refuse('system: text content blocks must contain non-whitespace text')
  })
}

/** Every `cache_control` in the request, wherever it stands. */
function* cacheControls(value) {
  if (Array.isArray(value)) {
    for (const inner of value) yield* cacheControls(inner)
  } else if (isObject(value)) {
    if (value.cache_control) yield value.cache_control
    if (Array.isArray(value.content)) yield* cacheControls(value.content)
  }
}

function checkCacheControl(body) {
  const all = [
    ...cacheControls(body.tools ?? []),
    ...cacheControls(body.system),
    ...cacheControls(body.messages),
  ]
  if (all.length > 4)
    refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${all.length}.`)
  for (const one of all) {
    if (one.type !== 'ephemeral' || !['5m', '1h', undefined].includes(one.ttl))
      refuse("cache_control: Input tag does not match any of the expected tags: 'ephemeral'")
  }
}

function checkUnicode(value, path = '') {
  if (typeof value === 'string') {
    if (!value.isWellFormed())
      refuse(`The request body is not valid JSON: no low surrogate in string at ${path}`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) checkUnicode(inner, `${path}.${key}`)
  }
}

/**
 * Refuses what the Messages API refuses (throws an API error), else returns the body with shorthand
 * spelled out and its model's entry. `isPaused` tells whether a last assistant message is one this
 * server paused and may continue.
 */
export function validate(body, { models, isPaused, countOnly = false }) {
  if (!isObject(body)) refuse('The request body is not valid JSON: expected an object')
  checkUnicode(body)
  for (const key of Object.keys(body)) {
    if (!TOP_LEVEL.has(key)) refuse(`${key}: Extra inputs are not permitted`)
  }
  if (typeof body.model !== 'string' || body.model === '') refuse('model: Field required')
  const model = models.find((one) => one.id === body.model)
  if (!model) throw apiError(404, `model: ${body.model}`)
  if (!Array.isArray(body.messages)) refuse('messages: Field required')
  const spelled = spellOut(body)
  checkNumbers(body, model, countOnly)
  checkThinking(body)
  checkTools(body.tools)
  checkSystem(spelled.system)
  validateMessages(spelled.messages, { model: model.id, isPaused })
  checkCacheControl(spelled)
  return { body: spelled, model }
}
