/** Small conversations of the formats that are documents. */

import { answer, use } from './fixture-claude'
import { said } from './fixture-lines'
import { at, GIF, text, tick } from './fixture-rows'

export const anthropicRequest = {
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
export const openaiChat = {
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
export const learnRows = [
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
export const responses = [
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
export const chatgpt = [
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
export const claudeAi = [
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
export const opencode = {
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
  timestamp: tick(),
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
export const geminiHead = {
  sessionId: 'gem-pots',
  projectHash: 'ff00',
  startTime: at(0),
  lastUpdated: at(9),
}
export const geminiMessages = [
  gemini('v1', 'user', 'List the pots'),
  gemini('v2', 'gemini', '', geminiCall),
  gemini('v3', 'gemini', 'Pots.', { model: 'gemini-test' }),
  gemini('v4', 'info', 'Request cancelled.'),
]
export const geminiLines = [
  { ...geminiHead, sessionId: 'gem-lines', kind: 'main' },
  ...geminiMessages,
  { $set: { lastUpdated: at(10) } },
  gemini('v5', 'user', 'Wrong question'),
  { $rewindTo: 'v4' },
  gemini('v6', 'user', 'Right question'),
  gemini('v6', 'user', 'Right question, said again'),
]
