import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf } from '../support/client.ts'
import { readItems } from '../support/table-copies.ts'
import { adminPassword, type Deployment, deploy } from './deployment.ts'
import { startFunction } from './lambda.ts'
import { type Synthesis, shareSynthesis } from './synthesis.ts'

/*
 * CloudFormation updates resources in an order of its own, repeats events, and undoes all of it when one resource fails. The
 * custom resources delete nothing and create nothing twice.
 */

interface CustomResource {
  readonly type: string
  readonly logicalId: string
  /** The beginning of the logical ID of its function. */
  readonly function: string
  readonly physicalId: string
}

const resources: readonly CustomResource[] = [
  {
    type: 'Custom::LatchkeyFirstAdmin',
    logicalId: 'FirstAdmin',
    function: 'AuthFirstAdminFunction',
    physicalId: 'first-admin',
  },
  {
    type: 'Custom::LatchkeySigningKey',
    logicalId: 'FirstSigningKey',
    function: 'AuthSigningKeysFunction',
    physicalId: 'signing-keys',
  },
]

const originSecretResource = 'Custom::LatchkeyOriginSecretVersion'

interface ResourceEvent {
  readonly RequestType: 'Create' | 'Update' | 'Delete'
  readonly RequestId: string
  readonly PhysicalResourceId?: string
  readonly ResourceProperties?: object
  readonly OldResourceProperties?: object
}

const earlier = { Secret: 'arn:of-the-earlier-secret' }
const later = { Secret: 'arn:of-the-later-secret' }
const create: ResourceEvent = { RequestType: 'Create', RequestId: 'create', ResourceProperties: earlier }
const update = (id: string): ResourceEvent => ({
  RequestType: 'Update',
  RequestId: 'update',
  PhysicalResourceId: id,
  ResourceProperties: later,
  OldResourceProperties: earlier,
})
const rollback = (id: string): ResourceEvent => ({
  RequestType: 'Update',
  RequestId: 'rollback',
  PhysicalResourceId: id,
  ResourceProperties: earlier,
  OldResourceProperties: later,
})
const remove = (id: string, RequestId = 'delete'): ResourceEvent => ({
  RequestType: 'Delete',
  RequestId,
  PhysicalResourceId: id,
  ResourceProperties: earlier,
})

/** What CloudFormation sends after the first creation. */
const histories = (id: string): readonly (readonly [title: string, events: readonly ResourceEvent[]])[] => [
  ['a repeated creation', [create]],
  ['an update', [update(id)]],
  ['a repeated update', [update(id), update(id)]],
  ['an update and its rollback', [update(id), rollback(id)]],
  ['a rollback without its update', [rollback(id)]],
  ['a replacement, and the deletion of the earlier one', [create, remove(`${id}-earlier`)]],
  ['the rollback of a replacement', [create, remove(`${id}-later`), rollback(id)]],
  ['the deletion of a creation that failed', [remove('Latchkey-Resource-1ABCDEFGHIJK')]],
  ['a deleted stack', [remove(id), remove(id)]],
  ['a new stack with the table of a deleted one', [remove(id), create]],
]

let synthesis: Synthesis
beforeAll(async () => {
  synthesis = await shareSynthesis('full')
})

it('every custom resource of the stack is tested here', async () => {
  const { template } = await shareSynthesis('frontDoor')
  const types = Object.values(template.Resources).map(({ Type }) => Type)
  expect(types.filter((type) => type.startsWith('Custom::')).sort()).toEqual(
    [...resources.map(({ type }) => type), originSecretResource].sort(),
  )
  const found = Object.values(synthesis.template.Resources).map(({ Type }) => Type)
  const custom = found.filter((type) => /^Custom::|CustomResource$/.test(type))
  expect(custom.sort()).toEqual(resources.map(({ type }) => type).sort())
  const nested = Object.values(synthesis.monitoring.Resources).map(({ Type }) => Type)
  expect(nested.filter((type) => /^Custom::|CustomResource$/.test(type))).toEqual([])
})

