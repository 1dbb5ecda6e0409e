import { App, CfnOutput, Stack } from 'aws-cdk-lib'
import { describe, expect, it } from 'vitest'
import { AuthService } from '../../infra/auth-service.ts'
import {
  Group,
  OidcClient,
  OidcConnection,
  PasswordPolicy,
  ProtectedApi,
} from '../../infra/configuration/constructs.ts'
import { resourcesOf } from './synthesis.ts'

/* The stack of a product configures a service that another app has deployed. */

const configFunctionArn = 'arn:aws:lambda:eu-west-1:111122223333:function:Latchkey-AuthConfigFunction'
const createProduct = (attributes: object = { configFunctionArn }) => {
  const app = new App({ analyticsReporting: false })
  const stack = new Stack(app, 'Product')
  const auth = AuthService.fromAttributes(stack, 'Auth', { url: 'https://auth.example.com', ...attributes })
  return { stack, auth, synthesize: () => app.synth().getStackByName('Product').template }
}
const redirectUris = ['https://films.example.com/callback']
const web = { key: 'web', name: 'Web', type: 'public', redirectUris } as const

describe('constructs of a product', () => {
  it('are custom resources in order, with one text each, and only clients stay', () => {
    const { stack, auth, synthesize } = createProduct()
    const api = new ProtectedApi(stack, 'Api', {
      ...{ auth, key: 'films', name: 'Film API', audience: 'https://films.example.com/api' },
      scopes: [{ name: 'films.read', texts: { en: 'Read films' }, permissions: [] }],
    })
    expect([api.audience, api.scopes]).toEqual(['https://films.example.com/api', ['films.read']])
    new Group(stack, 'Viewers', { auth, key: 'viewers', name: 'Viewers', permissions: ['films:view'] })
    const client = auth.addClient('Web', { ...web, machineGroups: ['viewers'], reapply: '2' })
    new PasswordPolicy(stack, 'Passwords', { auth, minLength: 14 })
    new CfnOutput(stack, 'ClientId', { value: client.clientId })
    const template = synthesize()
    const resources = Object.values<{ readonly Type: string }>(template.Resources).filter(({ Type }) =>
      Type.startsWith('Custom::'),
    )
    expect(resources.map(({ Type }) => Type)).toEqual([
      ...['Custom::LatchkeyClient', 'Custom::LatchkeyApi', 'Custom::LatchkeyGroup'],
      'Custom::LatchkeyPasswordPolicy',
    ])
    const of = (type: string) => resourcesOf(template, `Custom::Latchkey${type}`)[0] ?? ['']
    const [clientId, own] = of('Client')
    expect(own).toMatchObject({
      ...{ DeletionPolicy: 'Retain', DependsOn: expect.arrayContaining([of('Group')[0]]) },
      Properties: { ServiceToken: configFunctionArn, ServiceTimeout: '300', Reapply: '2' },
    })
    expect(JSON.parse(own?.Properties.Configuration)).toEqual({
      ...{ schema_version: 1, kind: 'client', key: 'web' },
      entry: { name: 'Web', type: 'public', redirect_uris: redirectUris, machine_groups: ['viewers'] },
    })
    expect(of('Group')[1]).toMatchObject({ DeletionPolicy: 'Delete', DependsOn: [of('Api')[0]] })
    expect(template.Outputs.ClientId.Value).toEqual({ 'Fn::GetAtt': [clientId, 'ClientId'] })
  })

  it('take values that CloudFormation fills in', () => {
    const { stack, auth, synthesize } = createProduct()
    new OidcClient(stack, 'Web', {
      ...web,
      auth,
      redirectUris: [`https://${stack.stackName}.${stack.region}.example.com/`],
    })
    const [[, { Properties } = { Properties: {} }] = []] = resourcesOf(synthesize(), 'Custom::LatchkeyClient')
    expect(Properties.Configuration['Fn::Join'][1]).toContainEqual({ Ref: 'AWS::Region' })
  })
})

describe('a construct that is wrong', () => {
  it.each<readonly [title: string, props: object, message: string]>([
    [
      'with an unknown prop',
      { redirectUrls: [] },
      '"redirectUrls" is not a prop of this construct. Did you mean redirectUris?',
    ],
    ['with a name of the wire', { redirect_uris: [] }, '"redirect_uris" is not a prop'],
    ['with a secret', { type: 'confidential' }, 'a template must not have secrets'],
    [
      'with a wrong value',
      { redirectUris: ['films'], accessTokenLifetime: 'long' },
      'accessTokenLifetime must be',
    ],
    ['with a key that is none', { key: 'Web Site' }, 'key must begin with a letter'],
    ['with a built-in name as key', { key: '__proto__' }, 'key must begin with a letter'],
  ])('is refused %s', (_, props, message) => {
    const { stack, auth } = createProduct()
    expect(() => new OidcClient(stack, 'Web', { auth, ...web, ...props })).toThrow(message)
  })

  it('is refused with a secret of another provider, with a key twice, and without a function', () => {
    const { stack, auth } = createProduct()
    const acme = { auth, key: 'acme', name: 'Acme', issuer: 'https://acme.example.com', clientId: 'latchkey' }
    const withSecret = { ...acme, clientSecret: { env: 'ACME_SECRET' } }
    expect(() => new OidcConnection(stack, 'Acme', withSecret)).toThrow('"clientSecret" is not a prop')
    auth.addClient('Web', web)
    expect(() => new OidcClient(stack, 'Again', { auth, ...web })).toThrow('two constructs with the key web')
    const without = createProduct({})
    expect(() => without.auth.addClient('Web', web)).toThrow('needs configFunctionArn')
  })
})
