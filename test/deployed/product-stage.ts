import { randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { App, Stack } from 'aws-cdk-lib'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { expect } from 'vitest'
import { AuthService } from '../../infra/auth-service.ts'
import { findClient } from '../../lib/features/oauth/clients.records.ts'
import { type Facts, resolve } from '../infra/intrinsics.ts'
import { type Resource, resourcesOf, shareSynthesis, type Template } from '../infra/synthesis.ts'
import { startDeployedService } from '../runner/deployed-service.ts'
import { factsOf, roleArnOf } from '../runner/template-facts.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { getTokens } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'

/* The stack of the example product in a stage. Stages differ in addresses alone, and each has a service of its own. */

const { Product } = await import(pathToFileURL('examples/product/infra/product.ts').href)
const { template: ofService } = await shareSynthesis('service')
const responseUrl = 'https://cloudformation-custom-resource-response-euwest1.s3.eu-west-1.amazonaws.com/arn'

type Change = (configuration: { readonly entry: Record<string, unknown> }) => void

const startStage = async (stage: string) => {
  const service = closeAfterTests(await startDeployedService({}, {}))
  const { deployment } = service
  const [configId = ''] = [...deployment.functions.keys()].filter((id) => id.startsWith('AuthConfigFunction'))
  // The code of the product's own function is tested with the example.
  const app = new App({ analyticsReporting: false, context: { 'aws:cdk:bundling-stacks': [] } })
  const stack = new Stack(app, stage)
  const auth = AuthService.fromAttributes(stack, 'Auth', {
    url: service.url,
    configFunctionArn: 'arn:aws:lambda:eu-west-1:111122223333:function:config',
    configRoleArn: roleArnOf(ofService, configId, factsOf(ofService, deployment.tableName)),
  })
  new Product(stack, 'Product').connect(auth)
  const template: Template = app.synth().getStackByName(stage).template
  const origin = `https://${stage.toLowerCase()}.execute-api.eu-west-1.amazonaws.com`
  const stackId = `arn:aws:cloudformation:eu-west-1:111122223333:stack/${stage}/${randomUUID()}`
  const facts: Record<string, string> = {}
  for (const [id, { Properties }] of resourcesOf(template, 'AWS::ApiGatewayV2::Api'))
    if (Properties.ProtocolType === 'HTTP') facts[`${id}.ApiEndpoint`] = origin
  for (const [id] of resourcesOf(template, 'AWS::SecretsManager::Secret')) {
    facts[id] = `arn:aws:secretsmanager:eu-west-1:111122223333:secret:${stage}-${id}-aBcDeF`
    deployment.secrets.create(facts[id])
  }
  const custom = Object.entries(template.Resources).filter(([, { Type }]) =>
    Type.startsWith('Custom::Latchkey'),
  )

  const physicalIds = new Map<string, string>()
  const send = async (type: string, [LogicalResourceId, resource]: [string, Resource], change: Change) => {
    const properties = resolve(resource.Properties, facts as Facts)
    const configuration = JSON.parse(properties.Configuration)
    change(configuration)
    await service.invokeConfig({
      ...{ RequestType: type, StackId: stackId, RequestId: randomUUID(), LogicalResourceId },
      ...{ ResponseURL: responseUrl, PhysicalResourceId: physicalIds.get(LogicalResourceId) },
      ResourceProperties: { ...properties, Configuration: JSON.stringify(configuration) },
    })
    physicalIds.set(LogicalResourceId, deployment.responses.at(-1)?.PhysicalResourceId)
    expect(deployment.responses.at(-1), LogicalResourceId).toMatchObject({ Status: 'SUCCESS' })
  }
  return {
    ...{ service, origin, custom },
    /** Does what CloudFormation does: policies of secrets first, and then what uses them, in the order of the template. */
    deploy: async (type: 'Create' | 'Update', change: Change = () => undefined) => {
      for (const [, { Properties }] of resourcesOf(template, 'AWS::SecretsManager::ResourcePolicy'))
        for (const { Action, Principal } of Properties.ResourcePolicy.Statement)
          deployment.secrets.admit({
            ...{ secretArn: resolve(Properties.SecretId, facts), roleArn: Principal.AWS },
            actions: [Action].flat(),
          })
      for (const resource of custom) await send(type, resource, change)
    },
    /** Deletes all resources, the last one first. */
    remove: async () => {
      for (const resource of custom.toReversed()) await send('Delete', resource, () => undefined)
    },
    secretOf: (start: string): string => {
      const [, arn = ''] = Object.entries(facts).find(([id]) => id.startsWith(start)) ?? []
      return deployment.secrets.read(arn)['AWSCURRENT'] ?? ''
    },
  }
}

/**
 * Goes the whole way of a stage: from an empty service to a signed-in person and a called API, a second deployment, a change, and the end.
 * Nobody opens the console.
 */
export const walkStage = async (stage: string): Promise<void> => {
  const { service, origin, deploy, secretOf, remove } = await startStage(stage)
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const read = async (path: string) =>
    (await service.client('GET', `/api/2/${path}`, { bearer: admin.bearer })).body
  const listChanges = async () =>
    (await read('auth/audit-events?limit=1000')).filter(
      ({ credential }: { readonly credential: string }) => credential === 'configuration',
    )
  await deploy('Create')

  // A person signs in to the product, which calls its API with their token.
  const ada = await addSignedIn(service, { permissions: ['films:edit'] })
  const client = await findClient(service.services.table, 'media-library')
  if (!client) throw new Error('the stage has no client')
  expect(client.redirect_uris).toEqual([`${origin}/callback`])
  const party = { client, secret: secretOf('ProductClient') }
  const tokens = await getTokens(service, party, ada.bearer, {
    scope: 'openid films.edit',
    resource: origin,
  })
  const keys = createLocalJWKSet((await service.client('GET', '/.well-known/jwks.json')).body)
  const { payload } = await jwtVerify(tokens.access_token, keys, { issuer: service.url, audience: origin })
  expect(payload).toMatchObject({
    permissions: ['films:edit'],
    scope: expect.stringContaining('films.edit'),
  })
  // The product itself shares a film.
  const link = await service.client('POST', '/api/2/auth/access-tokens', {
    bearer: secretOf('ProductLinks'),
    body: { bundles: [{ id: 7, name: 'The Kid', root: 1, path: '/kid.mov' }], directories: [] },
  })
  expect(link.status, link.text).toBeLessThan(300)

  // CloudFormation sends nothing for equal properties. If it does, nothing changes.
  const before = await listChanges()
  await deploy('Update')
  expect(await listChanges()).toEqual(before)
  await deploy('Update', ({ entry }) => {
    if (Array.isArray(entry['scopes']) && entry['audience'])
      entry['scopes'].push({ name: 'films.rate', texts: { en: 'Rate films' }, permissions: [] })
  })
  const [changed, ...others] = await listChanges()
  expect([changed.event, others]).toEqual(['protected_api.changed', before])

  await remove()
  expect(await read('protected-apis')).toEqual([])
  expect(await read('oidc-clients')).toMatchObject([{ client_id: 'media-library' }])
  const ended = await service.client('GET', '/api/2/users/me', { bearer: secretOf('ProductLinks') })
  expect(ended.status).toBe(401)
}
