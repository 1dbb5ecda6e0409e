import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { nameClaim } from '../../lib/features/configuration/claims.records.ts'
import { TableClient } from '../../lib/kernel/table/table-client.ts'
import type { JsonValue } from '../support/client.ts'
import { makePng } from '../support/images.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { type SecretFailure, startSecretsManager } from '../support/secrets-manager.ts'
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
const secrets = await startSecretsManager()
const { AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsBefore } = process.env
process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] = secrets.url
afterAll(async () => {
  globalThis.fetch = fetch
  await secrets.close()
  if (secretsBefore === undefined) delete process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER']
  else process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] = secretsBefore
})

const service = await useService({
  ALLOWED_ORIGINS: 'https://shop.example',
  LINK_URL: 'Shop=https://shop.example/{id}',
})
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
  ...{ schema_version: 1, kind: 'client', key, on_remove: 'delete' },
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
const idIn = (kind: string, name = key, logicalId = 'Resource') =>
  ({ PhysicalResourceId: `${kind}/${name}/${nameClaim(stackId, logicalId)}` }) as const
const idOf = (name = key) => idIn('client', name)

describe('a client of a stack', () => {
  it('is created, changed and deleted, with the stack in the audit log as nobody proved it', async () => {
    const created = await send('Create', clientOf())
    expect(created).toMatchObject({
      ...{ Status: 'SUCCESS', StackId: stackId, ...idOf() },
      Data: { Key: key, ClientId: key },
    })
    const [{ id }] = await findClients()
    const changed = await send('Update', clientOf({ access_token_lifetime: 900 }), idOf())
    expect(changed).toMatchObject({ Status: 'SUCCESS', ...idOf() })
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
        ...idOf(),
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
      ...idOf(),
    })
    expect(await send('Update', clientOf(), idOf())).toMatchObject({ Status: 'SUCCESS' })
    expect(await findClients()).toHaveLength(1)
  })

  it('cannot become confidential, and CloudFormation shows what to do instead', async () => {
    await send('Create', clientOf())
    const confidential = clientOf({ type: 'confidential' })
    expect(await send('Update', confidential, idOf())).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringMatching(/^clients\.[\w-]+\.type cannot be changed\. Use a new key: /),
      ...idOf(),
    })
    expect(await send('Update', clientOf(), idOf())).toMatchObject({ Status: 'SUCCESS' })
  })

  it('belongs to its stack: another one cannot take, change or delete it', async () => {
    await send('Create', clientOf())
    const own = stackId
    for (const other of [
      own.replace('111122223333', '444455556666'),
      own.replace(`stack/${key}`, `stack/${key}-2`),
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
  const id = idIn('api')
  expect(await send('Create', apiOf('example.com'))).toMatchObject({ Status: 'SUCCESS' })
  expect(await send('Update', apiOf('example.org'), id)).toMatchObject({
    Status: 'FAILED',
    Reason: `apis.${key}.audience cannot be changed. Use a new key: in a file, a new name of the entry, and in a stack, also a new construct ID`,
  })
  expect(await send('Update', apiOf('example.com'), id)).toMatchObject({ Status: 'SUCCESS' })
  expect(await send('Delete', apiOf('example.com'), id)).toMatchObject({ Status: 'SUCCESS' })
})

it('releases settings, which stay, so that another stack can set them', async () => {
  const id = () => idIn('password_policy', 'password_policy')
  const own = stackId
  expect(await send('Create', policyOf(14))).toMatchObject({ Status: 'SUCCESS' })
  expect(await send('Update', policyOf(15), id())).toMatchObject({ Status: 'SUCCESS' })
  stackId = own.replace('stack/', 'stack/other-')
  expect(await send('Create', policyOf(8))).toMatchObject({ Status: 'FAILED' })
  stackId = own
  expect(await send('Delete', policyOf(15), id())).toMatchObject({ Status: 'SUCCESS' })
  expect((await call('GET', 'system/password-policy')).body).toMatchObject({ min_length: 15 })
  stackId = own.replace('eu-west-1', 'eu-west-2')
  const adopting = { ...policyOf(16), entry: { min_length: 16, adopt: true } }
  expect(await send('Create', adopting)).toMatchObject({ Status: 'SUCCESS' })
  await send('Delete', adopting, id())
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

describe('the secret of a client of a stack', () => {
  let arn = ''
  beforeEach(() => {
    arn = `arn:aws:secretsmanager:eu-west-1:111122223333:secret:${key}-aBcDeF`
    secrets.create(arn)
  })
  const confidential = (fields: object = {}): Configuration => clientOf({ type: 'confidential', ...fields })
  const sendVersion = (type: string, version: number, fields: object = {}) =>
    send(type, undefined, {
      ResourceProperties: {
        ...{ ServiceToken: 'arn', Configuration: JSON.stringify(confidential(fields)) },
        // CloudFormation turns numbers into texts.
        ...{ Secret: arn, SecretVersion: String(version) },
      },
      ...(type === 'Create' ? {} : idOf()),
    })
  /** Whether the client proves itself with a secret. */
  const isAccepted = async (secret: string | undefined): Promise<boolean> => {
    const form = new URLSearchParams({ client_id: key, client_secret: secret ?? '', token: 'none' })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status } = await service.client('POST', '/oauth2/introspect', { raw: String(form), headers })
    return status === 200
  }
  const current = () => secrets.read(arn)['AWSCURRENT'] ?? ''
  const countSecrets = async () => (await findClients())[0].client_secrets.length

  it('is made in Secrets Manager alone, and the client accepts it', async () => {
    const answer = await sendVersion('Create', 1)
    expect(answer).toMatchObject({ Status: 'SUCCESS', Data: { ClientId: key, SecretArn: arn } })
    expect(current()).toMatch(/^lko_/)
    expect(await isAccepted(current())).toBe(true)
    expect(await countSecrets()).toBe(1)
    const seen = JSON.stringify([answer, service.log, await findClients()])
    expect(seen).not.toContain(current())
  })

  it('stays when an event is repeated, and when other fields change', async () => {
    await sendVersion('Create', 1)
    const first = current()
    const made = secrets.calls.filter((name) => name === 'PutSecretValue').length
    await sendVersion('Create', 1)
    await sendVersion('Update', 1, { access_token_lifetime: 900 })
    expect([current(), await countSecrets()]).toEqual([first, 1])
    expect(secrets.calls.filter((name) => name === 'PutSecretValue')).toHaveLength(made)
  })

  type Step = readonly [type: string, version: number]
  const create: Step = ['Create', 1]
  it.each<readonly [title: string, steps: readonly Step[], isSame: boolean, others: number]>([
    ['rotated', [create, ['Update', 2]], false, 1],
    ['rotated twice by a lost answer', [create, ['Update', 2], ['Update', 2]], false, 1],
    ['rotated and rolled back', [create, ['Update', 2], ['Update', 1]], true, 1],
    ['rolled back without having been rotated', [create, ['Update', 1]], true, 0],
    ['rotated, rolled back and rotated', [create, ['Update', 2], ['Update', 1], ['Update', 2]], false, 1],
    [
      'rotated again and again',
      [create, ...Array.from({ length: 30 }, (_, at): Step => ['Update', at + 2])],
      false,
      2,
    ],
  ])('is the one of the last event when it is %s', async (_, steps, isSame, others) => {
    let first = ''
    for (const [type, version] of steps) {
      expect(await sendVersion(type, version)).toMatchObject({ Status: 'SUCCESS' })
      first ||= current()
    }
    expect(current() === first).toBe(isSame)
    expect(await isAccepted(current())).toBe(true)
    const previous = secrets.read(arn)['AWSPREVIOUS']
    if (others > 0) expect(await isAccepted(previous)).toBe(true)
    expect(await countSecrets()).toBe(1 + others)
  })

  it('works for a day after a new one', async () => {
    await sendVersion('Create', 1)
    await sendVersion('Update', 2)
    const [{ client_secrets: states, id }] = await findClients()
    const [newest, before] = states
    expect(newest.expires).toBeNull()
    const renewed = (await call('GET', `auth/audit-events?event=oidc_client.secret_renewed`)).body[0]
    expect(renewed).toMatchObject({ target: String(id), actor_principal: `unverified:${stackId}` })
    expect(Date.parse(before.expires) - Date.parse(renewed.created_at)).toBe(86_400_000)
  })

  it.each<SecretFailure>(['before', 'after'])(
    'ends alike when Secrets Manager fails %s any call, and the event is sent again',
    async (how) => {
      let failures = 0
      for (const [type, version] of [create, ['Update', 2] as Step]) {
        for (let call = 1; ; call++) {
          key = unique('steps')
          arn = `arn:aws:secretsmanager:eu-west-1:111122223333:secret:${key}-aBcDeF`
          secrets.create(arn)
          secrets.fail(1_000_000, how)
          if (type === 'Update') await sendVersion(...create)
          const first = current()
          secrets.fail(call, how)
          const made = secrets.calls.length
          const answer = await sendVersion(type, version)
          if (secrets.calls.length < made + call) break
          failures++
          expect(answer).toMatchObject({
            Status: 'FAILED',
            Reason: expect.stringContaining('The log has the reason'),
          })
          // What products read works at each moment.
          if (first)
            expect([current() === first || (await isAccepted(current())), await isAccepted(first)]).toEqual([
              true,
              true,
            ])
          expect(await sendVersion(type, version)).toMatchObject({ Status: 'SUCCESS' })
          expect(await isAccepted(current())).toBe(true)
          expect([current() !== first, await countSecrets()]).toEqual([true, version])
        }
      }
      secrets.fail(1_000_000, how)
      expect(failures).toBeGreaterThan(7)
    },
  )

  it('that a person replaced comes back by no event of its version', async () => {
    await sendVersion('Create', 1)
    const leaked = current()
    const [{ id }] = await findClients()
    const renewed = await call('POST', `oidc-clients/${id}/secret`, {})
    expect(renewed.status).toBe(200)
    expect(await isAccepted(leaked)).toBe(false)
    expect(await sendVersion('Update', 1, { access_token_lifetime: 900 })).toMatchObject({
      Status: 'SUCCESS',
    })
    expect([await isAccepted(leaked), await isAccepted(renewed.body.client_secret)]).toEqual([false, true])
    expect(await sendVersion('Update', 2)).toMatchObject({ Status: 'SUCCESS' })
    expect([await isAccepted(leaked), await isAccepted(current())]).toEqual([false, true])
    // A rollback succeeds, with another value.
    expect(await sendVersion('Update', 1)).toMatchObject({ Status: 'SUCCESS' })
    expect(await isAccepted(leaked)).toBe(false)
    expect([current() === leaked, await isAccepted(current())]).toEqual([false, true])
  })

  it('is made again for a client that was deleted, and for an empty secret', async () => {
    await sendVersion('Create', 1)
    const first = current()
    await send('Delete', confidential(), idOf())
    expect(await sendVersion('Create', 1)).toMatchObject({ Status: 'SUCCESS' })
    const second = current()
    expect([second === first, await isAccepted(second)]).toEqual([false, true])
    arn = `${arn.slice(0, -6)}GhIjKl`
    secrets.create(arn)
    expect(await sendVersion('Update', 1)).toMatchObject({ Status: 'SUCCESS' })
    expect([current() === second, await isAccepted(current())]).toEqual([false, true])
  })

  it('is that of one thing only, if twenty stacks name it at once', async () => {
    const before = responses.length
    const names = Array.from({ length: 20 }, () => unique('raced'))
    await Promise.all(
      names.map((name) => {
        key = name
        stackId = stackId.replace(/stack\/[^/]+/, `stack/${name}`)
        return sendVersion('Create', 1)
      }),
    )
    const outcomes = responses.slice(before)
    const [won] = outcomes.filter(({ Status }) => Status === 'SUCCESS')
    expect(outcomes.filter(({ Status }) => Status === 'FAILED')).toHaveLength(19)
    expect(won?.PhysicalResourceId).toMatch(/^client\/raced-/)
    key = won.PhysicalResourceId.split('/')[1]
    expect(await isAccepted(current())).toBe(true)
  })

  it('is not overwritten by the stack of another product, which names it', async () => {
    await sendVersion('Create', 1)
    const own = [key, current()] as const
    key = unique('other')
    stackId = stackId.replace(/stack\/[^/]+/, `stack/${key}`)
    expect(await sendVersion('Create', 1)).toMatchObject({
      ...{ Status: 'FAILED', Reason: expect.stringContaining('something else') },
    })
    expect(await findClients()).toEqual([])
    key = own[0]
    expect([current(), await isAccepted(own[1])]).toEqual([own[1], true])
  })

  it('is one when ten events arrive together', async () => {
    await Promise.all(Array.from({ length: 10 }, () => sendVersion('Create', 1)))
    expect(await sendVersion('Create', 1)).toMatchObject({ Status: 'SUCCESS' })
    expect([await isAccepted(current()), await countSecrets()]).toEqual([true, 1])
  })

  it.each<readonly [title: string, properties: () => object]>([
    ['of a public client', () => ({ Configuration: JSON.stringify(clientOf()) })],
    [
      'of a group',
      () => ({ Configuration: JSON.stringify({ ...clientOf(), kind: 'group', entry: { name: key } }) }),
    ],
    ['that is no secret', () => ({ Secret: 'arn:aws:s3:::bucket' })],
    ['that does not exist', () => ({ Secret: `${arn}-other` })],
    ...['0', '-1', '1.5', '1e3', '', '__proto__', '99999999999'].map(
      (version) => [`of version ${version}`, () => ({ SecretVersion: version })] as const,
    ),
  ])('%s is refused', async (_, properties) => {
    const ResourceProperties = {
      ...{ ServiceToken: 'arn', Configuration: JSON.stringify(confidential()), Secret: arn },
      ...properties(),
    }
    expect(await send('Create', undefined, { ResourceProperties })).toMatchObject({ Status: 'FAILED' })
    expect(current()).toBe('')
  })

  it('of an identity provider is read from Secrets Manager', async () => {
    secrets.create(arn, 'the secret of acme')
    const issuer = `https://${key}.example.com`
    const connection = {
      ...{ schema_version: 1, kind: 'oidc_connection', key },
      entry: {
        name: key,
        issuer,
        client_id: 'latchkey',
        client_secret: { env: 'CLIENT_SECRET', version: 1 },
      },
    }
    const properties = { Configuration: JSON.stringify(connection), Secret: arn, SecretVersion: '1' }
    const created = await send('Create', undefined, { ResourceProperties: properties })
    expect(created).toMatchObject({ Status: 'SUCCESS', Data: { Key: key, RedirectUri: expect.any(String) } })
    expect(JSON.stringify([created, service.log])).not.toContain('the secret of acme')
    secrets.create(arn)
    const ResourceProperties = {
      ...properties,
      Configuration: JSON.stringify({ ...connection, key: `${key}-2` }),
    }
    expect(await send('Create', undefined, { ResourceProperties })).toMatchObject({ Status: 'FAILED' })
  })

  it('of a service account is an API token, and the one before works for a day', async () => {
    const account = (fields: object = {}): Configuration => ({
      ...{ schema_version: 1, kind: 'service_account', key },
      entry: { permissions: ['users:view'], scopes: ['users:view'], ...fields },
    })
    const sendAccount = (type: string, version: number, fields: object = {}) =>
      send(type, undefined, {
        ResourceProperties: {
          ...{ Configuration: JSON.stringify(account(fields)), Secret: arn, SecretVersion: String(version) },
        },
        ...(type === 'Create' ? {} : idIn('service_account')),
      })
    const view = async (bearer: string) => (await service.client('GET', '/api/2/users', { bearer })).status
    const created = await sendAccount('Create', 1)
    expect(created).toMatchObject({ Status: 'SUCCESS', Data: { Key: key, SecretArn: arn } })
    const first = current()
    expect([first.slice(0, 4), await view(first)]).toEqual(['lkp_', 200])
    expect(JSON.stringify([responses, service.log])).not.toContain(first)
    await sendAccount('Create', 1)
    expect(await sendAccount('Update', 1, { scopes: ['links:view'] })).toMatchObject({ Status: 'SUCCESS' })
    expect([current(), await view(first)]).toEqual([first, 403])
    expect(await sendAccount('Update', 2)).toMatchObject({ Status: 'SUCCESS' })
    const second = current()
    expect([second !== first, await view(first), await view(second)]).toEqual([true, 200, 200])
    expect(await sendAccount('Update', 3)).toMatchObject({ Status: 'SUCCESS' })
    const third = current()
    expect([await view(first), await view(second), await view(third)]).toEqual([200, 200, 200])
    await sendAccount('Update', 2)
    expect([current(), await view(second), await view(third)]).toEqual([second, 200, 200])
    const [{ id }] = (await call('GET', `users?filter=${key}`)).body
    const tokens = (await call('GET', `api-tokens?user=${id}`)).body
    expect(tokens.map(({ expires }: JsonValue) => expires === null).toSorted()).toEqual([false, false, true])
    // A leaked token that a person ended does not come back.
    for (const { id: tokenId } of tokens) await call('DELETE', `api-tokens/${tokenId}?user=${id}`)
    expect(await sendAccount('Update', 2, { name: 'Links' })).toMatchObject({ Status: 'SUCCESS' })
    expect([await view(second), await view(third)]).toEqual([401, 401])
    await sendAccount('Update', 4)
    expect(await view(current())).toBe(200)
    expect(await sendAccount('Delete', 4)).toMatchObject({ Status: 'SUCCESS' })
    expect(await view(current())).toBe(401)
    // A rollback creates it again.
    expect(await sendAccount('Create', 4)).toMatchObject({ Status: 'SUCCESS' })
    expect(await view(current())).toBe(200)
  })
})

describe('the branding of a stack', () => {
  const image = { content_type: 'image/png', data: makePng(48, 24).toString('base64') }
  const shopOf = (entry: object, product = 'Shop'): Configuration => ({
    ...{ schema_version: 1, kind: 'product_branding', key: product },
    entry,
  })
  const id = () => idIn('product_branding', 'Shop')
  const readShop = async () => (await call('GET', 'branding?product=Shop')).body

  it('has images, is changed, rolled back, and stays when it is deleted', async () => {
    expect(await send('Create', shopOf({ logo: image, icon: image }))).toMatchObject({
      Status: 'SUCCESS',
      ...id(),
    })
    const { logo } = await readShop()
    expect(logo).toMatchObject({ width: 48, height: 24 })
    expect((await call('DELETE', 'branding/products/Shop/logo')).body).toMatchObject({ reason: 'managed' })
    expect(await send('Update', shopOf({ accent_color: '#b91c1c' }), id())).toMatchObject({
      Status: 'SUCCESS',
    })
    expect(await readShop()).toMatchObject({ logo: null, accent_color: '#b91c1c' })
    for (const _ of [1, 2]) await send('Update', shopOf({ logo: image }), id())
    expect((await readShop()).logo).toEqual(logo)
    for (const _ of [1, 2])
      expect(await send('Delete', shopOf({}), id())).toMatchObject({ Status: 'SUCCESS' })
    expect((await readShop()).logo).toEqual(logo)
    expect((await call('DELETE', 'branding/products/Shop')).status).toBe(204)
  })

  it('is refused to another stack, of an unknown product, and with an image that is none', async () => {
    await send('Create', shopOf({ logo: image }))
    const owner = stackId
    stackId = stackId.replace('stack/', 'stack/other-')
    expect(await send('Create', shopOf({ accent_color: '#b91c1c' }))).toMatchObject({
      ...{ Status: 'FAILED', Reason: expect.stringMatching(/^products\.Shop belongs to films-/) },
    })
    // The answer about a failed creation, and a forged event, delete nothing.
    await send('Delete', shopOf({}), id())
    expect((await call('DELETE', 'branding/products/Shop')).body).toMatchObject({ reason: 'managed' })
    for (const [configuration, reason] of [
      [shopOf({}, 'Nobody'), 'products.Nobody must be the name of a product in the setting `linkUrl`'],
      [shopOf({}, '__proto__'), 'products.__proto__ is not the name of a product'],
      [shopOf({ icon: { file: '/etc/passwd' } }), 'products.Shop.icon.file is read by the command only. '],
      [shopOf({ icon: { ...image, bucket: 'other' } }), 'products.Shop.icon.bucket is not recognized'],
    ] as const) {
      const answer = await send('Create', configuration)
      expect([answer.Status, answer.Reason.slice(0, reason.length)]).toEqual(['FAILED', reason])
    }
    stackId = owner
    await send('Delete', shopOf({}), id())
    await call('DELETE', 'branding/products/Shop')
  })
})

describe('the words of a stack', () => {
  const textsOf = (entry: object, owner = 'service'): Configuration => ({
    ...{ schema_version: 1, kind: 'email_texts', key: owner },
    entry,
  })
  const id = (owner = 'service') => idIn('email_texts', owner)
  const path = 'branding/email-texts/service/sign_up'
  const words = (subject: string) => ({ sign_up: { en: { subject, body: '[Go on]({link})' } } })
  const read = async (language = 'en') => (await call('GET', `${path}/${language}`)).body

  it('are set, changed, rolled back, and stay when it is deleted', async () => {
    expect(await send('Create', textsOf(words('One')))).toMatchObject({ Status: 'SUCCESS', ...id() })
    expect(await read()).toMatchObject({ subject: 'One', versions: [{ changed_by: null }] })
    expect((await call('PUT', `${path}/en`, { subject: 'Evil', body: '[x]({link})' })).body).toMatchObject({
      ...{ status: 409, reason: 'managed', managed: { kind: 'email_texts', key: 'service' } },
    })
    expect(await send('Update', textsOf(words('Two')), id())).toMatchObject({ Status: 'SUCCESS' })
    expect((await read()).subject).toBe('Two')
    for (const _ of [1, 2]) await send('Update', textsOf(words('One')), id())
    expect((await read()).subject).toBe('One')
    const german = { sign_up: { de: { subject: 'Eins', body: '[Weiter]({link})' } } }
    expect(await send('Update', textsOf(german), id())).toMatchObject({ Status: 'SUCCESS' })
    expect(await read()).toMatchObject({ subject: null, body: null })
    expect((await read('de')).subject).toBe('Eins')
    for (const _ of [1, 2])
      expect(await send('Delete', textsOf({}), id())).toMatchObject({ Status: 'SUCCESS' })
    expect((await read('de')).subject).toBe('Eins')
    expect((await call('DELETE', `${path}/de`)).status).toBe(204)
  })

  it('are given back by a creation that is rolled back', async () => {
    const before = { subject: 'By hand', body: '[Go on]({link})' }
    expect((await call('PUT', `${path}/en`, before)).status).toBe(200)
    expect((await send('Create', textsOf(words('One')))).Status).toBe('FAILED')
    expect(await send('Create', textsOf({ ...words('One'), adopt: true }))).toMatchObject({
      Status: 'SUCCESS',
    })
    expect((await read()).subject).toBe('One')
    await send('Delete', textsOf({}), id())
    expect(await read()).toMatchObject(before)
    expect((await call('DELETE', `${path}/en`)).status).toBe(204)
  })

  it('are refused with the line, the variable that was meant, and for owners that are none', async () => {
    const wrong = { sign_up_known: { en: { subject: 'Hi', body: 'One\n{produkt}\n[Go on]({link})' } } }
    for (const [configuration, reason] of [
      [
        textsOf(wrong),
        'email_texts.service.sign_up_known.en.body line 2: has the unknown variable {produkt}. ',
      ],
      [
        textsOf(words('One'), 'product:Nobody'),
        'email_texts.product:Nobody must be `service`, or `product:`',
      ],
      [
        textsOf(words('One'), 'organization:1'),
        'email_texts.organization:1 must be `service`, or `product:`',
      ],
      [textsOf(words('One'), '__proto__'), 'email_texts.__proto__ is not the name of a product'],
      [
        textsOf(words('One'), 'product:Shop'),
        'email_texts.product:Shop.sign_up cannot have words of a product',
      ],
      [textsOf({ security_notice: {} }), 'email_texts.service.security_notice is not recognized'],
      [textsOf({ sign_up: { xx: {} } }), 'email_texts.service.sign_up.xx is not recognized'],
    ] as const) {
      const answer = await send('Create', configuration)
      expect([answer.Status, answer.Reason.slice(0, reason.length)]).toEqual(['FAILED', reason])
    }
    expect((await send('Create', textsOf(wrong))).Reason).toContain('Did you mean {product}?')
    expect(await read()).toMatchObject({ subject: null, body: null })
  })
})
