/** Small sessions of the formats that are one record a line. */

import { at, text, tick } from './fixture-rows'

// Codex

const codex = (type: string, payload: unknown) => ({ timestamp: tick(), type, payload })
const item = (payload: unknown) => codex('response_item', payload)
export const said = (role: string, words: string) => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: words }],
})
export const codexRows = [
  codex('session_meta', {
    id: 'codex-garden',
    cwd: '/work',
    cli_version: '0.153.0',
    model_provider: 'openai',
  }),
  codex('turn_context', { turn_id: 't1', cwd: '/work', model: 'gpt-test' }),
  item(said('user', 'Water the beds')),
  codex('event_msg', { type: 'user_message', message: 'Water the beds' }),
  item({
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'Find the tap.' }],
    encrypted_content: 'x',
  }),
  item({ type: 'function_call', name: 'shell', arguments: '{"command":["tap"]}', call_id: 'c1' }),
  item({ type: 'function_call', name: 'shell', arguments: 'not json', call_id: 'c2' }),
  item({ type: 'function_call_output', call_id: 'c1', output: 'open' }),
  item(said('assistant', 'The tap is open.')),
  item({
    type: 'function_call_output',
    call_id: 'c2',
    output: [{ type: 'input_text', text: 'late' }],
  }),
  codex('event_msg', {
    type: 'token_count',
    info: { last_token_usage: { input_tokens: 90, cached_input_tokens: 40, output_tokens: 5 } },
  }),
  codex('compacted', { message: 'The tap was opened.' }),
  codex('event_msg', { type: 'context_compacted' }),
  item(said('user', 'Close it')),
  item({ type: 'web_search_call', id: 'ws1', status: 'completed', action: { query: 'taps' } }),
  item(said('assistant', 'Closed.')),
  codex('compacted', {
    message: '',
    replacement_history: [
      said('user', 'Close it'),
      { type: 'compaction', encrypted_content: 'zzz' },
    ],
  }),
  item(said('user', 'Thanks')),
]

// DeepSeek Harness

let seq = 0
const dsh = (type: string, data: unknown, more: object = {}) => ({
  type,
  seq: seq++,
  time: 1_770_000_000_000 + seq,
  data,
  ...more,
})
const dshMessage = (id: string, role: string, content: unknown, source: unknown) => ({
  id,
  role,
  content,
  source,
})
export const dshRows = (compaction: 'compact' | 'compaction', replace: object) => {
  seq = 0
  const rows: unknown[] = [
    {
      type: 'session',
      version: 0,
      id: `dsh-${compaction}`,
      createdAt: 1_770_000_000_000,
      cwd: '/work',
      delegationDepth: 0,
    },
    dsh('turn/start', { turn: 1 }),
    dsh('step/start', { turn: 1, step: 1 }),
    dsh('user/message', dshMessage('u1', 'user', [text('Prune the hedge')], { kind: 'user' }), {
      surfaceOp: 'append',
    }),
  ]
  rows.push({ type: 'text-chunks', seq0: seq, time0: 1, dt: [1, 2, 3], data: {} })
  seq += 3
  rows.push(
    dsh(
      'assistant/message',
      {
        turn: 1,
        step: 1,
        message: dshMessage(
          'm1',
          'assistant',
          [{ type: 'tool-call', id: 'k1', name: 'bash', arguments: '{"command":"ls"}' }],
          { kind: 'model', provider: 'deepseek', model: 'v4' },
        ),
        usage: { inputTokens: 20, outputTokens: 4 },
      },
      { surfaceOp: 'append', sourceEventSeqs: [] },
    ),
    dsh('tool/call', {
      turn: 1,
      step: 1,
      callId: 'k1',
      name: 'bash',
      arguments: '{"command":"ls"}',
    }),
    dsh(
      'tool/result',
      {
        turn: 1,
        step: 1,
        message: dshMessage(
          'r1',
          'user',
          [{ type: 'tool-result', toolCallId: 'k1', content: [text('hedge.txt')], isError: false }],
          { kind: 'tool', callId: 'k1' },
        ),
      },
      { surfaceOp: 'append' },
    ),
    dsh('step/end', { turn: 1, step: 1 }),
    dsh(`${compaction}/start`, { compactionId: 'z1', turn: 1 }),
    dsh(`${compaction}/summary`, {
      compactionId: 'z1',
      summary: [text('A hedge.')],
      shadowedRange: { start: 2, end: 2 },
      shadowedSeqs: [2],
      shadowedTokenCount: 99,
      provider: 'deepseek',
      model: 'v4',
    }),
    dsh(
      'user/message',
      dshMessage('c1', 'user', [text('Checkpoint: a hedge.')], {
        kind: 'plugin',
        plugin: 'compact',
        compactionId: 'z1',
      }),
      { surfaceOp: replace, sourceEventSeqs: [2] },
    ),
    dsh(`${compaction}/end`, { compactionId: 'z1', turn: 1 }),
    dsh('turn/end', { turn: 1, reason: { kind: 'completed' } }),
    dsh('session/title', { title: 'Hedge', messageSeqs: [2], source: { kind: 'fallback' } }),
  )
  return rows
}

