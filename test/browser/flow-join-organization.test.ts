import { describe, expect, it } from 'vitest'
import { listMailedCodes } from '../support/join-codes.ts'
import { addRelyingParty, buildAuthorization, createPkce } from '../support/oidc.ts'
import { addOrganization, inviteMember, newPersonAddress } from '../support/organization-invitations.ts'
import { getFocused } from '../support/pages.ts'
import { addSignedIn } from '../support/people.ts'
import { inOneBrowser, loadPlainWords, loadWords, visit } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

const service = await useService()
const staff = await addSignedIn(service, { permissions: ['system:admin-access'] })
const party = await addRelyingParty(service, { scopes: ['openid', 'organization'] })

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('leads a new person from an invitation into two organizations, to a product, and out again', async () => {
    const [signUp, signIn, invite, shared] = await Promise.all([
      loadWords(persona, 'signUp'),
      loadWords(persona, 'signIn'),
      loadWords(persona, 'invite'),
      loadWords(persona, 'organization'),
    ])
    const plain = await loadPlainWords(persona)
    const acme = await addOrganization(service, staff, { name: 'Acme Studios' })
    const other = await addOrganization(service, staff, { name: 'Bergwerk & Söhne' })
    const email = newPersonAddress()
    const { page, activate, fill, press, look, heading } = await visit(browser, persona)
    /** The product does not exist, and the page about that may come in between. */
    const goTo = (path: string) =>
      expect
        .poll(() =>
          page.goto(service.url + path).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true)
    const { token } = await inviteMember(service, acme, acme.owner, { email })
    await page.goto(`${service.url}/invite#token=${token}`)
    await expect.poll(heading).toBe(invite('joinHeading', { organization: 'Acme Studios' }))
    await look()
    await fill({ [signUp('name')]: 'Katherine Johnson' })
    await press(signUp('create'))
    await fill({ [invite('password')]: 'nine moons over a violet tractor' })
    await look()
    await press(invite('finish'))
    await page.getByRole('button', { name: invite('join'), exact: true }).waitFor()
    await look()
    await press(invite('join'))
    await page.getByText(invite('joined', { organization: 'Acme Studios' })).waitFor()
    await look()

    // The link of the second invitation is lost.
    await inviteMember(service, other, other.owner, { email })
    const size = page.viewportSize()
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${service.url}/account#/organizations`)
    await press(`${invite('join')} Bergwerk & Söhne`)
    const dialog = page.getByRole('dialog')
    await expect.poll(() => getFocused(page)).toBe('join-code')
    await look()
    const code = await waitFor(() => {
      const [found] = listMailedCodes(service, email)
      if (found === undefined) throw new Error('no code arrived')
      return found
    })
    await fill({ [signIn('emailCode')]: `${(Number(code[0]) + 1) % 10}${code.slice(1)}` })
    await dialog.getByText(shared('joinCodeWrong')).waitFor()
    await expect.poll(() => getFocused(page)).toBe('join-code')
    await look()
    // The last digit sends the code.
    await fill({ [signIn('emailCode')]: '' })
    await fill({ [signIn('emailCode')]: code })
    await page.getByText(invite('joined', { organization: 'Bergwerk & Söhne' })).waitFor()
    await look()
    if (size) await page.setViewportSize(size)

    const { challenge } = createPkce()
    const [target = ''] = party.client.redirect_uris
    const choose = async (name: string) => {
      const query = buildAuthorization(party, challenge, { scope: 'openid organization' })
      await goTo(`/oauth2/authorize?${query}`)
      await expect.poll(heading).toBe(plain('organizationQuestion'))
      await page.getByText(name).waitFor()
      await look()
      const arrived = page.waitForRequest((request) => request.url().startsWith(target))
      await activate(page.getByRole('button', { name }))
      expect(new URL((await arrived).url()).searchParams.has('code')).toBe(true)
    }
    await choose('Bergwerk & Söhne')
    await choose('Acme Studios')

    await goTo('/account#/organizations')
    await press(`${shared('leave')} Acme Studios`)
    const leave = page.getByRole('dialog').getByRole('button', { name: shared('leave'), exact: true })
    await activate(leave)
    await page.getByText(shared('left', { name: 'Acme Studios' })).waitFor()
    await page.goto(`${service.url}/account#/organizations`)
    await page.getByText('Bergwerk & Söhne').first().waitFor()
    expect(await page.getByRole('button', { name: `${shared('leave')} Acme Studios` }).count()).toBe(0)
  })
})
