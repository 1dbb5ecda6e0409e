import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { readClipboard } from '../support/clipboard.ts'
import { getFocused, openPage } from '../support/pages.ts'
import { addSignedIn } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ API_REFERENCE: 'try' })
const ada = await addSignedIn(service, { permissions: ['users:view'] })
const browser = await shareBrowser()

/** Opens the reference in a browser without cookies. A request to another origin fails the test. */
const openReference = async (
  options: Parameters<Browser['newContext']>[0] = {},
  place = '/docs',
): Promise<Page> => {
  const { page } = await openPage(browser, options)
  page.on('request', (request) => {
    if (!request.url().startsWith(`${service.url}/`)) expect.unreachable(request.url())
  })
  await page.goto(`${service.url}${place}`)
  return page
}

/** Opens the form of an operation on its page, fills it in and sends it. Returns what the page shows then. */
const tryIt = async (
  page: Page,
  id: string,
  { fields = {}, body }: { fields?: Readonly<Record<string, string>>; body?: unknown } = {},
) => {
  const section = page.locator(`#${id}`)
  if ((await section.count()) === 0)
    await page.goto(`${service.url}${await page.locator(`#contents a[href$="#${id}"]`).getAttribute('href')}`)
  const form = section.locator('form')
  if ((await form.count()) === 0) await section.locator('.route button').click()
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value)
  if (body !== undefined) await form.locator('textarea').fill(JSON.stringify(body))
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  const status = form.getByRole('status')
  await status.getByText(/^(?!Sending)./).waitFor()
  const [headers = '', shown = ''] = await form.locator('pre code').allTextContents()
  return { status: await status.innerText(), headers, body: shown, form }
}

/** Lists what axe would find in a single operation or model of a document, although one of the same kind is right. */
const violationScript = `(document) => {
  const all = (selector) => [...document.querySelectorAll(selector)]
  const ids = all('[id]').map(({ id }) => id)
  const known = new Set()
  const found = ids.filter((id) => known.has(id) || !known.add(id)).map((id) => 'the ID ' + id + ' is not unique')
  for (const element of all('a[href^="#"], [aria-labelledby], [aria-describedby], [aria-controls], label[for]'))
    for (const name of ['href', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'for'])
      for (const id of (element.getAttribute(name) ?? '').split(' ').filter(Boolean))
        if ((name !== 'href' || id.startsWith('#')) && !known.has(decodeURIComponent(id.replace('#', ''))))
          found.push(element.localName + ' leads to ' + id.replace('#', ''))
  const names = (element) => [
    element.getAttribute('aria-label'),
    element.getAttribute('aria-labelledby'),
    element.matches('input, select, textarea') ? element.labels[0]?.textContent : element.textContent,
  ]
  for (const element of all('h1, h2, h3, h4, h5, h6, a, button, summary, input, select, textarea, th'))
    if (!names(element).some((name) => name?.trim())) found.push(element.localName + ' has no name')
  const levels = all('main :is(h1, h2, h3, h4, h5, h6)').map(({ localName }) => localName)
  levels.forEach((level, at) => {
    const before = levels[at - 1] ?? level
    if (level[1] - before[1] > 1) found.push(level + ' follows ' + before)
  })
  return found
}`

