import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUsers } from '../../lib/accounts/users/find-users.records.ts'
import { TestBrowser } from '../support/browser.ts'
import type { JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import {
  addConnection,
  type Behavior,
  openCallback,
  signWith,
  startUpstream,
  type TestUpstream,
} from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, type SignedInPerson } from '../support/people.ts'
import { sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Test sign-ins of OpenID Connect connections: what an administrator learns, and what somebody else wants from them. */

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true', RATE_LIMITS: 'samlStarts=100000/60' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const upstream = closeAfterTests(await startUpstream())
const connection = await addConnection(service, admin.bearer, upstream.issuer, { auto_create_users: true })

/** A browser of a page of this service where a person is signed in. */
const startTest = async ({ bearer }: SignedInPerson, site: 'same-origin' | 'cross-site' = 'same-origin') => {
  const browser = new TestBrowser(service)
  const answer = await service.client(
    'GET',
    `/api/2/auth/oidc-connections/${connection.id}/start?test=true`,
    {
      headers: { cookie: `latchkey=${bearer}`, 'sec-fetch-site': site },
    },
  )
  browser.keep(answer)
  return { browser, answer, location: answer.headers.get('location') ?? '' }
}
const countUsers = async (): Promise<number> =>
  (
    await findUsers(
      service.services.table,
      Array.from({ length: 60 }, (_, at) => at + 1),
    )
  ).filter(Boolean).length
const read = (id: string, bearer = admin.bearer) =>
  service.client('GET', `/api/2/auth/connections/${connection.id}/tests/${id}`, { bearer })

/** Tests the connection once. Returns the result, after checking that nothing else happened. */
const test = async (behavior: Behavior = {}, claims: object = {}): Promise<JsonValue> => {
  upstream.behave(behavior)
  const before = await countUsers()
  const { browser, location } = await startTest(admin)
  const answer = await openCallback(browser, upstream.authorize(location, { sub: randomUUID(), ...claims }))
  upstream.behave({})
  expect(answer.status, answer.text).toBe(303)
  expect(sessionOf(answer)).toBeUndefined()
  expect(await countUsers()).toBe(before)
  const [, id = ''] =
    /#\/connections\/oidc\/\d+\/tests\/([\w-]+)$/.exec(answer.headers.get('location') ?? '') ?? []
  return (await read(id)).body
}
const findingsOf = ({ steps }: JsonValue): readonly string[] =>
  steps.map(({ finding }: { finding: string }) => finding)
const failedOf = ({ steps }: JsonValue) =>
  steps
    .filter(({ outcome }: { outcome: string }) => outcome === 'failed')
    .map(({ name }: { name: string }) => name)

describe('a test sign-in over OpenID Connect', () => {
  it('names the error of the provider, and cuts one that is long', async () => {
    const short = findingsOf(await test({ tokenStatus: 400, tokens: { error: 'too_tired' } }))
    expect(short.join(' ')).toContain('(too_tired)')
    const long = findingsOf(await test({ tokenStatus: 400, tokens: { error: 'x'.repeat(5000) } }))
    expect(long.join(' ')).toContain('xxx')
    expect(Math.max(...long.map(({ length }) => length))).toBeLessThan(1000)
  })

  it('shows who the provider says they are and what it sent, and makes no user', async () => {
    const result = await test({}, { groups: ['press'], acr: 'gold', amr: ['otp'] })
    expect(result).toMatchObject({
      accepted: true,
      subject: { email: 'ada@example.com', groups: ['press'], authn_contexts: ['gold', 'otp'], user: null },
    })
    expect(result.subject.attributes).toContainEqual({ name: 'acr', values: ['gold'], is_cut: false })
    expect(failedOf(result)).toEqual([])
  })

  it.each([
    ['token', { tokenStatus: 400, tokens: { error: 'invalid_client' } }],
    [
      'id_token',
      { sign: (claims: JsonValue, idp: TestUpstream) => signWith(idp.otherKey, claims, { kid: 'first' }) },
    ],
    ['id_token', { claims: { aud: 'another' } }],
    ['id_token', { claims: { nonce: 'replayed' } }],
    ['id_token_time', { claims: { exp: 1 } }],
    ['sub', { claims: { sub: 'ü' } }],
    ['auth_time', { claims: { auth_time: 9_999_999_999 } }],
  ] as const)('names the check %s that fails', async (name, behavior) => {
    const result = await test(behavior as Behavior)
    expect(result).toMatchObject({ accepted: false, subject: null })
    expect(failedOf(result)).toEqual([name])
    const failed = result.steps.find(({ outcome }: { outcome: string }) => outcome === 'failed')
    expect(failed.remedy).not.toBeNull()
    expect(JSON.stringify(result)).not.toMatch(/A secret of the upstream|eyJ/)
  })

  it('names the way of signing in that the connection requires, and what was sent instead', async () => {
    const patch = (body: object) =>
      service.client('PATCH', `/api/2/auth/oidc-connections/${connection.id}`, { bearer: admin.bearer, body })
    await patch({ required_authn_contexts: ['gold'] })
    const result = await test({}, { acr: 'silver' })
    expect(failedOf(result)).toEqual(['authn_context'])
    expect(JSON.stringify(result.steps)).toContain('silver')
    await patch({ required_authn_contexts: [] })
  })

  it('is started only by an administrator, on a page of this service', async () => {
    const person = await addSignedIn(service, { permissions: ['users:manage'] })
    expect((await startTest(person)).answer.status).toBe(403)
    expect((await startTest(admin, 'cross-site')).answer.status).toBe(403)
    const anonymous = new TestBrowser(service)
    const path = `/api/2/auth/oidc-connections/${connection.id}/start?test=true`
    expect((await anonymous.get(path)).status).toBe(401)
  })

  it('counts once, in the browser that started it, and its result is for administrators', async () => {
    const { browser, location } = await startTest(admin)
    const answer = upstream.authorize(location)
    expect((await openCallback(new TestBrowser(service), answer)).status).toBeGreaterThanOrEqual(400)
    const done = await openCallback(browser, answer)
    expect(done.status).toBe(303)
    expect((await openCallback(browser, answer)).status).toBeGreaterThanOrEqual(400)
    const id = (done.headers.get('location') ?? '').split('/tests/')[1] ?? ''
    expect((await read(id, (await addSignedIn(service)).bearer)).status).toBe(403)
    expect((await read(`${id}x`)).status).toBe(404)
  })

  it('of someone who is linked names them, and signs no one in', async () => {
    const { user } = await addPerson(service)
    const sub = randomUUID()
    const body = { provider: connection.id, name: sub }
    await service.client('POST', `/api/2/users/${user.id}/company-accounts`, { bearer: admin.bearer, body })
    expect(await test({}, { sub })).toMatchObject({ accepted: true, subject: { user: user.id } })
  })
})
