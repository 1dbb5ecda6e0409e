import { expect, onTestFinished } from 'vitest'
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
import type { TestService } from './service.ts'
import { useService } from './use-service.ts'

/** Starts the service of a test file, with a public URL and two identity providers. */
export const useTwoProviders = async () => {
  const service = await useService({
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

/** What the end of the running test checks. Counting sessions reads the whole table, so all attacks are counted at once. */
interface Watch {
  accepted: number
  /** Expects a session for each valid response. Attacks that differ from the same one share it. */
  readonly valid: Map<string, () => Promise<unknown>>
}

let watched: Watch | undefined

const watchSessions = async (service: TestService): Promise<Watch> => {
  if (watched) return watched
  const before = await countSessions(service)
  const watch: Watch = { accepted: 0, valid: new Map() }
  watched = watch
  onTestFinished(async () => {
    try {
      for (const check of watch.valid.values()) await check()
      expect(await countSessions(service), 'the number of sessions').toBe(before + watch.accepted)
    } finally {
      watched = undefined
    }
  })
  return watch
}

/** Posts an attack during a sign-in. Expects a rejection, and no new session when the test ends. */
export const expectRefused = async (
  service: TestService,
  provider: TestProvider,
  name: string,
  attack: Attack,
): Promise<void> => {
  await watchSessions(service)
  const { browser, target } = await startSignIn(service, provider)
  const answer = await browser.post(provider.assertionUrl, await formFor(provider, attack, target, browser))
  expectPlainRefusal(answer, name)
  expect([name, browser.cookie('latchkey')]).toEqual([name, undefined])
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
  if (answer.status === 303 && session !== undefined) {
    if (watched) watched.accepted++
    return userOfSession(service, session)
  }
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

/** Names a valid response. Each function in it gets its own number. */
const nameValid = (provider: TestProvider, valid: Attack): string =>
  JSON.stringify([provider.id, valid], (_, value) => (typeof value === 'function' ? numberOf(value) : value))

const functions = new Map<unknown, number>()
const numberOf = (value: unknown): string => {
  const number = functions.get(value) ?? functions.size
  functions.set(value, number)
  return `function ${number}`
}

/**
 * Expects a rejection of the attack, and at the end of the test a session for a valid response that differs from it in one
 * detail. The test fails if this check is missing, and also if everything is rejected.
 */
export const expectOneChangeAway = async (
  service: TestService,
  provider: TestProvider,
  name: string,
  attack: Attack,
  valid: Attack = {},
): Promise<void> => {
  const watch = await watchSessions(service)
  await expectRefused(service, provider, name, attack)
  watch.valid.set(nameValid(provider, valid), () => expectAccepted(service, provider, name, valid))
}
