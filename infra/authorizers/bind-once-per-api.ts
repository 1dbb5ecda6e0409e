import type { IHttpApi, IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2'
import type { IDependable } from 'constructs'

/** The authorizers of each API by their ID. An API can have ten. */
const bound = new WeakMap<IHttpApi, Map<string, IHttpRouteAuthorizer>>()

/**
 * Makes an authorizer that can be used for the routes of several APIs, and that each API has only once. The CDK's own belong
 * to one API, and two with the same ID collide.
 *
 * @param dependencies what has to be deployed before the authorizer
 */
export const bindOncePerApi = (
  id: string,
  create: (id: string) => IHttpRouteAuthorizer,
  dependencies: readonly IDependable[] = [],
): IHttpRouteAuthorizer => ({
  bind: (options) => {
    const { httpApi } = options.route
    const known = bound.get(httpApi) ?? new Map<string, IHttpRouteAuthorizer>()
    bound.set(httpApi, known)
    const existing = known.get(id)
    if (existing) return existing.bind(options)
    const authorizer = create(id)
    known.set(id, authorizer)
    const config = authorizer.bind(options)
    options.scope.node.findChild(id).node.addDependency(...dependencies)
    return config
  },
})
