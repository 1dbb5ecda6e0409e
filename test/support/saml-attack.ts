import { expect } from 'vitest'
import type { TestBrowser } from './browser.ts'
import type { SignInTarget } from './idp/assertion.ts'
import { type AnswerFacts, type AnswerForm, makeIdp } from './idp.ts'
import { expectPlainRefusal } from './refusals.ts'
import {
  addProvider,
  countSessions,
  sessionOf,
  startSignIn,
  type TestProvider,
  userOfSession,
} from './saml.ts'
import { startService, type TestService } from './service.ts'

/** Starts a service with a public URL and two identity providers. */
export const startWithTwoProviders = async () => {
  const service = await startService({
    PUBLIC_URL: 'https://auth.example.com',
    // Each variant of a response takes a sign-in of its own.
    RATE_LIMITS: 'samlStarts=100000/60',
  })
  const [provider, other] = [
    await addProvider(service, await makeIdp()),
    await addProvider(service, await makeIdp()),
  ]
  return { service, provider, other }
}

/** What is posted instead of a valid response: facts to create it from, or a function that returns the form. */
export type Attack = AnswerFacts | ((target: SignInTarget, browser: TestBrowser) => Promise<AnswerForm>)

const formFor = async (
  { idp }: TestProvider,
  attack: Attack,
  target: SignInTarget,
  browser: TestBrowser,
): Promise<AnswerForm> =>
  typeof attack === 'function' ? attack(target, browser) : (await idp.answer(target, attack)).form

/** Posts an attack during a sign-in. Expects a rejection and no new session. */
export const expectRefused = async (
  service: TestService,
  provider: TestProvider,
  name: string,
  attack: Attack,
): Promise<void> => {
  const { browser, target } = await startSignIn(service, provider)
  const before = await countSessions(service)
  const answer = await browser.post(provider.assertionUrl, await formFor(provider, attack, target, browser))
  expectPlainRefusal(answer, name)
  expect([name, browser.cookie('latchkey')]).toEqual([name, undefined])
  expect([name, await countSessions(service)]).toEqual([name, before])
}

/** Posts a response and returns the user of the new session; `undefined` if it is rejected. */
export const userFor = async (
  service: TestService,
  provider: TestProvider,
  name: string,
  attack: Attack,
): Promise<number | undefined> => {
  const { browser, target } = await startSignIn(service, provider)
  const answer = await browser.post(target.acsUrl, await formFor(provider, attack, target, browser))
  const session = sessionOf(answer)
  if (answer.status === 303 && session !== undefined) return userOfSession(service, session)
  expectPlainRefusal(answer, name)
  return undefined
}

/** Posts a valid response, expects a session, and returns its user. */
export const expectAccepted = async (
  service: TestService,
  provider: TestProvider,
  name: string,
  valid: Attack = {},
): Promise<number> => {
  const user = await userFor(service, provider, name, valid)
  expect([name, user]).toEqual([name, expect.any(Number)])
  return Number(user)
}

/**
 * Expects a rejection of the attack and a session for a valid response that differs from it in one detail. The test fails
 * if this check is missing, and also if everything is rejected.
 */
export const expectOneChangeAway = async (
  service: TestService,
  provider: TestProvider,
  name: string,
  attack: Attack,
  valid: Attack = {},
): Promise<void> => {
  await expectRefused(service, provider, name, attack)
  await expectAccepted(service, provider, name, valid)
}
