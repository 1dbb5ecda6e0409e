import { randomUUID } from 'node:crypto'
import { App, Stack } from 'aws-cdk-lib'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { expect, it } from 'vitest'
import { AuthService } from '../../infra/auth-service.ts'
import { OidcClient, OidcConnection } from '../../infra/configuration/constructs.ts'
import { type Facts, resolve } from '../infra/intrinsics.ts'
import { resourcesOf, shareSynthesis } from '../infra/synthesis.ts'
import { startDeployedService } from '../runner/deployed-service.ts'
import { factsOf, roleArnOf } from '../runner/template-facts.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'

/* The function may use secrets in the stack of a product because of the policies of these secrets. Its role allows none. */

const service = closeAfterTests(await startDeployedService({}, {}))
const { deployment } = service
const { template: ofService } = await shareSynthesis('service')
const [configId = ''] = [...deployment.functions.keys()].filter((id) => id.startsWith('AuthConfigFunction'))
const key = `web-${randomUUID().slice(0, 8)}`

const synthesizeProduct = (secretVersion: number) => {
  const app = new App({ analyticsReporting: false })
  const stack = new Stack(app, 'Films')
  const auth = AuthService.fromAttributes(stack, 'Auth', {
    url: 'https://auth.example.com',
    configFunctionArn: 'arn:aws:lambda:eu-west-1:111122223333:function:config',
    configRoleArn: roleArnOf(ofService, configId, factsOf(ofService, deployment.tableName)),
  })
  const redirectUris = ['https://films.example.com/callback']
  new OidcClient(stack, 'Web', { auth, key, name: key, redirectUris, secretVersion })
  new OidcConnection(stack, 'Company', {
    ...{ auth, key, name: key, issuer: `https://${key}.example.com`, clientId: 'latchkey', secretVersion },
    clientSecret: new Secret(stack, 'CompanySecret'),
  })
  return app.synth().getStackByName('Films').template
}

const stackId = `arn:aws:cloudformation:eu-west-1:111122223333:stack/Films/${randomUUID()}`
const facts: Facts = Object.fromEntries(
  resourcesOf(synthesizeProduct(1), 'AWS::SecretsManager::Secret').map(([id, { Properties }]) => {
    const arn = `arn:aws:secretsmanager:eu-west-1:111122223333:secret:${id}-aBcDeF`
    deployment.secrets.create(arn, Properties.GenerateSecretString && `the secret of ${id}`)
    return [id, arn]
  }),
)
const clientSecretOf = () => {
  const [, arn = ''] = Object.entries(facts).find(([id]) => id.startsWith('Web')) ?? []
  return deployment.secrets.read(arn)['AWSCURRENT'] ?? ''
}

const physicalIds = new Map<string, string>()

/** Does what CloudFormation does with a template of the product: policies first, and then what uses the secrets. */
const deployProduct = async (type: 'Create' | 'Update', secretVersion: number): Promise<void> => {
  const template = synthesizeProduct(secretVersion)
  for (const [, { Properties }] of resourcesOf(template, 'AWS::SecretsManager::ResourcePolicy'))
    for (const { Action, Principal } of Properties.ResourcePolicy.Statement)
      deployment.secrets.admit({
        ...{ secretArn: resolve(Properties.SecretId, facts), roleArn: Principal.AWS },
        actions: [Action].flat(),
      })
  for (const kind of ['client', 'oidc_connection'] as const) {
    const name = kind === 'client' ? 'Client' : 'OidcConnection'
    const [[LogicalResourceId, { Properties } = { Properties: {} }] = ['']] = resourcesOf(
      template,
      `Custom::Latchkey${name}`,
    )
    await service.invokeConfig({
      ...{ RequestType: type, StackId: stackId, RequestId: randomUUID(), LogicalResourceId },
      ...{ ResponseURL: responseUrl, PhysicalResourceId: physicalIds.get(kind) },
      ResourceProperties: resolve(Properties, facts),
    })
    physicalIds.set(kind, deployment.responses.at(-1)?.PhysicalResourceId)
    expect(deployment.responses.at(-1)).toMatchObject({ Status: 'SUCCESS' })
  }
}
const responseUrl = 'https://cloudformation-custom-resource-response-euwest1.s3.eu-west-1.amazonaws.com/arn'

const isAccepted = async (secret: string): Promise<boolean> => {
  const form = new URLSearchParams({ client_id: key, client_secret: secret, token: 'none' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return (await service.client('POST', '/oauth2/introspect', { raw: String(form), headers })).status === 200
}

it('a stack gets a secret for its client, and another one, with the policies of its template alone', async () => {
  await deployProduct('Create', 1)
  const first = clientSecretOf()
  expect([first.startsWith('lko_'), await isAccepted(first)]).toEqual([true, true])
  await deployProduct('Update', 2)
  const second = clientSecretOf()
  expect([second !== first, await isAccepted(second), await isAccepted(first)]).toEqual([true, true, true])
  const [[secretId = '']] = [Object.keys(facts).filter((id) => id.startsWith('CompanySecret'))]
  const seen = JSON.stringify([deployment.responses, service.log])
  for (const secret of [first, second, `the secret of ${secretId}`]) expect(seen).not.toContain(secret)
})
