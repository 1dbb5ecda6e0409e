import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ageProofs, openAccount, signInBrowser } from '../support/account-pages.ts'
import { launchChromium } from '../support/chromium.ts'
import { getFocused, openPage } from '../support/pages.ts'
import { addPerson, signIn } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let browser: Browser
beforeAll(async () => {
  service = await startService()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:139.0) Gecko/20100101 Firefox/139.0'
const hostile = '<img src=x onerror=alert(1)>'

it('lists sessions in words, ends one, and ends all others', async () => {
  const person = await addPerson(service)
  for (const userAgent of [firefox, hostile]) {
    const visit = await openPage(browser, { userAgent })
    await signInBrowser(service, visit, person)
  }
  const stranger = await signIn(service, await addPerson(service))
  const { page, press, state } = await openAccount(service, browser, 'sessions', { person, locale: 'es-ES' })
  await page.getByText('Firefox en Windows').first().waitFor()
  await page.getByText('Dispositivo desconocido').first().waitFor()
  expect(await page.locator('#app img').count()).toBe(0)
  const items = page.getByRole('listitem').filter({ hasText: /Activa/ })
  expect(await items.count()).toBe(3)
  expect(await items.first().innerText()).toContain('Esta sesión')
  expect(await items.first().innerText()).toContain('127.0.0.1')
  expect(await items.first().getByRole('button').count()).toBe(0)
  await press('Terminar Firefox en Windows')
  await state.getByText('La sesión ha terminado.').waitFor()
  expect(await page.getByText('Firefox en Windows').count()).toBe(0)
  expect(await getFocused(page)).toBe('Dispositivos y sesiones')
  await press('Terminar todas las demás sesiones')
  await page.getByRole('dialog').getByRole('button', { name: 'Terminar todas las demás sesiones' }).click()
  await state.getByText('Todas las demás sesiones han terminado.').waitFor()
  expect(await items.count()).toBe(1)
  const other = await service.client('GET', '/api/2/users/me', { bearer: stranger })
  expect(other.status).toBe(200)
})

it('creates one token with chosen rights, shows it once, renames and revokes it', async () => {
  const visit = await openAccount(service, browser, 'api-tokens')
  const { page, press, fill, state } = visit
  await ageProofs(service, visit.person)
  await press('Create a token')
  await press('Create')
  await page.getByText('Choose at least one.').waitFor()
  await fill({ Name: hostile })
  expect(await page.getByLabel('Read the activity log').count()).toBe(0)
  await page.getByLabel('See my profile').check()
  await page.getByLabel('Valid for').selectOption('30 days')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(visit.person.password)
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await state.getByText('The token is created.').waitFor()
  const value = await page.locator('.secret').innerText()
  await page.getByRole('button', { name: 'Copy' }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value)
  const me = await service.client('GET', '/api/2/users/me', { bearer: value })
  expect(me.body.id).toBe(visit.person.user.id)
  const sessions = await service.client('GET', '/api/2/auth/sessions', { bearer: value })
  expect(sessions.status).toBe(403)
  await press('I have stored it')
  expect(await page.content()).not.toContain(value)
  await page.getByText(/May do: See my profile\./).waitFor()
  await press(`Rename ${hostile}`)
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Backup')
  await press('Save')
  await state.getByText('The name is saved.').waitFor()
  await press('Revoke Backup')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await state.getByText('The token is revoked.').waitFor()
  await page.getByText('You have no API tokens.').waitFor()
  const revoked = await service.client('GET', '/api/2/users/me', { bearer: value })
  expect(revoked.status).toBe(401)
})

it('creates one token for a double click, with a name as long as possible', async () => {
  const visit = await openAccount(service, browser, 'api-tokens', {
    locale: 'de-DE',
    fields: { permissions: ['system:admin-access'] },
  })
  const name = 'x'.repeat(1023)
  await visit.press('Token erstellen')
  await visit.fill({ Name: `${name}yyy` })
  await visit.page.getByLabel('Was es darf').first().selectOption('Alles, was ich darf')
  await visit.page.getByRole('button', { name: 'Erstellen', exact: true }).dblclick()
  await visit.state.getByText('Das Token ist erstellt.').waitFor()
  await visit.press('Ich habe es gespeichert')
  expect(await visit.page.getByRole('button', { name: /^Widerrufen/ }).count()).toBe(1)
  expect(await visit.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  const bearer = await signIn(service, visit.person)
  const { body } = await service.client('GET', '/api/2/api-tokens', { bearer })
  expect(body).toMatchObject([{ name, scopes: null }])
})
