import { Aws, NestedStack, RemovalPolicy } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import {
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
  type ThrottleSettings,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { operations } from '../../lib/features/operations.ts'
import type { Group } from '../../lib/kernel/contract/group.ts'
import { listRoutes } from '../../lib/kernel/contract/routes.ts'
import { acknowledge } from './newer-cdk.ts'

/** The fields of an access log line. Path, query and headers are left out because they can contain secrets. */
export const accessLogFields = {
  time: '$context.requestTime',
  requestId: '$context.requestId',
  routeKey: '$context.routeKey',
  httpMethod: '$context.httpMethod',
  status: '$context.status',
  sourceIp: '$context.identity.sourceIp',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
  responseBytes: '$context.responseLength',
} as const

export interface ApiProps {
  /** Whether clients also reach the service by the URL of API Gateway. */
  readonly hasDefaultUrl: boolean
}

/** Creates the HTTP API without routes, because the functions behind the routes need its URL. */
export const createApi = (scope: Construct, { hasDefaultUrl }: ApiProps): HttpApi =>
  new HttpApi(scope, 'Api', {
    apiName: 'latchkey',
    description: 'Latchkey: HTTP API of the authentication service',
    createDefaultStage: false,
    disableExecuteApiEndpoint: !hasDefaultUrl,
  })

/**
 * Adds the routes of all operations, their integrations and the permissions of the API to call functions. Requests for other
 * paths go to `unmatched`, which answers with 404. They have a stack of their own, because CloudFormation allows 500 resources
 * in each. No route is greedy: a path has its own name in the access log.
 */
export const addRoutes = (
  scope: Construct,
  httpApi: HttpApi,
  functions: Readonly<Record<Group | 'unmatched', IFunction>>,
): NestedStack => {
  const routes = new NestedStack(scope, 'Routes', { description: 'Latchkey: routes of the HTTP API' })
  const integrations = new Map(
    Object.entries(functions).map(([name, target]) => [
      name,
      // One permission covers all routes of a function. Its `/*/*/*` does not match `$default`, which has no path.
      new HttpLambdaIntegration(name, target, { scopePermissionToRoute: name === 'unmatched' }),
    ]),
  )
  const add = (id: string, routeKey: HttpRouteKey, target: Group | 'unmatched') => {
    const integration = integrations.get(target)
    if (!integration) throw new Error(`The route ${id} has no function.`)
    const route = new HttpRoute(routes, id, { httpApi, routeKey, integration })
    acknowledge(route, {
      id: 'AwsSolutions-APIG4',
      reason:
        'Credentials are opaque and can be revoked at any time, so each function looks them up in the read that every request needs anyway. Each operation declares who may call it.',
    })
  }
  // The IDs depend on the route alone: CloudFormation cannot create a route again under another ID, or in another stack.
  for (const { routeKey, method, path, target } of listRoutes(operations))
    add(routeKey, HttpRouteKey.with(path, HttpMethod[method]), target)
  add('unmatched', HttpRouteKey.DEFAULT, 'unmatched')
  return routes
}

export interface StageProps {
  readonly throttle: Required<ThrottleSettings>
  readonly logRetention: RetentionDays
}

/** Adds the only stage, which does not appear in paths. */
export const addStage = (httpApi: HttpApi, { throttle, logRetention }: StageProps): HttpStage =>
  new HttpStage(httpApi, 'Stage', {
    httpApi,
    stageName: '$default',
    autoDeploy: true,
    throttle,
    accessLogSettings: {
      destination: new LogGroupLogDestination(
        new LogGroup(httpApi, 'AccessLog', {
          // API Gateway adds each log group to a resource policy of 5,120 characters, except under this prefix.
          logGroupName: `/aws/vendedlogs/${Aws.STACK_NAME}-access-${httpApi.node.addr.slice(-8)}`,
          retention: logRetention,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
      ),
      format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
    },
  })
