import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import {
  addConnection,
  clientId,
  clientSecret,
  signInByUpstream,
  startUpstream,
  type TestConnection,
} from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, type Person, trySignIn } from '../support/people.ts'
import { sessionOf, userOfSession } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* What an identity provider says about a person, and how they signed in there, against the rules of the connection. */

const classes = { single: 'urn:latchkey:acr:single-factor', multi: 'urn:latchkey:acr:multi-factor' }
const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  ALLOWED_ORIGINS: 'https://app.example.com',
  RATE_LIMITS: 'samlStarts=100000/60',
})
const bearer: string = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
const party = await addRelyingParty(service)
const upstream = closeAfterTests(await startUpstream())

const readUser = async (session: string | undefined) =>
  (await service.client('GET', `/api/2/users/${await userOfSession(service, session ?? '')}`, { bearer }))
    .body
const acrOf = async (session: string | undefined) =>
  decodeJwt((await getTokens(service, party, session ?? '')).id_token)['acr']

describe('an OpenID Connect connection', () => {
  let connection: TestConnection
  const patch = async (body: object) => {
    const answer = await service.client('PATCH', `/api/2/auth/oidc-connections/${connection.id}`, {
      bearer,
      body,
    })
    expect(answer.status, answer.text).toBe(200)
  }
  beforeAll(async () => {
    connection = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })
  })

  it('with a key of its own signs what it sends, shows the public key alone, and keeps no secret of before', async () => {
    const body = (await service.client('GET', `/api/2/auth/oidc-connections/${connection.id}`, { bearer }))
      .body
    expect(body.public_jwk).toBeNull()
    await patch({ token_endpoint_auth_method: 'private_key_jwt' })
    const answer = await service.client('GET', `/api/2/auth/oidc-connections/${connection.id}`, { bearer })
    expect(answer.text).not.toMatch(/PRIVATE KEY|\\"d\\"|\\"p\\"/)
    const jwk = JSON.parse(answer.body.public_jwk)
    expect(Object.keys(jwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    const { answer: signedIn } = await signInByUpstream(connection, upstream, { sub: randomUUID() })
    expect(sessionOf(signedIn)).toBeDefined()
    const sent = upstream.requests.findLast(({ path }) => path === '/token')
    expect(sent?.headers['authorization']).toBeUndefined()
    expect(sent?.body.get('client_secret')).toBeNull()
    const { payload, protectedHeader } = await jwtVerify(
      sent?.body.get('client_assertion') ?? '',
      createLocalJWKSet({ keys: [jwk] }),
      { issuer: clientId, subject: clientId, audience: upstream.issuer },
    )
    expect(payload.jti).toBeDefined()
    expect(protectedHeader.kid).toBe(jwk.kid)
    expect(service.log.join('')).not.toContain('PRIVATE KEY')
    // A change to another kind needs a new secret, and a new key is another one.
    const refused = await service.client('PATCH', `/api/2/auth/oidc-connections/${connection.id}`, {
      bearer,
      body: { token_endpoint_auth_method: 'client_secret_basic' },
    })
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'client_secret'])
    await patch({ token_endpoint_auth_method: 'client_secret_basic', client_secret: clientSecret })
    await patch({ token_endpoint_auth_method: 'private_key_jwt' })
    const later = await service.client('GET', `/api/2/auth/oidc-connections/${connection.id}`, { bearer })
    expect(JSON.parse(later.body.public_jwk).kid).not.toBe(jwk.kid)
    await patch({ token_endpoint_auth_method: 'client_secret_basic', client_secret: clientSecret })
  })

  it('that requires a class asks for it, and does not take a method in its place', async () => {
    expect(new URL((await connection.start()).location).searchParams.has('acr_values')).toBe(false)
    await patch({ required_authn_contexts: ['phr', 'phrh'] })
    const { location } = await connection.start()
    expect(new URL(location).searchParams.get('acr_values')).toBe('phr phrh')
    for (const claims of [
      {},
      { acr: '0' },
      { amr: ['phr'] },
      { acr: ['x', 'phr'] },
      { acr: { phr: 'phr' } },
    ]) {
      const { answer } = await signInByUpstream(connection, upstream, { sub: 'required', ...claims })
      expect([claims, answer.status]).toEqual([claims, 401])
    }
    const { answer } = await signInByUpstream(connection, upstream, { sub: 'required', acr: 'phrh' })
    expect(answer.status).toBe(303)
    await patch({ multi_factor_authn_contexts: ['phrh'] })
    const { location: stronger } = await connection.start(undefined, '?multi_factor=true')
    expect(new URL(stronger).searchParams.get('acr_values')).toBe('phrh')
    await patch({ required_authn_contexts: [], multi_factor_authn_contexts: [] })
  })

  it('counts as two factors for an acr or amr that the connection names', async () => {
    const signIn = async (claims: object) =>
      acrOf(sessionOf((await signInByUpstream(connection, upstream, { sub: 'factors', ...claims })).answer))
    expect(await signIn({ amr: ['mfa'] })).toBe(classes.single)
    await patch({ multi_factor_authn_contexts: ['mfa'] })
    expect(await signIn({ amr: ['pwd', 'mfa'] })).toBe(classes.multi)
    expect(await signIn({ acr: 'mfa' })).toBe(classes.multi)
    expect(await signIn({ amr: [['mfa'], { mfa: 1 }] })).toBe(classes.single)
  })

  it('reads mapped claims, and no address that the provider calls unverified', async () => {
    await patch({
      attribute_mapping: { email_from: 'upn', username_from: 'email', full_name_from: '__proto__' },
    })
    const first = await signInByUpstream(connection, upstream, {
      sub: 'mapped',
      upn: 'mapped-claim@example.com',
      email: 'other-claim@example.com',
    })
    expect(await readUser(sessionOf(first.answer))).toMatchObject({
      email: 'mapped-claim@example.com',
      // It is not their address.
      username: 'other-claim',
      full_name: null,
    })
    const unverified = await signInByUpstream(connection, upstream, {
      sub: 'unverified',
      upn: 'u1@example.com',
      email: 'u2@example.com',
      email_verified: false,
    })
    expect((await readUser(sessionOf(unverified.answer))).email).toBeNull()
  })

  it('can be the only way to sign in, like a SAML provider', async () => {
    const at = () => `${randomUUID()}@oidc-required.example`
    const person = await addPerson(service, { email: at() })
    const before = await addSignedIn(service, { email: at() })
    await patch({ attribute_mapping: { email_from: null, username_from: null, full_name_from: null } })
    const domains = `/api/2/auth/connections/${connection.id}/domains`
    await service.client('POST', domains, { bearer, body: { domain: 'oidc-required.example' } })
    await service.client('POST', `${domains}/oidc-required.example/vouch`, { bearer })
    await patch({ required_for_domains: true })
    const login = ({ user, password }: Person, given = password) =>
      trySignIn(service, { user, password: given })
    const refused = await login(person)
    expect(refused.body).toMatchObject({
      reason: 'sso_required',
      saml_provider: {
        id: connection.id,
        login_url: `${service.url}/api/2/auth/oidc-connections/${connection.id}/start`,
      },
    })
    expect((await login(person, 'wrong')).body.reason).toBe('invalid_credentials')
    await patch({ exempt_users: [person.user.id] })
    expect((await login(person)).status).toBe(200)
    await patch({ exempt_users: [] })
    expect((await login(person)).status).toBe(403)
    const { answer } = await signInByUpstream(connection, upstream, {
      sub: 'required-person',
      email: person.user.email,
    })
    expect(await userOfSession(service, sessionOf(answer) ?? '')).toBe(person.user.id)
    expect((await service.client('GET', '/api/2/users/me', { bearer: before.bearer })).status).toBe(200)
    // The address connected the account to its company, so its password ended.
    await patch({ exempt_users: [person.user.id] })
    expect((await login(person)).body.reason).toBe('invalid_credentials')
    await patch({ exempt_users: [] })
  })

  it('locks out no administrator, and is no longer required once it is deleted', async () => {
    const email = `${randomUUID()}@oidc-locked.example`
    const admin = await addSignedIn(service, { email, permissions: ['system:admin-access'] })
    const other = await addConnection(service, bearer, upstream.issuer)
    const domains = `/api/2/auth/connections/${other.id}/domains`
    await service.client('POST', domains, { bearer, body: { domain: 'oidc-locked.example' } })
    await service.client('POST', `${domains}/oidc-locked.example/vouch`, { bearer })
    const path = `/api/2/auth/oidc-connections/${other.id}`
    const require = (by: string) =>
      service.client('PATCH', path, { bearer: by, body: { required_for_domains: true } })
    expect((await require(admin.bearer)).body.errors[0].field).toBe('required_for_domains')
    const unknown = await service.client('PATCH', path, { bearer, body: { exempt_users: [2 ** 31 - 1] } })
    expect(unknown.body.errors[0].field).toBe('exempt_users')
    expect((await require(bearer)).status).toBe(200)
    const login = () => trySignIn(service, admin)
    expect((await login()).status).toBe(403)
    expect((await service.client('DELETE', path, { bearer })).status).toBe(204)
    expect((await login()).status).toBe(200)
  })
})
