/** How our routes answer, refuse and read: always JSON, never cached, never with content in a log. */

import 'server-only'
import { err, ok, type Result } from '../core/result'
import type { ModelError } from '../ports'
import { MAX_REQUEST_BYTES, parseJson } from '../providers/wire'
import { type AccessRefusal, refuseAccess, refuseForeigner } from './access'

/** Never kept; and should a browser be made to show it as a page, it can do nothing. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

export const respond = (value: unknown, status = 200): Response =>
  Response.json(value, { status, headers: HEADERS })

export const refuse = (status: number, error: ModelError): Response =>
  respond({ error: { ...error, status } }, status)

/** A request made without HTTP (in a test) has no Host header; its URL then says the host. */
export const hostOfRequest = (request: Request): string =>
  request.headers.get('host') ?? new URL(request.url).host

type Check = (headers: Pick<Headers, 'get'>, method: string) => AccessRefusal | null

function refuseBy(check: Check, request: Request): Response | null {
  const host = hostOfRequest(request)
  const headers = {
    get: (name: string) => (name === 'host' ? host : request.headers.get(name)),
  }
  const refusal = check(headers, request.method)
  if (!refusal) return null
  const { code, message } = refusal
  return refuse(refusal.status, { code, message })
}

/** A 403 for a foreign host or origin, else null: for what is open without the access token. */
export const refuseForeign = (request: Request): Response | null =>
  refuseBy(refuseForeigner, request)

/** A 403 or 401 for a request that may not pass, else null. Every route begins with this. */
export const refuseStranger = (request: Request): Response | null => refuseBy(refuseAccess, request)

const tooLarge: ModelError = {
  code: 'overflow',
  message: `The request is larger than ${MAX_REQUEST_BYTES / 1e6} MB.`,
}

/** The body's text, read no further than the limit whatever its headers promise. */
async function readText(request: Request): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_REQUEST_BYTES) return null
  if (!request.body) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  const reader = request.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.byteLength
    if (bytes > MAX_REQUEST_BYTES) {
      await reader.cancel()
      return null
    }
    chunks.push(value)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * The JSON of a request, checked by `parse`; a ready refusal otherwise (415, 413, 400). The content type
 * is demanded because a form cannot send it across origins without asking first.
 */
export async function readJson<T>(
  request: Request,
  parse: (value: unknown) => Result<T, string>,
): Promise<Result<T, Response>> {
  if (!/^application\/json\b/.test(request.headers.get('content-type') ?? ''))
    return err(refuse(415, { code: 'invalid-request', message: 'Send application/json.' }))
  const text = await readText(request)
  if (text === null) return err(refuse(413, tooLarge))
  const json = parseJson(text)
  const value = json.ok ? parse(json.value) : json
  if (value.ok) return ok(value.value)
  const message = `The request is not well formed: ${value.error}`
  return err(refuse(400, { code: 'invalid-request', message }))
}
