import { randomUUID } from 'node:crypto'
import aws4 from 'aws4'
import { startStub } from '../infra/stub-server.ts'
import type { JsonValue } from './client.ts'
import type { TestService } from './service.ts'

const functionArn = 'arn:aws:lambda:local:000000000000:function:config'
/** Who signs requests here, unless a test says otherwise. */
export const deployerArn = 'arn:aws:sts::111122223333:assumed-role/Deployer/ann'

export interface ConfigRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Who IAM says signed it. Null for nobody. */
  readonly userArn?: string | null
  /** By which name the function is invoked. The URL has an alias. */
  readonly invokedAs?: string
  /** The body as it is, instead of as JSON. */
  readonly raw?: string
  /** The product whose alias is called, of the function of products. */
  readonly product?: string
}

/** The event of a request to the URL of the function, as Lambda builds it. */
const buildUrlEvent = (
  path: string,
  body: string,
  { method = 'POST', headers = {}, userArn = deployerArn }: ConfigRequest,
) => ({
  version: '2.0',
  routeKey: '$default',
  rawPath: path,
  rawQueryString: '',
  headers: { 'content-type': 'application/json', ...headers },
  requestContext: {
    ...{ accountId: '111122223333', apiId: 'config', domainName: 'config.lambda-url.eu-west-1.on.aws' },
    ...{ domainPrefix: 'config', requestId: randomUUID(), routeKey: '$default', stage: '$default' },
    ...(userArn === null ? {} : { authorizer: { iam: { accountId: '111122223333', userArn } } }),
    http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.7', userAgent: 'latchkey' },
    time: '26/Nov/2026:00:00:00 +0000',
    timeEpoch: Date.now(),
  },
  body,
  isBase64Encoded: false,
})

export interface ConfigAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonValue
}

const nameAlias = ({ product }: ConfigRequest): string =>
  product === undefined ? `${functionArn}:url` : `${functionArn}-product:${product}-url`

/** Sends a request to the function, as IAM lets it through. */
export const sendConfig = async (
  service: TestService,
  path: string,
  body: object,
  request: ConfigRequest = {},
): Promise<ConfigAnswer> => {
  const event = buildUrlEvent(path, request.raw ?? JSON.stringify(body), request)
  const answer = await service.invokeConfig(
    event,
    request.invokedAs ?? nameAlias(request),
    request.product === undefined ? 'config' : 'config-product',
  )
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) }
}

/** Plans a document and applies it, as the command does. Returns the answer to the second request, or a refusal of the first. */
export const applyByFunction = async (
  service: TestService,
  document: object,
  more: { readonly prune?: boolean; readonly secrets?: Readonly<Record<string, string>> } = {},
  request: ConfigRequest = {},
): Promise<ConfigAnswer & { readonly changes: JsonValue[] }> => {
  const planned = await sendConfig(service, '/plan', { document, ...more }, request)
  if (planned.status !== 200) return { ...planned, changes: [] }
  const { plan, changes } = planned.body
  return { ...(await sendConfig(service, '/apply', { document, ...more, plan }, request)), changes }
}

/** The credentials of a command in these tests. */
export const deployerEnvironment = {
  AWS_ACCESS_KEY_ID: 'AKIDDEPLOYER',
  AWS_SECRET_ACCESS_KEY: 'the-secret-of-the-deployer',
  AWS_SESSION_TOKEN: 'the-session-of-the-deployer',
  AWS_REGION: 'eu-west-1',
}

export interface FunctionUrl {
  readonly url: string
  /** The bodies of requests that were signed. */
  readonly bodies: readonly string[]
  readonly close: () => Promise<void>
}

/** Plays the URL of the function: it refuses requests that the deployer has not signed, and passes on the others. */
export const startFunctionUrl = async (
  service: TestService,
  /** By which name Lambda says that the function was invoked. */
  { invokedAs }: Pick<ConfigRequest, 'invokedAs'> = {},
): Promise<FunctionUrl> => {
  const bodies: string[] = []
  const stub = await startStub(async ({ path, headers, body }) => {
    if (!isSigned(path, headers, body)) return { status: 403, body: '{"Message":"Forbidden"}' }
    bodies.push(body)
    const answer = await sendConfig(
      service,
      path,
      {},
      {
        ...{ raw: body, headers: pickHeaders(headers) },
        ...(invokedAs === undefined ? {} : { invokedAs }),
      },
    )
    return { status: answer.status, headers: answer.headers, body: JSON.stringify(answer.body) }
  })
  return { url: stub.url, bodies, close: stub.close }
}

const pickHeaders = ({ 'content-type': type = '' }: StubHeaders) => ({ 'content-type': String(type) })

type StubHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** Signs what arrived again, and compares. */
const isSigned = (path: string, headers: StubHeaders, body: string): boolean => {
  const { authorization = '' } = headers
  const [, names = ''] = /SignedHeaders=([\w;-]+)/.exec(String(authorization)) ?? []
  const signed = Object.fromEntries(names.split(';').map((name) => [name, String(headers[name])]))
  const request = { method: 'POST', path, service: 'lambda', region: 'eu-west-1', headers: signed, body }
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = deployerEnvironment
  const again = aws4.sign(request, {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN,
  })
  return names.includes('host') && again.headers?.['Authorization'] === authorization
}
