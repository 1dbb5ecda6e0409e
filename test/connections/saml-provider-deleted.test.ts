import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import { makeIdp } from '../support/idp.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import {
  addProvider,
  sessionOf,
  signInByConnection,
  startSignIn,
  type TestProvider,
  userOfSession,
} from '../support/saml.ts'
import { hasStep, useWatchedService } from '../support/watched-table.ts'

/* A SAML provider is deleted after a response was verified, but before the result is written. */

const service = await useWatchedService({ PUBLIC_URL: 'https://auth.example.com' })
const admin: Person & { readonly bearer: string } = await addSignedIn(service, {
  permissions: ['system:admin-access'],
})
afterEach(() => service.restore())

/** Matches the transaction that creates a session or links an account through the provider. */
const isLastWrite = ({ id }: TestProvider) =>
  hasStep('ConditionCheck', new RegExp(`^(connection|connection-sessions)#${id}(#|$)`))

/** Sends a DELETE request just before that transaction, and collects its status. */
const deleteBeforeLastWrite = (provider: TestProvider, path: string): readonly number[] => {
  const statuses: number[] = []
  service.justBefore(isLastWrite(provider), async () => {
    const answer = await service.client('DELETE', `/api/2${path}`, { bearer: admin.bearer })
    statuses.push(answer.status)
  })
  return statuses
}
const notAvailable = 'a way to sign in that is no longer available'

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

  it('opens no session that outlives a deletion in progress', async () => {
    const provider = await addProvider(service, await makeIdp())
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await provider.idp.answer(target)
    const [closing, signedIn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let deletion: Promise<Answer> | undefined
    service.watch(async (call) => {
      if (isLastWrite(provider)(call) && !deletion) {
        // The record of the provider is deleted now, but nothing prevents sessions yet.
        deletion = service.client('DELETE', `/api/2/auth/saml/${provider.id}`, { bearer: admin.bearer })
        await closing.promise
      }
      if (call.action === 'PutItem' && call.input.Item.sk.S === 'closed') {
        closing.resolve()
        await signedIn.promise
      }
      return undefined
    })
    const answer = await browser.post(provider.assertionUrl, form)
    signedIn.resolve()
    const session = sessionOf(answer) ?? ''
    expect([answer.status, (await deletion)?.status]).toEqual([303, 204])
    expect(session).not.toBe('')
    expect(await userOfSession(service, session)).toBeUndefined()
    expect(await service.services.table.list(`connection-sessions#${provider.id}`, '')).toEqual([])
  })

  it('is undone by a repeated deletion if the first one stopped half-way', async () => {
    const provider = await addProvider(service, await makeIdp())
    const path = `/api/2/auth/saml/${provider.id}`
    const sessions = await Promise.all(
      Array.from(
        { length: 5 },
        async () => (await signInByConnection(service, provider, { nameId: randomUUID() })).session,
      ),
    )
    // The first attempt fails after it deleted the record.
    service.failAfter(hasStep('Delete', `connection#${provider.id}`, 'connection'))
    const first = await service.client('DELETE', path, { bearer: admin.bearer })
    service.restore()
    const second = await service.client('DELETE', path, { bearer: admin.bearer })
    const third = await service.client('DELETE', path, { bearer: admin.bearer })
    expect([first.status, second.status, third.status]).toEqual([409, 204, 404])
    expect(await Promise.all(sessions.map((value) => userOfSession(service, value)))).toEqual(
      sessions.map(() => undefined),
    )
  })

  it('ends with the provider, also if the table fails once in the middle', async () => {
    const provider = await addProvider(service, await makeIdp())
    const { session = '' } = await signInByConnection(service, provider)
    let failures = 0
    service.watch((call) => {
      if (failures > 0 || !hasStep('Delete', `connection-sessions#${provider.id}`)(call)) return undefined
      failures++
      return 'the table fails'
    })
    const answer = await service.client('DELETE', `/api/2/auth/saml/${provider.id}`, { bearer: admin.bearer })
    expect([answer.status, failures]).toEqual([204, 1])
    expect(await userOfSession(service, session)).toBeUndefined()
  })

  it('works through a provider whose ID someone tried to delete before it existed', async () => {
    const { id } = await addProvider(service, await makeIdp())
    for (const next of [id + 1, id + 2, id + 3])
      expect(
        (await service.client('DELETE', `/api/2/auth/saml/${next}`, { bearer: admin.bearer })).status,
      ).toBe(404)
    const provider = await addProvider(service, await makeIdp())
    expect(provider.id).toBeLessThanOrEqual(id + 3)
    expect((await signInByConnection(service, provider)).answer.status).toBe(303)
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
    expect(answer.text).not.toContain('You are not signed in')
  })

  it('shows that the session has ended if an administrator ended it instead', async () => {
    const provider = await addProvider(service, await makeIdp())
    const { user, browser, form } = await startLinking(provider)
    const statuses = deleteBeforeLastWrite(provider, `/users/${user.id}/sessions`)
    const answer = await browser.post(provider.assertionUrl, form)
    expect([answer.status, statuses]).toEqual([401, [204]])
    expect(answer.text).toContain('Go to the sign-in page and sign in')
  })
})
