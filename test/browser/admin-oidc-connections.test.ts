import { afterAll, beforeAll, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { openConsole } from '../support/console.ts'
import { clientId, clientSecret, startUpstream, type TestUpstream } from '../support/oidc-upstream.ts'
import { startService, type TestService } from '../support/service.ts'
import { shareBrowser } from '../support/shared-browser.ts'

let service: TestService
let upstream: TestUpstream
const browser = await shareBrowser()
beforeAll(async () => {
  service = await startService({ ALLOW_PRIVATE_METADATA: 'true' })
  upstream = await startUpstream()
})
afterAll(async () => {
  await service.close()
  await upstream.close()
})

it('sets up a connection that the sign-in page offers', async () => {
  const visit = await openConsole(service, browser)
  const { page } = visit
  await visit.open('/oidc-connections')
  await page.getByRole('link', { name: 'Set up a connection' }).click()
  await page.getByLabel('Identity provider').selectOption('Microsoft Entra ID')
  const issuer = page.getByLabel('Issuer')
  expect(await issuer.inputValue()).toBe('https://login.microsoftonline.com/TENANT-ID/v2.0')
  expect(await findViolations(page)).toEqual([])

  await page.getByLabel('Identity provider').selectOption('Google Workspace')
  await visit.fill({ Name: 'Example', 'Client ID': clientId })
  await visit.press('Create connection')
  await page
    .getByText('Fill in this field', { exact: false })
    .or(page.getByText('required', { exact: false }))
    .first()
    .waitFor()
  await page.getByLabel('Client secret', { exact: true }).fill(clientSecret)
  await visit.press('Create connection')
  await page.getByText('is required for Google', { exact: false }).first().waitFor()

  await issuer.fill(upstream.issuer)
  await visit.press('Create connection')
  await page.getByRole('heading', { level: 1, name: 'Example' }).waitFor()
  const id = Number(/oidc-connections\/(\d+)/.exec(page.url())?.[1])
  await page.getByText(`${service.url}/api/2/auth/oidc-connections/${id}/callback`).waitFor()
  expect(await page.getByLabel('Client secret', { exact: true }).inputValue()).toBe('')

  await visit.fill({ Domain: 'example.com' })
  await visit.press('Add domain')
  await page.getByRole('heading', { name: 'example.com' }).waitFor()
  expect(await findViolations(page)).toEqual([])

  await page.getByLabel('Hide on the sign-in page').uncheck()
  await visit.press('Save')
  await visit.seeToast('Saved.')
  const people = await browser.newPage()
  // The list of the page is kept for a moment.
  const countLinks = async () => {
    await people.goto(service.url)
    await people.getByRole('heading', { level: 1 }).waitFor()
    return people.getByRole('link', { name: 'Example' }).count()
  }
  await expect.poll(countLinks).toBe(1)
  const href = await people.getByRole('link', { name: 'Example' }).getAttribute('href')
  expect(href).toMatch(new RegExp(`^/api/2/auth/oidc-connections/${id}/start`))
  await people.close()

  await page.getByLabel('Hide on the sign-in page').check()
  await visit.press('Save')
  await visit.seeToast('Saved.')
  const body = await (await page.request.get(`${service.url}/api/2/auth/oidc-connections`)).json()
  expect(body[0]).toMatchObject({ disabled_in_client: true, client_secret: '********' })
})

it('tests a connection, says what to change, and shows what was sent', async () => {
  const visit = await openConsole(service, browser)
  const { page } = visit
  const [{ id }] = await (await page.request.get(`${service.url}/api/2/auth/oidc-connections`)).json()
  await visit.open(`/oidc-connections/${id}`)
  upstream.behave({ tokenStatus: 400, tokens: { error: 'invalid_client' } })
  await page.getByRole('link', { name: 'Start test sign-in' }).click()
  await page.getByText('Compare the client ID and the client secret on both sides').waitFor()
  await page.getByText(`${service.url}/api/2/auth/oidc-connections/${id}/callback`).waitFor()
  expect(await findViolations(page)).toEqual([])
  upstream.behave({})
  await page.getByRole('link', { name: 'Test again' }).click()
  await page.getByRole('heading', { name: 'What the provider sent about you' }).waitFor()
  await page.getByText('ada@example.com').first().waitFor()
  expect(await findViolations(page)).toEqual([])
})
