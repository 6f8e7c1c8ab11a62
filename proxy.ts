import { type NextRequest, NextResponse } from 'next/server'
import { isAdmitted, isLoopback, refuseAccess, refuseHost } from './lib/server/access'
import { entryPage, safePath } from './lib/server/entry-page'

/** The policy of every page; `nonce` admits the scripts and styles Next writes into this one response. */
function policy(nonce: string, dev: boolean): string {
  return [
    "default-src 'self'",
    // React's development build evaluates code for its error overlays.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' ${dev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Style attributes position panels and virtual rows; they can run nothing.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    `connect-src 'self'${dev ? ' ws:' : ''}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Why this request gets no page, or null. A link from elsewhere may open a page, but post nothing to it. */
function turnAway(request: NextRequest): Response | null {
  const { headers, method, nextUrl } = request
  const host = headers.get('host')
  const notOurs = refuseHost(host) ?? refuseHost(headers.get('x-forwarded-host') ?? host)
  if (notOurs) return new Response(notOurs, { status: 403 })
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isAdmitted(headers)) {
    if (!isRead || nextUrl.pathname.startsWith('/_next/'))
      return new Response('This server wants its access token.', { status: 401 })
    const insecure = headers.get('x-forwarded-proto') !== 'https' && !isLoopback(host)
    return entryPage({ path: safePath(nextUrl.pathname + nextUrl.search), insecure }, 401)
  }
  const refusal = isRead ? null : refuseAccess(headers, method)
  return refusal ? new Response(refusal.message, { status: refusal.status }) : null
}

/** Pages, their files, and server actions (which are posted to pages). API routes check for themselves. */
export function proxy(request: NextRequest): Response {
  const away = turnAway(request)
  if (away) return away
  if (request.nextUrl.pathname.startsWith('/_next/static/')) return NextResponse.next()
  const nonce = btoa(crypto.randomUUID())
  const csp = policy(nonce, process.env.NODE_ENV === 'development')
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set('content-security-policy', csp)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', csp)
  return response
}

export const config = { matcher: ['/((?!api/).*)'] }
