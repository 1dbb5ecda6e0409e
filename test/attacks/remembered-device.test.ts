import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { findSessionAndUser } from '../../lib/accounts/sessions/find-sessions.records.ts'
import { findRememberedDevices } from '../../lib/features/remembered-devices/records.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { clientFrom, loopback } from '../support/addressed-client.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { type Authenticator, enableSecondFactor } from '../support/authenticator.ts'
import type { Answer } from '../support/client.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  readRedirect,
  readReturnPath,
} from '../support/oidc.ts'
import { addPasskey, startPasskeySignIn } from '../support/passkeys.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { openRememberingBrowser, type RememberingBrowser } from '../support/remembered-devices.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

/* A remembered device does instead of the second factor, after the right password, for its user, once with each secret. */

vi.useFakeTimers({ toFake: ['Date'] })
const limits = ['passkeyChallenges', 'addressFailures', 'leakReports'].map((name) => `${name}=10000/60`)
const service = await useService({ RATE_LIMITS: limits.join(','), PASSKEY_USER_VERIFICATION: 'preferred' })
afterAll(() => vi.useRealTimers())

const minute = 60_000
const day = 24 * 60 * minute
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

let startedAt = 0
let admin: SignedInPerson
let person: SignedInPerson
let authenticator: Authenticator
let browser: RememberingBrowser

const send = (method: string, path: string, body?: object, { bearer } = admin) =>
  service.client(method, `/api/2/${path}`, { bearer, body })
const setPolicy = async (policy: object) =>
  expect((await send('PUT', 'system/sign-in-policy', policy)).status).toBe(200)
/** Codes work once, so time passes before each. */
const nextCode = (one = authenticator) => {
  pass(minute)
  return one.code()
}
const remember = async (using = browser, one = person) => {
  const answer = await using.signIn(one, { otp: nextCode(), remember_device: true })
  expect(answer.status).toBe(200)
  expect(using.cookie).not.toBe('')
  return answer
}
const open = (cookie = browser.cookie, client = service.client) =>
  openRememberingBrowser(service, client, cookie)
const codeAsked = { status: 403, body: { code: 'login_incomplete', reason: 'otp_required' } }
/** Of all months of a test. In alphabetical order, because the clock stands still. */
const eventsOf = async ({ user } = person): Promise<readonly string[]> =>
  (await readAuditItems(service.services.table, [startedAt, (startedAt + Date.now()) / 2, Date.now()]))
    .flatMap((item) =>
      item['user'] === user.id && String(item['event']).startsWith('remembered_device.')
        ? [String(item['event']).replace('remembered_device.', '')]
        : [],
    )
    .toSorted()
const devicesOf = ({ user } = person) => findRememberedDevices(service.services.table, user.id)
const sessionOf = async ({ body }: Answer) => {
  const { subject = 0, hash = '' } = parseCredential(body.session_key) ?? {}
  return (await findSessionAndUser(service.services.table, subject, hash)).session
}

beforeEach(async () => {
  pass(2 * 60 * minute)
  startedAt = Date.now()
  admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  await setPolicy({ remembered_device_days: 30 })
  person = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
  ;({ authenticator } = await enableSecondFactor(service, person))
  browser = openRememberingBrowser(service)
})

