import { expect, it } from 'vitest'
import { openAccount } from '../support/account-pages.ts'
import { signIn } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()

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
  await expect.poll(() => visit.page.getByRole('button', { name: /^Widerrufen/ }).count()).toBe(1)
  expect(await visit.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  const bearer = await signIn(service, visit.person)
  const { body } = await service.client('GET', '/api/2/api-tokens', { bearer })
  expect(body).toMatchObject([{ name, scopes: null }])
})

it('creates one token when the answer of the first request is lost', async () => {
  const visit = await openAccount(service, browser, 'api-tokens', {
    fields: { permissions: ['system:admin-access'] },
  })
  await visit.page.getByText('You have no API tokens.').waitFor()
  await visit.press('Create a token')
  await visit.fill({ Name: 'Backup' })
  await visit.page.getByLabel('What it may do').first().selectOption('Everything that I may do')
  await visit.page.route(
    '**/api/2/api-tokens',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  const create = visit.page.getByRole('button', { name: 'Create', exact: true })
  await create.click()
  await visit.problem.getByText('The service cannot be reached.').waitFor()
  expect(await visit.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Backup')
  await create.click()
  await visit.press('I have stored it')
  await expect.poll(() => visit.page.getByRole('button', { name: /^Revoke/ }).count()).toBe(1)
  const bearer = await signIn(service, visit.person)
  const { body } = await service.client('GET', '/api/2/api-tokens', { bearer })
  expect(body).toMatchObject([{ name: 'Backup' }])
})
