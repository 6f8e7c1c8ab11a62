/** The page that asks for the access token. One document of its own: nothing of the app is served before. */

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** A path of this server to go on to; anything else becomes `/`. */
export const safePath = (path: string | null): string =>
  path !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && path.length < 2000 ? path : '/'

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center }
main { width: min(26rem, calc(100vw - 3rem)) }
h1 { font-size: 1.1rem; margin: 0 0 .25rem }
p { margin: .5rem 0 }
label { display: block; margin-top: 1rem }
input, button { font: inherit; box-sizing: border-box; width: 100%; padding: .5rem .6rem; margin-top: .25rem }
button { margin-top: .75rem; cursor: pointer }
[role=alert] { color: #b3261e } @media (prefers-color-scheme: dark) { [role=alert] { color: #ffb4ab } }
`

export type EntryPage = {
  /** Where to go on to. */
  path: string
  problem?: string
  /** The token would travel in clear text. */
  insecure: boolean
}

const html = ({ path, problem, insecure }: EntryPage, nonce: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Palimpsest: access token</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin"><style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>Palimpsest</h1>
<p>This server opens only with its access token: the PALIMPSEST_ACCESS_TOKEN its owner started it with. Enter it once; this browser then remembers it for 30 days, or until you sign out under Settings.</p>
${insecure ? '<p role="note">This address is not secure: what you type travels in clear text, and the app itself cannot work here, because without https the browser has no locks between tabs and no hashing. Put HTTPS in front of this server.</p>' : ''}
${problem ? `<p role="alert">${escapeHtml(problem)}</p>` : ''}
<form method="post" action="/api/access"><input type="hidden" name="next" value="${escapeHtml(path)}">
<label>Access token <input name="token" type="password" autocomplete="current-password" autocapitalize="off" spellcheck="false" required autofocus></label>
<button>Enter</button></form></main></body></html>`

/** The page as a response; its policy admits its own style and form, and nothing else. */
export function entryPage(page: EntryPage, status: number, headers: HeadersInit = {}): Response {
  const nonce = btoa(crypto.randomUUID())
  const response = new Response(html(page, nonce), { status, headers })
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  response.headers.set('content-type', 'text/html; charset=utf-8')
  response.headers.set('cache-control', 'no-store')
  response.headers.set('content-security-policy', policy)
  response.headers.set('x-content-type-options', 'nosniff')
  return response
}
