import { afterEach, expect, it } from 'vitest'
import { makeIdp } from '../support/idp.ts'
import { addProvider, sessionOf, signInByConnection, startSignIn } from '../support/saml.ts'
import { useWatchedService } from '../support/watched-table.ts'

/* Each call waits for the one before. The lists are limits: a further call would be another round trip. */

const service = await useWatchedService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp())
afterEach(() => service.restore())

it('a SAML response is two calls before its verification, one during it, and two after it', async () => {
  // The first sign-in creates the user.
  await signInByConnection(service, provider)
  const { browser, target } = await startSignIn(service, provider)
  const { form } = await provider.idp.answer(target)
  const calls: string[] = []
  service.watch(({ action }) => {
    calls.push(action)
    return undefined
  })
  expect(sessionOf(await browser.post(target.acsUrl, form))).toBeDefined()
  expect(calls).toEqual([
    // The provider and the sign-in, which is then used.
    'BatchGetItem',
    'UpdateItem',
    // Who has the name of the assertion, while the second verifier works.
    'GetItem',
    // The user with the account. The transaction uses the assertion and creates the session.
    'BatchGetItem',
    'TransactWriteItems',
  ])
})
