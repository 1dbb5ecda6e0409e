import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { acceptInvitation, createInvited, type Invited } from '../support/invitations.ts'
import { type BrowserPage, getFocused, openPage } from '../support/pages.ts'
import { addSignedIn } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

// Browsers offer passkeys on this name, but not for IP addresses.
const service = await useService({}, { hostname: 'localhost' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'], full_name: 'Grace Hopper' })
const browser = await shareBrowser()
let invited: Invited
beforeEach(async () => {
  invited = await createInvited(service, admin.bearer)
})

const password = 'violet tractor under nine moons'
const linkOf = ({ token }: Invited) => `${service.url}/invite#token=${token}`
const open = async (options: Parameters<typeof openPage>[1] = {}): Promise<BrowserPage> => {
  const visit = await openPage(browser, options)
  await visit.page.goto(linkOf(invited))
  return visit
}
const getUsername = async (page: Page): Promise<string> =>
  page.evaluate("fetch('/api/2/users/me').then((answer) => answer.json()).then(({ username }) => username)")

describe('the page of an invitation', () => {
  it('explains that a passkey was not created, and stays usable', async () => {
    const visit = await open()
    await visit.page.evaluate(
      "navigator.credentials.create = () => Promise.reject(new DOMException('', 'NotAllowedError'))",
    )
    await visit.press('Create a passkey')
    await visit.problem.getByText('The passkey was not used. Try again.').waitFor()
    await visit.fill({ 'Choose a password': password })
    await visit.press('Accept the invitation')
    await visit.page.waitForURL(`${service.url}/account`)
  })

  it('says that an invitation does not work any more, at once or when it is accepted', async () => {
    const visit = await open()
    await visit.page.getByLabel('Choose a password', { exact: true }).waitFor()
    await acceptInvitation(service, invited.token, password)
    await visit.fill({ 'Choose a password': password })
    await visit.press('Accept the invitation')
    await visit.problem.getByText('It was used already, was withdrawn, or has expired.').waitFor()
    await expect.poll(() => visit.heading()).toBe('This invitation is no longer valid')
    await expect.poll(() => getFocused(visit.page)).toBe('This invitation is no longer valid')
    const other = await open()
    await other.page.getByText('Ask the person who invited you').waitFor()
    expect(await findViolations(other.page)).toEqual([])
    await other.page.getByRole('link', { name: 'Go to the sign-in page' }).click()
    await other.page.waitForURL((url) => url.pathname === '/')
  })

  it('works after a reload, in another language, and with another link in the same tab', async () => {
    const visit = await open()
    const field = visit.page.getByLabel('Choose a password', { exact: true })
    await field.waitFor()
    await visit.page.reload()
    await field.waitFor()
    await visit.page.getByLabel('Language').selectOption('Deutsch')
    await visit.page.getByText('hat Sie eingeladen').waitFor()
    await expect.poll(() => visit.heading()).toBe('Willkommen bei Latchkey')
    const next = await createInvited(service, admin.bearer)
    // Pasting a link into the tab only changes the fragment.
    await visit.page.evaluate(`location.assign(${JSON.stringify(linkOf(next))})`)
    await visit.page.getByText(next.user.username).waitFor()
  })

  it('opens without a link, and without the service', async () => {
    const visit = await openPage(browser)
    await visit.page.goto(`${service.url}/invite`)
    await visit.page.getByText('Ask the person who invited you').waitFor()
    await visit.page.route('**/api/2/auth/invitation', (route) => route.abort())
    await visit.page.evaluate(`location.assign(${JSON.stringify(linkOf(invited))})`)
    await visit.problem.getByText('The service cannot be reached.').waitFor()
    await visit.page.unroute('**/api/2/auth/invitation')
    await visit.press('Try again')
    await visit.page.getByLabel('Choose a password', { exact: true }).waitFor()
  })

  it('says who is signed in before the browser changes to the invited user', async () => {
    const visit = await openPage(browser)
    const data = { username: admin.user.username, password: admin.password }
    await visit.page.request.post(`${service.url}/api/2/auth/login`, { data })
    await visit.page.goto(linkOf(invited))
    await visit.page.getByText('You are signed in as Grace Hopper.').waitFor()
    await visit.fill({ 'Choose a password': password })
    await visit.press('Accept the invitation')
    await visit.page.waitForURL(`${service.url}/account`)
    await expect.poll(() => getUsername(visit.page)).toBe(invited.user.username)
  })

  it('asks to set up a second factor if the policy requires one at once', async () => {
    await storeSignInPolicy(service, { second_factor_for_everybody: true })
    const visit = await open()
    await visit.fill({ 'Choose a password': password })
    await visit.press('Accept the invitation')
    await visit.page.getByText('a second step at every sign-in').waitFor()
    expect(await findViolations(visit.page)).toEqual([])
    await visit.press('Accept and set up')
    await visit.page.waitForURL(`${service.url}/account`)
    await storeSignInPolicy(service, {})
  })
})
