import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { headOf } from '../core/head'
import { loadLog, surfaceNodes } from '../core/log'
import type { ReadResult } from './report'
import { fourChecks } from './testing/four-checks'
import { accountedFor, countRecords } from './testing/soundness'
import { readTranscript } from './transcript'

/** Transcripts of other programs, where they are at hand; every test passes without them. */
const ROOT = new URL('../../../shared/samples/', import.meta.url)

/** Per file: its format, physical lines, compaction markers. */
const EXPECTED: [path: string, format: string, lines: number | null, compactions: number][] = [
  ['claude-code/claude-small-49KB.jsonl', 'claude-code', 89, 2],
  ['claude-code/claude-schema-drift.jsonl', 'claude-code', 10, 0],
  ['claude-code/claude-subagent-parent.jsonl', 'claude-code', 3, 0],
  ['claude-code/claude-subagent-child.jsonl', 'claude-code', 4, 0],
  ['claude-code/compaction-session.jsonl', 'claude-code', 6, 1],
  ['claude-code/claude-compaction.jsonl', 'claude-code', 14, 1],
  ['claude-code/claude-forked.jsonl', 'claude-code', 14, 0],
  // The last line has no line end.
  ['claude-code/edge_cases.jsonl', 'claude-code', 19, 0],
  ['claude-code/dag_compact_after_rewind.jsonl', 'claude-code', 12, 1],
  ['codex/codex-small-146KB-6compacted.jsonl', 'codex', 118, 6],
  ['codex/codex_050_legacy.jsonl', 'codex', 5, 0],
  ['codex/codex_052_raw.jsonl', 'codex', 6, 0],
  ['codex/codex-compacted.jsonl', 'codex', 9, 1],
  ['codex/codex-compaction.jsonl', 'codex', 20, 1],
  ['pi/pi-small.jsonl', 'pi', 9, 2],
  ['pi/pi-session.jsonl', 'pi', 11, 1],
  ['dsh/dsh-compaction-recovery.jsonl', 'dsh', 32, 1],
  ['dsh/dsh-v3.jsonl', 'dsh', 6, 0],
  ['dsh/dsh-v3-malformed-seq-gap.jsonl', 'dsh', 12, 0],
  ['gemini/gemini-jsonl-v040.jsonl', 'gemini', 5, 0],
  ['gemini/gemini-tool-error.jsonl', 'gemini', 10, 0],
  ['openai/chatgpt-conv-structured-parts.json', 'chatgpt', null, 0],
  ['misc/invalid-json.jsonl', 'claude-code', 5, 0],
  ['misc/truncated.jsonl', 'claude-code', 3, 0],
  ['misc/unicode-heavy.jsonl', 'claude-code', 9, 0],
  ['misc/wrong-types.jsonl', 'claude-code', 7, 0],
]
const isHere = existsSync(ROOT)
const bytesOf = (path: string) =>
  new Uint8Array(readFileSync(new URL(path, ROOT))) as Uint8Array<ArrayBuffer>

/** Reads a sample and judges it, where it is at hand. */
const sample = async (path: string, judge: (result: ReadResult) => void) => {
  if (isHere) judge(await readTranscript(bytesOf(path)))
}

const compactionsOf = ({ sessions }: ReadResult) =>
  sessions[0]?.events.filter(({ type }) => type === 'compact/summary').length

describe('transcripts of other programs', () => {
  it('every file that is at hand is expected', () => {
    const here = isHere
      ? readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((path) =>
          /\.jsonl?$/.test(path),
        )
      : EXPECTED.map(([path]) => path)
    expect(here.sort()).toEqual(EXPECTED.map(([path]) => path).sort())
  })

  it.each(EXPECTED)('%s', async (path, format, lines, compactions) => {
    if (!isHere) return
    await fourChecks(path, bytesOf(path), async (result) => {
      expect(result.format).toBe(format)
      expect(compactionsOf(result)).toBe(compactions)
      if (lines === null || format === 'gemini') return
      expect(result.sessions[0]?.report.lines).toBe(lines)
      expect(accountedFor(result)).toBe(await countRecords(bytesOf(path)))
    })
  })

  it('the last surface of a recovered DeepSeek Harness session is its own', () =>
    sample('dsh/dsh-compaction-recovery.jsonl', ({ sessions: [session] }) => {
      const log = loadLog(session!.header, session!.events.map(headOf))
      const lines = surfaceNodes(log.ok ? log.value : (undefined as never)).map(
        (seq) => session?.origins?.[seq]?.line ?? 0,
      )
      // Its seqs count its rows from the second line.
      expect(lines.map((line) => line - 2)).toEqual([21, 13, 15, 28])
    }))

  it('branches, sub-agents and broken lines are told apart', async () => {
    await sample('claude-code/claude-forked.jsonl', ({ sessions }) => {
      expect(sessions.map(({ header }) => header.parent?.id ?? null)).toEqual([
        null,
        'fork-session-001',
      ])
    })
    await sample('claude-code/dag_compact_after_rewind.jsonl', ({ sessions }) => {
      const said = JSON.stringify(sessions[1]?.events)
      expect([said.includes('First attempt'), said.includes('Second attempt')]).toEqual([
        true,
        false,
      ])
    })
    await sample('claude-code/claude-small-49KB.jsonl', ({ sessions }) => {
      const agent = sessions.find(({ header }) => header.id.includes('-agent-'))
      expect(agent?.events.some(({ type }) => type === 'assistant/message')).toBe(true)
    })
    await sample('misc/invalid-json.jsonl', ({ sessions: [session] }) => {
      expect(session?.report.rejected.map(({ line }) => line)).toEqual([2, 4])
    })
    await sample('misc/truncated.jsonl', ({ sessions: [session] }) => {
      expect(session?.report.rejected).toEqual([{ line: 3, reason: 'the last line is cut off' }])
    })
    await sample('pi/pi-session.jsonl', ({ sessions: [session] }) => {
      expect(session?.report.rejected.map(({ line }) => line)).toEqual([10])
    })
  })
})
