import { describe, expect, it } from 'vitest'
import { IMAGE_LIMITS, imageFlaw } from './fit'
import type { BlobRef, Block, Message } from './message'
import { buildRequest, validateRequest } from './request'
import { assistant, build, type Part, requestHeader, result, use, user } from './testing/build'

const blob = (patch: Partial<BlobRef> = {}): BlobRef => ({
  type: 'blob',
  hash: 'h',
  media_type: 'image/png',
  bytes: 1000,
  width: 100,
  height: 100,
  ...patch,
})
const image = (patch: Partial<BlobRef> = {}): Block => ({ type: 'image', source: blob(patch) })
const document = (media_type: string): Block => ({
  type: 'document',
  source: { type: 'blob', hash: 'h', media_type, bytes: 1000 },
})

const sent = (...parts: Part[]) => {
  const { nodes, events } = build(...parts)
  return buildRequest(requestHeader(), nodes.map((seq) => events[seq]) as never)
}
/** A request that holds exactly these blocks, as nothing here would build it. */
const refusal = (role: Message['role'], ...content: Block[]) => {
  const body = sent(user('go'), assistant('so'), user('and'))
  const at = body.messages.findLastIndex((message) => message.role === role)
  const messages = body.messages.with(at, { role, content })
  return validateRequest({ ...body, messages })?.message ?? null
}
const LARGE = (IMAGE_LIMITS.base64 / 4) * 3

describe('what the provider refuses of one block', () => {
  it.each<[string, Message['role'], Block, string]>([
    ['9,000 pixels', 'user', image({ width: 9000 }), '9000 × 100 pixels; at most 8000'],
    ['20 MB', 'user', image({ bytes: 20_000_000 }), '20000000 bytes long; at most 3932160'],
    ['5 MB as base64', 'user', image({ bytes: LARGE + 1 }), '3932161 bytes long'],
    ['another type', 'user', image({ media_type: 'image/svg+xml' }), 'is image/svg+xml'],
    ['in a reply', 'assistant', image(), 'The assistant’s own image'],
    ['a document in a reply', 'assistant', document('application/pdf'), 'own document'],
    ['a document nobody reads', 'user', document('application/zip'), 'is application/zip'],
  ])('[Q4] is found before it is sent: %s', (_, role, block, words) => {
    expect(refusal(role, block)).toContain(words)
  })

  it('[Q4] a name that no tool may have is one no call may have', () => {
    const body = sent(user('go'), assistant([use('a')]), result('a'))
    const messages = structuredClone(body.messages)
    Object.assign(messages[1]!.content[0]!, { name: 'my tool!' })
    expect(validateRequest({ ...body, messages })?.message).toContain(
      '"my tool!" has no legal name',
    )
  })

  it('[Q4] is nothing where it just fits, and where its size is not known', () => {
    expect(refusal('user', image({ width: 8000, height: 8000, bytes: LARGE }))).toBeNull()
    expect(refusal('user', image({ width: undefined, height: undefined }))).toBeNull()
    expect(refusal('user', document('application/pdf'), document('text/csv'))).toBeNull()
    expect(imageFlaw(blob({ width: 2001 }), IMAGE_LIMITS.sideOfMany)).toContain('at most 2000')
  })

  it('[Q4] is asked of images in results, and of many images more', () => {
    const wide = image({ width: 3000 })
    const many = Array.from({ length: IMAGE_LIMITS.many }, () => image())
    expect(refusal('user', ...many.slice(1), wide)).toBeNull()
    expect(refusal('user', ...many, wide)).toContain('3000 × 100 pixels; at most 2000')
    const body = sent(user('go'), assistant([use('a')]), result('a', [image()]))
    const messages = JSON.parse(
      JSON.stringify(body.messages).replace('"width":100', '"width":9000'),
    )
    expect(validateRequest({ ...body, messages })?.message).toContain('9000 × 100')
  })
})

describe('a session that holds what cannot be sent', () => {
  it('[Q4] goes on: media are named in words instead, in results and replies too', () => {
    const body = sent(
      user([{ type: 'text', text: 'look' }, image({ width: 9000 })]),
      assistant([image(), use('a')]),
      result('a', [image({ media_type: 'image/svg+xml' })]),
    )
    expect(validateRequest(body)).toBeNull()
    expect(JSON.stringify(body.messages)).not.toContain('blob')
    expect(body.messages.map(({ content }) => content[content.length > 1 ? 1 : 0])).toMatchObject([
      { text: '[Left out. An image is 9000 × 100 pixels; at most 8000 a side can be sent.]' },
      { type: 'tool_use' },
      {
        content: [
          {
            text: '[Left out. An image is image/svg+xml; only PNG, JPEG, GIF and WebP can be sent.]',
          },
        ],
      },
    ])
    expect(body.messages[1]!.content[0]).toMatchObject({
      text: '[Left out. The assistant’s own image: only what the user shows can be sent.]',
    })
  })

  it('[Q4] calls of tools with illegal names are sent under legal ones', () => {
    const named = (name: string) =>
      sent(user('go'), assistant([use('a', name)]), result('a')).messages[1]!.content[0]
    expect(named('my tool!')).toMatchObject({ name: 'my_tool_' })
    expect(named('mcp.server/read')).toMatchObject({ name: 'mcp_server_read' })
    expect(named('x'.repeat(200))).toMatchObject({ name: 'x'.repeat(128) })
    expect(named('read_file')).toMatchObject({ name: 'read_file' })
  })

  it('[Q4] the twenty-first image leaves out those that are too large beside so many', () => {
    const few = sent(user(Array.from({ length: 20 }, () => image({ width: 3000 }))))
    expect(few.messages[0]!.content.every(({ type }) => type === 'image')).toBe(true)
    const many = sent(user([image({ width: 3000 }), ...Array.from({ length: 20 }, () => image())]))
    expect(many.messages[0]!.content.map(({ type }) => type)).toEqual([
      'text',
      ...Array(20).fill('image'),
    ])
    expect(validateRequest(many)).toBeNull()
  })
})
