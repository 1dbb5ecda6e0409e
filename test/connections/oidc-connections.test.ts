import { beforeEach, describe, expect, it } from 'vitest'
import { oidcKind } from '../../lib/features/connections/oidc/records.ts'
import { findConnectionOf } from '../../lib/features/connections/records.ts'
import { connectionKey, userKey } from '../../lib/kernel/table/keys/keys.ts'
import { readAuditItems } from '../support/audit-items.ts'
import type { JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import {
  addConnection,
  openCallback,
  signInByUpstream,
  startUpstream,
  type TestConnection,
} from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { countSessions, sessionOf, userOfSession } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  ALLOWED_ORIGINS: 'https://app.example.com',
  RATE_LIMITS: 'samlStarts=100000/60',
})
const upstream = closeAfterTests(await startUpstream())
const bearer: string = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
beforeEach(() => upstream.behave({}))

const path = '/api/2/auth/oidc-connections'
const call = (method: string, rest = '', body?: object): Promise<JsonValue> =>
  service.client(method, `${path}${rest}`, { bearer, body })
const plain = { name: 'Plain', issuer: 'https://idp.example.com', client_id: 'id', client_secret: 'secret' }
const fieldsOf = ({ status, body }: JsonValue): string[] => {
  expect(status).toBe(400)
  return body.errors.map(({ field }: { readonly field: string }) => field)
}
const vouch = async ({ id }: TestConnection, domain: string): Promise<void> => {
  const domains = `/api/2/auth/connections/${id}/domains`
  expect((await service.client('POST', domains, { bearer, body: { domain } })).status).toBe(201)
  const vouched = await service.client('POST', `${domains}/${domain}/vouch`, { bearer })
  expect(vouched.status).toBe(200)
}

