import { createHash } from 'node:crypto'
import { Aws, Lazy, NestedStack, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import {
  type CfnApi,
  CfnAuthorizer,
  CfnDeployment,
  CfnIntegration,
  CfnRoute,
  type CfnStage,
  HttpApi,
  HttpStage,
  LogGroupLogDestination,
  type ThrottleSettings,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { CfnPermission, type IFunction } from 'aws-cdk-lib/aws-lambda'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct, IConstruct, IDependable } from 'constructs'
import { operations } from '../../lib/features/operations.ts'
import type { Group } from '../../lib/kernel/contract/group.ts'
import { anyMethod, type GroupRoute, listRoutes, requireOwnGroup } from '../../lib/kernel/contract/routes.ts'
import { pascalCase } from './functions.ts'

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

type Target = Group | 'unmatched'

export interface ApiProps {
  /** Whether clients also reach the service by the URL of API Gateway. */
  readonly hasDefaultUrl: boolean
  /** The routes of all operations by default. */
  readonly routes?: readonly GroupRoute[]
}

const description = 'Latchkey: HTTP API of the authentication service'

const listServiceRoutes = (): readonly GroupRoute[] => {
  const routes = listRoutes(operations)
  requireOwnGroup(operations, routes)
  return routes
}

/**
 * Creates the HTTP API from one definition with all routes and integrations, because API Gateway takes 10 calls a second in an
 * account, and CloudFormation would send one for each. Requests for other paths go to `unmatched`, which answers with 404.
 *
 * The functions behind the API need its URL, so the definition does not refer to them: the stage has their names. Nothing of it is live
 * before `addStage` deploys it.
 */
export const createApi = (
  scope: Construct,
  { hasDefaultUrl, routes = listServiceRoutes() }: ApiProps,
): HttpApi => {
  const httpApi = new HttpApi(scope, 'Api', {
    createDefaultStage: false,
    disableExecuteApiEndpoint: !hasDefaultUrl,
  })
  const api = httpApi.node.defaultChild as CfnApi
  api.body = {
    openapi: '3.0.1',
    info: { title: 'latchkey', description, version: '2' },
    // A definition replaces what the properties of the API say.
    servers: [
      {
        url: '/',
        'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: !hasDefaultUrl },
      },
    ],
    tags: Lazy.any(
      {
        produce: () =>
          Object.entries(api.tags.tagValues()).map(([name, value]) => ({
            name,
            'x-amazon-apigateway-tag-value': value,
          })),
      },
      { omitEmptyArray: true },
    ),
    ...describeRoutes(routes),
  }
  // Otherwise, API Gateway leaves out what it does not understand, and the deployment succeeds.
  api.failOnWarnings = true
  for (const name of ['Name', 'ProtocolType', 'Description']) api.addPropertyDeletionOverride(name)
  refuseOtherRoutes(httpApi)
  return httpApi
}

/** API Gateway deletes what the definition does not contain as soon as that changes. */
const refuseOtherRoutes = (httpApi: HttpApi): void =>
  httpApi.node.addValidation({
    validate: () =>
      httpApi.node.root.node
        .findAll()
        .filter((one) => isPartOfApi(one) && one.apiId === httpApi.apiId)
        .map(
          ({ node }) =>
            `${node.path} cannot be part of the API of the service, because each release replaces its routes. Add it to an HttpApi of your own. An ApiMapping with domainName of the service makes it a path there.`,
        ),
  })

const isPartOfApi = (one: IConstruct): one is CfnRoute | CfnIntegration | CfnAuthorizer =>
  one instanceof CfnRoute || one instanceof CfnIntegration || one instanceof CfnAuthorizer

const integrations = 'x-amazon-apigateway-integrations'

/** Variables of a stage have no hyphens. */
const variableOf = (target: Target): string => target.replaceAll('-', '_')

/** The part of the definition that a deployment makes live. Each function has one integration. */
const describeRoutes = (routes: readonly GroupRoute[]) => {
  const targets = [...new Set<Target>([...routes.map(({ target }) => target), 'unmatched'])].sort()
  const paths = new Map<string, Record<string, object>>()
  // The order of operations is no reason for another deployment.
  for (const { method, path, target } of routes.toSorted((a, b) => (a.routeKey < b.routeKey ? -1 : 1))) {
    const key = method === anyMethod ? 'x-amazon-apigateway-any-method' : method.toLowerCase()
    paths.set(path, { ...(paths.get(path) ?? listParameters(path)), [key]: describeRoute(target) })
  }
  return {
    paths: {
      ...Object.fromEntries(paths),
      '/$default': {
        'x-amazon-apigateway-any-method': { isDefaultRoute: true, ...describeRoute('unmatched') },
      },
    },
    components: {
      [integrations]: Object.fromEntries(targets.map((target) => [target, describeIntegration(target)])),
    },
  }
}

const describeRoute = (target: Target) => ({
  responses: { default: { description: `Answered by ${target}` } },
  'x-amazon-apigateway-integration': { $ref: `#/components/${integrations}/${target}` },
})

/** The parameters of a path, as an export of API Gateway has them. */
const listParameters = (path: string) => {
  const names = [...path.matchAll(/\{(\w+\+?)\}/g)].map(([, name = '']) => name)
  const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  return parameters.length > 0 ? { parameters } : {}
}

const describeIntegration = (target: Target) => {
  const region = `${Aws.REGION}:${Aws.ACCOUNT_ID}`
  const functionArn = `arn:${Aws.PARTITION}:lambda:${region}:function:\${stageVariables.${variableOf(target)}}`
  return {
    type: 'AWS_PROXY',
    httpMethod: 'POST',
    connectionType: 'INTERNET',
    payloadFormatVersion: '2.0',
    uri: `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${functionArn}/invocations`,
  }
}

type Functions = Readonly<Record<string, IFunction>>

const listSorted = (functions: Functions) =>
  Object.entries(functions).toSorted(([a], [b]) => (a < b ? -1 : 1))

/**
 * Lets the API call the functions. The permissions have a stack of their own, because CloudFormation allows 500 resources in each. One
 * covers all routes of a function. The one with three wildcards does not match `$default`, which has no path.
 */
export const admitApi = (scope: Construct, httpApi: HttpApi, functions: Functions): NestedStack => {
  const stack = new NestedStack(scope, 'Permissions', {
    description: 'Latchkey: permissions of the HTTP API to call functions',
  })
  for (const [name, target] of listSorted(functions))
    new CfnPermission(stack, pascalCase(name), {
      action: 'lambda:InvokeFunction',
      functionName: target.functionArn,
      principal: 'apigateway.amazonaws.com',
      sourceArn: Stack.of(httpApi).formatArn({
        service: 'execute-api',
        resource: httpApi.apiId,
        resourceName: name === 'unmatched' ? '*/*' : '*/*/*',
      }),
    })
  return stack
}

export interface StageProps {
  readonly throttle: Required<ThrottleSettings>
  readonly logRetention: RetentionDays
  readonly functions: Functions
  /** What must exist before a request can reach a function. */
  readonly permissions: IDependable
}

/**
 * Adds the only stage, which does not appear in paths. It shows the definition as it was at a deployment of its own, so that new
 * routes answer only after the functions and their permissions are there, all at once. If CloudFormation rolls back, it shows the earlier one.
 */
export const addStage = (
  httpApi: HttpApi,
  { throttle, logRetention, functions, permissions }: StageProps,
): HttpStage => {
  const deployment = new CfnDeployment(httpApi, `Deployment${digestDefinition(httpApi)}`, {
    apiId: httpApi.apiId,
    description: 'Latchkey: routes of a release',
  })
  deployment.node.addDependency(permissions)
  const stage = new HttpStage(httpApi, 'Stage', {
    httpApi,
    stageName: '$default',
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
  const cfnStage = stage.node.defaultChild as CfnStage
  // A function that is replaced has another name, which is a variable of the stage and no part of the deployment.
  cfnStage.node.addDependency(permissions)
  cfnStage.deploymentId = deployment.ref
  cfnStage.stageVariables = Object.fromEntries(
    listSorted(functions).map(([name, { functionName }]) => [variableOf(name as Target), functionName]),
  )
  return stage
}

/** A deployment never changes, so each definition needs another one. What `servers` say of the default URL takes effect with it, too. */
const digestDefinition = (httpApi: HttpApi): string => {
  const { servers, paths, components } = (httpApi.node.defaultChild as CfnApi).body
  const text = JSON.stringify(Stack.of(httpApi).resolve({ servers, paths, components }))
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
