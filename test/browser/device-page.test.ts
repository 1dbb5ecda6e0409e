import { describe, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { pollDevice, startDevice } from '../support/devices.ts'
import { walkThrough } from '../support/keyboard.ts'
import { findOverflow, inEachLook } from '../support/looks.ts'
import { addRelyingParty } from '../support/oidc.ts'
import { openPage } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const party = await addRelyingParty(service, {
  ...{ name: 'Films on TV', normalizedName: 'films on tv', type: 'public' },
  ...{ redirect_uris: [], device_authorization: true, audiences: ['reports'] },
})
const ada = await addPerson(service, { username: 'ada' })
const browser = await shareBrowser()

const start = () => {
  const scope = 'openid profile email groups permissions offline_access'
  return startDevice(service, party, { scope, resource: 'urn:latchkey:audience:reports' })
}

describe('a person with a device', () => {
  it('signs in, compares the code, and continues', async () => {
    const { page, fill, press, heading } = await openPage(browser)
    const { device_code, user_code, verification_uri_complete } = await start()
    await page.goto(verification_uri_complete)
    await fill({ 'Username or email': ada.user.username, Password: ada.password })
    await press('Sign in')
    await expect.poll(heading).toBe('Sign in on a device')
    expect(await page.getByLabel('Code').inputValue()).toBe(user_code)
    await press('Next')
    await expect.poll(heading).toBe('Sign in to Films on TV?')
    await page.getByText(user_code, { exact: true }).waitFor()
    await page.getByText('You are signed in as ada.').waitFor()
    await press('Continue')
    await expect.poll(heading).toBe('Your device is signed in')
    expect((await pollDevice(service, party, device_code)).status).toBe(200)
  })

  it('learns that a code is wrong, and cancels the right one', async () => {
    const { page, fill, press, heading } = await openPage(browser)
    const { device_code, user_code, verification_uri } = await start()
    await page.request.post(`${service.url}/api/2/auth/login`, {
      data: { username: ada.user.username, password: ada.password },
    })
    await page.goto(verification_uri)
    await fill({ Code: 'BBBB-BBBB' })
    await press('Next')
    await page.getByRole('alert').getByText('This code is wrong or has expired').waitFor()
    await fill({ Code: user_code.toLowerCase() })
    await press('Next')
    await press('Cancel')
    await expect.poll(heading).toBe('Canceled')
    expect((await pollDevice(service, party, device_code)).body.error).toBe('access_denied')
  })
})

it.each(['de', 'ar'])('the pages in %s are accessible and adapt', async (locale) => {
  const { page } = await openPage(browser, { locale })
  const { verification_uri_complete } = await start()
  await page.request.post(`${service.url}/api/2/auth/login`, {
    data: { username: ada.user.username, password: ada.password },
  })
  const check = async () => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe(locale)
    await inEachLook(page, async () => {
      expect(await findOverflow(page)).toEqual([])
      expect(await findViolations(page)).toEqual([])
    })
    if (process.env['DEVICE_PICTURES']) {
      const title = (await page.title()).replaceAll(/[^\p{L}]/gu, '')
      await page.screenshot({ path: `${process.env['DEVICE_PICTURES']}/${locale}-${title}.png` })
    }
  }
  await page.goto(verification_uri_complete)
  await check()
  expect((await walkThrough(page)).length).toBeGreaterThan(1)
  await page.locator('button').click()
  await page.locator('[name=answer]').first().waitFor()
  await check()
  expect((await walkThrough(page)).length).toBeGreaterThan(2)
  await page.locator('[value=continue]').click()
  await page.getByRole('status').waitFor()
  await check()
})
