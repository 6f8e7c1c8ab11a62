/**
 * What people and models write, with the little of its Markdown that helps the eye: fences, headings, inline
 * code, strong words. Every word of it stays; all of it becomes text through `richText`.
 */

import { richText } from './text'

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/
const HEADING = /^#{1,6} /
const INLINE = /(?<!`)(`{1,3})(?!`)([^`\n]{1,400})\1(?!`)|\*\*([^*\n]{1,400})\*\*/g

/** Marks of inline code and strong words are styles instead. */
function inlineHtml(text: string): string {
  let html = ''
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    html += richText(text.slice(from, match.index))
    const [whole, , code, strong] = match
    html +=
      code === undefined
        ? `<span class="bold">${richText(strong ?? '')}</span>`
        : `<code>${richText(code)}</code>`
    from = match.index + whole.length
  }
  return html + richText(text.slice(from))
}

/** `info`: what stands behind the marks of a fence. */
type Piece = { kind: 'p' | 'head' | 'code'; lines: string[]; info?: string }

/** Paragraphs, headings and fenced blocks; a fence that is never closed holds the rest. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let open: { marks: string; piece: Piece } | null = null
  let isNew = true
  for (const line of text.split('\n')) {
    const [, marks, info = ''] = FENCE.exec(line) ?? []
    if (open) {
      const ends = marks?.[0] === open.marks[0] && marks!.length >= open.marks.length
      if (ends && line.trim() === marks) open = null
      else open.piece.lines.push(line)
      isNew = true
    } else if (marks) {
      const piece: Piece = { kind: 'code', lines: [], info: info.trim() }
      pieces.push(piece)
      open = { marks, piece }
    } else if (HEADING.test(line)) {
      pieces.push({ kind: 'head', lines: [line.replace(HEADING, '')] })
      isNew = true
    } else if (line.trim() === '') isNew = true
    else {
      const last = pieces.at(-1)
      if (!isNew && last?.kind === 'p') last.lines.push(line)
      else pieces.push({ kind: 'p', lines: [line] })
      isNew = false
    }
  }
  return pieces
}

/** Words for reading. Colours of a terminal hold within a paragraph. */
export const proseHtml = (text: string): string =>
  piecesOf(text.replace(/\r\n?/g, '\n'))
    .map(({ kind, lines, info }) => {
      const inside = lines.join('\n')
      const label = info ? `<span class="info">${richText(info)}</span>\n` : ''
      if (kind === 'code') return `<pre>${label}${richText(inside)}</pre>`
      return kind === 'head'
        ? `<p class="head">${inlineHtml(inside)}</p>`
        : `<p>${inlineHtml(inside)}</p>`
    })
    .join('')