describe('a remembered device', () => {
  it('does instead of a code after the password, until its time is over, however often it is used', async () => {
    const asked = await browser.signIn(person)
    expect(asked).toMatchObject(codeAsked)
    expect(asked.body.remember_device_days).toBe(30)
    await remember()
    for (let uses = 0; uses < 5; uses++) {
      pass(6 * day - minute)
      const before = browser.cookie
      expect((await browser.signIn(person)).status).toBe(200)
      expect(browser.cookie).not.toBe(before)
    }
    pass(5 * minute)
    expect(await browser.signIn(person)).toMatchObject(codeAsked)
  })

  it('is a cookie that scripts cannot read, with a secret of its own', async () => {
    const { cookies } = await browser.signIn(person, { otp: nextCode(), remember_device: true })
    const cookie = cookies.find((one) => one.startsWith('latchkey-remembered-device=')) ?? ''
    expect(cookie).toMatch(
      /^latchkey-remembered-device=[\w-]{22}\.lkd_\w{45}; HttpOnly; SameSite=Lax; Path=\/; Max-Age=2592000$/,
    )
    const [device] = await devicesOf()
    expect(JSON.stringify(device)).not.toContain(cookie.slice(30, 50))
  })

  it('leaves the session with one factor, which changes no credentials and meets no step-up', async () => {
    await remember()
    const answer = await browser.signIn(person)
    const { bearer } = { bearer: answer.body.session_key }
    expect((await sessionOf(answer))?.authentication).toMatchObject({
      methods: ['pwd'],
      isFactorRemembered: true,
    })
    const add = () => service.client('POST', '/api/2/users/me/passkeys/options', { bearer })
    expect((await add()).body).toMatchObject({ reason: 'reauthentication_required' })
    const prove = (body: object) => service.client('POST', '/api/2/auth/reauthenticate', { bearer, body })
    expect(await prove({ password: person.password })).toMatchObject(codeAsked)
    expect((await add()).status).toBe(403)
    expect((await prove({ password: person.password, otp: nextCode() })).status).toBe(204)
    expect((await add()).status).toBe(200)
  })

  it('does not set a new password', async () => {
    await remember()
    expect(await browser.signIn(person, { new_password: `New one ${randomUUID()}` })).toMatchObject(codeAsked)
    expect((await browser.signIn(person)).status).toBe(200)
  })

  it('does not help a page that asks for a new proof', async () => {
    await remember()
    expect(await browser.signIn(person, { ask_second_factor: true })).toMatchObject(codeAsked)
    expect((await browser.signIn(person)).status).toBe(200)
  })

  it('comes from a code or a passkey, and not from a recovery code, or without the wish', async () => {
    const { recoveryCodes } = await enableOf(await addSignedIn(service))
    await browser.signIn(current, { otp: recoveryCodes[0], remember_device: true })
    await browser.signIn(person, { otp: nextCode() })
    await browser.signIn(person, { otp: '000000', remember_device: true })
    expect(browser.cookie).toBe('')
    const key = await addPasskey(service, person)
    const asked = await browser.signIn(person)
    expect(asked.body).toMatchObject({ reason: 'otp_required', remember_device_days: 30 })
    const token = asked.body.second_factor_token
    const credential = key.passkey.get(await startPasskeySignIn(service, token))
    const body = { credential, second_factor_token: token, remember_device: true }
    expect((await browser.send('/api/2/auth/passkeys/login', body)).status).toBe(200)
    expect((await browser.signIn(person)).status).toBe(200)
  })

  it('does instead of a passkey, too', async () => {
    const one = await addSignedIn(service)
    const { passkey } = await addPasskey(service, one)
    await addPasskey(service, one)
    const path = '/api/2/users/me/passkeys/settings'
    await service.client('PUT', path, { bearer: one.bearer, body: { required_with_password: true } })
    const asked = await browser.signIn(one)
    expect(asked.body).toMatchObject({ reason: 'passkey_required', remember_device_days: 30 })
    const token = asked.body.second_factor_token
    const credential = passkey.get(await startPasskeySignIn(service, token))
    const body = { credential, second_factor_token: token, remember_device: true }
    expect((await browser.send('/api/2/auth/passkeys/login', body)).status).toBe(200)
    expect((await browser.signIn(one)).status).toBe(200)
  })

  it('comes from a sign-in with an emailed code, and does instead of the second factor there', async () => {
    await setPolicy({ remembered_device_days: 30, allow_email_codes: true })
    const signIn = async (fields: object = {}) => {
      const { email } = person.user
      const codes = () =>
        service.mailbox.mailsTo(email).flatMap(({ text }) => /^\d{4} \d{4}$/m.exec(text)?.[0] ?? [])
      const before = codes().length
      const { body } = await browser.send('/api/2/auth/email-code', { username: person.user.username })
      await waitFor(() => expect(codes().length).toBeGreaterThan(before))
      const given = { request_id: body.request_id, code: codes().at(-1) }
      return browser.send('/api/2/auth/email-code/login', { ...given, ...fields })
    }
    const asked = await signIn()
    expect(asked).toMatchObject(codeAsked)
    expect(asked.body.remember_device_days).toBe(30)
    pass(minute)
    expect((await signIn({ otp: authenticator.code(), remember_device: true })).status).toBe(200)
    const answer = await signIn()
    expect(answer.status).toBe(200)
    expect((await sessionOf(answer))?.authentication.methods).toEqual(['email_code'])
    expect((await browser.signIn(person)).status).toBe(200)
  })

  it('replaces the one that was used least recently, and never more than ten', async () => {
    const first = openRememberingBrowser(service)
    await remember(first)
    for (let at = 0; at < 10; at++) await remember(openRememberingBrowser(service))
    expect(await devicesOf()).toHaveLength(10)
    expect(await first.signIn(person)).toMatchObject(codeAsked)
  })

  it('is one for each browser, however often it is remembered', async () => {
    for (let at = 0; at < 3; at++) await remember()
    expect(await devicesOf()).toHaveLength(1)
  })
})

