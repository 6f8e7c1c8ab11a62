/** One small file of each foreign format, written from what is known of the formats. */

import type { FormatId } from '../detect'

export type Fixture = { format: Exclude<FormatId, 'native'>; text: string; compactions: number }

export const jsonl = (...rows: unknown[]): string =>
  rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('')

const at = (second: number): string => new Date(Date.UTC(2026, 2, 4, 9, 0, second)).toISOString()

/** A gif of one pixel. */
export const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

// Claude Code

type Claude = Record<string, unknown>
let clock = 0
const claude = (uuid: string, parentUuid: string | null, row: Claude): Claude => ({
  parentUuid,
  isSidechain: false,
  userType: 'external',
  cwd: '/work',
  sessionId: 'garden-session',
  version: '2.1.40',
  uuid,
  timestamp: at(clock++),
  ...row,
})
export const person = (uuid: string, parent: string | null, content: unknown, more: Claude = {}) =>
  claude(uuid, parent, { type: 'user', message: { role: 'user', content }, ...more })
export const model = (
  uuid: string,
  parent: string | null,
  id: string,
  block: unknown,
  more: Claude = {},
) =>
  claude(uuid, parent, {
    type: 'assistant',
    requestId: `req_${id}`,
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model: 'claude-test-1',
      content: [block],
      stop_reason: null,
      usage: { input_tokens: 10, output_tokens: 3 },
    },
    ...more,
  })
export const text = (words: string) => ({ type: 'text', text: words })
export const use = (id: string, name = 'Read', input: unknown = { file_path: 'seeds.md' }) => ({
  type: 'tool_use',
  id,
  name,
  input,
})
export const answer = (id: string, content: unknown = 'carrots, peas') => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})
export const boundary = (uuid: string, logicalParentUuid: string, metadata: Claude = {}) =>
  claude(uuid, null, {
    logicalParentUuid,
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    level: 'info',
    compactMetadata: { trigger: 'auto', preTokens: 150_000, ...metadata },
  })
export const summary = (uuid: string, parent: string, words: string) =>
  person(uuid, parent, words, { isCompactSummary: true, isVisibleInTranscriptOnly: true })

/** Split messages, parallel calls, progress in the chain, a rewind, a micro and a full compaction, a sub-agent. */
const claudeRows = [
  { type: 'summary', summary: 'Another session', leafUuid: 'elsewhere' },
  person('p1', null, 'What should I plant?'),
  { type: 'file-history-snapshot', messageId: 'p1', snapshot: {}, isSnapshotUpdate: false },
  model('t1', 'p1', 'msg_1', { type: 'thinking', thinking: 'Look first.', signature: 'c2ln' }),
  model('t2', 't1', 'msg_1', text('I will look.')),
  model('t3', 't2', 'msg_1', use('call_a')),
  model('t4', 't3', 'msg_1', use('call_b', 'Glob', { pattern: '*' })),
  claude('g1', 't3', { type: 'progress', data: { type: 'hook_progress' }, toolUseID: 'call_a' }),
  person('r1', 'g1', [answer('call_a')], { sourceToolAssistantUUID: 't3' }),
  person('r2', 't4', [answer('call_b', [text('seeds.md')])], { sourceToolAssistantUUID: 't4' }),
  model('w1', 'r1', 'msg_2', text('Roses, perhaps.')),
  person('q1', 'w1', 'No roses.'),
  model('w2', 'q1', 'msg_3', text('Then tulips.')),
  person('q2', 'w1', [
    text('Vegetables only.'),
    { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: GIF } },
  ]),
  model('s1', 'q2', 'msg_4', use('call_c', 'Task', { prompt: 'find beans' })),
  person('a1', null, 'find beans', { isSidechain: true, agentId: 'beans' }),
  model('a2', 'a1', 'msg_5', text('Beans found.'), { isSidechain: true, agentId: 'beans' }),
  person('r3', 's1', [answer('call_c', 'runner beans')]),
  claude('mb', 'r3', {
    type: 'system',
    subtype: 'microcompact_boundary',
    microcompactMetadata: {
      trigger: 'auto',
      preTokens: 90_000,
      tokensSaved: 20,
      compactedToolIds: ['call_a'],
    },
  }),
  model('w3', 'mb', 'msg_6', text('Runner beans.')),
  boundary('cb', 'w3'),
  summary(
    'cs',
    'cb',
    'This session is being continued from a previous conversation that ran out of context. Beans.',
  ),
  person('p2', 'cs', 'And when?'),
  model('w4', 'p2', 'msg_7', text('In May.')),
  { type: 'custom-title', customTitle: 'The garden', sessionId: 'garden-session' },
]

// Codex

