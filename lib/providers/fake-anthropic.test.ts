/** The stand-in itself: a test against it is worth what it refuses. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signThinking } from '../../e2e/support/fake-anthropic/sign.mjs'
import type { Block } from '../core/message'
import {
  assistant,
  bodyOf,
  call,
  controlOf,
  type Fake,
  postTo,
  readFile,
  result,
  startQuickFake,
  text,
  user,
} from './testing/fake'

let fake: Fake
beforeAll(async () => {
  fake = await startQuickFake()
})
afterAll(() => fake.close())
beforeEach(() => fake.state.reset())

const post = postTo(() => fake)
const control = controlOf(() => fake)

const model = 'claude-sonnet-5-5'
const cached = { cache_control: { type: 'ephemeral' } }
const thinking = { type: 'thinking', thinking: 'hm', signature: signThinking(model, 'hm') }
const image = (data: string, media_type = 'image/png') => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
})
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='

/** The beginning of a PNG of that size: all anybody reads of it. */
function pngOf(width: number, height: number): string {
  const bytes = Buffer.from(PNG, 'base64')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}

describe('[Q4] a request is refused', () => {
  const refusals: [string, object, RegExp][] = [
    ['without messages', { messages: [] }, /at least one message/],
    [
      'whose first message is not the user’s',
      { messages: [assistant('hi'), user('x')] },
      /first message must use the "user" role/,
    ],
    [
      'whose last message is not the user’s',
      { messages: [user('x'), assistant('hi')] },
      /must end with a user message/,
    ],
    ['with an unknown role', { messages: [{ role: 'system', content: 'x' }] }, /messages\.0\.role/],
    ['with an empty message', { messages: [user()] }, /non-empty content/],
    ['with an empty text', { messages: [user('')] }, /text content blocks must be non-empty/],
    ['with a blank text', { messages: [user(' \n')] }, /non-whitespace text/],
    [
      'with a blank text in a result',
      { messages: [user('x'), assistant(call()), user(result('toolu_1', [text(' ')]))] },
      /non-whitespace/,
    ],
    [
      'with an empty error result',
      { messages: [user('x'), assistant(call()), user(result('toolu_1', [], { is_error: true }))] },
      /content cannot be empty if `is_error` is true/,
    ],
    [
      'with an illegal call id',
      { messages: [user('x'), assistant(call('a.b')), user(result('a.b'))] },
      /tool_use\.id: String should match pattern/,
    ],
    [
      'with an unanswered call',
      { messages: [user('x'), assistant(call()), user('y')] },
      /without `tool_result` blocks immediately after: toolu_1/,
    ],
    [
      'with an unanswered call at the end',
      { messages: [user('x'), assistant(call())] },
      /without `tool_result` blocks/,
    ],
    [
      'with one of two calls unanswered',
      { messages: [user('x'), assistant(call('a'), call('b')), user(result('a'))] },
      /immediately after: b/,
    ],
    [
      'with a result that comes a message late',
      { messages: [user('x'), assistant(call()), assistant('so'), user(result())] },
      /without `tool_result` blocks/,
    ],
    [
      'with text before the result',
      { messages: [user('x'), assistant(call()), user('y', result())] },
      /without `tool_result` blocks/,
    ],
    [
      'with text between results',
      {
        messages: [user('x'), assistant(call('a'), call('b')), user(result('a'), 'y', result('b'))],
      },
      /must come first/,
    ],
    ['with an orphan result', { messages: [user(result())] }, /unexpected `tool_use_id`/],
    [
      'with two results for a call',
      { messages: [user('x'), assistant(call()), user(result(), result())] },
      /multiple `tool_result` blocks/,
    ],
    [
      'with a call id twice',
      {
        messages: [user('x'), assistant(call()), user(result()), assistant(call()), user(result())],
      },
      /ids must be unique/,
    ],
    ['with a call in a user message', { messages: [user(call())] }, /can only be in `assistant`/],
    [
      'with an image in an assistant message',
      { messages: [user('x'), assistant(image(PNG), 'y'), user('z')] },
      /can only be in `user`/,
    ],
    [
      'with five cache breakpoints',
      { system: [1, 2, 3, 4, 5].map((n) => ({ ...text(`rule ${n}`), ...cached })) },
      /maximum of 4 blocks .* Found 5/,
    ],
    [
      'with a breakpoint on thinking',
      { messages: [user('x'), assistant({ ...thinking, ...cached } as Block, 'y'), user('z')] },
      /thinking\.cache_control: Extra inputs/,
    ],
    [
      'with a breakpoint on an empty text',
      { messages: [user({ ...text(''), ...cached } as Block)] },
      /cache_control cannot be set for empty text/,
    ],
    [
      'with an altered signature',
      {
        messages: [
          user('x'),
          assistant({ ...thinking, signature: 'AAAA' } as Block, 'y'),
          user('z'),
        ],
      },
      /Invalid `signature`/,
    ],
    [
      'with altered thinking',
      {
        messages: [user('x'), assistant({ ...thinking, thinking: 'hm!' } as Block, 'y'), user('z')],
      },
      /Invalid `signature`/,
    ],
    [
      'with thinking of another model',
      {
        model: 'claude-haiku-5-5',
        messages: [user('x'), assistant(thinking as Block, 'y'), user('z')],
      },
      /Invalid `signature`/,
    ],
    [
      'with unsigned thinking',
      {
        messages: [
          user('x'),
          assistant({ type: 'thinking', thinking: 'hm' } as Block, 'y'),
          user('z'),
        ],
      },
      /signature: Field required/,
    ],
    [
      'with unknown redacted thinking',
      {
        messages: [
          user('x'),
          assistant({ type: 'redacted_thinking', data: 'x.y' }, 'y'),
          user('z'),
        ],
      },
      /Invalid `data`/,
    ],
    [
      'with a message that ends in thinking',
      { messages: [user('x'), assistant(thinking as Block), user('z')] },
      /final block .* cannot be `thinking`/,
    ],
    [
      'with a thinking budget as large as max_tokens',
      { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 2000 } },
      /greater than `thinking\.budget_tokens`/,
    ],
    [
      'with a thinking budget below 1024',
      { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 100 } },
      /greater than or equal to 1024/,
    ],
    [
      'with temperature beside thinking',
      { temperature: 0.2, thinking: { type: 'adaptive' } },
      /`temperature` may only be set to 1/,
    ],
    [
      'with a tool without a schema',
      { tools: [{ name: 'a', description: 'b' }] },
      /tools\.0\.custom\.input_schema: Field required/,
    ],
    ['with a tool twice', { tools: [readFile, readFile] }, /Tool names must be unique/],
    [
      'with an illegal tool name',
      { tools: [{ ...readFile, name: 'a b' }] },
      /tools\.0\.custom\.name/,
    ],
    ['without max_tokens', { max_tokens: undefined }, /max_tokens: Field required/],
    [
      'with more output than the model has',
      { max_tokens: 70_000 },
      /70000 > 64000, which is the maximum/,
    ],
    ['with an unknown field', { surprise: 1 }, /surprise: Extra inputs are not permitted/],
    [
      'with an unknown field in a block',
      { messages: [user({ ...text('x'), seq: 4 } as Block)] },
      /text\.seq: Extra inputs/,
    ],
    ['with an unknown block', { messages: [user({ type: 'video' })] }, /Input tag 'video'/],
    [
      'with media that were not inlined',
      {
        messages: [
          user({ type: 'image', source: { type: 'blob', hash: 'x' } } as unknown as Block),
        ],
      },
      /Input tag 'blob'/,
    ],
    [
      'with an image under a wrong type',
      { messages: [user(image(PNG, 'image/jpeg'))] },
      /does not match the provided media type/,
    ],
    [
      'with an image over 5 MB',
      { messages: [user(image('iVBORw0K'.padEnd(7_200_000, 'A')))] },
      /exceeds 5 MB maximum/,
    ],
    [
      'with an image whose base64 text is over 5 MB',
      { messages: [user(image('iVBORw0K'.padEnd(5_300_000, 'A')))] },
      /exceeds 5 MB maximum: 5300000 bytes/,
    ],
    [
      'with an image of more than 8,000 pixels a side',
      { messages: [user(image(pngOf(9000, 100)))] },
      /exceed max allowed size: 8000 pixels/,
    ],
    [
      'with many images, one of more than 2,000 pixels a side',
      {
        messages: [user(image(pngOf(100, 2001)), ...Array.from({ length: 20 }, () => image(PNG)))],
      },
      /many-image requests: 2000 pixels/,
    ],
    [
      'with a call under an illegal name',
      {
        messages: [user('x'), assistant({ ...call(), name: 'my tool!' } as Block), user(result())],
      },
      /tool_use\.name: String should match pattern/,
    ],
    [
      'with more than 100 images',
      { messages: [user(...Array.from({ length: 101 }, () => image(PNG)))] },
      /too much media: .* 101 images > 100/,
    ],
    [
      'with an empty system text',
      { system: [text('')] },
      /system: text content blocks must be non-empty/,
    ],
    ['with a lone surrogate', { messages: [user('a\ud83eb')] }, /not valid JSON/],
    [
      'larger than the model’s window',
      { model: 'fake-tiny-4k', messages: [user('word '.repeat(4000))] },
      /^prompt is too long: \d+ tokens > 4000 maximum$/,
    ],
  ]
  it.each(refusals)('%s', async (_, more, message) => {
    const answer = await post({ ...bodyOf('hi'), ...more })
    expect(answer.status).toBe(400)
    expect(answer.error).toMatchObject({ type: 'invalid_request_error' })
    expect(answer.error?.message).toMatch(message)
  })

  it('with other statuses: no key, wrong key, no version, no such model, too many bytes, no JSON', async () => {
    const body = bodyOf('hi')
    expect((await post(body, undefined, { 'x-api-key': '' })).status).toBe(401)
    expect((await post(body, undefined, { 'x-api-key': 'bad' })).status).toBe(401)
    expect((await post(body, undefined, { 'anthropic-version': '' })).status).toBe(400)
    expect((await post({ ...body, model: 'x' })).error).toMatchObject({ type: 'not_found_error' })
    expect((await post('{')).error?.message).toMatch(/not valid JSON/)
    await control('config', { maxBytes: 50 })
    const large = await post(body)
    expect(large.status).toBe(413)
    expect(large.error).toMatchObject({ type: 'request_too_large' })
  })
})

