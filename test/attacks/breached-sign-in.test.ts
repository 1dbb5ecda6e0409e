import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { clientFrom, loopback } from '../support/addressed-client.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { awaitMails } from '../support/await-mails.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { listMailedTokens, readMailedToken } from '../support/mailed-page.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { prefixOf, startRangeServer, suffixOf } from '../support/range-server.ts'
import { useService } from '../support/use-service.ts'

/* Attackers who have the passwords of a breach, and people who do not know that theirs is in it. */

const minute = 60_000
const day = 24 * 60 * minute
const ranges = closeAfterTests(await startRangeServer())
const calls: string[] = []
const service = await useService(
  { BREACH_ENDPOINT: ranges.url },
  {
    tableHooks: {
      refuse: ({ action }) => {
        calls.push(action)
        return undefined
      },
    },
  },
)
const { table } = service.services
let now = Date.now()
let nextAddress = 1
let person: Person
let home: string
const freshAddress = () => loopback(nextAddress++)
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms)
/** The range service knows the password of this person from a breach. */
const breach = ({ password }: Person = person) => ranges.answer([`${suffixOf(password)}:42`])
const login = (address: string, fields: object = {}, { user, password } = person) =>
  clientFrom(address, service.url)('POST', '/api/2/auth/login', {
    body: { username: user.username, password, ...fields },
  })
const readUser = () => findUser(table, person.user.id)
beforeEach(async () => {
  now += 40 * day
  vi.useFakeTimers({ toFake: ['Date'], now })
  ranges.answer([])
  home = freshAddress()
  person = await addPerson(service, { email: `${randomUUID()}@example.com` })
  expect(await login(home)).toMatchObject({ status: 200 })
  wait(31 * day)
  ranges.requests.length = 0
})
afterAll(() => vi.useRealTimers())

describe('the password of a sign-in', () => {
  it('is looked up once in 30 days, by five digits of its hash, and after it was right', async () => {
    expect(await login(home, { password: 'not this one' })).toMatchObject({ status: 401 })
    expect(ranges.requests).toEqual([])
    expect(await login(home)).toMatchObject({ status: 200 })
    expect(ranges.requests.map(({ url }) => url)).toEqual([`/range/${prefixOf(person.password)}`])
    wait(29 * day)
    expect(await login(home)).toMatchObject({ status: 200 })
    expect(ranges.requests).toHaveLength(1)
    wait(2 * day)
    breach()
    expect(await login(home)).toMatchObject({ status: 403 })
    expect(ranges.requests).toHaveLength(2)
  })

  it('takes no table call more than before', async () => {
    await login(home)
    wait(40 * minute)
    const readCalls = async () => {
      calls.length = 0
      await login(home)
      return [...calls]
    }
    const without = await readCalls()
    expect(ranges.requests).toHaveLength(1)
    wait(31 * day)
    expect(await readCalls()).toEqual(without)
    expect(ranges.requests).toHaveLength(2)
  })

  it('signs in if the lookup takes too long, and is looked up at the next sign-in', async () => {
    const waiting: ServerResponse[] = []
    ranges.behave((_, response) => waiting.push(response))
    expect(await login(home)).toMatchObject({ status: 200 })
    for (const response of waiting) response.destroy()
    expect(waiting).toHaveLength(1)
    breach()
    expect(await login(home)).toMatchObject({ body: { reason: 'password_change_required' } })
  })

  it('is not looked up for a while after three lookups without an answer, and chosen passwords still are', async () => {
    ranges.behave((_, response) => response.writeHead(503).end())
    for (let at = 0; at < 5; at++) expect(await login(home)).toMatchObject({ status: 200 })
    expect(ranges.requests).toHaveLength(3)
    ranges.answer([`${suffixOf('vanish-kettle-orbits')}:9`])
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const answer = await service.client('POST', '/api/2/auth/evaluate-password', {
      bearer,
      body: { password: 'vanish-kettle-orbits', custom_policy: { no_pwned: true } },
    })
    expect(answer.body.errors).toEqual([expect.stringMatching(/data breach/)])
  })
})

