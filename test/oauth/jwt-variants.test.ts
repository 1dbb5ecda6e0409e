import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import { getSigningKey } from '../../lib/features/oauth/signing-keys/signing-key.ts'
import { createIdentify, statusOf } from '../middleware/identify.ts'
import { httpEvent, restEvent } from '../support/authorizer-events.ts'
import type { JsonValue } from '../support/client.ts'
import { flipBit } from '../support/flip-bit.ts'
import { addRelyingParty, getTokens, proveClient } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Tokens with the signature of the service that it would never issue, and forged ones in the classes of the Wycheproof
 * vectors for JWS. Everything that verifies tokens comes to the same decision, and nothing fails on one.
 */

const audience = 'https://shop.example.com'
const service = await useService({ JWT_AUDIENCES: audience, RATE_LIMITS: 'lookUpFailures=100000/60' })
const person = await addSignedIn(service)
const shop = await addRelyingParty(service, { audiences: [audience] })
const goods: Readonly<Record<string, string>> = {
  'an API': (await getTokens(service, shop, person.bearer, { resource: audience })).access_token,
  userinfo: (await getTokens(service, shop, person.bearer)).access_token,
}
const privateKey: KeyObject = (await getSigningKey(service.services)).privateKey
const settings = { ...process.env, AUTHORIZER_AUDIENCES: audience }
const forHttp = createAuthorizer(settings)
const identify = createIdentify(service, { audience })
/** A valid token, of which the variants are made. */
let good: string

const postForm = (path: string, token: string) =>
  service.client('POST', `/oauth2/${path}`, {
    raw: String(new URLSearchParams({ token, ...proveClient(shop) })),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const deciders: Readonly<Record<string, (token: string) => Promise<boolean>>> = {
  userinfo: async (token) => {
    const answer = await fetch(`${service.url}/oauth2/userinfo`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ access_token: token }),
    })
    expect([200, 401]).toContain(answer.status)
    return answer.status === 200
  },
  introspection: async (token) => {
    const answer = await postForm('introspect', token)
    expect(answer.status).toBe(200)
    return answer.body.active
  },
  middleware: async (token) => {
    const status = await statusOf(identify(token))
    expect([200, 401]).toContain(status)
    return status === 200
  },
  'HTTP authorizer': async (token) => {
    const answer: JsonValue = await forHttp(httpEvent(token))
    return answer.isAuthorized
  },
  'REST authorizer': async (token) => {
    try {
      const answer: JsonValue = await forHttp(restEvent(token))
      return answer.policyDocument.Statement[0].Effect === 'Allow'
    } catch (error) {
      expect(error).toMatchObject({ message: 'Unauthorized' })
      return false
    }
  },
}

const encode = (text: string): string => Buffer.from(text).toString('base64url')
const decode = (part = ''): string => Buffer.from(part, 'base64url').toString()
const readGood = () => {
  const [head = '', claims = '', signature = ''] = good.split('.')
  return { head, claims, signature, header: JSON.parse(decode(head)), payload: JSON.parse(decode(claims)) }
}
/** Signs texts as they are with the key of the service. */
const signTexts = (head: string, claims: string, key = privateKey): string => {
  const input = `${encode(head)}.${encode(claims)}`
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}
const withClaims = (changes: object): string => {
  const { header, payload } = readGood()
  return signTexts(JSON.stringify(header), JSON.stringify({ ...payload, ...changes }))
}
/** JSON has numbers that JavaScript does not write. */
const withRawClaim = (name: string, json: string): string => {
  const { header, payload } = readGood()
  const { [name]: _, ...others } = payload
  return signTexts(JSON.stringify(header), `${JSON.stringify(others).slice(0, -1)},"${name}":${json}}`)
}
const withHeader = (changes: object): string => {
  const { header, payload } = readGood()
  return signTexts(JSON.stringify({ ...header, ...changes }), JSON.stringify(payload))
}

const decide = async (token: string): Promise<Readonly<Record<string, boolean>>> => {
  const decisions: Record<string, boolean> = {}
  for (const [name, isAccepted] of Object.entries(deciders)) decisions[name] = await isAccepted(token)
  expect((await service.client('GET', '/api/2/users/me', { bearer: token })).status).toBe(401)
  return decisions
}
const allOf = (value: boolean) => Object.fromEntries(Object.keys(deciders).map((name) => [name, value]))

