import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { openConsole } from '../support/console.ts'
import { getFocused, holdRequest, openPage } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const joinNames = (names: readonly string[]) => new Intl.ListFormat('en').format(names)
for (const name of ['ada', 'grace', 'edsger']) await addPerson(service, { username: name })
const browser = await shareBrowser()

it('leads to the sign-in page without a session', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${service.url}/admin`)
  expect(page.url()).toBe(`${service.url}/?return_to=%2Fadmin`)
})

it('shows users without rights no section, and the service refuses their calls', async () => {
  const { page, heading } = await openConsole(service, browser, { permissions: [] })
  await expect.poll(() => heading()).toBe('You cannot see this page')
  const links = page.getByRole('navigation').getByRole('link')
  await expect
    .poll(() => links.evaluateAll((found) => found.map(({ textContent }) => textContent)))
    .toEqual(['Root – Your account'])
  await page.goto(`${service.url}/admin#/users`)
  await expect.poll(() => heading()).toBe('You cannot see this page')
  const status = await page.evaluate("fetch('/api/2/users').then(({ status }) => status)")
  expect(status).toBe(403)
})

it.each([
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 375, height: 667, colorScheme: 'dark' },
  { width: 320, height: 568, colorScheme: 'light' },
] as const)('shows users at $width pixels in $colorScheme colors without violations', async (look) => {
  const { width, height, colorScheme } = look
  const visit = await openConsole(service, browser, {
    permissions: ['users:view'],
    browserOptions: { viewport: { width, height }, colorScheme },
  })
  await visit.page.getByRole('link', { name: 'grace' }).waitFor()
  expect(await findViolations(visit.page)).toEqual([])
  expect(await visit.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  const menu = visit.page.getByRole('button', { name: 'Menu' })
  await expect.poll(() => menu.isVisible()).toBe(width < 800)
  if (width < 800) {
    expect(await visit.page.getByRole('navigation').isVisible()).toBe(false)
    await menu.click()
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('true')
    expect(await findViolations(visit.page)).toEqual([])
  }
  const current = visit.page.getByRole('navigation').locator('[aria-current=page]')
  await expect.poll(() => current.innerText()).toBe('Users')
})

it('searches while a person types, and keeps the search in the address', async () => {
  const { page } = await openConsole(service, browser, { permissions: ['users:view'] })
  await page.getByRole('searchbox').fill('grac')
  await page.getByRole('link', { name: 'ada' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'grace' }).waitFor()
  await expect.poll(() => page.url()).toContain('filter=grac')
  await page.reload()
  await page.getByRole('link', { name: 'grace' }).waitFor()
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('grac')
  await page.getByRole('searchbox').fill('a name of no user')
  await page.getByRole('button', { name: 'Reset search and filters' }).click()
  await page.getByRole('link', { name: 'ada' }).waitFor()
})

it('finds everything by name with the keyboard alone', async () => {
  const { page, heading } = await openConsole(service, browser, { browserOptions: { locale: 'en' } })
  const field = page.getByRole('dialog', { name: 'Search everything' }).getByRole('combobox')
  const chosen = page.getByRole('option', { selected: true })
  const type = async (keys: string, text: string): Promise<void> => {
    await page.keyboard.press(keys)
    await field.waitFor()
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.insertText(text)
  }
  await page.locator('h1').focus()
  await type('/', 'grac')
  await chosen.getByText('grace').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(heading).toBe('grace')
  // The same place once more, from the menu.
  await page.getByRole('navigation').getByRole('link').first().focus()
  await type('Control+k', 'grac')
  await chosen.getByText('grace').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => getFocused(page)).toBe('grace')
  await type('Control+k', 'totp')
  await chosen.getByText('Second factor').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await type('Control+k', 'nothing-of-this-name')
  await page.getByText('Nothing was found.').waitFor()
  await page.setViewportSize({ width: 360, height: 700 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  expect(await findViolations(page)).toEqual([])
})

it('leads from a word to the form, the event or the setting with the keyboard alone', async () => {
  const { page, heading } = await openConsole(service, browser, { browserOptions: { locale: 'en' } })
  const chosen = page.getByRole('option', { selected: true })
  const dialog = page.getByRole('dialog', { name: 'Search everything' })
  const open = async (text: string, first: string): Promise<void> => {
    await page.keyboard.press('Control+k')
    await page.locator('[role=combobox]:focus').waitFor()
    const { y } = (await dialog.boundingBox()) ?? { y: -1 }
    await page.keyboard.insertText(text)
    await chosen.getByText(first).waitFor()
    await page.getByText(/^\d+ results?$/).waitFor()
    await chosen.getByText(first).waitFor()
    expect(await dialog.boundingBox()).toMatchObject({ y })
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }
  await page.locator('h1').focus()
  await open('okta', 'Company sign-in')
  await expect.poll(heading).toBe('Company sign-in')
  await open('192.0.2.7', 'Audit events from 192.0.2.7')
  await expect.poll(heading).toBe('Audit log')
  await open('role', 'Roles in organizations')
  await open('usage', 'Activity')
  await expect.poll(heading).toBe('Activity')
  await open('end everything of ada', 'End everything of ada')
  await expect.poll(heading).toContain('ada')
  await open('new user', 'New user')
  await expect.poll(heading).toBe('New user')
  await page.keyboard.type('kay')
  expect(await page.getByLabel('Username', { exact: true }).inputValue()).toBe('kay')
})

it('skips the menu with the keyboard', async () => {
  const { page } = await openConsole(service, browser, { permissions: ['users:view'] })
  await page.keyboard.press('Tab')
  await expect.poll(() => getFocused(page)).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search')
})

it('leads to the sign-in page and back to the same place when the session has ended', async () => {
  const { page } = await openConsole(service, browser, { permissions: ['users:view'] })
  await page.getByRole('searchbox').waitFor()
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Disabled' }).click()
  await page.waitForURL(/return_to=/)
  const target = new URL(page.url()).searchParams.get('return_to')
  expect(target).toBe('/admin#/users?state=disabled&ordering=username')
})

it('leads back to the list from a user that does not exist', async () => {
  const { page, open, heading } = await openConsole(service, browser)
  await open('/users/4711')
  await expect.poll(() => heading()).toBe('Not found')
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect.poll(() => heading()).toBe('Users')
})

it('ends a message when the person goes to another section, and says just now within a minute', async () => {
  const { page, open, seeToast, person } = await openConsole(service, browser)
  await open('/groups/new')
  await page.getByLabel('Name', { exact: true }).fill(`Editors of ${person.user.username}`)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const toast = page.locator('.toasts p')
  await toast.waitFor()
  await seeToast(await toast.innerText())
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await toast.waitFor({ state: 'detached' })
  const row = page.getByRole('row').filter({ hasText: person.user.username })
  await row.getByText('just now').waitFor()
})

it.each(['/admin', '/account'])('follows a link of %s that a person uses at once', async (address) => {
  const { page, heading } = await openConsole(service, browser)
  const place =
    address === '/admin'
      ? { address: '#/groups', name: 'Groups' }
      : { address: '#/sessions', name: 'Devices and sessions' }
  // Goes on in the moment of the first rendering, before anything that the page does after it has rendered.
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (!document.querySelector(':is(.console, .app-page):not(.start)')) return
    observer.disconnect()
    location.hash = '${place.address}'
  }).observe(document, { childList: true, subtree: true })`)
  await page.goto(`${service.url}/docs`)
  await page.goto(`${service.url}${address}`)
  await expect.poll(() => heading()).toBe(place.name)
})

it('keeps what the Tab key led to in view when something is loaded above it, and lets the person scroll', async () => {
  const { page, open } = await openConsole(service, browser)
  await open('/branding')
  await page.getByRole('button', { name: 'Reset to the defaults' }).waitFor()
  const field = page.getByLabel('Choose an image: Logo', { exact: true })
  await field.focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  // Browsers can keep the place by themselves, but not always.
  await page.evaluate("document.documentElement.style.overflowAnchor = 'none'")
  const grow = () =>
    page.evaluate("document.querySelector('h1').style.blockSize = innerHeight + scrollY + 'px'")
  const isShown = async () => {
    const { y = -1, height = 0 } = (await field.boundingBox()) ?? {}
    return y >= 0 && y + height < (await page.evaluate<number>('innerHeight')) + 1
  }
  await grow()
  await expect.poll(isShown).toBe(true)
  await page.mouse.wheel(0, -5000)
  await expect.poll(() => page.evaluate('scrollY')).toBe(0)
  await grow()
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  expect(await page.evaluate('scrollY')).toBe(0)
})

it('keeps the layout of a page without JavaScript', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(service.url)
  const card = await page.locator('main.card').boundingBox()
  const { width } = page.viewportSize() ?? { width: 0 }
  expect(Math.abs((card?.x ?? 0) + (card?.width ?? 0) / 2 - width / 2)).toBeLessThan(2)
  await page.getByText('Latchkey', { exact: true }).waitFor()
})

it('shows its brand and that it loads before a script runs, and says it if that takes long', async () => {
  const { page } = await openConsole(service, browser)
  const { promise: scripts, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/js/**', (route) => scripts.then(() => route.continue()))
  for (const address of ['/admin#/users', '/account', '/']) {
    await page.goto('about:blank')
    await page.goto(service.url + address, { waitUntil: 'commit' })
    await page.locator('.start .brand').getByText('Latchkey', { exact: true }).waitFor()
    await page.getByText('Loading…', { exact: true }).waitFor()
    const late = page.getByText('This takes longer than usual.')
    // A slow machine may have waited that long, and before its stylesheet the page shows nothing.
    await expect
      .poll(() =>
        page.evaluate(`getComputedStyle(document.querySelector('.start-text.late')).animationDelay`),
      )
      .toBe('8s')
    await page.evaluate('for (const animation of document.getAnimations()) animation.finish()')
    await late.waitFor()
    // The heading comes with the page, so that screen readers announce that one.
    const violations = await findViolations(page)
    expect(violations.filter((text) => !text.startsWith('page-has-heading-one'))).toEqual([])
  }
  await page.goto(`${service.url}/admin#/users`, { waitUntil: 'commit' })
  release()
  await page.getByRole('link', { name: 'grace' }).waitFor()
  expect(await page.locator('.start').count()).toBe(0)
})

