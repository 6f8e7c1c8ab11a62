/** How our routes answer, refuse and read: always JSON, never cached, never with content in a log. */

import 'server-only'
import { err, ok, type Result } from '../core/result'
import type { ModelError } from '../ports'
import { MAX_REQUEST_BYTES, parseJson } from '../providers/wire'
import { refuseAccess } from './access'

const NO_STORE = { 'cache-control': 'no-store' }

export const respond = (value: unknown, status = 200): Response =>
  Response.json(value, { status, headers: NO_STORE })

export const refuse = (status: number, error: ModelError): Response =>
  respond({ error: { ...error, status } }, status)

/**
 * A 403 for a request that may not pass, else null. A request made without HTTP (in a test) has no Host
 * header; its URL then says the host.
 */
export function refuseForeign(request: Request): Response | null {
  const host = request.headers.get('host') ?? new URL(request.url).host
  const headers = {
    get: (name: string) => (name === 'host' ? host : request.headers.get(name)),
  }
  const message = refuseAccess(headers, request.method)
  return message === null ? null : refuse(403, { code: 'permission', message })
}

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
