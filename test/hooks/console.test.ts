import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { closeCircuits } from '../../lib/features/hooks/circuits.ts'
import { findSignInPolicy } from '../../lib/features/sign-in/policy.records.ts'
import { ageAuthentication } from '../support/age-authentication.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { readMailed } from '../support/deliver-mail.ts'
import { misbehaviors, startHookFunctions } from '../support/hook-functions.ts'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import { addPerson, addSignedIn, type Person, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* What administrators see of hooks, how they try one, and how they turn one off. */

const functions = closeAfterTests(await startHookFunctions())
const service = await useService({
  ...functions.settingsFor({
    beforeSignUp: { timeoutMs: 500, groups: ['Customers'], attributes: ['plan'] },
    afterSignIn: { timeoutMs: 500 },
    beforeToken: { timeoutMs: 500, claims: ['plan'] },
  }),
  RATE_LIMITS: 'accountFailures=1000/600,addressFailures=10000/600',
})
const { table } = service.services
const accept = { decision: 'continue' }
const permissions = ['system:admin-access']
functions.answer(accept)
const admin = await addSignedIn(service, { permissions })
const ada = await addPerson(service)
const scope = 'openid attributes'
const party = await addRelyingParty(service, { scopes: ['openid', 'attributes'] })

beforeEach(() => {
  closeCircuits()
  functions.answer(accept)
  functions.questions.length = 0
})

const list = async ({ bearer } = admin) => service.client('GET', '/api/2/hooks', { bearer })
const change = (name: string, turnedOff: unknown, { bearer } = admin) =>
  service.client('PATCH', `/api/2/hooks/${name}`, { bearer, body: { turned_off: turnedOff } })
const tryHook = (name: string, body: object, { bearer } = admin) =>
  service.client('POST', `/api/2/hooks/${name}/try`, { bearer, body })
const find = async (name: string) =>
  (await list()).body.find((hook: { readonly name: string }) => hook.name === name)
const signIn = (person: Person) => trySignIn(service, person)
/** Each administrator has a limit of test calls. */
const addAdmin = () => addSignedIn(service, { permissions })

describe('the list', () => {
  it('shows settings, times and failures from the audit log', async () => {
    const person = await addPerson(service)
    expect((await signIn(person)).status).toBe(200)
    functions.answer('garbage')
    expect((await signIn(person)).status).toBe(503)
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body.map(({ name, state }: Record<string, string>) => [name, state])).toEqual([
      ['beforeSignUp', 'on'],
      ['afterSignIn', 'on'],
      ['beforeToken', 'on'],
    ])
    const [signUp, afterSignIn, token] = body
    expect(signUp).toMatchObject({ groups: ['Customers'], attributes: ['plan'], latency: null })
    expect(token).toMatchObject({ claims: ['plan'], on_failure: 'continue', timeout_ms: 500 })
    expect(afterSignIn).toMatchObject({ on_failure: 'refuse', turned_off: null, function: null })
    expect(afterSignIn.failures[0]).toMatchObject({
      ...{ event: 'hook.failed', problem: 'answer', user: person.user.id },
      user_name: person.user.username,
    })
    expect(afterSignIn.latency.calls).toBeGreaterThan(0)
    expect(afterSignIn.latency.median_ms).toBeLessThanOrEqual(afterSignIn.latency.p95_ms)
    // The address of a module in local mode is known to nobody else.
    expect(JSON.stringify(body)).not.toContain('127.0.0.1')
  })
})

describe('others than administrators with a session', () => {
  const calls = [
    ['GET', 'hooks', undefined],
    ['PATCH', 'hooks/afterSignIn', { turned_off: true }],
    ['POST', 'hooks/afterSignIn/try', { user: 1 }],
  ] as const

  it.each(calls)('are refused: %s %s', async (method, path, body) => {
    const url = `/api/2/${path}`
    const manager = await addSignedIn(service, {
      permissions: ['users:manage', 'users:view', 'organizations:manage'],
    })
    functions.questions.length = 0
    expect((await service.client(method, url, { body })).status).toBe(401)
    expect((await service.client(method, url, { body, bearer: manager.bearer })).status).toBe(403)
    const token = await service.client('POST', '/api/2/api-tokens', {
      bearer: admin.bearer,
      body: { name: `Program for ${method}` },
    })
    expect((await service.client(method, url, { body, bearer: token.body.token })).status).toBe(403)
    expect(functions.questions).toEqual([])
    expect((await findSignInPolicy(table))?.hooksOff?.afterSignIn).toBeUndefined()
  })
})

