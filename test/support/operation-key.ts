import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { operations } from '../../lib/features/operations.ts'
import { nameRoute } from '../../lib/http/name-route.ts'

const toNamed = nameRoute(operations)

/** Each request is asked about several times. */
const known = new WeakMap<APIGatewayProxyEventV2, string>()

/** The operation of a request as method and path, for a route that takes more than it as well: `GET /api/2/users/{id}`. */
export const operationKeyOf = (event: APIGatewayProxyEventV2): string => {
  const key = known.get(event) ?? findOperationKey(event)
  known.set(event, key)
  return key
}

const findOperationKey = (event: APIGatewayProxyEventV2): string => {
  const { routeKey, requestContext } = toNamed(event)
  const [, path] = routeKey.split(' ')
  return path === undefined ? routeKey : `${requestContext.http.method} ${path}`
}
