import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import { makeIdp } from '../support/idp.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { addProvider, sessionOf, startSignIn, type TestProvider } from '../support/saml.ts'
import { hasStep, startWatchedService, type WatchedService } from '../support/watched-table.ts'

/* A SAML provider is deleted after a response was verified, but before the result is written. */

let service: WatchedService
let admin: Person & { readonly bearer: string }
beforeAll(async () => {
  service = await startWatchedService({ PUBLIC_URL: 'https://auth.example.com' })
  admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
})
afterEach(() => service.restore())
afterAll(() => service.close())

/** Sends a DELETE request just before the transaction that requires the provider, and collects its status. */
const deleteBeforeLastWrite = ({ id }: TestProvider, path: string): readonly number[] => {
  const statuses: number[] = []
  service.justBefore(hasStep('ConditionCheck', `saml-provider#${id}`), async () => {
    const answer = await service.client('DELETE', `/api/2${path}`, { bearer: admin.bearer })
    statuses.push(answer.status)
  })
  return statuses
}
const notAvailable = 'refers to an identity provider that is no longer available'

describe('signing in', () => {
  it('opens no session and shows that the provider is no longer available', async () => {
    const provider = await addProvider(service, await makeIdp())
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await provider.idp.answer(target)
    const statuses = deleteBeforeLastWrite(provider, `/auth/saml/${provider.id}`)
    const answer = await browser.post(provider.assertionUrl, form)
    expect([answer.status, statuses]).toEqual([404, [204]])
    expect(answer.text).toContain(notAvailable)
    expect(sessionOf(answer)).toBeUndefined()
  })
})

describe('linking an account', () => {
  /** Starts linking for the session of a browser and returns the form that completes it. */
  const startLinking = async (provider: TestProvider) => {
    const { user, password } = await addPerson(service)
    const browser = new TestBrowser(service)
    const credentials = { username: user.username, password }
    browser.keep(await service.client('POST', '/api/2/auth/login', { body: credentials }))
    const start = await browser.get(`${provider.loginUrl}?link=true`, 'same-origin')
    const request = provider.idp.read(start.headers.get('location') ?? '', [provider.own.pem])
    const facts = { nameId: `link-${randomUUID()}` }
    const { form } = await provider.idp.answer(provider.idp.targetOf(request), facts)
    return { user, browser, form }
  }

  it('shows that the provider is no longer available', async () => {
    const provider = await addProvider(service, await makeIdp())
    const { browser, form } = await startLinking(provider)
    const statuses = deleteBeforeLastWrite(provider, `/auth/saml/${provider.id}`)
    const answer = await browser.post(provider.assertionUrl, form)
    expect([answer.status, statuses]).toEqual([404, [204]])
    expect(answer.text).toContain(notAvailable)
    expect(answer.text).not.toContain('Your session here has ended')
  })

  it('shows that the session has ended if an administrator ended it instead', async () => {
    const provider = await addProvider(service, await makeIdp())
    const { user, browser, form } = await startLinking(provider)
    const statuses = deleteBeforeLastWrite(provider, `/users/${user.id}/sessions`)
    const answer = await browser.post(provider.assertionUrl, form)
    expect([answer.status, statuses]).toEqual([401, [204]])
    expect(answer.text).toContain('Your session here has ended')
  })
})
