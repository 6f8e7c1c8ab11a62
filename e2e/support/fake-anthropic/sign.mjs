import { createHash, createHmac } from 'node:crypto'

// Fixed, so that a session made before a restart of the stand-in can go on after it.
const SECRET = 'fake-anthropic'
const mac = (...parts) => createHmac('sha256', SECRET).update(parts.join('\0')).digest('base64')

/** Signature of a thinking block: text and model are both covered. */
export const signThinking = (model, thinking) => mac('thinking', model, thinking)

/** Data of a redacted thinking block: opaque to the client, verifiable here. */
export const sealRedacted = (model, n) => {
  const nonce = Buffer.from(`redacted ${n}`).toString('base64url')
  return `${nonce}.${mac('redacted', model, nonce)}`
}

export const isSigned = (model, block) =>
  block.type === 'thinking'
    ? block.signature === signThinking(model, block.thinking)
    : typeof block.data === 'string' &&
      block.data.split('.')[1] === mac('redacted', model, block.data.split('.')[0])

export const sha = (text) => createHash('sha256').update(text).digest('hex')
