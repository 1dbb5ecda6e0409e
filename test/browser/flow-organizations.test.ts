import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openSection, startAccountFlow } from '../support/account-flows.ts'
import { visitConsole } from '../support/console.ts'
import { newPersonAddress } from '../support/organization-invitations.ts'
import { addPerson } from '../support/people.ts'
import { inOneBrowser, loadWords } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('leads from a new organization over a role and its members to the audit log', async () => {
    const menu = await loadWords(persona, 'console')
    const kit = await loadWords(persona, 'kit')
    const people = await loadWords(persona, 'people')
    const words = await loadWords(persona, 'organizations')
    const shared = await loadWords(persona, 'organization')
    const sentences = await loadWords(persona, 'sentences')
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
    const removed = { user: ben.user.username, object: name }
    await log
      .getByRole('button', { name: sentences('organization.member_removed', removed) })
      .first()
      .waitFor()
    expect(await log.locator('tbody tr').count()).toBe(10)
    await activate(log.getByRole('link', { name, exact: true }).first())
    await press(words('deleteOrganization'))
    await confirm(words('deleteOrganization'))
    await seeToast(people('deleted', { name }))
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
