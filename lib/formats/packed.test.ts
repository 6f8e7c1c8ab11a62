import { gzipSync, strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { textOf } from '../core/message'
import type { ReadResult } from './report'
import { FIXTURES } from './testing/fixtures'
import { flawsOf } from './testing/soundness'
import { readTranscript } from './transcript'

/** Two zstd frames, one after the other: the header of a session and a message; another message. */
const FRAMES = new Uint8Array(
  Buffer.from(
    [
      'KLUv/QRoRQUAckshGGB3DqOOEdYDtTOiIX1oEqy8ER5QEQTIc8DmKE9R0M9UcgY21Kp22xYlFJ2h1qx2y+bLGXyC',
      'FPFzXuyrPK/8ysnYWZrUzpb2DBcSn6CtXu18B9b6SaCvFrANz89SP+SEFjqXHu2GoiCe14hfeMrYuX6CtPFzhOyG',
      'R3/ZWU6o1lc/n8rWWgwAShAxhdBUowij/COI4cNQAFwmJPGFCLxQRNwiehUxghROZyi1L/0EaO0DALLIGhlwbw6o',
      '1162vcyR7RUTJKtVeJPkNEOgAhYBQHb3OMb2fUR4aYyc5jXL3HOeY3te5ATnVckOqw44avL46tviTvb9uB9croeg',
      'vJ763jnH9q2buxaDYRB7jpy+EnuJ5/XctDk5EiTP6XuOVx8LBQAqgTjVKMIo/xFIEwHKgUM44w==',
    ].join(''),
    'base64',
  ),
)
const saidIn = ({ sessions }: ReadResult) =>
  sessions[0]?.events.flatMap((event) =>
    event.type === 'user/message' ? [textOf(event.data.content)] : [],
  )

describe('packed files', () => {
  it('zstd frames, one after another, are one log', async () => {
    const result = await readTranscript(FRAMES)
    expect([result.format, result.refusal, flawsOf(result)]).toEqual(['dsh', null, []])
    expect(saidIn(result)).toEqual(['Frame one', 'Frame two'])
  })

  it('a torn frame gives what stands before the tear, and says so', async () => {
    const result = await readTranscript(FRAMES.subarray(0, FRAMES.length - 4))
    expect(saidIn(result)?.[0]).toBe('Frame one')
    expect(result.sessions[0]?.report.rejected[0]?.reason).toMatch(/zstd data ends in the middle/)
  })

  it('gzip is unpacked, whatever the file is called', async () => {
    const packed = gzipSync(strToU8(FIXTURES.codex!.text)) as Uint8Array<ArrayBuffer>
    const result = await readTranscript(new File([packed], 'x.json'))
    const plain = await readTranscript(FIXTURES.codex!.text)
    expect(result.sessions[0]?.events).toEqual(plain.sessions[0]?.events)
  })

  it('a zip gives the sessions of all its transcripts', async () => {
    const zip = zipSync({
      'a/one.jsonl': strToU8(FIXTURES.pi!.text),
      'a/two.json': strToU8(FIXTURES.gemini!.text),
      'a/readme.md': strToU8('# Hello'),
    })
    const { sessions, refusal } = await readTranscript(zip)
    expect(refusal).toBeNull()
    expect(sessions.map(({ header }) => header.origin?.name)).toEqual([
      ...['a/one.jsonl', 'a/one.jsonl', 'a/two.json'],
    ])
  })

  it.each([
    ['an empty archive', zipSync({})],
    ['an archive of other things', zipSync({ 'a.txt': strToU8('hello') })],
    [
      'noise behind a zip mark',
      new Uint8Array([0x50, 0x4b, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9]),
    ],
    ['noise behind a zstd mark', new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0xff, 0xff, 1, 2, 3])],
    ['noise behind a gzip mark', new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2, 3])],
  ])('%s is refused in words', async (_, bytes) => {
    const { sessions, refusal } = await readTranscript(bytes)
    expect(sessions).toEqual([])
    expect(refusal?.message).toMatch(/transcript/)
  })
})
