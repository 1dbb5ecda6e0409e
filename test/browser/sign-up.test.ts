import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { visitConsole } from '../support/console.ts'
import { readMailedLink, readMailedToken } from '../support/mailed-page.ts'
import { getFocused } from '../support/pages.ts'
import { addSignedIn } from '../support/people.ts'
import { inOneBrowser, loadWords, visit } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({}, { hostname: 'localhost' })

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('signs up, and an administrator approves the account', async () => {
    const [kit, signUp, invite, menu, rules] = await Promise.all([
      loadWords(persona, 'kit'),
      loadWords(persona, 'signUp'),
      loadWords(persona, 'invite'),
      loadWords(persona, 'console'),
      loadWords(persona, 'signUpRules'),
    ])
    const admin = await visitConsole(service, browser, persona)
    await admin.choosePlace(menu('signUp'))
    await admin.choose(admin.page.getByLabel(rules('mode')), rules('approval'))
    const termsUrl = `https://www.example.com/${persona.language}`
    await admin.fill({ [rules('termsVersion')]: '2026-01', [rules('termsUrl')]: termsUrl })
    await admin.look('administrators')
    await admin.press(kit('save'))
    await admin.seeToast(kit('saved'))

    const email = `${randomUUID()}@example.com`
    const { page, fill, press, check, look, heading } = await visit(browser, persona)
    await page.goto(`${service.url}/sign-up`)
    await fill({ [signUp('email')]: email })
    await look()
    await press(signUp('send'))
    await page.getByText(signUp('sent', { email })).waitFor()
    await look()
    await page.goto(await readMailedLink(service, email, 'sign-up'))
    await fill({ [signUp('name')]: 'Grace Hopper' })
    await press(signUp('ask'))
    await page.getByText(signUp('mustAccept')).waitFor()
    await look()
    const terms = signUp('terms', { version: '2026-01' })
    expect(await page.getByRole('link', { name: terms }).getAttribute('href')).toBe(termsUrl)
    await check(page.getByLabel(signUp('acceptTerms', { terms })))
    await press(signUp('ask'))
    await expect.poll(heading).toBe(signUp('waitingHeading'))
    await look()

    await admin.page.reload()
    const approve = admin.page.getByRole('button', { name: `${rules('approve')} ${email}` })
    await approve.waitFor()
    await admin.look('administrators')
    await admin.activate(approve)
    const dialog = admin.page.getByRole('dialog')
    await admin.look('administrators')
    await admin.activate(dialog.getByRole('button', { name: rules('approve'), exact: true }))
    await admin.page.getByText(rules('noRequests')).waitFor()
    await page.goto(await readMailedLink(service, email, 'invite'))
    await page.getByText(invite('invitedByWithAddress', { inviter: 'Root', username: email })).waitFor()
  })

  it('keeps people waiting until an administrator refuses them, who can ask again', async () => {
    const [kit, menu, rules] = await Promise.all([
      loadWords(persona, 'kit'),
      loadWords(persona, 'console'),
      loadWords(persona, 'signUpRules'),
    ])
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const used = new Set<string>()
    const askAs = async (email: string): Promise<void> => {
      await service.client('POST', '/api/2/auth/sign-up', { body: { email } })
      const isNew = ({ text }: { readonly text: string }) => ![...used].some((token) => text.includes(token))
      const token = await readMailedToken(service, email, 'sign-up', isNew)
      used.add(token)
      const body = { token, full_name: 'Grace Hopper' }
      expect((await service.client('POST', '/api/2/auth/sign-up/complete', { body })).status).toBe(200)
    }
    const readWaiting = async (): Promise<readonly string[]> => {
      const { body } = await service.client('GET', '/api/2/sign-up-requests', { bearer })
      return body.map(({ email }: { readonly email: string }) => email)
    }
    await service.client('PUT', '/api/2/system/sign-up-policy', { bearer, body: { mode: 'approval' } })
    const [first, second] = [`ada-${randomUUID()}@example.com`, `ben-${randomUUID()}@example.com`] as const
    for (const email of [first, second]) await askAs(email)

    const admin = await visitConsole(service, browser, persona)
    const { page, activate, choosePlace, look, press, seeToast } = admin
    await choosePlace(menu('signUp'))
    const refuse = (email: string) => page.getByRole('button', { name: `${rules('refuse')} ${email}` })
    const dialog = page.getByRole('dialog')
    await activate(refuse(first))
    await dialog.getByText(rules('refuseText', { email: first })).waitFor()
    await look('administrators')
    await press(kit('cancel'))
    await expect.poll(() => getFocused(page)).toContain(first)
    const confirm = async (email: string): Promise<void> => {
      await activate(refuse(email))
      await activate(dialog.getByRole('button', { name: rules('refuse'), exact: true }))
      await seeToast(rules('refused'))
      await refuse(email).waitFor({ state: 'detached' })
    }
    await confirm(first)
    await look('administrators')
    expect(await readWaiting()).toEqual([second])

    await askAs(first)
    await page.reload()
    await confirm(first)
    await confirm(second)
    await page.getByText(rules('noRequests')).waitFor()
    await expect.poll(() => getFocused(page)).toBe(menu('signUp'))
    await look('administrators')
    expect(await readWaiting()).toEqual([])
  })
})

it('offers a passkey before a password to those who sign up', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  await service.client('PUT', '/api/2/system/sign-up-policy', {
    bearer: admin.bearer,
    body: { mode: 'open' },
  })
  const email = `${randomUUID()}@example.com`
  await service.client('POST', '/api/2/auth/sign-up', { body: { email } })
  const browser = await shareBrowser()
  const page = await (await browser.newContext()).newPage()
  await page.goto(await readMailedLink(service, email, 'sign-up'))
  await page.getByLabel('Your full name').fill('Grace Hopper')
  await page.getByRole('button', { name: 'Continue' }).click()
  const buttons = page.getByRole('main').getByRole('button')
  await page.getByRole('button', { name: 'Create a passkey' }).waitFor()
  expect(await buttons.first().textContent()).toContain('Create a passkey')
  await page.getByLabel('Choose a password', { exact: true }).fill('violet tractor under nine moons')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.waitForURL(`${service.url}/account**`)
})
