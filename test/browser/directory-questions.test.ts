import { expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { en } from '../../web/messages/account/en.ts'
import { openAccount } from '../support/account-pages.ts'
import { findViolations } from '../support/axe.ts'
import { addPerson } from '../support/people.ts'
import { addDirectory, adoptUser, storeConnection } from '../support/scim.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()

it('asks whether a directory may keep the name up to date, and lets people stop it', async () => {
  const { access: t } = en
  const person = await addPerson(service, { full_name: 'Ada' })
  const directory = await addDirectory(service, await storeConnection(service, { name: 'Acme' }))
  const id = await adoptUser(service, person.user, directory)
  const name = async () => (await findUser(service.services.table, person.user.id))?.full_name
  const { page, press, state } = await openAccount(service, browser, 'connections', { person })
  const heading = (text: string) => page.getByRole('heading', { name: text.replace('{name}', 'Acme') })
  await heading(t.directoryAsks).waitFor()
  await page.getByText('Ada Lovelace').waitFor()
  expect(await findViolations(page)).toEqual([])
  // The directory changes the name while the page is open.
  await directory.patch(id, { displayName: 'Ada King' })
  await press(t.directoryAgree)
  await page.getByText('This has changed since you opened the page.').waitFor()
  expect(await name()).toBe('Ada')
  await page.reload()
  await page.getByText('Ada King').waitFor()
  await press(t.directoryAgree)
  await state.getByText(t.directoryAgreedNow).waitFor()
  await heading(t.directoryAgreed).waitFor()
  expect(await name()).toBe('Ada King')
  expect(await findViolations(page)).toEqual([])
  await press(t.directoryStop)
  await heading(t.directoryDeclined).waitFor()
  await directory.patch(id, { displayName: 'Somebody else' })
  expect(await name()).toBe('Ada King')
})
