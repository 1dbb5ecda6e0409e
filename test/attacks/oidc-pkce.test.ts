import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  postToken,
  proveClient,
  type RelyingParty,
  readRedirect,
} from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A client without PKCE, such as a load balancer, and what takes its place (RFC 9700 2.1.1 and 4.8). */

const service = await useService()
const admin: string = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
const bearer: string = (await addSignedIn(service)).bearer
const exempt = await addRelyingParty(service, { requires_pkce: false })
const strict = await addRelyingParty(service)

const without = { code_challenge: undefined, code_challenge_method: undefined }
const authorize = async (party: RelyingParty, overrides: Readonly<Record<string, string | undefined>>) => {
  const query = buildAuthorization(party, createPkce().challenge, overrides)
  return readRedirect(await service.client('GET', `/oauth2/authorize?${query}`, { bearer }))
}
const exchange = (party: RelyingParty, code: string, more: Readonly<Record<string, string>> = {}) =>
  postToken(service, {
    ...{ grant_type: 'authorization_code', code, redirect_uri: party.client.redirect_uris[0] ?? '' },
    ...proveClient(party),
    ...more,
  })

describe('a client that may do without PKCE', () => {
  it('gets tokens with a nonce, once', async () => {
    const nonce = randomUUID()
    const { code = '' } = await authorize(exempt, { ...without, nonce })
    const answer = await exchange(exempt, code)
    expect([answer.status, decodeJwt(answer.body.id_token)['nonce']]).toEqual([200, nonce])
    expect((await exchange(exempt, code)).body.error).toBe('invalid_grant')
  })

  it.each([
    ['no nonce', { nonce: undefined }],
    ['an empty nonce', { nonce: '' }],
  ])('gets no code with %s', async (_, overrides) => {
    const { code, error } = await authorize(exempt, { ...without, ...overrides })
    expect([code, error]).toEqual([undefined, 'invalid_request'])
  })

  it('keeps PKCE where it uses it: a stripped challenge and a missing verifier are refused', async () => {
    const stripped = await authorize(exempt, without)
    const { verifier } = createPkce()
    expect((await exchange(exempt, stripped['code'] ?? '', { code_verifier: verifier })).body.error).toBe(
      'invalid_grant',
    )
    const bound = await authorize(exempt, {})
    expect((await exchange(exempt, bound['code'] ?? '')).body.error).toBe('invalid_grant')
    for (const half of [{ code_challenge: undefined }, { code_challenge_method: 'plain' }])
      expect((await authorize(exempt, half))['error']).toBe('invalid_request')
  })

  it('is no other client, and a code is worth nothing without its secret', async () => {
    expect((await authorize(strict, without))['error']).toBe('invalid_request')
    const { code = '' } = await authorize(exempt, without)
    const foreign = { ...exempt, ...{ client: strict.client, secret: strict.secret } }
    expect((await exchange(foreign, code)).body.error).toBe('invalid_grant')
    expect((await exchange({ ...exempt, secret: 'wrong' }, code)).status).toBe(401)
  })

  it('is confidential, and loses the exemption at once', async () => {
    const create = (fields: object) =>
      service.client('POST', '/api/2/oidc-clients', {
        bearer: admin,
        body: { name: randomUUID(), redirect_uris: ['https://lb.example/oauth2/idpresponse'], ...fields },
      })
    const refused = await create({ type: 'public', requires_pkce: false })
    expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([400, 'requires_pkce'])
    const { body: made } = await create({ requires_pkce: false })
    expect(made.requires_pkce).toBe(false)
    const party = {
      client: { ...exempt.client, clientId: made.client_id, redirect_uris: made.redirect_uris },
      secret: made.client_secret,
    }
    const plain = { ...without, scope: 'openid' }
    expect((await authorize(party, plain))['code']).toBeDefined()
    const path = `/api/2/oidc-clients/${made.id}`
    expect(
      (await service.client('PATCH', path, { bearer: admin, body: { requires_pkce: true } })).status,
    ).toBe(200)
    expect((await authorize(party, plain))['error']).toBe('invalid_request')
  })
})
