import { devices, type Page, type Request } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { totalsKey } from '../../lib/kernel/table/keys/keys.ts'
import { findViolations } from '../support/axe.ts'
import { type ConsoleVisit, openConsole } from '../support/console.ts'
import { seedUsers } from '../support/directory.ts'
import { makeIdp } from '../support/idp.ts'
import { addLink } from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { addProvider } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'], username: 'zoe' })
await addLink(service, admin.bearer, { email: 'guest@example.com' })
await seedUsers(service, 130, 1000, (at) => {
  const address = `person-${String(at).padStart(3, '0')}@example.com`
  return { username: address, email: address, full_name: `Person ${at}` }
})
await service.services.table.transact([{ addTo: totalsKey(0), amounts: { user: 130 } }])
const browser = await shareBrowser()
let visit: ConsoleVisit
let page: Page
beforeEach(async () => {
  visit = await openConsole(service, browser)
  page = visit.page
})

const rows = () => page.locator('.data-list tbody > tr')
const search = () => page.getByRole('searchbox', { name: 'Search by name' })
const openList = async (query = '') => {
  await visit.open(`/users${query}`)
  await rows().first().waitFor()
}
/** The requests that the list sends from now on. */
const watchRequests = () => {
  const queries: URLSearchParams[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/2/users') queries.push(searchParams)
  })
  return queries
}

it('shows the first users after few files and rows, which it asks for before all else of the section', async () => {
  const fresh = await browser.newContext({ storageState: await page.context().storageState() })
  const opened = await fresh.newPage()
  const requests: Request[] = []
  opened.on('request', (request) => requests.push(request))
  await opened.goto(`${service.url}/admin#/users`)
  await opened.locator('.data-list tbody > tr').first().waitFor()
  await opened.waitForLoadState('networkidle')
  const pathOf = (request: Request) => new URL(request.url()).pathname
  const files = requests.filter((request) => pathOf(request).startsWith('/assets/'))
  expect(files.length).toBeLessThanOrEqual(14)
  const sizes = await Promise.all(files.map((request) => request.sizes()))
  const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
  expect(bytes).toBeLessThanOrEqual(64 * 1024)
  // The overview belongs to the menu.
  const calls = requests.filter((request) => /^\/api\/(?!2\/overview$)/.test(pathOf(request)))
  expect(calls.map(pathOf)[0]).toBe('/api/2/users')
  expect(calls[0]?.url()).toContain('limit=20&')
})

it('says how many there are in all, and with a filter nothing before all are shown', async () => {
  await openList()
  const count = page.locator('.list-bar > .note')
  await expect.poll(() => count.textContent()).toMatch(/^20 of 13\d$/)
  await search().fill('person-')
  await expect.poll(() => count.textContent()).toBe('')
  await search().fill('person-00')
  await expect.poll(() => count.textContent()).toBe('10 entries')
})

it('lists people without guests, guests alone, or both', async () => {
  await openList('?filter=example.com')
  const kind = () => page.getByLabel('Kind')
  expect(await page.getByText('guest@example.com').count()).toBe(0)
  await page.getByText('More filters').click()
  await kind().selectOption('Only guests of links')
  await expect.poll(() => rows().count()).toBe(1)
  expect(await rows().first().textContent()).toContain('guest@example.com')
  await kind().selectOption('All')
  await expect.poll(() => rows().count()).toBe(20)
})

it('keeps the rows of the search before, dimmed, until those of the next one are there', async () => {
  await openList('?filter=person-')
  let go = (): void => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route(/\/api\/2\/users\?.*filter=person-001/, async (route) => {
    await held
    await route.continue()
  })
  await search().fill('person-001')
  await page.locator('.stale .data-list').waitFor()
  expect(await rows().count()).toBe(20)
  go()
  await expect.poll(() => rows().count()).toBe(1)
  expect(await page.locator('.stale').count()).toBe(0)
})

it('restores the rows and the place when the person comes back, as they are now', async () => {
  await openList('?filter=person-')
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => rows().count()).toBe(70)
  await rows().nth(60).scrollIntoViewIfNeeded()
  const scrollY = await page.evaluate<number>('scrollY')
  expect(scrollY).toBeGreaterThan(500)
  const link = rows().nth(60).getByRole('link')
  const id = (await link.getAttribute('href'))?.split('/').at(-1)
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Person 60' }).waitFor()
  const body = { is_enabled: false }
  const changed = await service.client('PATCH', `/api/2/users/${id}`, { bearer: admin.bearer, body })
  expect(changed.status).toBe(200)
  await page.goBack()
  await expect.poll(() => rows().count()).toBe(70)
  await expect.poll(() => page.evaluate<number>('scrollY')).toBe(scrollY)
  await expect.poll(() => rows().nth(60).textContent()).toContain('Disabled')
  await page.getByRole('link', { name: 'Groups' }).first().click()
  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await expect.poll(() => rows().count()).toBe(20)
})

