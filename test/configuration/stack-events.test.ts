import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { TableClient } from '../../lib/kernel/table/table-client.ts'
import type { JsonValue } from '../support/client.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { unique } from './support.ts'

/* CloudFormation creates, changes and deletes custom resources, repeats events, undoes them, and loses answers. */

const responses: JsonValue[] = []
const { fetch } = globalThis
let refusals = 0
globalThis.fetch = async (input, init) => {
  const url = String(input)
  if (!url.startsWith('https://cloudformation-custom-resource-response-')) return fetch(input, init)
  if (refusals-- > 0) throw new TypeError('the connection broke')
  responses.push(JSON.parse(String(init?.body)))
  return new Response('')
}
afterAll(() => {
  globalThis.fetch = fetch
})

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const responseUrl =
  'https://cloudformation-custom-resource-response-euwest1.s3.eu-west-1.amazonaws.com/arn?X-Amz-Signature=1'

type Configuration = Readonly<Record<string, unknown>>
let stackId = ''
let key = ''
beforeEach(() => {
  key = unique('films')
  stackId = `arn:aws:cloudformation:eu-west-1:111122223333:stack/${key}/${randomUUID()}`
  refusals = 0
})

const send = async (RequestType: string, configuration: Configuration | undefined, more: object = {}) => {
  await service.invokeConfig({
    ...{ RequestType, ResponseURL: responseUrl, StackId: stackId, RequestId: randomUUID() },
    ...{ LogicalResourceId: 'Resource', ResourceType: 'Custom::Latchkey' },
    ResourceProperties: { ServiceToken: 'arn', Configuration: JSON.stringify(configuration) },
    ...more,
  })
  return responses.at(-1)
}
const clientOf = (fields: object = {}): Configuration => ({
  ...{ schema_version: 1, kind: 'client', key },
  entry: {
    ...{ name: key, type: 'public', redirect_uris: ['https://films.example.com/callback'] },
    ...fields,
  },
})
const apiOf = (host: string): Configuration => ({
  ...{ schema_version: 1, kind: 'api', key },
  entry: { name: key, audience: `https://${key}.${host}/api` },
})
const policyOf = (length: number): Configuration => ({
  ...{ schema_version: 1, kind: 'password_policy', key: 'password_policy', entry: { min_length: length } },
})
const findClients = async () => (await call('GET', `oidc-clients?filter=${key}`)).body
const idOf = (name = key) => ({ PhysicalResourceId: `client/${name}` })