describe('the operations of OpenID Connect connections', () => {
  it('create, list, change and delete one, and never return its secret', async () => {
    const created = await call('POST', '', plain)
    expect(created.status, created.text).toBe(201)
    const { id } = created.body
    expect(created.body).toMatchObject({
      client_secret: '********',
      redirect_uri: `${service.url}${path}/${id}/callback`,
      scopes: ['openid', 'email', 'profile'],
      token_endpoint_auth_method: 'client_secret_basic',
      auto_create_users: false,
      allowed_groups: null,
    })
    expect((await call('GET', `/${id}`)).body).toEqual(created.body)
    const listed = await call('GET', '?ordering=name')
    expect(listed.body).toContainEqual(created.body)
    const item = await service.services.table.get(connectionKey(id))
    expect(JSON.stringify(item)).not.toContain('"secret"')
    const before = await findConnectionOf(service.services.table, oidcKind, id)
    const patched = await call('PATCH', `/${id}`, { name: 'Other', client_secret: '********' })
    expect(patched.body).toMatchObject({ name: 'Other', client_secret: '********' })
    expect((await findConnectionOf(service.services.table, oidcKind, id))?.clientSecret).toEqual(
      before?.clientSecret,
    )
    expect((await call('DELETE', `/${id}`)).status).toBe(204)
    expect((await call('DELETE', `/${id}`)).status).toBe(404)
    expect((await call('GET', `/${id}`)).status).toBe(404)
    const events = (await readAuditItems(service.services.table)).map(
      ({ event, target }) => `${event} ${target}`,
    )
    expect(events).toContain(`oidc_connection.created ${id}`)
    expect(events).toContain(`oidc_connection.changed ${id} name`)
    expect(events).toContain(`oidc_connection.deleted ${id}`)
  })

  it.each([
    ['every tenant of Entra ID', 'https://login.microsoftonline.com/common/v2.0'],
    ['every organization', 'https://login.microsoftonline.com/organizations/v2.0'],
    ['in other letters', 'https://login.microsoftonline.com/%43ommon/v2.0'],
    ['personal accounts', 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0'],
    ['a placeholder', 'https://login.microsoftonline.com/{tenantid}/v2.0'],
    ['another host of Entra ID', 'https://sts.windows.net/'],
    ['everybody at Apple', 'https://appleid.apple.com'],
    ['everybody at GitHub', 'https://github.com/login/oauth'],
    ['plain http', 'http://idp.example.com'],
    ['another port', 'https://idp.example.com:8443'],
    ['a user name', 'https://a@idp.example.com'],
    ['a query', 'https://idp.example.com/?a'],
    ['a script', 'javascript:alert(1)'],
  ])('refuse an issuer: %s', async (_, issuer) => {
    expect(fieldsOf(await call('POST', '', { ...plain, issuer }))).toEqual(['issuer'])
  })

  it('refuse other fields that cannot be right', async () => {
    expect(fieldsOf(await call('POST', '', { ...plain, scopes: ['email'] }))).toEqual(['scopes'])
    expect(fieldsOf(await call('POST', '', { ...plain, scopes: ['openid', 'a b'] }))).toEqual(['scopes'])
    expect(fieldsOf(await call('POST', '', { ...plain, user_template: 999 }))).toEqual(['user_template'])
    expect(fieldsOf(await call('POST', '', { ...plain, client_secret: '********' }))).toEqual([
      'client_secret',
    ])
    const google = { ...plain, issuer: 'https://accounts.google.com' }
    expect(fieldsOf(await call('POST', '', google))).toEqual(['hosted_domain'])
    expect((await call('POST', '', { ...google, hosted_domain: 'Example.com' })).body.hosted_domain).toBe(
      'example.com',
    )
  })

  it('want the secret again for a new issuer, which would get it', async () => {
    const { id } = (await call('POST', '', plain)).body
    const issuer = 'https://evil.example.com'
    for (const body of [{ issuer }, { issuer, client_secret: '********' }])
      expect(fieldsOf(await call('PATCH', `/${id}`, body))).toEqual(['client_secret'])
    expect((await call('PATCH', `/${id}`, { issuer, client_secret: 'new' })).status).toBe(200)
  })

  it('keep both kinds of connections apart', async () => {
    const connection = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })
    const { answer } = await signInByUpstream(connection, upstream, { sub: 'kept' })
    const session = sessionOf(answer) ?? ''
    const saml = `/api/2/auth/saml/${connection.id}`
    expect((await service.client('GET', saml)).status).toBe(404)
    expect((await service.client('DELETE', saml, { bearer })).status).toBe(404)
    expect(await userOfSession(service, session)).toBeDefined()
    expect((await call('DELETE', `/${connection.id}`)).status).toBe(204)
    expect(await userOfSession(service, session)).toBeUndefined()
  })

  it('give a domain to one connection of either kind', async () => {
    const [first, second] = [
      await addConnection(service, bearer, upstream.issuer),
      await addConnection(service, bearer, upstream.issuer),
    ]
    await vouch(first, 'one.example.com')
    const taken = await service.client('POST', `/api/2/auth/connections/${second.id}/domains`, {
      bearer,
      body: { domain: 'one.example.com' },
    })
    expect(taken.status).toBe(409)
    expect((await call('GET', `/${first.id}`)).body.domains).toEqual(['one.example.com'])
    await call('DELETE', `/${first.id}`)
    await vouch(second, 'one.example.com')
  })
})

