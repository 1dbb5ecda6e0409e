import { anyMethod } from '../../lib/kernel/contract/routes.ts'
import { resolve } from '../infra/intrinsics.ts'
import { fits } from '../infra/policies.ts'
import { type Resource, resourcesOf, type Synthesis, type Template } from '../infra/synthesis.ts'
import type { JsonValue } from '../support/client.ts'
import { account, factsOf, region } from './template-facts.ts'

/*
 * What API Gateway makes of the definition of an HTTP API. It refuses what is not in the Developer Guide, "Working with API Gateway
 * extensions to OpenAPI", or above its quotas, because a definition fails on warnings.
 */

/** The ARN that API Gateway uses to call the function of a route: with stage, method and path, or `$default`. */
const callerOf = (apiId: string, routeKey: string): string => {
  const request = routeKey.replace(`${anyMethod} `, 'GET').replace(' ', '')
  return `arn:aws:execute-api:${region}:${account}:${apiId}/$default/${request}`
}

/** Quotas of an HTTP API. */
const quotas = { routes: 300, integrations: 300, stageVariables: 100, nameLength: 64 } as const

const requireKeys = (value: JsonValue, allowed: readonly string[], what: string): void => {
  const unknown = Object.keys(value).filter((key) => !allowed.includes(key))
  if (unknown.length > 0)
    throw new Error(`${what} has ${unknown.join(', ')}, which API Gateway does not know.`)
}

const onlyOne = (template: Template, type: string): readonly [string, Resource] => {
  const [found, ...others] = resourcesOf(template, type)
  if (!found || others.length > 0) throw new Error(`There is not one ${type}.`)
  return found
}

const anyMethodKey = 'x-amazon-apigateway-any-method'
const integrationKey = 'x-amazon-apigateway-integration'
const reference = `#/components/${integrationKey}s/`
const integrationOf =
  /^arn:aws:apigateway:local:lambda:path\/2015-03-31\/functions\/arn:aws:lambda:local:\d{12}:function:\$\{stageVariables\.(\w+)\}\/invocations$/

/** Reads the routes of a definition with the variables of the stage that name their functions. */
const readDefinition = (body: JsonValue): readonly { routeKey: string; variable: string }[] => {
  requireKeys(body, ['openapi', 'info', 'servers', 'tags', 'paths', 'components'], 'The definition')
  requireKeys(body.components, [`${integrationKey}s`], 'components')
  if (!/^3\.0\.\d$/.test(body.openapi) || !body.info.title || !body.info.version)
    throw new Error('The definition is no OpenAPI document of version 3.0 with title and version.')
  const integrations: Record<string, JsonValue> = body.components[`${integrationKey}s`]
  const variableOf = (name: string): string => {
    const { type, httpMethod, connectionType, payloadFormatVersion, uri, ...others } = integrations[name]
    requireKeys(others, [], name)
    const [, variable] = integrationOf.exec(uri) ?? []
    if (type !== 'AWS_PROXY' || httpMethod !== 'POST' || connectionType !== 'INTERNET' || !variable)
      throw new Error(`The integration ${name} calls no function.`)
    if (payloadFormatVersion !== '2.0') throw new Error(`The integration ${name} has another payload format.`)
    return variable
  }
  const routes = Object.entries<JsonValue>(body.paths).flatMap(([path, { parameters = [], ...methods }]) => {
    const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
    if (parameters.map(({ name }: JsonValue) => name).join() !== names.join())
      throw new Error(`The path ${path} does not state its parameters.`)
    return Object.entries<JsonValue>(methods).map(([method, operation]) => {
      requireKeys(operation, ['responses', 'isDefaultRoute', integrationKey], `${method} ${path}`)
      const name = operation[integrationKey].$ref.replace(reference, '')
      if (!Object.hasOwn(integrations, name)) throw new Error(`There is no integration ${name}.`)
      const isDefault = path === '/$default'
      if (isDefault !== Boolean(operation.isDefaultRoute)) throw new Error(`${path} is no default route.`)
      const verb = method === anyMethodKey ? anyMethod : method.toUpperCase()
      if (!/^(ANY|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(verb))
        throw new Error(`${method} is no method.`)
      return { routeKey: isDefault ? '$default' : `${verb} ${path}`, variable: variableOf(name) }
    })
  })
  if (routes.length > quotas.routes || Object.keys(integrations).length > quotas.integrations)
    throw new Error('The API has more routes or integrations than its quotas.')
  return routes
}

/** Returns the variables of the stage, each with the function that it names. */
const readStageVariables = (stage: JsonValue): ReadonlyMap<string, string> => {
  const variables = Object.entries<JsonValue>(stage.StageVariables)
  if (variables.length > quotas.stageVariables) throw new Error('The stage has too many variables.')
  for (const [name] of variables)
    if (!/^\w+$/.test(name) || name.length > quotas.nameLength)
      throw new Error(`${name} is no name of a variable.`)
  return new Map(variables.map(([name, { Ref }]) => [name, Ref]))
}

/**
 * The routes of the API with their target functions. Throws if API Gateway refuses the definition, if a function does not allow the API
 * to call it, or if a request could reach it before it does.
 */
export const routesOf = ({
  template,
  permissions: permissionsTemplate,
}: Pick<Synthesis, 'template' | 'permissions'>): readonly { routeKey: string; target: string }[] => {
  const facts = factsOf(template, 'the-table')
  const [apiId, api] = onlyOne(template, 'AWS::ApiGatewayV2::Api')
  requireKeys(api.Properties, ['Body', 'FailOnWarnings', 'DisableExecuteApiEndpoint', 'Tags'], 'The API')
  if (api.Properties.FailOnWarnings !== true) throw new Error('The definition does not fail on warnings.')
  const [, stage] = onlyOne(template, 'AWS::ApiGatewayV2::Stage')
  const [deploymentId, deployment] = onlyOne(template, 'AWS::ApiGatewayV2::Deployment')
  if (stage.Properties.AutoDeploy || stage.Properties.DeploymentId?.Ref !== deploymentId)
    throw new Error('The stage does not show a deployment of its own.')
  const waitsFor = [deployment.DependsOn ?? []].flat()
  const [permissionsId] =
    resourcesOf(template, 'AWS::CloudFormation::Stack').find(([id]) => id.includes('Permissions')) ?? []
  if (!waitsFor.some((id) => id === permissionsId))
    throw new Error('A route can exist before its permission.')
  const permissions = resourcesOf(permissionsTemplate, 'AWS::Lambda::Permission').map(
    ([, { Properties }]) => ({
      target: Properties.FunctionName['Fn::GetAtt'][0],
      callers: resolve(Properties.SourceArn ?? '', facts),
    }),
  )
  const variables = readStageVariables(stage.Properties)
  return readDefinition(resolve(api.Properties.Body, facts)).map(({ routeKey, variable }) => {
    const target = variables.get(variable)
    const mayCall = permissions.some(
      (permission) => permission.target === target && fits(permission.callers, callerOf(apiId, routeKey)),
    )
    if (target === undefined || !mayCall)
      throw new Error(`The route ${routeKey} has no target that responds.`)
    return { routeKey, target }
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
