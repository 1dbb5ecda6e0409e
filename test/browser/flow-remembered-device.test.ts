import { describe, expect, it } from 'vitest'
import { loadAccountWords } from '../support/account-flows.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { addSignedIn } from '../support/people.ts'
import { inOneBrowser } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { startSignInFlow } from '../support/sign-in-flow.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
await storeSignInPolicy(service, { remembered_device_days: 30 })

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('has the browser remembered, signs in with the password alone, and is asked again after ending it', async () => {
    const grace = await addSignedIn(service, { full_name: 'Grace' })
    const { authenticator } = await enableSecondFactor(service, grace, -1)
    const flow = await startSignInFlow(service, browser, persona)
    const { page, t, enter, fill, check, press, activate, state, seeSignedIn, signOut, look } = flow
    await flow.open()
    await enter(grace, grace.password)
    const wish = page.getByLabel(t('rememberDevice', { count: 30 }), { exact: true })
    await wish.waitFor()
    await look()
    await check(wish)
    await fill({ [t('code')]: authenticator.code() })
    await seeSignedIn('Grace')
    await signOut()

    await enter(grace, grace.password)
    await seeSignedIn('Grace')

    const { access, session } = await loadAccountWords(persona)
    await page.goto(`${service.url}/account#/sessions`)
    const panel = page.getByRole('region', { name: access('devices') })
    await panel.getByText(session('thisDevice')).waitFor()
    await look()
    await activate(panel.getByRole('button'))
    await state.getByText(session('deviceEnded')).waitFor()
    await expect.poll(() => panel.count()).toBe(0)
    await page.goto(service.url)
    await signOut()

    await enter(grace, grace.password)
    await page.getByText(t('codeHint')).waitFor()
    // The recovery code of a lost device has nothing remembered.
    await press(t('useRecoveryCode'))
    await page.getByText(t('recoveryHint')).waitFor()
    expect(await wish.count()).toBe(0)
  })

  it('does not ask an administrator', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await enableSecondFactor(service, admin, -1)
    const { page, t, open, enter } = await startSignInFlow(service, browser, persona)
    await open()
    await enter(admin, admin.password)
    await page.getByText(t('codeHint')).waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
  })
})
