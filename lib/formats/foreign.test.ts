import { describe, expect, it } from 'vitest'
import { FIXTURES } from './testing/fixtures'
import { fourChecks } from './testing/four-checks'
import { accountedFor, countRecords } from './testing/soundness'

const bytesOf = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>
const LINES = new Set(['claude-code', 'codex', 'dsh', 'pi'])

describe('every foreign format', () => {
  it.each(Object.entries(FIXTURES))('%s passes the four checks', async (name, fixture) => {
    await fourChecks(`${name}.txt`, bytesOf(fixture.text), async (result) => {
      expect(result.format).toBe(fixture.format)
      const compactions = result.sessions[0]?.events.filter(
        ({ type }) => type === 'compact/summary',
      )
      expect(compactions).toHaveLength(fixture.compactions)
      expect(result.sessions[0]?.report.rejected).toEqual([])
      if (LINES.has(fixture.format)) {
        expect(accountedFor(result)).toBe(await countRecords(fixture.text))
      }
    })
  })
})
