import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { suppressAddress } from '../../lib/accounts/outbox/suppressed-addresses.records.ts'
import { findViolations } from '../support/axe.ts'
import { type ConsoleVisit, openConsole } from '../support/console.ts'
import { makeBlackBars } from '../support/images.ts'
import { tabTo, walkThrough } from '../support/keyboard.ts'
import { checkLooks, findOverflow } from '../support/looks.ts'
import { checkInSight } from '../support/out-of-sight.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { takesAll } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ RATE_LIMITS: 'accountFailures=2/600' })
await addPerson(service, { username: 'ada', full_name: 'Ada Lovelace', email: 'ada@example.com' })
await addPerson(service, { username: 'grace', full_name: 'Grace Hopper', is_enabled: false })
const permissions = ['system:admin-access']
const { bearer } = await addSignedIn(service, { username: 'owner', full_name: 'Owner', permissions })
const create = async (path: string, body: object) => {
  expect((await service.client('POST', path, { bearer, body })).status).toBe(201)
}
const send = async (method: 'PUT', path: string, body: object) => {
  expect((await service.client(method, path, { bearer, body })).status).toBe(200)
}
const members = [{ id: 1 }, { id: 2 }]
await create('/api/2/groups', { name: 'Editors', permissions: ['media:access'], members })
await create('/api/2/organizations', { name: 'Acme Studios', slug: 'acme', external_id: 'crm-4711' })
await create('/api/2/organizations', { name: 'Borealis', slug: 'borealis' })
await create('/api/2/organizations/1/members', { user: 1, roles: ['owner', 'admin'] })
await create('/api/2/organizations/1/members', { user: 2, roles: ['member'] })
await create('/api/2/user-templates', { name: 'Guests', is_external: true })
await create('/api/2/api-tokens', { name: 'Nightly export' })
const invited = { username: 'maria', full_name: 'Maria Cunitz', email: 'maria@example.com', invite: true }
await create('/api/2/users', { ...invited, groups: [], permissions: [] })
for (let count = 0; count < 3; count += 1)
  await service.client('POST', '/api/2/auth/login', { body: { username: 'ada', password: 'a guess' } })
const { table, now } = service.services
const suppression = { reason: 'bounce', since: now(), feedbackId: randomUUID() } as const
await suppressAddress(table, 'typo@example.com', suppression, [])
const browser = await shareBrowser()
const visit = await openConsole(service, browser, { username: 'root', browserOptions: { locale: 'en' } })

interface State {
  readonly name: string
  readonly place: string
  /** Leads from the place to the state, in any language. */
  readonly reach?: (page: Page) => Promise<unknown>
  /** Times, which are different in each run. */
  readonly times?: string
}

