import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { addRelyingParty, exchangeCode, getCode, proveClient } from '../support/oidc.ts'
import { ensureApi } from '../support/oidc-clients.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A client, or an API that gets its token, wants to know more about a user than the scopes say. */

const films = 'https://films.example.com'
const ofSignIn = ['acr', 'auth_time']
/** What every token of a client has. None of it is about a user. */
const usual = ['iss', 'aud', 'client_id', 'iat', 'exp', 'jti', 'scope']
/** Access tokens have the rights of their user, which can be none. */
const rights = ['groups', 'permissions']
const service = await useService({}, { sendsMail: false })
const party = await addRelyingParty(service, { audiences: [films] })
await ensureApi(service.services.table, films, { permissions: ['films:view'] })
const person = await addSignedIn(service, {
  ...{ username: 'kim@shop.example', email: 'kim@shop.example', full_name: 'Kim', language: 'en' },
})

const issue = async (scope: string, resource: string | undefined, bearer = person.bearer) => {
  const code = await getCode(service, party, bearer, { scope, resource })
  return (await exchangeCode(service, party, code)).body
}
const namesOf = (claims: object): readonly string[] => Object.keys(claims).sort()
const introspect = async (token: string) => {
  const answer = await fetch(`${service.url}/oauth2/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ ...proveClient(party), token }),
  })
  return (await answer.json()) as Record<string, unknown>
}
const getUserinfo = async (bearer: string) =>
  (await service.client('GET', '/oauth2/userinfo', { bearer })).body

const profile = ['locale', 'name', 'preferred_username']
const expected: readonly { scope: string; identity: readonly string[]; api: readonly string[] }[] = [
  { scope: 'openid', identity: [], api: [] },
  { scope: 'openid profile', identity: profile, api: ['preferred_username'] },
  { scope: 'openid email', identity: ['email', 'email_verified'], api: [] },
  { scope: 'openid groups', identity: ['groups'], api: [] },
  { scope: 'openid permissions', identity: ['permissions'], api: [] },
  { scope: 'openid offline_access', identity: [], api: [] },
]

describe.each(expected)('with the scope $scope', ({ scope, identity, api }) => {
  it('an access token for userinfo names the subject alone, and userinfo what the scope states', async () => {
    const { access_token, id_token } = await issue(scope, undefined)
    expect(namesOf(decodeJwt(access_token))).toEqual([...usual, ...rights, 'sub'].sort())
    expect(namesOf(await getUserinfo(access_token))).toEqual(['sub', ...identity].sort())
    const signIn = ['acr', 'amr', 'at_hash', 'auth_time', 'nonce', 'sid', 'sub', 'iss', 'aud', 'iat', 'exp']
    expect(namesOf(decodeJwt(id_token))).toEqual([...signIn, ...identity].sort())
  })

  it('an access token for an API adds how and when the user signed in, and introspection says the same', async () => {
    const { access_token } = await issue(scope, films)
    const stated = [...usual, ...rights, ...ofSignIn, 'sub']
    expect(namesOf(decodeJwt(access_token))).toEqual([...stated, ...api].sort())
    const named = api.map((name) => (name === 'preferred_username' ? 'username' : name))
    const described = [...stated, 'active', 'token_type', ...named]
    expect(namesOf(await introspect(access_token))).toEqual(described.sort())
  })

  it('no token that leaves the client says an address, unless the scope does', async () => {
    for (const resource of [undefined, films]) {
      const { access_token } = await issue(scope, resource)
      const isNamed = resource !== undefined && scope.includes('profile')
      expect(JSON.stringify(decodeJwt(access_token)).includes('kim')).toBe(isNamed)
      expect(JSON.stringify(await introspect(access_token)).includes('kim')).toBe(isNamed)
    }
  })
})

it('discovery lists the claims that there are', async () => {
  const { body } = await service.client('GET', '/.well-known/openid-configuration')
  const all = [...profile, 'email', 'email_verified', 'groups', 'permissions', 'attributes', 'act']
  const organization = ['org_id', 'org_slug', 'org_name', 'org_roles', 'org_permissions']
  const signIn = ['sub', 'sid', 'amr', 'acr', 'auth_time', 'at_hash', 'iss']
  expect(body.claims_supported.sort()).toEqual([...all, ...organization, ...signIn].sort())
})

it('the page of a device says what the tokens state, and nothing else', async () => {
  const device = await addRelyingParty(service, { device_authorization: true, audiences: [films] })
  const lines = new Map([
    ['profile', 'your name, username and language'],
    ['email', 'your email address'],
    ['groups', 'your groups'],
  ])
  for (const scope of ['openid', 'openid profile', 'openid email groups']) {
    const form = { ...proveClient(device), scope }
    const started = await service.client('POST', '/oauth2/device', {
      raw: String(new URLSearchParams(form)),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const page = await service.client('POST', '/device', {
      raw: String(new URLSearchParams({ user_code: started.body.user_code })),
      headers: {
        ...{ 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
        ...{ cookie: `latchkey=${person.bearer}; latchkey-language=en`, 'sec-fetch-site': 'same-origin' },
        'accept-language': 'en',
      },
    })
    expect(page.text).toContain('when and how')
    for (const [name, line] of lines)
      expect([name, page.text.includes(line)]).toEqual([name, scope.includes(name)])
  }
})

it('an impersonation is stated everywhere, and the name of the administrator nowhere', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const body = { user: person.user.id }
  await service.client('POST', '/api/2/auth/impersonation', { bearer: admin.bearer, body })
  const act = { sub: String(admin.user.id) }
  const opening = await issue('openid profile', undefined, admin.bearer)
  expect(decodeJwt(opening.id_token)['act']).toEqual(act)
  expect((await getUserinfo(opening.access_token)).act).toEqual(act)
  const { access_token } = await issue('openid profile', films, admin.bearer)
  expect(decodeJwt(access_token)['act']).toEqual(act)
  const described = await introspect(access_token)
  expect(described['act']).toEqual(act)
  for (const stated of [opening.id_token, opening.access_token, access_token]
    .map(decodeJwt)
    .concat(described))
    expect(JSON.stringify(stated)).not.toContain(admin.user.username)
})
