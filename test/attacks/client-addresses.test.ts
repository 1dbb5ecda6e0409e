import { request } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import type { JsonValue, RequestOptions } from '../support/client.ts'
import { flipBit } from '../support/flip-bit.ts'
import { addLink, statusesOf } from '../support/links.ts'
import { addPerson, addSignedIn, type Person, type SignedInPerson, trySignIn } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useWatchedService } from '../support/watched-table.ts'

/* The server of a product sends the requests of all its users. It may name the address of the user, no one else may. */

const header = 'Latchkey-Client-Address'
const permission = 'client-address:set'
const service = await useWatchedService({
  // Requests above half of a limit would need a proof of work: see `proof-of-work.test.ts`.
  PROOF_OF_WORK: 'false',
  RATE_LIMITS:
    'accountFailures=20/3600, addressFailures=20/600, resetRequestsPerAddress=2/3600, emailCodeRequestsPerAddress=2/3600, passkeyChallenges=2/60',
})
const product = await addSignedIn(service, { permissions: [permission] })
let hosts = 0
afterEach(() => {
  vi.useRealTimers()
  service.restore()
})

const createToken = async ({ bearer }: SignedInPerson, fields: object): Promise<string> => {
  const body = { name: 'token', ...fields }
  const answer = await service.client('POST', '/api/2/api-tokens', { bearer, body })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.token
}

const productToken = await createToken(product, { scopes: [permission] })
const admin = await addSignedIn(service, { permissions: ['system:admin-access', 'media:access'] })
const freshAddress = () => `203.0.${113 + (hosts >> 8)}.${hosts++ & 255}`
const loginFrom = (address: string, username: string, password: string, bearer = productToken) =>
  service.client('POST', '/api/2/auth/login', {
    bearer,
    body: { username, password },
    headers: { [header]: address },
  })
const signInFrom = (address: string, { user, password }: Person) =>
  loginFrom(address, user.username, password)
const newestEvent = async (event: string, user: number): Promise<JsonValue> => {
  const path = `/api/2/auth/audit-events?event=${event}&user=${user}&limit=1`
  return (await service.client('GET', path, { bearer: admin.bearer })).body[0]
}
const countCalls = async (send: () => Promise<unknown>): Promise<number> => {
  let count = 0
  service.watch(() => {
    count += 1
    return undefined
  })
  await send()
  service.restore()
  return count
}

