import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import type { AuditEventName } from '../../lib/kernel/contract/audit-events.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { addPasskey, addUnaskedPasskey, signInWithPasskey } from '../support/passkeys.ts'
import { addSignedIn, callAs, type SignedInPerson, trySignIn } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount } from '../support/public-upstream.ts'
import { sessionOf } from '../support/saml.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/*
 * People remove ways to sign in, one after another and at once. What is left must open a session under the policy and with their rights:
 * a way that exists and is refused at its door is none.
 */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60,signUpsPerAddress=100000/60,passkeyChallenges=100000/60',
})
const { client } = service
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const google = await addPublicConnection(service, admin.bearer, closeAfterTests(await startUpstream()), {
  first_sign_in: 'create',
})
afterEach(() => storeSignInPolicy(service, {}))

/** Connects an account at Google, by the administrator. */
const connectGoogle = async ({ user }: Pick<SignedInPerson, 'user'>) => {
  const account = newGoogleAccount()
  const linked = await client('POST', `/api/2/users/${user.id}/company-accounts`, {
    bearer: admin.bearer,
    body: { provider: google.id, name: account.sub },
  })
  expect(linked.status, linked.text).toBe(201)
  return account
}
const removePassword = ({ user }: Pick<SignedInPerson, 'user'>) =>
  table.update({ pk: `user#${user.id}`, sk: 'user' }, (x) => ({
    set: [`${x.path('passwordHash')} = ${x.value(null)}`],
  }))
const removePasskey = (bearer: string, id: number) =>
  client('DELETE', `/api/2/users/me/passkeys/${id}`, { bearer })
const listAccounts = async (bearer: string) =>
  (await client('GET', '/api/2/users/me/company-accounts', { bearer })).body
const unlink = async (bearer: string) => {
  const [account] = await listAccounts(bearer)
  return client('DELETE', `/api/2/users/me/company-accounts/${account.id}`, { bearer })
}
const lastWay = (left: readonly object[] = []) => ({
  status: 409,
  body: {
    reason: 'last_sign_in_method',
    left_ways: left.map((way) => expect.objectContaining(way)),
    ways_to_add: expect.arrayContaining(['passkey']),
  },
})

