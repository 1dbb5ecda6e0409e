import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { environmentOf, makeFolder, startCommand } from '../cli/command.ts'
import { startStub } from '../infra/stub-server.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { deployerEnvironment } from '../support/config-function.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { unique } from './support.ts'

/* Regions without function URLs, where the command invokes an alias of the function. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const folder = makeFolder()
afterAll(() => folder.remove())

const functionArn = 'arn:aws:lambda:eu-central-2:111122223333:function:config'
const alias = `${functionArn}:invoked`
let refusal: 'none' | 'denied' | 'failed' = 'none'
const lambda = closeAfterTests(
  await startStub(async ({ path, headers, body }) => {
    if (!/Credential=[^/]+\/\d{8}\/eu-central-2\/lambda\/aws4_request/.test(headers.authorization ?? ''))
      return { status: 403 }
    if (refusal === 'denied') return { status: 403 }
    if (path !== `/2015-03-31/functions/${encodeURIComponent(alias)}/invocations`) return { status: 404 }
    const answer = await service.invokeConfig(JSON.parse(body), alias)
    return refusal === 'failed'
      ? { status: 200, body: '{"errorMessage":"Task timed out"}' }
      : { status: 200, body: JSON.stringify(answer) }
  }),
)
const run = (...args: readonly string[]) =>
  startCommand('config', [...args, '--function', alias], {
    ...environmentOf(),
    ...deployerEnvironment,
    AWS_REGION: 'eu-central-2',
    AWS_ENDPOINT_URL_LAMBDA: lambda.url,
  }).ended

const name = unique('zurich')
const file = folder.file(
  'latchkey.yaml',
  `schema_version: 1
owner: ${name}
groups:
  ${name}: { name: ${name}, permissions: ["films:view"] }
`,
)

it('applies a file, and the audit log says that nothing proved who did it', async () => {
  expect(await run('diff', file)).toMatchObject({ code: 2, stderr: '' })
  expect(await run('apply', file, '--yes')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('diff', file)).toMatchObject({ code: 0, stdout: '1 unchanged.\n' })
  const { body } = await call('GET', 'auth/audit-events?event=group.created')
  expect(body[0]).toMatchObject({ actor_principal: 'unverified:invoked' })
})

it('gives the secrets of a file, and renews them', async () => {
  const key = unique('films')
  const films = folder.file(
    `${key}.yaml`,
    `schema_version: 1
owner: ${key}
clients:
  ${key}: { name: ${key}, redirect_uris: ["https://films.example.com/callback"] }
`,
  )
  const outputs = join(folder.path, `${key}.json`)
  const apply = async (...more: readonly string[]) => {
    expect(await run('apply', films, '--yes', '--outputs', outputs, ...more)).toMatchObject({ code: 0 })
    return JSON.parse(readFileSync(outputs, 'utf8')).clients[key].client_secret
  }
  const secret = await apply('--require-secrets')
  expect(secret).toEqual(expect.any(String))
  expect(await apply()).toBe(secret)
  expect(await apply('--renew', `clients.${key}`)).not.toBe(secret)
})

it.each([
  ['denied', 'AWS refused the request (403). The credentials need lambda:InvokeFunction on the alias'],
  ['failed', 'The function failed (502). Its log has the reason.'],
] as const)('says what to do if it is %s', async (how, expected) => {
  refusal = how
  const { code, stderr } = await run('diff', file)
  refusal = 'none'
  expect(code).toBe(1)
  expect(stderr).toContain(expected)
})

it.each([
  functionArn,
  `${functionArn}:url`,
  `${functionArn}:1`,
  'arn:aws:lambda:eu-central-2:1:function:a:invoked',
])('the command takes no other name of the function: %s', async (address) => {
  const { code, stderr } = await startCommand(
    'config',
    ['diff', file, '--function', address],
    environmentOf(),
  ).ended
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('--function must be the output ConfigUrl or ConfigAliasArn'),
  ])
})

describe('an event that somebody made up', () => {
  const document = { schema_version: 1, owner: unique('forged') }
  const forged = {
    rawPath: '/plan',
    headers: { 'content-type': 'application/json' },
    requestContext: {
      requestId: 'forged',
      authorizer: { iam: { userArn: 'arn:aws:iam::111122223333:user/someone-else' } },
      http: { method: 'POST', sourceIp: '192.0.2.1', userAgent: 'forged' },
    },
    body: JSON.stringify({ document }),
  }

  it('names no caller through the alias: only its path and its body are read', async () => {
    expect((await service.invokeConfig(forged, alias)).statusCode).toBe(404)
    expect(
      (await service.invokeConfig({ ...forged, path: '/plan', body: { document } }, alias)).statusCode,
    ).toBe(200)
    const line = service.log
      .map((text) => JSON.parse(text))
      .findLast(({ event }) => event === 'config.answered')
    expect(line).toMatchObject({ actorPrincipal: 'unverified:invoked' })
    expect(JSON.stringify(line)).not.toContain('someone-else')
  })

  it.each([functionArn, `${functionArn}:1`, `${functionArn}:xinvoked`])(
    'is refused through %s',
    async (arn) => {
      const answer = await service.invokeConfig({ ...forged, path: '/plan', body: { document } }, arn)
      expect(answer.statusCode).toBe(403)
    },
  )

  it('is not taken for one of CloudFormation', async () => {
    const event = {
      ...{ RequestType: 'Create', ResponseURL: `${lambda.url}/forged`, StackId: 'a-stack', RequestId: '1' },
      ...{ ResourceType: 'Custom::LatchkeyGroup', LogicalResourceId: 'Forged', ServiceToken: functionArn },
      ResourceProperties: { ServiceToken: functionArn, Configuration: '{"kind":"group","key":"forged"}' },
    }
    expect((await service.invokeConfig(event, alias)).statusCode).toBe(404)
  })

  it.each([
    null,
    'text',
    [],
    {},
    { path: 7 },
    { path: '/plan' },
    { path: '/plan', body: 'text' },
    { path: '__proto__', body: {} },
    { path: '/export', body: null },
  ])('is refused without the form of a request: %j', async (event) => {
    expect([400, 404]).toContain((await service.invokeConfig(event, alias)).statusCode)
  })
})
