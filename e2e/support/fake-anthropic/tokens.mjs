/**
 * How this stand-in counts: 3.5 characters a token, 3 for each block and message. Deliberately not the
 * app's own estimate, so that "measured" and "estimated" differ as they do with a real provider.
 */
const CHARS_PER_TOKEN = 3.5
const PER_BLOCK = 3

export const tokensOfText = (text) => Math.ceil(text.length / CHARS_PER_TOKEN)

/** Width × height / 750 for a PNG, which says its size in bytes 16–24; a flat figure for the rest. */
function tokensOfImage(source) {
  if (source?.type !== 'base64' || source.media_type !== 'image/png') return 1500
  const bytes = Buffer.from(source.data.slice(0, 64), 'base64')
  if (bytes.length < 24) return 1500
  return Math.ceil((bytes.readUInt32BE(16) * bytes.readUInt32BE(20)) / 750) || 1
}

function tokensOfBlock(block) {
  switch (block.type) {
    case 'text':
      return PER_BLOCK + tokensOfText(block.text)
    case 'image':
      return PER_BLOCK + tokensOfImage(block.source)
    case 'document':
      return PER_BLOCK + (block.source?.type === 'text' ? tokensOfText(block.source.data) : 2000)
    case 'tool_result':
      return PER_BLOCK + (block.content ?? []).reduce((sum, inner) => sum + tokensOfBlock(inner), 0)
    default:
      return PER_BLOCK + tokensOfText(JSON.stringify(block))
  }
}

const withoutCacheControl = (value) =>
  JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner))

/**
 * The request as the provider bills it: blocks in prefix order tools → system → messages. `key` is
 * what must be equal for a prefix to be found again.
 */
export function segmentsOf(body) {
  const segments = []
  const add = (level, block, key, tokens) =>
    segments.push({
      level,
      key,
      tokens,
      ttl: block.cache_control?.ttl ?? (block.cache_control && '5m'),
    })
  for (const tool of body.tools ?? [])
    add('tools', tool, withoutCacheControl(tool), PER_BLOCK + tokensOfText(JSON.stringify(tool)))
  for (const block of body.system)
    add('system', block, withoutCacheControl(block), tokensOfBlock(block))
  // Thinking and tool choice void cached messages but not cached tools and system prompt.
  const seed = JSON.stringify([body.thinking ?? null, body.tool_choice ?? null])
  for (const message of body.messages) {
    message.content.forEach((block, i) => {
      const key = `${seed} ${message.role} ${withoutCacheControl(block)}`
      add('messages', block, key, tokensOfBlock(block) + (i === 0 ? PER_BLOCK : 0))
    })
  }
  return segments
}

export const totalOf = (segments) => segments.reduce((sum, segment) => sum + segment.tokens, 0)
