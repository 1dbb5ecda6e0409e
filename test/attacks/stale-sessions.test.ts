import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { operations } from '../../lib/features/operations.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import { ageAuthentication } from '../support/age-authentication.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { addPerson, addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * A thief has the session of an administrator or a user manager, but no password. Nothing that they do with it must give
 * them lasting rights, or a way into the account of someone else.
 */

/** What needs a recent proof of identity in any case. It is written without a look at the declarations. */
const alwaysRecent = [
  // one's own credentials
  ...['change_own_email', 'create_api_token', 'create_passkey', 'delete_passkey', 'disable_totp'],
  ...['enable_totp', 'renew_recovery_codes', 'start_passkey_registration', 'sync_totp'],
  ...['unlink_own_company_account', 'update_passkey_settings', 'request_account_deletion'],
  'withdraw_account_deletion',
  // those of others
  ...['delete_user_passkey', 'set_user_password', 'start_impersonation', 'unlink_user_company_account'],
  ...['link_user_company_account', 'merge_user', 'end_user_holdings', 'shorten_api_token'],
  'hand_over_access_tokens',
  ...['import_users', 'get_exported_users'],
  // what members of organizations may do, and whether there are any
  ...['delete_organization', 'update_organization_roles', 'update_organization_policy'],
  ...['request_organization_ending', 'withdraw_organization_ending'],
  // who else can sign users in
  'create_organization_api_token',
  ...['create_oidc_client', 'delete_oidc_client', 'patch_oidc_client', 'renew_oidc_client_secret'],
  ...['end_oidc_client_secret', 'try_oidc_client_sign_in'],
  ...['create_protected_api', 'patch_protected_api', 'delete_protected_api'],
  ...['create_saml_provider', 'delete_saml_provider', 'patch_saml_provider', 'update_saml_provider'],
  ...[
    'refresh_samlidp_metadata',
    'rotate_saml_sp_key',
    'create_connection_domain',
    'check_connection_domain',
  ],
  ...['delete_connection_domain', 'vouch_for_connection_domain'],
  ...['create_saml_setup', 'create_saml_setup_link', 'revoke_saml_setup_link', 'take_saml_provider_live'],
  ...['create_organization_sign_in', 'delete_organization_sign_in', 'remove_organization_domain'],
  ...['approve_connection', 'stop_organization_sign_ins'],
  ...['set_connection_scim', 'create_connection_scim_token', 'assign_connection_scim_user'],
  ...['set_organization_scim', 'create_organization_scim_token', 'assign_organization_scim_user'],
  ...['bring_back_connection_scim_user', 'bring_back_organization_scim_user'],
  ...['create_oidc_connection', 'delete_oidc_connection', 'patch_oidc_connection'],
  // what files manage
  'unlock_managed',
  // who may try again
  'lift_rate_limit',
  // policies
  'update_agent_policy',
  'change_hook',
  ...['update_password_policy', 'update_sign_in_policy', 'update_sign_up_policy', 'update_user_attributes'],
]

const service = await useService({}, { sendsMail: false })
const rights = { admin: ['system:admin-access'], manager: ['users:manage', 'users:view'] }
const admin = await addSignedIn(service, { permissions: rights.admin })
const staleAdmin = await addSignedIn(service, { permissions: rights.admin })
const staleManager = await addSignedIn(service, { permissions: rights.manager })

const minute = 60_000
const limit = () => service.services.config.recentAuthenticationMs
for (const person of [staleAdmin, staleManager]) await ageAuthentication(service, person, limit() + 1)
const call = ({ bearer }: SignedInPerson, method: string, path: string, body?: object): Promise<Answer> =>
  service.client(method, `/api/2/${path}`, { bearer, body })
const isRefused = ({ status, body }: Answer): boolean =>
  status === 403 && body?.code === 'permission_denied' && body.reason === 'reauthentication_required'

/** A request that changes nothing: a caller who may send it gets an error about its query. */
const probe = (person: SignedInPerson, { method, path }: Operation): Promise<Answer> => {
  const filled = path.replaceAll(/\{\w*id\}/g, '2147483647').replaceAll(/\{\w+\}/g, 'x')
  return service.client(method, `${filled}?repeated=1&repeated=2`, { bearer: person.bearer })
}

describe('operations that always require a recent proof of identity', () => {
  const known = operations.filter(({ access }) => access.allow !== 'anyone')
  const list = async (person: SignedInPerson): Promise<readonly string[]> => {
    const refused: string[] = []
    for (const operation of known) if (isRefused(await probe(person, operation))) refused.push(operation.id)
    return refused.sort()
  }
  const expected = [...alwaysRecent].sort()

  it.each([
    ['an administrator', ['system:admin-access']],
    ['a user manager', ['users:manage', 'users:view']],
  ])('are exactly those of the list, for the session of %s at every age', async (_, permissions) => {
    const person = await addSignedIn(service, { permissions })
    expect(await list(person)).toEqual([])
    await ageAuthentication(service, person, limit() - minute)
    expect(await list(person)).toEqual([])
    await ageAuthentication(service, person, limit() + 1)
    expect(await list(person)).toEqual(expected)
    await ageAuthentication(service, person, 13 * 24 * 60 * minute)
    expect(await list(person)).toEqual(expected)
  })
})

const privileged = [['system:admin-access'], ['users:manage']] as const
const newName = () => `made-${randomUUID()}`
const newUser = (fields: object) => ({ username: newName(), permissions: [], groups: [], ...fields })
const addGroup = async (fields: object): Promise<JsonValue> =>
  (await call(admin, 'POST', 'groups', { name: newName(), ...fields })).body
const addTemplate = async (fields: object): Promise<JsonValue> =>
  (await call(admin, 'POST', 'user-templates', { name: newName(), groups: [], ...fields })).body
const addUser = async (fields: Parameters<typeof addPerson>[1] = {}) =>
  (await addPerson(service, fields)).user
const readUser = async (id: number): Promise<JsonValue> => (await call(admin, 'GET', `users/${id}`)).body

/** A request that needs a recent proof. It would succeed with one. */
type Attack = (
  permissions: readonly string[],
) => Promise<readonly [method: string, path: string, body?: object]>

const attacks: Readonly<Record<string, Attack>> = {
  'creates a user with it': async (permissions) => ['POST', 'users', newUser({ permissions })],
  'creates a user in a group with it': async (permissions) => [
    ...(['POST', 'users'] as const),
    newUser({ groups: [(await addGroup({ permissions })).id] }),
  ],
  'gives it to a user': async (permissions) => ['PATCH', `users/${(await addUser()).id}`, { permissions }],
  'gives it to a user by a whole object': async (permissions) => {
    const { id } = await addUser()
    return ['PUT', `users/${id}`, { ...(await readUser(id)), permissions }]
  },
  'puts a user into a group with it': async (permissions) => {
    const group = await addGroup({ permissions })
    return ['PATCH', `users/${(await addUser()).id}`, { groups: [group.id] }]
  },
  'takes it from a user': async (permissions) => [
    ...(['PATCH', `users/${(await addUser({ permissions })).id}`] as const),
    { permissions: [] },
  ],
  'disables a holder': async (permissions) => [
    ...(['PATCH', `users/${(await addUser({ permissions })).id}`] as const),
    { is_enabled: false },
  ],
  'lets a holder expire': async (permissions) => [
    ...(['PATCH', `users/${(await addUser({ permissions })).id}`] as const),
    { expiry: '2030-01-01T00:00:00Z' },
  ],
  'disables a holder by group': async (permissions) => {
    const { id } = await addUser()
    await addGroup({ permissions, members: [{ id }] })
    return ['PATCH', `users/${id}`, { is_enabled: false }]
  },
  'deletes a holder': async (permissions) => ['DELETE', `users/${(await addUser({ permissions })).id}`],
  'creates a group with it': async (permissions) => [
    ...(['POST', 'groups'] as const),
    { name: newName(), permissions, members: [{ id: (await addUser()).id }] },
  ],
  'gives it to a group': async (permissions) => {
    const group = await addGroup({ members: [{ id: (await addUser()).id }] })
    return ['PATCH', `groups/${group.id}`, { permissions }]
  },
  'adds a member to a group with it': async (permissions) => {
    const group = await addGroup({ permissions })
    return ['PATCH', `groups/${group.id}`, { members: [{ id: (await addUser()).id }] }]
  },
  'replaces a group with it': async (permissions) => {
    const group = await addGroup({ permissions })
    return ['PUT', `groups/${group.id}`, { name: newName(), permissions, members: [] }]
  },
  'deletes a group with it': async (permissions) => [
    'DELETE',
    `groups/${(await addGroup({ permissions })).id}`,
  ],
  "changes a holder's email address": async (permissions) => [
    ...(['PATCH', `users/${(await addUser({ permissions })).id}`] as const),
    { email: `${randomUUID()}@example.com` },
  ],
  "changes an ordinary user's email address": async () => [
    ...(['PATCH', `users/${(await addUser({ email: `${randomUUID()}@example.com` })).id}`] as const),
    { email: `${randomUUID()}@example.com` },
  ],
  "removes an ordinary user's email address": async () => {
    const { id } = await addUser({ email: `${randomUUID()}@example.com` })
    const { email: _, ...rest } = await readUser(id)
    return ['PUT', `users/${id}`, rest]
  },
}

const templateAttacks: Readonly<Record<string, Attack>> = {
  'creates a template with it': async (permissions) => [
    ...(['POST', 'user-templates'] as const),
    { name: newName(), permissions, groups: [] },
  ],
  'gives it to a template': async (permissions) => [
    ...(['PATCH', `user-templates/${(await addTemplate({})).id}`] as const),
    { permissions },
  ],
  'gives a template a group with it': async (permissions) => {
    const group = await addGroup({ permissions })
    return ['PATCH', `user-templates/${(await addTemplate({})).id}`, { groups: [group.id] }]
  },
  'replaces a template with it': async (permissions) => [
    ...(['PUT', `user-templates/${(await addTemplate({ permissions })).id}`] as const),
    { name: newName(), permissions: [], groups: [] },
  ],
}

describe('with the old session of an administrator, a thief', () => {
  const cases = privileged.flatMap(([permission]) => [
    ...Object.entries(attacks).map(([name, attack]) => [name, permission, attack] as const),
    // A template never gives administrator access.
    ...(permission === 'users:manage'
      ? Object.entries(templateAttacks).map(([name, attack]) => [name, permission, attack] as const)
      : []),
  ])

  it.each(cases)('never %s: %s', async (_, permission, attack) => {
    const [method, path, body] = await attack([permission])
    const id = /^users\/(\d+)$/.exec(path)?.[1]
    const before = id && (await findUser(service.services.table, Number(id)))
    const refused = await call(staleAdmin, method, path, body)
    expect(isRefused(refused), refused.text).toBe(true)
    if (id) expect(await findUser(service.services.table, Number(id))).toEqual(before)
    const done = await call(admin, method, path, body)
    expect(done.status, done.text).toBeLessThan(300)
  })
})

describe('with the old session of a user manager, a thief', () => {
  it.each([
    [{ permissions: ['users:manage'] }, {}],
    [{}, { permissions: ['users:manage'] }],
    [{}, { email: `${randomUUID()}@example.com` }],
    [{ permissions: ['users:manage'] }, { is_enabled: false }],
  ])('cannot change a user with %j by %j', async (fields, change) => {
    const user = await addUser(fields)
    const body = Object.keys(change).length > 0 ? change : { allow_changing_password: false }
    const answer = await call(staleManager, 'PATCH', `users/${user.id}`, body)
    expect(isRefused(answer), answer.text).toBe(true)
  })
})

describe('with an old session, an administrator still', () => {
  it('does the ordinary work', async () => {
    const group = await addGroup({ permissions: ['media:access'] })
    const { id } = await addUser()
    const template = await addTemplate({})
    for (const [method, path, body] of [
      ['POST', 'users', newUser({ permissions: ['billing:refund'], email: `${randomUUID()}@example.com` })],
      ['PATCH', `users/${id}`, { full_name: 'Ann', permissions: ['media:access'], groups: [group.id] }],
      ['PATCH', `users/${id}`, { is_enabled: false }],
      ['POST', 'groups', { name: newName(), permissions: ['media:access'], members: [{ id }] }],
      ['PATCH', `groups/${group.id}`, { permissions: ['billing:refund'], members: [] }],
      ['PATCH', `user-templates/${template.id}`, { permissions: ['billing:refund'] }],
      ['DELETE', `user-templates/${template.id}`],
      ['DELETE', `users/${id}/sessions`],
      ['DELETE', `groups/${group.id}`],
      ['DELETE', `users/${id}`],
      ['PATCH', `users/${staleAdmin.user.id}`, { full_name: 'Root', language: 'de' }],
    ] as const) {
      const answer = await call(staleAdmin, method, path, body)
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    }
  })

  it('sends a body back as it was read, also for an administrator', async () => {
    const { id } = await addUser({ permissions: ['system:admin-access'] })
    const body = await readUser(id)
    expect((await call(staleAdmin, 'PUT', `users/${id}`, body)).status).toBe(200)
    const group = await addGroup({ permissions: ['system:admin-access'] })
    expect((await call(staleAdmin, 'PUT', `groups/${group.id}`, group)).status).toBe(200)
  })
})
