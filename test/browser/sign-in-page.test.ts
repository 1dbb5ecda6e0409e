import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enableSecondFactor } from '../support/authenticator.ts'
import { launchChromium } from '../support/chromium.ts'
import { focused, openPage, type PersonsPage } from '../support/pages.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let browser: Browser
let ada: Person
let visit: PersonsPage
beforeAll(async () => {
  service = await startService()
  browser = await launchChromium()
})
beforeEach(async () => {
  visit = await openPage(browser)
  ada = await addPerson(service, { email: `${randomUUID()}@example.com`, fullName: 'Ada' })
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

const typeIn = ({ user, password }: Person) => visit.fill({ Username: user.username, Password: password })
const mailsTo = (address: string) => service.mailbox.mails.filter(({ to }) => to.includes(address))

it('becomes another page once somebody is signed in, and is itself again after that', async () => {
  await visit.page.goto(service.url)
  await typeIn(ada)
  await visit.press('Sign in')
  await visit.state.getByText('You are signed in as Ada.').waitFor()
  expect([await visit.heading(), await visit.page.title()]).toEqual(['Signed in', 'Signed in'])
  expect(await focused(visit.page)).toBe('Signed in')
  await visit.press('Sign out')
  await visit.page.getByLabel('Username').waitFor()
  expect([await visit.heading(), await visit.page.title()]).toEqual(['Sign in', 'Sign in'])
  expect(await focused(visit.page)).toBe('username')
})

it('asks nobody for the code, or the new password, that it asked somebody else for', async () => {
  const grace = await addSignedIn(service, { fullName: 'Grace' })
  const { recoveryCodes } = await enableSecondFactor(service, grace)
  const code = visit.page.getByLabel('Code of your authenticator')
  await visit.page.goto(service.url)
  await typeIn(grace)
  await visit.press('Sign in')
  await visit.problem.getByText('Type the code of your authenticator').waitFor()
  await code.fill(recoveryCodes[0] ?? '')
  await visit.press('Sign in')
  await visit.state.getByText('as Grace').waitFor()
  await visit.press('Sign out')
  await typeIn(ada)
  expect(await code.isVisible()).toBe(false)
  await visit.press('Sign in')
  await visit.state.getByText('as Ada').waitFor()
  await visit.press('Sign out')

  // Nor when the first has not come so far.
  await typeIn(grace)
  await visit.press('Sign in')
  await code.waitFor()
  await typeIn(ada)
  await visit.press('Sign in')
  await visit.state.getByText('as Ada').waitFor()
})

it.each([
  ['nobody was signed in', undefined],
  ['somebody else was signed in', 'Grace'],
])('is not undone by an answer that was long on its way: %s', async (_, fullName) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await visit.page.route('**/api/2/users/me', async (route) => {
    const answer = await route.fetch()
    await held
    await route.fulfill({ response: answer })
  })
  if (fullName) {
    const { user, password } = await addPerson(service, { fullName })
    const data = { username: user.username, password }
    await visit.page.request.post(`${service.url}/api/2/auth/login`, { data })
  }
  await visit.page.goto(service.url)
  await typeIn(ada)
  await visit.press('Sign in')
  await visit.state.getByText('You are signed in as Ada.').waitFor()
  const late = visit.page.waitForResponse('**/api/2/users/me')
  release()
  await late
  await pause(200)
  expect(await visit.state.innerText()).toBe('You are signed in as Ada.')
  expect(await visit.page.getByLabel('Username').isVisible()).toBe(false)
})

it('shows what is typed to whoever wants to see it', async () => {
  await visit.page.goto(service.url)
  await typeIn(ada)
  const password = visit.page.getByLabel('Password', { exact: true })
  expect(await password.getAttribute('type')).toBe('password')
  await visit.page.getByLabel('Show what I type').check()
  expect(await password.getAttribute('type')).toBe('text')
  await visit.press('Sign in')
  await visit.press('Sign out')
  expect(await password.getAttribute('type')).toBe('password')
  expect(await visit.page.getByLabel('Show what I type').isChecked()).toBe(false)
})

describe('who doesn’t know the password', () => {
  it.each([
    ['by username', ({ user }: Person) => user.username],
    ['by e-mail address', ({ user }: Person) => user.email ?? ''],
    ['by e-mail address with a blank', ({ user }: Person) => ` ${user.email} `],
  ])('is sent a link %s', async (_, nameOf) => {
    await visit.page.goto(service.url)
    await visit.fill({ Username: nameOf(ada) })
    await visit.press('I don’t know my password')
    await visit.state.getByText('a link is on its way').waitFor()
    await service.mailbox.mailTo(ada.user.email ?? '')
  })

  it('is sent it by a username that looks like an address and is none of its own', async () => {
    const old = `${randomUUID()}@old.example.com`
    const moved = await addPerson(service, { username: old, email: `${randomUUID()}@new.example.com` })
    await visit.page.goto(service.url)
    await visit.fill({ Username: old })
    await visit.press('I don’t know my password')
    await visit.state.getByText('a link is on its way').waitFor()
    await service.mailbox.mailTo(moved.user.email ?? '')
    expect(mailsTo(old)).toEqual([])
  })

  it('is told to say who it is', async () => {
    await visit.page.goto(service.url)
    await visit.press('I don’t know my password')
    await visit.problem.getByText('Type your username or your e-mail address first.').waitFor()
    expect(await focused(visit.page)).toBe('username')
  })
})

describe('a refusal', () => {
  it('after too many tries says how long to wait', async () => {
    await visit.page.goto(service.url)
    await visit.fill({ Username: ada.user.username, Password: 'a wrong password' })
    const wait = visit.problem.getByText(
      /^That was tried too often\. Wait (a second|\d+ (seconds|minutes)), then/,
    )
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
    [502, { 'content-type': 'text/html' }, '<html>', 'The service can’t be reached.'],
    [429, { 'content-type': 'application/json' }, '{"message":"Too Many Requests"}', 'Wait a minute, then'],
    [429, { 'retry-after': '900' }, '{}', 'Wait 15 minutes, then'],
    [
      400,
      {},
      '{"code":"invalid_request","errors":[{"field":"otp","message":"must not be empty"}]}',
      'The code must not be empty.',
    ],
    [
      400,
      {},
      '{"code":"invalid_request","errors":[{"field":"x_y","message":"is not known here"}]}',
      'Something that you typed is',
    ],
    [413, {}, '{"code":"payload_too_large","detail":"The body is larger"}', 'That is too long.'],
    [403, {}, '{"code":"login_incomplete","reason":"otp_invalid","detail":"x"}', 'Wait for the next one'],
  ])('%s is told in plain words', async (status, headers, body, sentence) => {
    await visit.page.route('**/auth/login', (route) => route.fulfill({ status, headers, body }))
    await visit.page.goto(service.url)
    await typeIn(ada)
    await visit.press('Sign in')
    await visit.problem.getByText(sentence).waitFor()
    expect(await visit.problem.innerText()).not.toMatch(/Retry-After|bearer|otp|x_y|[45]\d\d|errors/)
  })
})
