import { expect, it } from 'vitest'
import { headOf } from '../core/head'
import type { BlobRef, Block } from '../core/message'
import { buildRequest } from '../core/request'
import {
  assistant,
  build,
  header,
  raw,
  requestHeader,
  result,
  turnStart,
  use,
  user,
} from '../core/testing/build'
import { hashBytes, hashJson } from '../storage/hash'
import { proveRequest } from './request-proof'
import { wholeRequest } from './whole-request'

const PNG = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 255, 128, 1])
const WEBP = new Uint8Array(Array.from({ length: 70_001 }, (_, at) => (at * 31) % 256))
const mediaType = (bytes: Uint8Array) => (bytes === PNG ? 'image/png' : 'image/webp')

const refOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<BlobRef> => ({
  type: 'blob',
  hash: await hashBytes(bytes),
  media_type: mediaType(bytes),
  bytes: bytes.length,
})
const image = (source: BlobRef): Block => ({ type: 'image', source })

/** A copied value with its media by hash again, as the log names them. */
async function named(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(named))
  if (typeof value !== 'object' || value === null) return value
  const { type, media_type, data } = value as Record<string, unknown>
  if (type === 'base64') {
    const bytes = new Uint8Array(Buffer.from(String(data), 'base64'))
    return { type: 'blob', hash: await hashBytes(bytes), media_type, bytes: bytes.length }
  }
  const entries = Object.entries(value).map(async ([key, one]) => [key, await named(one)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

async function sent() {
  const [png, webp] = [await refOf(PNG), await refOf(WEBP)]
  const parts = [
    header({}),
    turnStart,
    user([{ type: 'text', text: 'look' }, image(png)]),
    assistant([use('a')]),
    result('a', [{ type: 'text', text: 'a picture' }, image(webp), image(png)]),
  ]
  const nodes = build(...parts).events.slice(2) as Parameters<typeof buildRequest>[1]
  const requestHash = await hashJson(buildRequest(requestHeader(), nodes))
  const step = raw({ type: 'step/start', data: { turn: 1, step: 1, requestHash } })
  const { events } = build(...parts, step)
  const proof = await proveRequest(
    events.map(headOf),
    async (seq) => events[seq]!,
    events.length - 1,
    hashJson,
  )
  const blobs = new Map([
    [png.hash, PNG],
    [webp.hash, WEBP],
  ])
  return { proof: proof!, requestHash, blobs }
}

it('[Q5] what is copied holds every byte of its media and hashes to what was sent', async () => {
  const { proof, requestHash, blobs } = await sent()
  const whole = await wholeRequest(proof.body, async (hash) => {
    const bytes = blobs.get(hash)
    return bytes ? { bytes, mediaType: mediaType(bytes) } : null
  })
  const copied = JSON.stringify(whole, null, 2)
  expect(copied).not.toContain('"blob"')
  expect(copied).toContain(Buffer.from(WEBP).toString('base64'))
  expect(await hashJson(await named(JSON.parse(copied)))).toBe(requestHash)
  expect(proof.hash).toBe(requestHash)
})

it('an image that is not stored any more refuses the copy, in words', async () => {
  const { proof } = await sent()
  await expect(wholeRequest(proof.body, async () => null)).rejects.toThrow(
    'An attachment (image/png) is no longer stored in this browser.',
  )
})
