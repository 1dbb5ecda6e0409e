import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visitConsole } from '../support/console.ts'
import { type IdpSite, startIdpSite } from '../support/idp-site.ts'
import { inOneBrowser, loadWords } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)
  let site: IdpSite
  beforeAll(async () => {
    site = await startIdpSite()
  })
  afterAll(() => site.close())

  /* Only what the page shows leads on: the menu, links and buttons. The test knows no address of a section. */
  it('leads an administrator from a new provider over an invitation to the audit log', async () => {
    const kit = await loadWords(persona, 'kit')
    const menu = await loadWords(persona, 'console')
    const provider = await loadWords(persona, 'samlConnections')
    const shared = await loadWords(persona, 'connections')
    const test = await loadWords(persona, 'connectionTests')
    const users = await loadWords(persona, 'users')
    const people = await loadWords(persona, 'people')
    const sentences = await loadWords(persona, 'sentences')
    const { page, activate, check, choosePlace, fill, look, person, press, seeToast, state } =
      await visitConsole(service, browser, persona)
    const follow = (name: string) => activate(page.getByRole('link', { name, exact: true }))
    await choosePlace(menu('connections'))
    await follow(shared('newConnection'))
    await follow(provider('newConnection'))
    await fill({ [shared('name')]: 'Acme' })
    await press(kit('continue'))
    await page.getByRole('heading', { name: provider('stepValues') }).waitFor()
    await press(kit('continue'))
    await fill({ [provider('metadataAddress')]: site.metadataUrl })
    await press(provider('read'))
    await state.getByText(provider('found')).waitFor()
    await press(kit('continue'))
    await check(page.getByLabel(shared('autoCreate'), { exact: true }))
    await press(kit('continue'))
    await press(provider('create'))
    await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()

    // The provider reads the metadata of the service at the address that the page shows.
    const address = await page.getByText(/\/api\/2\/auth\/saml\/\d+\/metadata$/).innerText()
    const metadata = await (await fetch(address)).text()
    const base64 = /X509Certificate>([^<]+)</.exec(metadata)?.[1] ?? ''
    site.trust([`-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`])
    site.answerWith({ nameId: 'maria@acme.example' })
    await follow(shared('startTest'))
    await press('Go on')
    await state.getByText(test('accepted', { name: 'Acme' })).waitFor()
    await look('administrators')

    await choosePlace(menu('users'))
    await follow(users('newUser'))
    const email = `${randomUUID()}@example.com`
    await fill({ [users('username')]: email, [users('fullName')]: 'Maria', [users('email')]: email })
    await press(people('create'))
    await seeToast(people('created', { name: email }))
    expect((await service.mailbox.mailTo(email)).text).toContain('/invite')

    await choosePlace(menu('auditLog'))
    const log = page.getByRole('table')
    const actor = person.user.username
    const created = sentences('saml_provider.created', { actor, object: 'Acme' })
    await log.getByRole('button', { name: created }).first().waitFor()
    const invited = sentences('user.invited', { actor, user: email })
    await log.getByRole('button', { name: invited }).first().waitFor()
  })
})
