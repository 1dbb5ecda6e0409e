import { beforeEach, expect, it } from 'vitest'
import { deriveBrandColors } from '../../lib/features/branding/brand-colors.ts'
import { findViolations } from '../support/axe.ts'
import { makePng } from '../support/images.ts'
import { addLink } from '../support/links.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addSignedIn } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const [shopColor, cinemaColor] = ['#047857', '#9d174d']
const service = await useService({
  ALLOWED_ORIGINS: 'https://shop.example,https://cinema.example',
  LINK_URL: 'Shop=https://shop.example/{id},Cinema=https://cinema.example/{id}',
})
const creator = await addSignedIn(service, {
  full_name: 'Grace Hopper',
  permissions: ['media:access', 'system:admin-access'],
})
const change = async (path: string, body: object) => {
  const answer = await service.client('PUT', `/api/2/branding${path}`, { bearer: creator.bearer, body })
  expect(answer.status).toBe(200)
}
await change('', { product_name: 'Acme' })
await change('/products/Shop', { product_name: 'Acme Shop', accent_color: shopColor })
await change('/products/Cinema', {
  product_name: 'Acme Cinema',
  accent_color: cinemaColor,
  support_url: 'https://cinema.example/help',
  terms_url: 'https://cinema.example/terms',
})
const logo = { content_type: 'image/png', data: makePng(160, 40).toString('base64') }
await change('/products/Cinema/logo', logo)
const browser = await shareBrowser()
let visit: BrowserPage
let asked: string[]
beforeEach(async () => {
  visit = await openPage(browser)
  asked = []
  visit.page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/2/branding')) asked.push(pathname + search)
  })
})

const waitForLink = () => visit.state.getByText('Grace Hopper shared something with you').waitFor()
const readAccent = (): Promise<string> =>
  visit.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent')")
const readBrand = () => visit.page.locator('.brand').innerText()

const expectCinema = async () => {
  await visit.page
    .getByRole('heading', { level: 1, name: 'Shared with you in Cinema', exact: true })
    .waitFor()
  await expect.poll(() => visit.page.title()).toBe('Shared with you in Cinema – Acme Cinema')
  const logo = visit.page.getByRole('img', { name: 'Acme Cinema' })
  await expect.poll(() => logo.getAttribute('src')).toMatch(/^\/logos\/[0-9a-f]{64}$/)
  await expect.poll(() => visit.page.evaluate("document.querySelector('.brand img').naturalWidth")).toBe(160)
  await expect.poll(() => readAccent()).toBe(cinemaColor)
  await visit.page.emulateMedia({ colorScheme: 'dark' })
  const { dark } = deriveBrandColors({ accent_color: cinemaColor, background_color: null })
  await expect.poll(() => readAccent()).toBe(dark['--accent'])
  await visit.page.emulateMedia({ colorScheme: 'light' })
  const support = visit.page.getByRole('link', { name: 'Help' })
  await expect.poll(() => support.getAttribute('href')).toBe('https://cinema.example/help')
  const terms = visit.page.getByRole('link', { name: 'Terms of use' })
  await expect.poll(() => terms.getAttribute('href')).toBe('https://cinema.example/terms')
}

it('a link without a product has the brand of the first product from the first paint on', async () => {
  const link = await addLink(service, creator.bearer)
  await visit.page.goto(link.full_url)
  await expect.poll(() => visit.page.title()).toContain('Acme Shop')
  await waitForLink()
  await expect
    .poll(async () => [await visit.heading(), await readBrand()])
    .toEqual(['Shared with you in Shop', 'Acme Shop'])
  await expect.poll(() => readAccent()).toBe(shopColor)
  expect(asked).toEqual([])
  await expect.poll(() => visit.page.getByText('Shared with you').count()).toBe(1)
})

it('a link that names its product in the address has its brand without another request', async () => {
  const link = await addLink(service, creator.bearer, { url: '/link?product=Cinema' })
  await visit.page.goto(link.full_url)
  await waitForLink()
  await expectCinema()
  expect(asked).toEqual([])
})

it('a link gets the brand of its product after it was looked up, and keeps it in a reload', async () => {
  const link = await addLink(service, creator.bearer, { url: '/link?product=Cinema' })
  for (const query of ['', '?product=Shop']) {
    await visit.page.goto('about:blank')
    await visit.page.goto(`${service.url}/link${query}#token=${link.token}`)
    await waitForLink()
    await expectCinema()
    expect(asked.splice(0)).toEqual(['/api/2/branding?product=Cinema'])
    expect(await findViolations(visit.page)).toEqual([])
    await visit.page.reload()
    await waitForLink()
    await expectCinema()
    expect(asked).toEqual([])
  }
})

it('another link in the same tab replaces the brand', async () => {
  const [cinema, other] = [
    await addLink(service, creator.bearer, { url: '/link?product=Cinema' }),
    await addLink(service, creator.bearer, { url: '/link?product=Theater' }),
  ]
  await visit.page.goto(`${service.url}/link#token=${cinema.token}`)
  await waitForLink()
  await expectCinema()
  await visit.page.evaluate(`location.hash = 'token=${other.token}'`)
  await visit.page.getByRole('heading', { name: 'Shared with you', exact: true }).waitFor()
  await waitForLink()
  await expect.poll(() => readBrand()).toBe('Acme')
  await expect.poll(() => readAccent()).toBe('#1d4ed8')
  await visit.page.reload()
  await waitForLink()
  await expect.poll(() => readBrand()).toBe('Acme')
})

it('a link of no product has the brand of the service, also if the address names another one', async () => {
  const link = await addLink(service, creator.bearer, { url: '/link?product=Theater' })
  await visit.page.goto(`${service.url}/link?product=Cinema#token=${link.token}`)
  await waitForLink()
  await expect
    .poll(async () => [await visit.heading(), await readBrand()])
    .toEqual(['Shared with you', 'Acme'])
})

it('a link that does not exist changes no brand', async () => {
  await visit.page.goto(`${service.url}/link?product=Cinema#token=lka_unknown`)
  await visit.problem.getByText('This link is invalid or has expired.').waitFor()
  await expect.poll(() => visit.page.title()).toBe('Shared with you – Acme Cinema')
  expect(asked).toEqual([])
})

it('shows the link if the brand cannot be read', async () => {
  const link = await addLink(service, creator.bearer, { url: '/link?product=Cinema' })
  await visit.page.route('**/api/2/branding**', (route) => route.abort())
  await visit.page.goto(`${service.url}/link#token=${link.token}`)
  await waitForLink()
  await expect
    .poll(async () => [await visit.heading(), await readBrand()])
    .toEqual(['Shared with you in Cinema', 'Acme Shop'])
})
