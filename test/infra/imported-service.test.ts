import { App, Duration, Stack } from 'aws-cdk-lib'
import { HttpApi, HttpMethod, type IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpUrlIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Rule } from 'aws-cdk-lib/aws-events'
import { describe, expect, it } from 'vitest'
import { AuthService } from '../../infra/auth-service.ts'
import type { AuthServiceAttributes } from '../../infra/authorizers/imported-auth-service.ts'
import { shareBundles } from './shared-bundles.ts'
import { resourcesOf } from './synthesis.ts'

/* A product whose app did not deploy the service, in its own stack, app, account or region. */

const { folder: bundleDir } = await shareBundles()
const url = 'https://auth.example.com'
const authorizerArn = 'arn:aws:lambda:eu-central-1:111122223333:function:Latchkey-AuthAuthorizerFunction'
const auditBusArn = 'arn:aws:events:eu-central-1:111122223333:event-bus/Latchkey-audit-1234abcd'

const createProduct = (attributes: AuthServiceAttributes, env?: { account: string; region: string }) => {
  const app = new App({ analyticsReporting: false })
  const stack = new Stack(app, 'Product', env ? { env } : {})
  const auth = AuthService.fromAttributes(stack, 'Auth', attributes)
  const api = new HttpApi(stack, 'Api')
  const protect = (path: string, authorizer: IHttpRouteAuthorizer) =>
    api.addRoutes({
      path,
      methods: [HttpMethod.GET],
      integration: new HttpUrlIntegration(path, 'https://product.example.com'),
      authorizer,
    })
  const synthesize = () => app.synth().getStackByName('Product').template
  return { stack, auth, protect, synthesize }
}

describe('an imported service', () => {
  it('protects the APIs of a product, and passes it audit events', () => {
    const { stack, auth, protect, synthesize } = createProduct({ url, authorizerArn, auditBusArn })
    protect('/films', auth.authorizer())
    protect('/cached', auth.authorizer({ resultsCacheTtl: Duration.minutes(1) }))
    protect('/jwt', auth.jwtAuthorizer({ audience: 'https://films.example.com' }))
    if (auth.auditBus)
      new Rule(stack, 'Logins', { eventBus: auth.auditBus, eventPattern: { source: ['latchkey'] } })
    const template = synthesize()
    const authorizers = resourcesOf(template, 'AWS::ApiGatewayV2::Authorizer').map(
      ([, one]) => one.Properties,
    )
    expect(authorizers.map(({ AuthorizerType }) => AuthorizerType).sort()).toEqual([
      'JWT',
      'REQUEST',
      'REQUEST',
    ])
    expect(JSON.stringify(authorizers)).toContain(authorizerArn)
    expect(resourcesOf(template, 'AWS::Lambda::Permission').length).toBeGreaterThan(0)
    expect(resourcesOf(template, 'AWS::Events::Rule').map(([, one]) => one.Properties.EventBusName)).toEqual([
      'Latchkey-audit-1234abcd',
    ])
    expect(auth.jwksUrl).toBe('https://auth.example.com/.well-known/jwks.json')
    expect(JSON.stringify(template)).not.toContain('dynamodb')
  })

  it('has JWT authorizers in all regions, and says why the others need its own', () => {
    const { auth, protect, synthesize } = createProduct(
      { url },
      { account: '444455556666', region: 'us-west-2' },
    )
    protect('/jwt', auth.jwtAuthorizer({ audience: 'https://films.example.com' }))
    expect(() => auth.authorizer()).toThrow('needs authorizerArn')
    expect(resourcesOf(synthesize(), 'AWS::ApiGatewayV2::Authorizer')).toHaveLength(1)
    for (const env of [
      { account: '111122223333', region: 'us-west-2' },
      { account: '444455556666', region: 'eu-central-1' },
    ])
      expect(() => createProduct({ url, authorizerArn }, env)).toThrow(
        /but the stack is in .* Use jwtAuthorizer/,
      )
  })

  it('refuses options that its function does not have, and URLs that are no issuer', () => {
    const { auth } = createProduct({ url, authorizerArn })
    expect(() => auth.authorizer({ permission: 'films:view' })).toThrow('only the authorizer without options')
    expect(() => createProduct({ url: 'https://auth.example.com/' })).toThrow('must be an origin')
  })
})

it('a product in another stack of the same app makes no export, which would block changes of the service', () => {
  const app = new App({ analyticsReporting: false })
  const auth = new AuthService(new Stack(app, 'Auth'), 'Auth', { bundleDir, publicUrl: url })
  const stack = new Stack(app, 'Product')
  const api = new HttpApi(stack, 'Api')
  api.addRoutes({
    path: '/films',
    integration: new HttpUrlIntegration('Films', 'https://product.example.com'),
    authorizer: auth.authorizer({ permission: 'films:view' }),
  })
  new Rule(stack, 'Logins', { eventBus: auth.auditBus, eventPattern: { source: ['latchkey'] } })
  const assembly = app.synth()
  const outputs = Object.values<{ Export?: object }>(assembly.getStackByName('Auth').template.Outputs)
  expect(outputs.filter((output) => output.Export)).toEqual([])
  expect(JSON.stringify(assembly.getStackByName('Product').template)).not.toContain('Fn::ImportValue')
})
