import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { resourcesOf, shareSynthesis } from '../infra/synthesis.ts'
import { startDeployedService } from '../runner/deployed-service.ts'
import { graphqlEvent, httpEvent, restEvent } from '../support/authorizer-events.ts'
import type { JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addRelyingParty, getTokens, proveClient } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'

/* The deployed authorizer, under the role of its template, which allows it to read and nothing else than to mark use. */

const audience = 'https://shop.example.com'
const service = closeAfterTests(
  await startDeployedService(
    {
      AUTHORIZER_AUDIENCES: audience,
      AUTHORIZER_GUESTS: 'true',
      AUTHORIZER_MACHINES: 'true',
      AUTHORIZER_ORGANIZATION: 'optional',
      AUTHORIZER_ORGANIZATION_TOKENS: 'true',
    },
    {},
  ),
)
const admin = await addSignedIn(service, {
  permissions: ['system:admin-access'],
  email: `admin-${randomUUID()}@example.com`,
})
const { template } = await shareSynthesis('service')
const [id = ''] = resourcesOf(template, 'AWS::Lambda::Function').flatMap(([one, { Properties }]) =>
  Properties.Description === 'Latchkey: authorizer' ? [one] : [],
)
const authorize: (event: object) => Promise<JsonValue> = (event) =>
  service.deployment.functions.get(id)?.invoke(event) ?? Promise.reject(new Error(id))

const post = async (path: string, body: object, bearer = admin.bearer): Promise<JsonValue> => {
  const answer = await service.client('POST', `/api/2/${path}`, { bearer, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

describe('the deployed authorizer', () => {
  it('knows members of groups, chosen API tokens, and JWTs of both', async () => {
    const name = `Editors ${randomUUID()}`
    const group = await post('groups', { name, permissions: ['films:view'] })
    const member = await addSignedIn(service, { groups: [group.id] })
    const token = randomBytes(32).toString('base64url')
    await post('api-tokens', { name: 'chosen', token }, member.bearer)
    // Nothing else has used the token before, so the authorizer marks its use.
    expect(await authorize(httpEvent(token))).toMatchObject({ isAuthorized: true })
    const jwts = [await post('auth/jwt', {}, member.bearer), await post('auth/jwt', {}, token)]
    for (const bearer of [member.bearer, token, ...jwts.map((jwt) => jwt.token)])
      for (const event of [httpEvent(bearer), restEvent(bearer), graphqlEvent(bearer)]) {
        const { context, resolverContext } = await authorize(event)
        expect(context ?? resolverContext).toMatchObject({
          user_id: String(member.user.id),
          permissions: '["films:view"]',
          groups: JSON.stringify([name]),
        })
      }
  })

  it('knows an organization by its API token, until it is suspended', async () => {
    const slug = `keys${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
    const { id: organizationId } = await post('organizations', { name: 'Films', slug })
    const permissions = ['org:members:view']
    const { token } = await post(`organizations/${organizationId}/api-tokens`, {
      name: 'import',
      permissions,
    })
    // Nothing else has used the token before, so the authorizer marks its use.
    for (const event of [httpEvent(token), restEvent(token), graphqlEvent(token)]) {
      const { context, resolverContext } = await authorize(event)
      expect(context ?? resolverContext).toEqual({
        kind: 'organization',
        org_id: String(organizationId),
        org_slug: slug,
        org_name: 'Films',
        permissions: '[]',
        org_permissions: JSON.stringify(permissions),
        permissions_claim: 'org_permissions',
      })
    }
    const state = { bearer: admin.bearer, body: { state: 'suspended' } }
    await service.client('PATCH', `/api/2/organizations/${organizationId}`, state)
    expect(await authorize(httpEvent(token))).toEqual({ isAuthorized: false })
  })

  it('knows the organization of a token, until the member leaves', async () => {
    const slug = `films${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
    const organization = await post('organizations', { name: 'Films', slug })
    const member = await addSignedIn(service)
    await post(`organizations/${organization.id}/members`, { user: member.user.id, roles: ['owner'] })
    await post(`organizations/${organization.id}/members`, { user: admin.user.id, roles: ['owner'] })
    const api = await post('protected-apis', { name: `Films ${randomUUID()}`, audience })
    const party = await addRelyingParty(service, {
      scopes: ['openid', 'organization', 'offline_access'],
      apis: [{ id: api.id, audience, scopes: [] }],
    })
    const wanted = { scope: 'openid organization offline_access', organization: slug, resource: audience }
    const tokens = await getTokens(service, party, member.bearer, wanted)
    expect((await authorize(httpEvent(tokens.access_token))).context).toMatchObject({
      org_id: String(organization.id),
      org_slug: slug,
      org_name: 'Films',
      org_roles: '["owner"]',
    })
    const left = await service.client('DELETE', `/api/2/users/me/organizations/${organization.id}`, member)
    expect(left.status).toBe(204)
    expect(await authorize(httpEvent(tokens.access_token))).toEqual({ isAuthorized: false })
    await service.client('DELETE', `/api/2/protected-apis/${api.id}`, admin)
  })

  it('knows administrators who impersonate, and guests of access links', async () => {
    const actor = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { user } = await addSignedIn(service)
    await post('auth/impersonation', { user: user.id }, actor.bearer)
    const impersonation = await authorize(httpEvent(actor.bearer))
    expect(impersonation.context).toMatchObject({ user_id: String(user.id), actor_id: String(actor.user.id) })
    const bundles = [{ id: 7, name: 'A bundle', root: 1, path: '/' }]
    const link = await post('auth/access-tokens', { bundles, email: `${randomUUID()}@example.com` })
    const { session_key } = await post('auth/access-tokens/redeem', { token: link.token })
    const guest = await authorize(httpEvent(session_key))
    expect(guest.context).toMatchObject({ kind: 'access_link', permissions: '[]' })
  })

  it('knows the access tokens of clients, until they are revoked', async () => {
    const party = await addRelyingParty(service, { audiences: [audience] })
    const member = await addSignedIn(service)
    const { access_token } = await getTokens(service, party, member.bearer, { resource: audience })
    expect(await authorize(httpEvent(access_token))).toMatchObject({
      isAuthorized: true,
      context: { user_id: String(member.user.id), client_id: party.client.clientId },
    })
    const form = new URLSearchParams({ token: access_token, ...proveClient(party) })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await service.client('POST', '/oauth2/revoke', { raw: String(form), headers })).status).toBe(200)
    expect(await authorize(httpEvent(access_token))).toEqual({ isAuthorized: false })
  })

  it('refuses with the answer or the error that each platform expects', async () => {
    expect(await authorize(httpEvent('unknown'))).toEqual({ isAuthorized: false })
    expect(await authorize(graphqlEvent('unknown'))).toEqual({ isAuthorized: false, ttlOverride: 0 })
    await expect(authorize(restEvent('unknown'))).rejects.toThrow(/^Error: Unauthorized$/)
  })

  it('fails for everyone if the table does not answer', async () => {
    service.deployment.failTable(({ accessKeyId }) => accessKeyId.startsWith('AuthAuthorizer'))
    await expect(authorize(httpEvent(admin.bearer))).rejects.toThrow('could not be identified')
    service.deployment.failTable(() => false)
    expect(await authorize(httpEvent(admin.bearer))).toMatchObject({ isAuthorized: true })
  })
})
