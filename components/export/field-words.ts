/** Where in an event something stands, in words. */

const WORDS: readonly [pattern: RegExp, words: string][] = [
  [/^data\.content\.text$/, 'text'],
  [/^data\.content\.thinking$/, 'thinking'],
  [/^data(\.content)?\.(input|raw)\b/, 'arguments'],
  [/^data\.content\.title$/, 'name of an attachment'],
  [/^data\.content\b/, 'content'],
  [/^data\.system$/, 'system prompt'],
  [/^data\.tools\b/, 'tool definition'],
  [/^data\.summary$/, 'summary'],
  [/^data\.instructions$/, 'focus'],
  [/^data\.title$/, 'title'],
  [/^data\.error\b/, 'error'],
  [/^header\.origin\b/, 'imported file'],
]

/** A path like `data.content.text` as a person would say it; what has no word keeps its own. */
export const fieldWords = (field: string): string =>
  WORDS.find(([pattern]) => pattern.test(field))?.[1] ?? field.replace(/^data\./, '')
