import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, CfnOutput, NestedStack, Stack } from 'aws-cdk-lib'
import { Template as SynthesizedTemplate } from 'aws-cdk-lib/assertions'
import { Role } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { describe, expect, it } from 'vitest'
import { AuthService } from '../../infra/auth-service.ts'
import {
  Branding,
  Group,
  OidcClient,
  OidcConnection,
  PasswordPolicy,
  ProductBranding,
  ProtectedApi,
} from '../../infra/configuration/constructs.ts'
import type { JsonValue } from '../support/client.ts'
import { makeJpeg, makePng } from '../support/images.ts'
import { resourcesOf, type Template } from './synthesis.ts'

/* The stack of a product configures a service that another app has deployed. */

const configFunctionArn = 'arn:aws:lambda:eu-west-1:111122223333:function:Latchkey-AuthConfigFunction'
const configRoleArn = 'arn:aws:iam::111122223333:role/Latchkey-AuthConfigRole'
const createProduct = (attributes: object = { configFunctionArn, configRoleArn }) => {
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
      ...{ DeletionPolicy: 'Delete', DependsOn: expect.arrayContaining([of('Group')[0]]) },
      Properties: { ServiceToken: configFunctionArn, ServiceTimeout: '300', Reapply: '2' },
    })
    expect(JSON.parse(own?.Properties.Configuration)).toEqual({
      ...{ schema_version: 1, kind: 'client', key: 'web' },
      entry: { name: 'Web', type: 'public', redirect_uris: redirectUris, machine_groups: ['viewers'] },
    })
    expect(of('Group')[1]).toMatchObject({ DeletionPolicy: 'Delete', DependsOn: [of('Api')[0]] })
    expect(template.Outputs.ClientId.Value).toEqual({ 'Fn::GetAtt': [clientId, 'ClientId'] })
  })

  it('state the owner of their stack, and that of its root if it is nested', () => {
    const { stack, auth, synthesize } = createProduct()
    auth.addClient('Web', { ...web, configOwner: 'films' })
    const nested = new NestedStack(stack, 'Nested')
    new Group(nested, 'Viewers', { auth, key: 'viewers', name: 'Viewers', permissions: [] })
    const nestedTemplate = SynthesizedTemplate.fromStack(nested).toJSON() as Template
    const group = resourcesOf(nestedTemplate, 'Custom::LatchkeyGroup')
    const [[, client] = []] = resourcesOf(synthesize(), 'Custom::LatchkeyClient')
    expect(JSON.parse(client?.Properties.Configuration)).toMatchObject({ owner: 'films', key: 'web' })
    expect(JSON.parse(group[0]?.[1].Properties.Configuration)).toMatchObject({ stack: 'Product' })
    expect(() => auth.addClient('Other', { ...web, key: 'other', configOwner: 'product/films' })).toThrow(
      'configOwner must begin with a letter',
    )
    expect(() => auth.addClient('Typo', { ...web, key: 'typo', configOwnr: 'films' } as never)).toThrow(
      'Did you mean configOwner?',
    )
  })

  it('have the content of images, which are small enough for a template', () => {
    const { stack, auth, synthesize } = createProduct()
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-images-'))
    const write = (name: string, content: string | Buffer): string => {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    }
    try {
      const logo = { file: write('logo.png', makePng(40, 20)) }
      const data = makePng(40, 20).toString('base64')
      new Branding(stack, 'Brand', { auth, logo })
      new ProductBranding(stack, 'Shop', { auth, product: 'Film shop', darkLogo: logo, icon: null })
      const template = synthesize()
      const [[, own] = []] = resourcesOf(template, 'Custom::LatchkeyProductBranding')
      expect(own).toMatchObject({ DeletionPolicy: 'Delete' })
      expect(JSON.parse(own?.Properties.Configuration)).toEqual({
        ...{ schema_version: 1, kind: 'product_branding', key: 'Film shop' },
        entry: { dark_logo: { content_type: 'image/png', data }, icon: null },
      })
      const large = Buffer.concat([makePng(40, 20), Buffer.alloc(21 * 1024)])
      for (const [file, problem] of [
        ['/etc/passwd', 'logo must end with .png, .jpg, .jpeg, .webp or .gif.'],
        [join(folder, 'missing.png'), 'which does not exist.'],
        [write('script.svg', '<svg><script/></svg>'), 'whose type must not be SVG'],
        [write('wrong.png', makeJpeg()), 'whose type does not match the data, which is image/jpeg.'],
        [write('large.png', large), 'The images have 22 KiB together, and a template takes 20 KiB.'],
      ] as const)
        expect(() => new Branding(stack, file, { auth, logo: { file } }), file).toThrow(problem)
      for (const product of ['', 'a/b'])
        expect(() => new ProductBranding(stack, `Product ${product}`, { auth, product })).toThrow(
          'product must be',
        )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('can configure two services from one stack, which have keys of their own', () => {
    const { stack, auth, synthesize } = createProduct()
    const trial = AuthService.fromAttributes(stack, 'Trial', {
      ...{ url: 'https://trial.example.com', configFunctionArn: `${configFunctionArn}Trial`, configRoleArn },
    })
    new OidcClient(stack, 'Web', { ...web, auth })
    new OidcClient(stack, 'TrialWeb', { ...web, auth: trial })
    expect(() => new OidcClient(stack, 'Again', { ...web, auth: trial })).toThrow(
      'two constructs with the key web',
    )
    const clients = resourcesOf(synthesize(), 'Custom::LatchkeyClient')
    expect(clients.map(([, { Properties }]) => Properties.ServiceToken)).toEqual([
      configFunctionArn,
      `${configFunctionArn}Trial`,
    ])
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

describe('a secret', () => {
  const policyOf = (template: Template) => {
    const [[, policy] = ['']] = resourcesOf(template, 'AWS::SecretsManager::ResourcePolicy')
    return policy?.Properties
  }
  const allowed = (actions: JsonValue, Resource: JsonValue = '*') => ({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { AWS: configRoleArn }, Action: actions, Resource }],
  })

  it('of a client is empty in the template, stays with the client, and only the function fills it', () => {
    const { stack, auth, synthesize } = createProduct()
    const client = auth.addClient('Web', { key: 'web', name: 'Web', redirectUris, secretVersion: 3 })
    const server = Role.fromRoleArn(stack, 'Server', 'arn:aws:iam::111122223333:role/Server')
    client.secret.grantRead(server)
    const template = synthesize()
    const [[secretId, secret] = ['']] = resourcesOf(template, 'AWS::SecretsManager::Secret')
    expect(secret).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
    expect(Object.keys(secret?.Properties)).toEqual(['Description'])
    const [[policyId] = ['']] = resourcesOf(template, 'AWS::SecretsManager::ResourcePolicy')
    expect(policyOf(template)).toEqual({
      ...{ BlockPublicPolicy: true, SecretId: { Ref: secretId } },
      ResourcePolicy: allowed(
        ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'].map(
          (name) => `secretsmanager:${name}`,
        ),
      ),
    })
    const [[id, resource] = ['']] = resourcesOf(template, 'Custom::LatchkeyClient')
    expect(resource).toMatchObject({
      ...{ DependsOn: [policyId], Properties: { Secret: { Ref: secretId }, SecretVersion: 3 } },
    })
    // Products wait until the client accepts the secret.
    const [[, reading] = ['']] = resourcesOf(template, 'AWS::IAM::Policy')
    expect(JSON.stringify(reading)).toContain(JSON.stringify({ 'Fn::GetAtt': [id, 'SecretArn'] }))
  })

  it('of an identity provider is one of the stack, which the function may only read', () => {
    const { stack, auth, synthesize } = createProduct()
    const clientSecret = new Secret(stack, 'AcmeSecret', { encryptionKey: new Key(stack, 'Key') })
    new OidcConnection(stack, 'Acme', {
      ...{ auth, key: 'acme', name: 'Acme', issuer: 'https://acme.example.com', clientId: 'latchkey' },
      ...{ clientSecret, secretVersion: 2 },
    })
    const template = synthesize()
    expect(policyOf(template).ResourcePolicy).toEqual(allowed('secretsmanager:GetSecretValue'))
    const [[, key] = ['']] = resourcesOf(template, 'AWS::KMS::Key')
    expect(JSON.stringify(key?.Properties.KeyPolicy)).toContain(configRoleArn)
    const [[, resource] = ['']] = resourcesOf(template, 'Custom::LatchkeyOidcConnection')
    expect(JSON.parse(resource?.Properties.Configuration).entry.client_secret).toEqual({
      ...{ env: 'CLIENT_SECRET', version: 2 },
    })
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
    [
      'with a secret in the template',
      { type: 'confidential', clientSecret: 'x' },
      '"clientSecret" is not a prop',
    ],
    [
      'with a version that is none',
      { type: 'confidential', secretVersion: 0 },
      'secretVersion must be an integer',
    ],
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
    const withSecret = { ...acme, client_secret: 'the secret' }
    expect(() => new OidcConnection(stack, 'Acme', withSecret)).toThrow('"client_secret" is not a prop')
    auth.addClient('Web', web)
    expect(() => new OidcClient(stack, 'Again', { auth, ...web })).toThrow('two constructs with the key web')
    const without = createProduct({})
    expect(() => without.auth.addClient('Web', web)).toThrow('needs configFunctionArn')
    const withoutRole = createProduct({ configFunctionArn })
    expect(() => withoutRole.auth.addClient('Web', { ...web, type: 'confidential' })).toThrow(
      'needs configRoleArn',
    )
    expect(() => auth.addClient('Public', { ...web, key: 'public' }).secret).toThrow('has no secret')
  })
})

describe('a service of another app', () => {
  it('is configured from its own region only', () => {
    const app = new App({ analyticsReporting: false })
    const stack = new Stack(app, 'Product', { env: { region: 'us-east-1' } })
    const auth = AuthService.fromAttributes(stack, 'Auth', {
      url: 'https://auth.example.com',
      configFunctionArn,
    })
    expect(() => auth.addClient('Web', web)).toThrow('Put this construct into a stack in eu-west-1.')
  })
})
