import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JsonValue } from '../support/client.ts'
import { applyByFunction } from '../support/config-function.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { apply, listProblems, unique } from './support.ts'

/* A stack is the owner that it states, or its name: in any region, and after it was deleted and created again. */

const responses: JsonValue[] = []
const { fetch } = globalThis
globalThis.fetch = async (input, init) => {
  if (!String(input).startsWith('https://cloudformation-custom-resource-response-')) return fetch(input, init)
  responses.push(JSON.parse(String(init?.body)))
  return new Response('')
}
afterAll(() => {
  globalThis.fetch = fetch
})

afterEach(() => vi.useRealTimers())

const service = await useService()
const { services } = service
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)

let key = ''
beforeEach(() => {
  key = unique('films')
})

interface Place {
  readonly name?: string
  readonly region?: string
  readonly account?: string
  /** The account of the function. */
  readonly own?: string
  /** The product whose alias CloudFormation calls. */
  readonly product?: string
}

/** A stack with one construct, which has the ID of its creation from then on. */
const stackOf = ({ name = key, region = 'eu-west-1', account, own, product }: Place = {}) => {
  const ownAccount = own ?? '111122223333'
  const stackId = `arn:aws:cloudformation:${region}:${account ?? ownAccount}:stack/${name}/${randomUUID()}`
  let physicalId: string | undefined
  const send = async (type: string, configuration: object | string) => {
    const sent = {
      ...{ RequestType: type, StackId: stackId, RequestId: randomUUID(), LogicalResourceId: 'Resource' },
      ResponseURL: `https://cloudformation-custom-resource-response-euwest1.s3.${region}.amazonaws.com/arn`,
      ...(physicalId === undefined ? {} : { PhysicalResourceId: physicalId }),
      ResourceProperties: {
        ServiceToken: 'arn',
        Configuration: typeof configuration === 'string' ? configuration : JSON.stringify(configuration),
      },
    }
    const called = `arn:aws:lambda:${region}:${ownAccount}:function:config`
    await (product === undefined
      ? service.invokeConfig(sent, called)
      : service.invokeConfig(sent, `${called}-product:${product}`, 'config-product'))
    const answer = responses.at(-1) ?? {}
    if (type !== 'Delete') physicalId = answer.PhysicalResourceId
    return answer as { readonly Status: string; readonly Reason: string }
  }
  return {
    send,
    create: (more: object = {}, entry: object = {}) => send('Create', groupOf(more, entry)),
    update: (more: object = {}, entry: object = {}) => send('Update', groupOf(more, entry)),
    remove: (more: object = {}) => send('Delete', groupOf(more)),
  }
}

const groupOf = (more: object = {}, entry: object = {}) => ({
  ...{ schema_version: 1, kind: 'group', key, ...more },
  entry: { name: key, permissions: ['films:view'], ...entry },
})
const clientOf = (more: object = {}, entry: object = {}) => ({
  ...{ schema_version: 1, kind: 'client', key, on_remove: 'delete', ...more },
  entry: { name: key, type: 'public', redirect_uris: ['https://films.example.com/callback'], ...entry },
})
const findGroup = async () => (await call('GET', `groups?name=${key}`)).body[0]
const findClient = async () => (await call('GET', `oidc-clients?filter=${key}`)).body[0]
const ownerOf = async (kind = 'group') => {
  const { id } = kind === 'group' ? await findGroup() : await findClient()
  return (await call('GET', `system/managed/${kind}?ids=${id}`)).body[0]?.owner
}

