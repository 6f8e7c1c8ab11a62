/** Which reader takes which format. One line a format; what each means is in its file. */

import { readChatgpt } from './chatgpt'
import { readClaudeAi } from './claude-ai'
import { readClaudeCode } from './claude-code'
import { readCodex } from './codex'
import type { FormatId } from './detect'
import { readDsh } from './dsh'
import type { Reader } from './foreign'
import { readGemini } from './gemini'
import { readMessages } from './messages'
import { readOpencode } from './opencode'
import { readPi } from './pi'
import { readResponses } from './responses'

export const READERS: Record<Exclude<FormatId, 'native'>, Reader> = {
  'claude-code': readClaudeCode,
  codex: readCodex,
  dsh: readDsh,
  pi: readPi,
  messages: readMessages,
  responses: readResponses,
  chatgpt: readChatgpt,
  'claude-ai': readClaudeAi,
  opencode: readOpencode,
  gemini: readGemini,
}
