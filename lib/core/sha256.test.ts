import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSha256 } from './sha256'

it('[Q5] the hash of bytes is that of SHA-256, however they come, and at every moment', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 })
  fc.assert(
    fc.property(pieces, (parts) => {
      const ours = createSha256()
      const theirs = createHash('sha256')
      for (const part of parts) {
        ours.update(part)
        theirs.update(part)
        expect(ours.hex()).toBe(theirs.copy().digest('hex'))
      }
      expect(ours.hex()).toBe(theirs.digest('hex'))
    }),
  )
})
