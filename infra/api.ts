import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import {
  CorsHttpMethod,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
  type ThrottleSettings,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import { NagSuppressions } from 'cdk-nag'
import type { Construct } from 'constructs'
import type { Group } from '../lib/contract/operation.ts'
import { operations } from '../lib/contract/operations.ts'

/** One line a request. Neither path nor query nor any header is in it: they can hold secrets. */
export const accessLogFields = {
  time: '$context.requestTime',
  requestId: '$context.requestId',
  routeKey: '$context.routeKey',
  status: '$context.status',
  sourceIp: '$context.identity.sourceIp',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
  responseBytes: '$context.responseLength',
} as const

export interface ApiProps {
  /** Origins whose pages may call the service from a browser, with a bearer credential. */
  readonly allowedOrigins: readonly string[]
  /** Whether the service is reached by a name of its own only. */
  readonly hasDomain: boolean
}

/** The HTTP API, still without routes, since the functions behind them need to know its URL. */
export const createApi = (scope: Construct, { allowedOrigins, hasDomain }: ApiProps): HttpApi =>
  new HttpApi(scope, 'Api', {
    apiName: 'latchkey',
    description: 'Latchkey: the HTTP interface of the authentication service',
    createDefaultStage: false,
    disableExecuteApiEndpoint: hasDomain,
    ...(allowedOrigins.length > 0
      ? {
          corsPreflight: {
            allowOrigins: [...allowedOrigins],
            allowMethods: [
              CorsHttpMethod.GET,
              CorsHttpMethod.POST,
              CorsHttpMethod.PUT,
              CorsHttpMethod.PATCH,
              CorsHttpMethod.DELETE,
            ],
            allowHeaders: ['authorization', 'content-type'],
            exposeHeaders: ['Link', 'Location', 'X-Request-Id', 'Retry-After'],
            maxAge: Duration.hours(1),
          },
        }
      : {}),
  })

/** A route for each operation to the function of its group; whatever is left goes to `unmatched`, for a 404 or 405. */
export const addRoutes = (
  httpApi: HttpApi,
  functions: Readonly<Record<Group | 'unmatched', IFunction>>,
): void => {
  const integrations = new Map(
    Object.entries(functions).map(([name, target]) => [
      name,
      // One permission for all routes of a function; its `/*/*/*` isn't met by `$default`, which stands for the path too.
      new HttpLambdaIntegration(name, target, { scopePermissionToRoute: name === 'unmatched' }),
    ]),
  )
  const add = (id: string, routeKey: HttpRouteKey, target: Group | 'unmatched') => {
    const integration = integrations.get(target)
    if (!integration) throw new Error(`There is no function for ${id}.`)
    const route = new HttpRoute(httpApi, id, { httpApi, routeKey, integration })
    NagSuppressions.addResourceSuppressions(route, [
      {
        id: 'AwsSolutions-APIG4',
        reason:
          'Credentials are opaque and die at once, so each function looks them up itself, in the one read that a request needs anyway. Who may call what is declared with each operation.',
      },
    ])
  }
  for (const { id, method, path, group } of operations) {
    add(id, HttpRouteKey.with(path, HttpMethod[method]), group)
  }
  add('unmatched', HttpRouteKey.DEFAULT, 'unmatched')
}

export interface StageProps {
  readonly domain: { readonly name: string; readonly certificateArn: string } | undefined
  readonly throttle: Required<ThrottleSettings>
  readonly logRetention: RetentionDays
}

/** The one stage, which has no name in the path; returns where to point the DNS name, if there is one. */
export const addStage = (
  httpApi: HttpApi,
  { domain, throttle, logRetention }: StageProps,
): string | undefined => {
  const domainName =
    domain &&
    new DomainName(httpApi, 'Domain', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(httpApi, 'Certificate', domain.certificateArn),
    })
  new HttpStage(httpApi, 'Stage', {
    httpApi,
    stageName: '$default',
    autoDeploy: true,
    throttle,
    accessLogSettings: {
      destination: new LogGroupLogDestination(
        new LogGroup(httpApi, 'AccessLog', { retention: logRetention, removalPolicy: RemovalPolicy.DESTROY }),
      ),
      format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
    },
    ...(domainName ? { domainMapping: { domainName } } : {}),
  })
  return domainName?.regionalDomainName
}
