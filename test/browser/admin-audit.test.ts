import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { launchChromium } from '../support/chromium.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let browser: Browser
let visit: BrowserPage
beforeAll(async () => {
  service = await startService()
  browser = await launchChromium()
})
beforeEach(async () => {
  visit = await openLog()
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

const openLog = async (options: Parameters<typeof openPage>[1] = {}): Promise<BrowserPage> => {
  const opened = await openPage(browser, options)
  const { user, password } = await addPerson(service, { permissions: ['system:admin-access'] })
  const data = { username: user.username, password }
  await opened.page.request.post(`${service.url}/api/2/auth/login`, { data })
  await opened.page.goto(`${service.url}/admin#/audit-events`)
  await opened.page.getByRole('table').waitFor()
  return opened
}

const failSignIn = (username: string, userAgent: string) =>
  service.client('POST', '/api/2/auth/login', {
    body: { username, password: 'wrong' },
    headers: { 'user-agent': userAgent },
  })

it('shows events in words, with their details', async () => {
  await failSignIn('<img src=x onerror=alert(1)>', '<script>alert(2)</script>')
  const { page } = visit
  await page.getByLabel('Event').selectOption('Sign-in refused')
  await page.getByRole('button', { name: 'Sign-in refused' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('<script>alert(2)</script>').waitFor()
  await dialog.getByText('login.failed').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await dialog.count()).toBe(0)
  expect(page.url()).toContain('#/audit-events?event=login.failed')
})

it('keeps the filters in the address and takes them off again', async () => {
  const { page } = visit
  await page.getByLabel('ID of a user').fill('999999')
  await page.getByText('Nothing matches your search.').waitFor()
  await page.reload()
  await page.getByText('Nothing matches your search.').waitFor()
  await page.getByRole('button', { name: 'Reset search and filters' }).click()
  await page.getByRole('table').waitFor()
})

it('exports the events that match the filters, safe for spreadsheets', async () => {
  await failSignIn('ada', '=HYPERLINK("https://evil.example")')
  const { page } = visit
  await page.getByLabel('Event').selectOption('Sign-in refused')
  await page.waitForURL(/event=login\.failed/)
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ])
  expect(csv.suggestedFilename()).toBe('audit-events.csv')
  const text = await readFile(await csv.path(), 'utf8')
  expect(text).toMatch(/^created_at,event,outcome,count,user,/)
  expect(text).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
  expect(text).not.toContain('login.succeeded')
  const [lines] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as JSON lines' }).click(),
  ])
  const events = (await readFile(await lines.path(), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['login.failed']))
  await page.getByText(/events? exported\./).waitFor()
})

it('shows the log in another language on a narrow, dark screen without violations', async () => {
  const { page } = await openLog({
    locale: 'ja-JP',
    colorScheme: 'dark',
    viewport: { width: 320, height: 640 },
  })
  await page.getByRole('heading', { name: '監査ログ' }).waitFor()
  await page.getByRole('button', { name: 'サインイン', exact: true }).first().waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
})