describe('the stack of a service whose table was restored', () => {
  it('takes in another region what it had, and the Delete of the lost stack undoes nothing of it', async () => {
    const before = stackOf()
    await before.create()
    const { id } = await findGroup()
    const after = stackOf({ region: 'eu-west-2' })
    expect(await after.create({}, { permissions: ['films:edit'] })).toMatchObject({ Status: 'SUCCESS' })
    expect(await after.update({}, { permissions: ['films:own'] })).toMatchObject({ Status: 'SUCCESS' })
    expect(await ownerOf()).toBe(key)
    for (const _ of [1, 2]) expect(await before.remove()).toMatchObject({ Status: 'SUCCESS' })
    expect(await findGroup()).toMatchObject({ id, permissions: ['films:own'] })
    expect(await after.remove()).toMatchObject({ Reason: 'Deleted.' })
    expect(await findGroup()).toBeUndefined()
  })

  it('leaves everything as it was when its first deployment in another region is rolled back', async () => {
    await stackOf().create()
    const { id } = await findGroup()
    const after = stackOf({ region: 'eu-west-2' })
    await after.create({}, { permissions: ['films:edit'] })
    await after.remove()
    expect(await findGroup()).toMatchObject({ id, permissions: ['films:view'] })
    expect(await stackOf({ region: 'eu-west-2' }).create()).toMatchObject({ Status: 'SUCCESS' })
  })

  it('removes later what it created, though the lost stack never sends a Delete', async () => {
    for (const settle of ['update', 'a week'] as const) {
      key = unique('films')
      await stackOf().create({}, { permissions: ['films:lost'] })
      const after = stackOf({ region: 'eu-west-2' })
      await after.create()
      if (settle === 'update') await after.update({}, { permissions: ['films:own'] })
      else vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 })
      expect(await after.remove()).toMatchObject({ Reason: 'Deleted.' })
      vi.useRealTimers()
      expect(await findGroup()).toBeUndefined()
    }
  })

  it('takes what it had in another account, which is that of the service as well', async () => {
    await stackOf().create()
    const { id } = await findGroup()
    expect(await stackOf({ own: '444455556666' }).create()).toMatchObject({ Status: 'SUCCESS' })
    expect(await findGroup()).toMatchObject({ id })
  })
})

describe('a stack that states its owner', () => {
  it('gets another name, another account and another region without a transfer', async () => {
    const owner = { owner: unique('owner') }
    const before = stackOf()
    await before.create(owner)
    expect(await ownerOf()).toBe(owner.owner)
    for (const place of [{ name: `${key}-renamed` }, { account: '444455556666' }, { region: 'us-east-1' }])
      expect(await stackOf(place).create(owner)).toMatchObject({ Status: 'SUCCESS' })
    expect(await stackOf().create()).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining(`belongs to ${owner.owner}`),
    })
  })

  it('is the owner of a file that has the same name, whose --prune deletes nothing that a resource asks for', async () => {
    await stackOf().create()
    const document = { schema_version: 1, owner: key, groups: { [`${key}-2`]: { name: `${key}-2` } } }
    await apply(services, document)
    const changes = await apply(services, { schema_version: 1, owner: key }, { prune: true })
    expect(changes.map((change) => change.key)).toEqual([`${key}-2`])
    expect(await findGroup()).toMatchObject({ name: key })
  })

  it('deletes nothing that its file created, when its construct is removed', async () => {
    await apply(services, { schema_version: 1, owner: key, groups: { [key]: { name: key } } })
    const resource = stackOf()
    await resource.create()
    expect((await resource.remove()).Reason).toContain('It stays')
    expect(await findGroup()).toBeDefined()
  })

  it.each<readonly [title: string, owner: unknown]>([
    ...['product/films', 'PRODUCT/films', 'Films', '__proto__', '', '../films', 'films\n', 'films '].map(
      (owner) => [JSON.stringify(owner), owner] as const,
    ),
    ...['1films', '-films', 'ﬁlms'].map((owner) => [owner, owner] as const),
    ['of 51 characters', 'f'.repeat(51)],
    ['of 10,000 characters', 'f'.repeat(10_000)],
    ['null', null],
    ['that is a number', 1],
    ['that is a list', ['films']],
    ['that is an object', { toString: 'films' }],
  ])('is refused with a configOwner %s, and its Delete succeeds', async (_, owner) => {
    for (const product of [undefined, 'shop']) {
      const resource = stackOf(product === undefined ? {} : { product })
      const answer = await resource.send('Create', clientOf({ owner }))
      expect(answer).toMatchObject({
        Status: 'FAILED',
        Reason:
          'configOwner must begin with a letter, and have up to 50 lower-case letters, digits and hyphens.',
      })
      expect(await resource.send('Delete', clientOf({ owner }))).toMatchObject({ Status: 'SUCCESS' })
    }
    expect(await findClient()).toBeUndefined()
  })

  it('is its name where the text names the prototype as owner', async () => {
    const text = JSON.stringify(groupOf()).replace('{', '{"__proto__":{"owner":"other"},')
    expect(await stackOf().send('Create', text)).toMatchObject({ Status: 'SUCCESS' })
    expect(await ownerOf()).toBe(key)
  })

  it('is needed where the name of the stack is no owner', async () => {
    const name = `${key}-${'x'.repeat(40)}`
    expect(await stackOf({ name }).create()).toMatchObject({
      ...{ Status: 'FAILED', Reason: 'The name of the stack is too long to be an owner. Set configOwner.' },
    })
    expect(await stackOf({ name }).create({ owner: key })).toMatchObject({ Status: 'SUCCESS' })
  })

  it('is the name of its root if the stack is nested', async () => {
    await stackOf({ name: `${key}-Nested-1A2B` }).create({ stack: key })
    expect(await stackOf({ name: `${key}-Nested-3C4D` }).create({ stack: key })).toMatchObject({
      Status: 'SUCCESS',
    })
    expect(await ownerOf()).toBe(key)
  })
})

