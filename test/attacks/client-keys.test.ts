import { randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { allowInsecureRequests, clientCredentialsGrant, discovery, PrivateKeyJwt } from 'openid-client'
import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonValue } from '../support/client.ts'
import { addRelyingParty, exchangeCode, getCode, postToken, proveClient } from '../support/oidc.ts'
import { ensureApi } from '../support/oidc-clients.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Clients that prove who they are by a key of their own (RFC 7523), and assertions of others. */

const films = 'https://films.example.com'
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const service = await useService({ RATE_LIMITS: 'lookUpFailures=1000/600' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
await ensureApi(service.services.table, films, { permissions: ['films:view'] })

interface Key {
  readonly privateKey: CryptoKey
  readonly publicJwk: JWK
}
interface KeyClient {
  readonly id: number
  readonly clientId: string
}
const makeKey = async (alg = 'ES256'): Promise<Key> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { privateKey, publicJwk: await exportJWK(publicKey) }
}
const call = callAs(service, admin)
const register = async (fields: object): Promise<JsonValue> =>
  await call('POST', 'oidc-clients', {
    ...{ name: randomUUID(), redirect_uris: ['https://app.example/cb'], machine_permissions: ['films:view'] },
    apis: [{ audience: films, scopes: [] }],
    ...fields,
  })
const addKeyClient = async (...keys: readonly JWK[]): Promise<KeyClient> => {
  const { status, body, text } = await register({ public_keys: keys })
  expect(status, text).toBe(201)
  expect([body.client_secret, body.has_client_secret]).toEqual([null, false])
  return { id: body.id, clientId: body.client_id }
}
const sign = (
  { clientId }: KeyClient,
  { privateKey }: Key,
  { alg = 'ES256', header = {}, ...claims }: JsonValue = {},
): Promise<string> => {
  const now = Math.floor(Date.now() / 1000)
  const usual = { iss: clientId, sub: clientId, aud: service.url, jti: randomUUID(), iat: now, exp: now + 60 }
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg, ...header }).sign(privateKey)
}
const send = (client_assertion: string, form: Readonly<Record<string, string>> = {}, headers = {}) =>
  postToken(
    service,
    {
      ...{ grant_type: 'client_credentials', client_assertion_type: assertionType, client_assertion },
      ...form,
    },
    headers,
  )
const refused = { status: 401, body: { error: 'invalid_client' } }

describe('an assertion of a key of the client', () => {
  it.each(['ES256', 'RS256', 'PS256', 'EdDSA'])('is accepted with %s, once', async (alg) => {
    const key = await makeKey(alg)
    const client = await addKeyClient(key.publicJwk)
    const assertion = await sign(client, key, { alg })
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(assertion)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
    expect(await send(assertion)).toMatchObject(refused)
  })

  it('exchanges codes, introspects and revokes like a secret', async () => {
    const key = await makeKey()
    const client = await addKeyClient(key.publicJwk)
    const known = {
      client: { clientId: client.clientId, redirect_uris: ['https://app.example/cb'], type: 'confidential' },
      secret: '',
    } as const
    const issued = await getCode(service, known, admin.bearer, { scope: 'openid' })
    const { client_secret: _, ...proof } = proveClient(known)
    const form = { ...proof, client_secret: '', client_assertion_type: assertionType }
    const tokens = await exchangeCode(service, known, issued, {
      ...form,
      client_assertion: await sign(client, key),
    })
    expect([tokens.status, typeof tokens.body.id_token]).toEqual([200, 'string'])
    const post = async (path: string) =>
      service.client('POST', `/oauth2/${path}`, {
        raw: String(
          new URLSearchParams({
            ...{ token: tokens.body.access_token, client_assertion_type: assertionType },
            client_assertion: await sign(client, key),
          }),
        ),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await post('introspect')).body.active).toBe(true)
    expect((await post('revoke')).status).toBe(200)
    expect((await post('introspect')).body.active).toBe(false)
  })

  it('is sent by openid-client', async () => {
    const key = await makeKey()
    const { clientId } = await addKeyClient({ ...key.publicJwk, kid: 'a' })
    const config = await discovery(
      new URL(service.url),
      clientId,
      undefined,
      PrivateKeyJwt({ key: key.privateKey, kid: 'a' }),
      { execute: [allowInsecureRequests] },
    )
    expect((await clientCredentialsGrant(config)).token_type.toLowerCase()).toBe('bearer')
  })

  it('counts no longer once the key was taken from the client', async () => {
    const [before, after] = [await makeKey(), await makeKey()]
    const client = await addKeyClient(before.publicJwk, after.publicJwk)
    for (const key of [before, after]) expect((await send(await sign(client, key))).status).toBe(200)
    await call('PATCH', `oidc-clients/${client.id}`, { public_keys: [after.publicJwk] })
    expect(await send(await sign(client, before))).toMatchObject(refused)
    expect((await send(await sign(client, after))).status).toBe(200)
  })
})

