import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TableClient } from '../../lib/kernel/table/table-client.ts'
import { environmentOf, startCommand } from '../cli/command.ts'
import type { JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import {
  applyByFunction,
  deployerArn,
  deployerEnvironment,
  sendConfig,
  startFunctionUrl,
} from '../support/config-function.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { unique } from './support.ts'

/* What an owner manages moves to another one: all of it, once, and never by a product. */

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
afterEach(() => vi.restoreAllMocks())

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const functionUrl = closeAfterTests(await startFunctionUrl(service))
const run = (...args: readonly string[]) =>
  startCommand('config', ['transfer', ...args, '--function', functionUrl.url], {
    ...environmentOf(),
    ...deployerEnvironment,
  }).ended

let from = ''
let to = ''
beforeEach(() => {
  from = unique('films')
  to = unique('movies')
})

const documentOf = (owner: string, more: object = {}) => ({
  ...{ schema_version: 1, owner },
  groups: { [from]: { name: from, permissions: ['films:view'] } },
  apis: { [from]: { name: from, audience: `https://${from}.example.com/api` } },
  clients: { [from]: { name: from, type: 'public', redirect_uris: ['https://films.example.com/callback'] } },
  ...more,
})
const apply = (document: object, more: object = {}, product?: string) =>
  applyByFunction(service, document, more, product === undefined ? {} : { product })
const transfer = (
  given: { readonly from?: string; readonly to?: string; readonly isDryRun?: boolean } = {},
) =>
  sendConfig(service, '/transfer', {
    from: given.from ?? from,
    to: given.to ?? to,
    is_dry_run: given.isDryRun ?? false,
  })
const kinds = ['api', 'group', 'client'] as const
const pathOf = { api: 'protected-apis', group: 'groups', client: 'oidc-clients' } as const
const findThing = async (kind: (typeof kinds)[number], name = from) =>
  (await call('GET', `${pathOf[kind]}?${kind === 'group' ? 'name' : 'filter'}=${name}`)).body[0]
const listOwners = () =>
  Promise.all(
    kinds.map(async (kind) => {
      const { id } = (await findThing(kind)) ?? { id: 0 }
      return (await call('GET', `system/managed/${kind}?ids=${id}`)).body[0]?.owner
    }),
  )
const listEvents = async () =>
  (await call('GET', 'auth/audit-events?event=managed.transferred')).body.filter(({ target }: JsonValue) =>
    target.includes(` ${from} from`),
  )

const stackOf = (name: string, logicalId = 'Resource') => {
  const stackId = `arn:aws:cloudformation:eu-west-1:111122223333:stack/${name}/${randomUUID()}`
  let physicalId: string | undefined
  return async (type: string, entry: object = {}, more: object = {}) => {
    const sent = {
      ...{ RequestType: type, StackId: stackId, RequestId: randomUUID(), LogicalResourceId: logicalId },
      ResponseURL: 'https://cloudformation-custom-resource-response-euwest1.s3.eu-west-1.amazonaws.com/arn',
      ...(physicalId === undefined ? {} : { PhysicalResourceId: physicalId }),
      ResourceProperties: {
        ServiceToken: 'arn',
        Configuration: JSON.stringify({
          ...{ schema_version: 1, kind: 'group', key: from, ...more },
          entry: { name: from, permissions: ['films:view'], ...entry },
        }),
      },
    }
    await service.invokeConfig(sent, 'arn:aws:lambda:eu-west-1:111122223333:function:config')
    const answer = responses.at(-1) ?? {}
    if (type !== 'Delete') physicalId = answer.PhysicalResourceId
    return answer as { readonly Status: string; readonly Reason: string }
  }
}

describe('the command', () => {
  it('shows what moves, asks, moves it, and has nothing to do the second time', async () => {
    await apply(documentOf(from))
    await apply(documentOf(from, { groups: {} }), { prune: true })
    const list = `> api ${from}\n> client ${from}\n> group ${from} (deleted, its key can be used again)\n`
    const shown = `${list}\n3 to move from ${from} to ${to}.\n`
    const names = ['--from', from, '--to', to]
    expect(await run(...names, '--dry-run')).toMatchObject({ code: 0, stderr: '', stdout: shown })
    expect(await run(...names)).toMatchObject({
      ...{ code: 1, stdout: shown },
      stderr: 'Nothing was changed. Add --yes to apply without a question.\n',
    })
    expect(await listOwners()).toEqual([from, undefined, from])
    expect(await listEvents()).toEqual([])
    expect(await run(...names, '--yes')).toMatchObject({
      ...{ code: 0, stderr: '' },
      stdout: `${shown}Moved api ${from}.\nMoved client ${from}.\nMoved group ${from}.\n`,
    })
    expect(await run(...names, '--yes')).toMatchObject({ code: 0, stdout: `Nothing belongs to ${from}.\n` })
    const id = (await findThing('client')).id
    // The same keys, with the group again, whose key the owner before had deleted.
    expect((await apply(documentOf(to))).body).toMatchObject({ errors: [], rest: null })
    expect(await listOwners()).toEqual([to, to, to])
    expect((await findThing('client')).id).toBe(id)
    expect((await apply(documentOf(from))).body.errors).toHaveLength(3)
  })

  it('asks whether another owner was meant, and refuses names that are none', async () => {
    await apply(documentOf(from))
    const typo = `${from.slice(0, -1)}-`
    expect(await run('--from', typo, '--to', to, '--yes')).toMatchObject({
      ...{ code: 0, stdout: `Nothing belongs to ${typo}. Did you mean ${from}?\n` },
    })
    const refused = await run('--from', from, '--to', 'Movies')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('--to must be an owner: ')
    expect((await run('--from', from)).code).toBe(1)
  })
})

describe('a transfer', () => {
  it('notes each thing with the caller whom IAM proved', async () => {
    await apply(documentOf(from))
    expect((await transfer()).status).toBe(200)
    const events = await listEvents()
    expect(events.map(({ target }: JsonValue) => target).toSorted()).toEqual(
      kinds.map((kind) => `${kind} ${from} from ${from} to ${to}`).toSorted(),
    )
    for (const event of events)
      expect(event).toMatchObject({ actor: null, actor_principal: deployerArn, credential: 'configuration' })
  })

  it('moves things between a product and the service, and the owner before cannot change them', async () => {
    const { groups: _, ...document } = documentOf(from)
    await apply(document, {}, 'shop')
    await transfer({ from: `product/shop/${from}`, to })
    expect(await listOwners()).toEqual([to, undefined, to])
    expect((await apply(document, {}, 'shop')).status).toBe(400)
    await transfer({ from: to, to: `product/shop/${from}` })
    expect((await apply(document, {}, 'shop')).status).toBe(200)
    expect((await apply({ ...document, owner: to })).status).toBe(400)
  })

  it('that fails at any step goes on with the next run, and each thing moves once', async () => {
    const { send } = TableClient.prototype
    for (let failing = 1; ; failing++) {
      from = unique('films')
      await apply(documentOf(from))
      let calls = 0
      const spy = vi.spyOn(TableClient.prototype, 'send').mockImplementation(function (
        this: TableClient,
        ...given
      ) {
        if (++calls === failing) return Promise.reject(new Error('the table failed'))
        return Reflect.apply(send, this, given)
      })
      const first = await transfer()
      spy.mockRestore()
      expect((await transfer()).status).toBe(200)
      expect(await listOwners()).toEqual([to, to, to])
      expect(await listEvents()).toHaveLength(3)
      if (calls < failing) {
        expect(first.status).toBe(200)
        break
      }
    }
  })

  it('moves each thing once when two to different owners run together', async () => {
    await apply(documentOf(from))
    const others = [unique('a'), unique('b'), unique('c'), unique('d')]
    const answers = await Promise.all(others.map((other) => transfer({ to: other })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers.flatMap(({ body }) => body.things)).toHaveLength(3)
    const owners = await listOwners()
    const events = await listEvents()
    expect(events).toHaveLength(3)
    for (const [at, kind] of kinds.entries())
      expect(events.map(({ target }: JsonValue) => target)).toContain(
        `${kind} ${from} from ${from} to ${owners[at]}`,
      )
  })

  it('leaves one owner of each thing when both owners apply at the same time', async () => {
    await apply(documentOf(from))
    const changed = (owner: string) =>
      documentOf(owner, { groups: { [from]: { name: from, permissions: [`films:${owner}`] } } })
    for (let round = 0; round < 5; round++) {
      await Promise.all([apply(changed(from)), transfer(), apply(changed(to)), apply(changed(from))])
      await transfer()
      expect(await listOwners()).toEqual([to, to, to])
      expect((await apply(changed(to))).status).toBe(200)
      expect((await findThing('group')).permissions).toEqual([`films:${to}`])
      await transfer({ from: to, to: from })
    }
  })

  it('of a thing that is created again at the same time never brings the owner before back', async () => {
    await apply(documentOf(from))
    for (let round = 0; round < 5; round++) {
      await call('POST', `system/managed/group/${from}/unlock`)
      await call('DELETE', `groups/${(await findThing('group')).id}`)
      await Promise.all([transfer(), apply(documentOf(from))])
      const { status } = await apply(documentOf(from))
      expect(status).toBe(400)
      expect((await apply(documentOf(to))).status).toBe(200)
      expect(await listOwners()).toEqual([to, to, to])
      await transfer({ from: to, to: from })
    }
  })

  it.each<readonly [title: string, names: object]>([
    ['from a name with a slash', { from: 'service/films' }],
    ['from no product', { from: 'product/' }],
    ['from a product without an owner', { from: 'product/films' }],
    ['from an owner of an owner of a product', { from: 'product/films/web/one' }],
    ['from an owner of what is no product', { from: 'product/url/films' }],
    ['from a product in upper case', { from: 'PRODUCT/films' }],
    ['from a built-in name', { from: '__proto__' }],
    ['to nothing', { to: '' }],
    ['to a name in upper case', { to: 'Films' }],
    ['to a path', { to: 'films/../other' }],
    ['to 10,000 characters', { to: 'f'.repeat(10_000) }],
    ['to a product with a built-in name', { to: 'product/__proto__' }],
    ['to itself', { from: 'films', to: 'films' }],
  ])('%s is refused', async (_, names) => {
    const answer = await transfer(names)
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(JSON.stringify(answer.body).length).toBeLessThan(1000)
  })

  it('moves only things of the product through its alias, and names no owner of others', async () => {
    await apply(documentOf(from))
    const { groups: _, ...document } = documentOf(unique('web'))
    const own = {
      ...document,
      apis: {},
      clients: { [document.owner]: { ...document.clients[from], name: document.owner } },
    }
    await apply(own, {}, 'shop')
    const clientOwner = async () => {
      const { id } = (await call('GET', `oidc-clients?filter=${document.owner}`)).body[0]
      return (await call('GET', `system/managed/client?ids=${id}`)).body[0]?.owner
    }
    expect(await clientOwner()).toBe(`product/shop/${document.owner}`)
    const move = (names: object, product: string, isDryRun = false) =>
      sendConfig(service, '/transfer', { ...names, is_dry_run: isDryRun }, { product })
    for (const isDryRun of [true, false]) {
      // What belongs to the service, to another product, or to nobody, under names that are near.
      for (const [names, product] of [
        [{ from, to: document.owner }, 'shop'],
        [{ from: document.owner, to }, 'books'],
        [{ from: `${document.owner}x`, to }, 'books'],
        [{ from: `${from}x`, to }, 'shop'],
      ] as const)
        expect(await move(names, product, isDryRun)).toMatchObject({
          status: 200,
          body: { things: [], nearest: null },
        })
      for (const names of [
        { from: `product/shop/${document.owner}`, to },
        { from: document.owner, to: `product/books/${to}` },
        { from: document.owner, to: `../${to}` },
      ])
        expect(await move(names, 'shop', isDryRun)).toMatchObject({ status: 400 })
    }
    expect([await clientOwner(), await listOwners()]).toEqual([
      `product/shop/${document.owner}`,
      [from, from, from],
    ])
    expect((await move({ from: `${document.owner}x`, to }, 'shop', true)).body.nearest).toBe(document.owner)
    expect((await move({ from: document.owner, to }, 'shop')).body.things).toHaveLength(1)
    expect(await clientOwner()).toBe(`product/shop/${to}`)
  })

  it('is refused to those who may only invoke a function', async () => {
    await apply(documentOf(from))
    const start = 'arn:aws:lambda:local:000000000000:function:config'
    for (const request of [
      { invokedAs: start },
      { product: 'shop', invokedAs: `${start}-product` },
      { product: 'shop', invokedAs: `${start}-product:url` },
      { userArn: null },
      { product: 'shop', userArn: null },
    ])
      for (const isDryRun of [true, false]) {
        const answer = await sendConfig(service, '/transfer', { from, to, is_dry_run: isDryRun }, request)
        expect(answer).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
        expect(answer.body.things).toBeUndefined()
      }
    expect(await listOwners()).toEqual([from, from, from])
  })
})

describe('the stack that was renamed', () => {
  it('has its things after the transfer, and the late Delete of the old one removes nothing', async () => {
    const old = stackOf(from)
    await old('Create')
    const { user } = await addPerson(service)
    const { id } = await findThing('group')
    await call('PATCH', `groups/${id}`, { members: [{ id: user.id }] })
    const renamed = stackOf(to)
    expect(await renamed('Create')).toMatchObject({
      Status: 'FAILED',
      Reason: `groups.${from} belongs to ${from}. The command latchkey config transfer can give it to another owner`,
    })
    await transfer()
    expect(await renamed('Create', { permissions: ['films:edit'] })).toMatchObject({ Status: 'SUCCESS' })
    for (const _ of [1, 2])
      expect(await old('Delete')).toMatchObject({
        Status: 'SUCCESS',
        Reason: expect.stringContaining('nothing'),
      })
    const group = await findThing('group')
    expect(group).toMatchObject({ id, permissions: ['films:edit'] })
    expect((await call('GET', `groups/${id}`)).body.members.map((one: JsonValue) => one.id)).toEqual([
      user.id,
    ])
    expect(await old('Update', { permissions: [] })).toMatchObject({ Status: 'FAILED' })
    // Nothing of the stack before is left that would keep it.
    expect(await renamed('Delete')).toMatchObject({ Reason: 'Deleted.' })
    expect(await findThing('group')).toBeUndefined()
  })

  it('states its new owner in place, and removes what it created', async () => {
    const stack = stackOf(from)
    await stack('Create')
    await transfer()
    expect(await stack('Update', {}, { owner: to })).toMatchObject({ Status: 'SUCCESS' })
    expect(await stack('Delete', {}, { owner: to })).toMatchObject({ Reason: 'Deleted.' })
  })

  it('does not delete what the stack before had adopted', async () => {
    const { body } = await call('POST', 'groups', { name: from, permissions: [], members: [] })
    await stackOf(from)('Create', { adopt: true })
    await transfer()
    const renamed = stackOf(to)
    await renamed('Create')
    expect(await renamed('Delete')).toMatchObject({ Reason: expect.stringContaining('It stays') })
    expect(await findThing('group')).toMatchObject({ id: body.id })
  })

  it('keeps its things when the Delete of the old one and the transfer run together', async () => {
    for (let round = 0; round < 10; round++) {
      from = unique('films')
      const old = stackOf(from)
      await old('Create')
      const [moved] = await Promise.all([transfer(), old('Delete')])
      const group = await findThing('group')
      const owner = group && (await call('GET', `system/managed/group?ids=${group.id}`)).body[0]?.owner
      // Either it was deleted first, or it moved. Both lead to the new owner.
      expect(moved.status).toBe(200)
      if (group) expect(owner).toBe(to)
      expect(await stackOf(to)('Create')).toMatchObject({ Status: 'SUCCESS' })
    }
  })
})
