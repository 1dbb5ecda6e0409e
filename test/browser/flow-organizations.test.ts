import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openSection, startAccountFlow } from '../support/account-flows.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { visitConsole } from '../support/console.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { addOrganization, newPersonAddress } from '../support/organization-invitations.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { inOneBrowser, loadWords } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const dns = closeAfterTests(await startDnsServer())
const staff = await addSignedIn(service, { permissions: ['system:admin-access'] })

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('leads from a new organization over a role and its members to the audit log', async () => {
    const menu = await loadWords(persona, 'console')
    const kit = await loadWords(persona, 'kit')
    const people = await loadWords(persona, 'people')
    const words = await loadWords(persona, 'organizations')
    const shared = await loadWords(persona, 'organization')
    const acts = await loadWords(persona, 'acts')
    const suffix = randomUUID().slice(0, 8)
    const create = (name: string) =>
      addPerson(service, { username: `${name}-${suffix}`, full_name: `${name} ${suffix}` })
    // One after the other: lists of members are in the order of their IDs.
    const ada = await create('ada')
    const ben = await create('ben')
    const visit = await visitConsole(service, browser, persona)
    const { page, activate, check, choosePlace, fill, look, openTab, press, seeToast, type } = visit
    const main = page.getByRole('main')
    const dialog = page.getByRole('dialog')
    const follow = (name: string) => activate(main.getByRole('link', { name, exact: true }))
    const confirm = (name: string) => activate(dialog.getByRole('button', { name, exact: true }))
    const read = async (path: string) => (await page.request.get(`${service.url}/api/2/${path}`)).json()

    await choosePlace(menu('organizations'))
    await follow(words('roles'))
    await page.getByRole('heading', { level: 1, name: words('roles') }).waitFor()
    await press(words('addRole'))
    const role = `editor-${suffix}`
    const entry = page.getByRole('group', { name: `${shared('role')}:` }).last()
    await type(entry.getByLabel(words('key'), { exact: true }), role)
    await type(entry.getByLabel(words('rolePermissions'), { exact: true }), 'films:edit')
    await press(kit('save'))
    // The name in English is missing.
    await expect.poll(() => entry.locator('[aria-invalid=true]').count()).toBe(1)
    await look('administrators')
    await visit.choose(
      page.getByLabel((await loadWords(persona, 'protectedApis'))('textsLanguage')),
      'English',
    )
    await type(entry.getByLabel(words('roleName'), { exact: true }), `Editor ${suffix}`)
    await press(kit('save'))
    await seeToast(kit('saved'))

    await follow(menu('organizations'))
    await follow(words('newOrganization'))
    const name = `Käse & Söhne ${suffix}`
    await fill({ [people('name')]: name })
    const slug = page.getByLabel(words('slug'), { exact: true })
    expect(await slug.inputValue()).toBe(`kase-sohne-${suffix}`)
    await look('administrators')
    await press(people('create'))
    await seeToast(people('created', { name }))
    await page.getByText(words('ownerlessText')).waitFor()

    const add = async (username: string, fullName: string) => {
      await press(words('addMember'))
      await type(dialog.getByRole('searchbox'), username)
      await activate(dialog.getByRole('button', { name: `${words('choose')} ${username}` }))
      await confirm(words('addMember'))
      await seeToast(words('memberAdded', { name: fullName }))
    }
    await add(ada.user.username, `ada ${suffix}`)
    await page.getByText(words('ownerlessText')).waitFor({ state: 'detached' })
    await add(ben.user.username, `ben ${suffix}`)
    await look('administrators')
    await press(`${shared('changeRoles')} ben ${suffix}`)
    await check(dialog.getByLabel(shared('member'), { exact: true }), false)
    await confirm(kit('save'))
    await dialog.getByText(shared('roleMissing')).waitFor()
    await check(dialog.getByLabel(`Editor ${suffix}`, { exact: true }))
    await look('administrators')
    await confirm(kit('save'))
    await seeToast(shared('rolesSaved', { name: `ben ${suffix}` }))
    const [{ id }] = await read(`organizations?slug=kase-sohne-${suffix}`)
    expect((await read(`organizations/${id}/members`)).map(({ roles }: { roles: unknown }) => roles)).toEqual(
      [['owner'], [role]],
    )

    await openTab(words('settings'))
    await fill({ [words('memberLimit')]: '2' })
    await press(kit('save'))
    await seeToast(kit('saved'))
    await look('administrators')
    await press(words('suspend'))
    await confirm(words('suspend'))
    await seeToast(words('suspendDone', { name }))
    await press(words('reactivate'))
    await confirm(words('reactivate'))
    await seeToast(words('reactivateDone', { name }))

    const flow = await startAccountFlow(service, browser, persona, ada)
    await openSection(service, flow, 'organizations')
    await flow.page.getByText(name).first().waitFor()
    await flow.look()
    await flow.press(`${shared('leave')} ${name}`)
    const question = flow.page.getByRole('dialog')
    const leave = question.getByRole('button', { name: shared('leave'), exact: true })
    await flow.activate(leave)
    await question.getByText(shared('lastOwner')).waitFor()
    await flow.look()
    await flow.press(kit('cancel'))

    await openTab(shared('members'))
    await press(`${shared('changeRoles')} ben ${suffix}`)
    await check(dialog.getByLabel(shared('owner'), { exact: true }))
    await confirm(kit('save'))
    await seeToast(shared('rolesSaved', { name: `ben ${suffix}` }))
    await flow.press(`${shared('leave')} ${name}`)
    await flow.activate(leave)
    await flow.seeDone(shared('left', { name }))
    await flow.page.getByText(shared('none')).waitFor()

    await press(`${shared('remove')} ben ${suffix}`)
    await dialog.getByText(words('lastOwnerNote')).waitFor()
    await confirm(shared('remove'))
    await seeToast(shared('removed', { name: `ben ${suffix}` }))
    await follow(menu('events'))
    const log = page.getByRole('table')
    const removed = { actor: visit.person.user.username, user: ben.user.username, object: name }
    const sentence = log.getByRole('button', { name: acts('organization.member_removed', removed) }).first()
    await sentence.waitFor()
    expect(await log.locator('tbody tr').count()).toBe(10)
    await activate(sentence)
    await activate(dialog.getByRole('link', { name, exact: true }).first())
    await press(words('deleteOrganization'))
    await confirm(words('deleteOrganization'))
    await seeToast(people('deleted', { name }))
  })

  it('leads from the policy of the console to the end of what organizations brought', async () => {
    const menu = await loadWords(persona, 'console')
    const kit = await loadWords(persona, 'kit')
    const words = await loadWords(persona, 'organizations')
    const asStaff = callAs(service, staff)
    await asStaff('PUT', 'organization-policy', { company_sign_in: 'always' })
    const acme = await addOrganization(service, staff)
    const asOwner = callAs(service, acme.owner)
    const brought = await asOwner('POST', `organizations/${acme.id}/sign-in`, {
      kind: 'oidc',
      issuer: 'https://idp.example.com',
      client_id: 'latchkey',
      client_secret: 'secret',
    })
    const claim = () =>
      asOwner('POST', `organizations/${acme.id}/sign-in/${brought.body.id}/domains`, {
        domain: `acme-${acme.id}.example`,
      })
    const { txt_name: name, txt_value: value } = (await claim()).body.domains[0]
    dns.answers.set(name, [Buffer.from(value)])
    expect((await claim()).body.state).toBe('live')

    const { page, activate, choose, choosePlace, look, press, seeToast } = await visitConsole(
      service,
      browser,
      persona,
    )
    await choosePlace(menu('organizations'))
    await activate(page.getByRole('main').getByRole('link', { name: words('policy'), exact: true }))
    await page.getByText(words('companySignInLive', { count: 1 })).waitFor()
    const stop = page.getByRole('button', { name: words('companySignInStop'), exact: true })
    // What can be brought again is not stopped.
    expect(await stop.count()).toBe(0)
    await choose(page.getByLabel(words('companySignIn'), { exact: true }), words('companySignInNever'))
    await press(kit('save'))
    await seeToast(kit('saved'))
    await look('administrators')
    await activate(stop)
    await look('administrators')
    await activate(page.getByRole('dialog').getByRole('button', { name: words('companySignInStop') }))
    await seeToast(words('companySignInStopped', { count: 1 }))
    await page.getByText(words('companySignInLive', { count: 1 })).waitFor({ state: 'detached' })
    const { body } = await asOwner('GET', `organizations/${acme.id}/sign-in`)
    expect(body).toMatchObject([{ state: 'awaits_approval' }])
  })

  it('leads from the policy of the console to an organization that a person creates for themselves', async () => {
    const menu = await loadWords(persona, 'console')
    const kit = await loadWords(persona, 'kit')
    const words = await loadWords(persona, 'organizations')
    const shared = await loadWords(persona, 'organization')
    const console = await visitConsole(service, browser, persona)
    const main = console.page.getByRole('main')
    await console.choosePlace(menu('organizations'))
    await console.activate(main.getByRole('link', { name: words('policy'), exact: true }))
    const creation = console.page.getByLabel(words('creation'), { exact: true })
    await console.choose(creation, words('creationEverybody'))
    await console.look('administrators')
    await console.press(kit('save'))
    await console.seeToast(kit('saved'))
    // A second save keeps what the first one changed.
    await console.fill({ [words('endingGraceDays')]: '30' })
    await console.press(kit('save'))
    await console.seeToast(kit('saved'))

    const founder = await addPerson(service, { email: newPersonAddress() })
    const flow = await startAccountFlow(service, browser, persona, founder)
    const { page, person, press, fill, look, seeDone } = flow
    await openSection(service, flow, 'organizations')
    await press(shared('create'))
    const name = `Käse ${person.user.id}`
    await fill({ [shared('name')]: name })
    expect(await page.getByLabel(shared('slug'), { exact: true }).inputValue()).toBe(`kase-${person.user.id}`)
    await look()
    await press(shared('create'))
    await seeDone(shared('created', { name }))
    await page.getByText(name, { exact: true }).first().waitFor()
    await page.getByText(shared('roles', { list: shared('owner') }), { exact: false }).waitFor()
    await look()
    // The next persona finds the service as this one did.
    await console.choose(creation, words('creationAdministrators'))
    await console.press(kit('save'))
    await console.seeToast(kit('saved'))
  })
})
