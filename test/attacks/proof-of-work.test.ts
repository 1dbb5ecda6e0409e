import { randomBytes, randomUUID } from 'node:crypto'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { proofLifetimeMs } from '../../lib/kernel/limits/limits.ts'
import { hour, minute } from '../../lib/kernel/util/time.ts'
import { clientFrom, loopback } from '../support/addressed-client.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { statusesOf } from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { proveWork, solve, writeProof } from '../support/proof-of-work.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useWatchedService } from '../support/watched-table.ts'

/* Bots that have the service email strangers, with every proof of work but a right one. */

vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => vi.useRealTimers())
const service = await useWatchedService({ RATE_LIMITS: 'mailRequests=400/600' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
beforeAll(async () => {
  await storeSignInPolicy(service, { allow_email_codes: true })
  const body = { mode: 'open' }
  const path = '/api/2/system/sign-up-policy'
  expect((await service.client('PUT', path, { bearer: admin.bearer, body })).status).toBe(200)
})
let networks = 0
let network = ''
// Counts of the whole service must not add up over this file.
beforeEach(() => {
  vi.setSystemTime(Date.now() + 2 * hour)
  network = loopback(++networks)
})

type Send = (proof?: unknown, from?: string) => Promise<Answer>
const post =
  (path: string, body: () => object): Send =>
  (proof, from = network) =>
    clientFrom(from, service.url)('POST', path, {
      body: { ...body(), ...(proof === undefined ? {} : { proof }) },
    })
const signUp = post('/api/2/auth/sign-up', () => ({ email: `${randomUUID()}@example.com` }))
const reset = post('/api/2/auth/reset-password/request', () => ({ username: randomUUID() }))
const emailCode = post('/api/2/auth/email-code', () => ({ username: randomUUID() }))

/** Half of what a network may send needs no proof. */
const freeRequests = 10
const asked = { status: 429, body: { code: 'too_many_requests', reason: 'proof_required' } }
/** Sends what needs no proof, and returns the answer that asks for one. */
const pressFrom = async (send: Send): Promise<Answer> => {
  for (let at = 0; at < freeRequests; at++) expect((await send()).status).toBeLessThan(300)
  const answer = await send()
  expect(answer).toMatchObject(asked)
  return answer
}

describe.each([
  ['request_sign_up', signUp],
  ['request_password_reset', reset],
  ['request_email_code', emailCode],
] as const)('%s', (_, send) => {
  it('asks a network with many requests for work, and is open to another one', async () => {
    const answer = await pressFrom(send)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await send(undefined, loopback(++networks))).status).toBeLessThan(300)
    expect((await send(await proveWork(answer))).status).toBeLessThan(300)
    expect(await send()).toMatchObject(asked)
  })

  it('admits everybody who proves work, above the limit of the network as well, at a growing price', async () => {
    const costs = []
    let answer = await pressFrom(send)
    for (let at = 0; at < 14; at++) {
      costs.push(answer.body.challenge.parameters.cost)
      expect((await send(await proveWork(answer))).status).toBeLessThan(300)
      answer = await send()
      expect(answer).toMatchObject(asked)
    }
    expect([costs[0], costs.at(-1)]).toEqual([1000, 2000])
  })
})

