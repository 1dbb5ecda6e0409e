import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { findHalfMade } from '../../bench/soak/read-back.ts'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import { partitionUnits, tableUnitsQuota } from '../../lib/kernel/limits/aws-limits.ts'
import { organizationRightsBytes } from '../../lib/kernel/limits/limits.ts'
import { isPresent } from '../../lib/kernel/table/expressions.ts'
import {
  organizationRightsCopies,
  organizationRolesKey,
} from '../../lib/kernel/table/keys/organization-keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import { apply, listProblems, unique } from '../configuration/support.ts'
import { httpEvent } from '../support/authorizer-events.ts'
import type { Answer } from '../support/client.ts'
import { addRelyingParty, getTokens, proveClient } from '../support/oidc.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { readItems } from '../support/table-copies.ts'
import { useService } from '../support/use-service.ts'
import { countReads } from '../support/write-counts.ts'

/*
 * What roles allow is stored in equal copies. No request may see a copy that is older than a change that was answered, a mixture of two
 * changes, or the item with the texts, which all requests of all organizations would share.
 */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const path = '/api/2/organization-roles'
const texts = { en: 'Editor', de: 'Redaktion' }
const declare = (names: readonly string[]): Promise<Answer> =>
  call('PUT', path, { roles: [{ key: 'editor', texts, permissions: names }] })
