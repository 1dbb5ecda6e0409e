import { beforeEach, expect, it } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addLink, deleteLink, getLink } from '../support/links.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { startProduct } from '../support/product.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const product = closeAfterTests(await startProduct())
const service = await useService({
  ALLOWED_ORIGINS: product.url,
  LINK_URL: `Cinema=${product.url}/shared/{id}`,
})
product.trust(service.url)
const creator = await addSignedIn(service, { full_name: 'Grace Hopper', permissions: ['media:access'] })
const browser = await shareBrowser()
let visit: BrowserPage
beforeEach(async () => {
  visit = await openPage(browser)
})

const signInBefore = ({ user, password }: Person) =>
  visit.page.request.post(`${service.url}/api/2/auth/login`, { data: { username: user.username, password } })
const heading = (name: string | RegExp) => visit.page.getByRole('heading', { name }).waitFor()
const findUser = async (): Promise<number | undefined> =>
  (await (await visit.page.request.get(`${service.url}/api/2/users/me`)).json()).id

it('keeps the session of a person, also for a link to them', async () => {
  const ada = await addPerson(service, { full_name: 'Ada' })
  await signInBefore(ada)
  for (const [given, name] of [
    [{}, 'guest-.*'],
    [{ user: ada.user.id }, 'Ada'],
  ] as const) {
    const link = await addLink(service, creator.bearer, given)
    await visit.page.goto(link.full_url)
    await visit.press('Open in Cinema')
    await heading(new RegExp(`^Hello ${name} by link ${link.id}$`))
    expect(await findUser()).toBe(ada.user.id)
  }
})

it('takes one view when the service does not answer and the person tries again, also after a reload', async () => {
  const link = await addLink(service, creator.bearer, { view_limit: 1 })
  await visit.page.route('**/api/2/auth/continue', (route) => route.abort())
  await visit.page.goto(link.full_url)
  await visit.press('Open in Cinema')
  await visit.problem.getByText('The service cannot be reached.').waitFor()
  await visit.page.reload()
  await visit.state.getByText('The link is open.').waitFor()
  await visit.page.unroute('**/api/2/auth/continue')
  await visit.press('Open in Cinema')
  await heading(new RegExp(`by link ${link.id}$`))
  expect((await getLink(service, creator.bearer, link.id)).body.view_limit_left).toBe(0)
})

it('reports a link that ended after it was opened', async () => {
  const link = await addLink(service, creator.bearer)
  await visit.page.route('**/api/2/auth/continue', (route) => route.abort())
  await visit.page.goto(link.full_url)
  await visit.press('Open in Cinema')
  await visit.problem.getByText('The service cannot be reached.').waitFor()
  await visit.page.unroute('**/api/2/auth/continue')
  await deleteLink(service, creator.bearer, link.id)
  await visit.press('Open in Cinema')
  await visit.problem.getByText('The link is no longer open in this browser.').waitFor()
})