let current: SignedInPerson
const enableOf = (one: SignedInPerson) => {
  current = one
  return enableSecondFactor(service, one)
}

describe('a cookie of a remembered device', () => {
  beforeEach(() => remember())

  it('is nothing for another user, and nothing without the right password', async () => {
    const other = await addSignedIn(service)
    await enableSecondFactor(service, other)
    expect(await browser.signIn(other)).toMatchObject(codeAsked)
    const wrong = await browser.signIn({ ...person, password: 'a wrong one' })
    const without = await open('').signIn({ ...person, password: 'a wrong one' })
    const { request_id: _, ...body } = without.body
    expect(wrong).toMatchObject({ status: without.status, body })
    expect(wrong.cookies).toEqual([])
    expect((await browser.signIn(person)).status).toBe(200)
  })

  it('gives one new secret to a hundred parallel sign-ins, and reports none of them', async () => {
    const browsers = Array.from({ length: 100 }, () => open())
    const before = browser.cookie
    const answers = await Promise.all(browsers.map((one) => one.signIn(person)))
    expect(answers.every(({ status }) => [200, 403, 409, 429, 503].includes(status))).toBe(true)
    const renewed = browsers.filter((one) => one.cookie !== before)
    expect(renewed).toHaveLength(1)
    expect(await eventsOf()).toEqual(['created'])
    pass(5 * minute)
    expect((await renewed[0]?.signIn(person))?.status).toBe(200)
  })

  it('ends the device when a copy is used after it was used', async () => {
    const copy = open()
    await browser.signIn(person)
    await browser.signIn(person)
    pass(2 * minute)
    expect(await copy.signIn(person)).toMatchObject(codeAsked)
    expect(await eventsOf()).toEqual(['created', 'reused'])
    expect(await browser.signIn(person)).toMatchObject(codeAsked)
    await waitFor(() =>
      expect(service.mailbox.mailsTo(person.user.email).map(({ subject }) => subject)).toContain(
        'A remembered browser was ended – Latchkey',
      ),
    )
  })

  it('ends the device when the owner comes after a thief, at the next use of the thief', async () => {
    const thief = open()
    expect((await thief.signIn(person)).status).toBe(200)
    pass(2 * minute)
    // It can be the owner whose answer was lost.
    expect((await browser.signIn(person)).status).toBe(200)
    expect(await eventsOf()).toEqual(['created'])
    expect(await thief.signIn(person)).toMatchObject(codeAsked)
    expect(await eventsOf()).toEqual(['created', 'reused'])
    expect(await browser.signIn(person)).toMatchObject(codeAsked)
  })

  it.each(['at once from another network', 'later'])(
    'ends the device when a thief comes after the owner %s, at the next use of the owner',
    async (when) => {
      const client = when === 'later' ? service.client : clientFrom(loopback(77), service.url)
      const thief = open(browser.cookie, client)
      expect((await browser.signIn(person)).status).toBe(200)
      if (when === 'later') pass(2 * minute)
      expect((await thief.signIn(person)).status).toBe(200)
      expect(await browser.signIn(person)).toMatchObject(codeAsked)
      expect(await eventsOf()).toEqual(['created', 'reused'])
      expect(await thief.signIn(person)).toMatchObject(codeAsked)
    },
  )

  it.each([0, 61_000, 8 * day])('works again after lost answers, %i ms later', async (ms) => {
    for (let lost = 0; lost < 3; lost++) {
      expect((await open().signIn(person)).status).toBe(200)
      pass(ms)
    }
    expect((await browser.signIn(person)).status).toBe(200)
    pass(minute)
    expect((await browser.signIn(person)).status).toBe(200)
    expect((await browser.signIn(person)).status).toBe(200)
    expect([await eventsOf(), (await devicesOf()).length]).toEqual([['created'], 1])
  })

  it('works no longer once the new one was used, whichever answers were lost', async () => {
    const lost = open()
    await lost.signIn(person)
    const never = open(lost.cookie)
    pass(2 * minute)
    await browser.signIn(person)
    pass(2 * minute)
    // The secret of the lost answer reached somebody, who is not the owner.
    expect(await never.signIn(person)).toMatchObject(codeAsked)
    expect(await eventsOf()).toEqual(['created', 'reused'])
  })

  it('does not work after the device ended, neither the newest nor the former', async () => {
    const former = open()
    await browser.signIn(person)
    expect((await send('DELETE', `users/${person.user.id}/sessions`)).status).toBe(204)
    for (const one of [former, browser]) expect(await one.signIn(person)).toMatchObject(codeAsked)
  })

  it('is nothing from another site, and none is set there', async () => {
    const headers = { origin: 'https://evil.example', cookie: browser.cookie }
    const { user, password } = person
    const body = { username: user.username, password }
    const login = (more: object = {}) =>
      service.client('POST', '/api/2/auth/login', { body: { ...body, ...more }, headers })
    const asked = await login()
    expect(asked).toMatchObject(codeAsked)
    expect(asked.body.remember_device_days).toBeUndefined()
    expect((await login({ otp: nextCode(), remember_device: true })).cookies).toEqual([])
    expect(await devicesOf()).toHaveLength(1)
    expect((await browser.signIn(person)).status).toBe(200)
  })

  it.each([
    ['empty', () => 'latchkey-remembered-device='],
    ['twice', () => `${browser.cookie}; ${browser.cookie}`],
    ['huge', () => `latchkey-remembered-device=${'a'.repeat(6000)}`],
    ['longer', () => `${browser.cookie}a`],
    ['of another series', () => browser.cookie.replace(/=.{22}/, `=${'A'.repeat(22)}`)],
    ['without a series', () => browser.cookie.replace(/=.{23}/, '=')],
    ['of another kind', () => browser.cookie.replace('lkd_', 'lks_')],
  ])('is nothing if it is %s', async (_, build) => {
    expect(await open(build()).signIn(person)).toMatchObject(codeAsked)
    expect((await browser.signIn(person)).status).toBe(200)
  })

  it('does not reset the limit of wrong codes', async () => {
    const guesses = open('')
    for (let at = 0; at < 5; at++) await guesses.signIn(person, { otp: '000000' })
    await browser.signIn(person)
    const statuses = new Set<number>()
    for (let at = 0; at < 30; at++) statuses.add((await guesses.signIn(person, { otp: '000000' })).status)
    expect(statuses).toContain(429)
    expect((await browser.signIn(person)).status).toBe(200)
  })
})

