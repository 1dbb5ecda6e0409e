import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Download } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { putAuditEvent } from '../../lib/accounts/events/records.ts'
import { maintainChains } from '../../lib/features/audit/maintain-chains.ts'
import type { AuditEventName } from '../../lib/kernel/contract/audit-events.ts'
import { findViolations } from '../support/axe.ts'
import { openConsole } from '../support/console.ts'
import { checkEnlarged } from '../support/enlarge.ts'
import { checkLooks } from '../support/looks.ts'
import { signIn } from '../support/people.ts'
import { reachLimit } from '../support/reached-limits.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const [minute, day] = [60_000, 86_400_000]

const folder = mkdtempSync(join(tmpdir(), 'latchkey-overview-'))
const service = await useService({ LOCAL_AUDIT_KEY_FILE: join(folder, 'audit.key') })
const browser = await shareBrowser()
afterAll(() => rmSync(folder, { recursive: true }))

const readLines = async (download: Download): Promise<readonly string[]> =>
  (await readFile(await download.path(), 'utf8')).split('\r\n')

const addEvents = async (count: number, event: AuditEventName, daysAgo: number, details = {}) => {
  const unknown = { user: null, actor: null, address: '', requestId: '', target: null, outcome: 'succeeded' }
  const at = Date.now() - daysAgo * day
  for (let added = 0; added < count; added++)
    await putAuditEvent(service.services.table, { at, event, ...unknown, ...details })
}

it('is the first page, and says what the own account lacks and what to do first', async () => {
  const { page, heading, person, press } = await openConsole(service, browser)
  await expect.poll(heading).toBe('Overview')
  await page.getByText('Your account has no confirmed email address.').waitFor()
  await page.getByText('Your account has no passkey and no second factor.').waitFor()
  await page.getByText('No sign-in has been counted yet.').waitFor()
  await page.getByText('0 of 6 done').waitFor()
  const made = await service.client('POST', '/api/2/oidc-clients', {
    bearer: await signIn(service, person),
    body: { name: 'Shop', redirect_uris: ['https://shop.example/callback'] },
  })
  expect(made.status).toBe(201)
  await page.reload()
  await page.getByText('1 of 6 done').waitFor()
  const steps = page.getByRole('list').filter({ hasText: 'Add a passkey' }).last()
  const names = await steps.getByRole('link').allInnerTexts()
  expect(names).toEqual([
    ...['Confirm your email address', 'Add a passkey', 'Choose name, logo and color'],
    ...['Invite a colleague', 'Try a sign-in'],
  ])
  await steps.getByText('Register your first app').waitFor()
  expect(await findViolations(page)).toEqual([])
  await press('Hide the first steps')
  await expect.poll(() => steps.count()).toBe(0)
  await page.reload()
  await page.getByText('Your account has no confirmed email address.').waitFor()
  await expect.poll(() => steps.count()).toBe(0)
  const current = page.getByRole('navigation').locator('[aria-current=page]')
  await expect.poll(() => current.innerText()).toMatch(/^Overview\b/)
  expect(await findViolations(page)).toEqual([])
})

