import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { operations } from '../../lib/features/operations.ts'
import { listRoutes } from '../../lib/kernel/contract/routes.ts'
import { createRouter, type RouteMatch } from '../../local/gateway/routes.ts'

export type BareAnswer = (
  target: string,
  event: APIGatewayProxyEventV2,
) => Promise<APIGatewayProxyStructuredResultV2>

const readText = async (req: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of req) parts.push(part)
  return Buffer.concat(parts).toString()
}

/** Finds the route of a request once, because API Gateway does this work after deployment. */
const createRouteCache = () => {
  const findRoute = createRouter(listRoutes(operations))
  const known = new Map<string, RouteMatch>()
  return (method: string, path: string): RouteMatch => {
    const key = `${method} ${path}`
    const match = known.get(key) ?? findRoute(method, path)
    known.set(key, match)
    return match
  }
}

const isText = (type = ''): boolean => /^(text\/|application\/json)/.test(type)

/**
 * Serves a function over HTTP with the least work that gives it the events of API Gateway, payload format 2.0. The port
 * comes from `PORT`.
 */
export const serveBare = (answer: BareAnswer): void => {
  const findRoute = createRouteCache()
  const server = createServer(async (req, res) => {
    const { method = 'GET', url = '/' } = req
    const [rawPath = '/', rawQueryString = ''] = url.split('?')
    const { routeKey, target, pathParameters } = findRoute(method, rawPath)
    const text = method === 'GET' ? '' : await readText(req)
    const isBase64Encoded = text !== '' && !isText(req.headers['content-type'])
    const { cookie, ...headers } = req.headers as Record<string, string>
    const event: APIGatewayProxyEventV2 = {
      version: '2.0',
      routeKey,
      rawPath,
      rawQueryString,
      ...(cookie ? { cookies: cookie.split('; ') } : {}),
      headers,
      ...(rawQueryString
        ? { queryStringParameters: Object.fromEntries(new URLSearchParams(rawQueryString)) }
        : {}),
      pathParameters: { ...pathParameters },
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        domainName: headers['host'] ?? '',
        domainPrefix: 'local',
        http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'benchmark' },
        requestId: randomUUID(),
        routeKey,
        stage: '$default',
        time: '01/Jan/2026:00:00:00 +0000',
        timeEpoch: Date.now(),
      },
      ...(text === '' ? {} : { body: isBase64Encoded ? Buffer.from(text).toString('base64') : text }),
      isBase64Encoded,
    }
    try {
      const { statusCode = 200, headers: sent, cookies, body = '' } = await answer(target, event)
      res.writeHead(statusCode, {
        ...(sent as Record<string, string>),
        ...(cookies?.length ? { 'set-cookie': cookies } : {}),
        'content-length': Buffer.byteLength(body),
      })
      res.end(body)
    } catch (error) {
      res.writeHead(500).end(String(error))
    }
  })
  // It ends with the benchmark, even if that is killed.
  process.once('disconnect', () => process.exit())
  server.listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.('ready'))
}
