/** A short log to store: valid events, numbered and timed from where they begin. */

import type { EventDraft, SessionEvent, SessionHeader } from '../../core/event'
import { PRESETS } from '../../core/policy'

export const sampleHeader = (id = 'session-1'): SessionHeader => ({
  version: 1,
  id,
  createdAt: 1_700_000_000_000,
})

export const numbered = (drafts: readonly EventDraft[], from = 0): SessionEvent[] =>
  drafts.map(
    (draft, index) =>
      ({ seq: from + index, time: 1_700_000_000_000 + from + index, ...draft }) as SessionEvent,
  )

export const said = (text: string): EventDraft => ({
  type: 'user/message',
  data: { id: `m-${text}`, content: [{ type: 'text', text }], source: { kind: 'human' } },
  surfaceOp: 'append',
})

export const titled = (title: string): EventDraft => ({
  type: 'session/title',
  data: { title, source: 'human' },
})

export const headed = (model: string): EventDraft => ({
  type: 'request/header',
  data: {
    provider: 'offline',
    model,
    contextWindow: 16_000,
    system: 'Answer from the files.',
    tools: [],
    params: { max_tokens: 2_000 },
    policy: PRESETS.standard,
    builder: 1,
  },
})

/** `count` messages, the first of them with seq `from`. */
export const messages = (count: number, from = 0): SessionEvent[] =>
  numbered(
    Array.from({ length: count }, (_, index) => said(`message ${from + index}`)),
    from,
  )
