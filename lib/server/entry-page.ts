/** The page that asks for the access token. One document of its own: nothing of the app is served before. */

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** A path of this server to go on to; anything else becomes `/`. */
export const safePath = (path: string | null): string =>
  path !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && path.length < 2000 ? path : '/'

/** The colours of app/globals.css: nothing of the app itself may be fetched from here. */
const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif;
  --paper: #faf8f4; --panel: #fffdf9; --line2: #cdc5b6; --ink: #1e1b16; --ink2: #5c5549; --accent: #a13d8f;
  --err: #b23323; --warn: #875708; --soft: #fbf2e0 }
@media (prefers-color-scheme: dark) { :root { --paper: #14130f; --panel: #1b1915; --line2: #474239;
  --ink: #ece7dc; --ink2: #aba393; --accent: #dd7cc9; --err: #ff8a78; --warn: #e7b04c; --soft: #2a2418 } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper); color: var(--ink) }
main { width: min(26rem, calc(100vw - 3rem)) }
h1 { font-size: 1.2rem; font-weight: 640; letter-spacing: -.015em; margin: 0 0 .25rem }
h1 b { color: var(--accent); font-weight: inherit }
p { margin: .5rem 0; color: var(--ink2) }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere }
label { display: block; margin-top: 1.1rem; font-weight: 520 }
input, button { font: inherit; box-sizing: border-box; width: 100%; padding: .5rem .65rem; margin-top: .3rem;
  border: 1px solid var(--line2); border-radius: 7px; background: var(--panel); color: inherit }
button { margin-top: .8rem; cursor: pointer; background: var(--ink); border-color: var(--ink); color: var(--paper) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
[role=alert] { color: var(--err) }
[role=note] { color: var(--warn); background: var(--soft); border-radius: 7px; padding: .6rem .75rem }
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
<body><main><h1>Palim<b>p</b>sest</h1>
<p>This server opens only with its access token: the <code>PALIMPSEST_ACCESS_TOKEN</code> its owner started it with. Enter it once; this browser then remembers it for 30 days, or until you sign out under Settings.</p>
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
