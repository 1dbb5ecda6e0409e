import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { operations } from '../lib/features/operations.ts'
import type { GroupHandler } from '../lib/http/handler.ts'
import type { HttpEvent } from '../lib/http/http-types.ts'
import { listRoutes } from '../lib/kernel/contract/routes.ts'
import { day } from '../lib/kernel/util/time.ts'
import { createServices } from '../lib/services.ts'
import { createTable } from '../local/dynamodb.ts'
import { createRouter } from '../local/gateway/routes.ts'
import { httpEvent } from '../test/support/authorizer-events.ts'
import type { JsonValue } from '../test/support/client.ts'
import { createLambdaContext } from '../test/support/lambda-context.ts'
import { addPerson } from '../test/support/people.ts'
import type { CountedRequest } from './measure-function-calls.ts'
import type { CountedRequestName } from './recorded-costs.ts'

/*
 * Counts the calls of functions in single warm requests with the precise coverage of V8, and prints them as JSON.
 * `measure-function-calls.ts` starts it, with the flags of V8 that make the numbers exact.
 */

/** Other folders do not run in a deployment. */
const countedFolders = ['lib/', 'functions/']
/** After these, modules are loaded, caches are filled, and each further request calls the same functions. */
const warmUps = 5
const mostCounted = 10

const root = new URL('../', import.meta.url).href
const keyFolder = mkdtempSync(join(tmpdir(), 'latchkey-calls-'))
process.on('exit', () => rmSync(keyFolder, { recursive: true }))
const tableName = `latchkey-${randomUUID()}`
Object.assign(process.env, {
  TABLE_NAME: tableName,
  PUBLIC_URL: 'https://auth.example.com',
  MAIL_FROM: 'Latchkey <no-reply@example.com>',
  PASSWORD_COST: '4',
  LOG_LEVEL: 'info',
  BREACH_ENDPOINT: '',
  LOCAL_KEY_FILE: join(keyFolder, 'vault.key'),
})

// The service writes its log to the same place as the result, so its lines are dropped.
const print = process.stdout.write.bind(process.stdout)
process.stdout.write = () => true

// The clock stands still at noon, so that no slice of a rate limit ends and no day begins.
mock.timers.enable({ apis: ['Date'], now: (Math.floor(Date.now() / day) + 1.5) * day })

await createTable(process.env['DYNAMODB_ENDPOINT'] ?? '', tableName)
const services = createServices(process.env)
const findRoute = createRouter(listRoutes(operations))

interface Request {
  readonly bearer?: string | undefined
  readonly body?: unknown
  readonly organization?: number | undefined
}

/** The event that API Gateway sends for a request of `fetch` on a server. */
const buildEvent = (
  routeKey: string,
  { bearer, body, organization }: Request,
): { readonly event: HttpEvent; readonly group: string } => {
  const [method = '', url = ''] = routeKey.split(' ')
  const [path = '', query = ''] = url.split('?')
  const match = findRoute(method, path)
  const text = body === undefined ? '' : JSON.stringify(body)
  const parameters = Object.fromEntries(new URLSearchParams(query))
  const event: HttpEvent = {
    version: '2.0',
    routeKey: match.routeKey,
    rawPath: path,
    rawQueryString: query,
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip, deflate',
      'accept-language': '*',
      'content-length': String(text.length),
      host: 'auth.example.com',
      'sec-fetch-mode': 'cors',
      'user-agent': 'node',
      'x-forwarded-for': '192.0.2.1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(organization === undefined ? {} : { 'latchkey-organization': String(organization) }),
    },
    ...(query === '' ? {} : { queryStringParameters: parameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: 'auth.example.com',
      domainPrefix: 'auth',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'node' },
      requestId: 'e6f1c1c8-2a56-4b4e-9f5d-1f0a6f4f9a10',
      routeKey: match.routeKey,
      stage: '$default',
      time: '12/Mar/2026:19:03:58 +0000',
      timeEpoch: Date.now(),
    },
    pathParameters: { ...match.pathParameters },
    ...(text === '' ? {} : { body: text }),
    isBase64Encoded: false,
  }
  return { event, group: match.target }
}