it('answers whether anything is wrong without a click, and how people signed in', async () => {
  for (let daysAgo = 1; daysAgo < 30; daysAgo++) {
    await addEvents((daysAgo * 7) % 5, 'login.succeeded', daysAgo, { target: 'otp' })
    await addEvents(1, 'login.succeeded', daysAgo, { target: 'passkey:1' })
    await addEvents(daysAgo % 3, 'login.failed', daysAgo, { outcome: 'invalid_credentials' })
  }
  await addEvents(2, 'mail.given_up', 3, { target: 'invitation', outcome: 'not_sent' })
  await reachLimit(service, 'leakReports', '192.0.2.1')
  const { services } = service
  await maintainChains({ ...services, now: () => Date.now() + minute }, services.log)

  const { page, heading, open } = await openConsole(service, browser, {
    username: 'root',
    browserOptions: { locale: 'en' },
  })
  await page.getByText('2 emails could not be sent in the last 7 days.').waitFor()
  await page.getByText('1 account, network or link has made too many attempts').waitFor()
  await page.getByText(/^192\.0\.2\.1/).waitFor()
  await page.getByRole('link', { name: 'Overview – 4 things need attention' }).waitFor()
  await page.getByRole('img', { name: /^Bars for each day from/ }).waitFor()
  expect(await page.locator('.chart rect.succeeded').count()).toBe(30)
  const passkeys = page.getByRole('row', { name: /^Passkey/ }).getByRole('cell')
  expect(await passkeys.first().innerText()).toBe('29')
  await checkLooks(page, 'console-overview', { mask: [page.locator('.dates'), page.locator('.facts')] })
  await checkEnlarged(page, 'console-overview')

  await page.getByText('Show as a table').click()
  await expect.poll(() => page.locator('details tbody tr').count()).toBe(30)
  expect(await findViolations(page)).toEqual([])

  await addEvents(3, 'login.succeeded', 0, { target: 'saml:77' })
  // The chains are ahead of these events, so that the search for late ones finds them.
  for (const minutes of [12, 23, 34])
    await maintainChains({ ...services, now: () => Date.now() + minutes * minute }, services.log)
  await page.getByRole('button', { name: 'Refresh' }).click()
  const companies = page.getByRole('table', { name: 'Sign-ins by company' })
  // Three are too few for a share.
  expect(await companies.getByRole('row', { name: /^Deleted provider 77/ }).innerText()).toMatch(/3\s*$/)
  expect(await findViolations(page)).toEqual([])

  await page.getByRole('main').getByRole('link', { name: 'Refused and blocked' }).click()
  await expect.poll(heading).toBe('Refused and blocked')
  await open('/overview')
  await page.getByRole('main').getByRole('link', { name: 'Audit log' }).click()
  await expect.poll(heading).toBe('Audit log')
  expect(page.url()).toContain('event=mail.given_up')
})

it('shows months to the pointer and the keyboard, and saves them with two actions', async () => {
  const { page, heading } = await openConsole(service, browser, { browserOptions: { locale: 'en' } })
  await page.getByRole('link', { name: 'Activity', exact: true }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  const lines = await readLines(await download)
  await expect.poll(heading).toBe('Activity')
  const { months } = await (await page.request.get(`${service.url}/api/2/activity`)).json()
  const cells = lines.find((line) => line.startsWith('sign_ins,'))?.split(',')
  expect(cells?.slice(3).map(Number)).toEqual(
    months.map(({ sign_ins: count }: { sign_ins: number }) => count),
  )
  expect(
    cells
      ?.slice(3)
      .map(Number)
      .some((count) => count > 50),
  ).toBe(true)

  const chart = page.getByRole('slider', { name: 'Sign-ins' })
  const read = (at: number) => {
    const { month, sign_ins: count } = months.at(at)
    const name = new Date(month).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
    return new RegExp(`^${name}: ${count.toLocaleString('en')}`)
  }
  await chart.focus()
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(read(-1))
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(read(-2))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(read(-1))
  await page.keyboard.press('Home')
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(read(1))
  await chart.locator('.area').nth(10).hover()
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(read(11))
  const panel = page.getByRole('region', { name: 'Sign-ins', exact: true })
  await panel.getByText('Show as a table').click()
  await expect.poll(() => panel.locator('tbody tr').count()).toBe(12)
  expect(await findViolations(page)).toEqual([])
  await checkEnlarged(page, 'console-activity')
})

it('is hidden from people who may only see users', async () => {
  const { page, heading, open } = await openConsole(service, browser, { permissions: ['users:view'] })
  await expect.poll(heading).toBe('Users')
  expect(await page.getByRole('link', { name: /^Overview/ }).count()).toBe(0)
  await open('/overview')
  await expect.poll(heading).toBe('You cannot see this page')
})
