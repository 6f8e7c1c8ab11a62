import { describe, expect, it } from 'vitest'
import { hashBytes, hashJson, hashText } from './hash'

describe('hashes', () => {
  it('[Q5] are SHA-256 in hex', async () => {
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    expect(await hashBytes(new TextEncoder().encode('abc'))).toBe(abc)
    expect(await hashText('abc')).toBe(abc)
  })

  it('[Q5] of JSON do not depend on the order of keys, only on values', async () => {
    const one = await hashJson({ b: [1, { d: 'é', c: null }], a: 1e21 })
    expect(await hashJson({ a: 1e21, b: [1, { c: null, d: 'é' }] })).toBe(one)
    expect(await hashJson({ a: 1e21, b: [{ c: null, d: 'é' }, 1] })).not.toBe(one)
    expect(await hashJson({ a: 1 })).toBe(await hashText('{"a":1}'))
    expect(await hashJson({ a: 1, b: undefined })).toBe(await hashText('{"a":1}'))
  })

  it('refuse what is not JSON', async () => {
    await expect(hashJson(undefined)).rejects.toThrow(TypeError)
    await expect(hashJson({ a: Number.NaN })).rejects.toThrow()
  })
})