const change = (page: Page) => page.getByRole('main').getByRole('textbox').first().fill('ada.l')
const states: readonly State[] = [
  { name: 'users', place: '/users' },
  {
    name: 'users-none-found',
    place: '/users?filter=missing',
    reach: (page) => page.locator('.empty').waitFor(),
  },
  { name: 'user', place: '/users/1' },
  { name: 'user-invited', place: '/users/4', times: '.facts div:nth-child(3) dd' },
  { name: 'user-changed', place: '/users/1', reach: change },
  {
    name: 'user-discard',
    place: '/users/1',
    reach: async (page) => {
      await change(page)
      await page.locator('.parent').click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'user-permissions', place: '/users/1?tab=permissions' },
  { name: 'user-sign-in', place: '/users/1?tab=sign-in' },
  {
    name: 'user-actions',
    place: '/users/1',
    reach: (page) => page.locator('.section-top .opens').click(),
  },
  {
    name: 'user-disable',
    place: '/users/1',
    reach: async (page) => {
      await page.locator('.section-top .opens').click()
      // The first one ends everything of the user.
      await page.locator('.menu-item.danger').nth(1).click()
    },
  },
  {
    name: 'group-delete',
    place: '/groups/1',
    reach: (page) => page.locator('.button.danger').last().click(),
  },
  { name: 'user-new', place: '/users/new' },
  { name: 'user-import', place: '/users/import' },
  {
    name: 'user-import-checked',
    place: '/users/import',
    reach: async (page) => {
      const text = 'username,email\njoan,joan@example.com\n,missing\nada,\n'
      const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
      await page.locator('input[type=file]').setInputFiles(file)
      await page.locator('form [type=submit]').click()
      await page.locator('.panel').waitFor()
    },
  },
  {
    name: 'users-export',
    place: '/users',
    reach: async (page) => {
      await page.locator('.section-top button').first().click()
      await page.getByRole('dialog').waitFor()
      // The mask of the times would cover the dialog above them.
      await page.evaluate("document.querySelector('tbody').style.display = 'none'")
    },
  },
  { name: 'groups', place: '/groups' },
  { name: 'group', place: '/groups/1' },
  { name: 'organizations', place: '/organizations' },
  { name: 'organization', place: '/organizations/1', times: '.items .note' },
  { name: 'organization-settings', place: '/organizations/2?tab=settings', times: '.facts dd' },
  { name: 'organization-roles', place: '/organizations/roles' },
  { name: 'user-templates', place: '/user-templates' },
  { name: 'user-template', place: '/user-templates/1' },
  { name: 'api-tokens', place: '/api-tokens' },
  { name: 'api-tokens-of-user', place: '/api-tokens?user=3' },
  { name: 'access-links', place: '/access-links' },
  { name: 'blocks', place: '/blocks', times: 'td:nth-child(3), td:nth-child(4)' },
]

const openState = async ({ page, open }: ConsoleVisit, { place, reach }: State): Promise<void> => {
  await page.goto('about:blank')
  await open(place)
  await expect.poll(() => page.locator('.loading, [aria-busy=true]').count()).toBe(0)
  await reach?.(page)
}

it.each(states)('$name looks as before and is accessible', async (state) => {
  await openState(visit, state)
  await visit.page.evaluate('scrollTo(0, 0)')
  const times = [
    ...[
      'td[data-label="Last seen"]',
      'td[data-label="Created"]',
      '.items time',
      '.tag:has-text("Waits until")',
      '.alert:has-text("must wait until")',
    ],
    state.times,
  ]
  await checkLooks(visit.page, `console-${state.name}`, {
    mask: [visit.page.locator(times.filter(Boolean).join())],
  })
})

it('shows the banner of an administrator who acts as a user as before', async () => {
  const { page } = visit
  await openState(visit, { name: 'impersonate', place: '/users/1' })
  await visit.pressIn('Actions', 'Act as this user')
  await page.getByRole('dialog').getByRole('button', { name: 'Act as this user' }).click()
  const banner = page.getByRole('complementary')
  await banner.waitFor()
  await checkLooks(page, 'console-impersonation')
  await banner.getByRole('button').click()
  await banner.waitFor({ state: 'detached' })
})

it('shows the end of the session as before', async () => {
  const { page } = visit
  await openState(visit, { name: 'session-ended', place: '/groups/1?tab=permissions', reach: change })
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await page.locator('.save-bar .primary').click()
  await page.getByRole('dialog').waitFor()
  await page.evaluate('scrollTo(0, 0)')
  await checkLooks(page, 'console-session-ended').finally(() => page.context().addCookies(cookies))
})

it.each(['users', 'user', 'user-new', 'group', 'blocks'])('%s is used by keyboard alone', async (name) => {
  const state = states.find((known) => known.name === name)
  if (state) await openState(visit, state)
  expect((await walkThrough(visit.page)).length).toBeGreaterThan(8)
})

it('reaches the button that saves by keyboard, without covering the field that has the focus', async () => {
  await visit.page.setViewportSize({ width: 375, height: 667 })
  await openState(visit, { name: 'group-changed', place: '/groups/1?tab=permissions' })
  await visit.page.getByRole('textbox', { name: 'Name' }).fill('Writers')
  await tabTo(visit.page.getByRole('button', { name: 'Save' }))
})

let isWidened = false
/** Adds what takes more room than the data of the pictures. */
const widen = async () => {
  if (isWidened) return
  isWidened = true
  const scopes = ['users:view', 'audit-events:view', 'organizations:view', 'sessions:manage']
  const token = { name: 'Deploy robot of the studio', scopes, expires: '2036-05-20T10:00:00Z' }
  await create('/api/2/api-tokens', token)
  const address = 'konstantinos.papadopoulos@nordlicht.example.com'
  await addPerson(service, { username: address, full_name: 'Konstantinos Papadopoulos', is_enabled: false })
  await send('PUT', '/api/2/branding', { product_name: 'Nordlicht Films' })
}

it.each(takesAll ? ['de', 'fr', 'ja'] : ['de'])(
  'shows all that people can press in windows of all sizes in %s, is accessible and has no English texts',
  async (locale) => {
    await widen()
    const translated = await openConsole(service, browser, {
      browserOptions: { locale, viewport: { width: 320, height: 568 } },
    })
    const { page } = translated
    for (const state of states.filter(({ reach }) => !reach)) {
      await openState(translated, state)
      for (const width of [1060, 320]) {
        await page.setViewportSize({ width, height: 568 })
        expect(await findOverflow(page), `${state.name} at ${width} px`).toEqual([])
      }
      await checkInSight(page, state.name)
      const english = locale === 'fr' ? /\b(User|Save|Show)\b/ : /\b(User|Groups|Permissions|Save|Show)\b/
      expect(await page.locator('main').innerText(), state.name).not.toMatch(english)
    }
    await page.setViewportSize({ width: 320, height: 568 })
    expect(await findViolations(page)).toEqual([])
    await page.context().close()
  },
)

it('shows the sections of the service in windows of all sizes, below a wide logo', async () => {
  const data = makeBlackBars(480, 48).toString('base64')
  await send('PUT', '/api/2/branding/logo', { content_type: 'image/png', data })
  const { page, open } = visit
  const logo = page.locator('.sidebar .brand img')
  // Functions keep the branding for a few seconds.
  await expect
    .poll(async () => {
      await page.goto('about:blank')
      await open('/audit-events')
      return logo.count()
    })
    .toBe(1)
  const sections = [
    'activity',
    'connections',
    'apps',
    'apis',
    'branding',
    'policies',
    'health',
    'audit-events',
  ]
  for (const section of sections) {
    await openState(visit, { name: section, place: `/${section}` })
    await checkInSight(page, section)
  }
})
