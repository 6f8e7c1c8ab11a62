/** One small file of each foreign format, written from what is known of the formats. */

import type { FormatId } from '../detect'
import { claudeRows } from './fixture-claude'
import {
  anthropicRequest,
  chatgpt,
  claudeAi,
  geminiHead,
  geminiLines,
  geminiMessages,
  learnRows,
  openaiChat,
  opencode,
  responses,
} from './fixture-documents'
import { codexRows, dshRows, piOldRows, piRows, said } from './fixture-lines'
import { at, jsonl } from './fixture-rows'

export type Fixture = { format: Exclude<FormatId, 'native'>; text: string; compactions: number }

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
