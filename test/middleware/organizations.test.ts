import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createJwtMiddleware } from '../../lib/middleware/create-jwt-middleware.ts'
import { createMiddleware } from '../../lib/middleware/identify-user.ts'
import type { Requirement } from '../../lib/middleware/requirement.ts'
import { readTokenUser } from '../../lib/middleware/token-user.ts'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A product for companies: its routes are for members of an organization, for some roles, or for some permissions in it. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const audience = 'https://films.example/api'
const texts = { en: 'Films' }
await call('PUT', '/api/2/organization-roles', {
  roles: [{ key: 'editor', texts, permissions: ['films:edit'] }],
})
const found = async (): Promise<{ readonly id: string; readonly slug: string }> => {
  const slug = `o${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
  const { body } = await call('POST', '/api/2/organizations', { name: 'Customer', slug })
  return { id: String(body.id), slug }
}
type Organization = Awaited<ReturnType<typeof found>>
const join = async ({ id }: Organization, { user }: SignedInPerson, roles: readonly string[]) =>
  expect((await call('POST', `/api/2/organizations/${id}/members`, { user: user.id, roles })).status).toBe(
    201,
  )

const [acme, beta, foreign] = [await found(), await found(), await found()]
const person = await addSignedIn(service, { permissions: ['films:delete'] })
await join(acme, person, ['editor'])
await join(beta, person, ['member'])

const sessions = createMiddleware({ baseUrl: service.url })
const tokens = createJwtMiddleware({ baseUrl: service.url, audience })
const headersOf = (credential: string, organization?: string) => ({
  authorization: `Bearer ${credential}`,
  ...(organization !== undefined && { 'latchkey-organization': organization }),
})
/** What a route with this requirement answers. */
const visit = async (
  requirement: Requirement,
  headers: Readonly<Record<string, string>>,
  { web }: Pick<typeof sessions, 'web'> | Pick<typeof tokens, 'web'> = sessions,
) => {
  const show = (_: Request, { organization, permissions }: { organization: unknown; permissions: unknown }) =>
    Response.json({ organization, permissions })
  const answer = await web(show, requirement)(new Request('https://films.example/films', { headers }))
  return { status: answer.status, text: await answer.text() }
}
const statusOf = async (...given: Parameters<typeof visit>) => (await visit(...given)).status

describe('a route for organizations, called with a session', () => {
  it('knows the organization that the request names, and what the roles there allow', async () => {
    for (const named of [acme.id, acme.slug]) {
      const { text } = await visit({ organization: true }, headersOf(person.bearer, named))
      expect(JSON.parse(text)).toEqual({
        organization: { ...acme, name: 'Customer', roles: ['editor'], permissions: ['films:edit'] },
        permissions: [],
      })
    }
  })

  it.each<[Requirement, string | undefined, number]>([
    [{ organization: true, permission: 'films:edit' }, acme.slug, 200],
    [{ organization: true, permission: 'films:edit' }, beta.slug, 403],
    [{ organization: true, permission: 'films:delete' }, acme.slug, 403],
    [{ role: 'editor' }, acme.slug, 200],
    [{ role: 'editor' }, beta.slug, 403],
    [{ role: 'editor' }, undefined, 403],
    [{ organization: acme.id }, undefined, 200],
    [{ organization: acme.id, role: 'editor' }, beta.slug, 200],
    [{ organization: beta.id, role: 'editor' }, acme.slug, 403],
    [{ organization: foreign.id }, acme.slug, 403],
    // Where nobody asks for an organization, a caller cannot choose whose permissions count.
    [{ permission: 'films:edit' }, acme.slug, 403],
    [{ permission: 'films:delete' }, acme.slug, 200],
  ])('%j with the header %s is answered with %d', async (requirement, named, status) => {
    expect(await statusOf(requirement, headersOf(person.bearer, named))).toBe(status)
  })

  it('refuses all others with the same bytes', async () => {
    const answers = await Promise.all(
      [
        undefined,
        foreign.id,
        foreign.slug,
        '999999',
        'nowhere',
        '__proto__',
        'ACME',
        '%0a',
        'x'.repeat(9_000),
      ]
        .concat([`${acme.slug}, ${beta.slug}`, `${acme.slug},${acme.slug}`, '"'])
        .map((named) => visit({ organization: true }, headersOf(person.bearer, named))),
    )
    const [first] = answers
    expect(JSON.parse(first?.text ?? '')).toMatchObject({ status: 403, reason: 'organization_refused' })
    for (const answer of answers) expect(answer).toEqual(first)
    // An administrator of the service is no member.
    expect(await visit({ organization: true }, headersOf(admin.bearer, acme.slug))).toEqual(first)
    expect(await visit({ organization: foreign.id }, headersOf(person.bearer))).toEqual(first)
  })

  it('keeps no answer for another organization', async () => {
    const kept = createMiddleware({ baseUrl: service.url, cacheMs: 60_000 })
    const idOf = async (named: string) =>
      JSON.parse((await visit({ organization: true }, headersOf(person.bearer, named), kept)).text)
        .organization?.id
    const plain = async () => visit({}, headersOf(person.bearer, acme.slug), kept)
    const before = await plain()
    expect([await idOf(acme.slug), await idOf(beta.slug), await idOf(acme.slug)]).toEqual([
      acme.id,
      beta.id,
      acme.id,
    ])
    expect(await idOf(foreign.slug)).toBeUndefined()
    expect(await plain()).toEqual(before)
    expect(JSON.parse(before.text)).toEqual({ permissions: ['films:delete'] })
  })

  it('notices the end of a membership', async () => {
    const leaving = await addSignedIn(service)
    await join(acme, leaving, ['editor'])
    const headers = headersOf(leaving.bearer, acme.slug)
    expect(await statusOf({ role: 'editor' }, headers)).toBe(200)
    await call('DELETE', `/api/2/organizations/${acme.id}/members/${leaving.user.id}`)
    expect(await statusOf({ role: 'editor' }, headers)).toBe(403)
  })

  it('does not take the word of a service that ignores the header', async () => {
    const fetch = async (_: string, init: RequestInit) => {
      expect(new Headers(init.headers).get('latchkey-organization')).toBe(acme.slug)
      return Response.json({ id: 1, username: 'ada', effective_permissions: ['films:edit'] })
    }
    const older = createMiddleware({ baseUrl: service.url, fetch })
    const { status } = await visit({ organization: true }, headersOf(person.bearer, acme.slug), older)
    expect(status).toBe(403)
  })
})

describe('a route for organizations, called with a token of a client', () => {
  const issue = async () => {
    const { body } = await call('POST', '/api/2/protected-apis', {
      name: `Films ${randomUUID()}`,
      audience,
      permissions: [{ name: 'films:edit', texts }],
      scopes: [{ name: 'films', texts, permissions: ['films:edit'] }],
    })
    const party = await addRelyingParty(service, {
      scopes: ['openid', 'organization'],
      apis: [{ id: body.id, audience, scopes: ['films'] }],
    })
    const ask = (organization?: string) =>
      getTokens(service, party, person.bearer, { scope: 'openid films', resource: audience, organization })
    return { inAcme: (await ask(acme.slug)).access_token, inNone: (await ask()).access_token }
  }

  it('knows the organization of the token, whatever the request names', async () => {
    const { inAcme, inNone } = await issue()
    const at = (requirement: Requirement, token: string, named?: string) =>
      visit(requirement, headersOf(token, named), tokens)
    for (const requirement of [
      { organization: true },
      { organization: acme.id },
      { role: 'editor', permission: 'films:edit' },
    ] as const) {
      const { text } = await at(requirement, inAcme, beta.slug)
      expect(JSON.parse(text).organization).toEqual({
        ...acme,
        name: 'Customer',
        roles: ['editor'],
        permissions: ['films:edit'],
      })
      const refused = await at(requirement, inNone, acme.slug)
      expect(JSON.parse(refused.text)).toMatchObject({ status: 403, reason: 'organization_refused' })
    }
    expect((await at({ organization: beta.id }, inAcme, beta.slug)).status).toBe(403)
    expect((await at({ role: 'owner' }, inAcme)).status).toBe(403)
  })

  it.each([
    { org_id: 7 },
    { org_id: '0' },
    { org_id: 'acme' },
    { org_id: '__proto__' },
    { org_id: '7', org_slug: undefined },
    { org_id: '7', org_name: ['Acme'] },
    { org_id: '7', org_roles: 'owner' },
    { org_id: '7', org_roles: [{}] },
    { org_id: '7', org_permissions: undefined },
    { org_id: '7', org_permissions: 'films:edit' },
    { org_id: undefined, org_permissions: ['films:edit'] },
  ])('refuses the claims %j', (claims) => {
    const organization = { org_slug: 'acme', org_name: 'Acme', org_roles: [], org_permissions: [] }
    const valid = { sub: '1', permissions: [], groups: [], ...organization }
    expect(readTokenUser({ ...valid, org_id: '7' }).organization?.id).toBe('7')
    expect(() => readTokenUser({ ...valid, ...claims })).toThrow(/claim `org_/)
  })
})

it.each([
  [{ organization: 'acme' }, "organization must be true, 'optional', or the ID"],
  [{ organization: 7 }, "organization must be true, 'optional', or the ID"],
  [{ organization: false }, "organization must be true, 'optional', or the ID"],
  [{ organization: '' }, "organization must be true, 'optional', or the ID"],
  [{ organization: undefined }, 'organization is undefined'],
  [{ organisation: true }, 'Did you mean organization?'],
  [{ roles: ['editor'] }, 'Did you mean role?'],
  [{ role: '' }, 'role must not be empty'],
  [{ role: 'editor', organization: 'optional' }, 'A role is always one in an organization'],
])('the requirement %j is refused when the route is created', (requirement, message) => {
  for (const { hono, web } of [sessions, tokens])
    for (const create of [hono, (given: never) => web(() => new Response(), given)])
      expect(() => create(requirement as never)).toThrow(message)
})