describe('a breached password', () => {
  beforeEach(() => breach())

  it('is changed at once where the user signed in before', async () => {
    const refused = await login(home)
    expect(refused).toMatchObject({
      status: 403,
      body: { reason: 'password_change_required', is_password_breached: true, password_policy: {} },
    })
    const fresh = `lanterns under ${randomUUID()}`
    expect(await login(home, { new_password: person.password })).toMatchObject({ status: 400 })
    expect(await login(home, { new_password: fresh })).toMatchObject({ status: 200 })
    expect(await login(home)).toMatchObject({ status: 401 })
    expect(await login(home, { password: fresh })).toMatchObject({ status: 200 })
  })

  it('opens no session elsewhere, not even with a new password, and its owner gets a link', async () => {
    const stranger = freshAddress()
    const taken = `the thief chose ${randomUUID()}`
    for (const fields of [{}, { new_password: taken }, { second_factor_setup: true }])
      expect(await login(stranger, fields)).toMatchObject({
        status: 403,
        body: { reason: 'password_breached' },
      })
    expect(await login(stranger, { password: taken })).toMatchObject({ status: 401 })
    await awaitMails(service)
    expect(listMailedTokens(service, person.user.email, 'reset')).toHaveLength(1)
    const token = await readMailedToken(service, person.user.email, 'reset')
    const fresh = `lanterns under ${randomUUID()}`
    const reset = await service.client('POST', '/api/2/auth/reset-password', {
      body: { token, password: fresh },
    })
    expect(reset).toMatchObject({ status: 204 })
    expect(await login(stranger, { password: fresh })).toMatchObject({ status: 200 })
  })

  it('stays refused while the lookup gets no answer', async () => {
    await login(freshAddress())
    ranges.behave((_, response) => response.writeHead(503).end())
    wait(minute)
    expect(await login(freshAddress())).toMatchObject({ body: { reason: 'password_breached' } })
    expect(await login(home)).toMatchObject({ body: { reason: 'password_change_required' } })
  })

  it('lets a hundred parallel sign-ins open nothing and send few emails', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => login(freshAddress())))
    expect(answers.filter(({ status }) => status === 200)).toEqual([])
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(answers.some(({ body }) => body.reason === 'password_breached')).toBe(true)
    await awaitMails(service)
    const sent = listMailedTokens(service, person.user.email, 'reset').length
    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThanOrEqual(3)
  })

  it('is changed at once by someone who proved the second factor', async () => {
    ranges.answer([])
    const { session_key: bearer } = (await login(home)).body
    const { authenticator } = await enableSecondFactor(service, { ...person, bearer })
    wait(31 * day)
    breach()
    const stranger = freshAddress()
    expect(await login(stranger)).toMatchObject({ body: { reason: 'otp_required' } })
    const otp = authenticator.code(1)
    expect(await login(stranger, { otp })).toMatchObject({ body: { reason: 'password_change_required' } })
    const fresh = `lanterns under ${randomUUID()}`
    expect(await login(stranger, { otp, new_password: fresh })).toMatchObject({ status: 200 })
  })

  it('is changed at once by someone who has no address for a link', async () => {
    person = await addPerson(service)
    breach()
    expect(await login(freshAddress())).toMatchObject({ body: { reason: 'password_change_required' } })
  })

  it('is nobody else’s matter: other accounts with other passwords sign in', async () => {
    await login(freshAddress())
    const other = await addPerson(service)
    expect(await login(freshAddress(), {}, other)).toMatchObject({ status: 200 })
  })

  it('is forgotten once an administrator sets another one', async () => {
    await login(freshAddress())
    await awaitMails(service)
    expect((await readUser())?.breachLookup).toMatchObject({ isFound: true })
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const fresh = `lanterns under ${randomUUID()}`
    const set = await service.client('POST', `/api/2/users/${person.user.id}/password`, {
      bearer: admin.bearer,
      body: { password: fresh },
    })
    expect(set).toMatchObject({ status: 204 })
    expect((await readUser())?.breachLookup).toBeUndefined()
    expect(await login(freshAddress(), { password: fresh })).toMatchObject({ status: 200 })
  })

  it('signs in if the policy accepts breached passwords', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const policy = { rules: [], min_length: 12, no_pwned: false }
    const path = '/api/2/system/password-policy'
    const set = await service.client('PUT', path, { bearer: admin.bearer, body: policy })
    expect(set.status).toBeLessThan(300)
    expect(await login(freshAddress())).toMatchObject({ status: 200 })
    await service.client('PUT', path, { bearer: admin.bearer, body: { ...policy, no_pwned: true } })
    expect(await login(freshAddress())).toMatchObject({ body: { reason: 'password_breached' } })
  })
})
