import type { APIGatewayProxyEventV2 } from 'aws-lambda'

/** The operation of a request as method and path, for a route that takes every method as well: `GET /api/2/users/{id}`. */
export const operationKeyOf = ({
  routeKey,
  requestContext,
}: Pick<APIGatewayProxyEventV2, 'routeKey' | 'requestContext'>): string => {
  const [, path] = routeKey.split(' ')
  return path === undefined ? routeKey : `${requestContext.http.method} ${path}`
}
