import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleLogo } from '../../lib/accounts/example-values.models.ts'
import { startDeployedService } from '../runner/deployed-service.ts'
import { makeCertificate } from '../support/certificates.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startMetadataServer } from '../support/metadata-server.ts'
import { addRelyingParty, buildAuthorization, createPkce, getTokens, proveClient } from '../support/oidc.ts'
import { addPasskey } from '../support/passkeys.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { plainMetadata } from '../support/saml-metadata.ts'

/* What neither journeys nor attacks do, so that each operation and each grant is used once. */

const audience = 'https://shop.example.com'
const service = closeAfterTests(
  await startDeployedService(
    {
      ALLOW_PRIVATE_METADATA: 'true',
      JWT_AUDIENCES: audience,
      ALLOWED_ORIGINS: 'https://app.example.com',
      LINK_URL: 'media=https://app.example.com/links/{id}',
    },
    {},
  ),
)
const server = closeAfterTests(await startMetadataServer())
const email = `admin-${randomUUID()}@example.com`
const admin = await addSignedIn(service, { permissions: ['system:admin-access'], email })

const call = callAs(service, admin)

describe('a SAML provider with published metadata', () => {
  const path = '/api/2/auth/saml'

  it('is set up from the metadata, and refreshed on demand and daily', async () => {
    const soon = await makeCertificate({ days: { from: -1, to: 20 } })
    const entityId = `urn:idp:${randomUUID()}`
    server.serve(plainMetadata({ entityId, certificates: [soon] }))
    expect((await call('GET', `${path}?ordering=name`)).status).toBe(200)
    const parsed = await call('POST', `${path}/parse-idp-metadata`, { url: server.url })
    expect(parsed.status, parsed.text).toBe(200)
    const made = await call('POST', path, { ...parsed.body, metadata_url_source: server.url })
    expect(made.status, made.text).toBe(201)
    const refresh = `${path}/${made.body.id}/refresh-idp-metadata`
    expect((await call('POST', refresh, { url: server.url })).status).toBe(200)
    expect((await call('PATCH', `${path}/${made.body.id}`, {})).status).toBe(200)

    const next = await makeCertificate({ days: { from: -1, to: 3650 } })
    server.serve(plainMetadata({ entityId, certificates: [next] }))
    await service.deployment.sources.fireSchedule('AuthConnectionRefresh')
    const { body } = await service.client('GET', `${path}/${made.body.id}`)
    expect(body.certificate).toBe(`${next.pem}${soon.pem}`)
    await service.mailbox.mailTo(admin.user.email, ({ subject }) => subject.includes('certificate'))
  })
})

describe('the first steps of an administrator', () => {
  it('are hidden, and a trial shows what an app gets', async () => {
    const hidden = await call('PUT', '/api/2/users/me/onboarding', { is_hidden: true })
    expect(hidden.status, hidden.text).toBe(204)
    const city = { name: 'city', type: 'text', user_access: 'write', claim: 'city' }
    expect((await call('PUT', 'system/user-attributes', { attributes: [city] })).status).toBe(200)
    const attributes = [{ name: 'city', value: 'Oslo' }]
    expect((await call('PATCH', 'users/me/attributes', { attributes })).status).toBe(200)
    const made = await call('POST', 'oidc-clients', {
      ...{ name: 'Shop', client_id: 'shop', redirect_uris: ['https://shop.example.com/callback'] },
      scopes: ['openid', 'email', 'attributes'],
    })
    expect(made.status, made.text).toBe(201)
    const trial = await call('POST', `/api/2/oidc-clients/${made.body.id}/sign-in-trials`, {})
    expect(trial.status, trial.text).toBe(200)
    expect(trial.body.id_token).toContainEqual({ name: 'email', value: JSON.stringify(email) })
    expect((await call('DELETE', `/api/2/oidc-clients/${made.body.id}`)).status).toBe(204)
  })
})

describe('the branding of a product', () => {
  it('is set, has a logo, and returns to that of the service', async () => {
    const path = '/api/2/branding/products/media'
    expect((await call('PUT', path, { product_name: 'Media' })).status).toBe(200)
    const logo = { content_type: 'image/png', data: exampleLogo.data }
    expect((await call('PUT', `${path}/logo`, logo)).status).toBe(200)
    expect((await call('DELETE', `${path}/logo`)).status).toBe(204)
    expect((await call('DELETE', path)).status).toBe(204)
  })
})

