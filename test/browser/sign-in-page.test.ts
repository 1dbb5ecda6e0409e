import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { enableSecondFactor } from '../support/authenticator.ts'
import { type BrowserPage, getFocused, openPage } from '../support/pages.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()
let ada: Person
let visit: BrowserPage
beforeEach(async () => {
  visit = await openPage(browser)
  ada = await addPerson(service, { email: `${randomUUID()}@example.com`, full_name: 'Ada' })
})

const typeIn = ({ user, password }: Person) =>
  visit.fill({ 'Username or email': user.username, Password: password })

it('hides the code field of one user from the next user', async () => {
  const grace = await addSignedIn(service, { full_name: 'Grace' })
  const { recoveryCodes } = await enableSecondFactor(service, grace)
  const code = visit.page.getByLabel('Code from your authenticator app')
  await visit.page.goto(service.url)
  await typeIn(grace)
  await visit.press('Sign in')
  await code.waitFor()
  await expect.poll(() => getFocused(visit.page)).toBe('otp')
  expect(await visit.heading()).toBe('Enter your code')
  expect(await visit.problem.isVisible()).toBe(false)
  await visit.press('Use a recovery code instead')
  // A phone adds spaces and capital letters.
  await visit.fill({ 'Recovery code': ` ${recoveryCodes[0]?.toUpperCase().replaceAll('-', ' ')} ` })
  await visit.press('Sign in')
  await visit.state.getByText('as Grace').waitFor()
  await visit.press('Sign out')
  await typeIn(ada)
  expect(await code.isVisible()).toBe(false)
  await visit.press('Sign in')
  await visit.state.getByText('as Ada').waitFor()
  await visit.press('Sign out')

  // The field is also hidden if the first user never completed the sign-in.
  await typeIn(grace)
  await visit.press('Sign in')
  await code.waitFor()
  await visit.press('Back')
  await expect.poll(() => visit.heading()).toBe('Sign in to Latchkey')
  await typeIn(ada)
  await visit.press('Sign in')
  await visit.state.getByText('as Ada').waitFor()
})

it('asks the service for nothing to show the page', async () => {
  const paths: string[] = []
  visit.page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await visit.page.goto(service.url)
  await visit.page.getByLabel('Username or email').waitFor()
  await visit.page.waitForLoadState('networkidle')
  expect(paths.filter((path) => path.startsWith('/api/'))).toEqual([])
  expect(paths).toContain('/')
})

it('shows the password on request and hides it again after sign-in', async () => {
  await visit.page.goto(service.url)
  await typeIn(ada)
  const password = visit.page.getByLabel('Password', { exact: true })
  await expect.poll(() => password.getAttribute('type')).toBe('password')
  await visit.press('Show Password')
  await expect.poll(() => password.getAttribute('type')).toBe('text')
  await visit.press('Sign in')
  await visit.press('Sign out')
  await expect.poll(() => password.getAttribute('type')).toBe('password')
})

describe('a forgotten password', () => {
  it.each([
    ['by username', ({ user }: Person) => user.username],
    ['by email address', ({ user }: Person) => user.email ?? ''],
    ['by email address with spaces around it', ({ user }: Person) => ` ${user.email} `],
  ])('is reset through an emailed link, requested %s', async (_, nameOf) => {
    await visit.page.goto(service.url)
    await visit.fill({ 'Username or email': nameOf(ada) })
    await visit.press('Forgot your password?')
    await expect.poll(() => visit.page.getByLabel('Username or email').inputValue()).toBe(nameOf(ada).trim())
    await visit.press('Send the link')
    await visit.state.getByText('a reset link is on its way').waitFor()
    await service.mailbox.mailTo(ada.user.email)
  })

  it('is reset by a username that looks like an email address of no user', async () => {
    const old = `${randomUUID()}@old.example.com`
    const moved = await addPerson(service, { username: old, email: `${randomUUID()}@new.example.com` })
    await visit.page.goto(service.url)
    await visit.press('Forgot your password?')
    await visit.fill({ 'Username or email': old })
    await visit.press('Send the link')
    await visit.state.getByText('a reset link is on its way').waitFor()
    await service.mailbox.mailTo(moved.user.email)
    expect(service.mailbox.mailsTo(old)).toEqual([])
  })

  it('requires a username or email address', async () => {
    await visit.page.goto(service.url)
    await visit.press('Forgot your password?')
    await visit.press('Send the link')
    await visit.page.getByText('Enter your username or email address.').waitFor()
    await expect.poll(() => getFocused(visit.page)).toBe('username')
  })
})

describe('an error', () => {
  it('after too many attempts says how long to wait', async () => {
    await visit.page.goto(service.url)
    await visit.fill({ 'Username or email': ada.user.username, Password: 'a wrong password' })
    const wait = visit.problem.getByText(/^Too many attempts\. Wait \d+ (second|minute)s?, then/)
    for (let tries = 0; tries < 12 && !(await wait.isVisible()); tries += 1) {
      const answer = visit.page.waitForResponse('**/auth/login')
      await visit.press('Sign in')
      await answer
      await visit.problem.getByText(/\w/).waitFor()
    }
    await wait.waitFor()
  })

  it.each([
    [
      503,
      { 'content-type': 'application/json' },
      '{"message":"Service Unavailable"}',
      'Something went wrong on our side.',
    ],
    [502, { 'content-type': 'text/html' }, '<html>', 'The service cannot be reached.'],
    [429, { 'content-type': 'application/json' }, '{"message":"Too Many Requests"}', 'Wait 1 minute, then'],
    [429, { 'retry-after': '900' }, '{}', 'Wait 15 minutes, then'],
    [
      429,
      {},
      '{"code":"too_many_requests","reason":"record_busy"}',
      'Nothing was changed. Try again shortly.',
    ],
    [
      400,
      {},
      '{"code":"invalid_request","errors":[{"field":"otp","message":"must not be empty"}]}',
      'That did not work. Check your input and try again.',
    ],
    [
      400,
      {},
      '{"code":"invalid_request","errors":[{"field":"x_y","message":"is not recognized"}]}',
      'That did not work.',
    ],
    [413, {}, '{"code":"payload_too_large","detail":"The body is larger"}', 'Your input is too long.'],
    [403, {}, '{"code":"login_incomplete","reason":"otp_invalid","detail":"x"}', 'Wait for the next code'],
  ])('with status %s is explained in plain words', async (status, headers, body, sentence) => {
    await visit.page.route('**/auth/login', (route) => route.fulfill({ status, headers, body }))
    await visit.page.goto(service.url)
    await typeIn(ada)
    await visit.press('Sign in')
    await visit.problem.getByText(sentence).waitFor()
    expect(await visit.problem.innerText()).not.toMatch(
      /Retry-After|bearer|otp|x_y|[45]\d\d|errors|must not|recognized/,
    )
  })
})

it('says that there is no connection, keeps what was typed, and signs in once there is one', async () => {
  await visit.page.goto(service.url)
  await typeIn(ada)
  await visit.page.context().setOffline(true)
  await visit.press('Sign in')
  await visit.problem.getByText('You are offline. What you typed stays here.').waitFor()
  expect(await visit.page.getByLabel('Username or email').inputValue()).toBe(ada.user.username)
  expect(await visit.page.locator('input[name=password]').inputValue()).toBe(ada.password)
  await visit.page.context().setOffline(false)
  await visit.press('Sign in')
  await visit.state.getByText('as Ada').waitFor()
})
