import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { en as newPasswordWords } from '../../functions/pages/kit/new-password/messages/en.ts'
import type { en as resetWords } from '../../functions/pages/reset/messages/en.ts'
import type { en as signInWords } from '../../functions/pages/sign-in/messages/en.ts'
import { getFocused } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { launchFor, loadWords, personas, visit } from '../support/personas.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe.each(personas)('$name', (persona) => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchFor(persona)
  })
  afterAll(() => browser.close())

  it('forgets the password, follows the email, sets a new one, and signs in with it', async () => {
    const signIn = await loadWords<typeof signInWords>(persona, 'sign-in')
    const reset = await loadWords<typeof resetWords>(persona, 'reset')
    const newPassword = await loadWords<typeof newPasswordWords>(persona, 'kit/new-password')
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

    const [link = ''] = /http\S+/.exec((await service.mailbox.mailTo(email)).text) ?? []
    await page.goto(link)
    await page.getByText(reset('account', { username: user.username })).waitFor()
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
})
