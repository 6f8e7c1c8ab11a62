import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionEvent, SessionHeader } from '../core/event'
import { arbitraryLog } from '../core/testing/arbitrary'
import { LOG_OPENS } from './html/embedded'
import { proseHtml } from './html/prose'
import { richText, safeHref } from './html/text'
import { cleanText } from './terminal'
import { HOSTILE, poisoned } from './testing/hostile'
import { header, pixel, sampleLog } from './testing/sample-log'
import { readTranscript } from './transcript'
import { type HtmlOptions, writeHtml } from './write-html'

const PIXEL = 'ab'.repeat(32)
const hashOf = async (bytes: Uint8Array<ArrayBuffer>) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
const write = (events: SessionEvent[], options: HtmlOptions = {}, of: SessionHeader = header) =>
  new Response(writeHtml(of, () => events, { count: events.length, ...options })).text()

/** Tags of a page, with what they are allowed to be. */
const TAG = /<(?!\/|!doctype)([a-z0-9]+)((?:\s+[a-z0-9:-]+(?:="[^"<>]*")?)*)\s*\/?>/gi
const ALLOWED = new Set([
  ...[
    'html',
    'head',
    'meta',
    'title',
    'style',
    'script',
    'body',
    'h1',
    'h2',
    'h3',
    'p',
    'a',
    'button',
  ],
  ...[
    'svg',
    'path',
    'line',
    'rect',
    'div',
    'label',
    'input',
    'output',
    'main',
    'article',
    'span',
    'header',
    'section',
    'b',
  ],
  ...['pre', 'blockquote', 'figure', 'figcaption', 'img', 'time', 'code'],
])
const ATTRIBUTES = new Set([
  ...[
    'lang',
    'charset',
    'name',
    'content',
    'http-equiv',
    'id',
    'type',
    'class',
    'href',
    'rel',
    'for',
  ],
  ...[
    'role',
    'aria-label',
    'viewBox',
    'preserveAspectRatio',
    'x',
    'y',
    'width',
    'height',
    'd',
    'src',
  ],
  ...['x1', 'x2', 'y1', 'y2', 'hidden', 'min', 'max', 'value', 'alt', 'title', 'tabindex'],
  ...['data-seq', 'data-gone', 'data-lifted', 'data-totals', 'data-marks', 'data-row'],
])

/** What of a page is no tag of the writer's own making. */
function strangers(html: string): string[] {
  const page = html
    .replace(/<style>[\s\S]*?<\/style>/, '<style></style>')
    .replace(/<script>[\s\S]*?<\/script>\n<\/body>/, '<script></script></body>')
  const found: string[] = []
  let tags = 0
  for (const [whole, name, attributes] of page.matchAll(TAG)) {
    tags += 1
    if (!ALLOWED.has(name!)) found.push(whole)
    for (const [, attribute, value] of attributes!.matchAll(/([a-z0-9:-]+)(?:="([^"]*)")?/gi)) {
      if (!ATTRIBUTES.has(attribute!)) found.push(whole)
      if (attribute === 'href' && !/^(#e\d+|https?:|mailto:)/.test(value!)) found.push(whole)
      if (attribute === 'src' && !/^data:image\/(png|jpeg|gif|webp);base64,/.test(value!))
        found.push(whole)
    }
  }
  const brackets = page.match(/</g)!.length
  const closing = page.match(/<\/[a-z0-9]+>/g)!.length
  if (brackets !== tags + closing + 1) found.push(`${brackets - tags - closing - 1} loose brackets`)
  if ((page.match(/<script/g) ?? []).length !== 2) found.push('a script of its own')
  return found
}

describe('a session as a page', () => {
  it('carries the log: importing the page gives the same header, events and media', async () => {
    const hash = await hashOf(pixel)
    const events = sampleLog(hash)
    const html = await write(events, {
      blobOf: async () => ({ bytes: pixel, mediaType: 'image/png' }),
    })
    const read = await readTranscript(new File([html], 'whatever.txt'))
    expect(read.refusal).toBeNull()
    expect(read.format).toBe('native')
    expect(read.sessions[0]?.header).toEqual(header)
    expect(read.sessions[0]?.events).toEqual(events)
    expect(read.sessions[0]?.blobs.get(hash)?.bytes).toEqual(pixel)
    expect(read.sessions[0]?.report.rejected).toEqual([])
    expect(html).toContain('<img alt="Image" src="data:image/png;base64,')
  })

  it('gives any log back as it was, and the same page of it', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLog(), async (log) => {
        const html = await write(log.events, {}, log.header)
        expect(strangers(html)).toEqual([])
        const { sessions } = await readTranscript(new Blob([html]))
        expect(sessions[0]?.header).toEqual(log.header)
        expect(sessions[0]?.events).toEqual(log.events)
        expect(await write(sessions[0]!.events, {}, log.header)).toBe(html)
      }),
      { numRuns: 60 },
    )
  })

  it('of a page that was cut off, what can be read is read and the rest is said', async () => {
    const events = sampleLog(PIXEL)
    const html = await write(events)
    const at = html.indexOf(LOG_OPENS) + LOG_OPENS.length + 2000
    const { sessions } = await readTranscript(html.slice(0, at))
    expect(events.slice(0, sessions[0]!.events.length)).toEqual(sessions[0]!.events)
    expect(sessions[0]!.report.rejected.length).toBeGreaterThan(0)
  })

  it('marks compactions, what they took from the window, and when', async () => {
    const html = await write(sampleLog(PIXEL))
    expect(html).toMatch(/<article id="e22" class="compaction"/)
    expect(html).toMatch(/<article id="e4" class="user[^>]* data-gone="23-\d+"/)
    expect(html).toContain('href="#e23"')
    expect(html).toMatch(/<rect class="k-user[^>]*data-seq="4"/)
  })

  it('makes no markup of any field, whatever it holds', async () => {
    for (let start = 0; start < HOSTILE.length; start += 1) {
      const bad = poisoned(header, sampleLog(PIXEL), start)
      const html = await write(
        bad.events,
        {
          title: HOSTILE[start],
          blobOf: async () => ({ bytes: pixel, mediaType: HOSTILE[start]! }),
        },
        bad.header,
      )
      expect(strangers(html)).toEqual([])
      expect(cleanText(html)).toBe(html)
    }
  })

  it('loads nothing: the policy allows its own script and style by hash and nothing else', async () => {
    const html = await write(sampleLog(PIXEL))
    const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(html)!
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+'; img-src data:;/,
    )
    for (const [kind, text] of [
      ['script', /<script>([\s\S]*?)<\/script>/.exec(html)![1]!],
      ['style', /<style>([\s\S]*?)<\/style>/.exec(html)![1]!],
    ] as const) {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
      expect(policy).toContain(`${kind}-src 'sha256-${Buffer.from(digest).toString('base64')}'`)
    }
  })
})

it('[S8] puts the surface on top, and each node below what lies over it', async () => {
  const html = await write(sampleLog(PIXEL).slice(0, 24))
  const rowOf = (seq: number) =>
    Number(new RegExp(`<rect[^>]* data-seq="${seq}"[^>]* y="(\\d+)"`).exec(html)?.[1])
  const row = Number(/data-row="(\d+)"/.exec(html)?.[1])
  expect([23, 16, 4, 13, 9].map((seq) => rowOf(seq) / row)).toEqual([0, 0, 1, 1, 2])
})

describe('text on the page', () => {
  it('shows fences, headings, code and strong words as such, and every word of them', () => {
    expect(
      proseHtml('# Head\nline `a<b` and **strong**\nmore\n\n~~~js\nlet `x`\n\n<i>\n~~~\nend'),
    ).toBe(
      '<p class="head">Head</p><p>line <code>a&#60;b</code> and <span class="bold">strong</span>\nmore</p>' +
        '<pre><span class="info">js</span>\nlet &#96;x&#96;\n\n&#60;i&#62;</pre><p>end</p>',
    )
    expect(proseHtml('```\nnever closed <script>')).toBe('<pre>never closed &#60;script&#62;</pre>')
  })

  it('makes no markup of words, however they are mixed', () => {
    const piece = fc.constantFrom(
      ...HOSTILE,
      '`',
      '**',
      '```\n',
      '# ',
      '\n',
      '<',
      '"',
      '&',
      '\u001b[31m',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const html = proseHtml(pieces.join('').toWellFormed())
        const tags = [...html.matchAll(/<[^>]*>?/g)].map(([tag]) => tag)
        const own =
          /^<(\/(p|pre|code|span|a)|p|p class="head"|pre|code|span class="[a-z0-9 ]+"|a href="(https?:|mailto:)[^"<>]*" rel="noopener noreferrer")>$/
        expect(tags.filter((tag) => !own.test(tag))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('turns terminal colours into styles and drops every other control', () => {
    expect(richText('a\u001b[1;31mred\u001b[0m b')).toBe('a<span class="bold f1">red</span> b')
    expect(richText('\u001b[38;5;196mx\u001b[48;2;0;0;255my')).toBe(
      '<span class="f9">x</span><span class="f9 g12">y</span>',
    )
    expect(
      richText('a\u001b[2J\u001b[10;4Hb\u001b]0;title\u0007c\u001bPq\u001b\\d\u0008\u009be'),
    ).toBe('abcd')
    expect(cleanText('one\r\ntwo\rthree\u001b]8;;never ended\nfour')).toBe(
      'one\ntwo\nthree]8;;never ended\nfour',
    )
  })

  it('links http, https and mailto and nothing else', () => {
    expect(richText('see https://a.test/x?y=1&z=2.')).toBe(
      'see <a href="https://a.test/x?y=1&#38;z=2" rel="noopener noreferrer">https://a.test/x?y=1&#38;z=2</a>.',
    )
    for (const bad of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc',
      'blob:x',
      'vbscript:x',
      'http://[',
    ]) {
      expect(safeHref(bad)).toBeNull()
      expect(richText(bad)).not.toContain('<a')
    }
  })
})
