import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openAccount } from '../support/account-pages.ts'
import { type Authenticator, enableSecondFactor } from '../support/authenticator.ts'
import { createInvited } from '../support/invitations.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* On each page where somebody chooses a password, the rule that is shown is the rule that is enforced, for this person. */

const withoutSecondFactor = 15
const withSecondFactor = 12
const service = await useService()
await storeSignInPolicy(service, { password_only_min_length: withoutSecondFactor })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const browser = await shareBrowser()

/** Hard to guess in any length. */
const passwordOf = (length: number): string => randomBytes(length).toString('base64url').slice(0, length)

/** A page with the field, and the button that sends it. */
interface Page {
  readonly visit: BrowserPage
  readonly label: string
  readonly button: string
  /** Fills in what else the page needs. */
  readonly prepare?: () => Promise<void>
}

const addWithAuthenticator = async (): Promise<Person & { readonly authenticator: Authenticator }> => {
  const person = await addSignedIn(service)
  return { ...person, authenticator: (await enableSecondFactor(service, person)).authenticator }
}

const openInvitation = async (): Promise<Page> => {
  const { token } = await createInvited(service, admin.bearer)
  const visit = await openPage(browser)
  await visit.page.goto(`${service.url}/invite#token=${token}`)
  return { visit, label: 'Choose a password', button: 'Accept the invitation' }
}

const openReset = async (person: Person): Promise<Page> => {
  await service.client('POST', '/api/2/auth/reset-password/request', {
    body: { username: person.user.username },
  })
  const visit = await openPage(browser)
  await visit.page.goto(await readMailedLink(service, person.user.email, 'reset'))
  return { visit, label: 'New password', button: 'Set password' }
}

const openChange = async (): Promise<Page> => {
  const visit = await openAccount(service, browser, 'password')
  const prepare = () => visit.fill({ 'Current password': visit.person.password })
  return { visit, label: 'New password', button: 'Change password', prepare }
}

const openRequiredChange = async (person: Person, authenticator?: Authenticator): Promise<Page> => {
  const body = { password_change_required: true }
  await service.client('PATCH', `/api/2/users/${person.user.id}`, { bearer: admin.bearer, body })
  const visit = await openPage(browser)
  await visit.page.goto(service.url)
  await visit.fill({ 'Username or email': person.user.username, Password: person.password })
  await visit.press('Sign in')
  if (authenticator) {
    await visit.fill({ 'Code from your authenticator app': authenticator.code(1) })
  }
  return { visit, label: 'New password', button: 'Save and sign in' }
}

const email = () => `${randomUUID()}@example.com`

describe.each([
  ['an invitation', withoutSecondFactor, openInvitation],
  ['a reset', withoutSecondFactor, async () => openReset(await addPerson(service, { email: email() }))],
  ['a change', withoutSecondFactor, openChange],
  ['a change at the sign-in', withoutSecondFactor, async () => openRequiredChange(await addPerson(service))],
  [
    'a change at the sign-in with a second factor',
    withSecondFactor,
    async () => {
      const person = await addWithAuthenticator()
      return openRequiredChange(person, person.authenticator)
    },
  ],
] as const)('the page of %s', (_, least, open) => {
  it(`asks for ${least} characters, refuses one less, and accepts as many`, async () => {
    const { visit, label, button, prepare } = await open()
    const rule = visit.page.getByRole('listitem').filter({ hasText: `At least ${least} characters` })
    await rule.waitFor()
    expect(await visit.page.getByText(/^At least \d+ characters/).count()).toBe(1)
    await prepare?.()
    const field = visit.page.getByLabel(label, { exact: true })
    await field.fill(passwordOf(least - 1))
    expect(await rule.getAttribute('class')).toBe(null)
    await visit.press(button)
    await visit.page.getByText(`Use at least ${least} characters.`).waitFor()
    await field.fill(passwordOf(least))
    await expect.poll(() => rule.getAttribute('class')).toBe('is-met')
    await visit.press(button)
    // The page leaves, or empties the field.
    const areEmpty = () =>
      field.evaluateAll((found) => found.every((one) => (one as unknown as { value: string }).value === ''))
    await expect.poll(areEmpty).toBe(true)
  })
})
