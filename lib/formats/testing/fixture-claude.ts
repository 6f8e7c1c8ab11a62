/** A small Claude Code session, and the rows it is made of. */

import { GIF, text, tick } from './fixture-rows'

type Claude = Record<string, unknown>
const claude = (uuid: string, parentUuid: string | null, row: Claude): Claude => ({
  parentUuid,
  isSidechain: false,
  userType: 'external',
  cwd: '/work',
  sessionId: 'garden-session',
  version: '2.1.40',
  uuid,
  timestamp: tick(),
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
export const claudeRows = [
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
