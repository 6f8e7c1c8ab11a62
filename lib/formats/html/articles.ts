/** Entries of the transcript as HTML. Every word of content goes through `richText` or `lineOf`. */

import type { BlobRef } from '../../core/message'
import { encodeBase64 } from '../base64'
import type { BlobOf } from '../native'
import { type Entry, type EntryPart, mediaText, timeText } from '../write-entry'
import { number } from './picture'
import { proseHtml } from './prose'
import { momentsOf, type Picture } from './shadows'
import { lineOf, richText } from './text'

/** Images a page may show: raster formats, which hold no script. */
const RASTER = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

async function mediaHtml(label: string, source: BlobRef, blobOf?: BlobOf): Promise<string> {
  const { media_type: type } = source
  const caption = lineOf(`${label}: ${mediaText(source)}`)
  const blob = RASTER.has(type) ? await blobOf?.(source.hash) : null
  const image = blob
    ? `<img alt="${lineOf(label)}" src="data:${type};base64,${encodeBase64(blob.bytes)}">`
    : ''
  return `<figure>${image}<figcaption>${caption} <code>${lineOf(source.hash)}</code></figcaption></figure>`
}

const labelHtml = (title: string, names: readonly string[]): string =>
  [lineOf(title, 2000), ...names.map((name) => `<code>${lineOf(name)}</code>`)].join(' ')

async function partHtml(part: EntryPart, blobOf?: BlobOf): Promise<string> {
  switch (part.kind) {
    case 'media':
      return mediaHtml(part.label, part.source, blobOf)
    case 'data':
      return `<div class="data"><h3>${labelHtml(part.label, part.names)}</h3><pre tabindex="0">${richText(part.text)}</pre></div>`
    case 'thinking':
      return `<div class="thinking"><h3>Thinking</h3><pre>${richText(part.text)}</pre></div>`
    case 'output':
      return `<pre class="output" tabindex="0">${richText(part.text)}</pre>`
    case 'quote':
      return `<blockquote class="words">${proseHtml(part.text)}</blockquote>`
    case 'text':
      return `<div class="words">${proseHtml(part.text)}</div>`
  }
}

const ref = (seq: number): string => `<a href="#e${seq}">#${seq}</a>`

function fateOf({ gone, lifted }: Picture, seq: number): string {
  const words = (gone.get(seq) ?? []).map(({ by, until }) =>
    until === undefined
      ? `out of the window since ${ref(by)}`
      : `out of the window from ${ref(by)} to ${ref(until)}`,
  )
  const lift = lifted.get(seq)
  if (lift !== undefined) words.push(`taken off again by ${ref(lift)}`)
  return words.length === 0 ? '' : ` <span class="fate">${words.join(', ')}</span>`
}

/** Tokens of the window before and after a compaction. */
function changeOf({ kind, seq }: Entry, { timeline }: Picture): string {
  if (kind !== 'compaction') return ''
  const mark = timeline.marks.find(({ from, to }) => from <= seq && seq <= to)
  return mark
    ? ` <span class="change">${number(mark.before)} → ${number(mark.after)} tokens</span>`
    : ''
}

/** `blobOf`: where bytes of images come from; without it they are named only. */
export async function articleHtml(
  entry: Entry,
  picture: Picture,
  blobOf?: BlobOf,
): Promise<string> {
  const { seq, kind } = entry
  const { data, state } = momentsOf(picture, seq)
  const facts = entry.facts
    .map((fact) => ` <span class="fact${fact === 'error' ? ' error' : ''}">${lineOf(fact)}</span>`)
    .join('')
  const time = `<time>${lineOf(timeText(entry.time))}</time>`
  const about = entry.about.length === 0 ? '' : ` <span class="fact">${refs(entry.about)}</span>`
  const head =
    `<h2><span class="who">${labelHtml(entry.title, entry.names)}</span>${facts}${about}${changeOf(entry, picture)}` +
    ` <a class="seq" href="#e${seq}">#${seq}</a> ${time}${fateOf(picture, seq)}</h2>`
  let parts = ''
  for (const part of entry.parts) parts += await partHtml(part, blobOf)
  return `<article id="e${seq}" class="${kind}${state}"${data}>${head}${parts}</article>\n`
}

const refs = (seqs: readonly number[]): string =>
  seqs.length > 12
    ? `${seqs.slice(0, 12).map(ref).join(' ')} and ${seqs.length - 12} more`
    : seqs.map(ref).join(' ')
