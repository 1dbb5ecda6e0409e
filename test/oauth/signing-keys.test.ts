import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalJWKSet, decodeProtectedHeader, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { getKeySet } from '../../lib/features/oauth/signing-keys/key-set.ts'
import { createKeyRequests } from '../../lib/features/oauth/signing-keys/request-keys.ts'
import { ensureKeys, withdrawKeys } from '../../lib/features/oauth/signing-keys/rotate-keys.ts'
import { createMissingKeysWith, getSigningKey } from '../../lib/features/oauth/signing-keys/signing-key.ts'
import { signAccessToken } from '../../lib/features/oauth/tokens/sign-tokens.ts'
import { createLog } from '../../lib/kernel/log/log.ts'
import type { Vault } from '../../lib/kernel/secrets/vault.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import { day, hour, minute } from '../../lib/kernel/util/time.ts'
import { createServices, type Services } from '../../lib/services.ts'
import { createTable } from '../../local/dynamodb.ts'
import { startEventBridge } from '../infra/event-bridge-stub.ts'
import { readAuditItems } from '../support/audit-items.ts'

/* The life of signing keys, with a clock that moves. */

const startedAt = Date.parse('2026-05-10T10:00:00.000Z')
const folder = mkdtempSync(join(tmpdir(), 'latchkey-keys-'))
const requestId = 'request'
let now = startedAt
let decryptions = 0
let lines: string[] = []
let services: Services

/** Another process on the same table, with its own caches. */
const openServices = (): Services => {
  const created = createServices({ ...process.env })
  const vault: Vault = {
    encrypt: created.vault.encrypt,
    decrypt: (cipher, context) => {
      decryptions += 1
      return created.vault.decrypt(cipher, context)
    },
  }
  return { ...created, vault, now: () => now, log: createLog('info', (line) => lines.push(line)) }
}

Object.assign(process.env, {
  PUBLIC_URL: 'https://auth.example.com',
  LOCAL_KEY_FILE: join(folder, 'vault.key'),
})
beforeEach(async () => {
  const tableName = `latchkey-${randomUUID()}`
  process.env['TABLE_NAME'] = tableName
  await createTable(process.env['DYNAMODB_ENDPOINT'] ?? '', tableName)
  now = startedAt
  decryptions = 0
  lines = []
  services = openServices()
})
afterAll(() => rmSync(folder, { recursive: true }))

const ensure = (by = services) => ensureKeys({ services: by, requestId })
const withdraw = (kid: string) => withdrawKeys({ services, requestId }, kid)
const claims = { sub: '7', preferred_username: 'ada', groups: [], permissions: [], sid: 'sid', amr: [] }
const sign = (by = services, lifetimeMs = hour) =>
  signAccessToken(by, claims, {
    audience: 'https://shop.example.com',
    clientId: 'latchkey',
    issuedAt: Math.floor(now / 1000),
    expiresAt: Math.floor((now + lifetimeMs) / 1000),
  })
const kidOf = (token: string) => decodeProtectedHeader(token).kid
const readKids = async (by = services) => (await getKeySet(by)).map(({ kid }) => kid)
const rules = { algorithms: ['RS256'], typ: 'at+jwt', issuer: 'https://auth.example.com' }
const verifyNow = async (token: string, by = services) =>
  jwtVerify(token, createLocalJWKSet({ keys: [...(await getKeySet(by))] }), {
    ...rules,
    currentDate: new Date(now),
  })