describe('a client of a stack', () => {
  it('is created, changed and deleted, with the stack in the audit log as nobody proved it', async () => {
    const created = await send('Create', clientOf())
    expect(created).toMatchObject({
      ...{ Status: 'SUCCESS', StackId: stackId, PhysicalResourceId: `client/${key}` },
      Data: { Key: key, ClientId: key },
    })
    const [{ id }] = await findClients()
    const changed = await send('Update', clientOf({ access_token_lifetime: 900 }), idOf())
    expect(changed).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: `client/${key}` })
    expect(await findClients()).toMatchObject([{ id, access_token_lifetime: 900 }])
    const events = (await call('GET', 'auth/audit-events?event=oidc_client.changed')).body
    expect(events[0]).toMatchObject({
      ...{ actor: null, credential: 'configuration', request_id: changed.RequestId },
      actor_principal: `unverified:${stackId}`,
    })
    expect(await send('Delete', clientOf(), idOf())).toMatchObject({ Status: 'SUCCESS' })
    expect(await findClients()).toEqual([])
  })

  type Step = readonly [type: string, fields?: object, more?: object]
  const create: Step = ['Create']
  const update: Step = ['Update', { access_token_lifetime: 900 }]
  const rollback: Step = ['Update', {}]
  const remove: Step = ['Delete']

  it.each<readonly [title: string, steps: readonly Step[], lifetimes: readonly number[]]>([
    ['created twice', [create, create], [600]],
    ['changed twice', [create, update, update], [900]],
    ['changed and rolled back', [create, update, rollback], [600]],
    ['rolled back twice', [create, update, rollback, rollback], [600]],
    ['rolled back without having been changed', [create, rollback], [600]],
    ['changed after its creation was lost', [update], [900]],
    ['deleted twice', [create, remove, remove], []],
    ['deleted without having been created', [remove], []],
    ['deleted by a rollback, and created by the next deployment', [create, remove, create], [600]],
    ['created, deleted, created and changed', [create, remove, create, update], [900]],
    ['created late, after it was deleted, and deleted again', [create, remove, create, remove], []],
  ])('ends as the last event says when it is %s', async (_, steps, lifetimes) => {
    for (const [type, fields, more] of steps)
      expect(
        await send(type, clientOf(fields), { ...(type === 'Create' ? {} : idOf()), ...more }),
      ).toMatchObject({
        Status: 'SUCCESS',
        PhysicalResourceId: `client/${key}`,
      })
    const clients = await findClients()
    expect(clients.map(({ access_token_lifetime }: JsonValue) => access_token_lifetime)).toEqual(lifetimes)
    for (const { client_id } of clients) expect(client_id).toBe(key)
  })

  it('is created once when ten events arrive together, and when the answer is lost', async () => {
    refusals = 2
    await Promise.all(Array.from({ length: 10 }, () => send('Create', clientOf())))
    expect(await findClients()).toHaveLength(1)
    expect(await send('Create', clientOf())).toMatchObject({ Status: 'SUCCESS' })
  })

  it('cannot get another key, and the rollback succeeds', async () => {
    await send('Create', clientOf())
    const other = { ...clientOf(), key: `${key}-2` }
    expect(await send('Update', other, idOf())).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('together with a new key'),
      PhysicalResourceId: `client/${key}`,
    })
    expect(await send('Update', clientOf(), idOf())).toMatchObject({ Status: 'SUCCESS' })
    expect(await findClients()).toHaveLength(1)
  })

  it('belongs to its stack: another one cannot take, change or delete it', async () => {
    await send('Create', clientOf())
    const own = stackId
    for (const other of [
      own.replace('111122223333', '444455556666'),
      own.replace('eu-west-1', 'eu-west-2'),
      own.replace(`stack/${key}`, `stack/${key.toUpperCase()}`),
    ]) {
      stackId = other
      const refused = await send('Create', clientOf({ access_token_lifetime: 900 }))
      expect(refused).toMatchObject({ Status: 'FAILED', Reason: expect.stringContaining('belongs to') })
      // CloudFormation deletes what failed to be created.
      const { PhysicalResourceId } = refused
      expect(await send('Delete', clientOf(), { PhysicalResourceId })).toMatchObject({ Status: 'SUCCESS' })
      expect(await send('Delete', clientOf(), idOf())).toMatchObject({ Status: 'SUCCESS' })
      expect(await findClients()).toMatchObject([{ access_token_lifetime: 600 }])
    }
    // The same stack, deleted and created again.
    stackId = own.replace(/[\w-]+$/, randomUUID())
    expect(await send('Create', clientOf({ access_token_lifetime: 900 }))).toMatchObject({
      Status: 'SUCCESS',
    })
  })
})

it('refuses another audience of an API, and takes back the earlier one', async () => {
  const id = { PhysicalResourceId: `api/${key}` }
  expect(await send('Create', apiOf('example.com'))).toMatchObject({ Status: 'SUCCESS' })
  expect(await send('Update', apiOf('example.org'), id)).toMatchObject({
    Status: 'FAILED',
    Reason: expect.stringContaining('audience cannot be changed'),
  })
  expect(await send('Update', apiOf('example.com'), id)).toMatchObject({ Status: 'SUCCESS' })
  expect(await send('Delete', apiOf('example.com'), id)).toMatchObject({ Status: 'SUCCESS' })
})

it('releases settings, which stay, so that another stack can set them', async () => {
  const id = { PhysicalResourceId: 'password_policy/password_policy' }
  const own = stackId
  expect(await send('Create', policyOf(15))).toMatchObject({ Status: 'SUCCESS' })
  stackId = own.replace('eu-west-1', 'eu-west-2')
  expect(await send('Create', policyOf(8))).toMatchObject({ Status: 'FAILED' })
  stackId = own
  expect(await send('Delete', policyOf(15), id)).toMatchObject({ Status: 'SUCCESS' })
  expect((await call('GET', 'system/password-policy')).body).toMatchObject({ min_length: 15 })
  stackId = own.replace('eu-west-1', 'eu-west-2')
  const adopting = { ...policyOf(16), entry: { min_length: 16, adopt: true } }
  expect(await send('Create', adopting)).toMatchObject({ Status: 'SUCCESS' })
  await send('Delete', adopting, id)
})