describe('an assertion is refused', () => {
  let key: Key
  let client: KeyClient
  beforeAll(async () => {
    key = await makeKey()
    client = await addKeyClient(key.publicJwk)
  })
  const now = () => Math.floor(Date.now() / 1000)

  it.each([
    ['for another service', () => ({ aud: 'https://other.example' })],
    ['for no service', () => ({ aud: undefined })],
    ['for the token endpoint', () => ({ aud: `${service.url}/oauth2/token` })],
    ['for this service in a list', () => ({ aud: [service.url] })],
    ['for another service as well', () => ({ aud: [service.url, 'https://other.example'] })],
    ['for the same address in other spelling', () => ({ aud: `${service.url}/` })],
    ['for userinfo', () => ({ aud: `${service.url}/oauth2/userinfo` })],
    ['of another issuer', () => ({ iss: '1-000000000000000000000000' })],
    ['about another client', () => ({ sub: '1-000000000000000000000000' })],
    ['without an end', () => ({ exp: undefined })],
    ['that has expired', () => ({ exp: now() - 10 })],
    ['that lasts for long', () => ({ exp: now() + 3600 })],
    ['of the future', () => ({ nbf: now() + 60 })],
    ['without an identifier', () => ({ jti: undefined })],
    ['with an empty identifier', () => ({ jti: '' })],
    ['with a list as its identifier', () => ({ jti: ['a'] })],
    ['of another kind', () => ({ header: { typ: 'at+jwt' } })],
    ['with a critical header', () => ({ header: { crit: ['x'], x: 1 } })],
  ])('%s', async (_, change) => {
    expect(await send(await sign(client, key, change()).catch(() => 'unsigned'))).toMatchObject(refused)
  })

  it('with a key of somebody else, also one that it brings along', async () => {
    const other = await makeKey()
    for (const header of [{}, { jwk: other.publicJwk }, { jku: 'https://evil.example/jwks' }])
      expect(await send(await sign(client, other, { header }))).toMatchObject(refused)
  })

  it('with no algorithm, or with the public key as a secret', async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const [, payload] = (await sign(client, key)).split('.')
    expect(await send(`${encode({ alg: 'none' })}.${payload}.`)).toMatchObject(refused)
    const asSecret = new TextEncoder().encode(JSON.stringify(key.publicJwk))
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(asSecret)
    expect(await send(forged)).toMatchObject(refused)
  })

  it('with a second method, another client or another type', async () => {
    const { client: other, secret } = await addRelyingParty(service)
    const basic = `Basic ${Buffer.from(`${other.clientId}:${secret}`).toString('base64')}`
    const tries = [
      send(await sign(client, key), { client_secret: secret }),
      send(await sign(client, key), {}, { authorization: basic }),
      send(await sign(client, key), { client_id: other.clientId }),
      send(await sign(client, key), { client_assertion_type: 'urn:other' }),
      postToken(service, {
        ...{ grant_type: 'client_credentials', client_id: client.clientId },
        client_assertion_type: assertionType,
      }),
      send(`${await sign(client, key)}${'a'.repeat(20_000)}`),
      send('__proto__'),
    ]
    for (const answer of await Promise.all(tries)) expect(answer).toMatchObject(refused)
  })

  it('by a client without keys, and by the text that stands for a proof inside', async () => {
    const { client: known } = await addRelyingParty(service)
    expect(await send(await sign({ id: known.id, clientId: known.clientId }, key))).toMatchObject(refused)
    const form = { grant_type: 'client_credentials', client_id: client.clientId }
    for (const secret of ['', 'proven by an assertion', 'stored as a hash'])
      expect(await postToken(service, { ...form, client_secret: secret })).toMatchObject(refused)
  })
})

describe('a client cannot have', () => {
  it.each([
    ['a private key', async () => exportJWK((await makeKey()).privateKey), 'public_keys.0.d'],
    ['a short RSA key', async () => ({ kty: 'RSA', n: 'AQAB'.repeat(20), e: 'AQAB' }), 'public_keys.0'],
    ['another curve', async () => (await makeKey('ES384')).publicJwk, 'public_keys.0'],
    ['a key for encryption', async () => ({ ...(await makeKey()).publicJwk, use: 'enc' }), 'public_keys.0'],
    ['another algorithm', async () => ({ ...(await makeKey()).publicJwk, alg: 'HS256' }), 'public_keys.0'],
    ['a secret as its key', async () => ({ kty: 'oct', k: 'AQAB' }), 'public_keys.0.kty'],
    ['half a key', async () => ({ kty: 'EC', crv: 'P-256', x: 'AQAB' }), 'public_keys.0'],
  ])('%s', async (_, make, field) => {
    const { status, body } = await register({ public_keys: [await make()] })
    expect(status).toBe(400)
    expect(body.errors.map((error: { field: string }) => error.field)).toContain(field)
  })

  it('six keys, or any as a public one', async () => {
    const { publicJwk } = await makeKey()
    expect((await register({ public_keys: Array(6).fill(publicJwk) })).status).toBe(400)
    const fields = { type: 'public', machine_permissions: null, public_keys: [publicJwk] }
    expect((await register(fields)).body.errors[0].field).toBe('public_keys.0')
  })
})
