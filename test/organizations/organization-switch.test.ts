import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { getDeviceTokens } from '../support/devices.ts'
import { costsSince } from '../support/directory.ts'
import { addRelyingParty, getTokens, type RelyingParty, refresh } from '../support/oidc.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const scopes = ['openid', 'organization', 'offline_access'] as const
const party = await addRelyingParty(service, { scopes })
const page = await addRelyingParty(service, {
  scopes,
  type: 'public',
  redirect_uris: ['https://page.example/callback'],
})
const newOrganization = async (name: string) => {
  const slug = `o${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
  return (await call('POST', '/api/2/organizations', { name, slug })).body as { id: number; slug: string }
}
const acme = await newOrganization('Acme')
const beta = await newOrganization('Beta')
const gamma = await newOrganization('Gamma')
const foreign = await newOrganization('Foreign')
const join = async (id: number, { user }: SignedInPerson, roles: readonly string[] = ['member']) =>
  expect((await call('POST', `/api/2/organizations/${id}/members`, { user: user.id, roles })).status).toBe(
    201,
  )
const leave = (id: number, { user }: SignedInPerson) =>
  call('DELETE', `/api/2/organizations/${id}/members/${user.id}`)
const addPerson = async () => {
  const person = await addSignedIn(service)
  await join(acme.id, person, ['owner'])
  await join(beta.id, person)
  return person
}
const scope = scopes.join(' ')
const signIn = (person: SignedInPerson, client: RelyingParty = party) =>
  getTokens(service, client, person.bearer, { scope, organization: acme.slug })
const switchTo = (token: string, organization: string, client: RelyingParty = party) =>
  refresh(service, client, token, { organization })
const organizationOf = ({ body }: Pick<Answer, 'body'>) => decodeJwt(body.id_token)['org_id']
const isActive = async (token: string): Promise<boolean> => {
  const form = new URLSearchParams({ token, client_id: party.client.clientId, client_secret: party.secret })
  const answer = await fetch(`${service.url}/oauth2/introspect`, { method: 'POST', body: form })
  return ((await answer.json()) as Answer['body']).active
}
/** Whether userinfo takes an access token. */
const isAccepted = async (token: string): Promise<boolean> =>
  (await fetch(`${service.url}/oauth2/userinfo`, { headers: { authorization: `Bearer ${token}` } })).ok

describe('a refresh for another organization', () => {
  it.each(['slug', 'id'] as const)('gives its tokens by the %s, and both go on', async (name) => {
    const person = await addPerson()
    const first = await signIn(person)
    const second = await switchTo(first.refresh_token, String(beta[name]))
    expect([second.status, organizationOf(second)]).toEqual([200, String(beta.id)])
    expect(second.body).not.toHaveProperty('former_refresh_token')
    expect(decodeJwt(second.body.id_token)).toMatchObject({ org_slug: beta.slug, org_roles: ['member'] })
    for (const [token, id] of [
      [first.refresh_token, acme.id],
      [second.body.refresh_token, beta.id],
    ] as const) {
      const again = await refresh(service, party, token)
      expect([again.status, organizationOf(again)]).toEqual([200, String(id)])
    }
    // The alias, back to the first one, by the second one.
    const third = await refresh(service, party, second.body.refresh_token, { organization_id: acme.slug })
    expect(organizationOf(third)).toBe(String(acme.id))
    // One ends with its membership, and the other goes on.
    await leave(beta.id, person)
    expect(await isActive(second.body.access_token)).toBe(false)
    expect((await refresh(service, party, second.body.refresh_token)).body.error).toBe('invalid_grant')
    expect(await isActive(first.access_token)).toBe(true)
    expect(await isActive(third.body.access_token)).toBe(true)
  })

  it('is a plain refresh for the same organization', async () => {
    const first = await signIn(await addPerson())
    const same = await switchTo(first.refresh_token, acme.slug)
    expect([same.status, same.body.refresh_token]).toEqual([200, first.refresh_token])
    const one = await signIn(await addPerson(), page)
    const next = await switchTo(one.refresh_token, String(acme.id), page)
    expect(next.body).not.toHaveProperty('former_refresh_token')
    expect(organizationOf(await refresh(service, page, next.body.refresh_token))).toBe(String(acme.id))
  })

  it('refuses one of others and one that does not exist alike, with the same table calls, and uses up nothing', async () => {
    const person = await addPerson()
    const first = await signIn(person, page)
    const outcomes = []
    for (const organization of [foreign.slug, 'no-such-organization', String(foreign.id), '2147483646']) {
      const start = service.log.length
      const { status, body } = await switchTo(first.refresh_token, organization, page)
      outcomes.push({ status, body, costs: costsSince(service, start).map(({ calls }) => calls) })
    }
    expect(outcomes[0]).toMatchObject({ status: 400, body: { error: 'access_denied' } })
    expect(outcomes[0]).toEqual(outcomes[1])
    expect(outcomes[2]).toEqual(outcomes[3])
    for (const organization of ['__proto__', ' ', '', 'x'.repeat(2000), '0', '-1', '1e3', 'Acme'])
      expect((await switchTo(first.refresh_token, organization, page)).body.error).toBe('access_denied')
    const both = { organization: acme.slug, organization_id: beta.slug }
    expect((await refresh(service, page, first.refresh_token, both)).body.error).toBe('access_denied')
    expect((await refresh(service, page, first.refresh_token)).status).toBe(200)
  })

  it('refuses a repeated parameter', async () => {
    const first = await signIn(await addPerson())
    const answer = await fetch(`${service.url}/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=refresh_token&refresh_token=${first.refresh_token}&client_id=${party.client.clientId}&client_secret=${party.secret}&organization=${acme.slug}&organization=${beta.slug}`,
    })
    expect(answer.status).toBe(400)
  })

  it('is refused for one that is suspended, and one that the user left', async () => {
    const person = await addPerson()
    await join(gamma.id, person)
    const first = await signIn(person)
    const second = await switchTo(first.refresh_token, gamma.slug)
    await call('PATCH', `/api/2/organizations/${gamma.id}`, { state: 'suspended' })
    expect(await isActive(second.body.access_token)).toBe(false)
    expect((await switchTo(first.refresh_token, gamma.slug)).body.error).toBe('access_denied')
    await call('PATCH', `/api/2/organizations/${gamma.id}`, { state: 'active' })
    expect(await isActive(second.body.access_token)).toBe(true)
    await leave(gamma.id, person)
    expect((await switchTo(first.refresh_token, gamma.slug)).body.error).toBe('access_denied')
    // From an organization that the user left, nothing leads on.
    await leave(acme.id, person)
    expect((await switchTo(first.refresh_token, beta.slug)).body.error).toBe('invalid_grant')
  })

  it('is refused for clients without organizations, and those whose users agree to each', async () => {
    const person = await addPerson()
    const none = await addRelyingParty(service, { scopes, organizations: 'none' })
    const plain = await getTokens(service, none, person.bearer, { scope: 'openid offline_access' })
    expect((await switchTo(plain.refresh_token, acme.slug, none)).body.error).toBe('invalid_request')
    const app = await addRelyingParty(service, {
      scopes,
      type: 'public',
      redirect_uris: ['https://page.example/callback', 'com.example.app:/callback'],
    })
    const first = await signIn(person, app)
    expect((await switchTo(first.refresh_token, beta.slug, app)).body.error).toBe('interaction_required')
    expect((await refresh(service, app, first.refresh_token)).status).toBe(200)
  })

  it('is refused for a device, because its page names no organization', async () => {
    const person = await addPerson()
    const overrides = { scopes, type: 'public', device_authorization: true } as const
    // A client that also has addresses of pages gets a device token by the same page.
    for (const redirect_uris of [[], ['https://page.example/callback']]) {
      const device = await addRelyingParty(service, { ...overrides, redirect_uris })
      const first = await getDeviceTokens(service, device, person.bearer, { scope })
      for (const organization of [acme.slug, String(acme.id), beta.slug])
        expect(await switchTo(first.refresh_token, organization, device)).toMatchObject({
          status: 400,
          body: { error: 'access_denied' },
        })
      const renewed = await refresh(service, device, first.refresh_token)
      expect([renewed.status, organizationOf(renewed)]).toEqual([200, undefined])
    }
  })

  it('ends with the session, and with a revoked token of the same authorization', async () => {
    const person = await addPerson()
    const first = await signIn(person)
    const second = await switchTo(first.refresh_token, beta.slug)
    const form = new URLSearchParams({
      token: second.body.refresh_token,
      client_id: party.client.clientId,
      client_secret: party.secret,
    })
    await fetch(`${service.url}/oauth2/revoke`, { method: 'POST', body: form })
    for (const token of [first.access_token, second.body.access_token])
      expect([await isActive(token), await isAccepted(token)]).toEqual([false, false])
    for (const token of [first.refresh_token, second.body.refresh_token])
      expect((await refresh(service, party, token)).body.error).toBe('invalid_grant')
    const other = await signIn(person)
    const next = await switchTo(other.refresh_token, beta.slug)
    await callAs(service, person)('POST', '/api/2/auth/logout')
    expect((await refresh(service, party, next.body.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('a public client that asks for another organization', () => {
  it('gets two refresh tokens, and repeats the request with the same answer', async () => {
    const first = await signIn(await addPerson(), page)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => switchTo(first.refresh_token, beta.slug, page)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    for (const name of ['refresh_token', 'former_refresh_token'])
      expect(new Set(answers.map(({ body }) => body[name])).size).toBe(1)
    const { refresh_token: next, former_refresh_token: former } = answers[0]?.body ?? {}
    expect(organizationOf(await refresh(service, page, next))).toBe(String(beta.id))
    expect(organizationOf(await refresh(service, page, former))).toBe(String(acme.id))
  })

  it('loses all tokens of the authorization to a replay, wherever the thief went on to', async () => {
    for (const replay of ['first', 'former', 'next'] as const) {
      const person = await addPerson()
      await join(gamma.id, person)
      const first = await signIn(person, page)
      const second = await switchTo(first.refresh_token, beta.slug, page)
      const third = await switchTo(second.body.refresh_token, gamma.slug, page)
      expect(organizationOf(third)).toBe(String(gamma.id))
      const former = await refresh(service, page, second.body.former_refresh_token)
      expect(former.status).toBe(200)
      const value = {
        first: first.refresh_token,
        former: second.body.former_refresh_token,
        next: second.body.refresh_token,
      }[replay]
      // The successors were used, so that this is no repetition.
      await refresh(service, page, third.body.former_refresh_token)
      await refresh(service, page, former.body.refresh_token)
      expect((await refresh(service, page, value)).body.error).toBe('invalid_grant')
      for (const { access_token } of [first, second.body, third.body])
        expect(await isAccepted(access_token)).toBe(false)
      expect((await refresh(service, page, third.body.refresh_token)).body.error).toBe('invalid_grant')
    }
  })
})