describe('a proof', () => {
  it('counts once, also of a hundred parallel requests', async () => {
    const answer = await pressFrom(signUp)
    const proof = await proveWork(answer)
    const from = Array.from({ length: 100 }, () => loopback(++networks))
    // Each comes from a network with as many requests as the first one.
    for (const one of from) await press(one)
    const answers = await Promise.all(from.map((one) => signUp(proof, one)))
    expect(statusesOf(answers)).toEqual({ 204: 1, 429: 99 })
    expect(await signUp(proof)).toMatchObject(asked)
  })

  it('is only for the operation that asked', async () => {
    const answer = await pressFrom(signUp)
    const proof = await proveWork(answer)
    await pressFrom(reset)
    await pressFrom(emailCode)
    expect(await reset(proof)).toMatchObject(asked)
    expect(await emailCode(proof)).toMatchObject(asked)
    expect((await signUp(proof)).status).toBe(204)
  })

  it('ends', async () => {
    const answer = await pressFrom(signUp)
    const proof = await proveWork(answer)
    vi.setSystemTime(Date.now() + proofLifetimeMs + 1000)
    expect(await signUp(proof)).toMatchObject(asked)
  })

  it('counts from another network, as phones change theirs', async () => {
    const proof = await proveWork(await pressFrom(signUp))
    const other = loopback(++networks)
    await press(other)
    expect((await signUp(proof, other)).status).toBe(204)
  })

  it('is neither needed nor used below the pressure', async () => {
    const proof = await proveWork(await pressFrom(signUp))
    const quiet = loopback(++networks)
    expect((await signUp(proof, quiet)).status).toBe(204)
    expect((await signUp('nonsense', quiet)).status).toBe(204)
    expect((await signUp(proof)).status).toBe(204)
    expect(await signUp(proof)).toMatchObject(asked)
  })

  it('cannot be made before the service asks', async () => {
    const challenge = await createChallenge({
      ...{ algorithm: 'PBKDF2/SHA-256', cost: 1, keyPrefix: '0', deriveKey },
      ...{ expiresAt: Math.floor(Date.now() / 1000) + 60, data: { network: 'x' } },
      hmacSignatureSecret: 'a guess',
    })
    await pressFrom(signUp)
    expect(await signUp(writeProof(challenge, await solve(challenge)))).toMatchObject(asked)
  })

  it('that is refused counts nothing, and does not raise the price', async () => {
    await pressFrom(signUp)
    const answers = []
    for (let at = 0; at < 30; at++) answers.push(await signUp('d3Jvbmc='))
    for (const answer of answers) expect(answer).toMatchObject(asked)
    expect(answers.at(-1)?.body.challenge.parameters.cost).toBe(1000)
  })

  const edit = (change: (challenge: JsonValue, solution: JsonValue) => void) => async (answer: Answer) => {
    const { challenge } = answer.body
    const solution: JsonValue = await solve(challenge)
    change(challenge, solution)
    return writeProof(challenge, solution)
  }
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  it.each<readonly [string, (answer: Answer) => Promise<string> | string]>([
    ['a wrong counter', edit((_, solution) => (solution.counter += 1))],
    ['a wrong key', edit((_, solution) => (solution.derivedKey = '00'.repeat(32)))],
    ['an empty key', edit((_, solution) => (solution.derivedKey = ''))],
    ['a fraction as counter', edit((_, solution) => (solution.counter += 0.5))],
    ['a counter that wraps', edit((_, solution) => (solution.counter += 2 ** 32))],
    ['a text as counter', edit((_, solution) => (solution.counter = String(solution.counter)))],
    ['no solution', ({ body }) => writeProof(body.challenge, undefined)],
    ['a forged signature', edit((challenge) => (challenge.signature = randomBytes(32).toString('hex')))],
    ['half a signature', edit((challenge) => (challenge.signature = challenge.signature.slice(0, 32)))],
    ['no signature', edit((challenge) => delete challenge.signature)],
    ['a list as signature', edit((challenge) => (challenge.signature = [challenge.signature]))],
    ['a later end', edit(({ parameters }) => (parameters.expiresAt += 3600))],
    ['no end', edit(({ parameters }) => delete parameters.expiresAt)],
    ['another algorithm', edit(({ parameters }) => (parameters.algorithm = 'SHA-256'))],
    ['a slower algorithm', edit(({ parameters }) => (parameters.algorithm = 'SCRYPT'))],
    ['less work', edit(({ parameters }) => (parameters.cost = 1))],
    ['work for an hour', edit(({ parameters }) => (parameters.cost = 4_000_000_000))],
    ['another key length', edit(({ parameters }) => (parameters.keyLength = 1_000_000_000))],
    ['a shorter prefix', edit(({ parameters }) => (parameters.keyPrefix = '0'))],
    ['no prefix', edit(({ parameters }) => (parameters.keyPrefix = ''))],
    ['another salt', edit(({ parameters }) => (parameters.salt = randomBytes(16).toString('hex')))],
    ['another nonce', edit(({ parameters }) => (parameters.nonce = randomBytes(16).toString('hex')))],
    ['another network', edit(({ parameters }) => (parameters.data = { network: 'x' }))],
    ['one more parameter', edit(({ parameters }) => (parameters.keySignature = 'x'))],
    ['a code instead of work', edit((challenge) => (challenge.codeChallenge = { image: 'x' }))],
    ['a prototype', ({ body }) => base64(`{"__proto__":${JSON.stringify(body)},"challenge":{}}`)],
    [
      'a prototype with parameters',
      async ({ body }) =>
        base64(
          `{"challenge":{"signature":"${body.challenge.signature}","parameters":{"__proto__":{"cost":1}}},"solution":${JSON.stringify(await solve(body.challenge))}}`,
        ),
    ],
    ['null', () => base64('null')],
    ['a list', () => base64('[]')],
    ['deep nesting', () => base64('['.repeat(700))],
    ['no JSON', () => base64('proof')],
    ['no Base64', () => '🦊'.repeat(100)],
  ])('does not count: %s', async (_, forge) => {
    const answer = await pressFrom(signUp)
    const proof = await forge(structuredClone({ ...answer, headers: undefined, cookies: [] }) as never)
    expect(await signUp(proof)).toMatchObject(asked)
    expect((await signUp(await proveWork(answer))).status).toBe(204)
  })

  it('works once, in whatever way it is written', async () => {
    const answer = await pressFrom(signUp)
    const { challenge } = answer.body
    const solution = await solve(challenge)
    expect((await signUp(writeProof(challenge, solution))).status).toBe(204)
    const turned = { signature: challenge.signature, parameters: challenge.parameters }
    const upper = { ...challenge, signature: challenge.signature.toUpperCase() }
    const later = await solveFrom(challenge, solution.counter + 1)
    for (const proof of [
      writeProof(turned, solution),
      writeProof(upper, solution),
      writeProof(challenge, later),
      Buffer.from(JSON.stringify({ challenge, solution })).toString('base64url'),
    ])
      expect(await signUp(proof)).toMatchObject(asked)
  })

  it.each([
    ['an empty text', ''],
    ['a huge text', 'A'.repeat(2001)],
    ['a number', 7],
    ['a list', ['x']],
    ['an object', {}],
    ['null', null],
  ])('is a validation error: %s', async (_, proof) => {
    expect(await signUp(proof)).toMatchObject({ status: 400, body: { errors: [{ field: 'proof' }] } })
  })

  it('is a validation error if it is repeated', async () => {
    const raw = '{"email":"a@example.com","proof":"x","proof":"y"}'
    const { status, body } = await clientFrom(network, service.url)('POST', '/api/2/auth/sign-up', { raw })
    expect([status, body.errors[0].field]).toEqual([400, 'proof'])
  })
})

