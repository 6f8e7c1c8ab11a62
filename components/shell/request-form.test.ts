import { expect, it } from 'vitest'
import type { RequestHeader } from '@/lib/core/event'
import { PRESETS } from '@/lib/core/policy'
import { formOf, problemsOf, type RequestForm, requestOf } from './request-form'

const header: RequestHeader = {
  provider: 'anthropic',
  model: 'm',
  contextWindow: 200_000,
  system: 'Be brief.',
  tools: [],
  params: { max_tokens: 8192, thinking: { type: 'enabled', budget_tokens: 2048 }, effort: 'high' },
  policy: PRESETS.standard,
  builder: 1,
}
const read = (text: string) =>
  text.trim() === '' ? undefined : Number(text) > 0 ? Number(text) : null
const form = (change: Partial<RequestForm>): RequestForm => ({ ...formOf(header), ...change })

it('a form gives back the request it was made of', () => {
  expect(Object.values(problemsOf(formOf(header), read)).every((problem) => !problem)).toBe(true)
  expect(requestOf(formOf(header), read)).toEqual({
    system: header.system,
    contextWindow: header.contextWindow,
    params: header.params,
  })
})

it('what a provider would refuse is said before it is sent', () => {
  const problem = (change: Partial<RequestForm>) => {
    const all = problemsOf(form(change), read)
    return Object.entries(all).flatMap(([field, words]) => (words ? [field] : []))
  }
  expect(problem({ temperature: '0.5' })).toEqual(['temperature'])
  expect(problem({ temperature: '0.5', thinking: 'disabled' })).toEqual([])
  expect(problem({ temperature: '2', thinking: 'default' })).toEqual(['temperature'])
  expect(problem({ budget: '500' })).toEqual(['budget'])
  expect(problem({ budget: '9000' })).toEqual(['budget'])
  expect(problem({ maxTokens: '300000', budget: '2048' })).toEqual(['maxTokens'])
  expect(problem({ maxTokens: 'many' })).toContain('maxTokens')
})

it('fields left empty are left out', () => {
  const empty = form({ contextWindow: '', thinking: 'default', effort: '', temperature: '' })
  expect(requestOf(empty, read)).toEqual({
    system: 'Be brief.',
    contextWindow: undefined,
    params: { max_tokens: 8192 },
  })
})
