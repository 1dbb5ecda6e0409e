import { createHash, randomBytes } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import type { RequestContext } from '../../lib/accounts/callers/request-context.ts'
import { oauthErrorPage } from '../../lib/features/oauth/error.page.ts'
import { runAuthorization } from '../../lib/features/oauth/run-authorization.part.ts'
import type { HttpEvent } from '../../lib/http/http-types.ts'
import { toProblem } from '../../lib/http/problem.ts'
import { allowAgents } from '../support/document-host.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  getCode,
  getTokens,
  readRedirect,
  refresh,
} from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const api = 'https://api.shop.example'
const service = await useService()
const person = await addSignedIn(service, { permissions: ['downloads:view'] })
const shop = await addRelyingParty(service, {
  audiences: [api, 'reports'],
  permissions: ['downloads:view'],
})
const app = await addRelyingParty(service, { type: 'public', scopes: ['openid', 'profile'] })

const verify = async (token: string, audience: string) => {
  const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
  return jwtVerify(token, keys, { issuer: service.url, audience, algorithms: ['RS256'] })
}

describe('the metadata', () => {
  it.each(['openid-configuration', 'oauth-authorization-server'])(
    'at %s states what is supported, and can be cached',
    async (name) => {
      const answer = await service.client('GET', `/.well-known/${name}`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
      expect(answer.body).toMatchObject({
        issuer: service.url,
        jwks_uri: `${service.url}/.well-known/jwks.json`,
        authorization_endpoint: `${service.url}/oauth2/authorize`,
        device_authorization_endpoint: `${service.url}/oauth2/device`,
        token_endpoint: `${service.url}/oauth2/token`,
        end_session_endpoint: `${service.url}/oauth2/logout`,
        response_types_supported: ['code'],
        response_modes_supported: ['query', 'form_post'],
        grant_types_supported: [
          ...['authorization_code', 'refresh_token', 'client_credentials'],
          'urn:ietf:params:oauth:grant-type:device_code',
        ],
        code_challenge_methods_supported: ['S256'],
        id_token_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: [
          'client_secret_basic',
          'client_secret_post',
          'private_key_jwt',
          'none',
        ],
        authorization_response_iss_parameter_supported: true,
        request_uri_parameter_supported: false,
        claims_parameter_supported: false,
      })
      const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
      expect((await service.client('GET', `/.well-known/${name}`, { headers })).status).toBe(304)
    },
  )
})

describe('a sign-in', () => {
  it('gives a confidential client an ID token, an access token and a refresh token', async () => {
    const { challenge, verifier } = createPkce()
    const scope = 'openid profile email groups permissions offline_access'
    const query = buildAuthorization(shop, challenge, { scope, resource: api })
    const answer = await service.client('GET', `/oauth2/authorize?${query}`, { bearer: person.bearer })
    expect(answer.status).toBe(303)
    const { code = '', ...others } = readRedirect(answer)
    expect(others).toEqual({ state: 'the state', iss: service.url })
    const tokens = await exchangeCode(service, shop, { code, verifier })
    expect(tokens.headers.get('cache-control')).toBe('no-store')
    const { access_token, id_token, refresh_token, ...rest } = tokens.body
    expect(rest).toEqual({ token_type: 'Bearer', expires_in: 600, scope })
    expect(refresh_token).toMatch(/^[\w-]{43}$/)

    const { payload, protectedHeader } = await verify(access_token, api)
    expect(protectedHeader.typ).toBe('at+jwt')
    const session = decodeJwt(
      (await service.client('POST', '/api/2/auth/jwt', { bearer: person.bearer })).body.token,
    )
    const { jti, iat, exp, aud, client_id, sid, amr, ...sameClaims } = session
    expect(payload).toMatchObject({ ...sameClaims, client_id: shop.client.clientId, scope })
    expect([payload['sid'], payload['amr']]).toEqual([undefined, undefined])
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600)

    const idToken = (await verify(id_token, shop.client.clientId)).payload
    expect(idToken).toMatchObject({
      sub: String(person.user.id),
      ...{ sid, amr },
      nonce: 'the nonce',
      acr: 'urn:latchkey:acr:single-factor',
      auth_time: payload['auth_time'],
      preferred_username: person.user.username,
      permissions: ['downloads:view'],
      groups: [],
      at_hash: createHash('sha256').update(access_token).digest().subarray(0, 16).toString('base64url'),
    })
  })

  it('gives a public client what its scopes allow, and no refresh token', async () => {
    const tokens = await exchangeCode(service, app, await getCode(service, app, person.bearer))
    expect(tokens.status).toBe(200)
    expect(Object.keys(tokens.body).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'scope',
      'token_type',
    ])
    expect(decodeJwt(tokens.body.access_token).aud).toBe(`${service.url}/oauth2/userinfo`)
    const claims = decodeJwt(tokens.body.id_token)
    expect(claims).not.toHaveProperty('permissions')
    expect(claims).not.toHaveProperty('email')
    expect(claims['preferred_username']).toBe(person.user.username)
  })

  it('is for the requested resource of the client', async () => {
    const ofResource = async (resource: string) => {
      const issued = await getCode(service, shop, person.bearer, { resource })
      return decodeJwt((await exchangeCode(service, shop, issued)).body.access_token).aud
    }
    expect(await ofResource(api)).toBe(api)
    expect(await ofResource(`${service.url}/oauth2/userinfo`)).toBe(`${service.url}/oauth2/userinfo`)
    await expect(ofResource(service.url)).rejects.toThrow('error=invalid_target')
    expect(await ofResource('urn:latchkey:audience:reports')).toBe('reports')
    await expect(ofResource('https://api.other.example')).rejects.toThrow('error=invalid_target')
  })

  it('continues with its refresh token', async () => {
    const first = await getTokens(service, shop, person.bearer, { resource: api })
    const second = await refresh(service, shop, first.refresh_token)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).toBe(first.refresh_token)
    const third = await refresh(service, shop, second.body.refresh_token, { scope: 'openid' })
    expect(third.body.scope).toBe('openid')
    expect(decodeJwt(third.body.access_token)).toMatchObject({
      aud: api,
      scope: 'openid',
    })
    expect(decodeJwt(third.body.id_token)).toMatchObject({ nonce: 'the nonce', sub: String(person.user.id) })
    expect(decodeJwt(third.body.id_token)['sid']).toBe(decodeJwt(first.id_token)['sid'])
  })
})