const solveFrom = async (challenge: JsonValue, counterStart: number) => {
  const { solveChallenge } = await import('altcha-lib')
  return solveChallenge({ challenge, deriveKey, counterStart })
}

/** Counts uses of a network without requests. */
const press = async (from: string): Promise<void> => {
  const { countEvent } = await import('../../lib/kernel/rates/rates.ts')
  const { table, config, now } = service.services
  for (let at = 0; at <= freeRequests; at++)
    await countEvent(table, config.rateLimits.signUpsPerAddress, from, now())
}

describe('the whole service under pressure', () => {
  const flood = async (requests: number) => {
    const answers = []
    for (let at = 0; at < requests; at++) answers.push(await signUp(undefined, loopback(++networks)))
    return answers
  }

  it('asks every network until the flood is over, and makes nothing harder by what nobody paid for', async () => {
    const answers = await flood(1000)
    const open = answers.filter(({ status }) => status === 204)
    // The whole is estimated from one counter of four.
    expect(open.length).toBeGreaterThan(300)
    expect(open.length).toBeLessThan(600)
    const last = answers.at(-1)
    expect(last).toMatchObject(asked)
    const costs = answers.flatMap(({ body }) => body?.challenge?.parameters.cost ?? [])
    expect(costs.length).toBeGreaterThan(300)
    expect(new Set(costs)).toEqual(new Set([1000]))
    // A person from a quiet network proves work, and gets through.
    const person = loopback(++networks)
    const answer = await signUp(undefined, person)
    expect((await signUp(await proveWork(answer), person)).status).toBe(204)
    vi.setSystemTime(Date.now() + 20 * minute)
    expect((await signUp(undefined, loopback(++networks))).status).toBe(204)
    expect(service.log.filter((line) => line.includes('mail_requests.pressure'))).toHaveLength(1)
  })

  it('makes the work harder with what went through, within bounds', async () => {
    vi.setSystemTime(Date.now() + 20 * minute)
    const { countEvent } = await import('../../lib/kernel/rates/rates.ts')
    const { table, config, now } = service.services
    // Other processes counted ten times the limit.
    for (const counted of ['counter', 'admitted'])
      for (let at = 0; at < 4 * 50; at++)
        await countEvent(table, config.rateLimits.mailRequests, `${counted} ${at % 4}`, now())
    const sendFresh = () => signUp(undefined, loopback(++networks))
    let answer = await sendFresh()
    for (let sent = 0; sent < 20 && answer.status === 204; sent++) answer = await sendFresh()
    expect(answer).toMatchObject(asked)
    const costOf = ({ body }: Answer) => body.challenge.parameters.cost
    // This process learns it with its own part of them.
    for (let paid = 0; paid < 20 && costOf(answer) === 1000; paid++) {
      const proof = await proveWork(answer)
      expect((await signUp(proof, loopback(networks))).status).toBe(204)
      answer = await sendFresh()
    }
    expect(costOf(answer)).toBe(8000)
    vi.setSystemTime(Date.now() + 20 * minute)
  })

  it('costs no table call below it', async () => {
    const listCalls = async (send: () => Promise<unknown>): Promise<readonly string[]> => {
      const calls: string[] = []
      service.watch(({ action }) => {
        calls.push(action)
        return undefined
      })
      await send()
      service.restore()
      return calls
    }
    await signUp()
    // The count of the network, the policy and the mail job.
    expect(await listCalls(() => signUp())).toEqual(['UpdateItem', 'GetItem', 'TransactWriteItems'])
  })
})
