import { beforeEach, describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { createApiToken, findApiTokens, setApiTokenScopes } from '../../lib/features/api-tokens/records.ts'
import { hashCredential, mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { unique } from '../configuration/support.ts'
import type { JsonValue } from '../support/client.ts'
import { applyByFunction } from '../support/config-function.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * The API token of a service account is on many machines, and leaks. Attackers hope that it administers the service, by a group that
 * gets rights later, by an account that has more, or by a token that is less limited than the file says.
 */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)

let key = ''
beforeEach(() => {
  key = unique('robot')
})
const everything = [
  'users:manage',
  'users:view',
  'audit-events:view',
  'media:access',
  'jwts:create',
  'profile:view',
]
const fileOf = (permissions: readonly string[], account: object = {}) => ({
  ...{ schema_version: 1, owner: `${key}-file`, groups: { [key]: { name: key, permissions } } },
  service_accounts: { [key]: { groups: [key], scopes: everything, ...account } },
})
const groupsOf = (permissions: readonly string[]) => {
  const { service_accounts: _, ...rest } = fileOf(permissions)
  return { ...rest, owner: `${key}-groups` }
}
const accountAlone = (account: object = {}) => {
  const { groups: _, ...rest } = fileOf([], account)
  return rest
}
const problemsOf = ({ body }: { readonly body: JsonValue }): readonly string[] =>
  (body.errors ?? []).map(({ field }: JsonValue) => field)
const findId = async (path: string): Promise<number> =>
  (await call('GET', `${path}?filter=${key}`)).body[0]?.id
const tokenOf = ({ body }: { readonly body: JsonValue }): string =>
  body.applied.map(({ outputs }: JsonValue) => outputs.token).find((token: unknown) => token)

/** What a leaked token does: administer, manage users, share, and say that it may. */
const tryOut = async (bearer: string) => {
  const send = async (method: string, path: string, body?: object) =>
    (await service.client(method, `/api/2/${path}`, { bearer, ...(body && { body }) })).status
  const bundles = [{ id: 7, name: 'The Kid' }]
  return {
    view: await send('GET', 'users'),
    audit: await send('GET', 'auth/audit-events'),
    create: await send('POST', 'users', { username: unique('made'), permissions: [], groups: [] }),
    share: await send('POST', 'auth/access-tokens', { bundles, permissions: { allow_read: true } }),
    permissions: (await service.client('GET', '/api/2/users/me', { bearer })).body.effective_permissions,
  }
}
const nothing = { audit: 403, create: 403, share: 403 }

describe('a service account', () => {
  it.each(['system:admin-access', 'users:manage'])('cannot join a group with %s', async (right) => {
    const refused = await applyByFunction(service, fileOf(['users:view', right]))
    expect([refused.status, problemsOf(refused)]).toEqual([400, [`service_accounts.${key}.groups.0`]])
    expect(await findId('users')).toBeUndefined()
  })

  it.each(['system:admin-access', 'users:manage'])(
    'keeps its group from getting %s by its file',
    async (right) => {
      const token = tokenOf(await applyByFunction(service, fileOf(['users:view'])))
      const refused = await applyByFunction(service, fileOf(['users:view', right]))
      expect([refused.status, problemsOf(refused)]).toEqual([400, [`service_accounts.${key}.groups.0`]])
      expect(await tryOut(token)).toEqual({ ...nothing, view: 200, permissions: ['users:view'] })
    },
  )

  it.each(['system:admin-access', 'users:manage'])(
    'gets no %s by a group of another file, nor of a person',
    async (right) => {
      expect((await applyByFunction(service, groupsOf(['users:view']))).status).toBe(200)
      const token = tokenOf(await applyByFunction(service, accountAlone()))
      expect((await applyByFunction(service, groupsOf(['users:view', right]))).status).toBe(200)
      expect(await tryOut(token)).toEqual({ ...nothing, view: 200, permissions: ['users:view'] })
      const ofPerson = (await call('POST', 'groups', { name: `${key}-2`, permissions: [right] })).body.id
      const id = await findId('users')
      const { groups } = (await call('GET', `users/${id}`)).body
      expect((await call('PATCH', `users/${id}`, { groups: [...groups, ofPerson] })).status).toBe(200)
      expect(await tryOut(token)).toEqual({ ...nothing, view: 200, permissions: ['users:view'] })
      // Those who manage users see why.
      expect((await call('GET', `users/${id}`)).body.withheld_permissions).toEqual([right])
      const { access_token: jwt } = (await service.client('POST', '/api/2/auth/jwt', { bearer: token })).body
      if (jwt) expect(JSON.parse(atob(jwt.split('.')[1])).permissions).toEqual(['users:view'])
    },
  )

  it('has no permission of an administrator from a person, by no operation', async () => {
    const token = tokenOf(await applyByFunction(service, fileOf(['users:view'])))
    const id = await findId('users')
    const { username } = (await call('GET', `users/${id}`)).body
    const permissions = ['system:admin-access']
    for (const [method, path, body] of [
      ['PATCH', `users/${id}`, { permissions }],
      ['PUT', `users/${id}`, { username, permissions, groups: [] }],
    ] as const) {
      const refused = await call(method, path, body)
      expect([refused.status, problemsOf(refused)], method).toEqual([400, ['permissions']])
    }
    expect(await tryOut(token)).toEqual({ ...nothing, view: 200, permissions: ['users:view'] })
  })

  it('has the permission to manage users only if its entry says so', async () => {
    const file = fileOf(['users:view'], { permissions: ['users:manage'] })
    const token = tokenOf(await applyByFunction(service, file))
    expect(await tryOut(token)).toMatchObject({ create: 201, audit: 403 })
  })

  it.each([
    ['scopes', { scopes: ['system:admin-access'] }],
    ['permissions', { permissions: ['system:admin-access'] }],
  ])('is no administrator by its %s', async (field, account) => {
    const refused = await applyByFunction(service, fileOf([], account))
    expect([refused.status, problemsOf(refused)]).toEqual([400, [`service_accounts.${key}.${field}`]])
  })

  it('cannot be merged with an administrator, in neither direction', async () => {
    const token = tokenOf(await applyByFunction(service, fileOf(['users:view'])))
    const id = await findId('users')
    const { user } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    for (const [kept, other] of [
      [user.id, id],
      [id, user.id],
    ]) {
      const shown = { display_name: '', other_display_name: '', other_username: '' }
      const answer = await call('POST', `users/${kept}/merge`, { user: other, shown })
      expect(answer.status).not.toBe(200)
    }
    expect(await tryOut(token)).toMatchObject({ audit: 403, permissions: ['users:view'] })
  })

  it('gets neither a password nor an address, by which somebody could sign in', async () => {
    await applyByFunction(service, fileOf(['users:view']))
    const id = await findId('users')
    const password = 'violin harbor mustard tent'
    expect((await call('POST', `users/${id}/password`, { password })).status).toBe(409)
    const email = 'robot@example.com'
    const { username } = (await call('GET', `users/${id}`)).body
    for (const [method, body] of [
      ['PATCH', { email }],
      ['PUT', { username, email, permissions: [], groups: [] }],
    ] as const) {
      const refused = await call(method, `users/${id}`, body)
      expect([refused.status, problemsOf(refused)], method).toEqual([400, ['email']])
    }
    const session = await service.client('POST', '/api/2/auth/login', { body: { username: key, password } })
    expect(session.status).toBe(401)
  })

  it('loses rights that an interrupted run left with an older token', async () => {
    const narrow = fileOf(['users:view'], { scopes: ['profile:view'] })
    const token = tokenOf(await applyByFunction(service, narrow))
    const { table } = service.services
    const userId = await findId('users')
    const [older] = await findApiTokens(table, userId)
    if (!older) throw new Error('The account has no token.')
    await setApiTokenScopes(table, older, ['users:view'], [])
    // A renewal keeps the token before, and so leaves two. The newest has the scopes of the file already.
    const { value } = mintCredential('api_token', userId)
    const { credentialEpoch = 0 } = (await findUser(table, userId)) ?? {}
    await createApiToken(
      table,
      {
        hash: hashCredential(value),
        userId,
        name: key,
        isChosen: false,
        createdAt: Date.now(),
        scopes: ['profile:view'],
      },
      { limit: 10, credentialEpoch, extraSteps: () => [] },
    )
    expect([(await tryOut(token)).view, (await tryOut(value)).view]).toEqual([200, 403])
    const again = await applyByFunction(service, narrow)
    expect(again.changes[1]).toMatchObject({ action: 'update', fields: [{ name: 'scopes' }] })
    for (const one of [token, value]) expect(await tryOut(one)).toMatchObject({ view: 403, permissions: [] })
  })
})
