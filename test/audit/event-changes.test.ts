import { describe, expect, it } from 'vitest'
import { readAuditItems } from '../support/audit-items.ts'
import { useAuditLog } from '../support/audit-log.ts'
import { addOrganization } from '../support/organization-invitations.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Who asks what changed reads it in the event, and nobody reads there what must not stay. */

const service = await useService()
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const { made, change, findEvent } = useAuditLog(service, admin)

describe('an event says', () => {
  it('what was disabled, and which right was given and taken', async () => {
    const { user } = await addPerson(service)
    const path = `users/${user.id}`
    const told = async (body: object) => {
      await change('PATCH', path, body)
      return (await findEvent(`event=user.changed&user=${user.id}`)).changes
    }
    expect(await told({ is_enabled: false })).toEqual([{ field: 'is_enabled', from: true, to: false }])
    expect(await told({ is_enabled: true })).toEqual([{ field: 'is_enabled', from: false, to: true }])
    expect(await told({ permissions: ['films:edit', 'films:view'] })).toEqual([
      { field: 'permissions', from: null, to: 'films:edit' },
      { field: 'permissions', from: null, to: 'films:view' },
    ])
    expect(await told({ permissions: ['films:view'] })).toEqual([
      { field: 'permissions', from: 'films:edit', to: null },
    ])
    const { id: group } = await made('groups', { name: 'Editors', members: [] })
    expect(await told({ groups: [group] })).toEqual([{ field: 'groups', from: null, to: group }])
    expect(await told({ expiry: '2030-01-31T00:00:00.000Z' })).toEqual([
      { field: 'expiry', from: null, to: '2030-01-31T00:00:00.000Z' },
    ])
  })

  it('with which rights somebody and something began', async () => {
    const group = await made('groups', { name: 'Cutters', permissions: ['films:cut'], members: [] })
    const user = await made('users', { username: 'edith', permissions: ['films:edit'], groups: [group.id] })
    expect((await findEvent(`event=user.created&user=${user.id}`)).changes).toEqual([
      { field: 'permissions', from: null, to: 'films:edit' },
      { field: 'groups', from: null, to: group.id },
    ])
    expect((await findEvent('event=group.created')).changes).toEqual([
      { field: 'name', from: null, to: 'Cutters' },
      { field: 'permissions', from: null, to: 'films:cut' },
    ])
    const token = await made('api-tokens', { name: 'Deploy robot', scopes: ['users:view'] })
    const created = await findEvent('event=api_token.created')
    expect(created).toMatchObject({ target: String(token.id) })
    expect(created.changes).toEqual([{ field: 'scopes', from: null, to: 'users:view' }])
  })

  const policies: readonly (readonly [string, string, object, readonly object[]])[] = [
    [
      'system/sign-in-policy',
      'sign_in_policy.changed',
      { allow_email_codes: true },
      [{ field: 'allow_email_codes', from: false, to: true }],
    ],
    [
      'system/password-policy',
      'password_policy.changed',
      { min_length: 14, no_pwned: true },
      [{ field: 'min_length', from: 12, to: 14 }],
    ],
    [
      'organization-policy',
      'organization_policy.changed',
      { creations_max: 7 },
      [{ field: 'creations_max', from: 3, to: 7 }],
    ],
    [
      'organization-roles',
      'organization_roles.changed',
      {
        roles: [{ key: 'cutter', texts: { en: 'Cutter' }, permissions: ['films:cut'], given_by: 'members' }],
      },
      [
        { field: 'cutter.texts.en', from: null, to: 'Cutter' },
        { field: 'cutter.permissions', from: null, to: 'films:cut' },
        { field: 'cutter.given_by', from: null, to: 'members' },
      ],
    ],
    // The addresses of people who approve are theirs.
    [
      'system/sign-up-policy',
      'sign_up_policy.changed',
      { mode: 'approval', approvers: ['root@company.example'] },
      [{ field: 'mode', from: 'off', to: 'approval' }, { field: 'approvers' }],
    ],
  ]
  it.each(policies)('what became of %s', async (path, event, body, expected) => {
    await change('PUT', path, body)
    const { changes } = await findEvent(`event=${event}`)
    expect(changes).toHaveLength(expected.length)
    expect(changes).toEqual(expect.arrayContaining([...expected]))
  })

  it('which role a member got, and the limit of an organization', async () => {
    const { id, owner } = await addOrganization(service, admin)
    const { user } = await addPerson(service)
    await made(`organizations/${id}/members`, { user: user.id, roles: ['member'] })
    await callAs(service, owner)('PATCH', `organizations/${id}/members/${user.id}`, { roles: ['admin'] })
    await change('PATCH', `organizations/${id}`, { member_limit: 50 })
    expect(await findEvent(`event=organization.member_changed&user=${user.id}`)).toMatchObject({
      ...{ organization: id, actor: owner.user.id, credential: 'session', credential_id: expect.any(Number) },
      changes: [
        { field: 'roles', from: 'member', to: null },
        { field: 'roles', from: null, to: 'admin' },
      ],
    })
    expect((await findEvent(`event=organization.changed&organization=${id}`)).changes).toEqual([
      { field: 'member_limit', from: null, to: 50 },
    ])
  })

  it('how many changes it leaves out', async () => {
    const permissions = Array.from({ length: 60 }, (_, n) => `films:view${n}`)
    const { id } = await made('groups', { name: 'Many rights', members: [] })
    await change('PATCH', `groups/${id}`, { permissions })
    const { changes, changes_omitted: omitted } = await findEvent('event=group.changed')
    expect(changes).toHaveLength(50)
    expect(omitted).toBe(10)
    await made('groups', { name: 'Many from the start', permissions, members: [] })
    expect((await findEvent('event=group.created')).changes_omitted).toBeGreaterThanOrEqual(10)
  })
})

describe('a secret and what no declaration shows', () => {
  it('stands in no event', async () => {
    const secret = 'a-secret-of-the-provider-4711'
    const connection = await made('auth/oidc-connections', {
      ...{ name: 'Northwind', issuer: 'https://idp.example', client_id: 'latchkey', client_secret: secret },
    })
    const path = `auth/oidc-connections/${connection.id}`
    await change('PATCH', path, { client_secret: `${secret}-2`, hosted_domain: null, client_id: 'other' })
    const { changes } = await findEvent('event=oidc_connection.changed')
    expect(changes).toEqual([
      { field: 'client_secret' },
      { field: 'client_id', from: 'latchkey', to: 'other' },
    ])
    const stored = JSON.stringify(await readAuditItems(table))
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain('root@company.example')
  })
})
