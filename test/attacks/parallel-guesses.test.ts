import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { type AddressedAnswer, loopback, postFrom } from '../support/addressed-client.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { addLink, linksPath, statusesOf } from '../support/links.ts'
import { addRelyingParty, proveClient } from '../support/oidc.ts'
import { addPerson, addSignedIn, type Person, type SignedInPerson } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* A hundred guesses at once are a hundred guesses. The clock stands still, so that no wait ends in between. */

const hour = 60 * 60_000
const many = 100
const service = await useService({
  // Requests above half of a limit would need a proof of work: see `proof-of-work.test.ts`.
  PROOF_OF_WORK: 'false',
  RATE_LIMITS:
    'accountFailures=20/3600, addressFailures=10/600, lookUpFailures=10/60, passkeyChallenges=10/60, passwordToolUses=10/60, emailCodeRequestsPerAddress=10/3600',
})
let nextAddress = 1
let now = Date.now()
const freshAddress = () => loopback(nextAddress++)
beforeEach(() => {
  now += 3 * hour
  vi.useFakeTimers({ toFake: ['Date'], now })
})
afterAll(() => vi.useRealTimers())

const login = (address: string, username: string, password: string, fields: object = {}) =>
  postFrom(address, `${service.url}/api/2/auth/login`, { username, password, ...fields })
const signIn = (address: string, { user, password }: Person) => login(address, user.username, password)
const repeat = <Result>(send: (at: number) => Promise<Result>, count = many): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => send(at)))
const email = () => `${randomUUID()}@example.com`

/**
 * Sends a sign-in until its password was checked. One that waited three seconds for others at the same account is not
 * checked and not counted, and may try again at once. On a busy machine, a single round of a hundred takes that long.
 */
const decide = async (send: () => Promise<AddressedAnswer>, hasOwnWait = true): Promise<AddressedAnswer> => {
  const answer = await send()
  // A network with failures of its own may have to wait as long.
  const waitedInVain = !hasOwnWait && answer.status === 429 && answer.headers['retry-after'] === '1'
  if (answer.body.reason !== 'record_busy' && !waitedInVain) return answer
  await sleep(1000)
  return decide(send, hasOwnWait)
}

describe('a hundred parallel sign-ins', () => {
  it.each(['an unknown', 'a known'])(
    'from %s network get the free attempts, and a wait for all others',
    async (kind) => {
      const [person, address] = [await addPerson(service), freshAddress()]
      if (kind === 'a known') expect((await signIn(address, person)).status).toBe(200)
      const answers = await repeat((at) => login(address, person.user.username, `guess ${at}`))
      const { 401: wrong = 0, 429: refused = 0 } = statusesOf(answers)
      expect(wrong + refused).toBe(many)
      // On a busy machine, some of the free attempts may be among those that waited too long and were not counted.
      expect(wrong).toBeLessThanOrEqual(5)
      for (let at = wrong; at < 5; at++) {
        const { status } = await decide(() => login(address, person.user.username, 'a guess'))
        // One that was counted just before it gave up has used a free attempt.
        if (status === 429) break
        expect(status).toBe(401)
      }
      expect((await decide(() => signIn(address, person))).status).toBe(429)
    },
  )

  it.each([0, 50, 99])('with the right password at position %i check no more than that', async (position) => {
    const [person, address] = [await addPerson(service), freshAddress()]
    const answers = await repeat((at) =>
      login(address, person.user.username, at === position ? person.password : `guess ${at}`),
    )
    const { 200: right = 0, 401: wrong = 0, 429: refused = 0 } = statusesOf(answers)
    expect(right + wrong + refused).toBe(many)
    // A sign-in ends the failures before it, as it does one after the other.
    expect(wrong).toBeLessThanOrEqual(right === 1 ? 10 : 5)
  })

  it('from a hundred networks never find the password once the account has its failures', async () => {
    const person = await addPerson(service)
    const guess = (password: string) => {
      const address = freshAddress()
      return decide(() => login(address, person.user.username, password), false)
    }
    await repeat(() => guess('a wrong guess'), 19)
    const answers = await repeat((at) => guess(at === 99 ? person.password : `guess ${at}`))
    const { 200: right = 0, ...others } = statusesOf(answers)
    expect(others).toEqual({ 401: many - right })
    // It may be checked before the last failure that the account has left.
    if (right > 0) return
    expect((await signIn(freshAddress(), person)).status).toBe(401)
    expect(statusesOf(await repeat(() => guess(person.password), 20))).toEqual({ 401: 20 })
  })

  it('at a hundred names get the failures of their network', async () => {
    const address = freshAddress()
    const answers = await repeat((at) => login(address, `unknown-${at}-${randomUUID()}`, 'x'))
    expect(statusesOf(answers)).toEqual({ 401: 10, 429: 90 })
  })

  it('with the right password are let in', async () => {
    const [person, address] = [await addPerson(service), freshAddress()]
    for (let round = 0; round < 2; round++)
      expect(statusesOf(await repeat(() => decide(() => signIn(address, person)), 20))).toEqual({ 200: 20 })
    // None of them was left as a failure.
    for (let at = 0; at < 5; at++) expect((await login(address, person.user.username, 'x')).status).toBe(401)
  })
})

