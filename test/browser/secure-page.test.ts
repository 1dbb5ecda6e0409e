import { it } from 'vitest'
import { openPage } from '../support/pages.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()

it('explains what to do with a link that does not work', async () => {
  const visit = await openPage(browser)
  await visit.page.goto(`${service.url}/secure`)
  await visit.problem.getByText('This link is incomplete.').waitFor()
  await visit.page.goto(`${service.url}/secure?x=1#token=lkn_unknown`)
  await visit.press('This wasn’t me')
  await visit.problem.getByText('This link has expired or was already used.').waitFor()
  await visit.page.getByRole('link', { name: 'Go to the sign-in page' }).click()
  await visit.page.getByLabel('Username or email').waitFor()
})
