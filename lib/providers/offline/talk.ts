/** What the reader says about itself. */

import { code, cutText } from './cite'

const EXAMPLES = [
  'read every file in `agents/` one after the other',
  'where is `THRESHOLD` defined?',
  'which files mention `mailbox`?',
  'what changed between `config/harbor.old.toml` and `config/harbor.toml`?',
  'summarise `notes.md`',
  'create `notes/todo.txt` with "first line"',
  'replace `0.72` with `0.75` in `harbor/scoring.py`',
  'run `wc -l agents/*`',
  'compact now, focus on open work',
  'what did `notes.md` say?',
]

const WHAT_I_AM =
  'I am the offline reader: a small program with fixed rules, not a language model. I do not understand text. I recognise some kinds of request, work on them with real tools in this workspace, and quote what I find with file and line.'

const examples = (): string =>
  `Things I can do, in words like these:\n\n${EXAMPLES.map((text) => `- ${text}`).join('\n')}`

export const introduction = (): string =>
  `${WHAT_I_AM}\n\n${examples()}\n\nFor everything else choose a real model.`

export const identity = (): string =>
  `${WHAT_I_AM} My window is 16,000 tokens, so that compaction can be watched without a key and without a network.\n\n${examples()}`

export const thanks = (): string =>
  'You are welcome. I am a program with fixed rules, so there is no need to thank me, but it is kind of you.'

export const cannotPlan = (): string => `I cannot plan that. ${WHAT_I_AM}\n\n${examples()}`

const NAMED = 3
const LONGEST = 120

/** The parts of a request that no rule fits, named; '' where there are none. */
export function leftOut(left: readonly string[]): string {
  if (left.length === 0) return ''
  const named = left.slice(0, NAMED).map((words) => {
    const line = words.replace(/\s+/g, ' ').trim()
    return code(cutText(line, LONGEST)) + (line.length > LONGEST ? '…' : '')
  })
  const more = left.length - named.length
  return `I did not do: ${named.join('; ')}${more > 0 ? ` and ${more} more` : ''}. I have no rule for ${left.length === 1 ? 'that' : 'those'}.`
}

/** Where a record holds only the beginning of a request; '' where it holds all of it. */
export const restLost = (kept: number, of: number | null): string =>
  of === null
    ? ''
    : `Of your request only the first ${kept} of ${of} characters are still in view. Ask again for what comes after them.`

export const nothingToContinue = (): string =>
  `There is nothing here that I could go on with. ${examples()}`

export const blindness = (media: number): string =>
  media === 1
    ? 'I cannot see the attached image or document: I only read text.'
    : `I cannot see the ${media} attached images or documents: I only read text.`
