import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { encode } from 'uqr'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AccountVisit, ageProofs, openAccount, signInBrowser } from '../support/account-pages.ts'
import { type Authenticator, authenticatorOf } from '../support/authenticator.ts'
import { launchChromium } from '../support/chromium.ts'
import { getFocused, openPage } from '../support/pages.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let browser: Browser
beforeAll(async () => {
  service = await startService()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

it('changes the password, and says what is wrong at each field', async () => {
  const { page, fill, press, state, person } = await openAccount(service, browser, 'password')
  await fill({ 'Current password': 'wrong', 'New password': 'correct horse battery staple 7' })
  await press('Change password')
  await page.getByText('This is not your current password.').waitFor()
  await fill({ 'Current password': person.password, 'New password': 'password' })
  await press('Change password')
  await page
    .getByText(/too short|easy to guess|Many people/)
    .first()
    .waitFor()
  await fill({ 'New password': 'correct horse battery staple 7' })
  await press('Change password')
  await state.getByText('Your password is changed. Your other sessions have ended.').waitFor()
  expect(await page.getByLabel('Current password', { exact: true }).inputValue()).toBe('')
  const visit = await openPage(browser)
  await signInBrowser(service, visit, { ...person, password: 'correct horse battery staple 7' })
})

it.each([
  [{ passwordHash: null }, 'This account has no password.'],
  [{ allowChangingPassword: false }, 'You cannot change the password of this account.'],
])('explains why %o leaves no password to change', async (fields, text) => {
  const visit = await openAccount(service, browser, 'profile')
  const { table } = service.services
  await table.update({ pk: `user#${visit.person.user.id}`, sk: 'user' }, (x) => ({
    set: Object.entries(fields).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
  }))
  await visit.page.goto(`${service.url}/account#/password`)
  await visit.page.reload()
  await visit.page.getByText(text).waitFor()
  expect(await visit.page.getByLabel('New password', { exact: true }).count()).toBe(0)
})

interface Words {
  readonly locale: string
  readonly setUp: string
  readonly code: string
  readonly turnOn: string
  readonly wrong: string
  readonly stored: string
  readonly left: string
}

/** The dark squares of a QR code, each as a path. */
const drawQrCode = (text: string): string =>
  encode(text, { ecc: 'M', border: 4 })
    .data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')

/** Sets up an authenticator app in a section that is open. */
const setUp = async ({ page, fill, press, person }: AccountVisit, words: Words): Promise<Authenticator> => {
  await press(words.setUp)
  const secret = await page.locator('.secret').innerText()
  expect(await getFocused(page)).toBe(words.setUp)
  const key = secret.replaceAll(' ', '')
  const address = `otpauth://totp/Latchkey:${person.user.username}?secret=${key}&issuer=Latchkey`
  expect(await page.locator('.qr-code path').last().getAttribute('d')).toBe(drawQrCode(address))
  const authenticator = authenticatorOf(key)
  await fill({ [words.code]: '12' })
  await press(words.turnOn)
  await page.getByText(words.wrong).waitFor()
  await fill({ [words.code]: authenticator.code() })
  await press(words.turnOn)
  await page.getByRole('button', { name: words.stored }).waitFor()
  return authenticator
}

const english: Words = {
  locale: 'en-US',
  setUp: 'Set up',
  code: 'Code from your authenticator app',
  turnOn: 'Turn on',
  wrong: 'The code does not match.',
  stored: 'I have stored them',
  left: 'You have 10 recovery codes left.',
}
const norwegian: Words = {
  locale: 'nb-NO',
  setUp: 'Sett opp',
  code: 'Kode fra autentiseringsappen',
  turnOn: 'Slå på',
  wrong: 'Koden stemmer ikke.',
  stored: 'Jeg har lagret dem',
  left: 'Du har 10 gjenopprettingskoder igjen.',
}

it.each([english, norwegian])('sets up two-step verification in $locale', async (words) => {
  const visit = await openAccount(service, browser, 'two-step', { locale: words.locale })
  await setUp(visit, words)
  const codes = await visit.page.locator('.recovery-codes li').allInnerTexts()
  expect(new Set(codes).size).toBe(10)
  await visit.press(words.stored)
  await visit.page.getByText(words.left).waitFor()
})

it('saves, renews and uses recovery codes, compares clocks, and turns two-step verification off', async () => {
  const visit = await openAccount(service, browser, 'two-step')
  const { page, press, fill, state } = visit
  const authenticator = await setUp(visit, english)
  const listed = await page.locator('.recovery-codes li').allInnerTexts()
  await page.getByRole('button', { name: 'Copy' }).click()
  await state.getByText('Copied.').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(listed.join('\n'))
  const [download] = await Promise.all([page.waitForEvent('download'), press('Download')])
  const saved = await readFile(await download.path(), 'utf8')
  expect(saved).toContain(listed.join('\n'))
  expect(saved).toContain(visit.person.user.username)
  await press(english.stored)
  await fill({ [english.code]: authenticator.code(1) })
  await press('Compare clocks')
  await state.getByText('The clock of your app differs by 30 seconds.').waitFor()
  await press('Get new recovery codes')
  await page.getByRole('dialog').getByRole('button', { name: 'Get new recovery codes' }).click()
  await state.getByText('You have new recovery codes.').waitFor()
  const [first = '', second = ''] = await page.locator('.recovery-codes li').allInnerTexts()
  expect(listed).not.toContain(first)
  await press(english.stored)
  await ageProofs(service, visit.person)
  await press('Get new recovery codes')
  await page.getByRole('dialog').getByRole('button', { name: 'Get new recovery codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Password', { exact: true }).fill('wrong')
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await dialog.getByText('This is not your current password.').waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill(visit.person.password)
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await dialog.getByLabel(english.code).fill(first)
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.getByRole('heading', { name: 'Store your recovery codes' }).waitFor()
  const [third = ''] = await page.locator('.recovery-codes li').allInnerTexts()
  await press(english.stored)
  await press('Turn off')
  await page.getByRole('dialog').getByLabel(english.code).fill(second)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('The code is wrong or was used before.').waitFor()
  await page.getByRole('dialog').getByLabel(english.code).fill(third)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await state.getByText('Two-step verification is off.').waitFor()
  await page.getByRole('button', { name: 'Set up' }).waitFor()
})

it('changes nothing if the person does not confirm their identity, and returns the focus', async () => {
  const visit = await openAccount(service, browser, 'two-step')
  await ageProofs(service, visit.person)
  await visit.press('Set up')
  await visit.fill({ [english.code]: '123456' })
  await visit.press('Turn on')
  await visit.page.getByRole('dialog').waitFor()
  await visit.page.keyboard.press('Escape')
  await visit.page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await getFocused(visit.page)).toBe('Turn on')
  expect(await visit.problem.getByText(/./).count()).toBe(0)
})
