import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { readAuditItems } from '../support/audit-items.ts'
import { type Authenticator, enableSecondFactor } from '../support/authenticator.ts'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { decide, type OpenQuestion, openQuestion } from '../support/company-sign-in.ts'
import { readHiddenFields } from '../support/decisions.ts'
import { storeInvitation } from '../support/invitations.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, callAs, type Person, type SignedInPerson } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount, readUser } from '../support/public-upstream.ts'
import { useService } from '../support/use-service.ts'

/* A question waits in a browser. Then somebody else signs in there, or an administrator changes what its answer would do. */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60,signUpsPerAddress=100000/60,refusedAnswers=100000/60',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const upstream = closeAfterTests(await startUpstream())
const google = await addPublicConnection(service, admin.bearer, upstream, { first_sign_in: 'ask' })
const { table } = service.services

let browser: TestBrowser
beforeEach(async () => {
  browser = new TestBrowser(service)
  await google.change({ first_sign_in: 'ask', disabled_in_client: false })
})

const signIn = async ({ user, password }: Person): Promise<void> => {
  const answer = await service.client('POST', '/api/2/auth/login', {
    body: { username: user.username, password },
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  expect(answer.status, answer.text).toBe(200)
  browser.keep(answer)
}
const countRefusals = async (event: string) =>
  (await readAuditItems(table)).filter((item) => item['event'] === event)

describe('the question for a code', () => {
  let owner: SignedInPerson
  let bystander: SignedInPerson
  let authenticator: Authenticator
  let account: ReturnType<typeof newGoogleAccount>
  beforeEach(async () => {
    owner = await addSignedIn(service)
    bystander = await addSignedIn(service)
    ;({ authenticator } = await enableSecondFactor(service, owner))
    account = newGoogleAccount()
    const body = { provider: google.id, name: account.sub }
    expect((await call('POST', `users/${owner.user.id}/company-accounts`, body)).status).toBe(201)
  })
  const ask = async () => {
    const { answer } = await google.signIn(account, browser)
    return openQuestion(browser, answer)
  }
  const send = ({ path, page }: OpenQuestion, otp: string): Promise<Answer> =>
    browser.post(path, { ...readHiddenFields(page), answer: 'yes', otp }, 'same-origin')

  it('asks before it replaces the session of somebody who signed in since', async () => {
    const question = await ask()
    expect(question.page.text).toContain('one-time-code')
    await signIn(bystander)
    const session = browser.cookie('latchkey')
    const asked = await send(question, authenticator.code(1))
    expect([asked.status, await readUser(service, asked)]).toEqual([200, undefined])
    expect(asked.text).toContain(`<h1>Continue as ${owner.user.username}?</h1>`)
    expect(asked.text).toContain(`You are signed in as ${bystander.user.username}.`)
    // The name of the page for the code is worth nothing here.
    const [old, forged] = [await send(question, authenticator.code(1)), await send(question, '')]
    for (const answer of [old, forged]) expect(await readUser(service, answer)).toBeUndefined()
    expect(browser.cookie('latchkey')).toBe(session)
    const agreed = await decide(browser, { ...question, page: asked }, 'yes')
    const next = await openQuestion(browser, agreed)
    expect(next.page.text).toContain('one-time-code')
    expect(await readUser(service, await send(next, authenticator.code(1)))).toBe(owner.user.id)
    expect((await send(question, authenticator.code(2))).status).toBe(401)
  })

  it('leaves the session of somebody who says no', async () => {
    const question = await ask()
    await signIn(bystander)
    const session = browser.cookie('latchkey')
    const page = await browser.get(question.path, 'same-origin')
    expect(page.text).toContain('Continue as')
    expect((await decide(browser, { ...question, page }, 'no')).status).toBe(303)
    expect(browser.cookie('latchkey')).toBe(session)
    expect((await send(question, authenticator.code(1))).status).toBe(401)
  })

  it('asks again if yet another person has signed in since the first yes', async () => {
    await signIn(bystander)
    const { answer } = await google.signIn(account, browser)
    const switching = await openQuestion(browser, answer)
    const code = await openQuestion(browser, await decide(browser, switching, 'yes'))
    expect(code.page.text).toContain('one-time-code')
    const third = await addSignedIn(service)
    await signIn(third)
    const asked = await send(code, authenticator.code(1))
    expect([await readUser(service, asked), asked.text.includes(third.user.username)]).toEqual([
      ...[undefined, true],
    ])
  })

  it.each(['nobody', 'the user', 'a bystander'])(
    'names the account of a wrong code in its event, with %s signed in',
    async (who) => {
      if (who === 'the user')
        browser.keep({ cookies: [`latchkey=${owner.bearer}; Path=/; HttpOnly; SameSite=Lax`] })
      if (who === 'a bystander') await signIn(bystander)
      const { answer } = await google.signIn(account, browser)
      let question = await openQuestion(browser, answer)
      if (who === 'a bystander')
        question = await openQuestion(browser, await decide(browser, question, 'yes'))
      const before = (await countRefusals('totp.refused')).length
      const wrong = await send(question, '000000')
      expect([wrong.status, wrong.text.includes('aria-invalid')]).toEqual([200, true])
      const failed = (await countRefusals('login.failed')).filter((item) => item['user'] === owner.user.id)
      expect(failed).toHaveLength(1)
      expect(failed[0]).toMatchObject({ outcome: 'otp_invalid', target: `oidc:${google.id}` })
      expect(failed[0]?.['actor'] ?? null).toBeNull()
      expect(await countRefusals('totp.refused')).toHaveLength(before)
      expect(await readUser(service, await send({ ...question, page: wrong }, authenticator.code(1)))).toBe(
        owner.user.id,
      )
    },
  )

  it('ends with the account, also with the right code', async () => {
    const question = await ask()
    await call('PATCH', `users/${owner.user.id}`, { is_enabled: false })
    const late = await send(question, authenticator.code(1))
    expect([late.status, await readUser(service, late)]).toEqual([403, undefined])
    const failed = (await countRefusals('login.failed')).filter((item) => item['user'] === owner.user.id)
    expect(failed).toMatchObject([{ outcome: 'account_disabled' }])
  })
})

describe('an open question', () => {
  const changes: readonly (readonly [string, object])[] = [
    ['nobody gets a new account', { first_sign_in: 'refuse' }],
    ['only the invited get in', { first_sign_in: 'invited' }],
    ['the connection is hidden', { disabled_in_client: true }],
  ]
  it.each(changes)('creates nobody once %s', async (_, change) => {
    const account = newGoogleAccount()
    const { answer } = await google.signIn(account, browser)
    const question = await openQuestion(browser, answer)
    expect(question.page.status).toBe(200)
    await google.change(change)
    const late = await Promise.all(Array.from({ length: 10 }, () => decide(browser.clone(), question, 'yes')))
    for (const one of late) expect([one.status, await readUser(service, one)]).toEqual([401, undefined])
    expect((await browser.get(question.path, 'same-origin')).status).toBe(401)
  })

  it('takes no invitation once the connection does not let the invited in', async () => {
    await google.change({ first_sign_in: 'invited' })
    const email = `${randomUUID()}@gmail.com`
    const { user } = await addPerson(service, { email, emailVerified: false })
    await storeInvitation(service, user.id, { invitedBy: admin.user.id })
    await signIn(await addPerson(service))
    const { answer } = await google.signIn(newGoogleAccount({ email }), browser)
    const question = await openQuestion(browser, answer)
    expect(question.page.text).toContain(user.username)
    await google.change({ first_sign_in: 'refuse' })
    const late = await decide(browser, question, 'yes')
    expect([late.status, await readUser(service, late)]).toEqual([401, undefined])
  })

  it('names nobody who is signed in as the one who created an account', async () => {
    await google.change({ first_sign_in: 'create' })
    const bystander = await addSignedIn(service)
    await signIn(bystander)
    const { answer } = await google.signIn(newGoogleAccount(), browser)
    const done = await decide(browser, await openQuestion(browser, answer), 'yes')
    const id = await readUser(service, done)
    expect(id).toBeDefined()
    const events = (await readAuditItems(table)).filter((item) => item['user'] === id)
    expect(events.map((item) => item['event'])).toContain('user.created')
    for (const event of events) expect(event['actor'] ?? null).not.toBe(bystander.user.id)
  })
})