describe('a remembered device ends', () => {
  const mailed = () =>
    service.mailbox
      .mailsTo(person.user.email)
      .map(({ text }) => text)
      .join()
  const expectEnded = async () => {
    pass(minute)
    expect(await browser.signIn(person)).toMatchObject(codeAsked)
  }
  beforeEach(() => remember())

  it('when the user changes the password', async () => {
    const bearer = (await browser.signIn(person, { otp: nextCode() })).body.session_key
    const password = `Another one ${randomUUID()}`
    const body = { password, current_password: person.password, current_otp: nextCode() }
    const changed = await service.client('POST', '/api/2/users/me/password', { bearer, body })
    expect(changed.status).toBeLessThan(300)
    person = { ...person, password }
    await expectEnded()
  })

  it('when the password is reset by email', async () => {
    await service.client('POST', '/api/2/auth/reset-password/request', {
      body: { username: person.user.username },
    })
    const token = await waitFor(() => {
      const [found] = /lkr_\w{45}/.exec(mailed()) ?? []
      expect(found).toBeDefined()
      return found
    })
    const password = `Another one ${randomUUID()}`
    const done = await service.client('POST', '/api/2/auth/reset-password', { body: { token, password } })
    expect(done.status).toBeLessThan(300)
    person = { ...person, password }
    await expectEnded()
  })

  it('when an administrator ends all sessions', async () => {
    expect((await send('DELETE', `users/${person.user.id}/sessions`)).status).toBe(204)
    await expectEnded()
  })

  it('when the account is disabled, also after it is enabled', async () => {
    const set = async (is_enabled: boolean) =>
      expect((await send('PATCH', `users/${person.user.id}`, { is_enabled })).status).toBe(200)
    await set(false)
    expect((await browser.signIn(person)).body.reason).toBe('account_disabled')
    await set(true)
    await expectEnded()
  })

  it('when the user becomes an administrator, for as long', async () => {
    const set = async (permissions: string[]) =>
      expect((await send('PATCH', `users/${person.user.id}`, { permissions })).status).toBe(200)
    for (const permission of ['users:manage', 'system:admin-access']) {
      await set([permission])
      const asked = await browser.signIn(person)
      expect(asked).toMatchObject(codeAsked)
      expect(asked.body.remember_device_days).toBeUndefined()
      await browser.signIn(person, { otp: nextCode(), remember_device: true })
      expect(await devicesOf()).toHaveLength(1)
    }
  })

  it('when the user becomes a manager of users through a group', async () => {
    const body = { name: `managers ${randomUUID()}`, permissions: ['users:manage'] }
    const { id } = (await send('POST', 'groups', body)).body
    expect((await send('PATCH', `users/${person.user.id}`, { groups: [id] })).status).toBe(200)
    await expectEnded()
  })

  it('when its secret is reported', async () => {
    const [token = ''] = /lkd_\w+/.exec(browser.cookie) ?? []
    expect((await service.client('POST', '/api/2/auth/leaked', { body: { token } })).status).toBe(204)
    await expectEnded()
  })

  it('when the user reports that it was someone else', async () => {
    const token = await waitFor(() => {
      const mails = service.mailbox.mailsTo(person.user.email)
      const report = mails.find(({ subject }) => subject.startsWith('A browser is remembered'))
      const [found] = /lkn_\w{45}/.exec(report?.text ?? '') ?? []
      expect(found).toBeDefined()
      return found
    })
    const reported = await service.client('POST', '/api/2/auth/security-report', { body: { token } })
    expect(reported.status).toBeLessThan(300)
    expect((await browser.signIn(person)).status).not.toBe(200)
  })

  it('when the policy is turned off, also after it is turned on', async () => {
    await setPolicy({})
    const asked = await browser.signIn(person)
    expect(asked).toMatchObject(codeAsked)
    expect(asked.body.remember_device_days).toBeUndefined()
    pass(1)
    await setPolicy({ remembered_device_days: 30 })
    await expectEnded()
  })

  it('while only passkeys sign in', async () => {
    await storeSignInPolicy(service, { remembered_device_days: 30, passkeys_only: true })
    const asked = await browser.signIn(person)
    expect(asked).toMatchObject(codeAsked)
    expect(asked.body.remember_device_days).toBeUndefined()
    const proven = await browser.signIn(person, { otp: nextCode(), remember_device: true })
    await storeSignInPolicy(service, { remembered_device_days: 30 })
    expect(proven).toMatchObject({ status: 403, body: { reason: 'second_factor_setup_required' } })
  })

  it('when it is older than a shorter policy allows', async () => {
    pass(3 * day)
    admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await setPolicy({ remembered_device_days: 4 })
    expect((await browser.signIn(person)).status).toBe(200)
    await setPolicy({ remembered_device_days: 2 })
    await expectEnded()
  })

  it('when the authenticator app is turned off and on', async () => {
    await addPasskey(service, { ...person, bearer: await freshBearer() })
    expect((await send('DELETE', `users/${person.user.id}/totp`)).status).toBe(204)
    const plain = await browser.signIn(person)
    expect(plain.status).toBe(200)
    await enableSecondFactor(service, { ...person, bearer: plain.body.session_key })
    await expectEnded()
  })

  it('when a passkey is removed', async () => {
    const bearer = await freshBearer()
    const { id } = await addPasskey(service, { bearer })
    const path = `/api/2/users/me/passkeys/${id}`
    expect((await service.client('DELETE', path, { bearer })).status).toBe(204)
    await expectEnded()
  })

  it('with the user', async () => {
    expect((await send('DELETE', `users/${person.user.id}`)).status).toBe(204)
    expect(await devicesOf()).toEqual([])
  })

  it('when its user or a manager ends it', async () => {
    const { status, body } = await send('GET', `users/${person.user.id}/remembered-devices`)
    expect({ status, body }).toMatchObject({ status: 200, body: [{ ip: '127.0.0.1', is_current: false }] })
    const path = `users/${person.user.id}/remembered-devices/${body[0].id}`
    expect((await send('DELETE', path)).status).toBe(204)
    expect((await send('DELETE', path)).status).toBe(404)
    expect(await eventsOf()).toEqual(['created', 'ended'])
    await expectEnded()
  })

  it('only by those who may see it', async () => {
    const stranger = await addSignedIn(service)
    const manager = await addSignedIn(service, { permissions: ['users:manage'] })
    const [{ id } = { id: 0 }] = await devicesOf()
    const list = `users/${person.user.id}/remembered-devices`
    expect((await send('GET', list, undefined, stranger)).status).toBe(403)
    expect((await send('DELETE', `${list}/${id}`, undefined, stranger)).status).toBe(403)
    expect(
      (await send('DELETE', `users/${stranger.user.id}/remembered-devices/${id}`, undefined, stranger))
        .status,
    ).toBe(404)
    expect((await send('GET', `users/${admin.user.id}/remembered-devices`, undefined, manager)).status).toBe(
      403,
    )
    expect((await send('DELETE', `${list}/${id}`, undefined, manager)).status).toBe(204)
  })
})