describe('a product that names the address of its users', () => {
  it('keeps signing users in while others guess through it, in parallel too', async () => {
    const attackers = Array.from({ length: 7 }, freshAddress)
    const person = await addPerson(service)
    for (let batch = 0; batch < 8; batch++) {
      const guesses = attackers.flatMap((attacker, at) => [
        loginFrom(attacker, `unknown-${batch}-${at}`, 'a wrong guess'),
        loginFrom(attacker, `other-${batch}-${at}`, 'a wrong guess'),
      ])
      const [answer, ...failures] = await Promise.all([signInFrom(freshAddress(), person), ...guesses])
      expect(answer.status).toBe(200)
      expect(statusesOf(failures)).toEqual({ 401: 14 })
    }
    // 112 failures, more than five times as many as one address may have.
    expect((await signInFrom(freshAddress(), person)).status).toBe(200)
    // The server of the product itself has no failures.
    expect((await trySignIn(service, person)).status).toBe(200)
  })

  it('has each address limited on its own', async () => {
    const attacker = freshAddress()
    const person = await addPerson(service)
    for (let at = 0; at < 20; at++)
      expect((await loginFrom(attacker, `unknown-${attacker}-${at}`, 'a wrong guess')).status).toBe(401)
    expect((await signInFrom(attacker, person)).status).toBe(429)
    expect((await signInFrom(freshAddress(), person)).status).toBe(200)
  })

  it('cannot guess at an account more often than anyone else', async () => {
    const person = await addPerson(service)
    for (let at = 0; at < 20; at++)
      expect((await loginFrom(freshAddress(), person.user.username, 'a wrong guess')).status).toBe(401)
    expect((await signInFrom(freshAddress(), person)).status).toBe(401)
  })

  it('is limited at an account even with an address that the user signed in from', async () => {
    const person = await addPerson(service)
    // A limit recovers with time, and a busy machine takes some.
    vi.useFakeTimers({ toFake: ['Date'] })
    const home = freshAddress()
    expect((await signInFrom(home, person)).status).toBe(200)
    const statuses = []
    for (let at = 0; at < 8; at++)
      statuses.push((await loginFrom(home, person.user.username, 'a wrong guess')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
  })

  it('has the address in the session, the known networks, and the audit events, with its own ID', async () => {
    const person = await addPerson(service)
    const address = freshAddress()
    const answer = await signInFrom(address, person)
    const sessions = await service.client('GET', '/api/2/auth/sessions', { bearer: answer.body.session_key })
    expect(sessions.body).toMatchObject([{ ip: address }])
    const stored = await findUser(service.services.table, person.user.id)
    expect(Object.keys(stored?.knownAddresses ?? {})).toEqual([address])
    expect(await newestEvent('login.succeeded', person.user.id)).toMatchObject({
      ip: address,
      actor: person.user.id,
      product: product.user.id,
    })
  })

  it('may request resets for the users at each address', async () => {
    const requestFrom = (address: string) =>
      service.client('POST', '/api/2/auth/reset-password/request', {
        bearer: productToken,
        body: { username: 'unknown' },
        headers: { [header]: address },
      })
    const busy = freshAddress()
    for (const status of [204, 204, 429, 429]) expect((await requestFrom(busy)).status).toBe(status)
    expect((await requestFrom(freshAddress())).status).toBe(204)
  })

  it.each([
    { path: 'email-code', body: { username: 'unknown' } },
    { path: 'passkeys/options', body: {} },
  ])('has $path limited for each address', async ({ path, body }) => {
    // What a policy refuses is not counted.
    await storeSignInPolicy(service, { allow_email_codes: true })
    const startFrom = async (address: string) => {
      const options = { bearer: productToken, body, headers: { [header]: address } }
      return (await service.client('POST', `/api/2/auth/${path}`, options)).status
    }
    const attacker = freshAddress()
    expect([await startFrom(attacker), await startFrom(attacker), await startFrom(attacker)]).toEqual([
      200, 200, 429,
    ])
    expect(await startFrom(freshAddress())).toBe(200)
  })

  it('checks tickets and opens links as before', async () => {
    const headers = { [header]: freshAddress() }
    const { ticket } = (await service.client('POST', '/api/2/auth/ticket', { bearer: admin.bearer })).body
    const { token } = await addLink(service, admin.bearer)
    const send = (method: string, path: string, body?: object) =>
      service.client(method, path, { bearer: productToken, headers, body })
    expect((await send('POST', '/api/2/auth/ticket/check', { ticket })).body.id).toBe(admin.user.id)
    expect((await send('GET', `/api/2/auth/access-tokens/get/${token}`)).status).toBe(200)
    expect((await send('POST', '/api/2/auth/access-tokens/redeem', { token })).status).toBe(200)
    const wrong = { token: 'lkr_x', password: 'x' }
    expect((await send('POST', '/api/2/auth/reset-password', wrong)).body.code).toBe('invalid_token')
  })
})

describe('the address of a user', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['10.1.2.3', '10.1.2.3'],
    ['127.0.0.9', '127.0.0.9'],
    ['169.254.7.7', '169.254.7.7'],
    [' 192.0.2.8 ', '192.0.2.8'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fd00::1', 'fd00::1'],
    ['::1', '::1'],
    ['::ffff:192.0.2.9', '192.0.2.9'],
    ['::ffff:c000:020a', '192.0.2.10'],
  ])('may be %s, which is recorded as %s', async (address, recorded) => {
    const { user } = await addPerson(service)
    expect((await loginFrom(address, user.username, 'a wrong guess')).status).toBe(401)
    expect((await newestEvent('login.failed', user.id)).ip).toBe(recorded)
  })

  it.each([
    '',
    'localhost',
    '192.0.2',
    '192.0.2.7.1',
    '192.0.2.256',
    '0300.0.2.7',
    '0xc0.0.2.7',
    '3221225991',
    '192.0.2.7:443',
    '192.0.2.7/24',
    '[2001:db8::1]',
    '2001:db8::1%eth0',
    '2001:db8::1::1',
    '192.0.2.7,192.0.2.8',
    '192.0.2.7, 192.0.2.7',
    '0.0.0.0',
    '::',
    '::ffff:0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    'ff02::1',
    '1'.repeat(4000),
  ])('must not be %j', async (address) => {
    const { user } = await addPerson(service)
    const answer = await loginFrom(address, user.username, 'a wrong guess')
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field: header }] },
    })
    expect(await newestEvent('login.failed', user.id)).toBeUndefined()
  })

  it('must not be sent twice', async () => {
    const { hostname, port } = new URL(service.url)
    const status = await new Promise((resolve, reject) => {
      const sent = request({ hostname, port, method: 'POST', path: '/api/2/auth/login' }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      })
      sent.setHeader('content-type', 'application/json')
      sent.setHeader('authorization', `Bearer ${productToken}`)
      sent.setHeader(header, ['192.0.2.7', '192.0.2.8'])
      sent.on('error', reject).end('{"username":"x","password":"x"}')
    })
    expect(status).toBe(400)
  })
})

