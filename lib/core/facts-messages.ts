/** Where the messages of errors begin and end: quotations, sentences, cells, lines. */

import { lineStart, type Span } from './facts-literals'

/** Messages longer than this are cut here. */
const LONGEST = 400

const CLOSER: Record<string, string> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '«': '»',
  '»': '«',
  '‘': '’',
  '「': '」',
  '『': '』',
}

export const lineEnd = (text: string, from: number): number => {
  const at = text.indexOf('\n', from)
  return Math.min(at < 0 ? text.length : at, from + LONGEST)
}

/** The quotation opened right before `from`, or a space before it; `undefined` when there is none. */
export function quoteBefore(text: string, from: number): string | undefined {
  const at =
    /\s/.test(text[from - 1] ?? '') && /[«»]/.test(text[from - 2] ?? '') ? from - 2 : from - 1
  return CLOSER[text[at] ?? '']
}

/** Where a message in prose ends: with its sentence, and inside of a line with its clause too. */
const SENTENCE = /[.!?](?=\s+["“«]?\p{Lu})|[。！？]|\s\|/u
const CLAUSE =
  /[.!?](?=\s+["“«]?\p{Lu})|[。！？；]|;\s|\s\||\s(?:when|while|wenn|quand|cuando|beim)\s/u

/**
 * End of a message: the closing quote (quotes may nest in it), the cell of a table, the sentence, the line.
 * No clause ends in the first `lead` units: "An error occurred (…) when calling …: " is one lead.
 */
export function messageEnd(text: string, from: number, prose: boolean, lead = 0): number {
  const end = lineEnd(text, from)
  const closer = quoteBefore(text, from)
  if (closer !== undefined) {
    // Only marks that open and close alike can be told apart by their neighbours alone.
    const alike = text[from - 1] === closer
    let depth = 0
    for (let i = from; i < end; i++) {
      if (text[i] !== closer) continue
      if (alike && /[\s([{=<]/.test(text[i - 1] ?? '') && /[\w/.@-]/.test(text[i + 1] ?? ''))
        depth++
      else if (depth > 0) depth--
      else return i
    }
    return end
  }
  const line = text.slice(from + lead, end)
  const stop = (prose ? (from === lineStart(text, from) ? SENTENCE : CLAUSE) : / \| /).exec(line)
  return stop === null ? end : from + lead + stop.index
}

const rightTrimmed = (text: string, from: number, to: number): number => {
  let end = to
  while (end > from && /[\s,;|'"`)】」]/.test(text[end - 1] as string)) {
    // A bracket that the message itself opened stays.
    if (text[end - 1] === ')' && text.slice(from, end - 1).includes('(')) break
    if (
      /['"`]/.test(text[end - 1] as string) &&
      text.slice(from, end - 1).includes(text[end - 1] as string)
    )
      break
    end--
  }
  return end
}

/** Where the message that holds a telling phrase begins: after the log's own fields, the quote, or the line's start. */
export function phraseStart(text: string, at: number): number {
  const start = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - LONGEST)
  const before = text.slice(start, at)
  const quote = /.*(?:msg=|[\s=(])["“«`]\s?/.exec(before)
  if (quote !== null) return start + quote[0].length
  const fields =
    /^(?:[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d (?:\S{1,60} )?(?:[\w./-]{1,40}(?:\[\d{1,7}\])?|\[\d{1,7}\]): )?(?:[\d\-:TZ.,\s[\]+]{6,40})?(?:\s*(?:\[[^\]\n]{0,40}\]|(?:INFO|WARN|ERROR|DEBUG)(?!\w)|(?:WARNING|WARNUNG|AVERTISSEMENT|ADVERTENCIA|AVVISO|ПРЕДУПРЕЖДЕНИЕ):))*\s*(?:(?:\w{1,8}: )?\S{1,200}?:\d{1,6}(?::\d{1,6})?:? |\* [^\n:]{1,40}: )?/.exec(
      before,
    )
  return start + (fields?.[0].length ?? 0)
}

/** The message from here to there, without the marks that close what is around it. */
export const span = (text: string, from: number, end: number): Span => ({
  from,
  to: Math.max(from + 1, rightTrimmed(text, from, end)),
})
