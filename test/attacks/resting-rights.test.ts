import { decodeJwt } from 'jose'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { httpEvent } from '../support/authorizer-events.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addRelyingParty, getTokens, proveClient, refresh } from '../support/oidc.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { addPasskey, signInWithPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount } from '../support/public-upstream.ts'
import { openRememberingBrowser } from '../support/remembered-devices.ts'
import { sessionOf } from '../support/saml.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/*
 * A right that somebody gets later has no effect in a session that the sign-in would not open for it: no matter who gives it, or how,
 * and in everything that the session gives away.
 */

vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => vi.useRealTimers())
const day = 86_400_000
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)
/** Days in which these people go on working. */
const passInUse = async (ms: number, ...people: readonly { readonly bearer: string }[]) => {
  for (let passed = 0; passed < ms; passed += day / 4) {
    pass(day / 4)
    for (const person of people) await whoAmI(person)
  }
}

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  JWT_AUDIENCES: 'https://films.example',
  RATE_LIMITS:
    'samlStarts=100000/60,signUpsPerAddress=100000/60,addressFailures=100000/60,passkeyChallenges=100000/60',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const { passkey: adminPasskey } = await addPasskey(service, admin)
/** An administrator confirms who they are again, because time passes in these tests. */
const asAdmin = async (method: string, path: string, body?: unknown): Promise<Answer> => {
  const { body: signedIn } = await signInWithPasskey(service, adminPasskey)
  const answer = await callAs(service, { bearer: signedIn.session_key })(method, path, body)
  if (answer.status >= 300) throw new Error(answer.text)
  return answer
}
const upstream = closeAfterTests(await startUpstream())
const google = await addPublicConnection(service, admin.bearer, upstream, { first_sign_in: 'create' })
beforeEach(() => storeSignInPolicy(service, {}))

interface Holder {
  readonly id: number
  readonly bearer: string
}

const openGoogle = async (): Promise<Holder> => {
  const { user } = await addPerson(service)
  const account = newGoogleAccount()
  await asAdmin('POST', `users/${user.id}/company-accounts`, {
    provider: google.id,
    name: account.sub,
  })
  const { answer } = await google.signIn(account)
  return { id: user.id, bearer: sessionOf(answer) ?? '' }
}
const openPassword = async (): Promise<Holder> => {
  const { user, bearer } = await addSignedIn(service)
  return { id: user.id, bearer }
}
const openRemembered = async (): Promise<Holder> => {
  await storeSignInPolicy(service, { remembered_device_days: 30 })
  const person = await addSignedIn(service)
  const { authenticator } = await enableSecondFactor(service, person)
  const browser = openRememberingBrowser(service)
  pass(60_000)
  await browser.signIn(person, { otp: authenticator.code(), remember_device: true })
  const { body } = await browser.signIn(person)
  return { id: person.user.id, bearer: body.session_key }
}
const openPasskey = async (): Promise<Holder> => {
  const person = await addSignedIn(service)
  const { passkey } = await addPasskey(service, person)
  const { body } = await signInWithPasskey(service, passkey)
  return { id: person.user.id, bearer: body.session_key }
}

const promotions = {
  'a change of the user': ({ id }: Holder, permission: string) =>
    asAdmin('PATCH', `users/${id}`, { permissions: [permission] }),
  'a group that they join': async ({ id }: Holder, permission: string) => {
    const group = await asAdmin('POST', 'groups', { name: `New ${id}`, permissions: [permission] })
    await asAdmin('POST', `groups/${group.body.id}/members`, { add: [id] })
  },
  'a permission of their group': async ({ id }: Holder, permission: string) => {
    const group = await asAdmin('POST', 'groups', { name: `Old ${id}`, permissions: [] })
    await asAdmin('POST', `groups/${group.body.id}/members`, { add: [id] })
    await asAdmin('PATCH', `groups/${group.body.id}`, { permissions: [permission] })
  },
} as const

const whoAmI = async ({ bearer }: Pick<Holder, 'bearer'>) =>
  (await service.client('GET', '/api/2/users/me', { bearer })).body
