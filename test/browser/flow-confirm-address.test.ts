import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openSection, startAccountFlow } from '../support/account-flows.ts'
import { signInBrowser } from '../support/account-pages.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { getFocused } from '../support/pages.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { inOneBrowser, loadWords, visit } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({}, { hostname: 'localhost' })

const newAddress = () => `ada-${randomUUID()}@example.com`
/** A stranger who enters the address of somebody else, and the link that its owner gets. */
const addClaim = async () => {
  const email = newAddress()
  const claimant = await addSignedIn(service)
  await service.client('POST', '/api/2/users/me/email', { bearer: claimant.bearer, body: { email } })
  const readState = async () =>
    (await service.client('GET', '/api/2/users/me', { bearer: claimant.bearer })).body
  return {
    ...{ claimant, email, account: claimant.user.username, readState },
    link: await readMailedLink(service, email, 'confirm'),
  }
}

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('enters an address, follows the email signed out, signs in, and it is confirmed', async () => {
    const t = await loadWords(persona, 'confirm')
    const signIn = await loadWords(persona, 'signIn')
    const flow = await startAccountFlow(service, browser, persona)
    const { page, press, fill, look, seeDone, state, person, words, type } = flow
    await openSection(service, flow, 'profile')
    const email = newAddress()
    await type(page.getByLabel(words.account('newEmail'), { exact: true }), email)
    await page.keyboard.press('Enter')
    await seeDone(words.account('linkSent', { address: email }))
    await page.request.post(`${service.url}/api/2/auth/logout`, {
      headers: { origin: service.url, 'sec-fetch-site': 'same-origin' },
    })

    const account = person.user.username
    await page.goto(await readMailedLink(service, email, 'confirm'))
    await state.getByText(t('signInFirst', { account })).waitFor()
    expect(page.url()).toBe(`${service.url}/confirm`)
    expect(await page.getByRole('button', { name: t('confirm'), exact: true }).count()).toBe(0)
    await look()
    await press(t('signIn'))
    await fill({ [signIn('username')]: account, [signIn('password')]: person.password })
    await press(signIn('signIn'))
    await state.getByText(t('done')).waitFor()
    await expect.poll(() => getFocused(page)).toBe(t('doneHeading'))
    expect(page.url()).toBe(`${service.url}/confirm`)
    await look()
    const own = await (await page.request.get(`${service.url}/api/2/users/me`)).json()
    expect([own.email, own.email_verified]).toEqual([email, true])
    await page.reload()
    await state.getByText(t('done')).waitFor()
  })

  it('says that a link is not for the own account, and the claim ends', async () => {
    const t = await loadWords(persona, 'confirm')
    const { email, account, readState, link } = await addClaim()
    const { page, press, look, state } = await visit(browser, persona)
    await page.goto(link)
    await state.getByText(t('explanation', { email, account })).waitFor()
    await look()
    expect(await readState()).toMatchObject({ email: null, pending_email: email })
    await press(t('notMine'))
    await state.getByText(t('rejected')).waitFor()
    await expect.poll(() => getFocused(page)).toBe(t('rejectedHeading'))
    await look()
    expect(await readState()).toMatchObject({ email: null, pending_email: null })
    await page.reload()
    await state.getByText(t('rejected')).waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText(t('used')).waitFor()
    await look()
  })

  // The rest uses nothing that depends on the engine.
  if (persona.browser === 'Firefox') return

  it('is asked who they are if somebody else is signed in, and signs in with the right account', async () => {
    const t = await loadWords(persona, 'confirm')
    const signIn = await loadWords(persona, 'signIn')
    const { email, claimant, account, readState, link } = await addClaim()
    const other = await addPerson(service)
    const { page, press, fill, look, state } = await visit(browser, persona)
    await signInBrowser(service, { page }, other)
    await page.goto(link)
    await state.getByText(t('signedInAs', { user: other.user.username })).waitFor()
    await state.getByText(t('otherAccount', { account })).waitFor()
    await look()
    await press(t('switchAccount'))
    // The wrong account once more: the page asks again, and confirms nothing.
    await fill({ [signIn('username')]: other.user.username, [signIn('password')]: other.password })
    await press(signIn('signIn'))
    await state.getByText(t('otherAccount', { account })).waitFor()
    expect(await readState()).toMatchObject({ email: null, pending_email: email })
    await press(t('switchAccount'))
    await fill({ [signIn('username')]: account, [signIn('password')]: claimant.password })
    await press(signIn('signIn'))
    await state.getByText(t('done')).waitFor()
    expect(await readState()).toMatchObject({ email, pending_email: null })
  })
})
