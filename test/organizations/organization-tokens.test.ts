import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { readHiddenFields } from '../support/decisions.ts'
import { costsSince } from '../support/directory.ts'
import {
  addNativeApp,
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  getTokens,
  postToken,
  readRedirect,
  refresh,
} from '../support/oidc.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const audience = 'https://films.example/api'
await call('PUT', '/api/2/organization-roles', {
  roles: [
    { key: 'editor', texts: { en: 'Editor' }, permissions: ['films:edit', 'other:thing'] },
    { key: 'owner', texts: { en: 'Owner' }, permissions: ['films:edit', 'films:delete'] },
  ],
})
const texts = { en: 'Films' }
const api = await call('POST', '/api/2/protected-apis', {
  name: 'Films',
  audience,
  permissions: ['films:edit', 'films:delete', 'films:all'].map((name) => ({ name, texts })),
  scopes: [{ name: 'films', texts, permissions: ['films:edit', 'films:delete', 'films:all'] }],
})
const scopes = ['openid', 'profile', 'groups', 'permissions', 'organization', 'offline_access'] as const
const terms = {
  scopes,
  permissions: ['films:edit', 'films:all', 'users:manage'],
  apis: [{ id: api.body.id, audience, scopes: ['films'] }],
}
const party = await addRelyingParty(service, terms)
const secretOf = party.secret

const newOrganization = async (name: string) => {
  const slug = `o${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
  const { body } = await call('POST', '/api/2/organizations', { name, slug })
  return body as { id: number; slug: string; name: string }
}
const join = async (id: number, { user }: SignedInPerson, roles: readonly string[]) =>
  expect((await call('POST', `/api/2/organizations/${id}/members`, { user: user.id, roles })).status).toBe(
    201,
  )
const scope = 'openid profile groups permissions offline_access organization films'
const ask = (overrides: object = {}) => ({ scope, resource: audience, ...overrides })
const authorize = async (bearer: string, overrides: object, client = party) => {
  const { verifier, challenge } = createPkce()
  const query = buildAuthorization(client, challenge, { ...ask(), ...overrides })
  const answer = await service.client('GET', `/oauth2/authorize?${query}`, { bearer })
  return { answer, verifier }
}
const introspect = async (token: string): Promise<Answer['body']> => {
  const form = new URLSearchParams({ token, client_id: party.client.clientId, client_secret: secretOf })
  const answer = await fetch(`${service.url}/oauth2/introspect`, { method: 'POST', body: form })
  return (await answer.json()) as Answer['body']
}
const userinfo = async (token: string): Promise<Answer['body']> =>
  (
    await fetch(`${service.url}/oauth2/userinfo`, { headers: { authorization: `Bearer ${token}` } })
  ).json() as Promise<Answer['body']>

const acme = await newOrganization('Acme')
const other = await newOrganization('Beta')
const foreign = await newOrganization('Foreign')
const addMember = async (fields: Parameters<typeof addSignedIn>[1] = {}) => {
  const person = await addSignedIn(service, fields)
  await join(acme.id, person, ['editor'])
  return person
}

/** A browser that keeps cookies. */
const openBrowser = (bearer: string) => {
  const jar = new Map<string, string>([['latchkey', bearer]])
  return async (method: string, url: string, form?: Record<string, string>) => {
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        origin: service.url,
      },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(cookie)) jar.delete(name)
      else jar.set(name, value)
    }
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? '',
      text: await answer.text(),
    }
  }
}
const start = async (person: SignedInPerson, client = party, overrides: object = {}) => {
  const browse = openBrowser(person.bearer)
  const { verifier, challenge } = createPkce()
  const query = buildAuthorization(client, challenge, { ...ask(), ...overrides })
  const begun = await browse('GET', `${service.url}/oauth2/authorize?${query}`)
  expect(begun.status).toBe(303)
  const page = await browse('GET', begun.location)
  const action = `${service.url}${/action="([^"]+)"/.exec(page.text)?.[1] ?? ''}`
  return { browse, page, action, verifier, fields: readHiddenFields(page) }
}
const codeAt = (location: string) => new URL(location).searchParams.get('code') ?? ''