const resting = { status: 403, body: { code: 'permission_denied', reason: 'second_factor_required' } }

describe.each(Object.entries(promotions))('rights by %s', (_, promote) => {
  it.each([
    ['of a public provider', openGoogle],
    ['of a remembered device', openRemembered],
  ] as const)('rest in a session %s', async (_, open) => {
    const holder = await open()
    await promote(holder, 'system:admin-access')
    const call = callAs(service, holder)
    expect(await call('GET', 'users')).toMatchObject(resting)
    expect(
      await call('POST', 'users', { username: 'second', permissions: ['system:admin-access'] }),
    ).toMatchObject(resting)
    expect(await call('PUT', 'system/sign-in-policy', {})).toMatchObject({ status: 403 })
    const profile = await whoAmI(holder)
    expect(profile.effective_permissions).toEqual([])
    expect(profile.resting_permissions).toEqual(['system:admin-access'])
  })

  it('have their effect in a session with a password or a passkey, where no policy asks for more', async () => {
    for (const open of [openPassword, openPasskey]) {
      const holder = await open()
      await promote(holder, 'system:admin-access')
      expect(await callAs(service, holder)('GET', 'users')).toMatchObject({ status: 200 })
      expect((await whoAmI(holder)).resting_permissions).toBeUndefined()
    }
  })

  it('rest in a session with a password where the policy asks a second factor for them, from the end of the grace period', async () => {
    await storeSignInPolicy(service, {
      second_factor_for_permissions: ['users:view'],
      second_factor_grace_days: 2,
    })
    const [holder, passkey] = [await openPassword(), await openPasskey()]
    await promote(holder, 'users:view')
    await promote(passkey, 'users:view')
    expect(await callAs(service, holder)('GET', 'users')).toMatchObject({ status: 200 })
    await passInUse(2 * day, holder, passkey)
    expect(await callAs(service, holder)('GET', 'users')).toMatchObject(resting)
    expect(await callAs(service, passkey)('GET', 'users')).toMatchObject({ status: 200 })
    expect((await whoAmI(holder)).resting_permissions).toEqual(['users:view'])
  })
})

