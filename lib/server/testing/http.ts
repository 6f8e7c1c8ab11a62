/** Our routes behind a real socket, for tests that need HTTP and no page: Node's server to Request and Response. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { answerMessages } from '../chat'
import { answerCount } from '../count'
import { answerHealth, answerModels, answerNothing, answerStatus } from '../info'
import { answerCancel } from '../summaries'

type Answer = (request: Request) => Response | Promise<Response>

const ROUTES: Record<string, Answer> = {
  'POST /api/messages': answerMessages,
  'POST /api/count': answerCount,
  'GET /api/models': answerModels,
  'GET /api/status': answerStatus,
  'GET /api/health': answerHealth,
}

const answerOf = (request: Request): Answer => {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/api/summaries/') && request.method === 'DELETE')
    return (one) => answerCancel(one, pathname.split('/').at(-1)!)
  return ROUTES[`${request.method} ${pathname}`] ?? answerNothing
}

const drained = (outgoing: ServerResponse) =>
  new Promise<void>((go) => {
    const done = () => {
      outgoing.off('drain', done).off('close', done)
      go()
    }
    outgoing.on('drain', done).on('close', done)
  })

async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController()
  outgoing.on('close', () => gone.abort())
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD'
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method!,
    headers: incoming.headers as Record<string, string>,
    signal: gone.signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
  } as RequestInit)
  const response = await answerOf(request)(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.flushHeaders()
  const reader = response.body?.getReader()
  outgoing.on('close', () => void reader?.cancel().catch(() => undefined))
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
    if (!outgoing.write(next.value) && !outgoing.destroyed) await drained(outgoing)
  outgoing.end()
}

export async function startRoutes(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
