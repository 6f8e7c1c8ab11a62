/** What the calls of one bracket used although nobody took their answers (C5): it was paid for all the same. */

import type { Spent } from '../core/event'
import { type Usage, usageTotal } from '../core/message'

export interface Spending {
  /** A call broke off; `told` is what it had reported until then. */
  cut(told: Usage | undefined): void
  /** A whole answer that may not stand for anything. */
  waste(usage: Usage | undefined): void
  /** For `compact/end`; undefined where nothing was reported. */
  total(): Spent | undefined
}

const KEYS = ['cache_creation_input_tokens', 'cache_read_input_tokens'] as const

/** Fields that neither has stay absent. */
function plus(a: Usage, b: Usage): Usage {
  const sum: Usage = {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
  }
  for (const key of KEYS)
    if (a[key] !== undefined || b[key] !== undefined) sum[key] = (a[key] ?? 0) + (b[key] ?? 0)
  return sum
}

export function createSpending(): Spending {
  let spent: Spent | undefined
  const add = (usage: Usage | undefined, cut: boolean) => {
    // Servers that count nothing report zeros.
    if (!usage || usageTotal(usage) === 0) return
    spent = {
      calls: (spent?.calls ?? 0) + 1,
      usage: plus(spent?.usage ?? { input_tokens: 0, output_tokens: 0 }, usage),
      ...((cut || spent?.cut) && { cut: true }),
    }
  }
  return {
    cut: (told) => add(told, true),
    waste: (usage) => add(usage, false),
    total: () => spent,
  }
}