it('a refused exchange of a code leaves a line in the log that says why, without the code', async () => {
  const code = randomBytes(32).toString('base64url')
  const before = service.log.length
  const { body } = await exchangeCode(service, shop, { code, verifier: createPkce().verifier })
  expect(body.error).toBe('invalid_grant')
  const lines = service.log.slice(before)
  expect(lines.join()).not.toContain(code)
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({
      ...{ event: 'oidc.tokens_refused', level: 'warn', client: shop.client.clientId },
      ...{ error: 'invalid_grant', detail: expect.stringContaining('code'), request_id: expect.any(String) },
    }),
  )
})

describe('an authorization that is refused', () => {
  const authorize = async (overrides: Readonly<Record<string, string | undefined>>) => {
    const query = buildAuthorization(shop, createPkce().challenge, overrides)
    const before = service.log.length
    const answer = await service.client('GET', `/oauth2/authorize?${query}`, {
      bearer: person.bearer,
      headers: { accept: 'text/html' },
    })
    const refusals = service.log
      .slice(before)
      .map((line) => JSON.parse(line))
      .filter(({ event }) => event === 'oidc.refused')
    return { answer, refusals }
  }

  it('is logged with what was sent and what is registered', async () => {
    const { refusals } = await authorize({ redirect_uri: 'https://me:pw@other.example/cb?code=secret' })
    expect(refusals).toEqual([
      {
        event: 'oidc.refused',
        level: 'warn',
        time: expect.any(String),
        request_id: expect.any(String),
        client: shop.client.clientId,
        error: 'invalid_redirect_uri',
        description: expect.stringContaining('redirect_uri'),
        parameter: 'redirect_uri',
        sent: 'https://…@other.example/cb?…',
        registered: shop.client.redirect_uris,
      },
    ])
  })

  it.each([
    ['an unknown client', { client_id: 'unknown' }, { parameter: 'client_id', client: 'unknown' }],
    [
      'a request without PKCE',
      { code_challenge: undefined, code_challenge_method: undefined },
      { parameter: 'code_challenge', description: expect.stringContaining('PKCE') },
    ],
    [
      'a response mode that is not supported',
      { response_mode: 'fragment' },
      { registered: ['query', 'form_post'] },
    ],
    ['another resource', { resource: 'https://api.other.example' }, { parameter: 'resource' }],
  ])('is logged for %s', async (_, overrides, expected) => {
    expect((await authorize(overrides)).refusals).toEqual([expect.objectContaining(expected)])
  })

  it('is logged for a scope that the client may not have', async () => {
    const { clientId, redirect_uris: redirectUris } = app.client
    const scope = 'openid email'
    const { refusals } = await authorize({ client_id: clientId, redirect_uri: redirectUris[0], scope })
    expect(refusals).toEqual([
      expect.objectContaining({ parameter: 'scope', sent: scope, registered: ['openid', 'profile'] }),
    ])
  })

  it('is logged without the value of a parameter that proves who a person is', async () => {
    const { refusals } = await authorize({ id_token_hint: 'a.wrong.hint' })
    expect(refusals).toEqual([expect.objectContaining({ parameter: 'id_token_hint' })])
    expect(JSON.stringify(refusals)).not.toContain('a.wrong.hint')
  })

  it('is not logged if clients expect it', async () => {
    const query = buildAuthorization(shop, createPkce().challenge, { prompt: 'none' })
    const before = service.log.length
    const answer = await service.client('GET', `/oauth2/authorize?${query}`)
    expect(readRedirect(answer)['error']).toBe('login_required')
    expect(service.log.slice(before).join()).not.toContain('oidc.refused')
  })

  const atOther = { redirect_uri: 'https://other.example/cb' }

  it('explains itself on the page of local mode', async () => {
    const { answer } = await authorize(atOther)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('sent: https://other.example/cb')
    expect(answer.text).toContain(`registered: ${shop.client.redirect_uris[0]}`)
  })

  const { services } = service
  const deployed = {
    ...services,
    config: { ...services.config, localKeyFile: undefined },
  }
  const authorizeDeployed = async (query: URLSearchParams) => {
    const context = { address: '192.0.2.1', requestId: 'a request', at: Date.now() }
    const refused = runAuthorization({
      services: deployed,
      context: context as RequestContext,
      principal: undefined,
      browser: 'a browser',
      parameters: Object.fromEntries(query),
    })
    return toProblem(await refused.catch((error: unknown) => error), 'a request')
  }

  it('says why a deployed service does not know an agent, and nothing about other hosts', async () => {
    await allowAgents(service, 'agents.example.com')
    const clientId = 'https://agent.example.com/client.json'
    const problem = await authorizeDeployed(new URLSearchParams({ client_id: clientId }))
    expect(problem.detail).toContain('the host agent.example.com do not describe clients here')
    const withPort = await authorizeDeployed(
      new URLSearchParams({ client_id: 'https://agents.example.com:8443/client.json' }),
    )
    expect(withPort.detail).toContain('a host without a port')
    expect(JSON.stringify(problem)).not.toContain('agents.example.com')
  })

  it('contains nothing of what is registered at a deployed service', async () => {
    const problem = await authorizeDeployed(buildAuthorization(shop, createPkce().challenge, atOther))
    expect(problem.reason).toBe('authorization_refused')
    expect(JSON.stringify(problem)).not.toContain(shop.client.redirect_uris[0])
    const event = { rawPath: '/oauth2/authorize', headers: {} } as HttpEvent
    const page = await oauthErrorPage(deployed)(problem, event)
    expect(page?.html).toContain('a request')
    expect(page?.html).not.toContain('<pre')
  })
})
