import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, Duration, Stack } from 'aws-cdk-lib'
import { MockIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway'
import { HttpApi, HttpMethod, type IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpUrlIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Definition, GraphqlApi } from 'aws-cdk-lib/aws-appsync'
import { describe, expect, it } from 'vitest'
import { AuthService } from '../../infra/auth-service.ts'
import type { AuthorizerFunctionOptions } from '../../infra/authorizers/authorizer-options.ts'
import type { JsonValue } from '../support/client.ts'
import { metricsOfAlarm } from './alarm-evaluator.ts'
import { shareBundles } from './shared-bundles.ts'
import { readNested, resourcesOf, type Template } from './synthesis.ts'

const { folder: bundleDir } = await shareBundles()
const outdir = mkdtempSync(join(tmpdir(), 'latchkey-authorizers-'))

/* An app of a product: the service in one stack, the product's own APIs in another one. */

const app = new App({ outdir, analyticsReporting: false })
const authStack = new Stack(app, 'Auth')
const auth = new AuthService(authStack, 'Auth', {
  bundleDir,
  publicUrl: 'https://auth.example.com',
  alarmEmail: 'ops@example.com',
})
const productStack = new Stack(app, 'Product')
const api = new HttpApi(productStack, 'Api')
const otherApi = new HttpApi(productStack, 'OtherApi')
const addRoute = (target: HttpApi, path: string, authorizer: IHttpRouteAuthorizer) => {
  const integration = new HttpUrlIntegration(path, 'https://product.example.com')
  target.addRoutes({ path, methods: [HttpMethod.GET], integration, authorizer })
}
const shared = auth.authorizer()
addRoute(api, '/films', shared)
addRoute(otherApi, '/films', shared)
addRoute(api, '/actors', auth.authorizer())
addRoute(api, '/edit', auth.authorizer({ permission: 'films:edit', audiences: ['urn:b', 'urn:a'] }))
addRoute(
  api,
  '/edit-cached',
  auth.authorizer({
    permission: 'films:edit',
    audiences: ['urn:a', 'urn:b'],
    resultsCacheTtl: Duration.minutes(1),
  }),
)
addRoute(api, '/jwt', auth.jwtAuthorizer({ audience: 'https://shop.example.com' }))
const ownApi = new HttpApi(authStack, 'OwnApi')
addRoute(ownApi, '/own', auth.authorizer({ acceptsCookie: true, acceptsGuests: true }))
addRoute(ownApi, '/own-jwt', auth.jwtAuthorizer({ audience: ['urn:a', 'urn:b'], acceptsGuests: true }))
const organizationApi = new HttpApi(productStack, 'OrganizationApi')
const kept = { organization: 'required', resultsCacheTtl: Duration.minutes(1) } as const
addRoute(organizationApi, '/films', auth.authorizer({ organization: 'required' }))
addRoute(organizationApi, '/kept', auth.authorizer(kept))
const rest = new RestApi(productStack, 'Rest')
rest.root.addMethod('GET', new MockIntegration(), {
  authorizer: auth.restTokenAuthorizer(productStack, 'Token', {
    clients: ['latchkey', '7-4f1c2ab09d3e5f60718293a4'],
    resultsCacheTtl: Duration.minutes(5),
  }),
})
rest.root.addMethod('POST', new MockIntegration(), {
  authorizer: auth.restRequestAuthorizer(productStack, 'Request'),
})
rest.root.addMethod('PUT', new MockIntegration(), {
  authorizer: auth.restRequestAuthorizer(productStack, 'OrganizationRequest', kept),
})
writeFileSync(join(outdir, 'films.graphql'), 'type Query { film: String }')
new GraphqlApi(productStack, 'Graphql', {
  name: 'films',
  definition: Definition.fromFile(join(outdir, 'films.graphql')),
  authorizationConfig: {
    defaultAuthorization: auth.graphqlAuthorization(productStack, 'Films', {
      resultsCacheTtl: Duration.minutes(2),
    }),
  },
})
const assembly = app.synth()
const service: Template = assembly.getStackByName('Auth').template
const product: Template = assembly.getStackByName('Product').template
const monitoring = readNested(outdir, service, 'Monitoring')
rmSync(outdir, { recursive: true })

const authorizersOf = (template: Template) =>
  resourcesOf(template, 'AWS::ApiGatewayV2::Authorizer').map(([, resource]) => resource)
const functions = resourcesOf(service, 'AWS::Lambda::Function').filter(
  ([, { Properties }]) => Properties.Description === 'Latchkey: authorizer',
)
const optionsOf = ({ Properties }: (typeof functions)[number][1]) =>
  Object.fromEntries(
    Object.entries<string>(Properties.Environment.Variables).filter(([name]) =>
      name.startsWith('AUTHORIZER_'),
    ),
  )

describe('an app with the service and APIs of a product', () => {
  it('has a function for each set of options, and one for those without', () => {
    expect(functions.map(([, resource]) => optionsOf(resource))).toEqual([
      {},
      { AUTHORIZER_PERMISSION: 'films:edit', AUTHORIZER_AUDIENCES: 'urn:a,urn:b' },
      { AUTHORIZER_GUESTS: 'true', AUTHORIZER_COOKIE: 'true' },
      { AUTHORIZER_ORGANIZATION: 'required' },
      { AUTHORIZER_CLIENTS: '7-4f1c2ab09d3e5f60718293a4,latchkey' },
      { AUTHORIZER_CACHE_SECONDS: '120' },
    ])
  })

  it('gives each function its alarms, its log, and a role with the same permissions', () => {
    const watched = resourcesOf(monitoring, 'AWS::CloudWatch::Alarm').flatMap(([, { Properties }]) =>
      metricsOfAlarm(Properties).map(
        ({ name, dimensions }) => `${name} ${JSON.stringify(dimensions.map(({ Value }) => Value))}`,
      ),
    )
    const logs = functions.map(([id, { Properties }]) => {
      for (const metric of ['Duration', 'Throttles'])
        expect(watched).toContain(`${metric} ${JSON.stringify([{ Ref: id }])}`)
      return Properties.LoggingConfig.LogGroup.Ref
    })
    expect(new Set(logs).size).toBe(functions.length)
    const permissions = functions.map(([, { Properties }]) => {
      const [policy] = service.Resources[Properties.Role['Fn::GetAtt'][0]]?.Properties.Policies ?? []
      const [writeLog, ...others]: JsonValue[] = policy.PolicyDocument.Statement
      expect(writeLog.Action).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents'])
      return JSON.stringify(others)
    })
    expect(new Set(permissions).size).toBe(1)
  })

  it('asks for each request unless the product caches answers, with simple answers', () => {
    const lambdas = authorizersOf(product).filter(({ Properties }) => Properties.AuthorizerType === 'REQUEST')
    expect(
      lambdas.map(({ Properties: { ApiId, AuthorizerResultTtlInSeconds } }) => [
        ApiId.Ref.replace(/[0-9A-F]{8}$/, ''),
        AuthorizerResultTtlInSeconds,
      ]),
    ).toEqual([
      ['Api', 0],
      ['Api', 0],
      ['Api', 60],
      ['OtherApi', 0],
      ['OrganizationApi', 0],
      ['OrganizationApi', 60],
    ])
    for (const { Properties } of lambdas)
      expect(Properties).toMatchObject({
        AuthorizerPayloadFormatVersion: '2.0',
        EnableSimpleResponses: true,
      })
  })

  it('keeps no answer for another organization', () => {
    const sources = authorizersOf(product).flatMap(({ Properties: { AuthorizerType, IdentitySource } }) =>
      AuthorizerType === 'REQUEST' ? [IdentitySource] : [],
    )
    const alone = ['$request.header.Authorization']
    expect(sources).toEqual([
      ...[alone, alone, alone, alone, alone],
      [...alone, '$request.header.Latchkey-Organization'],
    ])
  })

  it('lets API Gateway and AppSync call the functions, from the stack of the product', () => {
    const principals = resourcesOf(product, 'AWS::Lambda::Permission').map(
      ([, { Properties }]) => Properties.Principal,
    )
    expect(principals.filter((name) => name === 'appsync.amazonaws.com')).toHaveLength(1)
    // Six authorizers of HTTP APIs and three of a REST API.
    expect(principals.filter((name) => name === 'apigateway.amazonaws.com')).toHaveLength(9)
    expect(assembly.getStackByName('Auth').dependencies.map(({ id }) => id)).not.toContain('Product')
  })

  it('never caches answers to cookies', () => {
    const [withCookie] = authorizersOf(service).filter(
      ({ Properties }) => Properties.AuthorizerType === 'REQUEST',
    )
    expect(withCookie?.Properties).toMatchObject({ AuthorizerResultTtlInSeconds: 0, IdentitySource: [] })
  })

  it('configures REST APIs and AppSync', () => {
    const ofRest = resourcesOf(product, 'AWS::ApiGateway::Authorizer').map(([, { Properties }]) => Properties)
    expect(ofRest).toMatchObject([
      { Type: 'TOKEN', AuthorizerResultTtlInSeconds: 300 },
      { Type: 'REQUEST', AuthorizerResultTtlInSeconds: 0 },
      { Type: 'REQUEST', AuthorizerResultTtlInSeconds: 60 },
    ])
    const header = 'method.request.header'
    expect(ofRest.map(({ IdentitySource }) => IdentitySource)).toEqual([
      `${header}.Authorization`,
      `${header}.Authorization`,
      `${header}.Authorization,${header}.Latchkey-Organization`,
    ])
    const [[, graphql] = []] = resourcesOf(product, 'AWS::AppSync::GraphQLApi')
    expect(graphql?.Properties).toMatchObject({
      AuthenticationType: 'AWS_LAMBDA',
      LambdaAuthorizerConfig: { AuthorizerResultTtlInSeconds: 120 },
    })
  })

  it('has JWT authorizers that API Gateway creates once it can read the keys', () => {
    const [ofProduct] = authorizersOf(product).filter(({ Properties }) => Properties.AuthorizerType === 'JWT')
    expect(ofProduct?.Properties.JwtConfiguration).toEqual({
      Audience: ['https://shop.example.com'],
      Issuer: 'https://auth.example.com',
    })
    expect(assembly.getStackByName('Product').dependencies.map(({ id }) => id)).toContain('Auth')
    const [ofService] = authorizersOf(service).filter(({ Properties }) => Properties.AuthorizerType === 'JWT')
    expect(ofService?.Properties.JwtConfiguration.Audience).toEqual([
      'urn:a',
      'urn:b',
      'urn:latchkey:guests:urn:a',
      'urn:latchkey:guests:urn:b',
    ])
    const dependencies = JSON.stringify(ofService)
    for (const name of ['AuthOidcFunction', 'AuthApiStage']) expect(dependencies).toContain(name)
  })

  it('names what others need: the keys, the authorizer and the bus', () => {
    expect(auth.jwksUrl).toBe('https://auth.example.com/.well-known/jwks.json')
    expect(authStack.resolve(auth.authorizerArn)).toEqual({ 'Fn::GetAtt': [functions[0]?.[0], 'Arn'] })
    expect(auth.auditBus.eventBusArn).toBeDefined()
  })
})

it('an API has ten authorizers at most, and the synthesis says so before API Gateway does', () => {
  const stack = new Stack()
  const ownAuth = new AuthService(stack, 'Auth', { bundleDir })
  const ownApi = new HttpApi(stack, 'Api')
  const add = (at: number) =>
    addRoute(ownApi, `/films${at}`, ownAuth.authorizer({ permission: `films:view${at}` }))
  for (let at = 0; at < 10; at++) add(at)
  expect(() => add(10)).toThrow(/Api would have more than 10 authorizers, which API Gateway refuses/)
  addRoute(ownApi, '/again', ownAuth.authorizer({ permission: 'films:view0' }))
})

describe('options that cannot work', () => {
  const wrong: readonly (readonly [AuthorizerFunctionOptions, string])[] = [
    [{ permission: '' }, 'permission must not be empty'],
    [{ permission: 'Films' }, 'permission must be'],
    [{ organization: 'any' as 'required' }, 'organization must be "required"'],
    [{ organization: 'required', acceptsGuests: true }, 'acceptsGuests does not work with organization'],
    [
      { organization: 'optional', resultsCacheTtl: Duration.minutes(1) },
      'organization: "optional" does not work with resultsCacheTtl',
    ],
    [{ acceptsOrganizationTokens: true }, 'acceptsOrganizationTokens requires organization'],
    [{ scope: '' }, 'scope must not be empty'],
    [{ scope: 'films.read films.edit' }, 'scope must be'],
    [{ audiences: [''] }, 'audiences must contain'],
    [{ audiences: ['a,b'] }, 'audiences must contain'],
    [{ audiences: ['a b'] }, 'audiences must contain'],
    [{ clients: [] }, 'clients must name'],
    [{ clients: ['a,b'] }, 'clients must name'],
    [{ clients: [' '] }, 'clients must name'],
    [{ audiences: ['urn:latchkey:guests:a'] }, 'audiences must contain only'],
    [{ resultsCacheTtl: Duration.minutes(61) }, 'resultsCacheTtl must be'],
    [{ acceptsCookie: true, resultsCacheTtl: Duration.seconds(1) }, 'acceptsCookie requires'],
  ]
  it('such as a JWT authorizer for userinfo are refused, because every client gets tokens for it', () => {
    const audience = 'https://auth.example.com/oauth2/userinfo'
    expect(() => auth.jwtAuthorizer({ audience })).toThrow('audience must name your API')
  })

  it('such as a function for organizations that lets AppSync keep answers by the token alone are refused', () => {
    expect(() => auth.authorizerFunction(kept)).toThrow('organization does not work with resultsCacheTtl')
  })

  it.each(wrong)('%j is refused with a reason', (options, message) => {
    for (const create of [
      () => auth.authorizer(options),
      () => auth.authorizerFunction(options),
      () => auth.restRequestAuthorizer(new Stack(), 'Wrong', options),
    ])
      expect(create).toThrow(message)
  })
})