describe('an address is refused', () => {
  const owners = { disabled: { is_enabled: false }, expired: { expiresAt: 1 }, demoted: { permissions: [] } }
  const tokenOfChangedOwner = async (changes: object) => {
    const owner = await addSignedIn(service, { permissions: [permission] })
    const token = await createToken(owner, { scopes: [permission] })
    const stored = await findUser(service.services.table, owner.user.id)
    if (!stored) throw new Error('the owner was not found')
    await editUser(service.services.table, stored, changes)
    return token
  }
  const deleteToken = async () => {
    const token = await createToken(product, { scopes: [permission] })
    const list = await service.client('GET', '/api/2/api-tokens?ordering=-id', { bearer: product.bearer })
    const path = `/api/2/api-tokens/${list.body[0].id}`
    expect((await service.client('DELETE', path, { bearer: product.bearer })).status).toBe(204)
    return token
  }
  const byBearer = (bearer: string): RequestOptions => ({ bearer })

  it.each<[string, number, () => Promise<RequestOptions> | RequestOptions]>([
    ['without a credential', 401, () => ({})],
    ['with the session of an administrator', 401, () => byBearer(admin.bearer)],
    ['with a session cookie', 401, () => ({ headers: { cookie: `latchkey=${admin.bearer}` } })],
    ['with a mistyped token', 401, () => byBearer(flipBit(productToken))],
    [
      'with a token as basic credential',
      401,
      () => ({ headers: { authorization: `Basic ${productToken}` } }),
    ],
    ['with a token sent twice', 401, () => byBearer(`${productToken}, Bearer ${productToken}`)],
    ['with a deleted token', 401, async () => byBearer(await deleteToken())],
    [
      'with a token of a disabled owner',
      401,
      async () => byBearer(await tokenOfChangedOwner(owners.disabled)),
    ],
    [
      'with a token of an expired owner',
      401,
      async () => byBearer(await tokenOfChangedOwner(owners.expired)),
    ],
    ['with a token of a demoted owner', 403, async () => byBearer(await tokenOfChangedOwner(owners.demoted))],
    [
      'with a token without scopes of an administrator',
      403,
      async () => byBearer(await createToken(admin, {})),
    ],
    [
      'with a token with all scopes of an administrator',
      403,
      async () => byBearer(await createToken(admin, { scopes: ['system:admin-access'] })),
    ],
    [
      'with a token of another scope',
      403,
      async () => byBearer(await createToken(product, { scopes: ['profile:view'] })),
    ],
    [
      'with a token that any user created for themselves',
      403,
      async () => byBearer(await createToken(await addSignedIn(service), { scopes: [permission] })),
    ],
  ])('%s', async (_, status, prepare) => {
    const person = await addPerson(service)
    const options = await prepare()
    const send = (password: string) =>
      service.client('POST', '/api/2/auth/login', {
        ...options,
        body: { username: person.user.username, password },
        headers: { ...options.headers, [header]: freshAddress() },
      })
    for (const password of ['a wrong guess', person.password]) {
      const answer = await send(password)
      expect(answer.status).toBe(status)
      expect(answer.body.code).toBe(status === 401 ? 'not_authenticated' : 'permission_denied')
    }
    // Neither address was used, nor does the response reveal whether the password was right.
    for (const event of ['login.failed', 'login.succeeded'])
      expect(await newestEvent(event, person.user.id)).toBeUndefined()
  })

  it('with an expired token', async () => {
    const token = await createToken(product, {
      scopes: [permission],
      expires: new Date(Date.now() + 60_000).toISOString(),
    })
    expect((await loginFrom('192.0.2.7', 'unknown', 'x', token)).body.code).toBe('login_failed')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    expect((await loginFrom('192.0.2.7', 'unknown', 'x', token)).body.code).toBe('not_authenticated')
  })
})

it('has no effect on other operations', async () => {
  const headers = { [header]: '192.0.2.7' }
  const created = await service.client('POST', '/api/2/auth/ticket', { bearer: admin.bearer, headers })
  expect(created.status).toBe(200)
  const event = await newestEvent('ticket.created', admin.user.id)
  expect(event.ip).toBe('127.0.0.1')
  expect(event).not.toHaveProperty('product')
})

it('a stolen token of a product can do nothing else', async () => {
  const attempts: [string, string, object?][] = [
    ['GET', '/api/2/users/me'],
    ['PATCH', '/api/2/users/me', { full_name: 'x' }],
    ['GET', '/api/2/users'],
    ['POST', '/api/2/auth/ticket'],
    ['GET', '/api/2/auth/sessions'],
    ['GET', '/api/2/api-tokens'],
    ['POST', '/api/2/api-tokens', { name: 'x' }],
    ['GET', '/api/2/auth/access-tokens'],
    ['POST', '/api/2/auth/generate-password'],
    ['POST', '/api/2/users/me/password', { current_password: 'x', password: 'y' }],
  ]
  for (const [method, path, body] of attempts) {
    const answer = await service.client(method, path, { bearer: productToken, body })
    expect({ path, status: answer.status }).toEqual({ path, status: 403 })
  }
})

it('a check of a ticket costs one more table call only if it names an address', async () => {
  const createTicket = async () =>
    (await service.client('POST', '/api/2/auth/ticket', { bearer: product.bearer })).body.ticket
  const tickets = [await createTicket(), await createTicket(), await createTicket()]
  const check = (ticket: string, options: RequestOptions) =>
    countCalls(() => service.client('POST', '/api/2/auth/ticket/check', { body: { ticket }, ...options }))
  expect(await check(tickets[0], {})).toBe(2)
  expect(await check(tickets[1], { bearer: productToken })).toBe(2)
  expect(await check(tickets[2], { bearer: productToken, headers: { [header]: '192.0.2.7' } })).toBe(3)
})