it('says that an answer takes long, over a dialog too, and takes it back after the answer', async () => {
  const { page, open } = await openConsole(service, browser)
  await open('/users')
  const words = page.getByText('Still waiting for an answer.')
  await page.getByRole('searchbox').waitFor()
  const found = await holdRequest(page, '**/api/2/users?*')
  await page.getByRole('searchbox').fill('grac')
  await words.waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('grac')
  found()
  await words.waitFor({ state: 'detached' })
  await page.locator('h1').focus()
  await page.keyboard.press('Control+k')
  const searched = await holdRequest(page, '**/api/2/groups?*')
  await page.getByRole('dialog').getByRole('combobox').fill('grac')
  await page.getByRole('dialog').getByText('Still waiting for an answer.').waitFor()
  searched()
  await words.waitFor({ state: 'detached' })
})

it('says that there is no connection, keeps what was typed, and repeats what was lost without saving it twice', async () => {
  const { page, open, press, problem, heading } = await openConsole(service, browser)
  const offline = 'You are offline. What you typed stays here. Try again once you are connected.'
  const setOffline = (isOffline: boolean) => page.context().setOffline(isOffline)
  await open('/users')
  await page.getByRole('searchbox').waitFor()
  await page.evaluate('window.isSameTab = true')

  // A part of the page that was never loaded.
  await setOffline(true)
  await page.locator('.waiting').getByText(offline).waitFor()
  await page.getByRole('link', { name: 'Groups', exact: true }).click()
  await problem.getByText(offline).waitFor()
  expect(await findViolations(page)).toEqual([])
  await press('Try again')
  await problem.getByText(offline).waitFor()
  expect(await page.evaluate('window.isSameTab')).toBe(true)
  await setOffline(false)
  await page.locator('.waiting').getByText(offline).waitFor({ state: 'detached' })
  await press('Try again')
  await expect.poll(heading).toBe('Groups')

  // A list that was not loaded comes back with the connection.
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await page.getByRole('searchbox').waitFor()
  await setOffline(true)
  await page.getByRole('searchbox').fill('edsg')
  await problem.getByText(offline).waitFor()
  await setOffline(false)
  await page.getByRole('link', { name: 'grace' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'edsger' }).waitFor()

  // A form, first without a connection, then without the answer.
  const name = `Group ${randomUUID()}`
  await open('/groups/new')
  const field = page.getByLabel('Name', { exact: true })
  await field.fill(name)
  await setOffline(true)
  await press('Create')
  await problem.getByText(offline).waitFor()
  expect(await field.inputValue()).toBe(name)
  await setOffline(false)
  await page.route(
    '**/api/2/groups',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await press('Create')
  await problem.getByText('The service cannot be reached. Check your connection and try again.').waitFor()
  await press('Create')
  await problem
    .getByText('This was created already. Only the answer of the first attempt was lost.')
    .waitFor()
  const answer = await page.request.get(`${service.url}/api/2/groups`)
  const groups: readonly { readonly name: string }[] = await answer.json()
  expect(groups.filter((group) => group.name === name)).toHaveLength(1)
})

const people = ['Users', 'Groups', 'User templates']
it.each([
  { role: 'Support', permissions: ['users:view'], places: people },
  {
    role: 'User manager',
    permissions: ['users:view', 'users:manage'],
    places: [...people, 'Sign-up', 'Refused and blocked'],
  },
  { role: 'Organization support', permissions: ['organizations:view'], places: ['Organizations'] },
  {
    role: 'Organization manager',
    permissions: ['organizations:view', 'organizations:manage'],
    places: ['Organizations'],
  },
  { role: 'Administrator', permissions: ['system:admin-access'], places: undefined },
])('gives what $role needs, and shows them a console that works', async ({ role, permissions, places }) => {
  const admin = await openConsole(service, browser, { browserOptions: { locale: 'en' } })
  await admin.open('/users/new')
  const username = `${role.toLowerCase().replaceAll(' ', '-')}-${randomUUID()}`
  await admin.fill({ Username: username })
  await admin.press(role)
  if (places) await admin.page.getByText(`Visible in the console: ${joinNames(places)}.`).waitFor()
  await admin.press('Create')
  await admin.seeToast(`Created ${username}.`)
  const found = await admin.page.request.get(`${service.url}/api/2/users?username=${username}`)
  expect((await found.json())[0].permissions.sort()).toEqual([...permissions].sort())

  const visit = await openConsole(service, browser, { permissions, browserOptions: { locale: 'en' } })
  const refused: string[] = []
  visit.page.on('response', (response) => {
    if (response.status() >= 400) refused.push(response.url())
  })
  const links = visit.page.getByRole('navigation').locator('.areas a')
  const names = await links.evaluateAll((all) => all.map((link) => link.lastChild?.textContent ?? ''))
  if (places) expect(names).toEqual(places)
  for (let at = 0; at < names.length; at += 1) {
    await links.nth(at).click()
    await expect.poll(() => links.nth(at).getAttribute('aria-current')).toBe('page')
    await expect.poll(() => visit.page.locator('.loading, [aria-busy=true]').count()).toBe(0)
    expect(await visit.heading()).not.toBe('You cannot see this page')
  }
  expect(refused).toEqual([])
})

it('gives and takes permissions together with those that they need, and names a missing one', async () => {
  const admin = await openConsole(service, browser, { browserOptions: { locale: 'en' } })
  await admin.open('/users/new')
  const [see, manage] = ['See users', 'Manage users'].map((name) =>
    admin.page.getByLabel(name, { exact: true }),
  )
  await manage?.check()
  expect(await see?.isChecked()).toBe(true)
  await see?.uncheck()
  expect(await manage?.isChecked()).toBe(false)
  const other = await openConsole(service, browser, { permissions: ['organizations:view'] })
  await other.open('/users')
  await other.page.getByText('This page requires the permission “See users”.').waitFor()
})
