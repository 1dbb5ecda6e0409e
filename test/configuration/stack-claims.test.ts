import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JsonValue } from '../support/client.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { startSecretsManager } from '../support/secrets-manager.ts'
import { useService } from '../support/use-service.ts'
import { unique } from './support.ts'

/*
 * CloudFormation creates what is new before it deletes what is old, and a rollback deletes what it created. A Delete undoes what its own
 * resource did, and nothing else.
 */

const responses: JsonValue[] = []
const { fetch } = globalThis
globalThis.fetch = async (input, init) => {
  if (!String(input).startsWith('https://cloudformation-custom-resource-response-')) return fetch(input, init)
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
afterEach(() => vi.useRealTimers())

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)

let key = ''
let stackId = ''
beforeEach(() => {
  key = unique('claims')
  stackId = `arn:aws:cloudformation:eu-west-1:111122223333:stack/${key}/${randomUUID()}`
})

type Entry = Readonly<Record<string, unknown>>
interface Asked {
  readonly kind: string
  readonly entry: Entry
  readonly onRemove?: 'keep' | 'delete'
  readonly secret?: string
  readonly product?: string
}

/** A resource of the stack, as CloudFormation knows it: by its logical ID, and by the ID that its creation answered. */
const resourceOf = (logicalId: string, asked: Asked) => {
  let physicalId: string | undefined
  const send = async (type: string, { kind, entry, onRemove, secret, product }: Asked) => {
    const sent = {
      ...{ RequestType: type, StackId: stackId, RequestId: randomUUID(), LogicalResourceId: logicalId },
      ResponseURL: 'https://cloudformation-custom-resource-response-euwest1.s3.eu-west-1.amazonaws.com/arn',
      ...(physicalId === undefined ? {} : { PhysicalResourceId: physicalId }),
      ResourceProperties: {
        ServiceToken: 'arn',
        Configuration: JSON.stringify({
          ...{ schema_version: 1, kind, key: kind.endsWith('_policy') ? kind : key, entry },
          ...(onRemove && { on_remove: onRemove }),
        }),
        ...(secret && { Secret: secret, SecretVersion: '1' }),
      },
    }
    await (product === undefined
      ? service.invokeConfig(sent)
      : service.invokeConfig(
          sent,
          `arn:aws:lambda:local:000000000000:function:config-product:${product}`,
          'config-product',
        ))
    const { Status, Reason, PhysicalResourceId } = responses.at(-1) ?? {}
    expect(Status, Reason).toBe('SUCCESS')
    if (type !== 'Delete') physicalId = PhysicalResourceId
    return Reason as string
  }
  return {
    create: () => send('Create', asked),
    update: (entry: Entry) => send('Update', { ...asked, entry }),
    remove: () => send('Delete', asked),
  }
}

const group = (fields: Entry = {}): Asked => ({
  kind: 'group',
  entry: { name: key, permissions: ['films:view'], ...fields },
})
const findGroup = async () => (await call('GET', `groups?name=${key}`)).body[0]
const membersOf = async (id: number) =>
  (await call('GET', `groups/${id}`)).body.members.map((one: JsonValue) => one.id)
/** A group that people made, with a member. */
const makeGroup = async () => {
  const { user } = await addPerson(service)
  const { body } = await call('POST', 'groups', { name: key, permissions: ['films:edit'], members: [] })
  await call('PATCH', `groups/${body.id}`, { members: [{ id: user.id }] })
  return { id: body.id as number, member: user.id }
}

