import { beforeEach, expect, it } from 'vitest'
import { closeCircuits } from '../../lib/features/hooks/circuits.ts'
import { ageProofs } from '../support/account-pages.ts'
import { findViolations } from '../support/axe.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { openConsole } from '../support/console.ts'
import { startHookFunctions } from '../support/hook-functions.ts'
import { pressKeyOn, typeInto, walkThrough } from '../support/keyboard.ts'
import { findOverflow, inEachLook } from '../support/looks.ts'
import { addRelyingParty } from '../support/oidc.ts'
import { addPerson, trySignIn } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

/* The page "Hooks" of the console, by clicks and by keyboard. */

const functions = closeAfterTests(await startHookFunctions())
const service = await useService(
  functions.settingsFor({
    beforeSignUp: { groups: ['Customers'] },
    afterSignIn: {},
    beforeToken: { claims: ['plan', 'seats'] },
  }),
)
const browser = await shareBrowser()
const accept = { decision: 'continue' }
const { user: grace, password } = await addPerson(service, {
  username: 'grace-hopper',
  full_name: 'Grace Hopper',
})
const signInAsGrace = () => trySignIn(service, { user: grace, password })

beforeEach(() => {
  closeCircuits()
  functions.answer(accept)
})

/** Opens the page at 360 and 1280 pixels, light and dark, and looks for what does not fit or is not accessible. */
const checkPage = async (page: Parameters<typeof findOverflow>[0]) => {
  await inEachLook(page, async (look, rules) => {
    expect(await findOverflow(page), look).toEqual([])
    expect(await findViolations(page, 'html', rules), look).toEqual([])
  })
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await findOverflow(page), `${width} pixels`).toEqual([])
  }
}

it('shows failures and times, tries a hook, and turns it off after a proof of identity', async () => {
  const { page, open, person, seeToast } = await openConsole(service, browser, {
    browserOptions: { locale: 'en' },
  })
  expect((await signInAsGrace()).status).toBe(200)
  functions.answer('garbage')
  expect((await signInAsGrace()).status).toBe(503)
  await open('/hooks')
  const panel = page.getByRole('region', { name: /^After a sign-in/ })
  await panel.getByText('The answer is not one that it may give').waitFor()
  await panel.getByText(/^Median \d+ milliseconds?, 95th percentile/).waitFor()
  await checkPage(page)
  expect((await walkThrough(page)).length).toBeGreaterThan(12)

  await panel.getByRole('link', { name: 'Test After a sign-in' }).click()
  await page.getByRole('heading', { name: 'Test “After a sign-in”' }).waitFor()
  await page.getByRole('button', { name: 'Call the function' }).click()
  await page.getByText('Choose first whom the test is about.').waitFor()
  await page.getByLabel('Choose a person').fill('grace')
  await page.getByRole('button', { name: 'Choose grace-hopper' }).click()
  functions.answer({ decision: 'refuse', message: '<img src=x onerror="document.title=1"><b>No</b>' })
  await page.getByRole('button', { name: 'Call the function' }).click()
  await page.getByText('The person would be refused with these words:').waitFor()
  await page.getByText('<b>No</b>').first().waitFor()
  expect(await page.locator('img[src="x"]').count()).toBe(0)
  await page.getByText('"is_test": true').waitFor()
  await checkPage(page)

  await page.getByRole('link', { name: 'Hooks', exact: true }).first().click()
  await ageProofs(service, person)
  await panel.getByRole('button', { name: 'Turn off After a sign-in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/everybody signs in who proves their identity/).waitFor()
  await checkPage(page)
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await seeToast('The hook is off.')
  await panel.getByText(/turned it off on/).waitFor()
  expect((await signInAsGrace()).status).toBe(200)
})

it('is used with the keyboard alone', async () => {
  const { page, open, seeToast } = await openConsole(service, browser, { browserOptions: { locale: 'en' } })
  await addRelyingParty(service, { scopes: ['openid', 'attributes'] })
  functions.answer({ claims: { plan: 'pro', sub: '1' } })
  await open('/hooks')
  const panel = page.getByRole('region', { name: /^Before tokens/ })
  await pressKeyOn(panel.getByRole('button', { name: 'Turn off Before tokens' }))
  await pressKeyOn(page.getByRole('dialog').getByRole('button', { name: 'Turn off' }))
  await seeToast('The hook is off.')
  await pressKeyOn(panel.getByRole('button', { name: 'Turn on Before tokens' }))
  await pressKeyOn(page.getByRole('dialog').getByRole('button', { name: 'Turn on' }))
  await seeToast('The hook is on.')
  await pressKeyOn(panel.getByRole('link', { name: 'Test Before tokens' }))
  await page.getByRole('heading', { name: 'Test “Before tokens”' }).waitFor()
  await typeInto(page.getByLabel('Choose a person'), 'grace')
  await pressKeyOn(page.getByRole('button', { name: 'Choose grace-hopper' }))
  await page.getByLabel('App', { exact: true }).focus()
  await page.keyboard.press('ArrowDown')
  await pressKeyOn(page.getByRole('button', { name: 'Call the function' }))
  await page.getByText('There is no usable answer').waitFor()
  await page.getByText('claims.sub').waitFor()
  await page.getByText('is not in the list of claims').waitFor()
})

it('fits in a long language', async () => {
  const { page, open } = await openConsole(service, browser, { browserOptions: { locale: 'de' } })
  await open('/hooks')
  await page.getByRole('region', { name: /^Vor einem neuen Konto/ }).waitFor()
  await checkPage(page)
  await open('/hooks/beforeSignUp')
  functions.answer({ decision: 'accept', groups: ['Customers', 'Administrators'] })
  await page.getByLabel('Benutzername').fill('ada')
  await page.getByRole('button', { name: 'Funktion aufrufen' }).click()
  await page.getByText('groups.Administrators').waitFor()
  await checkPage(page)
})