const member = await addSignedIn(service)
const slug = `o${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
const { id } = (await call('POST', '/api/2/organizations', { name: 'Acme', slug })).body
await declare(['films:view'])
const joined = await call('POST', `/api/2/organizations/${id}/members`, {
  user: member.user.id,
  roles: ['editor'],
})
expect(joined.status).toBe(201)
const headers = { 'latchkey-organization': String(id) }
const ask = () => service.client('GET', '/api/2/users/me', { bearer: member.bearer, headers })
const reads = countReads()
afterAll(() => reads.stop())
beforeEach(() => {
  reads.take()
})

const isRights = ({ partition }: { readonly partition: string }) =>
  partition.startsWith(partitions.organizationRights)

it('the copies take more reads than a whole table may, whatever the size of an item', () => {
  expect(organizationRightsCopies * partitionUnits.read).toBeGreaterThan(tableUnitsQuota.read)
})

it('a request reads one copy, each as often as the others, and never the item with the texts', async () => {
  const each = 40
  const requests = each * organizationRightsCopies
  for (let sent = 0; sent < requests; sent += 20)
    for (const { status } of await Promise.all(Array.from({ length: 20 }, ask))) expect(status).toBe(200)
  const counts = reads.take()
  const copies = counts.filter(isRights).map(({ reads: count }) => count)
  expect(copies.reduce((sum, count) => sum + count, 0)).toBe(requests)
  expect(copies).toHaveLength(organizationRightsCopies)
  expect(Math.max(...copies)).toBeLessThan(2 * each)
  expect(counts.map(({ partition }) => partition)).not.toContain(organizationRolesKey.pk)
})

it.each<[string, () => Promise<void>]>([
  [
    'an authorizer',
    async () => {
      const authorize = createAuthorizer({ ...process.env, AUTHORIZER_ORGANIZATION: 'required' })
      const lines = [['Authorization', `Bearer ${member.bearer}`], ...Object.entries(headers)] as const
      expect(await authorize(httpEvent(undefined, { headers: lines }))).toMatchObject({ isAuthorized: true })
    },
  ],
  [
    'a client that gets tokens and has them inspected',
    async () => {
      const party = await addRelyingParty(service, { scopes: ['openid', 'organization'] })
      reads.take()
      const tokens = await getTokens(service, party, member.bearer, {
        scope: 'openid organization',
        organization: String(id),
      })
      const { body } = await service.client('POST', '/oauth2/introspect', {
        raw: String(new URLSearchParams({ token: tokens.access_token, ...proveClient(party) })),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect(body.active).toBe(true)
    },
  ],
  [
    'an API token of the organization',
    async () => {
      const owner = await addSignedIn(service)
      const members = `/api/2/organizations/${id}/members`
      expect((await call('POST', members, { user: owner.user.id, roles: ['owner'] })).status).toBe(201)
      const tokens = `/api/2/organizations/${id}/api-tokens`
      const permissions = ['org:members:view']
      const made = await callAs(service, owner)('POST', tokens, { name: 'Sync', permissions })
      expect(made.status, made.text).toBe(201)
      reads.take()
      expect((await service.client('GET', members, { bearer: made.body.token })).status).toBe(200)
    },
  ],
  [
    'a list of the own organizations',
    async () => {
      const answer = await callAs(service, member)('GET', '/api/2/users/me/organizations')
      expect(answer.body[0].permissions).toEqual(['films:view'])
    },
  ],
])('%s reads copies alone', async (_, work) => {
  await work()
  const counts = reads.take()
  expect(counts.some(isRights)).toBe(true)
  expect(counts.map(({ partition }) => partition)).not.toContain(organizationRolesKey.pk)
})

it('a change has an effect at the next request, whichever copy it reads', async () => {
  for (const name of ['films:edit', 'films:audit', 'films:view']) {
    expect((await declare([name])).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 60 }, ask))
    for (const { body } of answers) expect(body.organization.permissions).toEqual([name])
  }
  expect((await call('PUT', path, { roles: [] })).status).toBe(200)
  for (const { body } of await Promise.all(Array.from({ length: 60 }, ask)))
    expect(body.organization.permissions).toEqual([])
})

it('a hundred requests that change and read the roles at once see one change or another, and leave equal copies', async () => {
  const setOf = (at: number) => [`set-${at}:a`, `set-${at}:b`, `set-${at}:c`]
  expect((await declare(setOf(0))).status).toBe(200)
  const written = Array.from({ length: 20 }, (_, at) => declare(setOf(at + 1)))
  const read = Array.from({ length: 80 }, ask)
  const statuses = (await Promise.all(written)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0)
  for (const status of statuses) expect([200, 409]).toContain(status)
  const known = new Set(Array.from({ length: 21 }, (_, at) => JSON.stringify(setOf(at))))
  for (const { status, body } of await Promise.all(read)) {
    expect(status).toBe(200)
    expect(known).toContain(JSON.stringify(body.organization.permissions))
  }
  const items = (await readItems(service.tableName)).filter(
    (item) => isRights({ partition: item.pk }) || item.pk === organizationRolesKey.pk,
  )
  expect(items).toHaveLength(organizationRightsCopies + 1)
  expect(findHalfMade(items)).toEqual([])
  const last = (await call('GET', path)).body.roles[0].permissions
  expect((await ask()).body.organization.permissions).toEqual(last)
})

it('no role is changed if one of the copies cannot be written', async () => {
  await declare(['films:view'])
  const { table } = service.services
  const { transact } = table
  const before = await readItems(service.tableName, isStoredRole)
  const { replaceRoles, findStoredRoles } = await import('../../lib/features/organizations/roles.records.ts')
  const steps = [{ check: { pk: 'organization-rights#none', sk: 'rights' }, condition: isPresent }]
  const broken = { ...table, transact: (own: Parameters<typeof transact>[0]) => transact([...own, ...steps]) }
  await expect(replaceRoles(broken, await findStoredRoles(table), [], [])).rejects.toThrow()
  expect(await readItems(service.tableName, isStoredRole)).toEqual(before)
})

const isStoredRole = ({ pk }: { readonly pk: string }): boolean =>
  isRights({ partition: pk }) || pk === organizationRolesKey.pk

it('copies have no texts, and each name once', async () => {
  const permissions = ['films:view']
  const keys = ['editor', 'viewer']
  await call('PUT', path, { roles: keys.map((key) => ({ key, texts, permissions })) })
  const items = await readItems(service.tableName, ({ pk }) => isRights({ partition: pk }))
  expect(items).toHaveLength(organizationRightsCopies)
  for (const { names, roles } of items) {
    expect(names).toEqual(['films:view'])
    expect(roles).toEqual(keys.map((key) => ({ key, places: '0', given_by: 'members' })))
  }
})

it('a document cannot declare more than a transaction has room for', async () => {
  const roleOf = (permissions: number) => (_: unknown, at: number) => ({
    key: `role-${at}`,
    texts: { en: 'Role' },
    permissions: Array.from({ length: permissions }, (_own, number) => `films:${'x'.repeat(60)}${number}`),
  })
  const documentOf = (permissions: number) => ({
    schema_version: 1,
    owner: unique('roles'),
    organization_roles: { adopt: true, roles: Array.from({ length: 40 }, roleOf(permissions)) },
  })
  const problems = await listProblems(() => apply(service.services, documentOf(100)))
  expect(problems).toEqual([
    expect.stringMatching(
      new RegExp(`^organization_roles\\S* must have at most ${organizationRightsBytes} bytes of keys and`),
    ),
  ])
  await apply(service.services, documentOf(40))
  expect((await call('GET', path)).body.roles[39].permissions).toHaveLength(40)
})
