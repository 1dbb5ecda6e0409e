import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { App, Aws, CfnParameter, CfnResource, type Environment, NestedStack, Stack } from 'aws-cdk-lib'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { afterAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { AuthService } from '../../infra/auth-service.ts'
import { Group, OidcClient, OidcConnection, ProtectedApi } from '../../infra/configuration/constructs.ts'
import { environmentOf, makeFolder, startCommand } from '../cli/command.ts'
import { resourcesOf } from '../infra/synthesis.ts'
import type { JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { deployerEnvironment, startFunctionUrl } from '../support/config-function.ts'
import { useService } from '../support/use-service.ts'
import { unique } from './support.ts'

/* What `cdk deploy` would change in a service, from the template that `cdk synth` wrote. */

const { fetch } = globalThis
const answers: JsonValue[] = []
globalThis.fetch = async (input, init) => {
  if (!String(input).startsWith('https://cloudformation-custom-resource-response-')) return fetch(input, init)
  answers.push(JSON.parse(String(init?.body)))
  return new Response('')
}
const folder = makeFolder()
afterAll(() => {
  globalThis.fetch = fetch
  folder.remove()
})

const service = await useService()
const functionUrl = closeAfterTests(await startFunctionUrl(service))
const run = (...args: readonly string[]) =>
  startCommand('config', args, { ...environmentOf(), ...deployerEnvironment }).ended
const diff = (...args: readonly string[]) => run('diff', ...args, '--function', functionUrl.url)

const stackName = unique('Films')
const owner = stackName.toLowerCase()
const key = unique('web')
const arn = 'arn:aws:lambda:eu-west-1:111122223333:function:config'

const place = { account: '111122223333', region: 'eu-west-1' }

interface Built {
  readonly stack: Stack
  readonly auth: ReturnType<typeof AuthService.fromAttributes>
}

/** What the command `cdk` sets. */
const contextOfCommand = { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:enable-path-metadata': true }

/** Writes the templates of an app as `cdk synth` does. Returns the path of that of the stack. */
const synthesize = (build: (built: Built) => void, env: Environment = place): string => {
  const outdir = join(folder.path, randomUUID())
  const app = new App({
    analyticsReporting: false,
    outdir,
    context: contextOfCommand,
  })
  const stack = new Stack(app, 'Prod', { stackName, env })
  const auth = AuthService.fromAttributes(stack, 'Auth', {
    ...{ url: 'https://auth.example.com', configFunctionArn: arn },
    configRoleArn: 'arn:aws:iam::111122223333:role/config',
  })
  build({ stack, auth })
  app.synth()
  return join(outdir, 'Prod.template.json')
}

const client = { key, name: key, type: 'public', redirectUris: ['https://films.example/cb'] } as const
const buildFilms = ({ stack, auth }: Built) => {
  const api = new ProtectedApi(stack, 'Api', { auth, key, name: key, audience: `urn:${key}` })
  new OidcClient(stack, 'Web', { auth, ...client, apis: [{ audience: api.audience, scopes: [] }] })
}

interface Creation {
  readonly id: string
  readonly properties: JsonValue
  readonly called?: string
}

/** Sends what CloudFormation sends when a stack is created. Returns the answers. */
const sendCreate = async (...creations: readonly Creation[]): Promise<readonly JsonValue[]> => {
  const stackId = `arn:aws:cloudformation:eu-west-1:111122223333:stack/${stackName}/${randomUUID()}`
  const from = answers.length
  for (const { id, properties, called = arn } of creations)
    await service.invokeConfig(
      {
        ...{ RequestType: 'Create', StackId: stackId, RequestId: randomUUID(), LogicalResourceId: id },
        ResponseURL: 'https://cloudformation-custom-resource-response-euwest1.s3.eu-west-1.amazonaws.com/arn',
        ResourceProperties: properties,
      },
      called,
      called === arn ? 'config' : 'config-product',
    )
  return answers.slice(from)
}

/** Creates the constructs of a template. */
const deploy = async (path: string) => {
  const template = JSON.parse(readFileSync(path, 'utf8'))
  const kinds = ['Custom::LatchkeyApi', 'Custom::LatchkeyClient']
  const resources = kinds.flatMap((kind) => resourcesOf(template, kind))
  const made = await sendCreate(...resources.map(([id, { Properties }]) => ({ id, properties: Properties })))
  expect(made.map(({ Status }) => Status)).toEqual(resources.map(() => 'SUCCESS'))
}

it('shows what a stack would create, nothing once it did, and what a removed construct leaves', async () => {
  const path = synthesize(buildFilms)
  const first = await diff(path)
  expect(first).toMatchObject({ code: 2, stderr: '' })
  expect(first.stdout).toContain(`+ api ${key}`)
  expect(first.stdout).toContain(`+ client ${key} (gives rights)`)
  expect((await diff(path, '--refuse-rights')).code).toBe(3)
  await deploy(path)
  expect(await diff(path)).toMatchObject({ code: 0, stdout: '2 unchanged.\n' })
  const more = synthesize(({ stack, auth }) => {
    new ProtectedApi(stack, 'Api', { auth, key, name: key, audience: `urn:${key}` })
    new Group(stack, 'Editors', { auth, key, name: key, permissions: ['films:edit'] })
  })
  const changed = await diff(more)
  expect(changed.code).toBe(2)
  expect(changed.stdout).toBe(`+ group ${key} (gives rights)
    name: "${key}"
    permissions: ["films:edit"]
  client ${key} (no construct any more: onRemove decides)

1 to create, 1 left out, 1 unchanged.
`)
})

it('reads nested stacks, and connections whose secret is in Secrets Manager', async () => {
  const other = unique('nested')
  const path = synthesize((built) => {
    buildFilms(built)
    const nested = new NestedStack(built.stack, 'Nested')
    new Group(nested, 'Editors', { auth: built.auth, key: other, name: other })
    const clientSecret = new Secret(built.stack, 'AcmeSecret', { encryptionKey: new Key(built.stack, 'Key') })
    new OidcConnection(built.stack, 'Acme', {
      clientSecret,
      ...{ auth: built.auth, key: other, name: other, issuer: 'https://acme.example', clientId: 'films' },
    })
  })
  const shown = await diff(path)
  expect(shown).toMatchObject({ code: 2, stderr: '' })
  expect(shown.stdout).toContain(`+ group ${other}`)
  expect(shown.stdout).toContain(`+ oidc_connection ${other}`)
})

it('takes the owner that a construct states, or that the command names', async () => {
  const stated = unique('team')
  await deploy(synthesize(buildFilms))
  const path = synthesize(({ stack, auth }) => {
    new OidcClient(stack, 'Web', { auth, ...client, configOwner: stated })
  })
  const refused = await diff(path)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`Prod/Web clients.${key} belongs to ${owner}`)
  const plain = synthesize(({ stack, auth }) => {
    new OidcClient(stack, 'Web', { auth, ...client })
  })
  expect((await diff(plain, '--owner', stated)).stderr).toContain(`belongs to ${owner}`)
})

it('says which values only CloudFormation knows, and what is no template for it', async () => {
  const unknown = synthesize(({ stack, auth }) => {
    const name = new CfnParameter(stack, 'Name').valueAsString
    new OidcClient(stack, 'Web', { auth, ...client, name })
  })
  const refused = await diff(unknown)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toBe(`Prod.template.json has a problem:
  Prod/Web has {"Ref":"Name"}, which only CloudFormation knows.
`)
  // The account and the region are known where the app sets them.
  const inRegion = ({ stack, auth }: Built) => {
    const redirectUris = [`https://${Aws.REGION}.films.example/`]
    new OidcClient(stack, 'Web', { auth, ...client, key: `${key}-2`, name: `${key}-2`, redirectUris })
  }
  expect((await diff(synthesize(inRegion))).stdout).toContain('["https://eu-west-1.films.example/"]')
  expect((await diff(synthesize(inRegion, {}))).stderr).toContain(
    '{"Ref":"AWS::Region"}, which only CloudFormation',
  )
  const empty = synthesize(({ stack }) => new CfnResource(stack, 'Topic', { type: 'AWS::SNS::Topic' }))
  expect((await diff(empty)).stderr).toBe(
    'Prod.template.json has no construct of Latchkey that configures a service.\n',
  )
  const broken = folder.file('Broken.template.json', '{')
  expect((await diff(broken)).stderr).toBe('Broken.template.json is not JSON.\n')
  const file = folder.file('films.yaml', `schema_version: 1\nowner: ${owner}\n`)
  expect((await diff(file, '--owner', 'x')).stderr).toBe(
    '--owner is for the template of a stack. A file names its owner.\n',
  )
  const applied = await run('apply', unknown, '--yes', '--function', functionUrl.url)
  expect(applied).toMatchObject({
    code: 1,
    stderr:
      'Prod.template.json is the template of a stack: diff shows what it would change, and cdk deploy applies it.\n',
  })
})

it('is the same for a template without the CDK, as the documentation writes it', async () => {
  const [, text = ''] =
    /```yaml file=template\.yaml\n([\s\S]*?)```/.exec(readFileSync('docs/as-code.md', 'utf8')) ?? []
  const tag = { tag: '!GetAtt', resolve: (value: string) => value }
  const template = parse(text, { customTags: [tag] })
  const { Type, Properties } = template.Resources.Web
  expect([Type, Properties.DeletionPolicy]).toEqual(['Custom::LatchkeyClient', undefined])
  const [made] = await sendCreate({ id: 'Web', properties: Properties, called: Properties.ServiceToken })
  expect(made).toMatchObject({ Status: 'SUCCESS', Data: { Key: 'web', ClientId: 'web' } })
  expect(template.Outputs.ClientId.Value).toBe('Web.ClientId')
})