describe('a group', () => {
  it('that a construct adopts is given back by the rollback, with its members and permissions', async () => {
    const { id, member } = await makeGroup()
    const resource = resourceOf('Viewers', group({ adopt: true }))
    await resource.create()
    expect((await findGroup()).permissions).toEqual(['films:view'])
    expect(await resource.remove()).toContain('as it was before')
    expect(await findGroup()).toMatchObject({ id, permissions: ['films:edit'] })
    expect(await membersOf(id)).toEqual([member])
    // Nobody manages it.
    expect((await call('PATCH', `groups/${id}`, { permissions: ['films:own'] })).status).toBe(200)
    expect(await resource.remove()).toContain('manages nothing')
    expect((await findGroup()).permissions).toEqual(['films:own'])
  })

  it('that was adopted keeps what the stack changed later, and is not deleted', async () => {
    const { id, member } = await makeGroup()
    const resource = resourceOf('Viewers', group({ adopt: true }))
    await resource.create()
    await resource.update({ ...group({ adopt: true }).entry, permissions: ['films:own'] })
    expect(await resource.remove()).toContain('It stays')
    expect(await findGroup()).toMatchObject({ id, permissions: ['films:own'] })
    expect(await membersOf(id)).toEqual([member])
  })

  it('that was adopted a week ago stays as it is', async () => {
    const { id } = await makeGroup()
    const resource = resourceOf('Viewers', group({ adopt: true }))
    await resource.create()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 })
    expect(await resource.remove()).toContain('It stays')
    vi.useRealTimers()
    expect(await findGroup()).toMatchObject({ id, permissions: ['films:view'] })
  })

  it('moves to another construct with its members, and the old one deletes nothing', async () => {
    const before = resourceOf('ViewersA44DCD22', group())
    await before.create()
    const { id } = await findGroup()
    const { user } = await addPerson(service)
    await call('PATCH', `groups/${id}`, { members: [{ id: user.id }] })
    const after = resourceOf('AccessViewers95CB2AE8', group({ permissions: ['films:edit'] }))
    await after.create()
    for (const _ of [1, 2]) await before.remove()
    expect(await findGroup()).toMatchObject({ id, permissions: ['films:edit'] })
    expect(await membersOf(id)).toEqual([user.id])
    await after.remove()
    expect(await findGroup()).toBeUndefined()
  })

  it('that moved comes back as it was when the deployment is rolled back', async () => {
    const before = resourceOf('Before', group())
    await before.create()
    const { id } = await findGroup()
    const after = resourceOf('After', group({ permissions: ['films:edit', 'films:own'] }))
    await after.create()
    expect(await after.remove()).toContain('Another resource')
    expect(await findGroup()).toMatchObject({ id, permissions: ['films:view'] })
    await before.update(group({ permissions: ['films:own'] }).entry)
    expect(await findGroup()).toMatchObject({ id, permissions: ['films:own'] })
  })

  it('stays the same after its logical ID changed without an event', async () => {
    const first = resourceOf('First', group())
    await first.create()
    const { id } = await findGroup()
    // CloudFormation renames it in a refactoring, and keeps its ID.
    await first.update(group({ permissions: ['films:edit'] }).entry)
    expect(await findGroup()).toMatchObject({ id, permissions: ['films:edit'] })
    await first.remove()
    expect(await findGroup()).toBeUndefined()
  })

  it('that is kept is taken again by the same construct, and by no other one without adoption', async () => {
    const asked = { ...group(), onRemove: 'keep' as const }
    await resourceOf('Viewers', asked).create()
    const { id } = await findGroup()
    const kept = resourceOf('Viewers', asked)
    await kept.create()
    expect(await kept.remove()).toContain('It stays, and no stack manages it')
    expect((await call('PATCH', `groups/${id}`, { permissions: ['films:own'] })).status).toBe(200)
    await expect(resourceOf('Other', asked).create()).rejects.toThrow(/something that exists/)
    const again = resourceOf('Viewers', asked)
    await again.create()
    expect(await findGroup()).toMatchObject({ id, permissions: ['films:view'] })
  })

  it('is not created by an event that CloudFormation gave up', async () => {
    const { services } = service
    const resource = resourceOf('Viewers', group())
    // The Delete of a cancelled Create arrives while that one still runs: it began earlier.
    await resource.remove()
    vi.useFakeTimers({ toFake: ['Date'], now: services.now() - 60_000 })
    await expect(resource.create()).rejects.toThrow(/given this up/)
    vi.useRealTimers()
    expect(await findGroup()).toBeUndefined()
    // The next deployment creates it.
    await resourceOf('Viewers', group()).create()
    expect(await findGroup()).toBeDefined()
  })

  it('is deleted by no resource of another stack, and by no made-up ID', async () => {
    await resourceOf('Viewers', group()).create()
    const own = stackId
    stackId = own.replace('stack/', 'stack/other-')
    await resourceOf('Viewers', group()).remove()
    stackId = own
    await resourceOf('Another', group()).remove()
    expect(await findGroup()).toBeDefined()
  })

  it('has one state whatever order a move and its rollback arrive in, ten at once', async () => {
    const before = resourceOf('Before', group())
    await before.create()
    const { id } = await findGroup()
    const others = Array.from({ length: 10 }, (_, at) => resourceOf(`After${at}`, group()))
    for (const one of others) await one.create()
    await Promise.allSettled(others.map((one) => one.remove()))
    for (const one of others) await one.remove()
    expect(await findGroup()).toMatchObject({ id, permissions: ['films:view'] })
    await before.remove()
    expect(await findGroup()).toBeUndefined()
  })
})

