import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findSuppression, suppressAddress } from '../../lib/store/records/suppressed-addresses.ts'
import { findViolations } from '../support/axe.ts'
import { launchChromium } from '../support/chromium.ts'
import { type ConsoleVisit, openConsole } from '../support/console.ts'
import { addPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let browser: Browser
let visit: ConsoleVisit
beforeAll(async () => {
  service = await startService({ RATE_LIMITS: 'accountFailures=2/600' })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

const confirm = () => visit.page.getByRole('dialog').getByRole('button', { name: 'Lift' }).click()

it('lifts the block of an account that was guessed too often', async () => {
  const ada = await addPerson(service, { username: 'ada' })
  const guess = () =>
    service.client('POST', '/api/2/auth/login', { body: { username: 'ada', password: 'a wrong guess' } })
  for (let count = 0; count < 4; count++) await guess()
  visit = await openConsole(service, browser)
  await expect
    .poll(
      async () => (await (await visit.page.request.get(`${service.url}/api/2/rate-limited`)).json()).length,
    )
    .toBeGreaterThan(0)
  await visit.open('/blocks')
  await visit.page.getByRole('cell', { name: 'Sign-in attempts' }).waitFor()
  expect(await findViolations(visit.page)).toEqual([])
  await visit.page.getByRole('button', { name: 'Lift ada' }).click()
  await visit.page.getByText('ada can try again at once.').waitFor()
  await confirm()
  await visit.seeToast('The block is lifted.')
  const body = { username: 'ada', password: ada.password }
  expect((await service.client('POST', '/api/2/auth/login', { body })).status).toBe(200)
})

it('lets a suppressed address receive email again', async () => {
  const { table, now } = service.services
  const address = `ann-${randomUUID()}@example.com`
  const suppression = { reason: 'bounce', since: now(), feedbackId: randomUUID() } as const
  await suppressAddress(table, address, suppression, [])
  visit = await openConsole(service, browser, { permissions: ['users:manage'] })
  await visit.open('/blocks')
  await visit.page.getByRole('searchbox').fill(address)
  await visit.page.getByRole('button', { name: `Lift ${address}` }).click()
  await confirm()
  await visit.seeToast('The block is lifted.')
  expect(await findSuppression(table, address, now())).toBeUndefined()
})
