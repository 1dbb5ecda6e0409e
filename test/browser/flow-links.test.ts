import { describe, expect, it } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addLink, deleteLink, getLink } from '../support/links.ts'
import { getFocused } from '../support/pages.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { inOneBrowser, loadWords, visit } from '../support/personas.ts'
import { startProduct } from '../support/product.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const product = closeAfterTests(await startProduct())
const service = await useService({
  ALLOWED_ORIGINS: product.url,
  LINK_URL: `Cinema=${product.url}/shared/{id}`,
})
product.trust(service.url)
const grace = await addSignedIn(service, { full_name: 'Grace Hopper', permissions: ['media:access'] })

/** A link that stays on the page of the service. */
const withoutProduct = { url: '/link?product=none' }

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  const openLink = async (fields: object) => {
    const t = await loadWords(persona, 'link')
    const link = await addLink(service, grace.bearer, fields)
    const opened = await visit(browser, persona)
    await opened.page.goto(link.full_url)
    return { ...opened, t, link }
  }

  it('opens a link as a guest, without using a view before, and signs out', async () => {
    const { page, t, link, press, state, look } = await openLink({ ...withoutProduct, view_limit: 1 })
    const viewsLeft = async () => (await getLink(service, grace.bearer, link.id)).body.view_limit_left
    const item = page.getByRole('listitem').getByText(link.shared_bundles[0].name)
    await state.getByText(t('shared', { name: 'Grace Hopper' })).waitFor()
    await item.waitFor()
    // The token leaves the address bar, which is visible to others.
    expect(page.url()).not.toContain('#')
    expect(await viewsLeft()).toBe(1)
    await look()
    await press(t('open'))
    await state.getByText(t('isOpenFor', { name: t('aGuest') })).waitFor()
    await item.waitFor()
    expect(await viewsLeft()).toBe(0)
    await expect.poll(() => getFocused(page)).toBe(t('openedHeading'))
    await expect.poll(() => page.title()).toBe(`${t('openedHeading')} – Latchkey`)
    const me = await page.request.get(`${service.url}/api/2/users/me`)
    expect((await me.json()).id).toBe(link.user.id)
    await look()
    await press(t('signOut'))
    await state.getByText(t('signedOut')).waitFor()
    await look()
  })

  it('opens a link in a product', async () => {
    const { page, t, link, press, state, look } = await openLink({})
    await page.getByRole('heading', { name: t('headingIn', { product: 'Cinema' }), exact: true }).waitFor()
    await state.getByText(t('shared', { name: 'Grace Hopper' })).waitFor()
    await look()
    await press(t('openIn', { product: 'Cinema' }))
    await page.getByRole('heading', { name: new RegExp(`^Hello guest-.* by link ${link.id}$`) }).waitFor()
    // The guest is known to the product alone.
    expect((await page.request.get(`${service.url}/api/2/users/me`)).status()).toBe(401)
  })

  // The rest uses nothing that depends on the engine.
  if (persona.browser === 'Firefox') return

  it('enters the password of a link, wrong at first', async () => {
    const password = 'for your eyes only'
    const { page, t, fill, press, state, problem, look } = await openLink({ ...withoutProduct, password })
    await state.getByText(t('shared', { name: 'Grace Hopper' })).waitFor()
    await look()
    await fill({ [t('linkPassword')]: 'not that' })
    await press(t('open'))
    await problem.getByText(t('wrongPassword')).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('link-password')
    await look()
    await fill({ [t('linkPassword')]: password })
    await press(t('open'))
    await state.getByText(t('isOpenFor', { name: t('aGuest') })).waitFor()
  })

  it('signs in to open a link for one person', async () => {
    const signIn = await loadWords(persona, 'signIn')
    const ada = await addPerson(service, { full_name: 'Ada' })
    const { page, t, link, activate, fill, press, problem, look } = await openLink({ user: ada.user.id })
    await press(t('openIn', { product: 'Cinema' }))
    await problem.getByText(t('forOnePerson')).waitFor()
    await look()
    await activate(page.getByRole('link', { name: t('signIn'), exact: true }))
    await fill({ [signIn('username')]: ada.user.username, [signIn('password')]: ada.password })
    await press(signIn('signIn'))
    await page.waitForURL(`${service.url}/link`)
    await press(t('openIn', { product: 'Cinema' }))
    await page.getByRole('heading', { name: `Hello Ada by link ${link.id}`, exact: true }).waitFor()
  })

  it('learns that a link has ended', async () => {
    const { page, t, link, problem, look } = await openLink({})
    await deleteLink(service, grace.bearer, link.id)
    await page.reload()
    await problem.getByText(t('invalid')).waitFor()
    await look()
  })
})