describe('an event that is wrong', () => {
  it.each([
    'http://cloudformation-custom-resource-response-euwest1.s3.eu-west-1.amazonaws.com/',
    'https://cloudformation-custom-resource-response-euwest1.s3.eu-west-1.amazonaws.com.example.com/',
    'https://cloudformation-custom-resource-response-euwest1.s3.eu-west-1.amazonaws.com:8443/',
    'https://example.com/cloudformation-custom-resource-response-euwest1.s3.eu-west-1.amazonaws.com',
    'https://cloudformation-custom-resource-response-euwest1.s3.eu-west-1.amazonaws.com@example.com/',
    'https://mycloudformation-custom-resource-response-euwest1.s3.amazonaws.com/',
    'http://169.254.169.254/latest/meta-data',
    '',
  ])('gets no answer and changes nothing with the response URL %j', async (ResponseURL) => {
    const count = responses.length
    await expect(send('Create', clientOf(), { ResponseURL })).rejects.toThrow('not one of CloudFormation')
    expect([responses.length, await findClients()]).toEqual([count, []])
  })

  it.each<readonly [string, () => object]>([
    ['without a configuration', () => ({ ResourceProperties: {} })],
    ['with no JSON', () => ({ ResourceProperties: { Configuration: '{' } })],
    ['with a kind that is a built-in name', () => ({ configuration: { ...clientOf(), kind: '__proto__' } })],
    ['with a key that is a built-in name', () => ({ configuration: { ...clientOf(), key: '__proto__' } })],
    ['of a later version', () => ({ configuration: { ...clientOf(), schema_version: 2 } })],
    ['with an unknown field', () => ({ configuration: clientOf({ admin: true }) })],
    ['with a client ID of its own', () => ({ configuration: clientOf({ client_id: 'console' }) })],
    ['without a stack', () => ({ StackId: 'films' })],
    ['with a stack that is no name', () => ({ StackId: 'arn:aws:cloudformation:eu-west-1:1:stack/../1' })],
    ['of 200 KB', () => ({ configuration: clientOf({ name: 'x'.repeat(200_000) }) })],
  ])('fails with a reason %s', async (_, change) => {
    const { configuration = clientOf(), ...more } = change() as { readonly configuration?: Configuration }
    const answer = await send('Create', configuration, more)
    expect(answer).toMatchObject({
      Status: 'FAILED',
      PhysicalResourceId: expect.stringMatching(/^not-created\//),
    })
    expect(answer.Reason.length).toBeGreaterThan(20)
    expect(JSON.stringify(answer).length).toBeLessThan(4096)
    expect(await findClients()).toEqual([])
  })
})

it('ends alike when the table fails at any step, and the event is sent again', async () => {
  const { send: sendCall } = TableClient.prototype
  let calls = 0
  let failing = 0
  const spy = vi.spyOn(TableClient.prototype, 'send').mockImplementation(function (
    this: TableClient,
    ...given
  ) {
    if (++calls === failing) return Promise.reject(new Error('the table failed'))
    return Reflect.apply(sendCall, this, given)
  })
  try {
    let failures = 0
    for (let step = 1; step <= calls || step === 1; step++) {
      key = unique('steps')
      failing = step
      calls = 0
      const answer = await send('Create', clientOf())
      if (answer.Status === 'FAILED') {
        failures++
        // CloudFormation deletes what failed, and the next deployment creates it.
        failing = 0
        const { PhysicalResourceId } = answer
        expect(await send('Delete', clientOf(), { PhysicalResourceId })).toMatchObject({ Status: 'SUCCESS' })
      }
      failing = 0
      const made = calls
      expect(await send('Create', clientOf())).toMatchObject({ Status: 'SUCCESS', Data: { ClientId: key } })
      expect(await findClients()).toHaveLength(1)
      calls = made
    }
    expect(failures).toBeGreaterThan(5)
  } finally {
    spy.mockRestore()
  }
})