// pi

const entry = (type: string, id: string, parentId: string | null, more: object) => ({
  type,
  id,
  parentId,
  timestamp: tick(),
  ...more,
})
export const piRows = [
  { type: 'session', version: 3, id: 'pi-garden', timestamp: at(0), cwd: '/work' },
  entry('model_change', 'aaaa0001', null, { provider: 'anthropic', modelId: 'claude-test-1' }),
  entry('message', 'aaaa0002', 'aaaa0001', { message: { role: 'user', content: 'Dig a pond' } }),
  entry('message', 'aaaa0003', 'aaaa0002', {
    message: {
      role: 'assistant',
      content: [
        text('Digging.'),
        { type: 'toolCall', id: 'd1', name: 'bash', arguments: { command: 'dig' } },
      ],
      provider: 'anthropic',
      model: 'claude-test-1',
      usage: { input: 5, output: 6, cacheRead: 1, cacheWrite: 2 },
      stopReason: 'toolUse',
    },
  }),
  entry('message', 'aaaa0004', 'aaaa0003', {
    message: {
      role: 'toolResult',
      toolCallId: 'd1',
      toolName: 'bash',
      content: [text('a hole')],
      isError: false,
    },
  }),
  entry('message', 'aaaa0005', 'aaaa0004', {
    message: { role: 'user', content: [text('Deeper')] },
  }),
  entry('message', 'aaaa0006', 'aaaa0005', {
    message: { role: 'assistant', content: [text('Deeper it is.')], stopReason: 'stop' },
  }),
  entry('message', 'aaaa0007', 'aaaa0004', {
    message: { role: 'user', content: [text('Add fish')] },
  }),
  entry('compaction', 'aaaa0008', 'aaaa0007', {
    summary: 'A pond was dug.',
    firstKeptEntryId: 'aaaa0007',
    tokensBefore: 400,
  }),
  entry('message', 'aaaa0009', 'aaaa0008', {
    message: { role: 'assistant', content: [text('Fish added.')], stopReason: 'stop' },
  }),
  entry('label', 'aaaa000a', 'aaaa0009', { targetId: 'aaaa0002', label: 'start' }),
]
export const piOldRows = [
  { type: 'session', id: 'pi-old', timestamp: at(0), cwd: '/work' },
  { type: 'message', timestamp: at(1), message: { role: 'user', content: 'Old question' } },
  {
    type: 'message',
    timestamp: at(2),
    message: { role: 'assistant', content: [text('Old answer')] },
  },
  {
    type: 'compaction',
    timestamp: at(3),
    summary: 'Old summary',
    firstKeptEntryIndex: 4,
    tokensBefore: 70,
  },
  { type: 'message', timestamp: at(4), message: { role: 'user', content: 'New question' } },
]