describe('a token for an organization', () => {
  it.each(['slug', 'id'] as const)('states it by the parameter with its %s, flat', async (name) => {
    const person = await addMember({ permissions: ['films:all', 'users:manage'] })
    const tokens = await getTokens(service, party, person.bearer, ask({ organization: String(acme[name]) }))
    const organization = {
      org_id: String(acme.id),
      org_slug: acme.slug,
      org_name: 'Acme',
      org_roles: ['editor'],
    }
    // What the person may do outside of the organization is worth nothing in it, and the API knows no other:thing.
    const expected = { ...organization, permissions: [], org_permissions: ['films:edit'], groups: [] }
    expect(decodeJwt(tokens.access_token)).toMatchObject(expected)
    expect(decodeJwt(tokens.id_token)).toMatchObject(organization)
    expect(await introspect(tokens.access_token)).toMatchObject({ active: true, ...expected })
    const forUserinfo = await getTokens(
      service,
      party,
      person.bearer,
      ask({ resource: undefined, scope: 'openid organization offline_access', organization: acme.slug }),
    )
    expect(await userinfo(forUserinfo.access_token)).toMatchObject(organization)
    const renewed = await refresh(service, party, tokens.refresh_token)
    expect(decodeJwt(renewed.body.access_token)).toMatchObject(expected)
  })

  it('accepts the parameter organization_id, and refuses two different ones', async () => {
    const person = await addMember()
    await join(other.id, person, ['member'])
    const tokens = await getTokens(service, party, person.bearer, ask({ organization_id: other.slug }))
    expect(decodeJwt(tokens.access_token)['org_id']).toBe(String(other.id))
    const { answer } = await authorize(person.bearer, {
      organization: acme.slug,
      organization_id: other.slug,
    })
    expect(readRedirect(answer)).toMatchObject({ error: 'access_denied' })
  })

  it('is taken from the only organization of a person, and none for a person without one', async () => {
    const person = await addMember()
    const tokens = await getTokens(service, party, person.bearer, ask())
    expect(decodeJwt(tokens.access_token)['org_id']).toBe(String(acme.id))
    const alone = await addSignedIn(service, { permissions: ['films:all'] })
    const without = decodeJwt((await getTokens(service, party, alone.bearer, ask())).access_token)
    expect(without['org_id']).toBeUndefined()
    expect(without['permissions']).toEqual(['films:all'])
  })

  it('is not for an organization at all without the parameter and the scope', async () => {
    const person = await addMember({ permissions: ['films:all'] })
    const tokens = await getTokens(service, party, person.bearer, {
      scope: 'openid permissions offline_access films',
      resource: audience,
    })
    const claims = decodeJwt(tokens.access_token)
    expect([claims['org_id'], claims['permissions']]).toEqual([undefined, ['films:all']])
  })

  it('ends with the membership, at once, and while the organization is suspended', async () => {
    const person = await addMember()
    const tokens = await getTokens(service, party, person.bearer, ask({ organization: acme.slug }))
    const without = await getTokens(service, party, person.bearer, {
      scope: 'openid permissions offline_access films',
      resource: audience,
    })
    expect((await introspect(tokens.access_token)).active).toBe(true)
    const setState = (state: string) => call('PATCH', `/api/2/organizations/${acme.id}`, { state })
    await setState('suspended')
    expect((await introspect(tokens.access_token)).active).toBe(false)
    await setState('active')
    expect((await introspect(tokens.access_token)).active).toBe(true)
    await call('DELETE', `/api/2/organizations/${acme.id}/members/${person.user.id}`)
    expect((await introspect(tokens.access_token)).active).toBe(false)
    expect((await refresh(service, party, tokens.refresh_token)).body.error).toBe('invalid_grant')
    // The session of the person and their other tokens go on.
    expect((await introspect(without.access_token)).active).toBe(true)
  })

  it('follows a change of the roles at introspection, without a new sign-in', async () => {
    const person = await addMember()
    const tokens = await getTokens(service, party, person.bearer, ask({ organization: acme.slug }))
    await call('PATCH', `/api/2/organizations/${acme.id}/members/${person.user.id}`, { roles: ['member'] })
    expect(await introspect(tokens.access_token)).toMatchObject({
      org_roles: ['member'],
      permissions: [],
      org_permissions: [],
    })
    const renewed = await refresh(service, party, tokens.refresh_token)
    expect(decodeJwt(renewed.body.access_token)).toMatchObject({
      org_roles: ['member'],
      permissions: [],
      org_permissions: [],
    })
  })

  it('refuses an organization of others and one that does not exist alike, with the same table calls', async () => {
    const person = await addMember()
    const outcomes = []
    for (const organization of [foreign.slug, 'no-such-organization', String(foreign.id), '2147483646']) {
      const start = service.log.length
      const { answer } = await authorize(person.bearer, { organization })
      const { state: _, ...redirect } = readRedirect(answer)
      outcomes.push({ redirect, costs: costsSince(service, start).map(({ calls }) => calls) })
    }
    expect(outcomes[0]?.redirect).toMatchObject({ error: 'access_denied' })
    expect(outcomes[0]).toEqual(outcomes[1])
    expect(outcomes[2]).toEqual(outcomes[3])
    for (const organization of ['__proto__', ' ', 'x'.repeat(2000), '0', '-1', '1e3', 'Acme'])
      expect(readRedirect((await authorize(person.bearer, { organization })).answer)['code']).toBeUndefined()
  })
})

