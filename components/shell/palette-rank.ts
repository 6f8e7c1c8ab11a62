/**
 * How well a command answers what is typed into the palette, from 0 (not at all) to 1. Its name counts before
 * the other words it is found by; letters with gaps between them are looked for in the name alone, because
 * in many words together almost anything can be found that way. Pure.
 */
export function rankEntry(name: string, words: readonly string[], typed: string): number {
  const wanted = typed.trim().toLowerCase()
  const own = name.toLowerCase()
  const others = words.map((word) => word.toLowerCase())
  const starts = (text: string) => text.split(/[^\p{L}\p{N}]+/u).some((w) => w.startsWith(wanted))
  if (wanted === '' || own.startsWith(wanted)) return 1
  if (starts(own)) return 0.9
  if (own.includes(wanted)) return 0.8
  if (others.some(starts)) return 0.7
  if (others.some((word) => word.includes(wanted))) return 0.6
  const all = [own, ...others].join(' ')
  if (wanted.split(/\s+/).every((part) => all.includes(part))) return 0.5
  return wanted.length <= ABBREVIATION && isSpread(own, wanted) ? 0.2 : 0
}

/** More letters than this are a word, not somebody's abbreviation of one. */
const ABBREVIATION = 5

/** Whether the letters stand in `text` in this order, whatever is between them. */
function isSpread(text: string, letters: string): boolean {
  let at = 0
  for (const letter of letters.replaceAll(' ', '')) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}