describe('a test call', () => {
  it('shows what the function got and answered, and changes nothing', async () => {
    functions.answer({ decision: 'refuse', message: '<img src=x onerror=alert(1)>' })
    const { status, body } = await tryHook('afterSignIn', { user: ada.user.id })
    expect(status).toBe(200)
    expect(body).toMatchObject({ verdict: 'refuse', message: '<img src=x onerror=alert(1)>', problem: null })
    const [question] = functions.questions
    expect(question).toMatchObject({ hook: 'afterSignIn', version: 1, is_test: true })
    expect(JSON.parse(body.input)).toEqual(question)
    expect(body.input).not.toContain(ada.user.passwordHash)
    expect(JSON.parse(body.answer)).toEqual({ decision: 'refuse', message: '<img src=x onerror=alert(1)>' })
    expect(await table.list(`user#${ada.user.id}`, 'session')).toEqual([])
    const events = (await readAuditItems(table)).filter(({ user }) => user === ada.user.id)
    expect(events.map(({ event, actor, target }) => [event, actor, target])).toEqual([
      ['hook.tried', admin.user.id, 'afterSignIn'],
    ])
  })

  it('says which fields a function may not give', async () => {
    functions.answer({ claims: { plan: 'pro', sub: '1' }, permissions: ['system:admin-access'] })
    const client_id = party.client.clientId
    const { body } = await tryHook('beforeToken', { user: ada.user.id, client_id })
    expect(body).toMatchObject({ verdict: 'failed', problem: 'answer' })
    expect(body.problems).toEqual(
      expect.arrayContaining([
        { field: 'permissions', message: 'is not allowed' },
        { field: 'claims.sub', message: 'is not in the list of claims' },
      ]),
    )
    functions.answer({ claims: { plan: 'pro' } })
    expect((await tryHook('beforeToken', { user: ada.user.id, client_id })).body.verdict).toBe('claims')
  })

  it('is about an account that does not exist', async () => {
    functions.answer({ decision: 'accept', groups: ['Administrators'] })
    const account = { username: 'grace', email: 'grace@example.com' }
    const refused = await tryHook('beforeSignUp', { account })
    expect(refused.body).toMatchObject({
      verdict: 'failed',
      problems: [{ field: 'groups.Administrators', message: 'is not in the list of groups' }],
    })
    functions.answer({ decision: 'accept' })
    expect((await tryHook('beforeSignUp', { account })).body.verdict).toBe('accept')
    const { status } = await trySignIn(service, { user: { username: 'grace' }, password: 'x' })
    expect(status).toBe(401)
  })

  it.each(Object.entries(misbehaviors))('of a function that %s opens no circuit', async (_, respond) => {
    functions.behave(respond)
    const other = await addAdminWithHook()
    functions.behave(respond)
    for (let count = 0; count < 6; count++) {
      const { status, body } = await tryHook('afterSignIn', { user: ada.user.id }, other)
      expect([status, body.verdict]).toEqual([200, 'failed'])
      expect(JSON.stringify(body)).not.toContain('__proto__')
    }
    functions.answer(accept)
    expect((await signIn(ada)).status).toBe(200)
    const events = (await readAuditItems(table)).map(({ event, actor }) => [event, actor])
    expect(events.filter(([event, actor]) => event === 'hook.failed' && actor === other.user.id)).toEqual([])
  })

  /** The function misbehaves, but an administrator has to sign in first. */
  const addAdminWithHook = async () => {
    functions.answer(accept)
    return addAdmin()
  }

  it('is limited, also a hundred at once', async () => {
    const other = await addAdmin()
    functions.questions.length = 0
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => tryHook('afterSignIn', { user: ada.user.id }, other)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(80)
    expect(functions.questions).toHaveLength(20)
  })

  it.each([
    ['another hook', '__proto__', { user: ada.user.id }, 404],
    ['a hook with another case', 'aftersignin', { user: ada.user.id }, 404],
    ['nobody', 'afterSignIn', {}, 400],
    ['a person who does not exist', 'afterSignIn', { user: 2_000_000_000 }, 404],
    ['no client', 'beforeToken', { user: ada.user.id }, 400],
    ['an unknown client', 'beforeToken', { user: ada.user.id, client_id: 'constructor' }, 404],
    ['a huge name', 'beforeSignUp', { account: { username: 'x'.repeat(256) } }, 400],
    ['an empty name', 'beforeSignUp', { account: { username: '' } }, 400],
    ['no account', 'beforeSignUp', { user: ada.user.id }, 400],
  ])('for %s calls nothing', async (_, name, body, status) => {
    expect((await tryHook(name, body, await addAdmin())).status).toBe(status)
    // The administrator signed in.
    expect(functions.questions.filter((one) => one['is_test'])).toEqual([])
  })
})