describe('a right that rests', () => {
  const audience = 'https://films.example'
  const openPromoted = async () => {
    await storeSignInPolicy(service, { second_factor_for_permissions: ['films:edit'] })
    const holder = await openPassword()
    await promotions['a change of the user'](holder, 'films:edit')
    return holder
  }

  it('is in no JWT and no ticket, and comes into none that were made before', async () => {
    const holder = await openPassword()
    const call = callAs(service, holder)
    await service.informClients()
    const before = (await call('POST', 'auth/jwt', { audience })).body.token
    const promoted = await openPromoted()
    await promotions['a change of the user'](holder, 'films:view')
    expect(typeof before).toBe('string')
    expect(decodeJwt(before)['permissions']).toEqual([])
    const token = (await callAs(service, promoted)('POST', 'auth/jwt', { audience })).body.token
    expect(decodeJwt(token)['permissions']).toEqual([])
    const { ticket } = (await callAs(service, promoted)('POST', 'auth/ticket')).body
    const exchanged = await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
    expect(exchanged).toMatchObject({ status: 200, body: { id: promoted.id, permissions: [] } })
    expect(exchanged.body.effective_permissions).toEqual([])
  })

  it('is in nothing that a client gets for the session, before and after the right, until a second factor', async () => {
    const permissions = [{ name: 'films:edit', texts: { en: 'Edit films' } }]
    const api = await asAdmin('POST', 'protected-apis', { name: 'Films', audience, permissions, scopes: [] })
    const party = await addRelyingParty(service, {
      scopes: ['openid', 'permissions', 'offline_access'],
      permissions: ['films:edit'],
      apis: [{ id: api.body.id, audience, scopes: [] }],
    })
    const ask = { scope: 'openid permissions offline_access', resource: audience }
    const authorize = createAuthorizer({ ...process.env, AUTHORIZER_AUDIENCES: audience })
    await storeSignInPolicy(service, { second_factor_for_permissions: ['films:edit'] })
    const person = await addSignedIn(service)
    const holder = { id: person.user.id, bearer: person.bearer }
    const before = await getTokens(service, party, person.bearer, ask)
    await promotions['a change of the user'](holder, 'films:edit')
    const after = await getTokens(service, party, person.bearer, ask)

    /** What a product learns about the permissions of the user from an access token, at each place. */
    const listStated = async (token: string): Promise<readonly unknown[]> => {
      const raw = String(new URLSearchParams({ token, ...proveClient(party) }))
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const introspected = await service.client('POST', '/oauth2/introspect', { raw, headers })
      const answer = await authorize(httpEvent(token))
      const context = 'context' in answer ? answer.context?.['permissions'] : undefined
      return [decodeJwt(token)['permissions'], introspected.body.permissions, JSON.parse(context ?? 'null')]
    }
    const none = [[], [], []]
    expect(await listStated(before.access_token)).toEqual(none)
    expect(await listStated(after.access_token)).toEqual(none)
    const renewed = await refresh(service, party, after.refresh_token, { resource: audience })
    expect(await listStated(renewed.body.access_token)).toEqual(none)
    const readUserinfo = async () => {
      const plain = await getTokens(service, party, person.bearer, { scope: ask.scope })
      const { body } = await service.client('GET', '/oauth2/userinfo', { bearer: plain.access_token })
      expect(body.sub).toBe(String(person.user.id))
      return body.permissions
    }
    expect((await readUserinfo()) ?? []).toEqual([])

    await enableSecondFactor(service, person)
    expect(await readUserinfo()).toEqual(['films:edit'])
    const complete = await getTokens(service, party, person.bearer, ask)
    const stated = [['films:edit'], ['films:edit'], ['films:edit']]
    expect(await listStated(complete.access_token)).toEqual(stated)
  })

  it('has its effect again once the person turned on a second factor in the session', async () => {
    await storeSignInPolicy(service, { second_factor_for_permissions: ['users:view'] })
    const person = await addSignedIn(service)
    await promotions['a change of the user']({ id: person.user.id, bearer: person.bearer }, 'users:view')
    expect(await callAs(service, person)('GET', 'users')).toMatchObject(resting)
    await enableSecondFactor(service, person)
    expect(await callAs(service, person)('GET', 'users')).toMatchObject({ status: 200 })
  })

  it('stays with its user, whatever they change in that session', async () => {
    await storeSignInPolicy(service, { second_factor_for_permissions: ['users:view'] })
    const person = await addSignedIn(service)
    const holder = { id: person.user.id, bearer: person.bearer }
    await promotions['a group that they join'](holder, 'users:view')
    await promotions['a change of the user'](holder, 'users:view')
    const call = callAs(service, person)
    expect((await call('PUT', 'users/me', { full_name: 'Ada' })).status).toBe(200)
    await enableSecondFactor(service, person)
    const { body } = await asAdmin('GET', `users/${holder.id}`)
    expect(body).toMatchObject({ permissions: ['users:view'], group_permissions: ['users:view'] })
  })

  it('lets nobody impersonate', async () => {
    const holder = await openGoogle()
    const other = await addPerson(service)
    await promotions['a change of the user'](holder, 'system:admin-access')
    expect(
      await callAs(service, holder)('POST', 'auth/impersonation', { user: other.user.id }),
    ).toMatchObject({
      status: 403,
    })
  })

  it('rests for each of many people who are promoted at once', async () => {
    await storeSignInPolicy(service, { second_factor_for_permissions: ['users:view'] })
    const holders = []
    for (let at = 0; at < 10; at++) holders.push(await openPassword())
    await Promise.all(holders.map((holder) => promotions['a change of the user'](holder, 'users:view')))
    const answers = await Promise.all(holders.map((holder) => callAs(service, holder)('GET', 'users')))
    for (const answer of answers) expect(answer).toMatchObject(resting)
  })
})
