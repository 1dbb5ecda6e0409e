import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import { httpEvent, restEvent } from '../support/authorizer-events.ts'
import type { JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { costsSince } from '../support/directory.ts'
import { addLink, bundle, redeem } from '../support/links.ts'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import { addConnection, signInByUpstream, startUpstream } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/*
 * A product that has the session or the API token of its user names the organization in a header. It asks the service with
 * `get_current_user`, or has an authorizer of API Gateway.
 */

const origin = 'https://films.example.com'
const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  ALLOWED_ORIGINS: origin,
  RATE_LIMITS: 'samlStarts=100000/60',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const audience = 'https://films.example/api'
const texts = { en: 'Films' }
await call('PUT', '/api/2/organization-roles', {
  roles: [{ key: 'editor', texts, permissions: ['films:edit', 'films:view'] }],
})

interface Organization {
  readonly id: number
  readonly slug: string
  readonly name: string
}
const found = async (name: string): Promise<Organization> => {
  const slug = `o${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
  const { id } = (await call('POST', '/api/2/organizations', { name, slug })).body
  return { id, slug, name }
}
const join = async ({ id }: Organization, { user }: Pick<SignedInPerson, 'user'>, roles: readonly string[]) =>
  expect((await call('POST', `/api/2/organizations/${id}/members`, { user: user.id, roles })).status).toBe(
    201,
  )
const asMe = (bearer: string, named?: string) =>
  service.client('GET', '/api/2/users/me', {
    bearer,
    ...(named !== undefined && { headers: { 'latchkey-organization': named } }),
  })
const authorizers = {
  organizations: createAuthorizer({
    ...process.env,
    AUTHORIZER_ORGANIZATION: 'required',
    AUTHORIZER_AUDIENCES: audience,
    AUTHORIZER_MACHINES: 'true',
    AUTHORIZER_ORGANIZATION_TOKENS: 'true',
  }),
  editors: createAuthorizer({
    ...process.env,
    AUTHORIZER_ORGANIZATION: 'required',
    AUTHORIZER_PERMISSION: 'films:edit',
  }),
  cookies: createAuthorizer({
    ...process.env,
    AUTHORIZER_ORGANIZATION: 'required',
    AUTHORIZER_COOKIE: 'true',
  }),
  accounts: createAuthorizer({ ...process.env }),
}
const linesOf = (bearer: string | undefined, ...named: readonly string[]) => ({
  headers: [
    ...(bearer === undefined ? [] : ([['Authorization', `Bearer ${bearer}`]] as const)),
    ...named.map((name) => ['Latchkey-Organization', name] as const),
  ],
})
const authorize = async (
  bearer: string,
  named: readonly string[],
  which: keyof typeof authorizers = 'organizations',
): Promise<JsonValue> => authorizers[which](httpEvent(undefined, linesOf(bearer, ...named)))
const refused = { isAuthorized: false }
/** The bytes of an answer, without the ID of its request. */
const shown = ({ text }: { readonly text: string }) => text.replaceAll(/"request_id":"[^"]*"/g, '')

const [acme, beta, foreign] = [await found('Acme'), await found('Beta'), await found('Foreign')]
const person = await addSignedIn(service, { permissions: ['films:delete', 'films:view'] })
await join(acme, person, ['editor'])
await join(beta, person, ['member'])

describe('a session in an organization', () => {
  it.each(['id', 'slug'] as const)('is known by the %s', async (field) => {
    const me = await asMe(person.bearer, String(acme[field]))
    expect(me.body.organization).toEqual({
      ...acme,
      roles: ['editor'],
      permissions: ['films:edit', 'films:view'],
    })
    const claims = { org_id: String(acme.id), org_slug: acme.slug, org_name: 'Acme', org_roles: '["editor"]' }
    const { isAuthorized, context } = await authorize(person.bearer, [String(acme[field])])
    expect(isAuthorized).toBe(true)
    expect(context).toMatchObject({
      ...claims,
      permissions: '[]',
      org_permissions: '["films:edit","films:view"]',
      permissions_claim: 'org_permissions',
      groups: '[]',
    })
  })

  it('has its own roles in each, and what the account may do elsewhere counts in none', async () => {
    const { body } = await asMe(person.bearer, beta.slug)
    expect(body.organization).toMatchObject({ id: beta.id, roles: ['member'], permissions: [] })
    expect(body.effective_permissions).toEqual(['films:delete', 'films:view'])
    expect((await authorize(person.bearer, [beta.slug])).context).toMatchObject({
      permissions: '[]',
      org_permissions: '[]',
    })
    expect(await authorize(person.bearer, [beta.slug], 'editors')).toEqual(refused)
    expect((await authorize(person.bearer, [acme.slug], 'editors')).isAuthorized).toBe(true)
  })

  it('changes nothing without the header, or where nobody asks for an organization', async () => {
    expect((await asMe(person.bearer)).body.organization).toBeUndefined()
    const plain = await authorize(person.bearer, [], 'accounts')
    expect(await authorize(person.bearer, [acme.slug], 'accounts')).toEqual(plain)
    expect(plain.context.org_id).toBeUndefined()
    expect(await authorize(person.bearer, [])).toEqual(refused)
  })

  it('is known by the cookie as well', async () => {
    const event = httpEvent(undefined, {
      headers: [['Cookie', `latchkey=${person.bearer}`], ...linesOf(undefined, acme.slug).headers],
    })
    const answer: JsonValue = await authorizers.cookies(event)
    expect(answer.context.org_id).toBe(String(acme.id))
  })

  it('ends with the membership, and follows new roles, at the next request', async () => {
    const leaving = await addSignedIn(service)
    await join(acme, leaving, ['member'])
    const path = `/api/2/organizations/${acme.id}/members/${leaving.user.id}`
    expect((await authorize(leaving.bearer, [acme.slug], 'editors')).isAuthorized).toBe(false)
    await call('PATCH', path, { roles: ['editor'] })
    expect((await authorize(leaving.bearer, [acme.slug], 'editors')).isAuthorized).toBe(true)
    await call('DELETE', path)
    expect(await authorize(leaving.bearer, [acme.slug])).toEqual(refused)
    expect((await asMe(leaving.bearer, acme.slug)).status).toBe(403)
  })

  it('can be named by pages of an allowed origin', async () => {
    const preflight = await fetch(`${service.url}/api/2/users/me`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('latchkey-organization')
  })
})

describe('an organization that is not theirs', () => {
  const suspend = async (organization: Organization) =>
    expect(
      (await call('PATCH', `/api/2/organizations/${organization.id}`, { state: 'suspended' })).status,
    ).toBe(200)

  it('is refused as one that does not exist, in bytes and table calls', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const former = await addSignedIn(service)
    const left = await found('Left')
    await join(left, former, ['owner'])
    await call('DELETE', `/api/2/organizations/${left.id}/members/${former.user.id}`)
    const suspended = await found('Suspended')
    await join(suspended, former, ['owner'])
    await suspend(suspended)
    const ended = await found('Ended')
    await join(ended, former, ['owner'])
    expect((await call('DELETE', `/api/2/organizations/${ended.id}`)).status).toBe(204)
    const ask = async (named: string) => {
      const from = service.log.length
      const answer = await asMe(former.bearer, named)
      return [answer.status, shown(answer), costsSince(service, from).map(({ calls }) => calls)]
    }
    for (const field of ['id', 'slug'] as const) {
      const missing = await ask(field === 'id' ? '999999' : 'nowhere')
      expect(missing).toEqual([
        403,
        expect.stringContaining('"reason":"organization_refused"'),
        [expect.any(Number)],
      ])
      for (const organization of [foreign, left, suspended, ended])
        expect(await ask(String(organization[field]))).toEqual(missing)
    }
    vi.useRealTimers()
  })

  it.each([
    ...[
      '',
      ' ',
      '0',
      '-1',
      '01',
      '1e1',
      '1.0',
      '9'.repeat(10),
      '9'.repeat(400),
      'ACME',
      'acme/',
      '*',
      'null',
    ],
    ...['__proto__', 'constructor', 'toString', '["1"]', `${acme.id},${acme.id}`, `${acme.slug} `, '%31'],
  ])('is refused if the header is %j', async (named) => {
    // `fetch` trims values.
    if (named.trim() === named && named !== '') {
      const { status, body } = await asMe(person.bearer, named)
      expect([status, body.reason]).toEqual([403, 'organization_refused'])
    }
    expect(await authorize(person.bearer, [named])).toEqual(refused)
  })

  it('is refused if a request names two', async () => {
    for (const named of [
      [acme.slug, acme.slug],
      [acme.slug, beta.slug],
    ]) {
      expect(await authorize(person.bearer, named)).toEqual(refused)
      const rest: JsonValue = await authorizers.organizations(
        restEvent(undefined, linesOf(person.bearer, ...named)),
      )
      expect(rest.policyDocument.Statement[0].Effect).toBe('Deny')
    }
    expect((await asMe(person.bearer, `${acme.slug}, ${beta.slug}`)).status).toBe(403)
  })

  it('is refused by a former slug, even to its members', async () => {
    const renamed = await found('Renamed')
    await join(renamed, person, ['editor'])
    await call('PATCH', `/api/2/organizations/${renamed.id}`, { slug: `${renamed.slug}-new` })
    expect((await asMe(person.bearer, renamed.slug)).status).toBe(403)
    expect((await asMe(person.bearer, `${renamed.slug}-new`)).body.organization.id).toBe(renamed.id)
  })

  it('is refused to administrators of the service, who are no members', async () => {
    expect((await asMe(admin.bearer, acme.slug)).status).toBe(403)
    expect(await authorize(admin.bearer, [acme.slug])).toEqual(refused)
  })
})

describe('other credentials', () => {
  const createToken = async (body: object, by = person): Promise<string> =>
    (await callAs(service, by)('POST', '/api/2/api-tokens', { name: randomUUID(), ...body })).body.token

  it('API tokens allow no more in the organization than their scopes', async () => {
    const narrow = await createToken({ scopes: ['profile:view', 'films:view'] })
    expect((await asMe(narrow, acme.slug)).body.organization.permissions).toEqual(['films:view'])
    expect((await authorize(narrow, [acme.slug])).context).toMatchObject({
      kind: 'api_token',
      permissions: '[]',
      org_permissions: '["films:view"]',
    })
    expect(await authorize(narrow, [acme.slug], 'editors')).toEqual(refused)
    const blind = await createToken({ scopes: ['films:view'] })
    expect((await asMe(blind, acme.slug)).body.reason).toBe('insufficient_scope')
    expect(await authorize(blind, [acme.slug])).toEqual(refused)
  })

  it('API tokens of an organization count in no other one', async () => {
    const owner = await addSignedIn(service)
    await join(acme, owner, ['owner', 'editor'])
    const { body } = await callAs(service, owner)('POST', `/api/2/organizations/${acme.id}/api-tokens`, {
      name: 'import',
      permissions: ['films:edit'],
    })
    const current = (named: string) =>
      service.client('GET', '/api/2/organizations/current', {
        bearer: body.token,
        headers: { 'latchkey-organization': named },
      })
    for (const named of [String(acme.id), acme.slug]) {
      expect((await current(named)).body.org_id).toBe(String(acme.id))
      expect((await authorize(body.token, [named])).context.org_id).toBe(String(acme.id))
    }
    expect((await authorize(body.token, [])).isAuthorized).toBe(true)
    for (const named of [String(beta.id), beta.slug, 'nowhere', '__proto__']) {
      expect((await current(named)).body.reason).toBe('organization_refused')
      expect(await authorize(body.token, [named])).toEqual(refused)
    }
  })

  it('tokens of clients state their organization, and a header does not change it', async () => {
    const api = await call('POST', '/api/2/protected-apis', {
      name: `Films ${randomUUID()}`,
      audience,
      permissions: [{ name: 'films:edit', texts }],
      scopes: [{ name: 'films', texts, permissions: ['films:edit'] }],
    })
    const party = await addRelyingParty(service, {
      scopes: ['openid', 'organization'],
      apis: [{ id: api.body.id, audience, scopes: ['films'] }],
    })
    const ask = { scope: 'openid films', resource: audience }
    const inAcme = await getTokens(service, party, person.bearer, { ...ask, organization: acme.slug })
    for (const named of [[], [acme.slug], [String(acme.id)]])
      expect((await authorize(inAcme.access_token, named)).context).toMatchObject({
        org_id: String(acme.id),
        permissions: '[]',
        org_permissions: '["films:edit"]',
      })
    expect(await authorize(inAcme.access_token, [beta.slug])).toEqual(refused)
    const inNone = await getTokens(service, party, person.bearer, ask)
    for (const named of [[], [acme.slug]])
      expect(await authorize(inNone.access_token, named)).toEqual(refused)
  })

  it('JWTs of sessions state none, so they are refused', async () => {
    const { body } = await callAs(service, person)('POST', '/api/2/auth/jwt', {})
    for (const named of [[], [acme.slug]]) expect(await authorize(body.token, named)).toEqual(refused)
  })

  it('guests of access links are in none, even with a membership', async () => {
    const recipient = await addSignedIn(service)
    await join(acme, recipient, ['editor'])
    const link = await addLink(service, admin.bearer, { bundles: [bundle()], user: recipient.user.id })
    const { body } = await redeem(service, link.token, { bearer: recipient.bearer })
    expect(body.session_key).toMatch(/^lks_/)
    expect((await asMe(body.session_key, acme.slug)).body.reason).toBe('organization_refused')
    expect(await authorize(body.session_key, [acme.slug])).toEqual(refused)
  })

  it('a sign-in by the connection of an organization counts in this one alone', async () => {
    const upstream = closeAfterTests(await startUpstream())
    const connection = await addConnection(service, admin.bearer, upstream.issuer, {
      organization_id: acme.id,
      auto_create_users: true,
    })
    const domain = `${randomUUID()}.example`
    const path = `/api/2/auth/connections/${connection.id}/domains`
    await call('POST', path, { domain })
    expect((await call('POST', `${path}/${domain}/vouch`)).status).toBe(200)
    const email = `victim@${domain}`
    const victim = await addPerson(service, { email, permissions: ['films:delete'] })
    await join(acme, victim, ['editor'])
    await join(beta, victim, ['owner'])
    const { answer } = await signInByUpstream(connection, upstream, { sub: email, email })
    const session = sessionOf(answer) ?? ''
    expect((await asMe(session, acme.slug)).body).toMatchObject({
      id: victim.user.id,
      effective_permissions: [],
      organization: { id: acme.id, permissions: ['films:edit', 'films:view'] },
    })
    expect((await authorize(session, [acme.slug])).context.org_id).toBe(String(acme.id))
    const ask = async (named: string) => {
      const from = service.log.length
      const me = await asMe(session, named)
      return [me.status, shown(me), costsSince(service, from).map(({ calls }) => calls)]
    }
    const [theirs, foreigner, missing] = [await ask(beta.slug), await ask(foreign.slug), await ask('nowhere')]
    expect(theirs[0]).toBe(403)
    expect([theirs, foreigner]).toEqual([missing, missing])
    for (const named of [[beta.slug], [foreign.slug], []])
      expect(await authorize(session, named)).toEqual(refused)
  })
})

describe('a ticket for an organization', () => {
  const create = (bearer: string, organization: unknown) =>
    service.client('POST', '/api/2/auth/ticket', { bearer, body: { organization } })
  const check = (ticket: string) =>
    service.client('POST', '/api/2/auth/ticket/check', { body: { ticket, include: ['context'] } })
  const addMember = async () => {
    const member = await addSignedIn(service, { permissions: ['films:delete'] })
    await join(acme, member, ['editor'])
    return { ...member, path: `/api/2/organizations/${acme.id}/members/${member.user.id}` }
  }

  it.each(['id', 'slug'] as const)(
    'named by its %s says what the user may do there at its exchange',
    async (field) => {
      const member = await addMember()
      const { body } = await create(member.bearer, String(acme[field]))
      await call('PATCH', member.path, { roles: ['member'] })
      const exchanged = await check(body.ticket)
      expect(exchanged.body).toMatchObject({
        id: member.user.id,
        organization: { ...acme, roles: ['member'], permissions: [] },
        effective_permissions: ['films:delete'],
      })
      expect((await check(body.ticket)).status).toBe(404)
      const plain = await service.client('POST', '/api/2/auth/ticket', { bearer: member.bearer })
      expect((await check(plain.body.ticket)).body.organization).toBeUndefined()
    },
  )

  it('works once of 100 parallel exchanges', async () => {
    const { body } = await create(person.bearer, acme.slug)
    const answers = await Promise.all(Array.from({ length: 100 }, () => check(body.ticket)))
    const worked = answers.filter(({ status }) => status === 200)
    expect(worked.map((answer) => answer.body.organization.id)).toEqual([acme.id])
  })

  it('is refused to others as for one that does not exist', async () => {
    const missing = await create(person.bearer, 'nowhere')
    expect([missing.status, missing.body.reason]).toEqual([403, 'organization_refused'])
    for (const named of [foreign.slug, String(foreign.id), '__proto__', 'constructor', '0', `${acme.slug},`])
      expect(shown(await create(person.bearer, named))).toBe(shown(missing))
    expect(shown(await create(admin.bearer, acme.slug))).toBe(shown(missing))
    for (const named of ['', acme.id, null, [acme.slug], { slug: acme.slug }, 'x'.repeat(256)])
      expect((await create(person.bearer, named)).status).toBe(400)
  })

  it('is revoked when the membership or the organization ends', async () => {
    const member = await addMember()
    const left = await create(member.bearer, acme.slug)
    await call('DELETE', member.path)
    expect((await check(left.body.ticket)).status).toBe(404)
    const ending = await found('Ending')
    await join(ending, person, ['owner'])
    const ticket = await create(person.bearer, ending.slug)
    await call('PATCH', `/api/2/organizations/${ending.id}`, { state: 'suspended' })
    expect((await check(ticket.body.ticket)).status).toBe(404)
    // Nothing used it up.
    await call('PATCH', `/api/2/organizations/${ending.id}`, { state: 'active' })
    expect((await check(ticket.body.ticket)).body.organization.id).toBe(ending.id)
  })

  it('of an API token allows no more than its scopes', async () => {
    const { body } = await callAs(service, person)('POST', '/api/2/api-tokens', {
      name: randomUUID(),
      scopes: ['tickets:create', 'films:view'],
    })
    const ticket = await create(body.token, acme.slug)
    expect((await check(ticket.body.ticket)).body.organization.permissions).toEqual(['films:view'])
  })
})

it('an authorizer with a misspelt requirement does not start', () => {
  for (const settings of [
    { AUTHORIZER_ORGANIZATION: 'true' },
    { AUTHORIZER_ORGANIZATION: '' },
    { AUTHORIZER_ORGANISATION: 'required' },
    { AUTHORIZER_ORGANIZATION: 'required', AUTHORIZER_CACHE_SECONDS: '60' },
    { AUTHORIZER_ORGANIZATION: 'optional', AUTHORIZER_CACHE_SECONDS: '60' },
    { AUTHORIZER_ORGANIZATION_TOKENS: 'true' },
  ])
    expect(() => createAuthorizer({ ...process.env, ...settings })).toThrow(/AUTHORIZER_ORGANI/)
})