describe.each(resources)('$type', (resource) => {
  let deployment: Deployment
  let functionId: string
  beforeAll(async () => {
    deployment = await deploy(synthesis, process.env['DYNAMODB_ENDPOINT'] ?? '')
    functionId = [...deployment.functions.keys()].find((id) => id.startsWith(resource.function)) ?? ''
  })
  afterAll(() => deployment?.close())

  const complete = (event: ResourceEvent) => ({
    ResponseURL: deployment.responseUrl,
    ServiceToken: 'arn:of-the-function',
    StackId: 'stack',
    LogicalResourceId: resource.logicalId,
    ResourceType: resource.type,
    ...event,
  })
  const send = async (event: ResourceEvent) => {
    await deployment.functions.get(functionId)?.invoke(complete(event))
    return deployment.responses.at(-1)
  }
  const readAll = async () =>
    [...(await readItems(deployment.tableName))].sort((a, b) =>
      `${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1,
    )

  it('is created once by concurrent events, also if answers of the table are lost', async () => {
    deployment.loseAnswers(({ action }) => action === 'TransactWriteItems')
    await Promise.all([send(create), send(create)])
    expect(deployment.responses).toHaveLength(2)
    for (const response of deployment.responses)
      expect(response).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: resource.physicalId })
    const items = await readAll()
    expect(items.length).toBeGreaterThan(0)
    const isAdmin = (item: object) => 'username' in item && item.username === 'admin'
    expect(items.filter(isAdmin)).toHaveLength(resource.logicalId === 'FirstAdmin' ? 1 : 0)
  })

  it.each(histories(resource.physicalId))('keeps everything after %s', async (_, events) => {
    const before = await readAll()
    for (const event of events)
      expect(await send(event)).toMatchObject({
        Status: 'SUCCESS',
        RequestId: event.RequestId,
        LogicalResourceId: resource.logicalId,
        // An ID that changes is a replacement, which CloudFormation ends with a deletion.
        PhysicalResourceId: event.PhysicalResourceId ?? resource.physicalId,
      })
    expect(await readAll()).toEqual(before)
    expect(deployment.takeDenials()).toEqual([])
  })
})

describe(originSecretResource, () => {
  let deployment: Deployment
  beforeAll(async () => {
    deployment = await deploy(await shareSynthesis('frontDoor'), process.env['DYNAMODB_ENDPOINT'] ?? '')
  })
  afterAll(() => deployment?.close())

  const send = async (RequestType: ResourceEvent['RequestType'], earlier: string, later: string) => {
    const [, target] = [...deployment.functions].find(([id]) => id.startsWith('AuthFirstAdminFunction')) ?? []
    await target?.invoke({
      RequestType,
      ResourceType: originSecretResource,
      ResponseURL: deployment.responseUrl,
      RequestId: RequestType,
      StackId: 'stack',
      LogicalResourceId: 'OriginSecretVersion',
      PhysicalResourceId: 'origin-secret-version',
      // CloudFormation turns numbers into texts.
      ResourceProperties: { Version: later },
      ...(RequestType === 'Update' ? { OldResourceProperties: { Version: earlier } } : {}),
    })
    return deployment.responses.at(-1)
  }

  it.each([
    ['Create', '', '7'],
    ['Update', '1', '2'],
    ['Update', '9', '10'],
    // A rollback.
    ['Update', '2', '1'],
    ['Update', '3', '1'],
    ['Delete', '', '2'],
  ] as const)('accepts %s from version %s to %s', async (type, earlier, later) => {
    expect(await send(type, earlier, later)).toMatchObject({
      Status: 'SUCCESS',
      PhysicalResourceId: 'origin-secret-version',
    })
    expect(deployment.takeDenials()).toEqual([])
  })

  it.each([
    ['1', '3'],
    ['2', '10'],
    ['1', 'later'],
  ])('refuses to raise the version from %s to %s, before any function is updated', async (earlier, later) => {
    expect(await send('Update', earlier, later)).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining(`must be raised by 1, from ${earlier} to ${Number(earlier) + 1}.`),
    })
  })
})

describe('the first administrator', () => {
  let deployment: Deployment
  beforeAll(async () => {
    deployment = await deploy(synthesis, process.env['DYNAMODB_ENDPOINT'] ?? '')
  })
  afterAll(() => deployment?.close())

  const functionId = () =>
    [...deployment.functions.keys()].find((id) => id.startsWith('AuthFirstAdmin')) ?? ''
  const signIn = (username: string, password: string) =>
    clientOf(deployment.url)('POST', '/api/2/auth/login', { body: { username, password } })

  it('keeps a new name and password through an update, also without the secret', async () => {
    const event = { ResponseURL: deployment.responseUrl, StackId: 'stack', LogicalResourceId: 'FirstAdmin' }
    await deployment.functions.get(functionId())?.invoke({ ...event, ...create })
    const bearer = (await signIn('admin', adminPassword)).body.session_key
    const call = clientOf(deployment.url)
    const password = 'violin harbor mustard tent'
    const change = { password, current_password: adminPassword }
    expect((await call('POST', '/api/2/users/me/password', { bearer, body: change })).status).toBe(204)
    const { id } = (await call('GET', '/api/2/users/me', { bearer })).body
    expect((await call('PATCH', `/api/2/users/${id}`, { bearer, body: { username: 'root' } })).status).toBe(
      200,
    )
    const environment = deployment.environmentOf(functionId())
    const withoutSecret = await startFunction(synthesis.assetOf(functionId()), {
      ...environment,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://127.0.0.1:1',
    })
    try {
      for (const one of [update('first-admin'), rollback('first-admin'), create]) {
        await withoutSecret.invoke({ ...event, ...one })
        expect(deployment.responses.at(-1)).toMatchObject({
          Status: 'SUCCESS',
          Reason: 'The user admin already exists.',
        })
      }
    } finally {
      await withoutSecret.stop()
    }
    expect((await signIn('root', password)).status).toBe(200)
    expect((await signIn('admin', adminPassword)).status).toBe(401)
  })
})
