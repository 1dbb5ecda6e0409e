import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve as resolvePath } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { App, Stack } from 'aws-cdk-lib'
import { build } from 'esbuild'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProxy } from '../infra/dynamodb-proxy.ts'
import { resolve } from '../infra/intrinsics.ts'
import { type RunningFunction, startFunction } from '../infra/lambda.ts'
import { allows, type Statement, statementsOf } from '../infra/policies.ts'
import { hookArns, resourcesOf, type Template } from '../infra/synthesis.ts'
import { type DeployedService, startDeployedService } from '../runner/deployed-service.ts'
import { factsOf, region, tableArn } from '../runner/template-facts.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import { addPerson, addSignedIn, callAs, trySignIn } from '../support/people.ts'

/*
 * The functions of the example of hooks as its stack deploys them: each in a process with only its environment, in front of a table that
 * answers what the role allows. Latchkey invokes them by the roles of its own template.
 */

/** The hooks and the files of the example that answer them. */
const files = {
  beforeSignUp: 'before-sign-up',
  afterSignIn: 'after-sign-in',
  beforeToken: 'before-token',
} as const

/** Starting a service leads the variable to its own endpoint. */
const engine = process.env['DYNAMODB_ENDPOINT'] ?? ''
const engineClient = new DynamoDBClient({
  ...{ endpoint: engine, region },
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
})
const customersTable = `customers-${randomUUID()}`
const basicExecution = 'service-role/AWSLambdaBasicExecutionRole'

const synthesize = async (): Promise<Template> => {
  const { ProductHooks } = await import(pathToFileURL('examples/hooks/infra/product-hooks.ts').href)
  // The code of the functions is bundled below.
  const app = new App({ analyticsReporting: false, context: { 'aws:cdk:bundling-stacks': [] } })
  const stack = new Stack(app, 'CustomerRoles')
  new ProductHooks(stack, 'Hooks')
  return app.synth().getStackByName('CustomerRoles').template
}

/** Takes the policy from the roles by which functions write their logs. Each function has it alone. */
const withoutLogs = (template: Template): Template => {
  const roles = resourcesOf(template, 'AWS::IAM::Role')
  for (const [, { Properties }] of roles) {
    expect(JSON.stringify(Properties.ManagedPolicyArns)).toContain(basicExecution)
    expect(Properties.ManagedPolicyArns).toHaveLength(1)
  }
  return JSON.parse(
    JSON.stringify(template, (key, value) => (key === 'ManagedPolicyArns' ? undefined : value)),
  )
}

let folder: string
let service: DeployedService
let proxy: Awaited<ReturnType<typeof startProxy>>
let isTableDown = false
const functions = new Map<string, RunningFunction>()
const statements = new Map<string, readonly Statement[]>()
const denied: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-hooks-'))
  const template = withoutLogs(await synthesize())
  const [[tableId, table] = []] = resourcesOf(template, 'AWS::DynamoDB::GlobalTable')
  const { AttributeDefinitions, KeySchema } = table?.Properties ?? {}
  const create = { AttributeDefinitions, KeySchema, BillingMode: 'PAY_PER_REQUEST' } as const
  await engineClient.send(new CreateTableCommand({ TableName: customersTable, ...create }))
  const rows = Object.entries<object>(JSON.parse(readFileSync('examples/hooks/customers.json', 'utf8')))
  for (const [email, row] of rows)
    await DynamoDBDocumentClient.from(engineClient).send(
      new PutCommand({ TableName: customersTable, Item: { email, ...row } }),
    )
  const facts = {
    ...factsOf(template, ''),
    ...{ [`${tableId}`]: customersTable, [`${tableId}.Arn`]: tableArn(customersTable) },
  }
  proxy = await startProxy({
    endpoint: engine,
    refuse: ({ action, input, accessKeyId }) => {
      if (isTableDown) return { status: 500 }
      const may = allows(
        statements.get(accessKeyId) ?? [],
        `dynamodb:${action}`,
        tableArn(String(input.TableName)),
      )
      if (may) return undefined
      denied.push(`${accessKeyId} ${action} ${input.TableName}`)
      return 'denied'
    },
  })
  await Promise.all(
    resourcesOf(template, 'AWS::Lambda::Function').map(async ([id, { Properties }]) => {
      const [hook, file] = Object.entries(files).find(([, one]) => id.includes(one.replaceAll('-', ''))) ?? []
      if (!hook) throw new Error(`The function ${id} answers no hook.`)
      statements.set(id, statementsOf(template, id, facts))
      await build({
        entryPoints: { index: `examples/hooks/src/${file}.ts` },
        ...{ outdir: join(folder, hook), outExtension: { '.js': '.mjs' } },
        ...{ bundle: true, platform: 'node', format: 'esm', mainFields: ['module', 'main'] },
        nodePaths: [resolvePath('node_modules')],
        alias: { '@latchkey/hooks': resolvePath('lib/hooks/index.ts') },
        logLevel: 'silent',
      })
      const environment: Readonly<Record<string, string>> = {
        ...resolve(Properties.Environment.Variables, facts),
        ...{ AWS_REGION: region, AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: 'local' },
        AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
      }
      functions.set(hook, await startFunction(join(folder, hook), environment))
    }),
  )
  service = await startDeployedService({}, { stack: 'hooks' })
  const names = new Map<string, string>(Object.entries(hookArns).map(([name, arn]) => [arn, name]))
  service.deployment.lambda.behave(async ({ arn, payload }) => {
    const answer = await functions
      .get(names.get(arn) ?? '')
      ?.invoke(payload, arn)
      .catch(() => undefined)
    return answer === undefined ? { status: 500 } : { status: 200, body: JSON.stringify(answer) }
  })
})
afterAll(async () => {
  await Promise.all([...functions.values()].map(({ stop }) => stop()))
  await service?.close()
  await proxy?.close()
  rmSync(folder, { recursive: true, force: true })
})