describe('rotation', () => {
  it('keeps every token valid until it expires, and every process on the same keys', async () => {
    await ensure()
    const other = openServices()
    const seen = new Map<string, { firstPublished: number; firstSigned?: number }>()
    let tokens: { readonly token: string; readonly expiresAt: number }[] = []
    for (let hours = 0; hours < 24 * 65; hours += 12) {
      now = startedAt + hours * hour
      if (hours % 24 === 0) await ensure()
      for (const kid of await readKids()) if (!seen.has(kid)) seen.set(kid, { firstPublished: now })
      for (const by of [services, other]) {
        const token = await sign(by)
        await verifyNow(token, by === services ? other : services)
        const times = seen.get(kidOf(token) ?? '')
        if (!times) throw new Error('the key was not published')
        times.firstSigned ??= now
        tokens.push({ token, expiresAt: now + hour })
      }
      // Just before they expire.
      now += hour - minute
      for (const { token } of tokens) await verifyNow(token)
      now += minute
      tokens = tokens.filter(({ expiresAt }) => expiresAt > now)
    }
    const [first, ...later] = [...seen.values()]
      .filter(({ firstSigned }) => firstSigned !== undefined)
      .sort((a, b) => Number(a.firstSigned) - Number(b.firstSigned))
    expect(later).toHaveLength(2)
    expect(first?.firstSigned).toBe(startedAt)
    for (const { firstPublished, firstSigned = 0 } of later)
      expect(firstSigned - firstPublished).toBeGreaterThanOrEqual(day)
    // Each process decrypted each of the three keys once.
    expect(decryptions).toBe(6)
  })

  it('publishes an old key until all of its tokens have expired, and no longer', async () => {
    await ensure()
    const [, old = ''] = await readKids()
    now = startedAt + 30 * day - 1
    const last = await sign()
    expect(kidOf(last)).toBe(old)
    now = startedAt + 30 * day
    await ensure()
    expect(kidOf(await sign())).not.toBe(old)
    now += hour - 2000
    await verifyNow(last)
    now = startedAt + 30 * day + 2 * hour - 1
    expect(await readKids()).toContain(old)
    now += 1
    expect(await readKids()).not.toContain(old)
  })

  it('creates each key once for concurrent runs', async () => {
    await Promise.all([ensure(), ensure(openServices()), ensure(openServices())])
    expect(await services.table.list(partitions.signingKeys, '')).toHaveLength(2)
    expect(await services.table.list(partitions.privateSigningKeys, '')).toHaveLength(2)
    now = startedAt + 30 * day
    await Promise.all([ensure(), ensure(openServices())])
    expect(await services.table.list(partitions.signingKeys, '')).toHaveLength(3)
    const events = (await readAuditItems(services.table, [startedAt, now])).map(({ event }) => event)
    expect(events).toEqual(Array.from({ length: 3 }, () => 'signing_key.created'))
  })

  it('removes the private part of a key that signs no more', async () => {
    await ensure()
    now = startedAt + 30 * day
    await ensure()
    const numbers = (await services.table.list(partitions.privateSigningKeys, '')).map(({ number }) => number)
    expect(numbers).toEqual([2, 3])
  })

  it('signs again after months without a run', async () => {
    await ensure()
    now = startedAt + 200 * day
    await ensure()
    await verifyNow(await sign())
    expect(await readKids()).toHaveLength(2)
  })
})

it('has one key for now and one for later, however the clock was wrong before', async () => {
  for (const wrong of [30, 0, -30, 300, 0, -300, 0]) {
    now = startedAt + wrong * day
    await ensure()
    expect(await ensure()).toEqual([])
    await verifyNow(await sign(openServices()))
  }
})

describe('a function without a key', () => {
  it('fails, reports a metric, and signs as soon as there is a key', async () => {
    await expect(getSigningKey(services)).rejects.toThrow('no key to sign with')
    expect(lines.join()).toContain('"SigningKeyMissing":1')
    await ensure(openServices())
    await sign()
  })

  it('does not keep a failed decryption', async () => {
    await ensure()
    const failing = {
      ...services,
      vault: { ...services.vault, decrypt: () => Promise.reject(new Error('no')) },
    }
    await expect(getSigningKey(failing)).rejects.toThrow('no')
    let attempts = 0
    const recovering = openServices()
    const flaky: Services = {
      ...recovering,
      vault: {
        ...recovering.vault,
        decrypt: (cipher, context) =>
          attempts++ === 0
            ? Promise.reject(new Error('throttled'))
            : recovering.vault.decrypt(cipher, context),
      },
    }
    await expect(getSigningKey(flaky)).rejects.toThrow('throttled')
    expect((await getSigningKey(flaky)).kid).toBe((await getSigningKey(services)).kid)
  })

  it('refuses a private part that belongs to another key', async () => {
    await ensure()
    const [first, second] = await services.table.list(partitions.privateSigningKeys, '')
    if (!first || !second) throw new Error('there are no keys')
    await services.table.put({ ...first, cipher: second['cipher'] })
    await expect(sign(openServices())).rejects.toThrow()
  })
})

