import type {
  APIGatewayRequestAuthorizerEvent,
  APIGatewayRequestAuthorizerEventV2,
  APIGatewayTokenAuthorizerEvent,
  AppSyncAuthorizerEvent,
} from 'aws-lambda'
import type { JsonValue } from './client.ts'

/*
 * Events of Lambda authorizers. Each has the fields that the documentation of AWS shows, with values of our own.
 */

interface SentRequest {
  readonly method?: string
  /** Header lines as a client sends them. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
}

const host = 'abcdef123.execute-api.eu-west-1.amazonaws.com'
const account = '111122223333'
const requestId = 'e6f1c1c8-2a56-4b4e-9f5d-1f0a6f4f9a10'
export const methodArn = `arn:aws:execute-api:eu-west-1:${account}:abcdef123/test/GET/films/7`
export const stageArn = `arn:aws:execute-api:eu-west-1:${account}:abcdef123/test/*`

const bearerHeaders = (bearer: string | undefined): [string, string][] =>
  bearer === undefined ? [] : [['Authorization', `Bearer ${bearer}`]]

/** The headers of one name, in the order in which they were sent. */
const groupHeaders = (lines: SentRequest['headers'], nameOf: (name: string) => string) =>
  [...Map.groupBy(lines ?? [], ([name]) => nameOf(name))].map(
    ([name, list]) => [name, list.map(([, value]) => value)] as const,
  )

/**
 * "Control access to HTTP APIs with AWS Lambda authorizers", payload format 2.0. Names of headers are lowercase, repeated
 * ones are joined with commas, and cookies are apart.
 */
export const httpEvent = (
  bearer?: string,
  { method = 'GET', headers = bearerHeaders(bearer) }: SentRequest = {},
): APIGatewayRequestAuthorizerEventV2 => {
  const grouped = groupHeaders(headers, (name) => name.toLowerCase())
  const cookies = grouped.flatMap(([name, values]) =>
    name === 'cookie' ? values.flatMap((value) => value.split(/; ?/)) : [],
  )
  return {
    version: '2.0',
    type: 'REQUEST',
    routeArn: methodArn,
    identitySource: grouped.flatMap(([name, values]) => (name === 'authorization' ? values : [])),
    routeKey: `${method} /films/{id}`,
    rawPath: '/films/7',
    rawQueryString: '',
    cookies,
    headers: Object.fromEntries(
      grouped.flatMap(([name, values]) => (name === 'cookie' ? [] : [[name, values.join(',')]])),
    ),
    requestContext: {
      accountId: account,
      apiId: 'abcdef123',
      domainName: host,
      domainPrefix: 'abcdef123',
      http: { method, path: '/films/7', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'agent' },
      requestId,
      routeKey: `${method} /films/{id}`,
      stage: 'test',
      time: '12/Mar/2026:19:03:58 +0000',
      timeEpoch: 1773342238000,
    },
    pathParameters: { id: '7' },
    stageVariables: {},
  }
}

/**
 * "Input to an API Gateway Lambda authorizer", type REQUEST. REST APIs pass names of headers as they were sent. `headers`
 * has the last value of a name, `multiValueHeaders` all of them.
 */
export const restEvent = (
  bearer?: string,
  { method = 'GET', headers = bearerHeaders(bearer) }: SentRequest = {},
): APIGatewayRequestAuthorizerEvent => {
  const grouped = groupHeaders(headers, (name) => name)
  const event: JsonValue = {
    type: 'REQUEST',
    methodArn,
    resource: '/films/{id}',
    path: '/films/7',
    httpMethod: method,
    headers: Object.fromEntries(grouped.map(([name, values]) => [name, values.at(-1)])),
    multiValueHeaders: Object.fromEntries(grouped),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: { id: '7' },
    stageVariables: null,
    requestContext: {
      path: '/films/7',
      accountId: account,
      resourceId: 'abc123',
      stage: 'test',
      requestId,
      identity: { sourceIp: '192.0.2.1', userAgent: 'agent' },
      resourcePath: '/films/{id}',
      httpMethod: method,
      apiId: 'abcdef123',
    },
  }
  return event
}

interface EarlierHttpEvent extends APIGatewayRequestAuthorizerEvent {
  readonly version: string
  readonly identitySource: string | undefined
  readonly authorizationToken: string | undefined
}

/** "Control access to HTTP APIs with AWS Lambda authorizers", payload format 1.0: as in a REST API, but with a version. */
export const earlierHttpEvent = (bearer?: string, request?: SentRequest): EarlierHttpEvent => {
  const event = restEvent(bearer, request)
  const token = event.headers?.['Authorization']
  return {
    ...event,
    version: '1.0',
    multiValueHeaders: null,
    multiValueQueryStringParameters: null,
    identitySource: token,
    authorizationToken: token,
  }
}

/** "Input to an API Gateway Lambda authorizer", type TOKEN. The token is the whole header. */
export const tokenEvent = (authorizationToken: string): APIGatewayTokenAuthorizerEvent => ({
  type: 'TOKEN',
  authorizationToken,
  methodArn,
})

/** "Authorization and authentication" of AppSync, AWS_LAMBDA authorization. */
export const graphqlEvent = (authorizationToken: string): AppSyncAuthorizerEvent => ({
  authorizationToken,
  requestContext: {
    apiId: 'aaaaaa123123123example123',
    accountId: account,
    requestId,
    queryString: 'query Film { film(id: 7) { name } }',
    operationName: 'Film',
    variables: {},
  },
  requestHeaders: { host: 'example.appsync-api.eu-west-1.amazonaws.com' },
})
