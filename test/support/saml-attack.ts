import { expect } from 'vitest'
import type { TestBrowser } from './browser.ts'
import type { SignInTarget } from './idp/assertion.ts'
import type { AnswerFacts, AnswerForm } from './idp.ts'
import { expectPlainRefusal } from './refusals.ts'
import { beginSignIn, countSessions, sessionOf, type TestProvider, userOfSession } from './saml.ts'
import type { TestService } from './service.ts'

/** What is posted in place of an honest answer: facts that make it, or the form as it is. */
export type Attack = AnswerFacts | ((target: SignInTarget, browser: TestBrowser) => Promise<AnswerForm>)

const formFor = async (
  { idp }: TestProvider,
  attack: Attack,
  target: SignInTarget,
  browser: TestBrowser,
): Promise<AnswerForm> =>
  typeof attack === 'function' ? attack(target, browser) : (await idp.answer(target, attack)).form

/** Posts an attack to the service in the course of a sign-in, and sees that it makes no session. */
export const expectRefused = async (
  service: TestService,
  provider: TestProvider,
  name: string,
  attack: Attack,
): Promise<void> => {
  const { browser, target } = await beginSignIn(service, provider)
  const before = await countSessions(service)
  const answer = await browser.post(provider.assertionUrl, await formFor(provider, attack, target, browser))
  expectPlainRefusal(answer, name)
  expect([name, browser.cookie('latchkey')]).toEqual([name, undefined])
  expect([name, await countSessions(service)]).toEqual([name, before])
}

/** Posts what may be taken or refused, and returns whose session it makes; undefined when it is refused. */
export const userFor = async (
  service: TestService,
  provider: TestProvider,
  name: string,
  attack: Attack,
): Promise<number | undefined> => {
  const { browser, target } = await beginSignIn(service, provider)
  const answer = await browser.post(target.acsUrl, await formFor(provider, attack, target, browser))
  const session = sessionOf(answer)
  if (answer.status === 303 && session !== undefined) return userOfSession(service, session)
  expectPlainRefusal(answer, name)
  return undefined
}

/** Posts what is honest, sees that it is taken, and returns whose session it makes. */
export const expectTaken = async (
  service: TestService,
  provider: TestProvider,
  name: string,
  honest: Attack = {},
): Promise<number> => {
  const user = await userFor(service, provider, name, honest)
  expect([name, user]).toEqual([name, expect.any(Number)])
  return Number(user)
}

/**
 * Sees the attack refused, and what is honest but for one thing taken: so the test fails when the one refusal that it is
 * about is missing, and when everything is refused.
 */
export const expectOneChangeAway = async (
  service: TestService,
  provider: TestProvider,
  name: string,
  attack: Attack,
  honest: Attack = {},
): Promise<void> => {
  await expectRefused(service, provider, name, attack)
  await expectTaken(service, provider, name, honest)
}