describe('a withdrawn key', () => {
  it('leaves the key set, and the key that verifiers already know signs at once', async () => {
    await ensure()
    const before = await readKids()
    const stolen = await sign()
    expect(await withdraw(kidOf(stolen) ?? '')).toEqual([kidOf(stolen)])
    now += minute
    const token = await sign()
    expect(kidOf(token)).toBe(before.find((kid) => kid !== kidOf(stolen)))
    await verifyNow(token)
    await expect(verifyNow(stolen)).rejects.toThrow('no applicable key found')
    expect(await readKids()).toHaveLength(2)
    const privateKids = (await services.table.list(partitions.privateSigningKeys, '')).map(({ kid }) => kid)
    expect(privateKids).not.toContain(kidOf(stolen))
    const withdrawn = (await readAuditItems(services.table, [startedAt, now])).filter(
      ({ event }) => event === 'signing_key.withdrawn',
    )
    expect(withdrawn).toMatchObject([{ target: kidOf(stolen) }])
  })

  it('can be the next key, or all keys', async () => {
    await ensure()
    const [next = '', current] = await readKids()
    await withdraw(next)
    now += minute
    expect(kidOf(await sign())).toBe(current)
    expect(await readKids()).not.toContain(next)
    const known = await readKids()
    expect(await withdraw('all')).toHaveLength(2)
    now += minute
    expect(known).not.toContain(kidOf(await sign()))
    expect((await readKids()).filter((kid) => known.includes(kid))).toEqual([])
  })

  it('is withdrawn once by two operators, and unknown keys change nothing', async () => {
    await ensure()
    const [, current = ''] = await readKids()
    const results = await Promise.allSettled([withdraw(current), withdraw(current)])
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
    expect(await withdraw(current)).toEqual([])
    expect(await withdraw('unknown')).toEqual([])
    now += minute
    await verifyNow(await sign())
  })
})

describe('a verifier that is configured as documented', () => {
  const keySet = async (): Promise<JWTVerifyGetKey> =>
    createLocalJWKSet({ keys: [...(await getKeySet(services))] })
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  it('refuses tokens without a signature, and with a public key as the secret', async () => {
    await ensure()
    const [payload = ''] = (await sign()).split('.').slice(1)
    const [key] = await getKeySet(services)
    if (!key) throw new Error('there is no key')
    for (const alg of ['none', 'None', 'NONE', ''])
      await expect(
        jwtVerify(`${encode({ alg, typ: 'at+jwt', kid: key.kid })}.${payload}.`, await keySet(), rules),
      ).rejects.toThrow()
    for (const secret of [key.n, JSON.stringify(key)]) {
      const forged = await new SignJWT({ sub: '1' })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: key.kid })
        .sign(Buffer.from(secret))
      await expect(jwtVerify(forged, await keySet(), rules)).rejects.toThrow('not allowed')
    }
  })

  it('refuses a changed payload, another type of token, and a key that the token brings itself', async () => {
    await ensure()
    const [header = '', payload = '', signature = ''] = (await sign()).split('.')
    const changed = encode({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: '1' })
    await expect(jwtVerify(`${header}.${changed}.${signature}`, await keySet(), rules)).rejects.toThrow(
      'signature verification failed',
    )
    const { privateKey, kid } = await getSigningKey(services)
    const other = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
      .sign(privateKey)
    await expect(jwtVerify(other, await keySet(), rules)).rejects.toThrow('"typ"')
  })
})

it('creates a missing key at once, once for concurrent requests, if it may', async () => {
  await ensure()
  now = startedAt + 120 * day
  let runs = 0
  createMissingKeysWith(async () => {
    runs += 1
    await ensure(openServices())
  })
  const keys = await Promise.all(Array.from({ length: 5 }, () => getSigningKey(services)))
  expect([runs, new Set(keys.map(({ kid }) => kid)).size]).toEqual([1, 1])
  // A clock that is set back to before the first key has none either.
  now = startedAt - day
  await getSigningKey(services)
  expect(runs).toBe(2)
})

describe('a function that may not create keys', () => {
  const bus = async () => {
    const stub = await startEventBridge()
    process.env['AWS_ENDPOINT_URL_EVENTBRIDGE'] = stub.url
    return stub
  }

  it('asks for them on the bus, once for concurrent requests, and waits until they exist', async () => {
    const stub = await bus()
    createMissingKeysWith(createKeyRequests('jobs'))
    const signing = Promise.all(Array.from({ length: 5 }, () => getSigningKey(services)))
    await expect.poll(() => stub.events.length).toBe(1)
    await ensure(openServices())
    expect(new Set((await signing).map(({ kid }) => kid)).size).toBe(1)
    expect(stub.events).toMatchObject([
      { EventBusName: 'jobs', Source: 'latchkey', DetailType: 'Missing signing keys', Detail: '{}' },
    ])
    await stub.close()
  })

  it('fails if the bus refuses, asks again only after a pause, and does not wait longer for a wrong clock', async () => {
    const stub = await bus()
    stub.refuse = () => 'InternalException'
    createMissingKeysWith(createKeyRequests('jobs'))
    const sign = () => expect(getSigningKey(services)).rejects.toThrow('no key to sign with')
    await sign()
    await sign()
    expect(stub.calls).toHaveLength(1)
    expect(lines.join()).toContain('signing_keys.not_requested')
    now += minute
    await sign()
    expect(stub.calls).toHaveLength(2)
    // The clock was ahead when the request was given up.
    now -= 30 * day
    await sign()
    expect(stub.calls).toHaveLength(3)
    await stub.close()
  })
})
