import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openAccount, signInBrowser } from '../support/account-pages.ts'
import { openPage } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()

const newAddress = () => `ada-${randomUUID()}@example.com`
/** Pages request neither scripts nor data of others while they are shown for the first time. */
const countCalls = (page: Awaited<ReturnType<typeof openPage>>['page']) => {
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/')) calls.push(request.url())
  })
  return calls
}

it('leads to the sign-in page without a session', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${service.url}/account`)
  expect(page.url()).toBe(`${service.url}/?return_to=%2Faccount`)
})

it('shows the profile without a request to the API, apart from what the service may not have', async () => {
  const visit = await openPage(browser)
  await signInBrowser(service, visit, await addPerson(service, { full_name: 'Ada Lovelace' }))
  const calls = countCalls(visit.page)
  await visit.page.goto(`${service.url}/account`)
  await expect.poll(() => visit.heading()).toBe('Profile')
  await expect.poll(() => visit.page.getByLabel('Full name').inputValue()).toBe('Ada Lovelace')
  const own = `${service.url}/api/2/users/me`
  await expect.poll(() => new Set(calls)).toEqual(new Set([`${own}/attributes`, `${own}/deletion`]))
})

describe('another session', () => {
  it('leads to the sign-in page and back after the session has ended', async () => {
    const { page, press, fill, person } = await openAccount(service, browser, 'profile')
    await page.request.post(`${service.url}/api/2/auth/logout`, { headers: { origin: service.url } })
    await fill({ 'Full name': 'Countess' })
    await press('Save')
    await page.getByRole('dialog', { name: 'You are signed out' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.searchParams.get('return_to') === '/account#/profile')
    await fill({ 'Username or email': person.user.username, Password: person.password })
    await press('Sign in')
    await page.waitForURL(`${service.url}/account#/profile`)
    await expect.poll(() => page.getByLabel('Full name').inputValue()).toBe('Ada Lovelace')
  })
})

it('shows nothing of another user, and names as text', async () => {
  const hostile = `"><img src=x onerror="document.title='owned'"></script>`
  const other = await addPerson(service, { full_name: 'Secret Person', email: newAddress() })
  const { page, person } = await openAccount(service, browser, 'profile', {
    fields: { full_name: hostile + 'x'.repeat(255 - hostile.length), email: newAddress() },
  })
  const html = await (await page.request.get(`${service.url}/account?id=${other.user.id}`)).text()
  expect(html).not.toContain('Secret Person')
  expect(html).not.toContain('<img')
  await expect.poll(() => page.getByLabel('Full name').inputValue()).toContain(hostile)
  expect([await page.title(), await page.locator('#app img').count()]).toEqual(['Profile – Latchkey', 0])
  expect(person.user.full_name).toContain(hostile)
})
