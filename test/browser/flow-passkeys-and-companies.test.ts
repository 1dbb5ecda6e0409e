import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startIdpSite } from '../support/idp-site.ts'
import { createInvited, invite, readInvitationToken } from '../support/invitations.ts'
import { getFocused } from '../support/pages.ts'
import { addPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { inOneBrowser, loadPlainWords, loadWords } from '../support/personas.ts'
import { startProduct } from '../support/product.ts'
import { addDevice, bringDevice, registerPasskey } from '../support/registered-passkeys.ts'
import { addProvider, vouchForDomains } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { startSignInFlow } from '../support/sign-in-flow.ts'
import { useService } from '../support/use-service.ts'

/* Browsers offer passkeys on `localhost`, and treat the identity provider on `127.0.0.1` as another site. */

const provider = 'Example Inc'
const product = closeAfterTests(await startProduct())
const service = await useService({ ALLOWED_ORIGINS: product.url }, { hostname: 'localhost' })
product.trust(service.url)
const site = closeAfterTests(await startIdpSite())
const company = await addProvider(service, site.idp, {
  name: provider,
  sso_url: site.ssoUrl.replace('localhost', '127.0.0.1'),
})
await vouchForDomains(service, company, ['partner.example'])
site.trust([company.own.pem])
const admin = await addSignedIn(service, { permissions: ['system:admin-access'], full_name: 'Grace Hopper' })

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  const open = async () => {
    const flow = await startSignInFlow(service, browser, persona)
    const { page, t, activate, press } = flow
    const useProvider = async () => {
      await activate(page.getByRole('link', { name: t('useProvider', { name: provider }) }))
      await press('Go on')
    }
    return { ...flow, useProvider }
  }

  describe('the sign-in page', () => {
    it('signs in with a passkey alone, and returns to a product', async () => {
      const ada = await addPerson(service, { full_name: 'Ada' })
      const visited = await open()
      const { t, kit, press, problem, look } = visited
      await addDevice(visited)
      await registerPasskey(service, visited, ada)
      await visited.open(`${product.url}/cart`)
      await bringDevice(visited, false)
      await press(t('usePasskey'))
      await problem.getByText(kit('passkeyNotUsed')).waitFor()
      await look()
      await bringDevice(visited, true)
      await press(t('usePasskey'))
      await visited.seeGreeting('Ada')
    })

    it('asks for a passkey after the password', async () => {
      const ada = await addSignedIn(service, { full_name: 'Ada' })
      const visited = await open()
      const { page, t, kit, enter, press, problem, look, seeSignedIn } = visited
      await addDevice(visited)
      await registerPasskey(service, visited, ada)
      // Losing the only device would lock the person out.
      await addPasskey(service, ada)
      const settings = { bearer: ada.bearer, body: { required_with_password: true } }
      expect((await service.client('PUT', '/api/2/users/me/passkeys/settings', settings)).status).toBe(200)
      await page.goto(service.url)
      await bringDevice(visited, false)
      await enter(ada, ada.password)
      await problem.getByText(kit('passkeyNotUsed')).waitFor()
      await page.getByText(t('passkeyHint')).waitFor()
      await look()
      await bringDevice(visited, true)
      await press(t('usePasskeyNow'))
      await seeSignedIn('Ada')
    })

    it('signs in with the account of a company, after an attempt that fails there', async () => {
      const plain = await loadPlainWords(persona)
      const { page, activate, press, look, useProvider, seeSignedIn } = await open()
      await page.goto(service.url)
      await look()
      site.answerWith({ nameId: '' })
      await useProvider()
      await page.getByRole('alert').getByText(plain('failed', { provider })).waitFor()
      await look()
      site.answerWith({ nameId: `person-${persona.language}` })
      await activate(page.getByRole('link', { name: plain('tryAgain') }))
      await press('Go on')
      await seeSignedIn(`person-${persona.language}`)
      expect(page.url()).toBe(`${service.url}/`)
      expect(await page.context().cookies(service.url)).toContainEqual(
        expect.objectContaining({ name: 'latchkey', sameSite: 'Lax', httpOnly: true }),
      )
    })
  })

  describe('an invitation', () => {
    const openInvitation = async (fields: object = {}) => {
      const words = await loadWords(persona, 'invite')
      const invited = await createInvited(service, admin.bearer, fields)
      const opened = await open()
      const { page } = opened
      const follow = async (token: string) => {
        await page.goto(`${service.url}/invite#token=${token}`)
        await page.waitForURL(`${service.url}/invite`)
      }
      const seeAccount = async () => {
        await page.waitForURL(`${service.url}/account`)
        const me = await page.request.get(`${service.url}/api/2/users/me`)
        expect((await me.json()).username).toBe(invited.user.username)
      }
      const seeEnded = () => page.getByText(words('askAgain')).waitFor()
      return { ...opened, words, invited, follow, seeAccount, seeEnded }
    }

    it('is accepted with a passkey, after it was sent again', async () => {
      const opened = await openInvitation()
      const { words, invited, follow, press, seeEnded, seeAccount } = opened
      await addDevice(opened)
      await invite(service, admin.bearer, invited.user.id)
      const token = await readInvitationToken(service, invited.user.email, invited.token)
      await follow(invited.token)
      await seeEnded()
      await follow(token)
      await press(words('createPasskey'))
      await seeAccount()
    })

    // The rest uses nothing that depends on the engine.
    if (persona.browser === 'Firefox') return

    it('is accepted with a password, once', async () => {
      const rules = await loadWords(persona, 'newPassword')
      const opened = await openInvitation()
      const { page, t, kit, words, invited, follow, fill, press, activate, look, heading } = opened
      await follow(invited.token)
      const { username } = invited.user
      await page.getByText(words('invitedBy', { inviter: 'Grace Hopper', username })).waitFor()
      await expect.poll(() => heading()).toBe(words('heading', { product: 'Latchkey' }))
      await look()
      await press(words('accept'))
      await page.getByText(kit('required')).waitFor()
      await fill({ [words('password')]: 'short' })
      await press(words('accept'))
      await page.getByText(rules('tooShort', { count: 12 })).waitFor()
      await expect.poll(() => getFocused(page)).toBe('new-password')
      await look()
      await fill({ [words('password')]: 'nine moons over a violet tractor' })
      await press(words('accept'))
      await opened.seeAccount()
      await page.context().clearCookies()
      await follow(invited.token)
      await opened.seeEnded()
      await look()
      await activate(page.getByRole('link', { name: words('goToSignIn') }))
      await page.getByLabel(t('username'), { exact: true }).waitFor()
    })

    it('is accepted with the account of a company', async () => {
      const email = `${randomUUID()}@partner.example`
      const { page, words, invited, follow, press, look, seeAccount } = await openInvitation({ email })
      site.answerWith({ nameId: randomUUID(), attributes: { email: [email] } })
      await follow(invited.token)
      await page.getByRole('button', { name: words('continueWith', { provider }) }).waitFor()
      await look()
      await press(words('continueWith', { provider }))
      await press('Go on')
      await seeAccount()
    })
  })
})