describe('a sign-in through an OpenID Connect connection', () => {
  const meOf = async (session: string | undefined) =>
    (await service.client('GET', '/api/2/users/me', { bearer: session ?? '' })).body

  it('returns to the page that it started for, with a ticket at a product', async () => {
    const connection = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })
    const query = `?${new URLSearchParams({ return_to: 'https://app.example.com/a' })}`
    const { browser, location } = await connection.start(undefined, query)
    const answer = await openCallback(browser, upstream.authorize(location, { sub: 'return' }))
    const back = await browser.get(answer.headers.get('location') ?? '', 'cross-site')
    expect(back.headers.get('location')).toMatch(/^https:\/\/app\.example\.com\/a\?ticket=/)
    const evil = await service.client('GET', `${path}/${connection.id}/start?return_to=https://evil.example`)
    expect(evil.status).toBe(400)
  })

  it('creates no user unless the connection does', async () => {
    const connection = await addConnection(service, bearer, upstream.issuer)
    const { answer } = await signInByUpstream(connection, upstream, { sub: 'unknown' })
    expect(answer.status).toBe(403)
  })

  it('connects the account with the address only if its domain is proven for the connection', async () => {
    const connection = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })
    const ada = await addPerson(service, { email: 'ada@linked.example.com' })
    const claims = { sub: 'ada-linked', email: 'ada@linked.example.com', email_verified: true }
    // The identity provider says that the address is verified. Anyone can say that of any address.
    expect((await signInByUpstream(connection, upstream, claims)).answer.status).toBe(403)
    await vouch(connection, 'linked.example.com')
    const unverified = { ...claims, email_verified: false }
    const other = await signInByUpstream(connection, upstream, { ...unverified, sub: 'unverified' })
    expect(await userOfSession(service, sessionOf(other.answer) ?? '')).not.toBe(ada.user.id)
    const { answer } = await signInByUpstream(connection, upstream, claims)
    expect(await userOfSession(service, sessionOf(answer) ?? '')).toBe(ada.user.id)
    const accounts = await service.client('GET', `/api/2/users/${ada.user.id}/company-accounts`, { bearer })
    expect(accounts.body[0]).toMatchObject({ provider: { id: connection.id, name: 'Upstream' } })
    const events = (await readAuditItems(service.services.table)).map(
      ({ event, target }) => `${event} ${target}`,
    )
    expect(events).toContain(`company_account.linked oidc:${connection.id} address`)
    // From then on, the subject leads to the account.
    const again = await signInByUpstream(connection, upstream, { sub: 'ada-linked', email: 'x@example.com' })
    expect(await userOfSession(service, sessionOf(again.answer) ?? '')).toBe(ada.user.id)
  })

  it('never connects the account of an administrator by its address', async () => {
    const connection = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })
    await vouch(connection, 'admins.example.com')
    await addPerson(service, { email: 'root@admins.example.com', permissions: ['users:manage'] })
    const claims = { sub: 'root', email: 'root@admins.example.com' }
    expect((await signInByUpstream(connection, upstream, claims)).answer.status).toBe(403)
  })

  it('finds no account for the same subject at another issuer', async () => {
    const other = await startUpstream()
    try {
      const connection = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })
      const claims = { sub: 'moved', email: undefined }
      const first = await signInByUpstream(connection, upstream, claims)
      const user = await userOfSession(service, sessionOf(first.answer) ?? '')
      const body = { issuer: other.issuer, client_secret: 'secret', auto_create_users: false }
      expect((await call('PATCH', `/${connection.id}`, body)).status).toBe(200)
      expect((await signInByUpstream(connection, other, claims)).answer.status).toBe(403)
      await call('PATCH', `/${connection.id}`, { auto_create_users: true })
      const second = await signInByUpstream(connection, other, claims)
      expect(await userOfSession(service, sessionOf(second.answer) ?? '')).not.toBe(user)
    } finally {
      await other.close()
    }
  })

  it('needs the hosted domain, if one is set', async () => {
    const connection = await addConnection(service, bearer, upstream.issuer, {
      auto_create_users: true,
      hosted_domain: 'example.com',
    })
    for (const hd of [
      undefined,
      'evil.example',
      'sub.example.com',
      ['example.com'],
      ['example.com', 'x'],
      null,
    ]) {
      const { answer, location } = await signInByUpstream(connection, upstream, { sub: 'hd', hd })
      expect([hd, answer.status]).toEqual([hd, 401])
      expect(new URL(location).searchParams.get('hd')).toBe('example.com')
    }
    expect(
      (await signInByUpstream(connection, upstream, { sub: 'hd', hd: 'example.com' })).answer.status,
    ).toBe(303)
  })

  it('gives the groups that the connection allows', async () => {
    const group = await service.client('POST', '/api/2/groups', { bearer, body: { name: 'oidc-editors' } })
    const connection = await addConnection(service, bearer, upstream.issuer, {
      auto_create_users: true,
      auto_sync_groups: true,
      attribute_mapping: { groups_from: '__proto__' },
      allowed_groups: ['oidc-*'],
    })
    const none = await signInByUpstream(connection, upstream, { sub: 'groups', groups: ['oidc-editors'] })
    const id = await userOfSession(service, sessionOf(none.answer) ?? '')
    const read = async () => (await service.client('GET', `/api/2/users/${id}`, { bearer })).body.groups
    expect(await read()).toEqual([])
    await call('PATCH', `/${connection.id}`, { attribute_mapping: { groups_from: null } })
    await signInByUpstream(connection, upstream, {
      sub: 'groups',
      groups: ['oidc-editors', 'other', 7, null],
    })
    expect(await read()).toEqual([group.body.id])
  })

  describe('proves who the user is', () => {
    const seconds = () => Math.floor(Date.now() / 1000)
    const authTimeOf = async (session: string | undefined): Promise<number> => {
      const { body } = await service.client('GET', '/api/2/auth/sessions', { bearer: session ?? '' })
      const own = body.find(({ is_current: isCurrent }: JsonValue) => isCurrent) ?? body[0]
      const items = await service.services.table.list(userKey((await meOf(session)).id).pk, 'session#')
      const item = items.find((one) => one['id'] === own.id)
      return (item?.['authentication'] as { at: number } | undefined)?.at ?? Number.NaN
    }

    it('at the time of auth_time, and never later than now', async () => {
      const connection = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })
      const old = seconds() - 5000
      const first = await signInByUpstream(connection, upstream, { sub: 'time', auth_time: old })
      expect(await authTimeOf(sessionOf(first.answer))).toBe(old * 1000)
      const ahead = await signInByUpstream(connection, upstream, { sub: 'time', auth_time: seconds() + 30 })
      expect(await authTimeOf(sessionOf(ahead.answer))).toBeLessThanOrEqual(Date.now())
      // No one knows when it was.
      const none = await signInByUpstream(connection, upstream, { sub: 'time', auth_time: undefined })
      expect(await authTimeOf(sessionOf(none.answer))).toBeLessThan(Date.now() - 86_400_000)
    })

    it('anew with force_authn, or not at all', async () => {
      const connection = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })
      const before = await countSessions(service)
      for (const auth_time of [undefined, seconds() - 3600]) {
        const { browser, location } = await connection.start(undefined, '?force_authn=true')
        const query = new URL(location).searchParams
        expect([query.get('prompt'), query.get('max_age')]).toEqual(['login', '0'])
        const answer = await openCallback(browser, upstream.authorize(location, { sub: 'force', auth_time }))
        expect(answer.status).toBe(401)
      }
      expect(await countSessions(service)).toBe(before)
      const { browser, location } = await connection.start(undefined, '?force_authn=true')
      const answer = await openCallback(browser, upstream.authorize(location, { sub: 'force' }))
      expect(answer.status).toBe(303)
    })
  })

  it('links an account from a page of the service only', async () => {
    const connection = await addConnection(service, bearer, upstream.issuer)
    const person = await addSignedIn(service)
    const start = (site: string) =>
      service.client('GET', `${path}/${connection.id}/start?link=true`, {
        headers: { cookie: `latchkey=${person.bearer}`, 'sec-fetch-site': site },
      })
    expect((await start('cross-site')).status).toBe(403)
    const started = await start('same-origin')
    expect(started.status).toBe(303)
    const answer = upstream.authorize(started.headers.get('location') ?? '', { sub: 'by-link' })
    const cookie = started.cookies.map((one) => one.split(';')[0]).join('; ')
    const linked = await service.client('GET', answer.pathname + answer.search, { headers: { cookie } })
    expect(linked.status, linked.text).toBe(303)
    const { answer: signedIn } = await signInByUpstream(connection, upstream, { sub: 'by-link' })
    expect(await userOfSession(service, sessionOf(signedIn) ?? '')).toBe(person.user.id)
  })

  it('is offered on the sign-in page unless it is hidden', async () => {
    await call('POST', '', { ...plain, name: 'Shown upstream' })
    await call('POST', '', { ...plain, name: 'Hidden upstream', disabled_in_client: true })
    const page = await service.client('GET', '/', { headers: { accept: 'text/html' } })
    expect(page.text).not.toContain('Hidden upstream')
  })

  it('counts in the list of sessions under the name of the connection', async () => {
    const connection = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })
    const { answer } = await signInByUpstream(connection, upstream, { sub: 'listed' })
    const { body } = await service.client('GET', '/api/2/auth/sessions', { bearer: sessionOf(answer) ?? '' })
    expect(body[0].saml_provider).toEqual({ id: connection.id, name: 'Upstream' })
  })
})
