import { anyMethod } from '../../lib/kernel/contract/routes.ts'
import { resolve } from '../infra/intrinsics.ts'
import { fits } from '../infra/policies.ts'
import { resourcesOf, type Synthesis, type Template } from '../infra/synthesis.ts'
import { account, factsOf, region } from './template-facts.ts'

/** The ARN that API Gateway uses to call the function of a route: with stage, method and path, or `$default`. */
const callerOf = (apiId: string, routeKey: string): string => {
  const request = routeKey.replace(`${anyMethod} `, 'GET').replace(' ', '')
  return `arn:aws:execute-api:${region}:${account}:${apiId}/$default/${request}`
}

/** The routes of the API with their target functions. Throws if a function does not allow the API to call it. */
export const routesOf = ({
  template,
  routes,
}: Pick<Synthesis, 'template' | 'routes'>): readonly { routeKey: string; target: string }[] => {
  const facts = factsOf(template, 'the-table')
  const [[apiId = ''] = []] = resourcesOf(template, 'AWS::ApiGatewayV2::Api')
  const permissions = resourcesOf(routes, 'AWS::Lambda::Permission').map(([, { Properties }]) => ({
    target: Properties.FunctionName['Fn::GetAtt'][0],
    callers: resolve(Properties.SourceArn ?? '', facts),
  }))
  return resourcesOf(routes, 'AWS::ApiGatewayV2::Route').map(([id, { Properties }]) => {
    const integration = routes.Resources[Properties.Target['Fn::Join'][1][1].Ref]?.Properties
    const target = integration.IntegrationUri['Fn::GetAtt'][0]
    const mayCall = permissions.some(
      (permission) =>
        permission.target === target && fits(permission.callers, callerOf(apiId, Properties.RouteKey)),
    )
    if (integration.PayloadFormatVersion !== '2.0' || !mayCall)
      throw new Error(`the route ${id} has no target that responds`)
    return { routeKey: Properties.RouteKey, target }
  })
}

/** What the stage of the API declares about requests: throttling. */
export const readGatewaySettings = (template: Template) => {
  const [[, stage] = []] = resourcesOf(template, 'AWS::ApiGatewayV2::Stage')
  const { ThrottlingRateLimit, ThrottlingBurstLimit } = stage?.Properties.DefaultRouteSettings ?? {}
  return {
    throttle: { rateLimit: ThrottlingRateLimit, burstLimit: ThrottlingBurstLimit },
  }
}