describe('a hundred parallel guesses', () => {
  let person: SignedInPerson
  beforeEach(async () => {
    person = await addSignedIn(service, { email: email(), permissions: ['media:access'] })
  })
  const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    service.client('POST', path, { bearer: person.bearer, body, headers })

  it('at a one-time password', async () => {
    const { authenticator } = await enableSecondFactor(service, person)
    const address = freshAddress()
    const send = (otp: string) => login(address, person.user.username, person.password, { otp })
    const { 403: wrong = 0, 429: refused = 0 } = statusesOf(await repeat(() => send('000000')))
    expect({ isLimited: wrong <= 5, total: wrong + refused }).toEqual({ isLimited: true, total: many })
    expect((await send(authenticator.code(1))).status).toBe(429)
  })

  it('at an emailed code', async () => {
    await storeSignInPolicy(service, { allow_email_codes: true })
    const path = '/api/2/auth/email-code'
    const { request_id } = (await service.client('POST', path, { body: { username: person.user.username } }))
      .body
    const { text } = await service.mailbox.mailTo(person.user.email, (mail) =>
      /^\d{4} \d{4}$/m.test(mail.text),
    )
    const code = /^\d{4} \d{4}$/m.exec(text)?.[0] ?? ''
    const wrong = `${(Number(code[0]) + 1) % 10}${code.slice(1)}`
    const send = (typed: string) =>
      postFrom(freshAddress(), `${service.url}${path}/login`, { request_id, code: typed })
    expect(statusesOf(await repeat(() => send(wrong)))).toEqual({ 401: many })
    expect((await send(code)).status).toBe(401)
  })

  it('at the password of a link', async () => {
    const { token } = await addLink(service, person.bearer, { password: 'the right password of the link' })
    const redeem = (address: string, password: string) =>
      postFrom(address, `${service.url}${linksPath}/redeem`, { token, password })
    const address = freshAddress()
    expect(statusesOf(await repeat((at) => redeem(address, `guess ${at}`)))).toEqual({ 401: 5, 429: 95 })
    expect((await redeem(address, 'the right password of the link')).status).toBe(429)
    expect((await redeem(freshAddress(), 'the right password of the link')).status).toBe(200)
  })

  it.each(['/api/2/users/me/password', '/api/2/auth/reauthenticate'])(
    'at the current password by %s',
    async (path) => {
      const send = (guess: string) =>
        post(
          path,
          path.endsWith('me/password')
            ? { current_password: guess, password: `New ${randomUUID()}` }
            : { password: guess },
        )
      const { 400: wrong = 0, 429: refused = 0 } = statusesOf(await repeat((at) => send(`guess ${at}`)))
      expect({ wrong, refused }).toEqual({ wrong: 5, refused: 95 })
      expect((await send(person.password)).status).toBe(429)
    },
  )

  it('with the right current password are not limited', async () => {
    const confirm = () => post('/api/2/auth/reauthenticate', { password: person.password })
    for (let at = 0; at < 12; at++) expect((await confirm()).status).toBeLessThan(300)
  })

  it.each(['token', 'introspect', 'revoke'])('at the secret of a client by /oauth2/%s', async (endpoint) => {
    const party = await addRelyingParty(service)
    const send = async (secret: string) => {
      const form = {
        grant_type: 'refresh_token',
        refresh_token: 'x',
        token: 'x',
        ...proveClient(party),
        client_secret: secret,
      }
      return fetch(`${service.url}/oauth2/${endpoint}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: String(new URLSearchParams(form)),
      })
    }
    expect(statusesOf(await repeat((at) => send(`lko_guess_${at}`)))).toEqual({ 401: 10, 429: 90 })
    // No one can guess a secret, so the client is served at any time. At `token`, its refresh token is another failure.
    if (endpoint !== 'token') expect((await send(party.secret)).status).toBe(200)
  })

  it.each([
    ['unknown links', 10, () => service.client('GET', `${linksPath}/get/${unknownLink}`)],
    ['passkey challenges', 10, () => service.client('POST', '/api/2/auth/passkeys/options', { body: {} })],
    ['generated passwords', 10, () => post('/api/2/auth/generate-password', {})],
    ['evaluated passwords', 10, () => post('/api/2/auth/evaluate-password', { password: 'x' })],
    [
      'reset requests',
      20,
      () => service.client('POST', '/api/2/auth/reset-password/request', { body: { username: 'unknown' } }),
    ],
    [
      'requests for a code',
      10,
      () => service.client('POST', '/api/2/auth/email-code', { body: { username: 'unknown' } }),
    ],
  ] as const)('for %s', async (_, most, send) => {
    const answers = await repeat(send)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(many - most)
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

const { value: unknownLink } = mintCredential('access_token', 1)
