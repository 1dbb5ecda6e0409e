import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { operations } from '../../lib/features/operations.ts'
import type { GroupHandler } from '../../lib/http/handler.ts'
import { listRoutes } from '../../lib/kernel/contract/routes.ts'
import { TableClient } from '../../lib/kernel/table/table-client.ts'
import { readRequestPath } from '../../local/gateway/request-head.ts'
import { createRouter } from '../../local/gateway/routes.ts'
import type { JsonValue } from '../support/client.ts'
import { createLambdaContext } from '../support/lambda-context.ts'

/** The table calls of the request that runs. */
const calling = new AsyncLocalStorage<string[]>()
const { send: sendCall } = TableClient.prototype
Object.defineProperty(TableClient.prototype, 'send', {
  configurable: true,
  writable: true,
  value(this: TableClient, ...given: Parameters<TableClient['send']>) {
    calling.getStore()?.push(given[0])
    return Reflect.apply(sendCall, this, given)
  },
})

/** Runs work, and returns the table calls that it made, sorted, because some run at the same time. */
export const withCalls = async <Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly calls: string }> => {
  const calls: string[] = []
  const result = await calling.run(calls, work)
  return { result, calls: calls.sort().join(' ') }
}

export interface Sent {
  readonly method: string
  readonly path: string
  readonly bearer?: string | undefined
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly cookies: readonly string[]
  readonly calls: string
}

const findRoute = createRouter(listRoutes(operations))
const handlers = new Map<string, Promise<{ handler: GroupHandler }>>()
const loadHandler = (group: string): Promise<{ handler: GroupHandler }> => {
  const loaded = handlers.get(group) ?? import(`../../functions/${group}/index.ts`)
  handlers.set(group, loaded)
  return loaded
}

const buildEvent = ({ method, path, bearer, body, form, headers }: Sent): APIGatewayProxyEventV2 => {
  const [target = '', ...rest] = path.split('?')
  const read = readRequestPath(target)
  if (!read) throw new Error(`no gateway forwards ${path}`)
  const match = findRoute(method, read.routePath)
  const rawQueryString = rest.join('?')
  const query = Object.fromEntries(new URLSearchParams(rawQueryString))
  const content = form
    ? String(new URLSearchParams(form))
    : body === undefined
      ? undefined
      : JSON.stringify(body)
  return {
    version: '2.0',
    routeKey: match.routeKey,
    rawPath: read.rawPath,
    rawQueryString,
    headers: {
      host: '127.0.0.1',
      'x-forwarded-for': '127.0.0.1',
      ...(content === undefined
        ? {}
        : { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...headers,
    },
    ...(rawQueryString === '' ? {} : { queryStringParameters: query }),
    ...(Object.keys(match.pathParameters).length > 0 ? { pathParameters: match.pathParameters } : {}),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: '127.0.0.1',
      domainPrefix: 'local',
      http: { method, path: read.rawPath, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'storm' },
      requestId: randomUUID(),
      routeKey: match.routeKey,
      stage: '$default',
      time: '27/Nov/2026:05:06:07 +0000',
      timeEpoch: Date.now(),
    },
    ...(content === undefined ? {} : { body: content }),
    isBase64Encoded: false,
  }
}

/** Sends a request to the handler of its function, without a network in between: most of its time is that of the handler. */
export const send = async (sent: Sent): Promise<Received> => {
  const event = buildEvent(sent)
  const { target } = findRoute(sent.method, event.rawPath)
  const { handler } = await loadHandler(target === '$default' ? 'unmatched' : target)
  const { result, calls } = await withCalls(() => handler(event, createLambdaContext()))
  const answer = result as APIGatewayProxyStructuredResultV2
  const headers = Object.fromEntries(
    Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
  const text = answer.isBase64Encoded
    ? Buffer.from(answer.body ?? '', 'base64').toString()
    : (answer.body ?? '')
  return { status: answer.statusCode ?? 200, headers, text, cookies: answer.cookies ?? [], calls }
}

/** Sends a request that prepares something, and returns the body of its answer. */
export const sendExpecting = async (status: number, sent: Sent): Promise<JsonValue> => {
  const answer = await send(sent)
  if (answer.status !== status)
    throw new Error(`${sent.method} ${sent.path}: ${answer.status} ${answer.text}`)
  return answer.text === '' ? undefined : JSON.parse(answer.text)
}
