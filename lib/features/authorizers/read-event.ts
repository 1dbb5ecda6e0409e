import type {
  APIGatewayRequestAuthorizerEvent,
  APIGatewayRequestAuthorizerEventV2,
  APIGatewayTokenAuthorizerEvent,
  AppSyncAuthorizerEvent,
} from 'aws-lambda'

/** What API Gateway and AppSync send, each in its own form. */
export type AuthorizerEvent =
  | APIGatewayRequestAuthorizerEventV2
  | APIGatewayRequestAuthorizerEvent
  | APIGatewayTokenAuthorizerEvent
  | AppSyncAuthorizerEvent

/** Who asks, which decides the form of the answer: an HTTP API with payload 2.0 or 1.0, a REST API, or AppSync. */
export type Platform = 'http-2' | 'http-1' | 'rest' | 'graphql'

/** A request in the same form for each platform. Names of headers are lowercase. */
export interface AuthorizerRequest {
  readonly platform: Platform
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly cookies: string[]
  /** Empty if the platform does not name it. It then counts as a change. */
  readonly method: string
  /** The ARN of all methods of the stage that is called. Empty for AppSync. */
  readonly stageArn: string
  readonly requestId: string | undefined
}

/** Reads the event of any platform. @throws Error for an event of another form */
export const readEvent = (event: AuthorizerEvent): AuthorizerRequest => {
  if (!isFromApiGateway(event)) return readGraphqlEvent(event)
  if (event.type === 'TOKEN') return readTokenEvent(event)
  return 'routeArn' in event ? readHttpEvent(event) : readRequestEvent(event)
}

const isFromApiGateway = (
  event: AuthorizerEvent,
): event is Exclude<AuthorizerEvent, AppSyncAuthorizerEvent> => 'type' in event

/**
 * The ARN of all methods of a stage. API Gateway keeps a policy for the credential and uses it for other methods as well,
 * and a policy for one method would deny those.
 */
const toStageArn = (methodArn: string): string => {
  const [api, stage] = methodArn.split('/')
  if (!api?.startsWith('arn:') || !stage) throw new Error('The event names no method.')
  return `${api}/${stage}/*`
}

/** Clients of AppSync send the token with or without `Bearer`. */
const readGraphqlEvent = ({
  authorizationToken,
  requestContext,
}: AppSyncAuthorizerEvent): AuthorizerRequest => {
  const isBare = /^\S+$/.test(authorizationToken)
  return {
    ...unnamed,
    platform: 'graphql',
    headers: { authorization: isBare ? `Bearer ${authorizationToken}` : authorizationToken },
    requestId: requestContext.requestId,
  }
}

const readTokenEvent = ({
  authorizationToken,
  methodArn,
}: APIGatewayTokenAuthorizerEvent): AuthorizerRequest => ({
  ...unnamed,
  platform: 'rest',
  headers: { authorization: authorizationToken },
  stageArn: toStageArn(methodArn),
})

const readHttpEvent = (event: APIGatewayRequestAuthorizerEventV2): AuthorizerRequest => ({
  platform: 'http-2',
  headers: joinHeaders(event.headers, undefined),
  cookies: [...(event.cookies ?? [])],
  method: event.requestContext.http.method,
  stageArn: toStageArn(event.routeArn),
  requestId: event.requestContext.requestId,
})

const readRequestEvent = (event: APIGatewayRequestAuthorizerEvent): AuthorizerRequest => {
  const headers = joinHeaders(event.headers, event.multiValueHeaders)
  return {
    // Only events of HTTP APIs have a version.
    platform: 'version' in event ? 'http-1' : 'rest',
    headers,
    cookies: headers['cookie']?.split(';') ?? [],
    method: event.httpMethod ?? '',
    stageArn: toStageArn(event.methodArn),
    requestId: event.requestContext?.requestId,
  }
}

const unnamed = { cookies: [], method: '', stageArn: '', requestId: undefined }

type Headers = Readonly<Record<string, string | undefined>> | null | undefined
type MultiHeaders = Readonly<Record<string, readonly string[] | undefined>> | null | undefined

/**
 * Joins headers whose names differ only in case, as REST APIs pass them on, and repeated ones. Two credentials in a request
 * then are no valid credential, because it is unclear which one counts.
 */
const joinHeaders = (headers: Headers, multiHeaders: MultiHeaders): Record<string, string | undefined> => {
  const joined: Record<string, string | undefined> = Object.create(null)
  const all = Object.keys(multiHeaders ?? {}).length > 0 ? multiHeaders : headers
  for (const [sentName, values] of Object.entries(all ?? {})) {
    const name = sentName.toLowerCase()
    const separator = name === 'cookie' ? '; ' : ', '
    const known = joined[name] === undefined ? [] : [joined[name]]
    joined[name] = [...known, ...[values ?? []].flat()].join(separator)
  }
  return joined
}
