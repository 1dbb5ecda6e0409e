import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import type { Language } from '../../lib/kernel/i18n/languages.ts'
import { signInBrowser } from '../support/account-pages.ts'
import { authenticatorOf, enableSecondFactor } from '../support/authenticator.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { getFocused } from '../support/pages.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { loadPlainWords, loadWords, personas, takesAll } from '../support/personas.ts'
import { startProduct } from '../support/product.ts'
import { startRangeServer, suffixOf } from '../support/range-server.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { startSignInFlow } from '../support/sign-in-flow.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

const product = closeAfterTests(await startProduct())
const ranges = closeAfterTests(await startRangeServer())
const service = await useService({ ALLOWED_ORIGINS: product.url, BREACH_ENDPOINT: ranges.url })
product.trust(service.url)
await storeSignInPolicy(service, {
  allow_email_codes: true,
  second_factor_for_permissions: ['reports:read'],
})

describe.each(personas)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  const openSignIn = async (returnTo?: string) => {
    const flow = await startSignInFlow(service, browser, persona)
    await flow.open(returnTo)
    return flow
  }

  it('signs in after a wrong password, stays signed in, and signs out', async () => {
    const ada = await addPerson(service, { full_name: 'Ada <i>Lovelace</i>' })
    const { page, t, kit, enter, seeSignedIn, signOut, look, problem, heading } = await openSignIn()
    await expect.poll(() => heading()).toBe(t('heading', { product: 'Latchkey' }))
    await look()
    await enter(ada, 'a wrong password')
    await problem.getByText(kit('problemLoginFailed')).waitFor()
    await expect.poll(() => getFocused(page)).toBe('password')
    await look()
    await enter(ada, ada.password)
    await seeSignedIn('Ada <i>Lovelace</i>')
    await expect.poll(() => getFocused(page)).toBe(t('signedInHeading'))
    await expect.poll(() => page.title()).toBe(`${t('signedInHeading')} – Latchkey`)
    const links = page.getByRole('main').getByRole('link')
    await expect
      .poll(() => links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))))
      .toEqual(['/account'])
    await look()

    await page.addInitScript(
      "new MutationObserver(() => { window.sawForm ||= Boolean(document.querySelector('input')) }).observe(document, { childList: true, subtree: true })",
    )
    await page.reload()
    await seeSignedIn('Ada <i>Lovelace</i>')
    expect(await page.evaluate('Boolean(window.sawForm)')).toBe(false)
    await signOut()
    await expect.poll(() => page.evaluate('window.sawForm')).toBe(true)
    await expect.poll(() => page.title()).toBe(t('heading', { product: 'Latchkey' }))
    await expect.poll(() => getFocused(page)).toBe('username')
    expect((await page.context().cookies()).filter(({ name }) => name === 'latchkey')).toEqual([])
  })

  it('comes from a product, signs in, and returns to it', async () => {
    const ada = await addPerson(service, { full_name: 'Ada' })
    const { page, t, open, enter, press, seeGreeting, seeSignedIn, heading, look } = await openSignIn(
      `${product.url}/cart?item=5`,
    )
    const name = new URL(product.url).host
    await expect.poll(() => heading()).toBe(t('heading', { product: name }))
    await look()
    await enter(ada, ada.password)
    await seeGreeting('Ada')
    await page.getByText('/cart?item=5', { exact: true }).waitFor()
    // A product that sends people back at once must not cause an endless loop.
    await open(`${product.url}/cart?item=5`)
    await seeSignedIn('Ada')
    await look()
    await press(t('continueTo', { product: name }))
    await seeGreeting('Ada')
  })

  it('chooses another language, which the browser and the account keep', async () => {
    const ada = await addPerson(service, { full_name: 'Ada' })
    const { page, kit, state, choose, look } = await openSignIn()
    const chooseLanguage = async (label: string, name: string, language: Language) => {
      const field = page.getByLabel(label, { exact: true })
      await choose(field, name)
      // The page waits until the person has found their language.
      expect(await page.locator('html').getAttribute('lang')).not.toBe(language)
      await page.keyboard.press('Enter')
      await page.locator(`html[lang=${language}]`).waitFor()
    }
    await chooseLanguage(kit('language'), 'Français', 'fr')
    await look()
    await signInBrowser(service, { page }, ada)
    await page.goto(service.url)
    const french = await loadWords({ language: 'fr' }, 'signIn')
    await state.getByText(french('signedInAs', { name: 'Ada' })).waitFor()
    await chooseLanguage('Langue', 'Norsk bokmål', 'nb')
    await look()
    expect((await findUser(service.services.table, ada.user.id))?.language).toBe('nb')
  })

  // What follows does not depend on the engine of a browser.
  if (persona.browser !== 'Chromium' && !takesAll) return

  it('enters the code of the app, and a recovery code the next time', async () => {
    const grace = await addSignedIn(service, { full_name: 'Grace' })
    const { authenticator, recoveryCodes } = await enableSecondFactor(service, grace, -1)
    const { page, t, enter, fill, press, seeSignedIn, signOut, look } = await openSignIn()
    await enter(grace, grace.password)
    await page.getByText(t('codeHint')).waitFor()
    await expect.poll(() => getFocused(page)).toBe('otp')
    await look()
    await fill({ [t('code')]: '12345' })
    await press(t('signIn'))
    await page.getByText(t('codeWrong')).waitFor()
    await look()
    // The sixth digit sends it.
    await fill({ [t('code')]: authenticator.code() })
    await seeSignedIn('Grace')
    await signOut()

    await enter(grace, grace.password)
    await press(t('useRecoveryCode'))
    await page.getByText(t('recoveryHint')).waitFor()
    await look()
    // A phone adds spaces and capital letters.
    const typed = ` ${recoveryCodes[0]?.toUpperCase().replaceAll('-', ' ')} `
    await fill({ [t('recoveryCode')]: typed })
    await press(t('signIn'))
    await seeSignedIn('Grace')
  })

  it('changes a password of a breach: by the link of an email, and at once where they signed in before', async () => {
    const reset = await loadWords(persona, 'reset')
    const field = await loadWords(persona, 'newPassword')
    const ada = await addPerson(service, { full_name: 'Ada', email: `${randomUUID()}@example.com` })
    ranges.behave((_, response) => response.writeHead(503).end())
    const grace = await addSignedIn(service, { full_name: 'Grace' })
    ranges.answer([ada, grace].map(({ password }) => `${suffixOf(password)}:3`))
    const { page, t, open, enter, fill, press, seeSignedIn, signOut, look, problem } = await openSignIn()
    await enter(ada, ada.password)
    await problem.getByText(t('breachedEmail')).waitFor()
    await look()
    const first = `lanterns under ${randomUUID()}`
    await page.goto(await readMailedLink(service, ada.user.email, 'reset'))
    await fill({ [field('newPassword')]: first })
    await press(reset('save'))
    await page.getByText(reset('done')).waitFor()
    await open()
    await enter(ada, first)
    await seeSignedIn('Ada')
    await signOut()

    await enter(grace, grace.password)
    await page.getByText(t('breachedHint')).waitFor()
    await look()
    await fill({ [field('newPassword')]: `kettles above ${randomUUID()}` })
    await press(t('saveAndSignIn'))
    await seeSignedIn('Grace')
  })

  it('gets to the sign-in page from addresses that lead nowhere', async () => {
    const t = await loadPlainWords(persona)
    const { page, username, activate, heading, look } = await startSignInFlow(service, browser, persona)
    await page.goto(`${service.url}/nothing`)
    await expect.poll(() => heading()).toBe(t('notFoundTitle'))
    await look()
    await activate(page.getByRole('link', { name: t('goToSignIn') }))
    await username.waitFor()
    await page.goto(`${service.url}/api/2/auth/saml/999/sso`)
    await page.getByRole('alert').getByText(t('providerMissing')).waitFor()
    await look()
    await activate(page.getByRole('link', { name: t('goToSignIn') }))
    await username.waitFor()
  })

  it('signs in for the first time with a code from an email', async () => {
    const email = `${randomUUID()}@example.com`
    await addPerson(service, { email, passwordHash: null, full_name: 'Ada' })
    const { page, t, activate, fill, press, problem, seeSignedIn, look } = await openSignIn()
    await page.clock.install()
    await press(t('useEmailCode'))
    await page.getByText(t('enterUsername')).waitFor()
    await expect.poll(() => getFocused(page)).toBe('username')
    await fill({ [t('username')]: email })
    await press(t('useEmailCode'))
    await page.getByText(t('emailCodeHint')).waitFor()
    await expect.poll(() => getFocused(page)).toBe('email-code')
    await look()
    const findCode = (text: string) => /^\d{4} \d{4}$/m.exec(text)?.[0] ?? ''
    const code = findCode((await service.mailbox.mailTo(email)).text)
    await fill({ [t('emailCode')]: '0000 000' })
    await press(t('signIn'))
    await problem.getByText(t('emailCodeWrong')).waitFor()
    await look()
    const resend = page.getByRole('button', { name: t('resend') })
    expect(await resend.count()).toBe(0)
    await page.clock.runFor(30_000)
    await activate(resend)
    await expect.poll(() => resend.count()).toBe(0)
    // The code before belongs to another request now.
    await fill({ [t('emailCode')]: code })
    await problem.getByText(t('emailCodeWrong')).waitFor()
    const { text } = await service.mailbox.mailTo(email, (mail) => !mail.text.includes(code))
    await fill({ [t('emailCode')]: findCode(text) })
    await seeSignedIn('Ada')
  })

  it('chooses a new password when one is due', async () => {
    const words = await loadWords(persona, 'newPassword')
    const ada = await addPerson(service, { password_change_required: true })
    const { page, t, enter, fill, press, seeSignedIn, look } = await openSignIn()
    await enter(ada, ada.password)
    await page.getByText(t('newPasswordHint')).waitFor()
    await page
      .getByRole('listitem')
      .getByText(words('ruleLength', { count: 12 }))
      .waitFor()
    await expect.poll(() => getFocused(page)).toBe('new-password')
    await look()
    await fill({ [words('newPassword')]: 'short' })
    await press(t('saveAndSignIn'))
    await page.getByText(words('tooShort', { count: 12 })).waitFor()
    await look()
    await fill({ [words('newPassword')]: 'nine moons over a violet tractor' })
    await press(t('saveAndSignIn'))
    await seeSignedIn(ada.user.username)
  })

  it('learns that the account is disabled, and goes back', async () => {
    const ada = await addPerson(service, { is_enabled: false })
    const { t, kit, page, enter, press, username, heading, look } = await openSignIn()
    await enter(ada, ada.password)
    await page.getByText(t('disabled')).waitFor()
    await expect.poll(() => getFocused(page)).toBe(t('disabledHeading'))
    expect(await heading()).toBe(t('disabledHeading'))
    await look()
    await press(kit('back'))
    await username.waitFor()
  })

  it('sets up a second factor that the policy demands, and goes on to the product', async () => {
    const words = await loadWords(persona, 'security')
    const ada = await addPerson(service, { full_name: 'Ada', permissions: ['reports:read'] })
    const { page, t, enter, fill, press, seeGreeting, look } = await openSignIn(`${product.url}/cart`)
    await enter(ada, ada.password)
    await page.getByText(t('setupHint')).waitFor()
    await press(t('setUp'))
    await page.getByText(words('twoStepOff')).waitFor()
    await look()
    await press(words('setUp'))
    const key = (await page.locator('code.secret').innerText()).replaceAll(/\s/g, '')
    await fill({ [words('code')]: authenticatorOf(key).code() })
    await page.getByText(words('recoveryText')).waitFor()
    await look()
    await press(words('codesStored'))
    await seeGreeting('Ada')
    await page.getByText('/cart', { exact: true }).waitFor()
  })
})
