/** The form of a session's requests: texts as they are typed, what is wrong with them, what they come to. Pure. */

import type { Params, RequestHeader } from '@/lib/core/event'

export type RequestForm = {
  system: string
  contextWindow: string
  maxTokens: string
  temperature: string
  effort: '' | NonNullable<Params['effort']>
  thinking: 'default' | 'disabled' | 'adaptive' | 'enabled'
  budget: string
}

/** A positive whole number, undefined for an empty field, null for anything else. */
type ReadTokens = (text: string) => number | undefined | null

/** The provider's least thinking budget, in tokens. */
const MIN_BUDGET = 1024

export const formOf = ({ system, contextWindow, params }: RequestHeader): RequestForm => ({
  system,
  contextWindow: contextWindow === undefined ? '' : String(contextWindow),
  maxTokens: String(params.max_tokens),
  temperature: params.temperature === undefined ? '' : String(params.temperature),
  effort: params.effort ?? '',
  thinking: params.thinking?.type ?? 'default',
  budget: params.thinking?.type === 'enabled' ? String(params.thinking.budget_tokens) : '4096',
})

const thinks = ({ thinking }: RequestForm): boolean =>
  thinking === 'adaptive' || thinking === 'enabled'

function temperatureProblem(form: RequestForm): string | null {
  const text = form.temperature.trim()
  if (text === '') return null
  if (thinks(form)) return 'Providers refuse a temperature with thinking: leave this empty.'
  const value = Number(text)
  return value >= 0 && value <= 1 ? null : 'A number from 0 to 1.'
}

export function problemsOf(form: RequestForm, read: ReadTokens) {
  const [window, most, budget] = [form.contextWindow, form.maxTokens, form.budget].map(read)
  const whole = 'A whole number, such as 8192 or 8k.'
  const isTooLong = window != null && most != null && most >= window
  const isLow = form.thinking === 'enabled' && (budget == null || budget < MIN_BUDGET)
  const isHigh = form.thinking === 'enabled' && budget != null && most != null && budget >= most
  return {
    contextWindow: window === null ? whole : null,
    maxTokens: most == null ? whole : isTooLong ? 'It must leave room in the window.' : null,
    budget: isLow
      ? `At least ${MIN_BUDGET}.`
      : isHigh
        ? 'It must be less than the longest reply, which holds the thinking too.'
        : null,
    temperature: temperatureProblem(form),
  }
}

/** The request of a form without problems. */
export function requestOf(form: RequestForm, read: ReadTokens) {
  const temperature = form.temperature.trim()
  const params: Params = {
    max_tokens: read(form.maxTokens) ?? 1,
    ...(temperature === '' ? {} : { temperature: Number(temperature) }),
    ...(form.effort === '' ? {} : { effort: form.effort }),
    ...(form.thinking === 'default' ? {} : { thinking: thinkingOf(form, read) }),
  }
  return { system: form.system, contextWindow: read(form.contextWindow) ?? undefined, params }
}

const thinkingOf = (form: RequestForm, read: ReadTokens): NonNullable<Params['thinking']> =>
  form.thinking === 'enabled'
    ? { type: 'enabled', budget_tokens: read(form.budget) ?? MIN_BUDGET }
    : { type: form.thinking === 'adaptive' ? 'adaptive' : 'disabled' }
