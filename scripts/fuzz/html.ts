/** Hostile sessions as pages: every string of every record is made of pieces that want to be more than text. */

import type { SessionEvent, SessionHeader } from '../../lib/core/event'
import { HOSTILE } from '../../lib/formats/testing/hostile'
import { header, sampleLog } from '../../lib/formats/testing/sample-log'
import { writeTranscript } from '../../lib/formats/write'
import { seeded } from '../bench/session'

/** Edges of tags, attributes, scripts, comments, entities, terminal orders and Markdown. */
const PIECES: readonly string[] = [
  ...HOSTILE,
  ...[
    '<',
    '>',
    '"',
    "'",
    '`',
    '&',
    '&#',
    ';',
    '/',
    '\\',
    '=',
    ' ',
    '\n',
    '\r',
    '\t',
    '\0',
    '-',
    '--',
  ],
  ...[
    '</script',
    '<script ',
    '</style>',
    '<!--',
    '-->',
    ']]>',
    '<![CDATA[',
    '<?',
    '</title>',
    '</pre>',
  ],
  ...[
    '</article></main></body>',
    '<svg><style>',
    '<math>',
    '<template>',
    '<plaintext>',
    '<noscript>',
  ],
  ...['onerror=tripwire(20) ', 'style=background:url(//evil.test) ', 'src=//evil.test/x ', 'href='],
  ...[
    'javascript:tripwire(21)',
    'data:text/html;base64,PHNjcmlwdD4=',
    'https://evil.test/',
    'mailto:x@y',
  ],
  ...[
    '\u001b[31m',
    '\u001b[38;5;',
    '\u001b]8;;',
    '\u0007',
    '\u009b',
    '\u001b[0m',
    '\u001bP',
    '\u2028',
  ],
  ...[
    '```',
    '~~~',
    '**',
    '# ',
    '`',
    '[x](',
    '![x](',
    '&lt;',
    '&quot;',
    '&#x3c;',
    '\u202e',
    '\ufeff',
  ],
  ...[
    `$\u007btripwire(22)}`,
    '{{tripwire(22)}}',
    '$&',
    '$1',
    '$`',
    'e1" onclick="tripwire(23)',
    '%3Cscript%3E',
  ],
]

type Random = () => number

const pick = <T>(list: readonly T[], random: Random): T =>
  list[Math.floor(random() * list.length)] as T

function hostileWord(random: Random): string {
  const length = 1 + Math.floor(random() * 6)
  return Array.from({ length }, () => pick(PIECES, random))
    .join('')
    .toWellFormed()
}

/** Words without which a record is no record of its type. */
const SHAPE = new Set(['type', 'op', 'kind', 'hash', 'surfaceOp'])

function spoil(value: unknown, random: Random, key = ''): unknown {
  if (typeof value === 'string') {
    if (SHAPE.has(key)) return value
    return key === 'media_type' && random() < 0.5 ? 'image/png' : hostileWord(random)
  }
  if (Array.isArray(value)) return value.map((one) => spoil(one, random, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      key === 'input' ? hostileWord(random) : name,
      spoil(one, random, name),
    ]),
  )
}

/** A page of one spoiled session; the same for the same seed. */
export async function hostilePage(seed: number): Promise<string> {
  const random = seeded(1 + (seed % 2147483646))
  const events = sampleLog('ab'.repeat(32)).map((event) => ({
    ...(spoil(event, random) as SessionEvent),
    type: event.type,
  })) as SessionEvent[]
  const of = spoil(
    { ...header, origin: { format: 'x', sha256: 'x', name: 'x' }, parent: { id: 'x', seq: 1 } },
    random,
  ) as SessionHeader
  const bytes = new TextEncoder().encode(hostileWord(random)) as Uint8Array<ArrayBuffer>
  const stream = writeTranscript('html', of, events, {
    title: hostileWord(random),
    blobOf: async () => ({ bytes, mediaType: 'image/png' }),
    count: events.length,
  })
  return new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).text()
}
