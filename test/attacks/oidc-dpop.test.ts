import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createJwtMiddleware } from '../../lib/middleware/index.ts'
import type { Answer } from '../support/client.ts'
import { createProofKey, type ProofKey } from '../support/dpop.ts'
import {
  addRelyingParty,
  getCode,
  type IssuedCode,
  postToken,
  proveClient,
  type RelyingParty,
} from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Tokens that are bound to a key, and thieves who do not have it (RFC 9449, RFC 9700 2.2.1). */

const audience = 'https://films.example.com'
const scope = 'openid profile offline_access'
const service = await useService()
const bearer: string = (await addSignedIn(service)).bearer
const apis = { audiences: [audience], machine_permissions: ['films:view'] }
const app = await addRelyingParty(service, { type: 'public', requires_dpop: true, audiences: [audience] })
const server = await addRelyingParty(service, apis)
const [key, thief] = [await createProofKey(), await createProofKey('Ed25519')]

const tokenUrl = () => `${service.url}/oauth2/token`
const userinfoUrl = () => `${service.url}/oauth2/userinfo`
const prove = (by: ProofKey, claims = {}, header = {}) =>
  by.prove({ method: 'POST', url: tokenUrl() }, claims, header)
const send = (party: RelyingParty, form: Readonly<Record<string, string>>, proof?: string) =>
  postToken(service, { ...proveClient(party), ...form }, proof === undefined ? {} : { dpop: proof })
const exchange = (party: RelyingParty, { code, verifier }: IssuedCode, proof?: string) => {
  const redirect_uri = party.client.redirect_uris[0] ?? ''
  return send(party, { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }, proof)
}
const getTokens = async (party: RelyingParty, by: ProofKey, more = {}): Promise<Answer['body']> =>
  (await exchange(party, await getCode(service, party, bearer, { scope, ...more }), await prove(by))).body
const refresh = (party: RelyingParty, token: string, proof?: string) =>
  send(party, { grant_type: 'refresh_token', refresh_token: token }, proof)
const readUserinfo = async (authorization: string, proof?: string, method = 'GET') => {
  const headers = { authorization, ...(proof === undefined ? {} : { dpop: proof }) }
  const answer = await fetch(userinfoUrl(), { method, headers })
  return { status: answer.status, challenge: answer.headers.get('www-authenticate') ?? '' }
}

describe('an app whose tokens are bound to a key', () => {
  it('gets and refreshes tokens with the key alone', async () => {
    const tokens = await getTokens(app, key)
    expect(tokens.token_type).toBe('DPoP')
    expect(decodeJwt(tokens.access_token)['cnf']).toEqual({ jkt: key.thumbprint })
    const stolen = await refresh(app, tokens.refresh_token, await prove(thief))
    const bare = await refresh(app, tokens.refresh_token)
    expect([stolen, bare].map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'invalid_grant'],
      [400, 'invalid_grant'],
    ])
    const next = await refresh(app, tokens.refresh_token, await prove(key))
    expect([next.status, next.body.token_type]).toEqual([200, 'DPoP'])
    // The answer may have been lost: the same key gets it again, another one does not.
    const again = await refresh(app, tokens.refresh_token, await prove(key))
    expect(again.body.refresh_token).toBe(next.body.refresh_token)
    expect((await refresh(app, tokens.refresh_token, await prove(thief))).status).toBe(400)
  })

  it('gets nothing without a proof', async () => {
    const answer = await exchange(app, await getCode(service, app, bearer))
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant'])
  })

  it('gets a code for one key, and a thief of the code nothing', async () => {
    const issued = await getCode(service, app, bearer, { dpop_jkt: key.thumbprint })
    expect((await exchange(app, issued, await prove(thief))).body.error).toBe('invalid_grant')
    const other = await getCode(service, app, bearer, { dpop_jkt: key.thumbprint })
    expect((await exchange(app, other, await prove(key))).status).toBe(200)
  })

  it('pushes its authorization with the key that its code needs', async () => {
    const url = `${service.url}/oauth2/par`
    const form = new URLSearchParams({
      ...{ client_id: app.client.clientId, redirect_uri: app.client.redirect_uris[0] ?? '', scope: 'openid' },
      ...{ response_type: 'code', code_challenge_method: 'S256' },
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    })
    const proof = await key.prove({ method: 'POST', url })
    const pushed = await fetch(url, { method: 'POST', body: form, headers: { dpop: proof } })
    const { request_uri } = (await pushed.json()) as Record<string, string>
    const query = new URLSearchParams({ client_id: app.client.clientId, request_uri: request_uri ?? '' })
    const opened = await service.client('GET', `/oauth2/authorize?${query}`, { bearer })
    const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const issued = { code, verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' }
    expect((await exchange(app, issued, await prove(thief))).body.error).toBe('invalid_grant')
  })
})