const expectRefused = async (variants: Readonly<Record<string, string>>) => {
  for (const [name, token] of Object.entries(variants)) {
    expect([name, await decide(token)]).toEqual([name, allOf(false)])
    expect([name, (await postForm('revoke', token)).status]).toEqual([name, 200])
  }
  const isForUserinfo = good === goods['userinfo']
  expect(await decide(good)).toEqual({
    ...allOf(!isForUserinfo),
    userinfo: isForUserinfo,
    introspection: true,
  })
}

describe.each(['an API', 'userinfo'])('for %s', (purpose) => {
  beforeAll(() => {
    good = goods[purpose] ?? ''
  })

  describe('a token with the signature of the service is refused everywhere', () => {
    it('with times that it never states', async () => {
      const now = Math.floor(Date.now() / 1000)
      const numbers = ['1e300', '1e999', '-1', '0', '-0', '1.5', '9007199254740993', '-1e300', '"1e300"']
      const others = ['null', 'true', '[]', '{}', `[${now}]`, `"${now + 300}"`, '""']
      await expectRefused({
        ...Object.fromEntries(
          ['exp', 'iat'].flatMap((name) =>
            [...numbers, ...others].map((json) => [`${name} ${json}`, withRawClaim(name, json)]),
          ),
        ),
        ...Object.fromEntries(
          ['"soon"', '{}', '[]', '1e300', '1e999', String(now + 600)].map((json) => [
            `nbf ${json}`,
            withRawClaim('nbf', json),
          ]),
        ),
        ...Object.fromEntries(
          ['"now"', '{}', '[1]', '1e300', '1e999', '-1', '0.5', 'null'].map((json) => [
            `auth_time ${json}`,
            withRawClaim('auth_time', json),
          ]),
        ),
        'iat in the future': withClaims({ iat: now + 60, exp: now + 120 }),
        'exp before iat': withClaims({ iat: now - 10, exp: now - 20 }),
        'a lifetime of a day': withClaims({ iat: now, exp: now + 86_400 }),
        'a lifetime of a second more than an hour': withClaims({ iat: now, exp: now + 3601 }),
        'an end that has passed': withClaims({ iat: now - 600, exp: now - 10 }),
        'a beginning long ago': withClaims({ iat: now - 7200, exp: now + 300 }),
      })
    })

    it('with names that it never states', async () => {
      const texts = ['1', '{}', '[]', 'null', 'true', '["x"]', '{"toString":1}', '""', '"__proto__"']
      const named = ['sub', 'iss', 'aud', 'client_id', 'sid', 'jti']
      await expectRefused({
        ...Object.fromEntries(
          named.flatMap((name) =>
            texts
              // Whether a client or a session exists is not known to middleware.
              .filter((json) => json !== '"__proto__"' || name === 'sub' || name === 'iss')
              .map((json) => [`${name} ${json}`, withRawClaim(name, json)]),
          ),
        ),
        ...Object.fromEntries(
          ['scope', 'preferred_username', 'groups', 'permissions'].flatMap((name) =>
            ['1', '{}', 'null', 'true', '[1]', '[null]', '[["a"]]', '{"length":1}'].map((json) => [
              `${name} ${json}`,
              withRawClaim(name, json),
            ]),
          ),
        ),
        ...Object.fromEntries(
          [
            '1',
            '"1"',
            '[]',
            'null',
            '{}',
            '{"sub":1,"preferred_username":"a"}',
            '{"sub":""}',
            '{"sub":"x","preferred_username":"a"}',
          ].map((json) => [`act ${json}`, withRawClaim('act', json)]),
        ),
        ...Object.fromEntries(
          ['"1"', '{}', '[]', '1.5', 'null', '1e300'].map((json) => [
            `access_link ${json}`,
            withRawClaim('access_link', json),
          ]),
        ),
        ...Object.fromEntries(
          [
            '"0"',
            '"01"',
            '"-1"',
            '"1e3"',
            '" 1"',
            '"1 "',
            '"0x1"',
            '"99999999999999999999"',
            '"1.0"',
            '"constructor"',
          ].map((json) => [`sub ${json}`, withRawClaim('sub', json)]),
        ),
        'no claims': signTexts(JSON.stringify(readGood().header), '{}'),
        'claims that are a list': signTexts(JSON.stringify(readGood().header), '[]'),
        'claims that are null': signTexts(JSON.stringify(readGood().header), 'null'),
        'claims that are a text': signTexts(JSON.stringify(readGood().header), '"x"'),
        'claims that are not JSON': signTexts(JSON.stringify(readGood().header), '{'),
        'claims that are not UTF-8': signTexts(JSON.stringify(readGood().header), '\u0000\ufffd'),
        'no bytes': signTexts(JSON.stringify(readGood().header), ''),
      })
    })

    it('with a header that it never writes', async () => {
      const { header } = readGood()
      const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const payload = JSON.stringify(readGood().payload)
      await expectRefused({
        ...Object.fromEntries(
          [
            '__proto__',
            'constructor',
            'toString',
            '../../dev/null',
            `${header.kid} `,
            '',
            ' ',
            '*',
            '0',
            "' OR 1=1 --",
          ].map((kid) => [`kid ${kid}`, withHeader({ kid })]),
        ),
        'kid as a number': withHeader({ kid: 1 }),
        'kid as a list': withHeader({ kid: [header.kid] }),
        'kid as an object': withHeader({ kid: {} }),
        'no kid': withHeader({ kid: undefined }),
        'alg in small letters': withHeader({ alg: 'rs256' }),
        'alg as a list': withHeader({ alg: ['RS256'] }),
        'alg none': withHeader({ alg: 'none' }),
        'another RSA algorithm': withHeader({ alg: 'RS512' }),
        'RSA-PSS': withHeader({ alg: 'PS256' }),
        'no alg': withHeader({ alg: undefined }),
        'an unknown crit': withHeader({ crit: ['x'], x: 1 }),
        'a crit without its member': withHeader({ crit: ['exp'] }),
        'an empty crit': withHeader({ crit: [] }),
        'crit as a text': withHeader({ crit: 'b64' }),
        'b64 false': withHeader({ b64: false, crit: ['b64'] }),
        'typ JWT': withHeader({ typ: 'JWT' }),
        'typ logout+jwt': withHeader({ typ: 'logout+jwt' }),
        'typ as a list': withHeader({ typ: ['at+jwt'] }),
        'no typ': withHeader({ typ: undefined }),
        'a nested token': withHeader({ typ: 'at+jwt', cty: 'JWT', alg: 'dir' }),
        'duplicate alg, none last': signTexts(
          `{"alg":"RS256","typ":"at+jwt","kid":"${header.kid}","alg":"none"}`,
          payload,
        ),
        'duplicate kid, own last': signTexts(
          `{"alg":"RS256","typ":"at+jwt","kid":"${header.kid}","kid":"x"}`,
          payload,
        ),
        'a header that is a list': signTexts('[]', payload),
        'a header that is null': signTexts('null', payload),
        'a header that is not JSON': signTexts('{', payload),
        'its own key in the header': signTexts(
          JSON.stringify({ ...header, jwk: own.publicKey.export({ format: 'jwk' }) }),
          payload,
          own.privateKey,
        ),
        'an address of its own key': signTexts(
          JSON.stringify({
            ...header,
            kid: 'own',
            jku: 'http://127.0.0.1:1/keys',
            x5u: 'http://127.0.0.1:1/x',
          }),
          payload,
          own.privateKey,
        ),
        'a certificate of its own': signTexts(
          JSON.stringify({ ...header, x5c: ['MIIB'], x5t: 'x' }),
          payload,
          own.privateKey,
        ),
      })
    })
  })

  it('a token without the signature of the service is refused everywhere', async () => {
    const { head, claims, signature, header } = readGood()
    const jwk = (await service.client('GET', '/.well-known/jwks.json')).body.keys[0]
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    const secrets = {
      pem: String(publicKey.export({ type: 'spki', format: 'pem' })),
      der: publicKey.export({ type: 'spki', format: 'der' }),
      modulus: String(jwk.n),
      jwk: JSON.stringify(jwk),
      empty: '',
      kid: String(jwk.kid),
    }
    const byHmac = (alg: string, hash: string, secret: string | Buffer): string => {
      const input = `${encode(JSON.stringify({ ...header, alg }))}.${claims}`
      return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`
    }
    const withSignature = (bytes: Buffer, alg = 'RS256') =>
      `${encode(JSON.stringify({ ...header, alg }))}.${claims}.${bytes.toString('base64url')}`
    const ec = (namedCurve: string, alg: string, hash: string) => {
      const { privateKey: key } = generateKeyPairSync('ec', { namedCurve })
      const input = `${encode(JSON.stringify({ ...header, alg }))}.${claims}`
      const bytes = sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
      return `${input}.${bytes.toString('base64url')}`
    }
    const bytes = Buffer.from(signature, 'base64url')
    await expectRefused({
      ...Object.fromEntries(
        ['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg) =>
          ['', signature].map((end) => [
            `alg ${alg} with ${end.length} characters`,
            `${encode(JSON.stringify({ ...header, alg }))}.${claims}.${end}`,
          ]),
        ),
      ),
      ...Object.fromEntries(
        Object.entries(secrets).flatMap(([name, secret]) => [
          [`HS256 by the ${name}`, byHmac('HS256', 'sha256', secret)],
          [`HS512 by the ${name}`, byHmac('HS512', 'sha512', secret)],
        ]),
      ),
      'no signature': `${head}.${claims}.`,
      'a truncated signature': withSignature(bytes.subarray(0, -1)),
      'half a signature': withSignature(bytes.subarray(0, 128)),
      'a longer signature': withSignature(Buffer.concat([bytes, Buffer.alloc(1)])),
      'a leading zero': withSignature(Buffer.concat([Buffer.alloc(1), bytes])),
      zeros: withSignature(Buffer.alloc(256)),
      ones: withSignature(Buffer.alloc(256, 255)),
      'the number one': withSignature(Buffer.concat([Buffer.alloc(255), Buffer.from([1])])),
      'the modulus': withSignature(Buffer.from(String(jwk.n), 'base64url')),
      'ES256 with zeros': withSignature(Buffer.alloc(64), 'ES256'),
      'ES256 with an empty DER signature': withSignature(Buffer.from('3006020100020100', 'hex'), 'ES256'),
      'ES384 with zeros': withSignature(Buffer.alloc(96), 'ES384'),
      'a key of P-256': ec('prime256v1', 'ES256', 'sha256'),
      'a key of P-384 as ES256': ec('secp384r1', 'ES256', 'sha256'),
      'a key of secp256k1': ec('secp256k1', 'ES256K', 'sha256'),
      'EdDSA with zeros': withSignature(Buffer.alloc(64), 'EdDSA'),
      'another payload': `${head}.${encode('{"sub":"1"}')}.${signature}`,
      'two parts': `${head}.${claims}`,
      'four parts': `${good}.x`,
      'five parts': `${good}.x.y`,
      'three dots': '...',
      'no text': '.',
      'the payload twice': `${head}.${claims}.${claims}`,
      'JSON serialization': JSON.stringify({ protected: head, payload: claims, signature }),
    })
  })

  it('a token in another spelling is refused everywhere', async () => {
    const { head, claims, signature } = readGood()
    const standard = good.replaceAll('-', '+').replaceAll('_', '/')
    const variants: Record<string, string> = {
      // 256 bytes leave four unused bits in the last character.
      'unused bits in the signature': `${head}.${claims}.${flipBit(signature, -1)}`,
      'padding of the signature': `${good}==`,
      'padding of the header': `${head}=.${claims}.${signature}`,
      'a space in the signature': `${head}.${claims}.${signature.slice(0, 9)} ${signature.slice(9)}`,
      'a line break in the signature': `${head}.${claims}.${signature.slice(0, 9)}\n${signature.slice(9)}`,
      'a line break in the payload': `${head}.${claims.slice(0, 9)}\r\n${claims.slice(9)}.${signature}`,
      'a tab before a dot': `${head}\t.${claims}.${signature}`,
      'a character of no alphabet': `${head}.${claims}.${signature.slice(0, 9)}!${signature.slice(9)}`,
      'a letter beyond ASCII': `${good}é`,
    }
    if (standard !== good) variants['the alphabet of base64'] = standard
    for (const [name, token] of Object.entries(variants)) {
      const accepted = {
        introspection: await deciders['introspection']?.(token),
        userinfo: await deciders['userinfo']?.(token),
      }
      expect([name, accepted]).toEqual([name, { introspection: false, userinfo: false }])
      // A header cannot hold all of them.
      if (/^[\x21-\x7e]+$/.test(token)) expect([name, await decide(token)]).toEqual([name, allOf(false)])
    }
  })
})
