/**
 * Who may call us: pages of this server, under a name that is ours, in a browser that has shown the access
 * token where one is set. The server spends the owner's key, so another site in the same browser must not
 * reach it, nor a foreign name that was pointed at this address (DNS rebinding), nor a stranger in the
 * network. No 'server-only' here: proxy.ts uses it too.
 */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

type HeaderReader = Pick<Headers, 'get'>
type Env = Readonly<Record<string, string | undefined>>

/** `permission`: 403, never. `access`: 401, not before the token has been shown. */
export type AccessRefusal = { status: 401 | 403; code: 'access' | 'permission'; message: string }

export const ACCESS_COOKIE = 'palimpsest-access'

/** Names of this very machine, as `URL` writes them: all of 127.0.0.0/8 is. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

const parseHost = (host: string): string | null =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : null

/** The token people must show, or null where none is set. */
export const accessToken = (env: Env = process.env): string | null =>
  env.PALIMPSEST_ACCESS_TOKEN?.trim() || null

/** Whether a Host header names this very machine. */
export const isLoopback = (host: string | null): boolean =>
  LOOPBACK.test((host !== null && parseHost(host)) || '')

/**
 * Why `host` (a Host header) is no name of ours, in a sentence, or null. Loopback always is. Any other
 * name is only where an access token is set, and then: the `HOST` the server was bound to, one of
 * `PALIMPSEST_ALLOWED_HOSTS` (comma separated), or an address in digits (no foreign name stands behind
 * it, so rebinding does not apply).
 */
export function refuseHost(host: string | null, env: Env = process.env): string | null {
  const foreign = 'This server does not answer under that host name.'
  const name = host === null ? null : parseHost(host)
  if (name === null) return foreign
  if (LOOPBACK.test(name)) return null
  const allowed = [env.HOST ?? '', ...(env.PALIMPSEST_ALLOWED_HOSTS ?? '').split(',')]
  const isOurs =
    IP_ADDRESS.test(name) ||
    allowed.some((one) => one.trim() !== '' && one.trim().toLowerCase() === name)
  if (!isOurs) return foreign
  return accessToken(env) === null
    ? 'Under this address the server answers only with PALIMPSEST_ACCESS_TOKEN set.'
    : null
}

/**
 * Why a request may not pass, whoever sends it, or null: host and origin. Same-site is not enough:
 * another port of localhost is the same site. Programs that are no browser send neither header and pass;
 * a browser always sends `Origin` with what changes something.
 */
export function refuseForeigner(
  headers: HeaderReader,
  method: string,
  env: Env = process.env,
): AccessRefusal | null {
  const no = (message: string): AccessRefusal => ({ status: 403, code: 'permission', message })
  const host = headers.get('host')
  // What a reverse proxy was asked for must be ours too, also where it rewrites Host.
  const notOurs = refuseHost(host, env) ?? refuseHost(headers.get('x-forwarded-host') ?? host, env)
  if (notOurs) return no(notOurs)
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && !(site === 'none' && READS.has(method)))
    return no('Requests from other sites are refused.')
  const origin = headers.get('origin')
  if (origin === null) return null
  const same = URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
  return same ? null : no('Requests from other origins are refused.')
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Equality in a time that says nothing about where two texts differ, nor how long they are. */
export const sameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other))

/** What the cookie holds: proof that the token was known, not the token. A new token voids it. */
export const passFor = (token: string): string =>
  createHmac('sha256', token).update('palimpsest access').digest('base64url')

function cookieOf(headers: HeaderReader): string | null {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const found = pairs.find((pair) => pair.startsWith(`${ACCESS_COOKIE}=`))
  return found ? found.slice(ACCESS_COOKIE.length + 1) : null
}

/** Whether the token was shown, or none is wanted. */
export function isAdmitted(headers: HeaderReader, env: Env = process.env): boolean {
  const token = accessToken(env)
  if (token === null) return true
  const pass = cookieOf(headers)
  return pass !== null && sameSecret(pass, passFor(token))
}

/** All of it: host, origin, token. For everything but `/api/health` and the entry itself. */
export function refuseAccess(
  headers: HeaderReader,
  method: string,
  env: Env = process.env,
): AccessRefusal | null {
  const foreign = refuseForeigner(headers, method, env)
  if (foreign) return foreign
  if (isAdmitted(headers, env)) return null
  const message = 'This server wants its access token. Reload the page to enter it.'
  return { status: 401, code: 'access', message }
}
