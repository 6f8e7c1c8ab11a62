import { createServer } from 'node:http'
import { apiError } from './api-error.mjs'
import { answerMessages, countTokens } from './messages.mjs'
import { pageOf } from './models.mjs'
import { createState } from './state.mjs'

const json = (response, status, value, headers = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

function sendError(response, entry, error) {
  const status = error.status ?? 500
  entry.status = status
  entry.error = error.message
  if (response.headersSent || response.destroyed) return response.destroy()
  json(
    response,
    status,
    {
      type: 'error',
      error: { type: error.type ?? 'api_error', message: error.message },
      request_id: `req_${entry.id}`,
    },
    { 'request-id': `req_${entry.id}`, ...error.headers },
  )
}

const keyOf = (headers) =>
  headers['x-api-key'] ?? /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]

/** Either header is taken; a key that begins with `bad` is wrong, one that begins with `poor` has no credit. */
function authenticate(headers) {
  const key = keyOf(headers)
  if (!key) throw apiError(401, 'x-api-key header is required')
  if (key.startsWith('bad')) throw apiError(401, 'invalid x-api-key')
  if (key.startsWith('poor'))
    throw apiError(400, 'Your credit balance is too low to access the Anthropic API.')
  if (!headers['anthropic-version']) throw apiError(400, 'anthropic-version: header is required')
}

async function bodyOf(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function listModels(state, url) {
  const id = /^\/v1\/models\/(.+)$/.exec(url.pathname)?.[1]
  if (!id)
    return (
      state.config.modelList ??
      pageOf(state.config.models, {
        afterId: url.searchParams.get('after_id'),
        limit: Number(url.searchParams.get('limit') ?? 20),
      })
    )
  const found = state.config.models.find((model) => model.id === decodeURIComponent(id))
  if (!found) throw apiError(404, `model: ${id}`)
  return found
}

async function answer(state, request, response, entry) {
  const url = new URL(request.url, 'http://fake')
  const buffer = await bodyOf(request)
  entry.bytes = buffer.length
  entry.key = keyOf(request.headers) ?? null
  if (!state.config.keyless) authenticate(request.headers)
  const route = `${request.method} ${url.pathname}`
  if (state.config.missing.some((path) => url.pathname.startsWith(path))) {
    entry.status = 404
    response.writeHead(404, { 'content-type': 'text/plain' })
    return response.end('404 page not found')
  }
  if (route === 'POST /v1/messages')
    return answerMessages(state, buffer.toString('utf8'), entry, response)
  entry.status = 200
  if (route === 'POST /v1/messages/count_tokens')
    return json(response, 200, countTokens(state, buffer.toString('utf8'), entry))
  if (request.method === 'GET' && url.pathname.startsWith('/v1/models'))
    return json(response, 200, listModels(state, url))
  throw apiError(404)
}

/**
 * Endpoints for tests, none of them logged:
 * `GET /__control/log[?bodies=1][&match=text in the body]`, `POST /__control/reset`, `POST /__control/script` (a step or a list),
 * `POST /__control/clock {advance}` (ms), `POST /__control/config {maxBytes?, delay?, pingMs?, models?, missing?, keyless?}`.
 */
async function control(state, request, response) {
  const url = new URL(request.url, 'http://fake')
  const raw = (await bodyOf(request)).toString('utf8')
  const input = raw === '' ? {} : JSON.parse(raw)
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /__control/log': {
      const bodies = url.searchParams.get('bodies') === '1'
      const match = url.searchParams.get('match') ?? ''
      const entries = state.log.filter((entry) => JSON.stringify(entry.body).includes(match))
      return json(
        response,
        200,
        entries.map((entry) => (bodies ? entry : { ...entry, body: undefined })),
      )
    }
    case 'POST /__control/reset':
      state.reset()
      return json(response, 200, { ok: true })
    case 'POST /__control/script':
      state.script.push(...(Array.isArray(input) ? input : [input]))
      return json(response, 200, { queued: state.script.length })
    case 'POST /__control/clock':
      state.ahead += input.advance
      return json(response, 200, { ahead: state.ahead })
    case 'POST /__control/config':
      Object.assign(state.config, input)
      return json(response, 200, { ok: true })
    default:
      return json(response, 404, { error: 'no such control' })
  }
}

/**
 * Starts a strict stand-in for the Messages API on 127.0.0.1.
 *
 * @param {{ port?: number, delay?: number }} [options] port 0 picks a free one; `delay` is milliseconds
 *   before each delta.
 */
export async function startFake({ port = 0, delay = 2 } = {}) {
  const state = createState({ delay })
  const server = createServer((request, response) => {
    if (request.url.startsWith('/__control/')) {
      control(state, request, response).catch((error) =>
        json(response, 400, { error: error.message }),
      )
      return
    }
    const entry = state.open(request)
    response.on('close', () => {
      entry.closedAt = Date.now()
      entry.finished = response.writableFinished
    })
    answer(state, request, response, entry).catch((error) => sendError(response, entry, error))
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(undefined))
  })
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}`,
    state,
    /** Ends every connection and frees the port. */
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve(undefined))
        server.closeAllConnections()
      }),
  }
}