const addCustomer = (email: string) => addPerson(service, { email })
const signIn = async (email: string) => {
  const { status, body } = await trySignIn(service, await addCustomer(email))
  return [status, body.reason, body.refusal]
}

it('the contract and the role decide about a sign-in', async () => {
  expect(await signIn('ada@example.com')).toEqual([200, undefined, undefined])
  expect(await signIn('bob@example.com')).toEqual([403, 'sign_in_refused', 'Your contract has ended.'])
  expect(await signIn('carol@example.com')).toEqual([403, 'sign_in_refused', undefined])
  expect(denied).toEqual([])
  expect(service.deployment.takeDenials()).toEqual([])
})

it('customers create an account with their group, and tokens have the role and the plan', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const call = callAs(service, admin)
  const group = await call('POST', 'groups', { name: 'Customers', permissions: ['films:view'] })
  await call('PUT', 'system/sign-up-policy', { mode: 'open' })
  const signUp = async (email: string) => {
    await call('POST', 'auth/sign-up', { email })
    const token = await readMailedToken(service, email, 'sign-up')
    return call('POST', 'auth/sign-up/complete', { token, full_name: 'Grace Hopper' })
  }
  const refused = await signUp('mallory@example.com')
  expect([refused.status, refused.body.reason]).toEqual([403, 'sign_up_refused'])
  const accepted = await signUp('grace@example.com')
  expect(accepted.status).toBe(200)
  const body = { token: accepted.body.invitation_token, password: 'violet tractor under nine moons' }
  const { session_key: bearer } = (await service.client('POST', '/api/2/auth/invitation/accept', { body }))
    .body
  const me = await service.client('GET', '/api/2/users/me', { bearer })
  const member = await call('GET', `groups/${group.body.id}`)
  expect(JSON.stringify(member.body)).toContain(`"id":${me.body.id}`)

  const party = await addRelyingParty(service, { scopes: ['openid', 'attributes'] })
  const tokens = await getTokens(service, party, bearer, { scope: 'openid attributes' })
  expect(decodeJwt(tokens.id_token)).toMatchObject({ role: 'buyer', plan: 'free' })
  expect(denied).toEqual([])
  expect(service.deployment.takeDenials()).toEqual([])
})

it('nobody signs in while the table is down', async () => {
  isTableDown = true
  expect(await signIn('dora@example.com')).toEqual([503, 'hook_failed', undefined])
  isTableDown = false
  expect(await signIn('erik@example.com')).toEqual([200, undefined, undefined])
})

describe('the role of each function', () => {
  it('reads single customers, and nothing else', () => {
    expect(statements.size).toBe(3)
    const arn = tableArn(customersTable)
    for (const [, role] of statements) {
      expect(allows(role, 'dynamodb:GetItem', arn)).toBe(true)
      for (const action of ['Scan', 'Query', 'PutItem', 'DeleteItem', 'BatchGetItem'])
        expect(allows(role, `dynamodb:${action}`, arn)).toBe(false)
      expect(allows(role, 'dynamodb:GetItem', tableArn('Latchkey'))).toBe(false)
    }
  })
})