/** Prepares a request, so that sending it runs nothing but the handler. */
const prepare = async (routeKey: string, request: Request = {}): Promise<() => Promise<JsonValue>> => {
  const { event, group } = buildEvent(routeKey, request)
  const { handler }: { handler: GroupHandler } = await import(`../functions/${group}/index.ts`)
  const context = createLambdaContext()
  return async () => {
    const { statusCode = 0, body = '' } = await handler(event, { ...context })
    if (statusCode >= 300) throw new Error(`${routeKey}: ${statusCode} ${body}`)
    return body === '' ? undefined : JSON.parse(body)
  }
}

const send = async (routeKey: string, request: Request = {}): Promise<JsonValue> =>
  (await prepare(routeKey, request))()

const inspector = new Session()
inspector.connect()
await inspector.post('Profiler.enable')

/** Returns the calls of each function since the last call of this one. */
const takeCalls = async (): Promise<CountedRequest> => {
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  const counted: [string, CountedRequest[string]][] = []
  for (const { url, functions } of result) {
    const file = url.startsWith(root) ? url.slice(root.length) : ''
    if (!countedFolders.some((folder) => file.startsWith(folder))) continue
    const calls = new Map<string, number>()
    for (const { functionName, ranges } of functions) {
      const count = ranges[0]?.count ?? 0
      const name = functionName || '(anonymous)'
      if (count > 0) calls.set(name, (calls.get(name) ?? 0) + count)
    }
    if (calls.size > 0) counted.push([file, Object.fromEntries(calls)])
  }
  return Object.fromEntries(counted)
}

const counted: Partial<Record<CountedRequestName, CountedRequest>> = {}

/**
 * Counts one warm request. Chance can add calls to it, such as a table connection that ends or an answer in two parts. So two requests
 * in a row must have the same calls.
 */
const count = async (name: CountedRequestName, request: () => Promise<unknown>): Promise<void> => {
  for (let sent = 0; sent < warmUps; sent++) await request()
  await takeCalls()
  for (let sent = 0; sent < mostCounted; sent++) {
    await request()
    const calls = await takeCalls()
    if (isDeepStrictEqual(calls, counted[name])) return
    counted[name] = calls
  }
  throw new Error(`Each request of ${name} calls other functions.`)
}

const addSignedIn = async (fields: Parameters<typeof addPerson>[1] = {}) => {
  const { user, password } = await addPerson({ services }, fields)
  const credentials = { username: user.username, password }
  const { session_key: bearer } = await send('POST /api/2/auth/login', { body: credentials })
  return { user, credentials, bearer: String(bearer) }
}

const admin = await addSignedIn({ permissions: ['system:admin-access'] })
const { id: organization } = await send('POST /api/2/organizations', {
  bearer: admin.bearer,
  body: { name: 'Acme', slug: 'acme' },
})
const member = await addSignedIn()
await send(`POST /api/2/organizations/${organization}/members`, {
  bearer: admin.bearer,
  body: { user: member.user.id, roles: ['owner'] },
})
const { token } = await send('POST /api/2/api-tokens', { bearer: admin.bearer, body: { name: 'Sync' } })
for (let added = 0; added < 25; added++) await addPerson({ services }, { email: `user-${added}@example.com` })
const { handler: authorize } = await import('../functions/authorizer/index.ts')
const authorizerEvent = httpEvent(admin.bearer)

await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
await count('whoAmI', await prepare('GET /api/2/users/me', { bearer: admin.bearer }))
await count('whoAmIWithApiToken', await prepare('GET /api/2/users/me', { bearer: String(token) }))
await count(
  'whoAmIInOrganization',
  await prepare('GET /api/2/users/me', { bearer: member.bearer, organization }),
)
await count('ticket', await prepare('POST /api/2/auth/ticket', { bearer: admin.bearer, body: {} }))
await count('authorizer', () => authorize(authorizerEvent))
await count('pageOfUsers', await prepare('GET /api/2/users?limit=20', { bearer: admin.bearer }))
await count('login', await prepare('POST /api/2/auth/login', { body: member.credentials }))
print(JSON.stringify(counted))
process.exit()