describe('a request is taken', () => {
  const taken: [string, object][] = [
    ['with plain strings', { system: 'be brief', messages: [{ role: 'user', content: 'hi' }] }],
    ['with consecutive messages of one role', { messages: [user('a'), user('b')] }],
    [
      'with results first and text after',
      {
        messages: [
          user('x'),
          assistant(call('a'), call('b')),
          user(result('b'), result('a'), 'go on'),
        ],
      },
    ],
    [
      'with its own thinking',
      { messages: [user('x'), assistant(thinking as Block, 'y'), user('z')] },
    ],
    [
      'with four breakpoints',
      { system: [1, 2, 3, 4].map((n) => ({ ...text(`rule ${n}`), ...cached })) },
    ],
    [
      'with an image in a result',
      {
        messages: [
          user('x'),
          assistant(call()),
          user(result('toolu_1', [image(PNG) as unknown as Block])),
        ],
      },
    ],
    [
      'with an empty result that is no error',
      { messages: [user('x'), assistant(call()), user(result('toolu_1', []))] },
    ],
  ]
  it.each(taken)('%s', async (_, more) => {
    const answer = await post({ ...bodyOf('hi'), ...more })
    expect(answer.error).toBeUndefined()
    expect(answer.status).toBe(200)
  })

  it('[Q4] to continue a reply that was paused, and only that one', async () => {
    const paused = await post(bodyOf('[[reply: looking]] [[pause]]'))
    expect(paused.stop_reason).toBe('pause_turn')
    const goOn = (content: Block[]) => post(bodyOf([user('x'), { role: 'assistant', content }]))
    expect((await goOn(paused.content)).status).toBe(200)
    expect((await goOn([...paused.content, text('more')])).status).toBe(400)
  })
})