it('lets a person choose columns, says which order the list, and remembers them', async () => {
  await openList()
  await page.getByText('Columns', { exact: true }).click()
  const choice = page.getByRole('group', { name: 'Columns' })
  await choice.getByLabel('Number (can be sorted)').check()
  await choice.getByLabel('Created', { exact: true }).check()
  await choice.getByLabel('Last seen').uncheck()
  const headers = () => page.locator('.data-list th').allTextContents()
  const wanted = ['Username', 'Full name', 'Email address', 'State', 'Created', 'Number']
  await expect.poll(headers).toEqual(wanted)
  expect(await findViolations(page)).toEqual([])
  await page.reload()
  await rows().first().waitFor()
  expect(await headers()).toEqual(wanted)
  const queries = watchRequests()
  await page.locator('.data-list').getByRole('button', { name: 'Number' }).click()
  await expect.poll(() => queries.at(-1)?.get('ordering')).toBe('id')
})

it('has keys for the list, which are off in fields and can be turned off', async () => {
  await openList()
  await page.keyboard.press('j')
  await rows().nth(0).locator('a:focus').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await rows().nth(0).locator('a:focus').waitFor()
  await page.keyboard.press('/')
  await page.getByRole('dialog', { name: 'Search everything' }).getByRole('combobox').waitFor()
  await page.keyboard.press('Escape')
  await search().focus()
  await page.keyboard.type('jn?/')
  expect(await search().inputValue()).toBe('jn?/')
  await search().fill('')
  await page.locator('h1').focus()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByLabel('Use these shortcuts').uncheck()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.locator('h1').focus()
  await page.keyboard.press('n')
  await page.keyboard.press('?')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(page.url()).toMatch(/#\/users(\?|$)/)
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await dialog.getByLabel('Use these shortcuts').check()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.locator('h1').focus()
  await page.keyboard.press('n')
  await expect.poll(() => visit.heading()).toBe('New user')
  await page.keyboard.type('ada')
  expect(await page.getByLabel('Username', { exact: true }).inputValue()).toBe('ada')
})

it('sorts the users of a connection by number, says so, and then goes back to the order before', async () => {
  await addProvider(service, await makeIdp(), { name: 'Example Inc' })
  await openList('?filter=person-')
  const queries = watchRequests()
  const order = page.getByText('Users of a company connection are sorted by their number.')
  expect(await order.count()).toBe(0)
  const header = page.getByRole('columnheader', { name: 'Username' })
  await header.getByRole('button').click()
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending')
  await page.getByText('More filters').click()
  const connection = page.getByLabel('Connection')
  await connection.selectOption('Example Inc')
  await order.waitFor()
  await page.getByText('Nothing matches your search.').waitFor()
  expect(queries.at(-1)?.get('ordering')).toBe('id')

  // The numbers can be in reverse.
  const users = page.waitForResponse(/\/api\/2\/users\?.*ordering=-id.*connection=/)
  await page.evaluate("location.hash = location.hash.replace('ordering=-username', 'ordering=-id')")
  expect((await users).status()).toBe(200)
  await page.evaluate("location.hash = location.hash.replace('ordering=-id', 'ordering=-username')")
  await connection.selectOption('All')
  await rows().first().waitFor()
  expect(queries.at(-1)?.get('ordering')).toBe('-username')
  expect(await order.count()).toBe(0)
})

it('names its keys where there is a keyboard, and not on phones', async () => {
  const keys = () => page.getByRole('button', { name: 'Keyboard shortcuts' })
  await openList()
  await keys().waitFor()
  const phone = await browser.newContext({
    storageState: await page.context().storageState(),
    ...devices['Pixel 7'],
  })
  page = await phone.newPage()
  await page.goto(`${service.url}/admin#/users`)
  await rows().first().waitFor()
  expect(await keys().count()).toBe(0)
  await page.getByText('Columns', { exact: true }).waitFor()
})

it('filters by permission and the time of creation, all in the address', async () => {
  await openList('?filter=person-')
  const queries = watchRequests()
  await page.getByText('More filters').click()
  const fields = page.locator('details', { hasText: 'More filters' })
  await fields.getByLabel('Created').selectOption('In the last 7 days')
  await expect.poll(() => queries.at(-1)?.get('created_since')).toMatch(/^20\d\d-.*:00:00\.000Z$/)
  await fields.getByRole('combobox', { name: 'Holds the permission' }).selectOption('See users')
  await expect.poll(() => queries.at(-1)?.get('permission')).toBe('users:view')
  await page.getByText('Nothing matches your search.').waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(new URL(page.url()).hash).toContain('created=7')
  await page.getByRole('button', { name: 'Reset search and filters' }).click()
  await rows().first().waitFor()
})