describe('a product', () => {
  it('owns by its account and the name of its stack, below product/', async () => {
    const resource = stackOf({ product: 'shop', account: '444455556666', name: key.toUpperCase() })
    expect(await resource.send('Create', clientOf())).toMatchObject({ Status: 'SUCCESS' })
    expect(await ownerOf('client')).toBe(`product/shop/${key}-444455556666`)
    const other = stackOf({ product: 'shop', account: '777788889999' })
    expect(await other.send('Create', clientOf())).toMatchObject({ Status: 'FAILED' })
    await other.send('Delete', clientOf())
    expect(await findClient()).toBeDefined()
  })

  it('has its account in its name also if that is the account of the service', async () => {
    await stackOf({ product: 'shop' }).send('Create', clientOf())
    expect(await ownerOf('client')).toBe(`product/shop/${key}-111122223333`)
  })

  it('takes nothing of the service, whatever owner, stack or ID its event states', async () => {
    const resource = stackOf()
    await resource.send('Create', clientOf())
    for (const more of [{}, { owner: key }, { stack: key }, { owner: key, stack: `product/shop/${key}` }])
      for (const account of ['111122223333', '444455556666']) {
        const product = stackOf({ product: 'shop', account })
        expect(await product.send('Create', clientOf(more))).toMatchObject({ Status: 'FAILED' })
        expect(await product.send('Delete', clientOf(more))).toMatchObject({ Status: 'SUCCESS' })
      }
    expect(await ownerOf('client')).toBe(key)
  })

  it('loses nothing to the service by a configOwner, and is the owner of its file of that name', async () => {
    await stackOf({ product: 'shop' }).send('Create', clientOf({ owner: key }))
    expect(await ownerOf('client')).toBe(`product/shop/${key}`)
    expect(await stackOf().send('Create', clientOf({ owner: key }))).toMatchObject({ Status: 'FAILED' })
    const entry = clientOf().entry
    const file = { schema_version: 1, owner: key, clients: { [key]: entry } }
    expect((await applyByFunction(service, file, {}, { product: 'shop' })).status).toBe(200)
    expect(await listProblems(() => apply(services, file))).toEqual([
      `clients.${key} belongs to product/shop/${key}. The command latchkey config transfer can give it to another owner`,
    ])
  })
})

it('a thing that was adopted stays when the construct that it moved to is removed', async () => {
  const { body } = await call('POST', 'groups', { name: key, permissions: ['films:edit'], members: [] })
  const before = stackOf()
  await before.create({}, { adopt: true })
  const after = stackOf({ region: 'eu-west-2' })
  await after.create()
  await before.remove()
  expect((await after.remove()).Reason).toContain('It stays')
  expect(await findGroup()).toMatchObject({ id: body.id })
})
