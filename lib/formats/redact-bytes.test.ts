import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionEvent, SessionHeader } from '../core/event'
import { createSha256 } from '../core/sha256'
import { findSecrets, type RedactionRules } from './find-secrets'
import { LOG_OPENS } from './html/embedded'
import { redact } from './redact'
import { createMatcher } from './redact-match'
import type { TranscriptBlob } from './report'
import { header, sampleLog } from './testing/sample-log'
import { readTranscript } from './transcript'
import { type WriteFormat, type WriteOptions, writeTranscript } from './write'

const KEY = ['sk', 'ant', 'api03', 'Zq8sJd73hKx02LmNvB45tYw1'].join('-')
const WORD = 'Jörg "Q" O’Neill/<Quill&Feather>'
const PIN = '90210774'
const RULES: RedactionRules = { kinds: ['keys'], words: [WORD, PIN] }
const SECRETS = [KEY, WORD, PIN]

const blob = (text: string, mediaType: string): TranscriptBlob => ({
  bytes: new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>,
  mediaType,
})
const hashOf = ({ bytes }: TranscriptBlob): string => {
  const sha = createSha256()
  sha.update(bytes)
  return sha.hex()
}
const NOTE = blob(`Minutes.\nkey: ${KEY}\nby ${WORD}\n`, 'text/plain')
const CLEAN = blob('nothing in here', 'text/plain')
const PICTURE = blob('\u0089PNG\u0000pixels', 'image/png')
const TAGGED = blob(`\u0089PNG\u0000tEXt author ${WORD}`, 'image/png')
const BLOBS = new Map([NOTE, CLEAN, PICTURE, TAGGED].map((one) => [hashOf(one), one]))
const blobOf = async (hash: string) => BLOBS.get(hash) ?? null
const refOf = (of: TranscriptBlob) => ({
  type: 'blob' as const,
  hash: hashOf(of),
  media_type: of.mediaType,
  bytes: of.bytes.length,
})

const base64 = (text: string) => Buffer.from(text).toString('base64')
const ascii = (text: string) =>
  text.replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Every way a secret may be written in the text of a session. */
const spelled = (secret: string): string[] => {
  const json = JSON.stringify(secret)
  return [
    ...[secret, secret.toUpperCase(), json, JSON.stringify(json), ascii(json)],
    ascii(json.toUpperCase()),
    ...[encodeURIComponent(secret), json.replaceAll('/', '\\/')],
    ...['', 'a', 'ab'].map((before) => base64(`${before}${secret} and more`)),
    base64(JSON.stringify({ secret })),
  ]
}

/** The sample with the secrets in every field that can hold words. */
function laden(): SessionEvent[] {
  const all = SECRETS.flatMap(spelled).join('\n')
  return structuredClone(sampleLog(hashOf(PICTURE))).map((event) => {
    switch (event.type) {
      case 'session/title':
        event.data.title = `About ${KEY} ${WORD}`
        break
      case 'request/header':
        event.data.system += all
        event.data.model = `model-${PIN}`
        event.data.tools[0]!.description += all
        break
      case 'user/message':
        event.data.content.push(
          { type: 'text', text: all },
          { type: 'document', source: refOf(NOTE), title: `${WORD}.txt` },
          { type: 'document', source: refOf(CLEAN) },
          { type: 'image', source: refOf(TAGGED) },
          { type: `novel ${PIN}`, [KEY]: [{ [WORD]: Number(PIN), data: all }] },
        )
        break
      case 'assistant/message':
        event.data.content = event.data.content.map((block) => {
          if (block.type === 'thinking') return { ...block, thinking: all }
          if (block.type !== 'tool_use') return block
          return { ...block, input: { pin: Number(PIN), [KEY]: { deep: [all] } } }
        })
        break
      case 'tool/call':
        event.data.input = { pin: Number(PIN), [KEY]: { deep: [all] } }
        event.data.raw = JSON.stringify({ all }).replace('sk-', '\\u0073k-')
        break
      case 'tool/result':
        event.data.content.push({ type: 'text', text: all })
        break
      case 'compact/summary':
        event.data.summary += all
        break
      case 'compact/end':
        if (event.data.error) event.data.error.message = all
        break
      case 'request/failed':
        event.data.error.message = all
    }
    return event
  })
}

const of: SessionHeader = {
  ...header,
  origin: { format: 'pi', sha256: 'ab'.repeat(32), name: `${WORD}/${KEY}.jsonl` },
}

