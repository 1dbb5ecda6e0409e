import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { makeIdp } from '../support/idp.ts'
import {
  addProvider,
  patchProvider,
  signInByConnection,
  startSignIn,
  type TestProvider,
  userOfSession,
} from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* An identity provider that names groups with permissions, which its administrators should not be able to grant. */

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })

const addSyncing = async (fields: object): Promise<TestProvider> =>
  addProvider(service, await makeIdp(), {
    auto_create_users: true,
    auto_create_groups: true,
    auto_sync_groups: true,
    allowed_groups: ['*'],
    ...fields,
  })

const provider = await addSyncing({})

const makeGroup = async (permissions: readonly string[], name: string = randomUUID()) => {
  const body = { name, permissions, members: [] }
  const answer = await service.client('POST', '/api/2/groups', { bearer: provider.admin, body })
  return { id: Number(answer.body.id), name }
}

/** Signs in and returns the IDs of the user's groups. */
const groupsAfter = async (
  groups: readonly string[],
  { at = provider, nameId = randomUUID() }: { at?: TestProvider; nameId?: string } = {},
): Promise<readonly number[]> => {
  const { session } = await signInByConnection(service, at, { nameId, attributes: { groups } })
  const id = await userOfSession(service, session)
  return (await findUser(service.services.table, id ?? 0))?.groups ?? []
}

describe('a group with permissions', () => {
  it('is not joined because an assertion names it, at the first sign-in or later', async () => {
    const [plain, managers] = [await makeGroup([]), await makeGroup(['users:manage'])]
    const nameId = randomUUID()
    for (let round = 0; round < 2; round++)
      expect(await groupsAfter([plain.name, managers.name], { nameId })).toEqual([plain.id])
  })

  it('is joined only under its exact name, not by a prefix', async () => {
    const prefix = `team-${randomUUID()}`
    const [listed, matching] = [
      await makeGroup(['users:view'], `${prefix}-listed`),
      await makeGroup(['users:manage'], `${prefix}-matching`),
    ]
    const plain = await makeGroup([], `${prefix}-plain`)
    const outside = await makeGroup([])
    const names = [listed, matching, plain, outside].map(({ name }) => name)
    for (const list of [
      [`${prefix}*`, listed.name],
      [listed.name.toUpperCase(), plain.name],
    ]) {
      const at = await addSyncing({ allowed_groups: list })
      expect([...(await groupsAfter(names, { at }))].sort()).toEqual([listed.id, plain.id].sort())
    }
    const withAll = await addSyncing({ allowed_groups: ['*'] })
    expect([...(await groupsAfter(names, { at: withAll }))].sort()).toEqual([plain.id, outside.id].sort())
    const withNone = await addSyncing({ allowed_groups: [] })
    expect(await groupsAfter([...names, `new-${randomUUID()}`], { at: withNone })).toEqual([])
  })

  it('is left at the next sign-in if it got its permissions later', async () => {
    const nameId = randomUUID()
    const group = await makeGroup([])
    expect(await groupsAfter([group.name], { nameId })).toEqual([group.id])
    const body = { permissions: ['users:manage'] }
    const edited = await service.client('PATCH', `/api/2/groups/${group.id}`, {
      bearer: provider.admin,
      body,
    })
    expect(edited.status).toBe(200)
    expect(await groupsAfter([group.name], { nameId })).toEqual([])
  })

  it('is not joined by a sign-in that runs while it gets its permissions', async () => {
    const group = await makeGroup([])
    const path = `/api/2/groups/${group.id}`
    const grant = async (): Promise<void> => {
      const body = { permissions: ['users:manage'] }
      const answer = await service.client('PATCH', path, { bearer: provider.admin, body })
      if (answer.status === 409) return grant()
    }
    const names = Array.from({ length: 8 }, () => randomUUID())
    const [, ...results] = await Promise.all([
      grant(),
      ...names.map((nameId) => groupsAfter([group.name], { nameId })),
    ])
    expect(results).toHaveLength(8)
    // Those who joined first leave at their next sign-in.
    for (const nameId of names) expect(await groupsAfter([group.name], { nameId })).toEqual([])
  })

  it('is never joined with administrator access, even if it is listed', async () => {
    const group = await makeGroup(['system:admin-access'])
    const at = await addSyncing({ allowed_groups: [group.name] })
    expect(await groupsAfter([group.name], { at })).toEqual([])
  })
})

describe('a provider without a list of allowed groups', () => {
  const withoutList = [{ allowed_groups: null }, { allowed_groups: [] }, { allowed_groups: undefined }]

  it.each(withoutList)('with %o puts its users into no group, and creates none', async (fields) => {
    const [at, group] = [await addSyncing(fields), await makeGroup([])]
    const [invented, nameId] = [randomUUID(), randomUUID()]
    const names = [group.name, invented, '*', group.name.toUpperCase(), ` ${group.name}`]
    for (let round = 0; round < 2; round++) expect(await groupsAfter(names, { at, nameId })).toEqual([])
    const found = await service.client('GET', `/api/2/groups?name=${invented}`, { bearer: at.admin })
    expect([found.status, found.text.includes(invented)]).toEqual([200, false])
  })

  it('does not create groups for the first sign-in either, if it only creates groups', async () => {
    const [at, group] = [
      await addSyncing({ auto_sync_groups: false, allowed_groups: null }),
      await makeGroup([]),
    ]
    expect(await groupsAfter([group.name], { at })).toEqual([])
  })

  it('stays without one when a published client changes it, and takes back the groups it gave when it loses one', async () => {
    const [at, group, nameId] = [
      await addSyncing({ allowed_groups: null }),
      await makeGroup([]),
      randomUUID(),
    ]
    const path = `/api/2/auth/saml/${at.id}`
    const { body: read } = await service.client('GET', path, { bearer: at.admin })
    const { allowed_groups: list, ...published } = read
    expect(list).toBeNull()
    const put = await service.client('PUT', path, { bearer: at.admin, body: published })
    expect([put.status, put.body.allowed_groups]).toEqual([200, null])
    await patchProvider(service, at, { auto_sync_groups: true, auto_create_groups: true })
    expect(await groupsAfter([group.name], { at, nameId })).toEqual([])
    await patchProvider(service, at, { allowed_groups: [group.name] })
    expect(await groupsAfter([group.name], { at, nameId })).toEqual([group.id])
    await patchProvider(service, at, { allowed_groups: null })
    expect(await groupsAfter([group.name], { at, nameId })).toEqual([])
  })
})

it('a list of allowed groups is bounded, and * stands only at the end', async () => {
  const patch = (list: unknown) =>
    service.client('PATCH', `/api/2/auth/saml/${provider.id}`, {
      bearer: provider.admin,
      body: { allowed_groups: list },
    })
  for (const wrong of [
    ['a*b'],
    ['**'],
    [''],
    [' x'],
    ['x\u0000'],
    ['x'.repeat(256)],
    [1],
    'x',
    Array(101).fill('x'),
  ])
    expect((await patch(wrong)).status).toBe(400)
  for (const right of [['x'], ['x *'], ['*'], [], null]) {
    const answer = await patch(right)
    expect(answer.status).toBe(200)
    expect(answer.body.allowed_groups).toEqual(right)
  }
})

it('a caller who is not an administrator does not see the list', async () => {
  const at = await addSyncing({ allowed_groups: ['secret-group'] })
  expect((await service.client('GET', `/api/2/auth/saml/${at.id}`)).text).not.toContain('secret-group')
  const { browser } = await startSignIn(service, at)
  expect((await browser.get(`/api/2/auth/saml/${at.id}`)).text).not.toContain('secret-group')
})
