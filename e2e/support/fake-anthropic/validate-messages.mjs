import { refuse } from './api-error.mjs'
import { isSigned } from './sign.mjs'

const ID = /^[a-zA-Z0-9_-]+$/
const NAME = /^[a-zA-Z0-9_-]{1,128}$/
const MAX_IMAGE_BYTES = 5 * 1024 * 1024
const MAX_MEDIA = 100
const MAX_SIDE = 8000
/** Beyond this many images none may have more than `MAX_SIDE_OF_MANY` pixels a side. */
const MANY_IMAGES = 20
const MAX_SIDE_OF_MANY = 2000
const MAGIC = {
  'image/png': '89504e47',
  'image/jpeg': 'ffd8ff',
  'image/gif': '47494638',
  'image/webp': '52494646',
}

/** Keys a block may have besides `type`; a type that is not here is refused. */
const KEYS = {
  text: ['text', 'cache_control', 'citations'],
  image: ['source', 'cache_control'],
  document: ['source', 'title', 'context', 'citations', 'cache_control'],
  tool_use: ['id', 'name', 'input', 'cache_control', 'caller'],
  tool_result: ['tool_use_id', 'content', 'is_error', 'cache_control'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  server_tool_use: ['id', 'name', 'input', 'cache_control', 'caller'],
  web_search_tool_result: ['tool_use_id', 'content', 'cache_control', 'caller'],
}
const ROLE_OF = {
  thinking: 'assistant',
  redacted_thinking: 'assistant',
  tool_use: 'assistant',
  server_tool_use: 'assistant',
  web_search_tool_result: 'assistant',
  tool_result: 'user',
  image: 'user',
  document: 'user',
}
const INSIDE_RESULT = new Set(['text', 'image', 'document'])
const tagList = (tags) => [...tags].map((tag) => `'${tag}'`).join(', ')

function checkTag(path, block, tags) {
  if (typeof block !== 'object' || block === null || typeof block.type !== 'string')
    refuse(`${path}: Input should be a valid dictionary with a 'type'`)
  if (!tags.has(block.type))
    refuse(
      `${path}: Input tag '${block.type}' found using 'type' does not match any of the expected tags: ${tagList(tags)}`,
    )
  for (const key of Object.keys(block)) {
    if (key !== 'type' && !KEYS[block.type].includes(key))
      refuse(`${path}.${block.type}.${key}: Extra inputs are not permitted`)
  }
}

function checkText(path, block) {
  if (typeof block.text !== 'string') refuse(`${path}.text.text: Field required`)
  if (block.text === '' && block.cache_control)
    refuse(`${path}: cache_control cannot be set for empty text blocks`)
  if (block.text === '') refuse('messages: text content blocks must be non-empty')
  if (block.text.trim() === '')
    refuse('messages: text content blocks must contain non-whitespace text')
}

function checkMedia(path, block) {
  const { source } = block
  const tags = block.type === 'image' ? ['base64', 'url'] : ['base64', 'text', 'url']
  if (!tags.includes(source?.type))
    refuse(
      `${path}.${block.type}.source: Input tag '${source?.type}' found using 'type' does not match any of the expected tags: ${tagList(tags)}`,
    )
  if (source.type !== 'base64') return
  if (typeof source.data !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(source.data))
    refuse(`${path}.${block.type}.source.base64: invalid base64 data`)
  if (block.type === 'document') {
    if (source.media_type !== 'application/pdf')
      refuse(`${path}.document.source.base64.media_type: Input should be 'application/pdf'`)
    return
  }
  const magic = MAGIC[source.media_type]
  if (!magic)
    refuse(
      `${path}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    )
  // The real one counts the base64 text, too.
  const bytes = source.data.length
  if (bytes > MAX_IMAGE_BYTES)
    refuse(
      `${path}.image.source.base64: image exceeds 5 MB maximum: ${bytes} bytes > ${MAX_IMAGE_BYTES} bytes`,
    )
  if (!Buffer.from(source.data.slice(0, 16), 'base64').toString('hex').startsWith(magic))
    refuse(
      `${path}.image.source.base64.data: Image does not match the provided media type ${source.media_type}`,
    )
  if (longSide(source) > MAX_SIDE)
    refuse(
      `${path}.image.source.base64.data: At least one of the image dimensions exceed max allowed size: ${MAX_SIDE} pixels`,
    )
}

/** Where a JPEG says its size: the frame header, behind segments of any length. */
function jpegSide(bytes) {
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return Math.max(bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7))
  }
  return 0
}

/** The longer side in pixels; 0 where the bytes do not say, as in the stubs that tests send, and for WebP. */
function longSide({ media_type, data }) {
  const bytes = Buffer.from(data, 'base64')
  if (media_type === 'image/png' && bytes.length >= 24)
    return Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20))
  if (media_type === 'image/gif' && bytes.length >= 10)
    return Math.max(bytes.readUInt16LE(6), bytes.readUInt16LE(8))
  return media_type === 'image/jpeg' ? jpegSide(bytes) : 0
}

function checkThinking(path, block, model) {
  const field = block.type === 'thinking' ? 'signature' : 'data'
  if (
    typeof block[field] !== 'string' ||
    (field === 'signature' && typeof block.thinking !== 'string')
  )
    refuse(`${path}.${block.type}.${field}: Field required`)
  if (!isSigned(model, block)) refuse(`${path}: Invalid \`${field}\` in \`${block.type}\` block`)
}

function checkResult(path, block) {
  if (!ID.test(block.tool_use_id ?? ''))
    refuse(`${path}.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
  if (block.content !== undefined && !Array.isArray(block.content))
    refuse(`${path}.tool_result.content: Input should be a valid list`)
  const content = block.content ?? []
  if (block.is_error && content.length === 0)
    refuse(`${path}.tool_result: content cannot be empty if \`is_error\` is true`)
  content.forEach((inner, i) => {
    checkTag(`${path}.tool_result.content.${i}`, inner, INSIDE_RESULT)
    if (inner.type === 'text') checkText(`${path}.tool_result.content.${i}`, inner)
    else checkMedia(`${path}.tool_result.content.${i}`, inner)
  })
}

function checkBlock(path, block, role, model) {
  checkTag(path, block, new Set(Object.keys(KEYS)))
  const only = ROLE_OF[block.type]
  if (only && only !== role)
    refuse(`${path}: \`${block.type}\` blocks can only be in \`${only}\` messages`)
  switch (block.type) {
    case 'text':
      return checkText(path, block)
    case 'image':
    case 'document':
      return checkMedia(path, block)
    case 'thinking':
    case 'redacted_thinking':
      return checkThinking(path, block, model)
    case 'tool_result':
      return checkResult(path, block)
    case 'tool_use':
      if (!ID.test(block.id ?? ''))
        refuse(`${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
      if (typeof block.name !== 'string') refuse(`${path}.tool_use.name: Field required`)
      if (!NAME.test(block.name))
        refuse(`${path}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
      if (typeof block.input !== 'object' || block.input === null || Array.isArray(block.input))
        refuse(`${path}.tool_use.input: Input should be a valid dictionary`)
  }
}

const idsOf = (message, type, key) =>
  (message?.content ?? []).filter((block) => block.type === type).map((block) => block[key])

/** Results: first in the message, one for every call of the message before, none for anything else. */
function checkPairs(messages) {
  const all = new Set()
  messages.forEach((message, n) => {
    for (const id of idsOf(message, 'tool_use', 'id')) {
      if (all.has(id)) refuse('messages: `tool_use` ids must be unique')
      all.add(id)
    }
    const calls = new Set(idsOf(messages[n - 1], 'tool_use', 'id'))
    const results = idsOf(message, 'tool_result', 'tool_use_id')
    const missing = [...calls].filter((id) => !results.includes(id))
    const leading = message.content.findIndex((block) => block.type !== 'tool_result')
    const late = leading >= 0 && results.length > leading
    if (missing.length > 0 || (late && calls.size > 0 && leading === 0))
      refuse(
        `messages.${n}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ') || results.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      )
    if (late) refuse(`messages.${n}: \`tool_result\` blocks must come first in the message`)
    results.forEach((id, i) => {
      if (!calls.has(id))
        refuse(
          `messages.${n}.content.${i}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        )
      if (results.indexOf(id) !== i)
        refuse(
          `messages.${n}.content.${i}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
        )
    })
  })
  const open = idsOf(messages.at(-1), 'tool_use', 'id')
  if (open.length > 0)
    refuse(
      `messages.${messages.length - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    )
}

/** Everything the API checks in `messages`; their content is already spelled out as block lists. */
export function validateMessages(messages, { model, isPaused }) {
  if (messages.length === 0) refuse('messages: at least one message is required')
  messages.forEach((message, n) => {
    if (message.role !== 'user' && message.role !== 'assistant')
      refuse(`messages.${n}.role: Input should be 'user' or 'assistant'`)
    for (const key of Object.keys(message)) {
      if (key !== 'role' && key !== 'content')
        refuse(`messages.${n}.${key}: Extra inputs are not permitted`)
    }
    if (!Array.isArray(message.content)) refuse(`messages.${n}.content: Field required`)
    if (message.content.length === 0)
      refuse(
        `messages.${n}: all messages must have non-empty content except for the optional final assistant message`,
      )
    message.content.forEach((block, i) => {
      checkBlock(`messages.${n}.content.${i}`, block, message.role, model)
    })
    const last = message.content.at(-1).type
    if (last === 'thinking' || last === 'redacted_thinking')
      refuse(`messages.${n}: The final block in an assistant message cannot be \`${last}\`.`)
  })
  if (messages[0].role !== 'user') refuse('messages: first message must use the "user" role')
  checkPairs(messages)
  if (messages.at(-1).role === 'assistant' && !isPaused(messages.at(-1).content))
    refuse(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    )
  const media = messages.flatMap((message) =>
    message.content.flatMap((block) => [
      block,
      ...(block.type === 'tool_result' ? (block.content ?? []) : []),
    ]),
  )
  const shown = media.filter((block) => block.type === 'image')
  const images = shown.length
  const documents = media.filter((block) => block.type === 'document').length
  if (images + documents > MAX_MEDIA)
    refuse(
      `messages: too much media: ${documents} document pages + ${images} images > ${MAX_MEDIA}`,
    )
  const isWide = ({ source }) => source.type === 'base64' && longSide(source) > MAX_SIDE_OF_MANY
  if (images > MANY_IMAGES && shown.some(isWide))
    refuse(
      `messages: At least one of the image dimensions exceed max allowed size for many-image requests: ${MAX_SIDE_OF_MANY} pixels`,
    )
}
