import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { createInvited } from '../support/invitations.ts'
import { addConnection, startUpstream } from '../support/oidc-upstream.ts'
import { openPage } from '../support/pages.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { vouchForDomains } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

/* People of a company that requires its sign-in with OpenID Connect find their way in on the pages alone. */

const domain = 'company.example'
const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const upstream = closeAfterTests(await startUpstream())
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const { id } = await addConnection(service, admin.bearer, upstream.issuer, {
  ...{ name: 'Company', disabled_in_client: true, auto_create_users: true },
})
await vouchForDomains(service, { id, admin: admin.bearer }, [domain])
const answer = await service.client('PATCH', `/api/2/auth/oidc-connections/${id}`, {
  bearer: admin.bearer,
  body: { required_for_domains: true },
})
expect(answer.status, answer.text).toBe(200)
const browser = await shareBrowser()

const newEmail = () => `${randomUUID()}@${domain}`

it('leads from a right password to the company, and back', async () => {
  const { user, password } = await addPerson(service, { email: newEmail(), full_name: 'Kim' })
  upstream.behave({ claims: { sub: randomUUID(), email: user.email, name: 'Kim' } })
  const { page, fill, press } = await openPage(browser, { locale: 'en' })
  await page.goto(`${service.url}/?return_to=/account`)
  await fill({ 'Username or email': user.username })
  await press('Continue')
  await fill({ Password: password })
  await press('Sign in')
  await page.getByRole('link', { name: 'Continue with Company' }).click()
  await page.waitForURL('**/account')
  await expect.poll(() => page.getByLabel('Full name').inputValue()).toBe('Kim')
})

it('leads an invited person from the email over the company to their account', async () => {
  const email = newEmail()
  const { user, token } = await createInvited(service, admin.bearer, { email, full_name: 'Robin' })
  upstream.behave({ claims: { sub: randomUUID(), email, name: 'Robin' } })
  const { page, press } = await openPage(browser, { locale: 'en' })
  await page.goto(`${service.url}/invite#token=${token}`)
  await page.getByRole('button', { name: 'Continue with Company' }).waitFor()
  // Their company allows nothing else.
  expect(await page.getByRole('main').getByRole('button').count()).toBe(1)
  expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0)
  await press('Continue with Company')
  await page.waitForURL('**/account')
  const me = await page.request.get(`${service.url}/api/2/users/me`)
  expect(await me.json()).toMatchObject({ id: user.id, email, email_verified: true })
})
