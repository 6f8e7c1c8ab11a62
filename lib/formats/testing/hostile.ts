/** Strings that would be markup, script, links, or orders to a terminal, wherever they were believed. */

import type { SessionEvent, SessionHeader } from '../../core/event'

/** Calls `tripwire` if any of it runs. */
export const HOSTILE: readonly string[] = [
  '<script>tripwire(1)</script>',
  '</script><script>tripwire(2)</script>',
  '</style><script>tripwire(3)</script>',
  '</title><img src=x onerror=tripwire(4)>',
  '"><svg onload=tripwire(5)>',
  "' onmouseover='tripwire(6)' autofocus onfocus='tripwire(6)",
  '<iframe srcdoc="<script>parent.tripwire(7)</script>"></iframe>',
  'javascript:tripwire(8)',
  '[a](javascript:tripwire(9)) https://x.test/"onclick="tripwire(9)',
  '<!--><script>tripwire(10)</script>-->',
  '<a href="data:text/html,<script>tripwire(11)</script>">x</a>',
  '<base href="https://evil.test/"><link rel=stylesheet href="https://evil.test/x.css">',
  '<meta http-equiv=refresh content="0;url=javascript:tripwire(12)">',
  '\u001b]8;;javascript:tripwire(13)\u0007link\u001b]8;;\u0007 \u001b[31mred\u001b[0m \u001b[2J\u0000',
  '&lt;script&gt;tripwire(14)&lt;/script&gt; &#60;script>tripwire(14)</script>',
  '`$\u007btripwire(15)}` {{tripwire(15)}} <math><mtext><script>tripwire(15)</script>',
  '<style>@import "https://evil.test/y.css";*{background:url(https://evil.test/z)}</style>',
  '\u2028\u2029\ud800<script>tripwire(16)</script>\udfff\ufeff',
  '<image href="https://evil.test/i.png"/><use href="https://evil.test/u.svg#a"/>',
  '<form action="https://evil.test"><input type=submit></form> http://evil.test/<b>',
]

/** Words that the log's shape or structure depends on. */
const FIXED = new Set(['type', 'op', 'kind', 'reason', 'trigger', 'cause', 'certainty'])
const JOINED = new Set(['compactionId', 'hash', 'surfaceOp', 'requestHash', 'code', 'preset'])
const RULED = new Set(['when', 'keepTail', 'effort', 'source_kind'])

/** Every string of a value made hostile, but for words its shape depends on; `next` picks one. */
export function poison(value: unknown, next: () => string, key = ''): unknown {
  if (typeof value === 'string') {
    if (FIXED.has(key) || JOINED.has(key) || RULED.has(key)) return value
    // Ids join events: one of them is poisoned the same wherever it stands.
    if (key === 'callId' || key === 'id') return `${value}${HOSTILE[value.length % HOSTILE.length]}`
    return key === 'media_type' ? `image/png${next()}` : next()
  }
  if (Array.isArray(value)) return value.map((one) => poison(one, next, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, poison(one, next, name)]),
  )
}

export function poisoned(
  header: SessionHeader,
  events: readonly SessionEvent[],
  start = 0,
): { header: SessionHeader; events: SessionEvent[] } {
  let at = start
  const next = () => HOSTILE[at++ % HOSTILE.length]!.toWellFormed()
  return {
    header: {
      ...header,
      id: next(),
      origin: { format: next(), sha256: 'ab'.repeat(32), name: next() },
    },
    events: events.map((event) => ({
      ...(poison(event, next) as SessionEvent),
      type: event.type,
    })) as SessionEvent[],
  }
}
