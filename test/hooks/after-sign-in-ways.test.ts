import { beforeEach, describe, expect, it } from 'vitest'
import { closeCircuits } from '../../lib/features/hooks/circuits.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { companyKinds } from '../support/company-sign-in.ts'
import { misbehaviors, startHookFunctions } from '../support/hook-functions.ts'
import { sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'
import { oneTimeWays, password, type Way } from '../support/ways-to-sign-in.ts'

/* The function `afterSignIn` decides about each way to sign in: nobody gets a session past it. */

const functions = closeAfterTests(await startHookFunctions())
const service = await useService({
  ...functions.settingsFor({ afterSignIn: { timeoutMs: 500 } }),
  ALLOW_PRIVATE_METADATA: 'true',
})
const accept = { decision: 'continue' }

beforeEach(() => {
  closeCircuits()
  functions.answer(accept)
  functions.questions.length = 0
})

const open = async (way: Way) => {
  const account = await way.addAccount(service)
  functions.questions.length = 0
  return account
}

describe.each([password, ...oneTimeWays])('a sign-in with $name', (way) => {
  it('is asked about once, with what was proved', async () => {
    const { userId, prove } = await open(way)
    const proof = await prove(new TestBrowser(service))
    expect(functions.questions).toEqual([])
    expect((await proof()).session).toBeDefined()
    expect(functions.questions).toHaveLength(1)
    expect(functions.questions[0]).toMatchObject({
      hook: 'afterSignIn',
      user: { id: String(userId) },
      sign_in: { methods: way.methods, way: (way.target ?? 'password').split(':')[0] },
    })
  })

  it('gives no session when the function refuses', async () => {
    const { prove } = await open(way)
    const proof = await prove(new TestBrowser(service))
    functions.answer({ decision: 'refuse', message: 'Not today.' })
    expect(await proof()).toMatchObject({ status: 403, session: undefined })
    expect(functions.questions).toHaveLength(1)
    functions.answer(accept)
    const again = await prove(new TestBrowser(service))
    expect((await again()).session).toBeDefined()
  })

  it.each(Object.entries(misbehaviors))('gives no session when the function %s', async (_, respond) => {
    const { prove } = await open(way)
    const proof = await prove(new TestBrowser(service))
    functions.behave(respond)
    expect(await proof()).toMatchObject({ status: 503, session: undefined })
    expect(functions.questions).toHaveLength(1)
    functions.answer(accept)
    const again = await prove(new TestBrowser(service))
    expect((await again()).session).toBeDefined()
  })

  it('gives no session, however often a refused proof is sent', async () => {
    const { prove } = await open(way)
    const proof = await prove(new TestBrowser(service))
    functions.answer({ decision: 'refuse' })
    for (let count = 0; count < 3; count++) expect((await proof()).session).toBeUndefined()
  })
})

describe.each(companyKinds)('a sign-in over $kind', ({ add }) => {
  it('shows the words of a function that refuses, and offers to try again', async () => {
    const company = closeAfterTests(await add(service, 'A company'))
    const email = 'grace@company.example'
    const signIn = async () => (await company.start(new TestBrowser(service)))(email)
    expect(sessionOf(await signIn())).toBeDefined()
    functions.answer({ decision: 'refuse', message: 'Your contract has ended.' })
    const refused = await signIn()
    expect([refused.status, sessionOf(refused)]).toEqual([403, undefined])
    expect(refused.text).toContain('Your contract has ended.')
    functions.behave(misbehaviors['throws'] ?? (() => {}))
    const failed = await signIn()
    expect([failed.status, sessionOf(failed)]).toEqual([503, undefined])
    expect(failed.text).toContain(company.startPath)
    functions.answer(accept)
    expect(sessionOf(await signIn())).toBeDefined()
  })

  it('refuses a person without a second factor whom the function asks for one', async () => {
    const company = closeAfterTests(await add(service, 'A strict company'))
    const signIn = async () => (await company.start(new TestBrowser(service)))('ada@company.example')
    expect(sessionOf(await signIn())).toBeDefined()
    functions.answer({ decision: 'require_second_factor' })
    const refused = await signIn()
    expect([refused.status, sessionOf(refused)]).toEqual([403, undefined])
  })
})
