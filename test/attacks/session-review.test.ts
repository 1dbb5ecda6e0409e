import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildScheduleContext } from '../../lib/accounts/callers/request-context.ts'
import { reviewSessions } from '../../lib/features/sign-in/session-review.job.ts'
import { readAuditItems } from '../support/audit-items.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { addPasskey, signInWithPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, callAs, trySignIn } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount } from '../support/public-upstream.ts'
import { sessionOf } from '../support/saml.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* What tightens the rules of the sign-in reaches the sessions that are open, by a review of all of them. */

vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => vi.useRealTimers())
const minute = 60_000
const day = 24 * 60 * minute
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS:
    'samlStarts=100000/60,signUpsPerAddress=100000/60,passkeyChallenges=100000/60,domainChecks=1000/60',
})
const owner = await addSignedIn(service, { permissions: ['system:admin-access'] })
const { passkey } = await addPasskey(service, owner)
/** As an administrator with a passkey, and a proof of just now. */
const asOwner = async (method: string, path: string, body?: unknown): Promise<Answer> => {
  const signedIn = await signInWithPasskey(service, passkey)
  return callAs(service, { bearer: signedIn.body.session_key })(method, path, body)
}
const setPolicy = async (policy: object) => {
  const answer = await asOwner('PUT', 'system/sign-in-policy', policy)
  expect(answer.status, answer.text).toBe(200)
}
const review = async () => {
  await service.informClients()
  pass(2 * minute)
  await service.informClients()
}
const readState = async () => (await asOwner('GET', 'system/session-review')).body
const statusOf = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status
beforeEach(async () => {
  await storeSignInPolicy(service, {})
})

describe('a policy that asks more', () => {
  it('lets the rights that it names rest in open sessions, and gives them back when it asks less', async () => {
    const person = await addSignedIn(service, { permissions: ['users:view'] })
    const read = () => callAs(service, person)('GET', 'users')
    expect((await read()).status).toBe(200)
    await setPolicy({ second_factor_for_permissions: ['users:view'] })
    expect((await readState()).state).toBe('waiting')
    await review()
    expect(await read()).toMatchObject({ status: 403, body: { reason: 'second_factor_required' } })
    expect(await readState()).toMatchObject({ state: 'done', sessions_ended: 0 })
    await setPolicy({})
    await review()
    expect((await read()).status).toBe(200)
  })

  it('lets membership of a group that it names rest, with what the group gives', async () => {
    const person = await addSignedIn(service)
    const group = (await asOwner('POST', 'groups', { name: 'Auditors', permissions: ['users:view'] })).body
    await asOwner('POST', `groups/${group.id}/members`, { add: [person.user.id] })
    await setPolicy({ second_factor_for_groups: [group.id] })
    await review()
    expect((await callAs(service, person)('GET', 'users')).status).toBe(403)
    const { body } = await callAs(service, person)('GET', 'users/me')
    expect(body).toMatchObject({ effective_permissions: [], resting_permissions: ['users:view'] })
    // What is stored about the user does not depend on their session.
    expect((await callAs(service, person)('PUT', 'users/me', { full_name: 'Ada' })).status).toBe(200)
    const members = await asOwner('GET', `groups/${group.id}`)
    expect(members.text).toContain(String(person.user.id))
  })

  it('ends sessions without the factor that everybody needs, and keeps those with one', async () => {
    const [one, other] = [await addSignedIn(service), await addSignedIn(service)]
    const strong = await signInWithPasskey(service, (await addPasskey(service, other)).passkey)
    await setPolicy({ second_factor_for_everybody: true })
    await review()
    expect(await statusOf(one.bearer)).toBe(401)
    expect(await statusOf(other.bearer)).toBe(401)
    expect(await statusOf(strong.body.session_key)).toBe(200)
    expect((await readState()).sessions_ended).toBeGreaterThan(1)
  })

  it('ends them with the grace period, which the session says before', async () => {
    const person = await addSignedIn(service)
    await setPolicy({ second_factor_for_everybody: true, second_factor_grace_days: 1 })
    await review()
    const { body } = await callAs(service, person)('GET', 'users/me')
    expect(Date.parse(body.second_factor_required_from)).toBeGreaterThan(Date.now())
    pass(day / 2)
    expect(await statusOf(person.bearer)).toBe(200)
    pass(day / 2)
    expect(await statusOf(person.bearer)).toBe(401)
  })

  it('is refused if it leaves no administrator who can act', async () => {
    const before = (await asOwner('GET', 'system/sign-in-policy')).body
    const lonely = await addSignedIn(service, { permissions: ['system:admin-access'] })
    // The other administrator has a passkey and can act, until they are none any more.
    expect((await callAs(service, lonely)('PUT', 'system/sign-in-policy', before)).status).toBe(200)
    await callAs(service, lonely)('PATCH', `users/${owner.user.id}`, { permissions: [] })
    for (const policy of [
      { second_factor_for_everybody: true },
      { second_factor_for_permissions: ['system:admin-access'] },
      { second_factor_for_permissions: ['films:edit'] },
    ])
      expect(await callAs(service, lonely)('PUT', 'system/sign-in-policy', policy)).toMatchObject({
        status: 409,
        body: { reason: 'last_admin' },
      })
    const withGrace = { second_factor_for_everybody: true, second_factor_grace_days: 1 }
    expect((await callAs(service, lonely)('PUT', 'system/sign-in-policy', withGrace)).status).toBe(200)
    await callAs(service, lonely)('PATCH', `users/${owner.user.id}`, { permissions: ['system:admin-access'] })
  })
})

