import { expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import { type AnswerFacts, makeIdp } from '../support/idp.ts'
import { addSignedIn } from '../support/people.ts'
import { addProvider, countSessions, itemsIn, sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp())

const administrator = ['system:admin-access']

/** A browser in which a user is signed in. */
const openBrowser = async (permissions: readonly string[] = administrator) => {
  const { user, password, bearer } = await addSignedIn(service, { permissions })
  const browser = new TestBrowser(service)
  const body = { username: user.username, password }
  browser.keep(await service.client('POST', '/api/2/auth/login', { body }))
  return { browser, bearer }
}

const startTest = (browser: TestBrowser, site: 'same-origin' | 'cross-site' = 'same-origin') =>
  browser.get(`${provider.loginUrl}?test=true`, site)

/** Runs a test sign-in and returns the answer to the response of the provider. */
const runTest = async (facts: AnswerFacts = {}) => {
  const { browser, bearer } = await openBrowser()
  const start = await startTest(browser)
  const request = provider.idp.read(start.headers.get('location') ?? '', [provider.own.pem])
  const { form } = await provider.idp.answer(provider.idp.targetOf(request), facts)
  const post = () => browser.post(provider.assertionUrl, form)
  const answer = await post()
  const token = /\/tests\/([^/]+)$/.exec(answer.headers.get('location') ?? '')?.[1]
  return { answer, bearer, token, post }
}

const readResult = (token: string | undefined, bearer: string) =>
  service.client('GET', `/api/2/auth/connections/${provider.id}/tests/${token}`, { bearer })

it('leads an administrator to the result and signs no one in', async () => {
  const before = await countSessions(service)
  const { answer, bearer, token } = await runTest({
    nameId: 'never-seen',
    attributes: { mail: 'x@example.com' },
  })
  expect([answer.status, sessionOf(answer)]).toEqual([303, undefined])
  expect(answer.headers.get('location')).toMatch(
    /^https:\/\/auth\.example\.com\/admin#\/connections\/saml\/\d+\/tests\/[\w-]+$/,
  )
  const result = await readResult(token, bearer)
  expect(result.status).toBe(200)
  expect(result.body).toMatchObject({ accepted: true, subject: { name_id: 'never-seen', user: null } })
  expect(Date.parse(result.body.received_at)).toBeCloseTo(Date.now(), -5)
  // The administrator's own sign-in is the only new session, and no user was created.
  expect((await countSessions(service)) - before).toBe(2)
  expect(await itemsIn(service, 'company-account')).toEqual([])
})

it('explains why a response would be refused', async () => {
  const { answer, bearer, token } = await runTest({ audiences: ['https://other.example.com'] })
  expect(answer.status).toBe(303)
  const { accepted, steps } = (await readResult(token, bearer)).body
  expect(accepted).toBe(false)
  expect(steps.find(({ name }: { name: string }) => name === 'audience').outcome).toBe('failed')
})

it('stores no more than a result needs, also if the provider sends more', async () => {
  const groups = Array.from({ length: 400 }, (_, at) => `${at} `.padEnd(100, 'x'))
  const { bearer, token } = await runTest({ attributes: { groups } })
  const { body } = await readResult(token, bearer)
  expect([body.accepted, body.subject]).toEqual([true, null])
})

it('accepts the response of a test once, and for nothing else', async () => {
  const { post } = await runTest()
  const again = await post()
  expect([again.status, sessionOf(again)]).toEqual([401, undefined])
})

it.each<[string, readonly string[], 'same-origin' | 'cross-site', number]>([
  ['a user without rights', [], 'same-origin', 403],
  ['a user who manages users', ['users:manage'], 'same-origin', 403],
  ['an administrator on another site', administrator, 'cross-site', 403],
])('does not start for %s', async (_, permissions, site, status) => {
  const { browser } = await openBrowser(permissions)
  expect((await startTest(browser, site)).status).toBe(status)
})

it('does not start without a session', async () => {
  expect((await startTest(new TestBrowser(service))).status).toBe(401)
})

it('shows results only to administrators, under the provider that was tested', async () => {
  const { bearer, token } = await runTest()
  const { bearer: other } = await addSignedIn(service, { permissions: ['users:manage'] })
  expect((await readResult(token, other)).status).toBe(403)
  expect((await readResult(`${token}x`, bearer)).status).toBe(404)
  const otherProvider = await addProvider(service, await makeIdp())
  const elsewhere = `/api/2/auth/connections/${otherProvider.id}/tests/${token}`
  expect((await service.client('GET', elsewhere, { bearer })).status).toBe(404)
})