describe('a proof', () => {
  it.each<[string, object, object]>([
    ['for another method', { htm: 'GET' }, {}],
    ['for another address', { htu: 'https://other.example/oauth2/token' }, {}],
    ['from an hour ago', { iat: Math.floor(Date.now() / 1000) - 3600 }, {}],
    ['from the future', { iat: Math.floor(Date.now() / 1000) + 3600 }, {}],
    ['without an identifier', { jti: undefined }, {}],
    ['of another type', {}, { typ: 'JWT' }],
  ])('%s is refused', async (_, claims, header) => {
    const issued = await getCode(service, app, bearer)
    const answer = await exchange(app, issued, await prove(key, claims, header))
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_dpop_proof'])
  })

  it.each([
    ['no JWT', () => 'x'],
    ['two JWTs', async () => `${await prove(key)}, ${await prove(key)}`],
    ['a huge text', () => 'x'.repeat(9000)],
    [
      'a JWT without a signature',
      async () => {
        const [header = '', payload] = (await prove(key)).split('.')
        const plain = { ...JSON.parse(Buffer.from(header, 'base64url').toString()), alg: 'none' }
        return `${Buffer.from(JSON.stringify(plain)).toString('base64url')}.${payload}.`
      },
    ],
    [
      'the signature of another key',
      async () => {
        const [one, two] = [await prove(key), await prove(key)].map((proof) => proof.split('.'))
        return [one?.[0], one?.[1], two?.[2]].join('.')
      },
    ],
  ])('that is %s is refused', async (_, make) => {
    const answer = await exchange(app, await getCode(service, app, bearer), await make())
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_dpop_proof'])
  })

  it('works once, also in 20 requests at the same moment', async () => {
    const proof = await prove(key)
    const codes = await Promise.all(Array.from({ length: 20 }, () => getCode(service, app, bearer)))
    const answers = await Promise.all(codes.map((issued) => exchange(app, issued, proof)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(19)
  })
})

describe('userinfo with a bound token', () => {
  let token: string
  beforeAll(async () => {
    token = (await getTokens(app, key)).access_token
  })
  const at = (method = 'GET') => ({ method, url: userinfoUrl(), token })

  it('answers its owner, once for each proof', async () => {
    const proof = await key.prove(at())
    const answers = await Promise.all(Array.from({ length: 10 }, () => readUserinfo(`DPoP ${token}`, proof)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await readUserinfo(`DPoP ${token}`, await key.prove(at('POST')), 'POST')).status).toBe(200)
  })

  it.each<[string, () => Promise<[string, string?]>]>([
    ['as a bearer token', async () => [`Bearer ${token}`, await key.prove(at())]],
    ['without a proof', async () => [`DPoP ${token}`]],
    ['with the key of a thief', async () => [`DPoP ${token}`, await thief.prove(at())]],
    ['with a proof of no token', async () => [`DPoP ${token}`, await key.prove({ ...at(), token: 'x' })]],
    ['with a proof for a change', async () => [`DPoP ${token}`, await key.prove(at('POST'))]],
    ['with a proof for tokens', async () => [`DPoP ${token}`, await key.prove({ ...at(), url: tokenUrl() })]],
  ])('refuses one %s', async (_, make) => {
    const { status, challenge } = await readUserinfo(...(await make()))
    expect([status, challenge.startsWith('DPoP error="invalid_dpop_proof"')]).toEqual([401, true])
  })

  it('refuses a token without a key that claims to have one', async () => {
    const issued = await getCode(service, server, bearer)
    const { access_token: plain } = (await exchange(server, issued)).body
    const proof = await key.prove({ method: 'GET', url: userinfoUrl(), token: plain })
    expect((await readUserinfo(`DPoP ${plain}`, proof)).status).toBe(401)
    expect((await readUserinfo(`Bearer ${plain}`)).status).toBe(200)
  })
})

describe('the API of a product', () => {
  const url = `${audience}/films?page=2`
  const receive = async (
    by: { token: string; scheme?: string; proof?: string; url?: string; method?: string },
    origin?: string,
  ) => {
    const api = createJwtMiddleware({
      baseUrl: service.url,
      audience,
      acceptsMachines: true,
      ...(origin ? { origin } : {}),
    })
    const headers = {
      authorization: `${by.scheme ?? 'DPoP'} ${by.token}`,
      ...(by.proof ? { dpop: by.proof } : {}),
    }
    const handle = api.web(() => new Response('films'))
    return [handle, new Request(by.url ?? url, { method: by.method ?? 'GET', headers })] as const
  }
  const call = async (...given: Parameters<typeof receive>) => {
    const [handle, request] = await receive(...given)
    return (await handle(request)).status
  }

  it('opens for the key of a token alone, and each proof once', async () => {
    const { access_token: token } = await getTokens(app, key, { resource: audience })
    const proof = () => key.prove({ method: 'GET', url: `${audience}/films`, token })
    expect(await call({ token, proof: await proof() }, audience)).toBe(200)
    // `Request` keeps the spelling of this method.
    const patch = await key.prove({ method: 'PATCH', url: `${audience}/films`, token })
    expect(await call({ token, proof: patch, method: 'patch' }, audience)).toBe(200)
    const [handle, request] = await receive({ token, proof: await proof() }, audience)
    expect([(await handle(request)).status, (await handle(request)).status]).toEqual([200, 401])
    const stolen = await Promise.all([
      call({ token, proof: await thief.prove({ method: 'GET', url: `${audience}/films`, token }) }, audience),
      call({ token }, audience),
      call({ token, scheme: 'Bearer', proof: await proof() }, audience),
      call({ token, proof: await proof(), url: `${audience}/users` }, audience),
      call({ token, proof: await proof() }, 'https://other.example'),
      // An API that does not know its address cannot verify a proof.
      call({ token, proof: await proof() }),
      call({ token, scheme: 'Bearer' }),
    ])
    expect(new Set(stolen)).toEqual(new Set([401]))
  })

  it('opens for a client without a user, and says to others that the token has a key', async () => {
    const form = { grant_type: 'client_credentials', resource: audience }
    const { body } = await send(server, form, await prove(key))
    expect(body.token_type).toBe('DPoP')
    const token: string = body.access_token
    const proof = await key.prove({ method: 'GET', url: `${audience}/films`, token })
    expect(await call({ token, proof }, audience)).toBe(200)
    expect(await call({ token, scheme: 'Bearer' }, audience)).toBe(401)
    const asked = await fetch(`${service.url}/oauth2/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ ...proveClient(server), token }),
    })
    expect(await asked.json()).toMatchObject({ token_type: 'DPoP', cnf: { jkt: key.thumbprint } })
  })
})