describe('the last way to sign in stays', () => {
  it('for someone who came by a provider, and unlinks it before the passkey', async () => {
    const { answer, user } = await google.signIn(
      newGoogleAccount({ email: undefined, email_verified: undefined }),
    )
    const bearer = sessionOf(answer) ?? ''
    const { passkey, id } = await addPasskey(service, { bearer })
    expect((await unlink(bearer)).status).toBe(204)
    expect(await removePasskey(bearer, id)).toMatchObject(lastWay())
    expect((await signInWithPasskey(service, passkey)).body.user.id).toBe(user)
  })

  it('for an administrator whose provider is refused, until an app makes it enough', async () => {
    const person = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const account = await connectGoogle(person)
    const { bearer } = person
    const { id } = await addPasskey(service, person)
    await removePassword(person)
    expect((await google.signIn(account)).user).toBeUndefined()
    const refused = { kind: 'public_provider', obstacle: 'second_factor_required' }
    const answer = await removePasskey(bearer, id)
    expect(answer).toMatchObject(lastWay([refused]))
    expect(answer.body.ways_to_add).toContain('authenticator_app')
    const { authenticator } = await enableSecondFactor(service, person)
    expect((await removePasskey(bearer, id)).status).toBe(204)
    const off = await client('DELETE', `/api/2/users/${person.user.id}/totp?otp=${authenticator.code(1)}`, {
      bearer,
    })
    expect(off).toMatchObject(lastWay([refused]))
  })

  it('where passkeys alone sign in: the password does not add another one', async () => {
    const person = await addSignedIn(service)
    const first = await addPasskey(service, person)
    const second = await addPasskey(service, person)
    await storeSignInPolicy(service, { passkeys_only: true })
    const { body } = await signInWithPasskey(service, second.passkey)
    const bearer = body.session_key
    expect((await removePasskey(bearer, first.id)).status).toBe(204)
    expect(await removePasskey(bearer, second.id)).toMatchObject(
      lastWay([{ kind: 'password', obstacle: 'passkey_required' }]),
    )
    expect((await trySignIn(service, person, { second_factor_setup: true })).body.reason).toBe(
      'passkey_required',
    )
  })

  it('for administrators who remove it where they remove those of others', async () => {
    const person = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await connectGoogle(person)
    const { id } = await addPasskey(service, person)
    await removePassword(person)
    const own = `/api/2/users/${person.user.id}`
    const { bearer } = person
    expect(await client('DELETE', `${own}/passkeys/${id}`, { bearer })).toMatchObject({ status: 409 })
    const [account] = await listAccounts(bearer)
    expect((await client('DELETE', `${own}/company-accounts/${account.id}`, { bearer })).status).toBe(204)
  })

  it('also if a passkey is left that nobody asked for', async () => {
    const person = await addSignedIn(service)
    const { id } = await addPasskey(service, person)
    await addUnaskedPasskey(service, person)
    await removePassword(person)
    expect(await removePasskey(person.bearer, id)).toMatchObject(
      lastWay([{ kind: 'passkey', obstacle: 'not_proven' }]),
    )
  })

  it('for a code by email, whether the address or the policy takes it', async () => {
    await storeSignInPolicy(service, { allow_email_codes: true })
    const person = await addSignedIn(service, {
      permissions: ['system:admin-access'],
      email: `${randomUUID()}@example.com`,
    })
    await connectGoogle(person)
    await removePassword(person)
    const { bearer } = person
    // The code is left.
    expect((await unlink(bearer)).status).toBe(204)
    const own = `/api/2/users/${person.user.id}`
    expect(await client('PATCH', own, { bearer, body: { email: null } })).toMatchObject(lastWay())
    const policy = { allow_email_codes: false }
    expect(await client('PUT', '/api/2/system/sign-in-policy', { bearer, body: policy })).toMatchObject(
      lastWay(),
    )
    expect((await client('PATCH', own, { bearer, body: { full_name: 'Ada' } })).status).toBe(200)
    await connectGoogle(admin)
    const kept = { allow_email_codes: true, second_factor_grace_days: 3 }
    const changed = await client('PUT', '/api/2/system/sign-in-policy', { bearer: admin.bearer, body: kept })
    expect(changed.status).toBe(200)
  })

  it('for an administrator who deletes the connection that signs them in', async () => {
    const person = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const other = await addPublicConnection(service, admin.bearer, closeAfterTests(await startUpstream()), {
      name: 'LinkedIn',
      public_provider: 'oidc',
    })
    const linked = await client('POST', `/api/2/users/${person.user.id}/company-accounts`, {
      bearer: admin.bearer,
      body: { provider: other.id, name: randomUUID() },
    })
    expect(linked.status).toBe(201)
    await enableSecondFactor(service, person)
    await removePassword(person)
    expect(await client('DELETE', other.path, { bearer: person.bearer })).toMatchObject(lastWay())
    expect((await client('DELETE', other.path, { bearer: admin.bearer })).status).toBe(204)
  })

  it.each([1, 2, 3, 4, 5])('of two that are removed at once: try %i', async () => {
    const person = await addSignedIn(service)
    await connectGoogle(person)
    const { id } = await addPasskey(service, person)
    await removePassword(person)
    const answers = await Promise.all([
      removePasskey(person.bearer, id),
      unlink(person.bearer),
      removePasskey(person.bearer, id),
      unlink(person.bearer),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    const hasAccount = (await listAccounts(person.bearer)).length > 0
    const ways = await client('GET', `/api/2/users/${person.user.id}/sign-in-ways`, { bearer: admin.bearer })
    expect(ways.body.ways).toMatchObject([
      { kind: hasAccount ? 'public_provider' : 'passkey', obstacle: null },
    ])
  })

  it.each([1, 2, 3])('of a passkey and the app that the other way needs, at once: try %i', async () => {
    const person = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await connectGoogle(person)
    const { id } = await addPasskey(service, person)
    const { authenticator } = await enableSecondFactor(service, person)
    await removePassword(person)
    const { bearer } = person
    const answers = await Promise.all([
      removePasskey(bearer, id),
      client('DELETE', `/api/2/users/${person.user.id}/totp?otp=${authenticator.code(1)}`, { bearer }),
    ])
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  })
})

describe('an administrator', () => {
  it('learns before that a removal leaves nothing, takes it, and sends an invitation', async () => {
    const person = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
    const { id } = await addPasskey(service, person)
    await removePassword(person)
    const call = callAs(service, admin)
    const path = `/api/2/users/${person.user.id}`
    expect((await call('GET', `${path}/sign-in-ways`)).body).toEqual({
      ways: [{ kind: 'passkey', provider: null, obstacle: null }],
      is_locked_out: false,
      can_be_invited: false,
      can_reset_password: true,
    })
    const before = await call('GET', `${path}/sign-in-ways?without_passkey=${id}`)
    expect(before.body).toEqual({
      ways: [],
      is_locked_out: true,
      can_be_invited: true,
      can_reset_password: true,
    })
    expect((await call('DELETE', `${path}/passkeys/${id}`)).status).toBe(204)
    expect((await call('POST', `${path}/invite`)).status).toBe(200)
  })

  it('learns what keeps the ways of a user from working', async () => {
    const person = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await connectGoogle(person)
    const call = callAs(service, admin)
    const path = `/api/2/users/${person.user.id}`
    const [account] = (await call('GET', `${path}/company-accounts`)).body
    const { ways } = (await call('GET', `${path}/sign-in-ways`)).body
    const provider = { id: google.id, name: 'Google' }
    expect(ways).toEqual([
      { kind: 'password', provider: null, obstacle: null },
      { kind: 'public_provider', provider, obstacle: 'second_factor_required' },
    ])
    const without = await call('GET', `${path}/sign-in-ways?without_account=${account.id}`)
    expect(without.body.ways).toHaveLength(1)
    expect((await call('GET', '/api/2/users/999999/sign-in-ways')).status).toBe(404)
  })
})

/** Events of changes that can take a way to sign in from somebody. */
const takingEvents: readonly AuditEventName[] = [
  'passkey.removed',
  'passkey.second_factor_changed',
  'company_account.unlinked',
  'totp.disabled',
  'saml_provider.deleted',
  'oidc_connection.deleted',
  'sign_in_policy.changed',
]

/** The operations that ask what is left, and why the others need not. A new one is named here, or fails. */
const askers = new Set([
  'delete_passkey',
  'update_passkey_settings',
  'unlink_own_company_account',
  'delete_user_passkey',
  'unlink_user_company_account',
  'disable_totp',
  'delete_saml_provider',
  'delete_oidc_connection',
  'delete_organization_sign_in',
  'update_sign_in_policy',
  'update_user',
  'patch_user',
])
const signsIn = 'signs the person in with the company account that it connects, and ends all other ways'
const others = new Map([
  ['receive_saml_auth_assertion', signsIn],
  ['receive_oidc_answer', signsIn],
  ['receive_oidc_answer_by_form', signsIn],
  ['answer_sign_in_question', signsIn],
  ['set_user_password', 'gives another person a password'],
  ['link_user_company_account', 'gives a way, and ends those that somebody with fewer rights gave'],
  ['merge_user', 'is decided by an administrator about two accounts of one person'],
  ['end_user_holdings', 'ends everything of a person who leaves'],
  ...['create_scim_resource', 'replace_scim_resource', 'change_scim_resource', 'delete_scim_resource'].map(
    (id) => [id, 'ends everything of a person who leaves their company'] as const,
  ),
  ['report_change', 'ends what a thief added, and sends a link to a new password'],
])

it('every operation that takes a way to sign in asks what is left', () => {
  const taking = operations
    .filter(({ audit = [] }) => audit.some((event) => takingEvents.includes(event)))
    .map(({ id }) => id)
  const unnamed = taking.filter((id) => !askers.has(id) && !others.has(id))
  expect(unnamed).toEqual([])
  expect([...askers, ...others.keys()].filter((id) => !taking.includes(id))).toEqual([])
})
