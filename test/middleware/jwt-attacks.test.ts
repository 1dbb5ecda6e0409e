import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { createIdentify, statusOf } from './identify.ts'
import { audience, startIssuer } from './issuer.ts'

const issuer = closeAfterTests(await startIssuer())

describe('a token of an attacker', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  it('is refused if it is not signed, or signed with the public key as a secret', async () => {
    const identify = createIdentify(issuer)
    const [header, payload, signature] = (await issuer.sign()).split('.')
    const { keys } = (await (await fetch(`${issuer.url}/.well-known/jwks.json`)).json()) as { keys: object[] }
    const secret = new TextEncoder().encode(JSON.stringify(keys[0]))
    const confused = await new SignJWT(issuer.claims())
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'first' })
      .sign(secret)
    for (const token of [
      `${encode({ alg: 'none', typ: 'at+jwt', kid: 'first' })}.${payload}.`,
      `${encode({ alg: 'NONE', typ: 'at+jwt', kid: 'first' })}.${payload}.${signature}`,
      `${encode({ typ: 'at+jwt', kid: 'first' })}.${payload}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${header}.${encode({ ...issuer.claims(), sub: '1' })}.${signature}`,
      `${header}..${signature}`,
      `${header}.${payload}.${signature}.${signature}.`,
      confused,
      '..',
      'a.b.c',
      'lks_unknown',
    ])
      expect(await statusOf(identify(token))).toBe(401)
  })

  it('is refused with a key of its own, wherever the header puts it', async () => {
    const identify = createIdentify(issuer)
    const own = await generateKeyPair('RS256', { extractable: true })
    const jwk = await exportJWK(own.publicKey)
    for (const header of [
      { kid: 'first' },
      { kid: 'unknown' },
      { kid: '../../first' },
      { kid: 'first', jwk },
      { kid: 'first', jku: `${issuer.url}/own-keys` },
      { kid: 'first', x5u: `${issuer.url}/own-keys`, x5c: ['MIIB'] },
      {},
    ]) {
      const token = await new SignJWT(issuer.claims())
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', ...header })
        .sign(own.privateKey)
      expect(await statusOf(identify(token))).toBe(401)
    }
  })

  it('is refused with headers that change how it is read', async () => {
    const identify = createIdentify(issuer)
    const sign = async (header: object): Promise<string> => {
      const token = await issuer.sign()
      const [, payload, signature] = token.split('.')
      return `${encode({ alg: 'RS256', typ: 'at+jwt', kid: 'first', ...header })}.${payload}.${signature}`
    }
    for (const header of [
      { crit: ['exp'], exp: 1 },
      { crit: ['b64'], b64: false },
      { crit: [] },
      { b64: false },
      { kid: 7 },
      { kid: ['first'] },
      { alg: ['RS256'] },
      { alg: 'RS512' },
      { alg: 'PS256' },
    ])
      expect([header, await statusOf(sign(header).then((token) => identify(token)))]).toEqual([header, 401])
  })

  it('is refused if it was issued for something else', async () => {
    const identify = createIdentify(issuer)
    const now = Math.floor(Date.now() / 1000)
    for (const [claims, header] of [
      [{ iss: 'https://auth.example.com' }, {}],
      [{ iss: `${issuer.url}/` }, {}],
      [{ iss: undefined }, {}],
      [{ aud: 'https://other.example.com' }, {}],
      [{ aud: [] }, {}],
      [{ aud: undefined }, {}],
      [{ aud: `${audience}/` }, {}],
      [{}, { typ: 'JWT' }],
      [{}, { typ: undefined }],
      [{ nonce: 'n' }, { typ: 'id+jwt' }],
      [{ exp: now - 10 }, {}],
      [{ exp: undefined }, {}],
      [{ exp: '2999-01-01' }, {}],
      [{ iat: now + 60 }, {}],
      [{ iat: undefined }, {}],
      [{ iat: now - 7_200, exp: now + 600 }, {}],
      [{ nbf: now + 60 }, {}],
      [{ sub: undefined }, {}],
      [{ jti: undefined }, {}],
      [{ sid: undefined }, {}],
      [{ client_id: undefined }, {}],
    ] as const) {
      const token = await issuer.sign(claims as JWTPayload, header)
      expect([claims, header, await statusOf(identify(token))]).toEqual([claims, header, 401])
    }
  })

  it('is refused without reading it if it is huge', async () => {
    const identify = createIdentify(issuer)
    const reads = issuer.reads()
    const groups = Array.from({ length: 900 }, (_, index) => `group ${index}`)
    expect(await statusOf(identify(await issuer.sign({ groups })))).toBe(401)
    expect(await statusOf(identify('a'.repeat(5_000_000)))).toBe(401)
    expect(issuer.reads()).toBe(reads)
  })
})