describe('the page', () => {
  it.each([
    { width: 1280, height: 800, colorScheme: 'light', forcedColors: 'none' },
    { width: 375, height: 667, colorScheme: 'dark', forcedColors: 'none' },
    { width: 320, height: 200, colorScheme: 'light', forcedColors: 'active' },
  ] as const)(
    'has no violations and no sideways scrolling at $width x $height, $colorScheme, forced colors $forcedColors',
    async ({ width, height, ...colors }) => {
      const page = await openReference(
        { viewport: { width, height }, ...colors },
        '/docs/access-links#create_access_token',
      )
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      const { x, y } = (await page.locator('#create_access_token h2').boundingBox()) ?? { x: -1, y: -1 }
      expect(x).toBeGreaterThanOrEqual(0)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(await findViolations(page)).toEqual([])
      if (width >= 960) return
      await page.getByRole('button', { name: 'Menu' }).click()
      expect(await findViolations(page, 'header, nav')).toEqual([])
    },
  )

  /* axe examines one topic above, because all of them take it minutes. What their names and texts decide is checked in all. */
  it('has unique IDs, references that lead somewhere, and names for all controls, headings and tables', async () => {
    const page = await openReference()
    const paths = await page
      .locator('#contents a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('#')[0] ?? ''))
    for (const path of new Set(paths))
      expect(
        await page.evaluate(`fetch(${JSON.stringify(path)}).then((answer) => answer.text())
        .then((html) => (${violationScript})(new DOMParser().parseFromString(html, 'text/html')))`),
        path,
      ).toEqual([])
    // What the script of the pages adds is the same for each operation.
    await page.goto(`${service.url}/docs/users`)
    await page.getByRole('button', { name: 'Copy' }).first().waitFor()
    expect(await page.evaluate(`(${violationScript})(document)`)).toEqual([])
  })

  it('finds violations in what would be read out', async () => {
    const { page } = await openPage(browser)
    await page.setContent(`<main><p id="one"></p><p id="one"></p><a href="#two">Two</a><input aria-labelledby="three">
      <h2 id="four"> </h2><button></button><select></select><a href="/"></a><table><tr><th></th></tr></table><h2>A</h2><h4>B</h4>`)
    expect(await page.evaluate(`(${violationScript})(document)`)).toEqual([
      'the ID one is not unique',
      'a leads to two',
      'input leads to three',
      'h2 has no name',
      'button has no name',
      'select has no name',
      'a has no name',
      'th has no name',
      'h4 follows h2',
    ])
  })

  it('is read without JavaScript', async () => {
    const page = await openReference(
      { javaScriptEnabled: false, viewport: { width: 375, height: 667 } },
      '/docs/sessions',
    )
    await expect.poll(() => page.locator('#login h2').isVisible()).toBe(true)
    await expect.poll(() => page.locator('nav a[href="/docs/errors#errors"]').isVisible()).toBe(true)
    // All that is left to use are links and the languages of calls, which need no script.
    expect(await page.locator('button:visible, input:not(.languages input):visible').count()).toBe(0)
    await page.locator('#login .languages').getByLabel('TypeScript').check()
    const shown = page.locator('#login .calls pre:visible')
    expect([await shown.count(), await shown.getAttribute('data-language')]).toEqual([1, 'typescript'])
  })

  it('prints everything, also closed examples, and no controls', async () => {
    const page = await openReference({}, '/docs/sessions')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('nav:visible, button:visible, input:visible, .anchor:visible').count()).toBe(0)
    expect(await page.locator('#login .calls pre:visible').count()).toBe(3)
    await expect.poll(() => page.locator('#login .sample pre').first().isVisible()).toBe(true)
  })
})