const codex = (type: string, payload: unknown) => ({ timestamp: at(clock++), type, payload })
const item = (payload: unknown) => codex('response_item', payload)
export const said = (role: string, words: string) => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: words }],
})
const codexRows = [
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
const dshRows = (compaction: 'compact' | 'compaction', replace: object) => {
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
  timestamp: at(clock++),
  ...more,
})
const piRows = [
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
const piOldRows = [
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

// Documents

const anthropicRequest = {
  model: 'claude-test-1',
  max_tokens: 1_000,
  system: [{ ...text('You know gardens.'), cache_control: { type: 'ephemeral' } }],
  tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }],
  messages: [
    { role: 'user', content: 'Is it dry?' },
    {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'hm', signature: 's' }, use('l1', 'look', {})],
    },
    { role: 'user', content: [answer('l1', 'dry'), text('And now?')] },
    {
      role: 'assistant',
      content: [{ type: 'compaction', content: 'It was dry.' }, text('Water it.')],
    },
    { role: 'user', content: 'Done.' },
  ],
}
const openaiChat = {
  messages: [
    { role: 'system', content: 'You know gardens.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: `data:image/gif;base64,${GIF}` } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'o1', type: 'function', function: { name: 'look.here', arguments: '{"at":"bed"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'o1', content: 'soil' },
    { role: 'assistant', content: 'Soil.' },
  ],
}
const learnRows = [
  {
    role: 'user',
    content: '[Conversation compressed. Transcript: .transcripts/transcript_1.jsonl]\n\nWe dug.',
  },
  { role: 'assistant', content: ['Understood. Continuing.'] },
  { role: 'user', content: 'Go on' },
  {
    role: 'assistant',
    content: [
      "TextBlock(citations=None, text='It\\'s wet', type='text')",
      "ToolUseBlock(id='py1', input={'path': 'a', 'n': 3, 'deep': [True, None]}, name='read_file', type='tool_use')",
    ],
  },
  { role: 'user', content: [answer('py1', '[Previous: used read_file]')] },
]
const responses = [
  said('user', 'Count the pots'),
  { type: 'reasoning', summary: [] },
  { type: 'function_call', call_id: 'f1', name: 'count', arguments: '{}' },
  { type: 'function_call_output', call_id: 'f1', output: '7' },
  { type: 'compaction', encrypted_content: 'opaque' },
  said('assistant', 'Seven.'),
]
const node = (
  id: string,
  parent: string | null,
  role: string,
  parts: unknown[],
  more: object = {},
) => ({
  id,
  parent,
  message: {
    id,
    author: { role },
    create_time: 1_770_000_000.5,
    content: { content_type: 'text', parts },
    ...more,
  },
})
const chatgpt = [
  {
    title: 'Compost',
    conversation_id: 'gpt-compost',
    create_time: 1_770_000_000.25,
    current_node: 'n5',
    mapping: {
      root: { id: 'root', parent: null, message: null },
      n2: node('n2', 'n1', 'assistant', ['Not this.'], { metadata: { model_slug: 'gpt-test' } }),
      n1: node('n1', 'root', 'user', ['What rots?']),
      n3: node('n3', 'n1', 'assistant', ['find leaves'], {
        recipient: 'browser',
        metadata: { model_slug: 'gpt-test' },
      }),
      n4: node('n4', 'n3', 'tool', ['leaves'], { author: { role: 'tool', name: 'browser' } }),
      n5: node('n5', 'n4', 'assistant', [
        'Leaves.',
        { content_type: 'image_asset_pointer', asset_pointer: 'file-service://leaf' },
      ]),
    },
  },
  {
    title: 'Empty',
    conversation_id: 'gpt-empty',
    mapping: { only: { id: 'only', parent: 'gone', message: null } },
  },
]
const claudeAi = [
  {
    uuid: 'ai-herbs',
    name: 'Herbs',
    created_at: at(1),
    chat_messages: [
      {
        uuid: 'h1',
        sender: 'human',
        text: 'Which herbs?',
        content: [text('Which herbs?')],
        created_at: at(2),
        attachments: [{ file_name: 'list.txt', extracted_content: 'mint' }],
        files: [],
        parent_message_uuid: '00000000-0000-4000-8000-000000000000',
      },
      {
        uuid: 'h3',
        sender: 'assistant',
        text: 'Basil',
        content: [text('Basil')],
        created_at: at(4),
        parent_message_uuid: 'h1',
      },
      {
        uuid: 'h2',
        sender: 'assistant',
        text: 'Mint',
        content: [
          { type: 'tool_use', id: null, name: 'search', input: {} },
          { type: 'tool_result', tool_use_id: null, name: 'search', content: [text('mint')] },
          text('Mint'),
        ],
        created_at: at(3),
        parent_message_uuid: 'h1',
      },
    ],
  },
]
const openPart = (type: string, more: object) => ({ id: `prt_${type}`, type, ...more })
const opencode = {
  info: {
    id: 'ses_shed',
    title: 'The shed',
    version: '1.0.0',
    time: { created: 1_770_000_000_000 },
  },
  messages: [
    {
      info: { id: 'msg_1', role: 'user', time: { created: 1_770_000_000_100 } },
      parts: [openPart('text', { text: 'Build a shed' })],
    },
    {
      info: {
        id: 'msg_2',
        role: 'assistant',
        providerID: 'x',
        modelID: 'y',
        tokens: { input: 3, output: 4, cache: { read: 0, write: 0 } },
        time: { created: 1_770_000_000_200 },
      },
      parts: [
        openPart('step-start', {}),
        openPart('reasoning', { text: 'wood' }),
        openPart('tool', {
          callID: 'b1',
          tool: 'bash',
          state: {
            status: 'completed',
            input: { command: 'saw' },
            output: 'planks',
            time: { start: 1, end: 2, compacted: 3 },
          },
        }),
        openPart('text', { text: 'Built.' }),
      ],
    },
    {
      info: { id: 'msg_3', role: 'user', time: { created: 1_770_000_000_300 } },
      parts: [openPart('text', { text: 'Paint it' })],
    },
    {
      info: { id: 'msg_4', role: 'user', time: { created: 1_770_000_000_400 } },
      parts: [openPart('compaction', { auto: true, tail_start_id: 'msg_3' })],
    },
    {
      info: { id: 'msg_5', role: 'assistant', summary: true, time: { created: 1_770_000_000_500 } },
      parts: [openPart('text', { text: 'A shed was built.' })],
    },
    {
      info: { id: 'msg_6', role: 'assistant', time: { created: 1_770_000_000_600 } },
      parts: [openPart('text', { text: 'Painted.' })],
    },
  ],
}
const gemini = (id: string, type: string, content: unknown, more: object = {}) => ({
  id,
  timestamp: at(clock++),
  type,
  content,
  ...more,
})
const geminiCall = {
  toolCalls: [
    {
      id: 'ls-1',
      name: 'ls',
      args: { path: '.' },
      status: 'success',
      result: [{ functionResponse: { id: 'ls-1', name: 'ls', response: { output: 'pots' } } }],
    },
  ],
  thoughts: [{ subject: 'Look', description: 'Look around.' }],
  tokens: { input: 30, output: 2, cached: 10, thoughts: 1, tool: 0, total: 33 },
  model: 'gemini-test',
}
const geminiHead = {
  sessionId: 'gem-pots',
  projectHash: 'ff00',
  startTime: at(0),
  lastUpdated: at(9),
}
const geminiMessages = [
  gemini('v1', 'user', 'List the pots'),
  gemini('v2', 'gemini', '', geminiCall),
  gemini('v3', 'gemini', 'Pots.', { model: 'gemini-test' }),
  gemini('v4', 'info', 'Request cancelled.'),
]
const geminiLines = [
  { ...geminiHead, sessionId: 'gem-lines', kind: 'main' },
  ...geminiMessages,
  { $set: { lastUpdated: at(10) } },
  gemini('v5', 'user', 'Wrong question'),
  { $rewindTo: 'v4' },
  gemini('v6', 'user', 'Right question'),
  gemini('v6', 'user', 'Right question, said again'),
]

const pretty = (value: unknown) => JSON.stringify(value, null, 2)

export const FIXTURES: Record<string, Fixture> = {
  'claude-code': { format: 'claude-code', text: jsonl(...claudeRows), compactions: 1 },
  codex: { format: 'codex', text: jsonl(...codexRows), compactions: 2 },
  'codex of old': {
    format: 'codex',
    text: jsonl(
      { id: 'codex-old', timestamp: at(0), instructions: null, git: {} },
      { record_type: 'state' },
      said('user', 'Old bed'),
      { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'q1' },
      { type: 'function_call_output', call_id: 'q1', output: '{"output":"ok"}' },
      said('assistant', 'Old soil'),
    ),
    compactions: 0,
  },
  dsh: {
    format: 'dsh',
    text: jsonl(...dshRows('compaction', { op: 'replace', start: 2, end: 2 })),
    compactions: 1,
  },
  'dsh, other spelling': {
    format: 'dsh',
    text: jsonl(...dshRows('compact', { op: 'replace', startSeq: 2, endSeq: 2 })),
    compactions: 1,
  },
  pi: { format: 'pi', text: jsonl(...piRows), compactions: 1 },
  'pi of old': { format: 'pi', text: jsonl(...piOldRows), compactions: 1 },
  'anthropic request': { format: 'messages', text: pretty(anthropicRequest), compactions: 1 },
  'openai chat': { format: 'messages', text: pretty(openaiChat), compactions: 0 },
  'list of messages': {
    format: 'messages',
    text: JSON.stringify(anthropicRequest.messages.slice(0, 3)),
    compactions: 0,
  },
  'learn-claude-code': { format: 'messages', text: jsonl(...learnRows), compactions: 1 },
  responses: { format: 'responses', text: pretty(responses), compactions: 1 },
  chatgpt: { format: 'chatgpt', text: JSON.stringify(chatgpt), compactions: 0 },
  'claude.ai': { format: 'claude-ai', text: JSON.stringify(claudeAi), compactions: 0 },
  opencode: { format: 'opencode', text: pretty(opencode), compactions: 1 },
  gemini: {
    format: 'gemini',
    text: pretty({ ...geminiHead, messages: geminiMessages }),
    compactions: 0,
  },
  'gemini, lines': { format: 'gemini', text: jsonl(...geminiLines), compactions: 0 },
}
