/**
 * A session as one HTML file: opens from disk, loads nothing, prints whole, and carries its log, so that
 * it can be imported again. Every field of every event is hostile: content becomes text, never markup,
 * and the page's policy runs nothing but its own script.
 */

import type { SessionEvent, SessionHeader } from '../core/event'
import { createSha256 } from '../core/sha256'
import { encodeBase64 } from './base64'
import { conversationEntries } from './entries'
import { articleHtml } from './html/articles'
import { PAGE_STYLE } from './html/assets'
import { GENERATOR, LOG_OPENS, packLog } from './html/embedded'
import { curveSvg, number, strataSvg } from './html/picture'
import { PAGE_SCRIPT } from './html/script'
import { type Picture, pictureOf } from './html/shadows'
import { lineOf } from './html/text'
import { createTurns, type Turns } from './html/turns'
import { type BlobOf, type Many, writeNative } from './native'
import { streamText } from './stream'
import { timeText } from './write-entry'

export type HtmlOptions = {
  title?: string
  /** Images of the page and media of the log it carries; what it answers null for is left out. */
  blobOf?: BlobOf
  /** How many events there are, where known. */
  count?: number
}

function hashSource(text: string): string {
  const sha = createSha256()
  sha.update(new TextEncoder().encode(text))
  const bytes = sha.hex().match(/../g) ?? []
  return `'sha256-${encodeBase64(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)))}'`
}

const policy = (): string =>
  [
    `default-src 'none'`,
    `script-src ${hashSource(PAGE_SCRIPT)}`,
    `style-src ${hashSource(PAGE_STYLE)}`,
    'img-src data:',
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')

const KINDS: readonly [kind: string, label: string][] = [
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['result', 'tool result'],
  ['summary', 'summary'],
  ['pruned', 'pruned result'],
]
const LEGEND = KINDS.map(
  ([kind, label]) =>
    `<span><svg viewBox="0 0 1 1"><rect class="k-${kind}" width="1" height="1"></rect></svg>${label}</span>`,
).join('')

/** The playhead over the token curve. Without the script the curve stands alone. */
const timeBar = (picture: Picture, last: number): string =>
  `<section class="time" aria-label="Time"><div>
<div class="bar" hidden><button id="before" type="button" title="Previous compaction" aria-label="Previous compaction">◂</button><button id="after" type="button" title="Next compaction" aria-label="Next compaction">▸</button><output id="moment" for="at"></output><button id="read" type="button" title="Scroll to this moment">Read here</button></div>
<div class="plot">${curveSvg(picture)}<input id="at" type="range" aria-label="Playhead" min="0" max="${last}" value="${last}" hidden></div>
</div></section>
`

async function opening(
  header: SessionHeader,
  picture: Picture,
  title: string,
  turns: Turns,
): Promise<string> {
  const { heads, timeline } = picture
  const last = Math.max(0, heads.length - 1)
  const facts = [
    `Session ${lineOf(header.id)}`,
    `begun ${lineOf(timeText(header.createdAt))}`,
    `${number(heads.length)} events`,
    `${number(timeline.marks.filter(({ status }) => status === 'done').length)} changes of the window`,
    ...(header.origin
      ? [`imported from ${lineOf(header.origin.name)} (${lineOf(header.origin.format)})`]
      : []),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${GENERATOR}
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${lineOf(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<p class="logo">Palim<span>p</span>sest</p>
<h1>${lineOf(title)}</h1>
<p class="about">${facts.join(' · ')} <button id="save" type="button" hidden>Save the log (JSONL)</button></p>
</header>
<section class="strata-box" aria-label="Strata">
<p><span class="what">What the model sees</span> on top, what each message replaced beneath it. Width is tokens.</p>
${await strataSvg(picture, turns)}<div class="legend">${LEGEND}</div>
</section>
${timeBar(picture, last)}<main>
`
}

async function* page(
  header: SessionHeader,
  read: () => Many<SessionEvent>,
  { title, blobOf, count }: HtmlOptions,
): AsyncGenerator<string> {
  const turns = createTurns()
  const picture = await pictureOf(read(), turns)
  yield await opening(header, picture, title || header.id, turns)
  for await (const entry of conversationEntries(read()))
    yield await articleHtml(entry, picture, blobOf)
  yield `</main>\n${LOG_OPENS}`
  yield* packLog(writeNative(header, read(), { blobOf, count }))
  yield `</script>\n<script>${PAGE_SCRIPT}</script>\n</body>\n</html>\n`
}

/**
 * A whole session as a self-contained page, UTF-8, streamed. `read` is asked for the events three times:
 * for the picture, the transcript, and the log inside.
 */
export const writeHtml = (
  header: SessionHeader,
  read: () => Many<SessionEvent>,
  options: HtmlOptions = {},
): ReadableStream<Uint8Array> => streamText(page(header, read, options))
