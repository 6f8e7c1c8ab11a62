import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BlobRef, type Block, isKnown, isText } from './message'
import {
  bytesOfMessage,
  bytesOfPreamble,
  countMedia,
  estimateBlock,
  estimateBlocks,
  estimateMessage,
  estimateText,
  estimateTools,
  weighMessage,
} from './price'
import { codePoints } from './text'

/** Milliseconds that thorough tests may take where other work shares the machine. */
const SLOW = 60_000

const blob = (patch: Partial<BlobRef> = {}): BlobRef => ({
  type: 'blob',
  hash: 'ab',
  media_type: 'image/png',
  bytes: 3000,
  ...patch,
})
/** Code points of the texts of a block, and of a result. */
const charsOf = (block: Block): number => {
  if (isText(block)) return codePoints(block.text)
  if (!isKnown(block) || block.type !== 'tool_result') return 0
  return block.content.reduce((sum, part) => sum + charsOf(part), 0)
}
const text = (said: string): Block => ({ type: 'text', text: said })
const tool = { name: 'read_file', description: 'Reads.', input_schema: { type: 'object' } }

describe('tokens', () => {
  it('[M1] a field of Latin text costs a token for four UTF-16 units, rounded up', () => {
    expect(['', 'a', 'abcd', 'abcde', 'é'.repeat(9)].map(estimateText)).toEqual([0, 1, 1, 2, 3])
    expect(estimateText('“don’t” — 5 €')).toBe(Math.ceil(13 / 4))
  })

  it('[M1] CJK, emoji and other scripts cost one token a code point', () => {
    expect(estimateText('日本語')).toBe(3)
    expect(estimateText('😀😀')).toBe(2)
    expect(estimateText('слово')).toBe(5)
    expect(estimateText('abcd日😀')).toBe(3)
  })

  it(
    '[M1] rounds up once a field: no text costs less than its parts shared out',
    () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
          const both = estimateText(a) + estimateText(b)
          expect(estimateText(a + b)).toBeLessThanOrEqual(both + 1)
          expect(estimateText(a + b)).toBeGreaterThanOrEqual(both - 2)
        }),
      )
    },
    SLOW,
  )

  it('[M1][M4] weighed in one pass, a message costs what its parts do', () => {
    const unit = fc.constantFrom(
      'a',
      ' ',
      '"',
      '\\',
      '\n',
      '\u0001',
      'é',
      '’',
      '日',
      '😀',
      '\ud800',
      '\udc00',
    )
    // Long ones too: texts are weighed by runs of some hundred units.
    const said = fc.oneof(
      fc.string({ unit, maxLength: 30 }),
      fc.string({ unit, minLength: 500, maxLength: 600, size: 'max' }),
    )
    const block: fc.Arbitrary<Block> = fc.oneof(
      said.map(text),
      said.map((thinking) => ({ type: 'thinking', thinking, signature: 's' })),
      said.map((words) => ({ type: 'text', text: words, citations: null })),
      said.map((words) => ({ type: 'tool_use', id: 'c', name: 'n', input: { words } })),
      fc.constant({ type: 'image', source: blob({ width: 30, height: 50 }) } as const),
      fc
        .array(said.map(text))
        .map((content) => ({ type: 'tool_result', tool_use_id: 'c', content })),
    )
    fc.assert(
      fc.property(fc.array(block), (content) => {
        const tokens = estimateMessage(content)
        const bytes = bytesOfMessage({ role: 'user', content })
        const chars = content.reduce((sum, block) => sum + charsOf(block), 0)
        expect(weighMessage({ role: 'user', content })).toEqual({ tokens, bytes, chars })
      }),
    )
  })

  it('[M1] each block and each message costs four more', () => {
    expect(estimateBlocks([])).toBe(0)
    expect(estimateBlocks([text('abcd'), text('abcd')])).toBe(10)
    expect(estimateMessage([text('abcd')])).toBe(9)
  })

  it('[M1] counts every field of a block that the model reads, ids not', () => {
    const use: Block = { type: 'tool_use', id: 'toolu_0123456789', name: 'bash', input: {} }
    expect(estimateBlock(use)).toBe(2)
    const result: Block = { type: 'tool_result', tool_use_id: 'x', content: [text('abcd')] }
    expect(estimateBlock(result)).toBe(5)
    expect(estimateBlock({ type: 'thinking', thinking: 'abcdefgh', signature: 'zzzz' })).toBe(2)
    expect(estimateBlock({ type: 'redacted_thinking', data: 'abcd' })).toBe(1)
    expect(estimateBlock({ type: 'strange', value: 1 })).toBe(Math.ceil(28 / 4))
    expect(estimateTools([tool])).toBe(3 + 2 + 5 + 4)
  })

  it('[M1] images cost their area by 750, and the most where the size is unknown', () => {
    expect(estimateBlock({ type: 'image', source: blob({ width: 750, height: 10 }) })).toBe(10)
    expect(estimateBlock({ type: 'image', source: blob() })).toBe(1600)
  })

  it('[M1] documents cost by page, texts among them by length', () => {
    const pdf = blob({ media_type: 'application/pdf', pages: 3 })
    expect(estimateBlock({ type: 'document', source: pdf })).toBe(6750)
    expect(estimateBlock({ type: 'document', source: { ...pdf, pages: undefined } })).toBe(2250)
    const plain = blob({ media_type: 'text/plain', bytes: 401 })
    expect(estimateBlock({ type: 'document', source: plain, title: 'note' })).toBe(102)
  })
})

describe('bytes', () => {
  const wire = (block: Block): unknown => {
    if (block.type === 'image' || block.type === 'document') {
      const { media_type, bytes } = (block as { source: BlobRef }).source
      const data = Buffer.alloc(bytes).toString('base64')
      return { ...block, source: { type: 'base64', media_type, data } }
    }
    if (block.type !== 'tool_result') return block
    return { ...block, content: (block.content as Block[]).map(wire) }
  }

  it('[M4] are those of the JSON the wire sends, media inlined', () => {
    const contents: Block[][] = [
      [],
      [text('é "quoted"\n😀')],
      [text('a'), { type: 'image', source: blob({ bytes: 1001 }) }],
      [{ type: 'document', source: blob({ media_type: 'application/pdf' }), title: 'x' }],
      [
        {
          type: 'tool_result',
          tool_use_id: 'x',
          content: [text('r'), { type: 'image', source: blob() }],
        },
      ],
    ]
    for (const content of contents) {
      const sent = JSON.stringify({ role: 'user', content: content.map(wire) })
      expect(bytesOfMessage({ role: 'user', content })).toBe(Buffer.byteLength(sent))
    }
    expect(bytesOfPreamble('é', [tool])).toBe(4 + Buffer.byteLength(JSON.stringify([tool])))
  })

  it('[M4] media are counted inside tool results too', () => {
    const image: Block = { type: 'image', source: blob() }
    const result: Block = { type: 'tool_result', tool_use_id: 'x', content: [image, text('a')] }
    expect(countMedia([image, result, text('a')])).toBe(2)
  })
})