describe('a hook that an administrator turned off', () => {
  const off = async (name: string) => expect((await change(name, true)).status).toBe(204)
  const on = async (name: string) => expect((await change(name, false)).status).toBe(204)

  it('is not asked at sign-ins, until it is on again', async () => {
    functions.answer({ decision: 'refuse' })
    expect((await signIn(ada)).status).toBe(403)
    await off('afterSignIn')
    functions.questions.length = 0
    expect((await signIn(ada)).status).toBe(200)
    expect(functions.questions).toEqual([])
    expect(await find('afterSignIn')).toMatchObject({
      state: 'turned_off',
      turned_off: { by: admin.user.id, by_name: admin.user.username },
    })
    await on('afterSignIn')
    expect((await signIn(ada)).status).toBe(403)
    expect(await find('afterSignIn')).toMatchObject({ state: 'on', turned_off: null })
    const events = (await readAuditItems(table)).filter(({ target }) => target === 'afterSignIn')
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['hook.turned_off', 'hook.turned_on']),
    )
  })

  it('adds no claims to tokens', async () => {
    const person = await addSignedIn(service)
    functions.answer({ claims: { plan: 'pro' } })
    await off('beforeToken')
    const without = await getTokens(service, party, person.bearer, { scope })
    expect(decodeJwt(without.id_token)).not.toHaveProperty('plan')
    await on('beforeToken')
    const tokens = await getTokens(service, party, person.bearer, { scope })
    expect(decodeJwt(tokens.id_token)['plan']).toBe('pro')
  })

  it('gives an account to everybody who signs up', async () => {
    const { bearer } = admin
    const body = { mode: 'open' }
    expect((await service.client('PUT', '/api/2/system/sign-up-policy', { bearer, body })).status).toBe(200)
    const signUp = async () => {
      const email = `${randomUUID()}@example.com`
      await service.client('POST', '/api/2/auth/sign-up', { body: { email } })
      const token = await readMailed(service, email, 'token')
      const complete = { token, full_name: 'Grace Hopper' }
      return service.client('POST', '/api/2/auth/sign-up/complete', { body: complete })
    }
    functions.answer({ decision: 'refuse', message: 'No contract.' })
    expect((await signUp()).status).toBe(403)
    await off('beforeSignUp')
    functions.questions.length = 0
    expect((await signUp()).status).toBeLessThan(300)
    expect(functions.questions).toEqual([])
    await on('beforeSignUp')
    expect((await signUp()).status).toBe(403)
  })

  it('can be tried', async () => {
    await off('afterSignIn')
    expect((await tryHook('afterSignIn', { user: ada.user.id }, await addAdmin())).body.verdict).toBe(
      'continue',
    )
    await on('afterSignIn')
  })

  it('stays off when the sign-in policy changes, which stays when the hook is turned off', async () => {
    await off('afterSignIn')
    const path = '/api/2/system/sign-in-policy'
    const body = { allow_email_codes: true }
    const { bearer } = admin
    expect((await service.client('PUT', path, { bearer, body })).status).toBe(200)
    expect((await find('afterSignIn')).state).toBe('turned_off')
    await on('afterSignIn')
    expect((await service.client('GET', path, { bearer })).body.allow_email_codes).toBe(true)
  })

  it('has one state and its events after a hundred changes at once', async () => {
    const before = (await readAuditItems(table)).length
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => change('beforeToken', at % 2 === 0)),
    )
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].filter((status) => status !== 204 && status !== 409)).toEqual([])
    const events = (await readAuditItems(table))
      .slice(before)
      .filter(({ target }) => target === 'beforeToken')
    const turnedOff = events.filter(({ event }) => event === 'hook.turned_off').length
    const turnedOn = events.filter(({ event }) => event === 'hook.turned_on').length
    const isOff = (await find('beforeToken')).state === 'turned_off'
    expect(turnedOff - turnedOn).toBe(isOff ? 1 : 0)
    await on('beforeToken')
  })

  it('was turned off with a recent proof of identity', async () => {
    const stale = await addAdmin()
    await ageAuthentication(service, stale, service.services.config.recentAuthenticationMs + 1)
    for (const turnedOff of [true, false]) {
      const { status, body } = await change('afterSignIn', turnedOff, stale)
      expect([status, body.reason]).toEqual([403, 'reauthentication_required'])
    }
    expect((await find('afterSignIn')).state).toBe('on')
  })

  it.each(['__proto__', 'constructor', 'AfterSignIn', 'after_sign_in', '%00'])(
    'has no other name, such as %s',
    async (name) => {
      expect((await change(name, true)).status).toBe(404)
    },
  )

  it.each([
    ['text', 'yes'],
    ['a number', 1],
    ['null', null],
    ['nothing', undefined],
  ])('is not turned off by %s', async (_, given) => {
    expect((await change('afterSignIn', given)).status).toBe(400)
    expect((await find('afterSignIn')).state).toBe('on')
  })
})