describe('a policy', () => {
  const policy = (entry: Entry): Asked => ({ kind: 'password_policy', entry })
  const read = async () => (await call('GET', 'system/password-policy')).body

  it('of a rolled-back deployment has its former value, and no owner', async () => {
    expect((await call('PUT', 'system/password-policy', { min_length: 20, no_pwned: true })).status).toBe(200)
    const resource = resourceOf('Policy', policy({ min_length: 8, no_pwned: null, adopt: true }))
    await resource.create()
    expect(await read()).toMatchObject({ min_length: 8, no_pwned: null })
    await resource.remove()
    expect(await read()).toMatchObject({ min_length: 20, no_pwned: true })
    expect((await call('PUT', 'system/password-policy', { min_length: 13, no_pwned: true })).status).toBe(200)
  })

  it('gives back a field only where nobody has changed it since', async () => {
    expect((await call('PUT', 'system/password-policy', { min_length: 20, no_pwned: true })).status).toBe(200)
    const resource = resourceOf('Policy', policy({ min_length: 14, no_pwned: null, adopt: true }))
    await resource.create()
    await call('POST', 'system/managed/password_policy/password_policy/unlock')
    await call('PUT', 'system/password-policy', { min_length: 16, no_pwned: null })
    await resource.remove()
    expect(await read()).toMatchObject({ min_length: 16, no_pwned: true })
  })
})

describe('the secret of a client', () => {
  const arnOf = (name: string) => `arn:aws:secretsmanager:eu-west-1:111122223333:secret:${key}-${name}-aBcDeF`
  const client = (name: string): Asked => ({
    kind: 'client',
    entry: { name: key, redirect_uris: ['https://films.example.com/callback'] },
    secret: arnOf(name),
  })
  const isAccepted = async (secret: string) => {
    const form = new URLSearchParams({ client_id: key, client_secret: secret, token: 'none' })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await service.client('POST', '/oauth2/introspect', { raw: String(form), headers })).status === 200
  }
  const secretIn = (name: string) => secrets.read(arnOf(name))['AWSCURRENT'] ?? ''
  const passHours = (hours: number) =>
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 })

  it('of a construct that moved and was rolled back still works 25 hours later', async () => {
    for (const name of ['before', 'after']) secrets.create(arnOf(name))
    const before = resourceOf('Before', client('before'))
    await before.create()
    const after = resourceOf('After', client('after'))
    await after.create()
    expect([await isAccepted(secretIn('before')), await isAccepted(secretIn('after'))]).toEqual([true, true])
    await after.remove()
    passHours(25)
    expect([await isAccepted(secretIn('before')), await isAccepted(secretIn('after'))]).toEqual([true, false])
  })

  it('of a construct that moved works, and the one before for a day', async () => {
    for (const name of ['before', 'after']) secrets.create(arnOf(name))
    const before = resourceOf('Before', client('before'))
    await before.create()
    const after = resourceOf('After', client('after'))
    await after.create()
    await before.remove()
    expect([await isAccepted(secretIn('before')), await isAccepted(secretIn('after'))]).toEqual([true, true])
    passHours(25)
    expect([await isAccepted(secretIn('before')), await isAccepted(secretIn('after'))]).toEqual([false, true])
  })

  it('works on after the construct was removed, because the client stays', async () => {
    secrets.create(arnOf('only'))
    const resource = resourceOf('Web', client('only'))
    await resource.create()
    expect(await resource.remove()).toContain('It stays')
    passHours(25)
    expect(await isAccepted(secretIn('only'))).toBe(true)
  })
})

describe('other kinds of things', () => {
  it.each<readonly [kind: string, entry: () => Entry, path: () => string]>([
    [
      'api',
      () => ({ name: key, audience: `https://${key}.example.com/api` }),
      () => `protected-apis?filter=${key}`,
    ],
    ['user_template', () => ({ name: key, permissions: ['films:view'] }), () => 'user-templates'],
    [
      'oidc_connection',
      () => ({
        name: key,
        issuer: `https://${key}.example.com`,
        client_id: 'latchkey',
        token_endpoint_auth_method: 'private_key_jwt',
      }),
      () => 'auth/oidc-connections',
    ],
    [
      'client',
      () => ({ name: key, type: 'public', redirect_uris: ['https://films.example.com/callback'] }),
      () => `oidc-clients?filter=${key}`,
    ],
  ])('%s keeps its ID when its construct moves, and when that is rolled back', async (kind, entry, path) => {
    for (const by of [{}, ...(kind === 'client' || kind === 'api' ? [{ product: 'shop' }] : [])]) {
      key = unique('claims')
      const find = async () =>
        (await call('GET', path())).body.find((one: JsonValue) => String(one.name) === key)
      const asked = { kind, entry: entry(), onRemove: 'delete' as const, ...by }
      const before = resourceOf('Before', asked)
      await before.create()
      const { id } = await find()
      const rolledBack = resourceOf('RolledBack', asked)
      await rolledBack.create()
      await rolledBack.remove()
      expect((await find()).id).toBe(id)
      const moved = resourceOf('Moved', asked)
      await moved.create()
      await before.remove()
      expect((await find()).id).toBe(id)
      await moved.remove()
      expect(await find()).toBeUndefined()
    }
  })
})
