import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { exportJWK, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import { getSigningKey } from '../../lib/features/oauth/signing-keys/signing-key.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { credentialPrefixes } from '../../lib/kernel/util/credential-prefixes.ts'
import {
  earlierHttpEvent,
  graphqlEvent,
  httpEvent,
  restEvent,
  tokenEvent,
} from '../support/authorizer-events.ts'
import type { JsonValue } from '../support/client.ts'
import { flipBit } from '../support/flip-bit.ts'
import { addLink } from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const audience = 'https://shop.example.com'
const service = await useService({ JWT_AUDIENCES: audience })
const authorize = createAuthorizer({ ...process.env, AUTHORIZER_AUDIENCES: audience })
const authorizeCookie = createAuthorizer({ ...process.env, AUTHORIZER_COOKIE: 'true' })
const victim = await addSignedIn(service, { permissions: ['system:admin-access'] })
const attacker = await addSignedIn(service)

const post = async (path: string, body: object, bearer: string): Promise<JsonValue> => {
  const answer = await service.client('POST', `/api/2/${path}`, { bearer, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

const jwt: string = (await post('auth/jwt', { audience }, victim.bearer)).token
const denied = { isAuthorized: false }
type Lines = readonly (readonly [string, string])[]

/** Expects that every platform refuses a bearer credential. */
const expectRefused = async (bearer: string): Promise<void> => {
  expect(await authorize(httpEvent(bearer)), bearer).toEqual(denied)
  expect(await authorize(graphqlEvent(bearer)), bearer).toEqual({ ...denied, ttlOverride: 0 })
  expect(JSON.stringify(await authorize(earlierHttpEvent(bearer)))).toContain('"Effect":"Deny"')
  for (const event of [restEvent(bearer), tokenEvent(`Bearer ${bearer}`)])
    await expect(authorize(event), bearer).rejects.toThrow(/^Unauthorized$/)
}

describe('a credential of another kind', () => {
  it.each(Object.keys(credentialPrefixes) as (keyof typeof credentialPrefixes)[])(
    '%s that was never issued is refused',
    (kind) => expectRefused(mintCredential(kind, victim.user.id).value),
  )

  it('that is valid for something else is refused', async () => {
    const { ticket } = await post('auth/ticket', {}, victim.bearer)
    const link = await addLink(service, victim.bearer)
    for (const bearer of [ticket, link.token]) await expectRefused(bearer)
  })

  it('with the prefix of another kind is refused', async () => {
    const { token } = await post('api-tokens', { name: randomUUID() }, victim.bearer)
    await expectRefused(token.replace('lkp_', 'lks_'))
    await expectRefused(victim.bearer.replace('lks_', 'lkp_'))
  })

  it('such as the hash of a session or its ID is refused', async () => {
    const answer: JsonValue = await authorize(httpEvent(victim.bearer))
    await expectRefused(answer.context.session_id)
    await expectRefused(answer.context.session_id.padEnd(43, 'A'))
  })
})

describe('a JWT', () => {
  const signed = async (claims: JWTPayload, header: object = {}) => {
    const { kid, privateKey } = await getSigningKey(service.services)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid, ...header })
      .sign(privateKey)
  }
  const decode = (part = ''): JsonValue => JSON.parse(Buffer.from(part, 'base64url').toString())
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claimsOf = () => decode(jwt.split('.')[1])

  it('with the same claims, signed again, is accepted', async () => {
    expect(await authorize(httpEvent(await signed(claimsOf())))).toMatchObject({ isAuthorized: true })
  })

  it.each([
    ['for another issuer', { iss: 'https://evil.example.com' }],
    ['for another audience', { aud: 'https://other.example.com' }],
    ['that expired', { exp: 1 }],
    ['without an end', { exp: undefined }],
    ['that is not valid yet', { nbf: 2 ** 40 }],
    ['without an ID', { jti: undefined }],
    ['without a session', { sid: undefined }],
    ['of an unknown session', { sid: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['of another user with this session', { sub: '999999' }],
    ['of no user', { sub: 'NaN' }],
    ['whose actor is somebody else', { act: { sub: '999999', preferred_username: 'admin' } }],
    ['whose session is an API token', { auth_time: undefined }],
    ['without permissions', { permissions: undefined }],
    ['with permissions of another type', { permissions: 'system:admin-access' }],
    ['without groups', { groups: undefined }],
  ])('%s is refused, even if the service had signed it', async (_, changes) => {
    await expectRefused(await signed({ ...claimsOf(), ...changes }))
  })

  it.each([
    ['an ID token', { typ: 'JWT' }],
    ['a logout token', { typ: 'logout+jwt' }],
    ['no type', { typ: undefined }],
    ['an unknown key', { kid: 'unknown' }],
    ['no key', { kid: undefined }],
    ['an unknown extension', { crit: ['unknown'], unknown: 1 }],
  ])('with the header of %s is refused', async (_, header) => {
    const [, payload = ''] = jwt.split('.')
    const { kid } = decode(jwt.split('.')[0])
    const changed = encode({ alg: 'RS256', typ: 'at+jwt', kid, ...header })
    await expectRefused(`${changed}.${payload}.${jwt.split('.')[2]}`)
    if (!('crit' in header)) await expectRefused(await signed(claimsOf(), header))
  })

  it('without a signature, or with one that others can make, is refused', async () => {
    const [head, payload, signature = ''] = jwt.split('.')
    const { kid } = decode(head)
    const [key] = (await service.client('GET', '/.well-known/jwks.json')).body.keys
    for (const alg of ['none', 'None', 'NONE', '']) {
      const unsigned = `${encode({ alg, typ: 'at+jwt', kid })}.${payload}`
      for (const end of ['', signature]) await expectRefused(`${unsigned}.${end}`)
    }
    // The public key as the secret of a symmetric algorithm.
    const confused = `${encode({ alg: 'HS256', typ: 'at+jwt', kid })}.${payload}`
    for (const secret of [key.n, JSON.stringify(key)])
      await expectRefused(`${confused}.${createHmac('sha256', secret).update(confused).digest('base64url')}`)
    // A key of the attacker, which the header brings along.
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = await exportJWK(pair.publicKey)
    for (const header of [{ kid }, { kid, jwk }, { jwk }, { kid, jku: 'https://evil.example.com/jwks.json' }])
      await expectRefused(
        await new SignJWT(claimsOf())
          .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', ...header })
          .sign(pair.privateKey),
      )
    await expectRefused(`${head}.${encode({ ...claimsOf(), sub: '999999' })}.${signature}`)
    await expectRefused(`${head}.${payload}.${flipBit(signature)}`)
    await expectRefused(`${head}.${payload}`)
    await expectRefused(`${jwt}.AAAA`)
  })

  it('is not a custom API token, even if somebody stored it as theirs', async () => {
    const [head, , signature = ''] = jwt.split('.')
    const foreign = `${head}.${encode({ sub: '1' })}.${signature.slice(0, 64)}`
    await post('api-tokens', { name: 'chosen', token: foreign }, attacker.bearer)
    await expectRefused(foreign)
  })

  it('grants nothing that it does not state', async () => {
    const reduced = await signed({ ...claimsOf(), permissions: ['users:view'] })
    const answer: JsonValue = await authorize(httpEvent(reduced))
    expect(answer.context.permissions).toBe('["users:view"]')
    const raised: JsonValue = await post('auth/jwt', { audience }, attacker.bearer)
    const forged = await signed({
      ...decode(raised.token.split('.')[1]),
      permissions: ['system:admin-access'],
    })
    expect(((await authorize(httpEvent(forged))) as JsonValue).context.permissions).toBe('[]')
  })
})

describe('a header', () => {
  const bearer = () => `Bearer ${victim.bearer}`
  const accepted = async (headers: Lines) => {
    for (const event of [httpEvent(undefined, { headers }), restEvent(undefined, { headers })])
      expect(JSON.stringify(await authorize(event))).toMatch(/"isAuthorized":true|"Allow"/)
  }
  const refused = async (headers: Lines, handler = authorize) => {
    expect(await handler(httpEvent(undefined, { headers }))).toEqual(denied)
    await expect(handler(restEvent(undefined, { headers }))).rejects.toThrow(/^Unauthorized$/)
  }

  it('counts in any case, with any case of the scheme', async () => {
    for (const name of ['authorization', 'AUTHORIZATION', 'aUTHORIZATION']) await accepted([[name, bearer()]])
    for (const scheme of ['bearer', 'BEARER', 'Bearer  '])
      await accepted([['Authorization', `${scheme} ${victim.bearer}`]])
  })

  it('that occurs twice is refused, in each order and in any case', async () => {
    const other = `Bearer ${attacker.bearer}`
    for (const [first, second] of [
      [bearer(), other],
      [other, bearer()],
      [bearer(), bearer()],
      [bearer(), 'Basic YTpi'],
    ] as const)
      for (const name of ['Authorization', 'authorization', 'AUTHORIZATION'])
        await refused([
          ['Authorization', first],
          [name, second],
        ])
  })

  it('that is malformed is refused', async () => {
    for (const value of [
      '',
      ' ',
      'Bearer',
      'Bearer ',
      victim.bearer,
      `Basic ${victim.bearer}`,
      `Bearer ${victim.bearer} x`,
      `Bearer ${victim.bearer},${attacker.bearer}`,
      `Bearer "${victim.bearer}"`,
      `Bearer\t${victim.bearer}`,
      `Bearer ${victim.bearer}\u0000`,
      `Bearer ${victim.bearer}%00`,
    ])
      await refused([['Authorization', value]])
  })

  it('of any size is refused without a call to the table', async () => {
    for (const value of ['A', '.', 'eyJ', 'eyJ.', 'lks_', '=', ' Bearer'])
      for (const size of [1_000, 8_193, 1_000_000]) {
        await refused([['Authorization', `Bearer ${value.repeat(size).slice(0, size)}`]])
        await expect(authorize(tokenEvent(value.repeat(size)))).rejects.toThrow(/^Unauthorized$/)
      }
    const line = service.log.findLast((text) => text.includes('"authorization"'))
    expect(JSON.parse(line ?? '{}').table_calls).toBe(0)
  })

  it('never becomes part of the log', () => {
    const log = service.log.join('\n')
    for (const secret of [victim.bearer, attacker.bearer, jwt]) expect(log).not.toContain(secret)
  })

  it('is the only place of a credential: not the cookie without the setting, not the query', async () => {
    await refused([['Cookie', `latchkey=${victim.bearer}`]])
    const event = { ...httpEvent(), rawQueryString: `access_token=${victim.bearer}` }
    expect(await authorize(event)).toEqual(denied)
  })
})

describe('the session cookie', () => {
  const ask = async (headers: Lines, method = 'GET'): Promise<boolean> => {
    const simple: JsonValue = await authorizeCookie(httpEvent(undefined, { headers, method }))
    const policy = await authorizeCookie(restEvent(undefined, { headers, method })).catch(
      (error: Error) => error.message,
    )
    expect(JSON.stringify(policy).includes('"Allow"')).toBe(simple.isAuthorized)
    return simple.isAuthorized
  }
  const cookie = () => ['Cookie', `theme=dark; latchkey=${victim.bearer}`] as const

  it('identifies its user for requests that change nothing', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) expect(await ask([cookie()], method)).toBe(true)
  })

  it('allows changes to pages of the host of the service alone', async () => {
    const own: Lines[] = [[['Sec-Fetch-Site', 'same-origin']], [['Origin', service.url]]]
    const foreign: Lines[] = [
      [],
      [['Sec-Fetch-Site', 'same-site']],
      [['Sec-Fetch-Site', 'cross-site']],
      [['Origin', 'https://evil.example.com']],
      [['Origin', 'null']],
      [['Origin', `${service.url}.evil.example.com`]],
      [
        ['Sec-Fetch-Site', 'cross-site'],
        ['Origin', service.url],
      ],
      [
        ['Sec-Fetch-Site', 'cross-site'],
        ['sec-fetch-site', 'same-origin'],
      ],
      [['Referer', `${service.url}/`]],
      [['X-HTTP-Method-Override', 'GET']],
    ]
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'get ', 'ANY', '']) {
      for (const headers of own) expect(await ask([cookie(), ...headers], method), method).toBe(true)
      for (const headers of foreign)
        expect(await ask([cookie(), ...headers], method), `${method} ${headers}`).toBe(false)
    }
  })

  it('never counts beside a header, right or wrong', async () => {
    const headers = (value: string): Lines => [cookie(), ['Authorization', value]]
    for (const value of ['', 'Bearer unknown', 'Basic YTpi']) expect(await ask(headers(value))).toBe(false)
    const event = httpEvent(undefined, { headers: headers(`Bearer ${attacker.bearer}`) })
    const answer: JsonValue = await authorizeCookie(event)
    expect(answer.context.user_id).toBe(String(attacker.user.id))
  })

  it('that occurs twice is refused, because another host of the domain may have set one', async () => {
    const twice = `latchkey=${attacker.bearer}; latchkey=${victim.bearer}`
    expect(await ask([['Cookie', twice]])).toBe(false)
    expect(
      await ask([
        ['Cookie', `latchkey=${attacker.bearer}`],
        ['cookie', `latchkey=${victim.bearer}`],
      ]),
    ).toBe(false)
  })

  it('has to be a session', async () => {
    const { token } = await post('api-tokens', { name: randomUUID() }, victim.bearer)
    for (const value of [token, jwt, '', 'unknown', `"${victim.bearer}"`])
      expect(await ask([['Cookie', `latchkey=${value}`]])).toBe(false)
  })
})

describe('an event', () => {
  it('of another form is an error, which never counts as a refusal or as access', async () => {
    const events: JsonValue[] = [
      {},
      { type: 'TOKEN', authorizationToken: `Bearer ${victim.bearer}` },
      { type: 'TOKEN', authorizationToken: `Bearer ${victim.bearer}`, methodArn: '*' },
      { type: 'REQUEST', methodArn: 'arn:aws:execute-api', headers: {} },
      { ...restEvent(victim.bearer), methodArn: '' },
      { ...httpEvent(victim.bearer), routeArn: 'arn:' },
    ]
    for (const event of events)
      await expect(authorize(event)).rejects.toThrow('The caller could not be identified.')
  })

  it('whose method contains wildcards never widens the policy beyond its stage', async () => {
    const methodArn = 'arn:aws:execute-api:eu-west-1:111122223333:abcdef123/test/GET/*/../../other/*'
    const answer: JsonValue = await authorize({ ...restEvent(victim.bearer), methodArn })
    expect(answer.policyDocument.Statement[0].Resource).toBe(
      'arn:aws:execute-api:eu-west-1:111122223333:abcdef123/test/*',
    )
  })
})