describe('a person of several organizations', () => {
  const addToBoth = async () => {
    const person = await addMember()
    await join(other.id, person, ['owner'])
    return person
  }
  it('chooses one on a page, and gets tokens for it alone', async () => {
    const person = await addToBoth()
    const { browse, page, action, verifier, fields } = await start(person)
    expect(page.text).toContain('Choose an organization')
    expect(page.text).toContain('Acme')
    expect(page.text).toContain('Beta')
    expect(page.text).not.toContain('Foreign')
    const answered = await browse('POST', action, { ...fields, organization: String(other.id) })
    expect(answered.status).toBe(303)
    const done = await browse('GET', answered.location)
    const tokens = await exchangeCode(service, party, { code: codeAt(done.location), verifier })
    const claims = decodeJwt(tokens.body.access_token)
    expect(claims).toMatchObject({ org_id: String(other.id), org_roles: ['owner'] })
    // Two tabs: the other organization has tokens of its own beside them.
    const second = await getTokens(service, party, person.bearer, ask({ organization: acme.slug }))
    expect(decodeJwt(second.access_token)['org_id']).toBe(String(acme.id))
    expect((await introspect(tokens.body.access_token)).active).toBe(true)
  })

  it('is refused without a page, and by cancelling', async () => {
    const person = await addToBoth()
    const { answer } = await authorize(person.bearer, { prompt: 'none' })
    expect(readRedirect(answer)).toMatchObject({ error: 'interaction_required' })
    const { browse, action, fields } = await start(person)
    const cancelled = await browse('POST', action, { ...fields, answer: 'cancel' })
    expect(new URL(cancelled.location).searchParams.get('error')).toBe('access_denied')
  })

  it('cannot choose what the page did not offer, and chooses again if the list has changed', async () => {
    const person = await addToBoth()
    const { browse, action, fields } = await start(person)
    for (const organization of [String(foreign.id), '__proto__', '', '0']) {
      const refused = await browse('POST', action, { ...fields, organization })
      expect([refused.status, refused.location.includes('code=')]).toEqual([400, false])
    }
    await join(foreign.id, person, ['member'])
    const again = await browse('POST', action, { ...fields, organization: String(acme.id) })
    expect(again.status).toBe(200)
    expect(again.text).toContain('Foreign')
    await call('DELETE', `/api/2/organizations/${foreign.id}/members/${person.user.id}`)
  })

  it('reads the organization on the page that asks for the agreement to a native app', async () => {
    const person = await addToBoth()
    const app = await addNativeApp(service, terms)
    const { browse, action, verifier, fields } = await start(person, app)
    const answered = await browse('POST', action, { ...fields, organization: String(acme.id) })
    const consent = await browse('GET', answered.location)
    expect(consent.text).toContain('Acme')
    expect(consent.text).not.toContain('Beta')
    const done = await browse('POST', action, { ...readHiddenFields(consent), answer: 'continue' })
    const tokens = await exchangeCode(service, app, { code: codeAt(done.location), verifier })
    expect(decodeJwt(tokens.body.access_token)['org_id']).toBe(String(acme.id))
  })

  it('gets no tokens for an organization that they left while the page was open', async () => {
    const person = await addToBoth()
    const { browse, action, fields, verifier } = await start(person)
    const answered = await browse('POST', action, { ...fields, organization: String(other.id) })
    await call('DELETE', `/api/2/organizations/${other.id}/members/${person.user.id}`)
    const done = await browse('GET', answered.location)
    expect(new URL(done.location).searchParams.get('error')).toBe('access_denied')
    const late = await postToken(service, {
      grant_type: 'authorization_code',
      code: 'x',
      code_verifier: verifier,
    })
    expect(late.status).not.toBe(200)
  })
})

