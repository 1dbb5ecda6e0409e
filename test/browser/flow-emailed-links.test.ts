import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signInBrowser } from '../support/account-pages.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { getFocused } from '../support/pages.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { inOneBrowser, loadWords, visit } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('forgets the password, follows the email, sets a new one, and signs in with it', async () => {
    const signIn = await loadWords(persona, 'signIn')
    const reset = await loadWords(persona, 'reset')
    const newPassword = await loadWords(persona, 'newPassword')
    const email = `${randomUUID()}@example.com`
    const { user } = await addPerson(service, { email })
    const { page, activate, fill, press, look, state, heading } = await visit(browser, persona)
    await page.goto(service.url)
    await activate(page.getByRole('button', { name: signIn('forgotPassword') }))
    await fill({ [signIn('username')]: email })
    await look()
    await press(signIn('sendLink'))
    await page.getByText(signIn('linkSent')).waitFor()
    await look()

    await page.goto(await readMailedLink(service, email, 'reset'))
    await page.getByText(reset('account', { username: user.username })).waitFor()
    // The token leaves the address bar, which is visible to others.
    expect(page.url()).toBe(`${service.url}/reset`)
    await fill({ [newPassword('newPassword')]: 'short' })
    await press(reset('save'))
    await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBe(1)
    await look()
    await fill({ [newPassword('newPassword')]: 'nine moons over a violet tractor' })
    await press(reset('save'))
    await state.getByText(reset('done')).waitFor()
    await expect.poll(() => getFocused(page)).toBe(await heading())
    await look()

    await activate(page.getByRole('link', { name: reset('signIn') }))
    await fill({
      [signIn('username')]: user.username,
      [signIn('password')]: 'nine moons over a violet tractor',
    })
    await press(signIn('signIn'))
    await state.getByText(signIn('signedInAs', { name: user.username })).waitFor()
    await look()
  })

  // The rest uses nothing that depends on the engine.
  if (persona.browser === 'Firefox') return

  it('reports a sign-in from another device, and is safe again', async () => {
    const t = await loadWords(persona, 'secure')
    const ada = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
    const { user, password } = ada
    await service.client('POST', '/api/2/auth/login', {
      body: { username: user.username, password },
      headers: { 'user-agent': 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1 Version/18.0 Safari/605.1' },
    })
    const { page, press, state, look, activate } = await visit(browser, persona)
    await page.goto(await readMailedLink(service, user.email ?? '', 'secure'))
    await page.getByText(t('explanation')).waitFor()
    expect(page.url()).toBe(`${service.url}/secure`)
    await look()
    const seeStatus = async () =>
      (await service.client('GET', '/api/2/users/me', { bearer: ada.bearer })).status
    expect(await seeStatus()).toBe(200)
    await press(t('report'))
    await state.getByText(t('passwordEnded')).waitFor()
    await state.getByText(t('emailSent')).waitFor()
    expect(await seeStatus()).toBe(401)
    await expect.poll(() => getFocused(page)).toBe(t('doneHeading'))
    await look()
    await page.reload()
    await state.getByText(t('done')).waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    await activate(page.getByRole('link', { name: t('goToSignIn') }))
    await page.waitForURL(`${service.url}/`)
  })

  it('confirms a new email address', async () => {
    const t = await loadWords(persona, 'confirm')
    const ada = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
    const email = `${randomUUID()}@example.com`
    await service.client('POST', '/api/2/users/me/email', { bearer: ada.bearer, body: { email } })
    const { page, press, state, look } = await visit(browser, persona)
    await signInBrowser(service, { page }, ada)
    const account = ada.user.username
    await page.goto(await readMailedLink(service, email, 'confirm'))
    await state.getByText(t('explanation', { email, account })).waitFor()
    await look()
    await press(t('confirm'))
    await state.getByText(t('done')).waitFor()
    await expect.poll(() => getFocused(page)).toBe(t('doneHeading'))
    await look()
    const { body } = await service.client('GET', '/api/2/users/me', { bearer: ada.bearer })
    expect([body.email, body.email_verified]).toEqual([email, true])
  })
})