describe('an invitation', () => {
  it('is withdrawn', async () => {
    const body = {
      username: `u-${randomUUID()}`,
      email: `${randomUUID()}@example.com`,
      permissions: [],
      groups: [],
      invite: true,
    }
    const { id } = (await call('POST', '/api/2/users', body)).body
    expect((await call('DELETE', `/api/2/users/${id}/invite`)).status).toBe(204)
  })
})

describe('pages', () => {
  it('show who is signed in, and note that the session was used', async () => {
    const person = await addSignedIn(service)
    const headers = { cookie: `latchkey=${person.bearer}`, accept: 'text/html' }
    const page = await service.client('GET', '/account', { headers })
    expect([page.status, page.text.includes(person.user.username)]).toEqual([200, true])
  })

  it('show what the groups of the user allow', async () => {
    const group = await call('POST', '/api/2/groups', { name: randomUUID(), permissions: ['users:view'] })
    expect(group.status, group.text).toBe(201)
    const person = await addSignedIn(service, { groups: [group.body.id] })
    const headers = { cookie: `latchkey=${person.bearer}`, accept: 'text/html' }
    for (const [path, shown] of [
      ['/', '&quot;canAdminister&quot;:true'],
      ['/account', 'users:view'],
    ] as const) {
      const page = await service.client('GET', path, { headers })
      expect([path, page.status, page.text.includes(shown)]).toEqual([path, 200, true])
    }
  })

  it('name the client that people sign in for', async () => {
    const name = 'Library'
    const party = await addRelyingParty(service, { name, normalizedName: 'library' })
    const query = buildAuthorization(party, createPkce().challenge)
    const sent = await service.client('GET', `/oauth2/authorize?${query}`)
    const { pathname, search } = new URL(sent.headers.get('location') ?? '')
    const cookie = sent.cookies.map((text) => text.split(';')[0]).join('; ')
    const headers = { cookie, accept: 'text/html' }
    const page = await service.client('GET', pathname + search, { headers })
    expect(page.text).toContain(`<title>Sign in to ${name}</title>`)
  })
})

describe('an access link', () => {
  const path = '/api/2/auth/access-tokens'

  it('is readable for its creator on another instance of the function', async () => {
    const bundle = { id: 1, name: 'A bundle', root: 1, path: '/' }
    const made = await call('POST', path, { bundles: [bundle] })
    expect(made.status, made.text).toBe(201)
    for (const [id, running] of service.deployment.functions)
      if (id.startsWith('AuthAccessLinksFunction')) await running.stop()
    expect((await call('GET', `${path}/${made.body.id}`)).body.full_url).toBe(made.body.full_url)
  })
})

describe('a client of OpenID Connect', () => {
  it('asks about a JWT of a session, with its clients listed by name', async () => {
    const names = { name: 'asking', normalizedName: 'asking' }
    const party = await addRelyingParty(service, { ...names, audiences: [audience] })
    const { token } = (await call('POST', '/api/2/auth/jwt', { audience })).body
    const asked = await service.client('POST', '/oauth2/introspect', {
      raw: String(new URLSearchParams({ token, ...proveClient(party) })),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(asked.body, asked.text).toMatchObject({ active: true, sub: String(admin.user.id) })
    const { body } = await call('GET', '/api/2/oidc-clients?ordering=name')
    expect(body).toMatchObject([{ name: 'asking' }, { name: 'Library' }])
    const { access_token: bearer } = await getTokens(service, party, admin.bearer)
    expect((await service.client('HEAD', '/oauth2/userinfo', { bearer })).status).toBe(200)
  })
})

describe('a passkey', () => {
  it('is renamed by its owner', async () => {
    const { id } = await addPasskey(service, admin)
    const renamed = await call('PATCH', `/api/2/users/me/passkeys/${id}`, { name: 'Phone' })
    expect(renamed.body).toMatchObject({ id, name: 'Phone' })
  })
})

describe('an organization', () => {
  it('has its members counted again', async () => {
    const made = await call('POST', 'organizations', { name: 'Counted', slug: 'counted' })
    expect(made.status, made.text).toBe(201)
    const counted = await call('POST', `organizations/${made.body.id}/recount`)
    expect(counted.status, counted.text).toBe(200)
  })
})