describe('the navigation', () => {
  it('leads to an operation on a narrow screen with the keyboard alone', async () => {
    const page = await openReference({ viewport: { width: 320, height: 568 } })
    await page.keyboard.press('Tab')
    await expect.poll(() => getFocused(page)).toBe('Skip to content')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect.poll(() => getFocused(page)).toBe('Menu')
    await page.keyboard.press('Enter')
    const link = page.locator('#contents a[href="/docs/tickets#create_auth_ticket"]')
    await page.locator('#contents details[data-page="tickets"]').locator('summary').press('Enter')
    await link.press('Enter')
    await page.waitForURL('**/docs/tickets#create_auth_ticket')
    await expect.poll(() => page.locator('#create_auth_ticket h2').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Menu' }).press('Enter')
    // The group of the topic is open.
    await page.locator('#contents a[href="/docs/tickets#check_auth_ticket"]').press('Enter')
    expect(new URL(page.url()).hash).toBe('#check_auth_ticket')
    expect(await page.locator('nav').isVisible()).toBe(false)
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('check_auth_ticket')
    await page.getByRole('button', { name: 'Menu' }).press('Enter')
    await page.keyboard.press('Escape')
    expect(await page.locator('nav').isVisible()).toBe(false)
    await expect.poll(() => getFocused(page)).toBe('Menu')
  })

  it('marks the place that is shown', async () => {
    const page = await openReference({}, '/docs/tickets#check_auth_ticket')
    await page.locator('#contents a[aria-current][href="/docs/tickets#check_auth_ticket"]').waitFor()
  })

  it('leads from the name of a place alone to its page', async () => {
    const page = await openReference({}, '/docs#code-login_incomplete')
    await page.waitForURL('**/docs/errors#code-login_incomplete')
    expect(await page.locator('#code-login_incomplete').isVisible()).toBe(true)
  })
})

describe('the search', () => {
  let page: Page
  beforeAll(async () => {
    page = await openReference()
  })

  it.each([
    ['create_auth_ticket', '/docs/tickets#create_auth_ticket'],
    ['login incomplete password correct', '/docs/errors#code-login_incomplete'],
    ['otp_required', '/docs/errors#reason-otp_required'],
    ['ServiceUserDetail.username', '/docs/models#ServiceUserDetail.username'],
    ['get_all_users limit', '/docs/users#get_all_users.limit'],
    ['what to use', '/docs#content'],
    ['session idle 24 hours without use', '/docs/guides/sessions#lifetime'],
  ])('finds %j with the keyboard alone', async (query, place) => {
    await page.getByLabel('Search', { exact: true }).fill(query)
    const result = page.locator(`#results a[href="${place}"]`)
    await result.waitFor()
    await page.keyboard.press('Tab')
    await result.press('Enter')
    await page.waitForURL(`**${place}`)
    const [, id = ''] = place.split('#')
    await expect.poll(() => page.locator(`[id="${id}"]`).isVisible()).toBe(true)
  })

  it('shows the guide about what a person wants to do first, and what has the name that they type', async () => {
    const first = async (query: string) => {
      await page.getByLabel('Search', { exact: true }).fill(query)
      const [result = ''] = await page
        .locator('#results a')
        .evaluateAll((links) => links.map(({ textContent }) => textContent))
      return result
    }
    await expect.poll(() => first('create ticket')).toContain('Guide')
    await expect.poll(() => first('create_auth_ticket')).toContain('Operation: POST /api/2/auth/ticket')
    await expect.poll(() => first('invalid_request')).toContain('Error code')
  })

  it('begins with a slash, unless the person is typing', async () => {
    const page = await openReference({}, '/docs/guides/sessions')
    await page.keyboard.press('/')
    const search = page.getByLabel('Search', { exact: true })
    await search.pressSequentially('a/b')
    expect(await search.inputValue()).toBe('a/b')
    expect(await findViolations(page)).toEqual([])
  })

  it('reports how much it found, has no violations, and ends with Escape', async () => {
    const search = page.getByLabel('Search', { exact: true })
    await search.fill('<b>nothing</b>')
    await page.getByText('Nothing found. Try fewer or other words.').waitFor()
    await search.fill('ticket')
    await page.getByText(/^\d+ results/).waitFor()
    expect(await findViolations(page, 'nav')).toEqual([])
    await search.press('Escape')
    await expect.poll(() => page.locator('#results a').count()).toBe(0)
    await expect.poll(() => page.locator('#contents').isVisible()).toBe(true)
  })

  it('says that it did not load, and tries again', async () => {
    const page = await openReference()
    await page.route('**/docs/search.json', (route) => route.abort())
    await page.getByLabel('Search', { exact: true }).fill('ticket')
    await page.getByText('The search did not load. Try again.').waitFor()
    await page.unroute('**/docs/search.json')
    await page.getByLabel('Search', { exact: true }).fill('tickets')
    await page.getByText(/^\d+ results/).waitFor()
  })
})

describe('a copy button', () => {
  it('copies a call, and a link beside a heading its address', async () => {
    const page = await openReference({ permissions: ['clipboard-read', 'clipboard-write'] }, '/docs/sessions')
    await page.locator('#login .calls pre:visible > button').click()
    await page.getByText('Copied', { exact: true }).waitFor()
    await expect.poll(() => readClipboard(page)).toContain(`curl '${service.url}/api/2/auth/login'`)
    await page.locator('#login > .heading .anchor').click()
    await page.getByText('Link copied').waitFor()
    await expect.poll(() => readClipboard(page)).toBe(`${service.url}/docs/sessions#login`)
  })
})

describe('a call from the page', () => {
  // Each test leaves the page signed out.
  let page: Page
  beforeAll(async () => {
    page = await openReference({ colorScheme: 'dark' })
    page.on('dialog', (dialog) => expect.unreachable(dialog.message()))
  })

  it('signs in, shows the current user and a page of users, and has no violations', async () => {
    expect((await tryIt(page, 'get_current_user')).status).toContain('Status 401')
    const login = await tryIt(page, 'login', {
      body: { username: ada.user.username, password: ada.password },
    })
    expect(login.status).toContain('Status 200')
    await expect.poll(() => login.form.innerText()).toContain('This is a real call.')
    expect(await findViolations(page, '#login')).toEqual([])
    const current = await tryIt(page, 'get_current_user')
    expect(current.status).toContain('Status 200')
    expect(JSON.parse(current.body)).toMatchObject({ username: ada.user.username })
    const list = await tryIt(page, 'get_all_users', { fields: { 'limit (query)': '1' } })
    expect(JSON.parse(list.body)).toHaveLength(1)
    expect(list.headers).toContain('x-request-id: ')
    expect((await tryIt(page, 'logout')).status).toContain('Status 204')
    expect((await tryIt(page, 'get_current_user')).status).toContain('Status 401')
  })

  it('sends a pasted credential instead of a cookie, and forgets it with the page', async () => {
    const page = await openReference()
    const credential = { 'Bearer credential': ada.bearer }
    const { body } = await tryIt(page, 'get_current_user', { fields: credential })
    expect(JSON.parse(body)).toMatchObject({ id: ada.user.id })
    const user = await tryIt(page, 'get_user', { fields: { 'id (path)': String(ada.user.id) } })
    expect(JSON.parse(user.body)).toMatchObject({ username: ada.user.username })
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).toBe(
      '[{},{}]',
    )
    expect(await page.context().cookies()).toEqual([])
    await page.reload()
    expect((await tryIt(page, 'get_current_user')).status).toContain('Status 401')
  })

  it('shows the errors of the service, and refuses calls that would reach another operation', async () => {
    const invalid = await tryIt(page, 'login', { body: { username: '' } })
    expect(invalid.status).toContain('Status 400')
    expect(JSON.parse(invalid.body)).toMatchObject({ code: 'invalid_request' })
    const escaped = await tryIt(page, 'get_user', { fields: { 'id (path)': '..' } })
    expect(escaped.status).toBe('Fill in id.')
    const header = await tryIt(page, 'login', { fields: { 'Bearer credential': 'a\u{1F600}b' } })
    expect(header.status).toBe('A header contains characters that HTTP does not allow.')
    await header.form.getByLabel('Bearer credential').fill('')
  })

  describe('a response', () => {
    it.each([
      [
        'HTML',
        'text/html',
        '<img src=x onerror="alert(1)"><script>alert(2)</script>',
        'Status 200',
        /^<img src=x/,
      ],
      ['5 MB of text', 'text/plain', 'x'.repeat(5 * 2 ** 20), 'Only its first 100 KB', /^x{102400}$/],
      [
        '5 MB of JSON',
        'application/json',
        `[${'1,'.repeat(2.5 * 2 ** 20)}1]`,
        'Only its first 100 KB',
        /^\[1,/,
      ],
      ['bytes', 'application/octet-stream', '\0\u0001', 'application/octet-stream is not shown', /^$/],
      ['broken JSON', 'application/problem+json', '{"a":', 'Status 200', /^\{"a":$/],
      ['no body', 'application/json', '', 'The body is empty.', /^$/],
    ])('of %s is shown as text, and the page stays usable', async (_, contentType, sent, status, shown) => {
      await page.route('**/api/2/users/me', (route) => route.fulfill({ contentType, body: sent }))
      const response = await tryIt(page, 'get_current_user')
      expect(response.status).toContain(status)
      expect(response.body).toMatch(shown)
      expect(await response.form.locator('img, script').count()).toBe(0)
      expect((await tryIt(page, 'get_password_policy')).status).toContain('Status 200')
      await page.unroute('**/api/2/users/me')
    })
  })

  it('reports a redirect without following it, and a service that does not answer', async () => {
    expect((await tryIt(page, 'logout_page')).status).toMatch(/Redirect|Status 204/)
    await page.route('**/api/2/users/me', (route) => route.abort())
    expect((await tryIt(page, 'get_current_user')).status).toBe('The service did not answer.')
  })
})

describe('the languages of calls', () => {
  const choose = (page: Page, id: string, language: string) =>
    page.locator(`#${id} .languages`).getByLabel(language, { exact: true }).check()
  const listShown = (page: Page, id: string): Promise<readonly (string | null)[]> =>
    page
      .locator(`#${id} .calls pre:visible`)
      .evaluateAll((blocks) => blocks.map((block) => block.getAttribute('data-language')))

  it('are chosen once for all operations, and kept on other pages', async () => {
    const page = await openReference({}, '/docs/users')
    expect(await listShown(page, 'create_user')).toEqual(['curl'])
    await choose(page, 'create_user', 'Python')
    for (const id of ['create_user', 'get_user']) expect(await listShown(page, id)).toEqual(['python'])
    await page.goto(`${service.url}/docs/groups`)
    expect(await listShown(page, 'create_group')).toEqual(['python'])
    await page.locator('#create_group .languages input:checked').press('ArrowLeft')
    expect(await listShown(page, 'get_group')).toEqual(['typescript'])
    expect(await findViolations(page)).toEqual([])
  })
})
