/** Long text a piece at a time, so that a tool's 5 MB never reach the page at once. */

/** The largest cut at or below `end` that parts no surrogate pair. */
export function safeCut(text: string, end: number): number {
  if (end >= text.length) return text.length
  const unit = text.charCodeAt(end - 1)
  return unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end
}

/** Where the first look at a text ends: `chars` units or `lines` lines, whichever comes first. */
export function firstPiece(text: string, chars: number, lines: number): number {
  let at = -1
  for (let n = 0; n < lines; n += 1) {
    at = text.indexOf('\n', at + 1)
    if (at < 0 || at >= chars) return safeCut(text, chars)
  }
  return at
}
