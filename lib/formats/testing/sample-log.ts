/** A log with every kind of event in it, as the engine would write it, for writers and readers to meet. */

import type { EventDraft, SessionEvent, SessionHeader } from '../../core/event'
import type { Block } from '../../core/message'
import { PRESETS } from '../../core/policy'

export const header: SessionHeader = {
  version: 1,
  id: 'sample',
  createdAt: Date.UTC(2026, 10, 30, 16, 0, 0),
}

export const pixel = new TextEncoder().encode('pixel') as Uint8Array<ArrayBuffer>

const text = (words: string): Block => ({ type: 'text', text: words })

export const TRICKY =
  'fences ``` and ```` inside, \u2028 line separator, \u0000, é, \ud83d\ude00\r\nend'

const setup: EventDraft[] = [
  { type: 'session/open', data: { writer: 'w1', reason: 'created' } },
  { type: 'session/title', data: { title: 'Reading *agents*', source: 'automatic' } },
  {
    type: 'request/header',
    data: {
      provider: 'offline',
      model: 'offline-reader',
      contextWindow: 16_000,
      system: 'You read files.',
      tools: [{ name: 'read_file', description: 'Reads.', input_schema: { type: 'object' } }],
      params: { max_tokens: 2_000 },
      policy: PRESETS.teaching,
      builder: 1,
    },
  },
]

const turn = (imageHash: string): EventDraft[] => [
  { type: 'turn/start', data: { turn: 1 } },
  {
    type: 'user/message',
    data: {
      id: 'u1',
      content: [
        text('Read a.md\n\n```\nan open fence'),
        {
          type: 'image',
          source: {
            type: 'blob',
            hash: imageHash,
            media_type: 'image/png',
            bytes: 5,
            width: 1,
            height: 2,
          },
        },
      ],
      source: { kind: 'human' },
    },
    surfaceOp: 'append',
  },
  { type: 'step/start', data: { turn: 1, step: 1, requestHash: 'ab'.repeat(32) } },
  {
    type: 'assistant/message',
    data: {
      id: 'a1',
      turn: 1,
      step: 1,
      content: [
        { type: 'thinking', thinking: 'Two files.\n\nBoth.', signature: 'sig' },
        text('I read both.'),
        { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a.md' } },
        { type: 'tool_use', id: 'c2', name: 'read_file', input: { path: 'b.md' } },
      ],
      provider: 'offline',
      model: 'offline-reader',
      stopReason: 'tool_use',
      usage: { input_tokens: 100, output_tokens: 20 },
    },
    surfaceOp: 'append',
    sourceEventSeqs: [],
  },
  {
    type: 'tool/call',
    data: { turn: 1, step: 1, callId: 'c1', name: 'read_file', input: { path: 'a.md' } },
  },
  {
    type: 'tool/call',
    data: { turn: 1, step: 1, callId: 'c2', name: 'read_file', input: { path: 'b.md' } },
  },
  {
    type: 'tool/result',
    data: {
      id: 'r1',
      turn: 1,
      step: 1,
      callId: 'c1',
      name: 'read_file',
      content: [text(TRICKY)],
      isError: false,
      durationMs: 12,
    },
    surfaceOp: 'append',
    sourceEventSeqs: [7],
  },
  {
    type: 'tool/result',
    data: {
      id: 'r2',
      turn: 1,
      step: 1,
      callId: 'c2',
      name: 'read_file',
      content: [text('No such file.')],
      isError: true,
      durationMs: 1,
    },
    surfaceOp: 'append',
    sourceEventSeqs: [8],
  },
  { type: 'step/end', data: { turn: 1, step: 1 } },
  {
    type: 'compact/prune',
    data: {
      cause: 'micro',
      shadowedRange: { start: 9, end: 9 },
      shadowedSeqs: [9],
      shadowedTokenCount: 40,
    },
  },
  {
    type: 'tool/result',
    data: {
      id: 'r1',
      turn: 1,
      step: 1,
      callId: 'c1',
      name: 'read_file',
      content: [text('[Previous: used read_file]')],
      isError: false,
      durationMs: 12,
    },
    surfaceOp: { op: 'replace', start: 9, end: 9 },
    sourceEventSeqs: [9],
  },
  { type: 'step/start', data: { turn: 1, step: 2 } },
  {
    type: 'request/failed',
    data: { turn: 1, step: 2, attempt: 1, error: { code: 'overloaded', message: 'busy' } },
  },
  {
    type: 'assistant/message',
    data: {
      id: 'a2',
      turn: 1,
      step: 2,
      content: [text('Both read: `a.md` says\n\n~~~js\nlet x')],
      provider: 'offline',
      model: 'offline-reader',
      stopReason: 'end_turn',
    },
    surfaceOp: 'append',
    sourceEventSeqs: [],
  },
  { type: 'step/end', data: { turn: 1, step: 2 } },
  { type: 'turn/end', data: { turn: 1, reason: 'completed' } },
]

const compactions: EventDraft[] = [
  {
    type: 'compact/start',
    data: { compactionId: 'k0', turn: null, trigger: 'manual', range: { start: 4, end: 10 } },
  },
  {
    type: 'compact/end',
    data: { compactionId: 'k0', turn: null, error: { code: 'cancelled', message: 'stopped' } },
  },
  {
    type: 'compact/start',
    data: {
      compactionId: 'k1',
      turn: null,
      trigger: 'manual',
      range: { start: 4, end: 10 },
      instructions: 'keep names',
    },
  },
  {
    type: 'compact/summary',
    data: {
      compactionId: 'k1',
      summary: '## Request\nRead a.md.\n',
      shadowedRange: { start: 4, end: 10 },
      shadowedSeqs: [4, 6, 13, 10],
      shadowedTokenCount: 1_234,
      certainty: 'exact',
      ms: 900,
    },
  },
  {
    type: 'user/message',
    data: {
      id: 'k',
      content: [text('Background: read a.md. Recall #4–#10.')],
      source: { kind: 'checkpoint', compactionId: 'k1' },
    },
    surfaceOp: { op: 'replace', start: 4, end: 10 },
    sourceEventSeqs: [4, 6, 13, 10],
  },
  { type: 'compact/end', data: { compactionId: 'k1', turn: null } },
]

const ending: EventDraft[] = [
  { type: 'pin/set', data: { seqs: [16], pinned: true } },
  {
    type: 'user/message',
    data: { id: 'n', content: [text('The shell was reset.')], source: { kind: 'notice' } },
    surfaceOp: 'append',
  },
  {
    type: 'surface/restore',
    data: { replacementSeq: 23 },
    surfaceOp: { op: 'restore', seq: 23 },
  },
  { type: 'turn/start', data: { turn: 2 } },
  {
    type: 'user/message',
    data: { id: 'u2', content: [text('Go on')], source: { kind: 'human' } },
    surfaceOp: 'append',
  },
  { type: 'turn/end', data: { turn: 2, reason: 'cancelled' } },
]

/** All of it; `imageHash` names the picture of the first message. */
export const sampleLog = (imageHash: string): SessionEvent[] =>
  [...setup, ...turn(imageHash), ...compactions, ...ending].map(
    (draft, seq) => ({ seq, time: header.createdAt + seq * 1_000, ...draft }) as SessionEvent,
  )
