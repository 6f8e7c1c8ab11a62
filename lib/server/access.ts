/**
 * Who may call our routes: pages of this server, under a name that is ours. The server spends the
 * owner's key, so another site in the same browser must not reach it, nor a foreign name that was
 * pointed at this address (DNS rebinding). No 'server-only' here: proxy.ts uses it too.
 */

type HeaderReader = Pick<Headers, 'get'>
type Env = Readonly<Record<string, string | undefined>>

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

const parseHost = (host: string): string | null =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : null

/**
 * Whether `host` (a Host header) is a name of ours: loopback, the `HOST` the server was bound to, or one
 * of `PALIMPSEST_ALLOWED_HOSTS` (comma separated). An address in digits is always: no foreign name
 * stands behind it, so rebinding does not apply, and the bind decides who can connect.
 */
export function isOwnHost(host: string | null, env: Env = process.env): boolean {
  const name = host === null ? null : parseHost(host)
  if (name === null) return false
  if (LOOPBACK.has(name) || IP_ADDRESS.test(name)) return true
  const allowed = [env.HOST ?? '', ...(env.PALIMPSEST_ALLOWED_HOSTS ?? '').split(',')]
  return allowed.some((one) => one.trim() !== '' && one.trim().toLowerCase() === name)
}

/**
 * Why a request may not pass, in a sentence, or null. Same-site is not enough: another port of localhost
 * is the same site. Programs that are no browser send neither header and pass; a browser always sends
 * `Origin` with what changes something.
 */
export function refuseAccess(
  headers: HeaderReader,
  method: string,
  env: Env = process.env,
): string | null {
  const host = headers.get('host')
  if (!isOwnHost(host, env)) return 'This server does not answer under that host name.'
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && !(site === 'none' && READS.has(method)))
    return 'Requests from other sites are refused.'
  const origin = headers.get('origin')
  if (origin === null) return null
  const same = URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
  return same ? null : 'Requests from other origins are refused.'
}
