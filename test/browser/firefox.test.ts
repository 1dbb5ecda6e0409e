import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { openAccount } from '../support/account-pages.ts'
import { openConsole } from '../support/console.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser('Firefox')

it('changes the full name on the account page', async () => {
  const { page, fill, press, state } = await openAccount(service, browser, 'profile', {
    locale: 'en-US',
  })
  await fill({ 'Full name': 'Ada King' })
  await press('Save')
  await state.getByText('Saved.').waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('Full name').inputValue()).toBe('Ada King')
})

it('creates a user in the console', async () => {
  const visit = await openConsole(service, browser)
  await visit.open('/users/new')
  const username = `new-${randomUUID()}`
  await visit.fill({ Username: username })
  await visit.press('Create')
  await visit.seeToast(`Created ${username}.`)
})
