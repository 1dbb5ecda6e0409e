import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { operations } from '../../lib/features/operations.ts'
import { startDeployedService } from '../runner/deployed-service.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { goBackOneDay } from '../support/go-back-one-day.ts'
import { makeIdp } from '../support/idp.ts'
import { addPasskey } from '../support/passkeys.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { addProvider, signInByConnection } from '../support/saml.ts'

/* Each function authenticates every kind of caller, and ends all that belongs to what it deletes. */

const service = closeAfterTests(await startDeployedService({ PUBLIC_URL: 'https://auth.example.com' }, {}))
const email = `admin-${randomUUID()}@example.com`
const admin = await addSignedIn(service, { permissions: ['system:admin-access'], email })

const call = callAs(service, admin)
const post = async (path: string, body: object, bearer = admin.bearer) => {
  const answer = await call('POST', path, body, { bearer })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

const group: number = (await post('groups', { name: `group ${randomUUID()}` })).id
const bundle = (id: number) => ({ bundles: [{ id, name: 'A bundle', root: 1, path: '/' }] })

/** One operation of each function, if possible one that accepts API tokens. That of directories accepts no other caller. */
const examples = [...Map.groupBy(operations, ({ group: name }) => name)].flatMap(([name, list]) => {
  // An operation for everyone that reads credentials on request does the same for those who send one.
  const known = list.filter(
    ({ access, readsCredentialWith }) =>
      (access.allow !== 'anyone' || readsCredentialWith !== undefined) && !access.by?.includes('scim_token'),
  )
  const byToken = known.filter(({ access }) => access.by?.includes('api_token'))
  return [...byToken, ...known].slice(0, 1).map(({ method, path, readsCredentialWith }) => ({
    name,
    method,
    path: readsCredentialWith === undefined ? path : `${path}?${readsCredentialWith}=true`,
  }))
})

describe('the function', () => {
  it.each(examples)(
    '$name authenticates members of groups, and chosen API tokens',
    async ({ method, path }) => {
      const member = await addSignedIn(service, { groups: [group] })
      const owner = await addSignedIn(service, { permissions: ['system:admin-access'] })
      const token = randomBytes(32).toString('base64url')
      await post('api-tokens', { name: 'chosen', token }, owner.bearer)
      const target = path.replace('/api/2/', '').replaceAll(/\{\w+\}/g, '999999')
      const send = (bearer: string) => call(method, target, method === 'GET' ? undefined : {}, { bearer })
      // The session is older than the day: its first request counts the user.
      const today = await goBackOneDay(service.services.table, member.user.id)
      expect((await send(member.bearer)).status).toBeLessThan(500)
      expect((await findUser(service.services.table, member.user.id))?.activeDay).toBe(today)
      await goBackOneDay(service.services.table, member.user.id)
      // The answers to updates are lost as well.
      service.deployment.loseAnswers(
        ({ accessKeyId, action }) => accessKeyId.startsWith('Auth') && action === 'UpdateItem',
      )
      for (const bearer of [token, member.bearer]) {
        const { status, text } = await send(bearer)
        expect(status, text).toBeLessThan(500)
        expect(status, text).not.toBe(401)
      }
      service.deployment.loseAnswers(() => false)
    },
  )
})

it('a page counts a user whose session is older than the day', async () => {
  const { user, bearer } = await addSignedIn(service)
  const today = await goBackOneDay(service.services.table, user.id)
  expect((await call('GET', '/account', undefined, { bearer })).status).toBe(200)
  expect((await findUser(service.services.table, user.id))?.activeDay).toBe(today)
})

describe('the lists', () => {
  it.each(['users?ordering=username', 'groups?ordering=name', 'user-templates?ordering=name'])(
    '%s are read by name',
    async (path) => {
      expect((await call('GET', path)).status).toBe(200)
    },
  )
})

describe('a user who is deleted', () => {
  it('takes their API tokens, passkeys, memberships and links along', async () => {
    const person = await addSignedIn(service, { permissions: ['system:admin-access'], groups: [group] })
    const token = randomBytes(32).toString('base64url')
    await post('api-tokens', { name: 'chosen', token }, person.bearer)
    await addPasskey(service, person)
    await post('auth/access-tokens', { ...bundle(2), is_easy_sharing: true }, person.bearer)
    expect((await call('DELETE', `users/${person.user.id}`)).status).toBe(204)
    expect((await call('GET', 'users/me', undefined, { bearer: token })).status).toBe(401)
  })
})

describe('a session from a provider', () => {
  it('ends with an impersonation, a report, or the provider', async () => {
    const provider = await addProvider(service, await makeIdp())
    const sessions = []
    for (const nameId of ['first', 'second', 'third'])
      sessions.push((await signInByConnection(service, provider, { nameId })).session)
    const [first = '', second = '', third = ''] = sessions
    const user = (await call('GET', 'users/me', undefined, { bearer: first })).body.id
    await call('PATCH', `users/${user}`, { permissions: ['system:admin-access'] })
    const { user: other } = await addSignedIn(service)
    expect(
      (await call('POST', 'auth/impersonation', { user: other.id }, { bearer: first })).status,
    ).toBeLessThan(500)
    await post('auth/leaked', { token: second })
    expect((await call('GET', 'users/me', undefined, { bearer: second })).status).toBe(401)
    expect((await call('DELETE', `auth/saml/${provider.id}`)).status).toBe(204)
    expect((await call('GET', 'users/me', undefined, { bearer: third })).status).toBe(401)
  })
})

describe('an access link', () => {
  it('that was shared easily ends when it is deleted or reported', async () => {
    const [deleted, leaked] = [
      await post('auth/access-tokens', { ...bundle(3), is_easy_sharing: true }),
      await post('auth/access-tokens', { ...bundle(4), is_easy_sharing: true }),
    ]
    expect((await call('DELETE', `auth/access-tokens/${deleted.id}`)).status).toBe(204)
    await post('auth/leaked', { token: leaked.token })
    for (const { token } of [deleted, leaked])
      expect((await call('POST', 'auth/access-tokens/redeem', { token })).status).toBe(404)
  })

  it('that has a recipient ends with the guest', async () => {
    const sent = await post('auth/access-tokens', { ...bundle(5), email: `${randomUUID()}@example.com` })
    const reported = await post('auth/access-tokens', { ...bundle(6), email: `${randomUUID()}@example.com` })
    await post(`auth/access-tokens/${sent.id}/email`, { text: 'Hello' })
    expect((await call('DELETE', `auth/access-tokens/${sent.id}`)).status).toBe(204)
    await post('auth/leaked', { token: reported.token })
    expect((await call('POST', 'auth/access-tokens/redeem', { token: sent.token })).status).toBe(404)
  })
})