it('begins again after another change, and takes up where an interrupted run stopped', async () => {
  const people = [await addSignedIn(service), await addSignedIn(service)]
  const { table } = service.services
  await setPolicy({ second_factor_for_everybody: true })
  const context = buildScheduleContext(Date.now(), 'test')
  let parts = 0
  const once = () => parts++ === 0
  await reviewSessions(service.services, context, once)
  pass(2 * minute)
  // A run that fails in the middle leaves the rest to the next one, and what two runs do at once is the same.
  const failing = {
    ...service.services,
    table: Object.create(table, { update: { value: () => Promise.reject(new Error('cut')) } }),
  }
  await expect(reviewSessions(failing, context, () => true)).rejects.toThrow('cut')
  await setPolicy({
    passkeys_only: false,
    second_factor_for_everybody: true,
    second_factor_for_permissions: ['a:b'],
  })
  await Promise.all([service.informClients(), service.informClients()])
  pass(2 * minute)
  await Promise.all([service.informClients(), service.informClients()])
  await service.informClients()
  for (const { bearer } of people) expect(await statusOf(bearer)).toBe(401)
  expect((await readState()).state).toBe('done')
})

it('ends the sessions of people whose company begins to require its sign-in, and no others', async () => {
  const upstream = closeAfterTests(await startUpstream())
  const google = await addPublicConnection(
    service,
    (await signInWithPasskey(service, passkey)).body.session_key,
    upstream,
    {
      first_sign_in: 'create',
    },
  )
  const domain = 'company-of-later.example'
  const inCompany = await addPerson(service, { email: `ada@${domain}` })
  const outside = await addSignedIn(service, { email: 'bob@elsewhere.example' })
  const exempt = await addSignedIn(service, { email: `eve@${domain}` })
  const account = newGoogleAccount()
  await asOwner('POST', `users/${inCompany.user.id}/company-accounts`, {
    provider: google.id,
    name: account.sub,
  })
  const byGoogle = sessionOf((await google.signIn(account)).answer) ?? ''
  const byPassword = (await trySignIn(service, inCompany)).body.session_key
  const created = await asOwner('POST', 'auth/oidc-connections', {
    ...{ name: 'Company', issuer: 'https://idp.company.example', client_id: 'id', client_secret: 'secret' },
    exempt_users: [exempt.user.id],
  })
  expect(created.status, created.text).toBe(201)
  const domains = `auth/connections/${created.body.id}/domains`
  expect((await asOwner('POST', domains, { domain })).status).toBe(201)
  expect((await asOwner('POST', `${domains}/${domain}/vouch`)).status).toBe(200)
  const path = `auth/oidc-connections/${created.body.id}`
  const required = await asOwner('PATCH', path, { required_for_domains: true })
  expect(required.status, required.text).toBe(200)
  await review()
  expect([await statusOf(byGoogle), await statusOf(byPassword)]).toEqual([401, 401])
  expect([await statusOf(outside.bearer), await statusOf(exempt.bearer)]).toEqual([200, 200])
  const events = await readAuditItems(service.services.table)
  const ended = events.filter(({ event, user }) => event === 'session.ended' && user === inCompany.user.id)
  expect(ended).toHaveLength(2)
  // Someone who is no longer exempt needs it as well.
  expect((await asOwner('PATCH', path, { exempt_users: [] })).status).toBe(200)
  await review()
  expect(await statusOf(exempt.bearer)).toBe(401)
})