/** A text, and everything that hides in it: base64 runs decoded, the log of a page unpacked, escapes resolved. */
function layersOf(bytes: Buffer): string[] {
  const text = bytes.toString('utf8')
  const at = text.indexOf(LOG_OPENS)
  const inside =
    at < 0
      ? []
      : layersOf(
          gunzipSync(Buffer.from(text.slice(at + LOG_OPENS.length).split('<')[0]!, 'base64')),
        )
  const page = at < 0 ? text : text.slice(0, at)
  const decoded = (page.match(/[A-Za-z0-9+/_-]{8,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), 'base64').toString('utf8')),
  )
  const resolved = page
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\\+u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+(["/])/g, '$1')
  return [page, resolved, ...decoded, ...inside]
}
const left = (bytes: Buffer): string[] =>
  SECRETS.filter((secret) =>
    layersOf(bytes).some((layer) => layer.toLowerCase().includes(secret.toLowerCase())),
  )

const bytesOf = async (stream: ReadableStream<Uint8Array>) =>
  Buffer.from(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer())

const OUTPUTS: [WriteFormat, WriteOptions][] = [
  ['native', {}],
  ['native', { until: 24 }],
  ['html', {}],
  ['markdown', {}],
  ['markdown', { at: 30 }],
  ['text', {}],
  ['text', { at: 30 }],
  ['openai', {}],
  ['openai', { at: 10 }],
  ['dsh', {}],
]

describe('an export without secrets', () => {
  const found = findSecrets({ header: of, read: laden, blobOf }, RULES)
  const values = found.then(({ secrets }) => secrets.map(({ value }) => value))

  it.each(OUTPUTS)(
    '%s %o holds none of them in any byte, in any spelling',
    async (format, more) => {
      const write = (events: () => AsyncGenerator<SessionEvent> | SessionEvent[], head = of) =>
        bytesOf(writeTranscript(format, head, events, { title: WORD, blobOf, ...more }))
      expect(left(await write(laden))).toEqual(SECRETS)
      const clean = redact(of, laden, await values, { blobOf, keepMedia: true })
      const bytes = await bytesOf(
        writeTranscript(format, clean.header, clean.read, {
          ...more,
          title: clean.textOf(WORD),
          blobOf: clean.blobOf,
        }),
      )
      expect(left(bytes)).toEqual([])
      expect(bytes.toString()).toContain(format === 'html' ? 'REDACTED-1' : 'REDACTED-')
    },
  )

  it('rewrites attachments that are text, and drops those that hold one and are none', async () => {
    const clean = redact(of, laden, await values, { blobOf, keepMedia: true })
    const text = await bytesOf(
      writeTranscript('native', clean.header, clean.read, { blobOf: clean.blobOf }),
    )
    const [session] = (await readTranscript(text.toString())).sessions
    const kept = [...session!.blobs.values()].map(({ bytes }) => Buffer.from(bytes).toString())
    expect(kept).toContain('nothing in here')
    expect(kept).toContain('\u0089PNG\u0000pixels')
    expect(kept).toContainEqual(
      expect.stringMatching(/^Minutes\.\nkey: REDACTED-\d\nby REDACTED-\d\n$/),
    )
    expect(kept).toHaveLength(3)
    expect(session!.report.missingBlobs).toEqual([hashOf(TAGGED)])
    expect(session!.report.rejected).toEqual([])
  })

  it('leaves pictures behind unless they are asked for: what they show cannot be searched', async () => {
    const clean = redact(of, laden, await values, { blobOf })
    for await (const _ of clean.read());
    expect(await clean.blobOf(hashOf(PICTURE))).toBeNull()
    expect(await clean.blobOf(hashOf(CLEAN))).toEqual(CLEAN)
  })

  it('shows hits in attachments and names, and counts what could not be read', async () => {
    const { secrets, unread } = await found
    const fields = secrets.flatMap(({ places }) => places.map(({ field }) => field))
    expect(fields).toContain(`attachment ${WORD}.txt`)
    expect(fields).toContain('attachment image/png')
    expect(fields).toContain('header.origin.name')
    expect(fields).toContain('data.title')
    expect(unread).toBe(2)
  })

  it('searches files by name and content, and leaves out those it cannot clean', async () => {
    const files = [
      { path: `${KEY}.md`, content: `by ${WORD}` },
      { path: 'data.bin', content: new Uint8Array([0, 1, ...new TextEncoder().encode(WORD)]) },
      { path: 'plain.bin', content: new Uint8Array([0, 1, 2]) },
    ]
    const { secrets } = await findSecrets({ header, read: () => [], files: () => files }, RULES)
    const fields = secrets.flatMap(({ places }) => places.map(({ field }) => field))
    expect(fields.sort()).toEqual(['file data.bin', 'file name', `file ${KEY}.md`])
    const clean = redact(
      header,
      () => [],
      secrets.map(({ value }) => value),
    )
    expect(files.map(({ content }) => clean.fileOf(content))).toEqual([
      expect.stringContaining('by REDACTED-'),
      null,
      files[2]!.content,
    ])
  })

  it('takes out every one of many, those that begin alike and those within others too', () => {
    const word = fc
      .array(fc.constantFrom('x', 'Y', '"', '\\', '/', '\n', 'ü', '<', '&'), {
        minLength: 2,
        maxLength: 6,
      })
      .map((parts) => parts.join(''))
      // A backslash at the end is one with those that escape what follows.
      .filter((one) => /[xy]/i.test(one) && !one.endsWith('\\'))
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
        const { replace, hits } = createMatcher(words)!
        const text = words.join(' - ')
        const bare = (one: string) => one.replace(/\\+n/g, '\n').replace(/\\+/g, '').toLowerCase()
        // The rest of a longer word may read as a shorter one without its backslash, which is another word.
        const slashed = (one: string) =>
          one.replace(/\\+n/g, '\n').replace(/\\+"/g, '"').replace(/\\+/g, '\\').toLowerCase()
        for (const spelled of [text, JSON.stringify(text), JSON.stringify(JSON.stringify(text))]) {
          const clean = replace(spelled)
          const stays = (one: string) =>
            bare(clean).includes(bare(one)) && slashed(clean).includes(slashed(one))
          expect(words.filter(stays)).toEqual([])
          expect(hits(spelled).length).toBeGreaterThan(0)
        }
      }),
      { numRuns: 300, examples: [[['\\x', '\\\\xx', 'xx']]] },
    )
  })

  it('finds no base64 by chance: a short word is looked for as it is alone', () => {
    const matcher = createMatcher(['cat', 'Quillfeather'])!
    expect(matcher.replace(base64('a cat'))).toBe(base64('a cat'))
    expect(matcher.replace(base64('by quillfeather.'))).not.toBe(base64('by quillfeather.'))
    expect(matcher.replace('concatenate')).toBe('conREDACTED-1enate')
  })
})