describe('a client that says whether its tokens are for an organization', () => {
  const plain = { scope: 'openid permissions offline_access films', resource: audience }

  it('requires one: takes the only one without the scope, and refuses a person without one', async () => {
    const strict = await addRelyingParty(service, {
      ...terms,
      organizations: 'required',
      scopes: ['openid', 'permissions', 'offline_access'],
    })
    const person = await addMember()
    const tokens = await getTokens(service, strict, person.bearer, plain)
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      org_id: String(acme.id),
      org_permissions: ['films:edit'],
    })
    const alone = await addSignedIn(service)
    for (const prompt of [undefined, 'none']) {
      const { answer } = await authorize(alone.bearer, { ...plain, prompt }, strict)
      const { error, error_description } = readRedirect(answer)
      expect([error, error_description]).toEqual([
        'access_denied',
        'the user is in no organization, and the client requires one',
      ])
    }
    await join(other.id, person, ['owner'])
    const { answer } = await authorize(person.bearer, { ...plain, prompt: 'none' }, strict)
    expect(readRedirect(answer)).toMatchObject({ error: 'interaction_required' })
    const { browse, page, action, verifier, fields } = await start(person, strict, plain)
    expect(page.text).toContain('Choose an organization')
    const answered = await browse('POST', action, { ...fields, organization: String(other.id) })
    const done = await browse('GET', answered.location)
    const chosen = await exchangeCode(service, strict, { code: codeAt(done.location), verifier })
    expect(decodeJwt(chosen.body.access_token)['org_id']).toBe(String(other.id))
  })

  it('has none: refuses the parameter, and takes no table call for an organization', async () => {
    const person = await addMember()
    // Without the scope, a client knows no organizations, and would take the permissions there for those of the account.
    for (const organizations of ['none', 'optional'] as const) {
      const without = await addRelyingParty(service, {
        ...terms,
        organizations,
        scopes: ['openid', 'permissions', 'offline_access'],
      })
      for (const name of ['organization', 'organization_id'])
        for (const organization of [acme.slug, '__proto__', 'no-such-organization']) {
          const { answer } = await authorize(person.bearer, { ...plain, [name]: organization }, without)
          expect(readRedirect(answer)).toMatchObject({ error: 'invalid_request' })
        }
      expect(
        decodeJwt((await getTokens(service, without, person.bearer, plain)).access_token),
      ).not.toHaveProperty('org_id')
    }
  })

  it('ends the tokens that it could not get any more, at once', async () => {
    const person = await addMember()
    const { body } = await call('POST', '/api/2/oidc-clients', {
      name: `c-${randomUUID()}`,
      redirect_uris: ['https://changing.example/callback'],
      scopes: ['openid', 'offline_access', 'organization'],
      apis: [{ audience, scopes: ['films'] }],
    })
    const changing = {
      client: { ...party.client, clientId: body.client_id, redirect_uris: body.redirect_uris },
      secret: body.client_secret,
    }
    const some = { scope: 'openid offline_access films', resource: audience }
    const within = await getTokens(service, changing, person.bearer, { ...some, organization: acme.slug })
    const outside = await getTokens(service, changing, person.bearer, some)
    const scopes = ['openid', 'offline_access']
    for (const [changes, ended, living] of [
      [{ organizations: 'required' }, outside, within],
      [{ organizations: 'optional', scopes }, within, outside],
      [{ organizations: 'none' }, within, outside],
    ] as const) {
      expect((await call('PATCH', `/api/2/oidc-clients/${body.id}`, changes)).status).toBe(200)
      expect((await introspect(ended.access_token)).active).toBe(false)
      expect((await refresh(service, changing, ended.refresh_token)).body.error).toBe('invalid_grant')
      expect((await introspect(living.access_token)).active).toBe(true)
      expect((await refresh(service, changing, living.refresh_token)).status).toBe(200)
    }
  })

  it.each([
    [{ organizations: 'none', scopes: ['openid', 'organization'] }, 'organizations'],
    [{ organizations: 'required', device_authorization: true }, 'organizations'],
    [{ organizations: '__proto__' }, 'organizations'],
    [{ organizations: null }, 'organizations'],
  ])('is not registered with %o', async (fields, field) => {
    const refused = await call('POST', '/api/2/oidc-clients', {
      name: `c-${randomUUID()}`,
      redirect_uris: ['https://x.example/callback'],
      ...fields,
    })
    expect([refused.status, refused.body.errors?.[0].field]).toEqual([400, field])
  })
})
