import { expect, it } from 'vitest'
import { buildManageSteps } from '../../lib/features/configuration/managed.records.ts'
import { findViolations } from '../support/axe.ts'
import { openConsole } from '../support/console.ts'
import { findOverflow } from '../support/looks.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const browser = await shareBrowser()

it.each([
  '/branding',
  '/apps/new',
  '/policies',
  '/policies/second-factor',
  '/policies/passkeys',
  '/policies/email-codes',
  '/policies/account-deletion',
  '/health',
])(
  'fits %s on narrow, dark screens in another language, and hides it from users without rights',
  async (place) => {
    const { page: small, open } = await openConsole(service, browser, {
      browserOptions: { locale: 'nb-NO', viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
    })
    await open(place)
    // Several sections can load at once.
    await expect.poll(() => small.getByText('Laster').count()).toBe(0)
    expect(await findViolations(small)).toEqual([])
    expect(await findOverflow(small)).toEqual([])
    const other = await openConsole(service, browser, { permissions: ['users:manage'] })
    await other.open(place)
    await expect.poll(() => other.heading()).toBe('You cannot see this page')
  },
)

it('begins the branding at its top, also on a phone, and says if a file manages it', async () => {
  const { page, open } = await openConsole(service, browser, {
    browserOptions: { locale: 'en', viewport: { width: 360, height: 740 } },
  })
  await page.goto('about:blank')
  await open('/branding')
  for (const frame of ['Light', 'Dark'])
    await page
      .locator('figure', { hasText: frame })
      .frameLocator('iframe')
      .getByText('Sign in to Latchkey')
      .waitFor()
  expect(await page.evaluate('scrollY')).toBe(0)
  expect(await page.evaluate("document.activeElement?.localName !== 'iframe'")).toBe(true)
  const managed = { kind: 'branding', key: 'branding', id: 0, owner: 'film-library' } as const
  await service.services.table.transact(buildManageSteps({ ...managed, given: '', result: '' }, undefined))
  await page.getByLabel('Product name').fill('Films')
  await page.getByRole('button', { name: 'Save' }).click()
  const refusal = page.getByRole('alert').filter({ hasText: 'A configuration file manages this' })
  await refusal.getByText('The configuration of film-library manages this').waitFor()
  await page.reload()
  await page.getByText('Managed by film-library (key branding).').waitFor()
  await expect.poll(() => page.getByLabel('Product name').isEditable()).toBe(false)
  expect(await page.locator('input[type=file]').first().isEnabled()).toBe(false)
  // Documents set what the reset would take.
  expect(await page.getByRole('button', { name: 'Reset' }).count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
})
