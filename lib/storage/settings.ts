/** The user's choices, one row each: a damaged or outdated value falls back to its default alone. */

import { z } from 'zod'
import type { Policy } from '../core/event'
import { LEXICAL_KINDS, MEANING_KINDS } from '../core/facts'
import { PRESETS } from '../core/policy'
import type { Database } from './db'
import { guarded } from './failure'

const tokens = z.int().positive()
const count = z.int().nonnegative()

const policy = z.object({
  preset: z.enum(['standard', 'teaching', 'custom']),
  threshold: z.object({ absolute: tokens.optional(), ratio: z.number().gt(0).max(1) }),
  micro: z.object({
    when: z.enum(['off', 'worthwhile', 'always']),
    keepRecent: count,
    minChars: count,
    exempt: z.array(z.string()),
    recallHint: z.boolean(),
  }),
  prune: z.object({ thresholdChars: count, headChars: count, tailChars: count }),
  keepTail: z.enum(['recent', 'newest-unit']),
  minGain: z.object({ ratio: z.number().min(0).max(1), tokens: count }),
  summaryModel: z.string().optional(),
  askFirst: z.literal(true).optional(),
}) satisfies z.ZodType<Policy>

const dollars = z.number().nonnegative().max(1e6)
/** What a person says of a model; see `ModelFacts` in lib/state/known-models.ts. */
const modelFacts = z.object({
  contextWindow: tokens.optional(),
  maxTokens: tokens.optional(),
  images: z.boolean().optional(),
  thinking: z.array(z.enum(['adaptive', 'enabled'])).optional(),
  price: z
    .object({ input: dollars, output: dollars, cacheRead: dollars, cacheWrite: dollars })
    .optional(),
})

const FIELDS = {
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** For new sessions. `contextWindow` and `maxTokens` where the server does not say, or against it. */
  model: z
    .object({
      provider: z.string(),
      id: z.string(),
      contextWindow: tokens.optional(),
      maxTokens: tokens.optional(),
    })
    .default({ provider: 'offline', id: 'offline-reader' }),
  /** By model id: what the person wrote over what the server and the table say. */
  models: z.record(z.string().min(1).max(200), modelFacts).default({}),
  /** Who writes summaries (C15). */
  summaries: z.enum(['model', 'template']).default('model'),
  policy: policy.default(PRESETS.standard),
  /** Facts of these kinds that a summary lost are written below it by code. */
  keepFacts: z.array(z.enum([...LEXICAL_KINDS, ...MEANING_KINDS])).default(['instruction']),
  /** Steps a turn may take. */
  maxSteps: tokens.default(50),
  /** System prompt of new sessions; empty: the built-in one. */
  system: z.string().default(''),
  seenPrivacyNote: z.boolean().default(false),
}

const settings = z.object(FIELDS)
export type Settings = z.infer<typeof settings>

export const DEFAULT_SETTINGS: Settings = settings.parse({})

const keys = Object.keys(FIELDS) as (keyof Settings)[]

/** All settings; what is not stored, or stored and no longer valid, has its default. */
export async function readSettings(db: Database): Promise<Settings> {
  const rows = await guarded('read the settings', () => db.relaxed.settings.bulkGet(keys))
  const valid = keys.flatMap((key, index) => {
    const parsed = FIELDS[key].safeParse(rows[index]?.value)
    return parsed.success ? [[key, parsed.data] as const] : []
  })
  return settings.parse(Object.fromEntries(valid))
}

/** Keeps a change; refuses, as a bug, a value its own reader would not take. */
export async function saveSettings(db: Database, change: Partial<Settings>): Promise<void> {
  const rows = keys
    .filter((key) => change[key] !== undefined)
    .map((key) => ({ key, value: FIELDS[key].parse(change[key]) }))
  await guarded('keep the settings', () => db.relaxed.settings.bulkPut(rows))
}
