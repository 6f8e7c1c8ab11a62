/** What a plan decides for one step: words, and tools to call. No calls end the turn. */

import type { JsonObject } from '../../core/message'
import type { Step, Turn } from './turns'

export type Call = { name: string; input: JsonObject }
export type Move = { text: string; calls: Call[] }

export const say = (text: string): Move => ({ text, calls: [] })
export const use = (text: string, ...calls: Call[]): Move => ({ text, calls })

export const call = (name: string, input: JsonObject): Call => ({ name, input })

export const sameCall = (a: Call, b: Call): boolean =>
  a.name === b.name && JSON.stringify(a.input) === JSON.stringify(b.input)

/** Errors that a stop or a crash left in a result's place (R2): the call told us nothing and may be made again. */
const LOST = /^(?:Not started: |Outcome unknown: |Cancelled by the user )/

export const isLost = ({ isError, text }: NonNullable<Step['result']>): boolean =>
  isError && LOST.test(text)

/** Calls of one tool in this turn that were answered. */
export const answered = (
  turn: Turn,
  name: string,
): (Step & { result: NonNullable<Step['result']> })[] =>
  turn.steps.filter(
    (step): step is Step & { result: NonNullable<Step['result']> } =>
      step.name === name && step.result !== null && !isLost(step.result),
  )

/** The newest answered call of a tool, if it was the tool's turn at all. */
export const newest = (turn: Turn, name: string) => answered(turn, name).at(-1) ?? null

export const pathOf = (step: Step): string => String(step.input.path ?? '')

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`

/** The first line of an error, for quoting in a sentence. */
export const firstLine = (text: string): string => text.split('\n', 1)[0]!.trim()

/** Files that a "there is no file" error offers instead, those of the same name if any are. */
export function offered(error: string, path: string): string[] {
  const list = /Did you mean (.+)\?/.exec(error)?.[1]?.split(', ') ?? []
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const same = list.filter((other) => other.toLowerCase().split('/').at(-1) === name)
  return same.length > 0 ? same : list
}
