import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { findAuthorizerRefusal } from '../support/api-gateway-jwt.ts'
import type { JsonValue } from '../support/client.ts'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Servers of products verify tokens of clients with what discovery says: by the rules of API Gateway, and with a library. */

const audience = 'https://shop.example.com'
const service = await useService()
const person = await addSignedIn(service, { permissions: ['films:view'] })
const shop = await addRelyingParty(service, { audiences: [audience], permissions: ['films:view'] })
const tokens: JsonValue = await getTokens(service, shop, person.bearer, { resource: audience })
const metadata: JsonValue = await (await fetch(`${service.url}/.well-known/openid-configuration`)).json()
const keySet: JsonValue = await (await fetch(metadata.jwks_uri)).json()

const askApiGateway = (token: string, nowMs = Date.now()): string | undefined => {
  const authorizer = {
    issuer: metadata.issuer,
    audiences: [audience],
    authorizationScopes: ['profile'],
    keySet,
  }
  return findAuthorizerRefusal(authorizer, `Bearer ${token}`, nowMs)
}
const askLibrary = (token: string, currentDate = new Date()) =>
  jwtVerify(token, createRemoteJWKSet(new URL(metadata.jwks_uri)), {
    issuer: metadata.issuer,
    audience,
    typ: 'at+jwt',
    algorithms: ['RS256'],
    currentDate,
  })

it('an access token is accepted, until it expires', async () => {
  const { access_token: token } = tokens
  expect(askApiGateway(token)).toBeUndefined()
  expect((await askLibrary(token)).payload).toMatchObject({ permissions: ['films:view'] })
  const { iat = 0, exp = 0 } = decodeJwt(token)
  expect(askApiGateway(token, (exp + 1) * 1000)).toBe('expired')
  await expect(askLibrary(token, new Date((exp + 1) * 1000))).rejects.toThrow('"exp" claim')
  expect(askApiGateway(token, (iat - 60) * 1000)).toBe('issued in the future')
})

it('an ID token is refused, because it is for the client', async () => {
  expect(askApiGateway(tokens.id_token)).toBe('the audience is another one')
  await expect(askLibrary(tokens.id_token)).rejects.toThrow()
})

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const isRefusedByApiGateway = (token: string): boolean => {
  try {
    return askApiGateway(token) !== undefined
  } catch {
    // The token cannot be parsed.
    return true
  }
}

it('a forged access token is refused', async () => {
  const good: string = tokens.access_token
  const [head = '', claims = '', signature = ''] = good.split('.')
  const { kid } = decodeProtectedHeader(good)
  const payload = decodeJwt(good)
  const jwk = keySet.keys.find((key: JsonValue) => key.kid === kid)
  const pem = String(createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }))
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ownJwk = own.publicKey.export({ format: 'jwk' })
  const byOwnKey = (header: object, changes: object = {}) =>
    new SignJWT({ ...payload, ...changes })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', ...header })
      .sign(own.privateKey)
  const bySecret = (secret: string): string => {
    const text = `${encode({ alg: 'HS256', typ: 'at+jwt', kid })}.${claims}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  const withHead = (header: object): string => `${encode(header)}.${claims}.${signature}`
  const forged: Readonly<Record<string, string>> = {
    'no algorithm': `${encode({ alg: 'none', typ: 'at+jwt', kid })}.${claims}.`,
    'an algorithm in other letters': `${encode({ alg: 'nOnE', typ: 'at+jwt', kid })}.${claims}.`,
    'no signature': `${head}.${claims}.`,
    'the public key as a secret': bySecret(pem),
    'the modulus as a secret': bySecret(jwk.n),
    'another key with the same name': await byOwnKey({ kid }),
    'its own key in the header': await byOwnKey({ kid, jwk: ownJwk }),
    'an address of its own key': await byOwnKey({ kid: 'own', jku: 'https://evil.example/keys' }),
    'a certificate of its own key': await byOwnKey({ kid, x5c: [Buffer.from(pem).toString('base64')] }),
    'no name of a key': await byOwnKey({}),
    'a path as the name of a key': await byOwnKey({ kid: '../../dev/null' }),
    'an extension that must be understood': withHead({ alg: 'RS256', typ: 'at+jwt', kid, crit: ['exp'] }),
    'a payload that is not encoded': withHead({ alg: 'RS256', kid, b64: false, crit: ['b64'] }),
    'changed permissions': `${head}.${encode({ ...payload, permissions: ['system:admin-access'] })}.${signature}`,
    'a huge end': `${head}.${encode({ ...payload, exp: 2 ** 53 })}.${signature}`,
    'the header of the ID token': `${tokens.id_token.split('.')[0]}.${claims}.${signature}`,
    'the signature of the ID token': `${head}.${claims}.${tokens.id_token.split('.')[2]}`,
    'more than a header holds': `${good}${'A'.repeat(20_000)}`,
    'five parts': `${good}.x.y`,
    'one part': head,
  }
  for (const [name, token] of Object.entries(forged)) {
    expect([name, isRefusedByApiGateway(token)]).toEqual([name, true])
    await expect(askLibrary(token), name).rejects.toThrow()
  }
  expect(askApiGateway(good)).toBeUndefined()
})

it('an access token is refused for another issuer, audience or scope', () => {
  const { access_token: token } = tokens
  const right = { issuer: metadata.issuer, audiences: [audience], keySet }
  for (const [changes, reason] of [
    [{ issuer: `${metadata.issuer}/` }, 'the issuer is another one'],
    [{ issuer: 'https://auth.example.com' }, 'the issuer is another one'],
    [{ audiences: ['https://shop.example.com/'] }, 'the audience is another one'],
    [{ audiences: [decodeJwt(token)['client_id'] as string] }, 'the audience is another one'],
    [{ authorizationScopes: ['films:edit'] }, 'a scope is missing'],
  ] as const)
    expect(findAuthorizerRefusal({ ...right, ...changes }, `Bearer ${token}`, Date.now())).toBe(reason)
})
