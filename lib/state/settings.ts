/** What the person chose, stored under one key and parsed on the way in: a broken value becomes its default. */

import { z } from 'zod'
import type { Policy, RequestHeader } from '../core/event'
import { PRESETS } from '../core/policy'
import { OFFLINE_INFO } from '../providers/offline'
import type { Settings } from './model'

const SYSTEM = [
  'You work in a small workspace of files that lives in the user’s browser. Use the tools to read and change it; never guess what a file says.',
  'Quote exact paths, names and numbers. Earlier parts of this conversation may have been replaced by a summary or a placeholder: recall_search and recall_read bring the original words back.',
].join('\n')

const count = z.number().int().positive()

const policy: z.ZodType<Policy> = z.object({
  preset: z.enum(['standard', 'teaching', 'custom']),
  threshold: z.object({ absolute: count.optional(), ratio: z.number().min(0.1).max(1) }),
  micro: z.object({
    when: z.enum(['off', 'worthwhile', 'always']),
    keepRecent: z.number().int().min(0),
    minChars: z.number().int().min(0),
    exempt: z.array(z.string()),
    recallHint: z.boolean(),
  }),
  prune: z.object({
    thresholdChars: count,
    headChars: z.number().int(),
    tailChars: z.number().int(),
  }),
  keepTail: z.enum(['recent', 'newest-unit']),
  minGain: z.object({ ratio: z.number().min(0).max(1), tokens: z.number().int().min(0) }),
  summaryModel: z.string().optional(),
})

const OFFLINE = {
  provider: OFFLINE_INFO.provider,
  id: OFFLINE_INFO.model,
  contextWindow: OFFLINE_INFO.contextWindow,
  maxTokens: OFFLINE_INFO.maxTokens,
}

const schema: z.ZodType<Settings> = z.object({
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  model: z
    .object({
      provider: z.string().min(1),
      id: z.string().min(1),
      contextWindow: count.optional(),
      maxTokens: count.optional(),
    })
    .catch(OFFLINE),
  summaries: z.enum(['model', 'template']).catch('model'),
  policy: policy.catch(PRESETS.standard),
  maxSteps: count.max(1000).catch(100),
  system: z.string().catch(SYSTEM),
  seenPrivacyNote: z.boolean().catch(false),
})

/** Settings from whatever was stored; `undefined` gives the defaults. Never throws. */
export const parseSettings = (stored: unknown): Settings =>
  schema.parse(typeof stored === 'object' && stored !== null ? stored : {})

/** Output tokens asked for where neither the person nor the server says. */
const DEFAULT_MAX_TOKENS = 8192

/** The first header of a session with these settings; tools are added where they are made. */
export const headerOf = (settings: Settings, builder: number): RequestHeader => ({
  provider: settings.model.provider,
  model: settings.model.id,
  ...(settings.model.contextWindow === undefined
    ? {}
    : { contextWindow: settings.model.contextWindow }),
  system: settings.system,
  tools: [],
  params: { max_tokens: settings.model.maxTokens ?? DEFAULT_MAX_TOKENS },
  policy: settings.policy,
  builder,
})
