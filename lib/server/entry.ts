/** `POST /api/access`: the access token, once; then a cookie. `DELETE` ends what it opened. */

import 'server-only'
import { ACCESS_COOKIE, accessToken, isLoopback, passFor, sameSecret } from './access'
import { entryPage, safePath } from './entry-page'
import { hostOfRequest, refuseForeign } from './respond'

/** Wrong tries in a minute, by anyone; who has the cookie is not held up by them. */
const MAX_TRIES = 10
const WINDOW_MS = 60_000
const MAX_FORM_BYTES = 8_000
const DAYS_30 = 30 * 24 * 60 * 60

/** On `globalThis`: every route is bundled with module instances of its own. */
const KEY = Symbol.for('palimpsest.tries')
const home = globalThis as { [KEY]?: number[] }

/** Times of wrong tries that still count. */
function recent(now: number): number[] {
  home[KEY] = (home[KEY] ?? []).filter((time) => now - time < WINDOW_MS)
  return home[KEY]
}

/** Whether the browser reaches us over https, as the server in front says. */
export const isHttps = (headers: Pick<Headers, 'get'>): boolean =>
  (headers.get('x-forwarded-proto') ?? '').split(',')[0]?.trim() === 'https'

const isInsecure = (request: Request): boolean =>
  !isHttps(request.headers) && !isLoopback(hostOfRequest(request))

/** The form's fields, or null where it is too large to be one. */
async function readForm(request: Request): Promise<URLSearchParams | null> {
  if (!request.body) return new URLSearchParams()
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > MAX_FORM_BYTES) return null
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

const cookie = (value: string, seconds: number, secure: boolean): string =>
  `${ACCESS_COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`

/**
 * 303 with the cookie for the right token; the page again with 401 for a wrong one, 429 after
 * `MAX_TRIES` wrong ones in a minute (the right one is not looked at either), 413 for what is no form.
 */
export async function answerEntry(request: Request, now = Date.now()): Promise<Response> {
  const foreign = refuseForeign(request)
  if (foreign) return foreign
  const form = await readForm(request)
  const path = safePath(form?.get('next') ?? null)
  const again = (status: number, problem: string, headers = {}) =>
    entryPage({ path, problem, insecure: isInsecure(request) }, status, headers)
  if (!form) return again(413, 'That is not an access token.')
  const token = accessToken()
  const tries = recent(now)
  if (tries.length >= MAX_TRIES) {
    const seconds = Math.max(1, Math.ceil((tries[0]! + WINDOW_MS - now) / 1000))
    return again(429, `Too many wrong tries. Try again in ${seconds} s.`, {
      'retry-after': String(seconds),
    })
  }
  if (token !== null && !sameSecret(form.get('token') ?? '', token)) {
    tries.push(now)
    return again(401, 'That is not the access token of this server.')
  }
  const headers = new Headers({ location: path, 'cache-control': 'no-store' })
  if (token !== null)
    headers.set('set-cookie', cookie(passFor(token), DAYS_30, isHttps(request.headers)))
  return new Response(null, { status: 303, headers })
}

/** 204 and no cookie any more; also for who had none, so that signing out twice is signing out once. */
export function answerExit(request: Request): Response {
  const foreign = refuseForeign(request)
  if (foreign) return foreign
  const headers = {
    'set-cookie': cookie('', 0, isHttps(request.headers)),
    'cache-control': 'no-store',
  }
  return new Response(null, { status: 204, headers })
}