const freshBearer = async (): Promise<string> =>
  (await openRememberingBrowser(service).signIn(person, { otp: nextCode() })).body.session_key

describe('a product that asks for more than the sign-in that is there', () => {
  const { challenge } = createPkce()
  const authorize = async (bearer: string | undefined, parameters: Readonly<Record<string, string>>) => {
    const shop = await addRelyingParty(service)
    const query = buildAuthorization(shop, challenge, parameters)
    const cookie = bearer === undefined ? {} : { cookie: `latchkey=${bearer}` }
    return service.client('GET', `/oauth2/authorize?${query}`, {
      headers: { ...cookie, accept: 'text/html' },
    })
  }
  /** Goes back to the last answer, with the cookies of all. */
  const comeBack = (answers: readonly Answer[], bearer: string): Promise<Answer> => {
    const cookies = answers.flatMap((answer) => answer.cookies)
    const kept = new Map(cookies.map((cookie) => [cookie.split('=')[0], cookie.split(';')[0]]))
    const jar = [`latchkey=${bearer}`, ...kept.values()].join('; ')
    const path = readReturnPath({ headers: answers.at(-1)?.headers ?? new Headers() })
    return service.client('GET', path, { headers: { cookie: jar, accept: 'text/html' } })
  }
  const promptOf = ({ headers }: Answer) =>
    new URL(headers.get('location') ?? '', service.url).searchParams.get('prompt')
  const signIn = async (fields: object = {}): Promise<string> => {
    const answer = await browser.signIn(person, fields)
    expect(answer.status).toBe(200)
    pass(minute)
    return answer.body.session_key
  }
  beforeEach(() => remember())

  it.each([
    ['a new sign-in', { prompt: 'login' }],
    ['a young one', { max_age: '0' }],
    ['two factors', { acr_values: 'urn:latchkey:acr:multi-factor' }],
    ['all of it', { prompt: 'login', max_age: '0', acr_values: 'urn:latchkey:acr:multi-factor' }],
  ])('gets a code for %s only after the second factor', async (_, parameters) => {
    const page = await authorize(await signIn(), parameters)
    expect(promptOf(page)).toBe('login')
    const again = await comeBack([page], await signIn())
    expect(promptOf(again)).toBe('login')
    const last = await comeBack([page, again], await signIn({ otp: nextCode() }))
    const { code } = readRedirect(last)
    expect(code).toBeDefined()
  })

  it('gets one for a plain sign-in', async () => {
    expect(readRedirect(await authorize(await signIn(), {}))['code']).toBeDefined()
  })
})
