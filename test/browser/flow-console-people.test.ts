import { randomUUID } from 'node:crypto'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findSuppression, suppressAddress } from '../../lib/accounts/outbox/suppressed-addresses.records.ts'
import { visitConsole } from '../support/console.ts'
import { addLink, redeem } from '../support/links.ts'
import { getFocused } from '../support/pages.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { inOneBrowser, loadWords } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ RATE_LIMITS: 'accountFailures=2/600' })

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)
  const menuOf = loadWords(persona, 'console')
  const peopleOf = loadWords(persona, 'people')
  const pageOf = loadWords(persona, 'kit')

  /** Opens the console, with what a person does there in dialogs and with searches for users. */
  const enter = async (options: Parameters<typeof visitConsole>[3] = {}) => {
    const visit = await visitConsole(service, browser, persona, options)
    const { page, activate, type } = visit
    const people = await peopleOf
    const findIn = async (part: Locator, username: string, action: string) => {
      await type(part.getByRole('searchbox').first(), username)
      await activate(part.getByRole('button', { name: `${action} ${username}`, exact: true }))
    }
    return {
      ...visit,
      confirm: (name: string) =>
        activate(page.getByRole('dialog').getByRole('button', { name, exact: true })),
      findUser: (username: string, action: string) => findIn(page.locator('main'), username, action),
      findIn,
      follow: (name: string) => activate(page.getByRole('link', { name, exact: true })),
      read: async (path: string) => (await page.request.get(`${service.url}/api/2/${path}`)).json(),
      people,
    }
  }

  it('offers only the sections that a person may see, and the service refuses the others', async () => {
    const menu = await menuOf
    const { page, activate, heading, look, press } = await enter({ permissions: ['users:view'] })
    const isNarrow = persona.width < 800
    if (isNarrow) await press(menu('menu'))
    const links = page.getByRole('navigation').locator('li a')
    await expect
      .poll(() => links.allInnerTexts())
      .toEqual([menu('users'), menu('groups'), menu('userTemplates')])
    await expect
      .poll(() => page.getByRole('navigation').locator('[aria-current=page]').innerText())
      .toBe(menu('users'))
    await look('administrators')
    if (isNarrow) {
      await page.keyboard.press('Escape')
      await expect.poll(() => getFocused(page)).toBe(menu('menu'))
      await press(menu('menu'))
      // A link to the same place closes the menu, too.
      await activate(links.nth(0))
      await expect.poll(() => getFocused(page)).toBe(menu('menu'))
      await press(menu('menu'))
    }
    await activate(links.nth(1))
    await expect.poll(heading).toBe(menu('groups'))
    await expect.poll(() => getFocused(page)).toBe(menu('groups'))
    await expect.poll(() => page.getByRole('navigation').isVisible()).toBe(!isNarrow)
    await page.goto(`${service.url}/admin#/blocks`)
    await expect.poll(heading).toBe(menu('notAllowed'))
    await look('administrators')
    const status = await page.evaluate("fetch('/api/2/rate-limited').then(({ status }) => status)")
    expect(status).toBe(403)
  })

  it('finds leavers by a pasted list, adds them to a group, and deletes them', async () => {
    const [menu, users, groups] = [
      await menuOf,
      await loadWords(persona, 'users'),
      await loadWords(persona, 'groups'),
    ]
    const visit = await enter()
    const { page, people, fill, press, check, choose, look, confirm, seeToast, open, read } = visit
    const group = { name: `Leavers ${randomUUID()}` }
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await service.client('POST', '/api/2/groups', { bearer, body: group })
    const leavers = [await addPerson(service), await addPerson(service)].map(({ user }) => user)
    await open('/users')
    await press(users('findSeveral'))
    await look('administrators')
    await fill({ [users('names')]: leavers.map(({ username }) => username).join('\n') })
    await confirm(users('find'))
    await page.getByText(users('selected', { count: 2 })).waitFor()
    await look('administrators')
    await press(users('addToGroup'))
    const dialog = page.getByRole('dialog')
    await choose(dialog.getByLabel(groups('group')), group.name)
    await look('administrators')
    await confirm(users('addToGroup'))
    await seeToast(users('bulkDone', { action: users('addToGroup'), count: 2 }))
    for (const { id } of leavers) expect((await read(`users/${id}`)).groups).toHaveLength(1)
    // Somebody else disables one of them in the meantime. Undo leaves that as it is.
    const [first, second] = leavers.map(({ id }) => id)
    await service.client('PATCH', `/api/2/users/${second}`, { bearer, body: { is_enabled: false } })
    await check(page.getByLabel(menu('selectAll')))
    await press(users('disable'))
    await confirm(users('disable'))
    await seeToast(users('bulkDone', { action: users('disable'), count: 2 }))
    expect((await read(`users/${first}`)).is_enabled).toBe(false)
    await look('administrators')
    await press(users('undo'))
    await seeToast(users('undone', { count: 2 }))
    expect((await read(`users/${first}`)).is_enabled).toBe(true)
    expect((await read(`users/${second}`)).is_enabled).toBe(false)
    await page.getByText(users('selected', { count: 2 })).waitFor()
    await press(users('clearSelection'))
    for (const action of [users('disable'), users('enable'), users('endSessions')]) {
      await check(page.getByLabel(menu('selectAll')))
      await press(action)
      await confirm(action)
      await seeToast(users('bulkDone', { action, count: 2 }))
      const { is_enabled: isEnabled } = await read(`users/${leavers[0]?.id}`)
      expect(isEnabled).toBe(action !== users('disable'))
    }
    await check(page.getByLabel(menu('selectAll')))
    await press(users('clearSelection'))
    await expect.poll(() => getFocused(page)).toBe(menu('users'))
    await check(page.getByLabel(menu('selectAll')))
    await press(people('delete'))
    await fill({ [menu('typeToConfirm', { text: '2' })]: '2' })
    await look('administrators')
    await confirm(people('delete'))
    await seeToast(users('bulkDone', { action: people('delete'), count: 2 }))
    await page.getByText(menu('noResults')).waitFor()
  })

  it('creates a group with members and permissions, changes and deletes it', async () => {
    const [menu, kit] = [await menuOf, await pageOf]
    const words = await loadWords(persona, 'groups')
    const username = `ada-${randomUUID()}`
    const { user } = await addPerson(service, { username })
    const visit = await enter()
    const { page, check, choosePlace, confirm, fill, findIn, follow, look, openTab, people, press, read } =
      visit
    await choosePlace(menu('groups'))
    await follow(words('newGroup'))
    const name = `Editors ${randomUUID()}`
    await fill({ [people('name')]: name })
    await check(page.getByLabel(people('createLinks'), { exact: true }))
    await press(people('create'))
    await visit.seeToast(people('created', { name }))
    await page.getByText(words('noMembers')).waitFor()
    await press(words('addMembers'))
    await findIn(page.getByRole('dialog'), username, people('add'))
    await look('administrators')
    await confirm(words('addMembers'))
    await visit.seeToast(words('membersAdded', { count: 1 }))
    await page.getByRole('link', { name: username, exact: true }).waitFor()
    await look('administrators')
    await openTab(people('permissions'))
    await check(page.getByLabel(people('viewUsers'), { exact: true }))
    await look('administrators')
    await press(kit('save'))
    await visit.seeToast(kit('saved'))
    const [group] = await read(`groups?name=${encodeURIComponent(name)}`)
    expect(group).toMatchObject({ members: [user.id], permissions: ['media:access', 'users:view'] })

    const users = await loadWords(persona, 'users')
    await openTab(words('members'))
    await check(page.getByLabel(users('select', { name: username })))
    await press(words('removeMembers'))
    await look('administrators')
    await confirm(words('removeMembers'))
    await visit.seeToast(words('membersRemoved', { count: 1 }))
    await page.getByText(words('noMembers')).waitFor()
    await expect.poll(async () => (await read(`groups/${group.id}`)).members).toEqual([])
    await press(words('deleteGroup'))
    await page.getByText(words('deleteGroupText')).waitFor()
    await look('administrators')
    await confirm(words('deleteGroup'))
    await visit.seeToast(people('deleted', { name }))
    await expect.poll(visit.heading).toBe(menu('groups'))
  })

  it('creates a user template, changes and deletes it', async () => {
    const [menu, kit] = [await menuOf, await pageOf]
    const words = await loadWords(persona, 'userTemplates')
    const visit = await enter()
    const { page, check, choosePlace, confirm, fill, follow, look, people, press, read, seeToast } = visit
    await choosePlace(menu('userTemplates'))
    await follow(words('newTemplate'))
    const name = `Guests ${randomUUID()}`
    await fill({ [people('name')]: name })
    await check(page.getByLabel(people('external'), { exact: true }))
    await press(people('create'))
    await seeToast(people('created', { name }))
    await look('administrators')
    await follow(name)
    await fill({ [people('startPage')]: '/welcome' })
    await press(kit('save'))
    await seeToast(kit('saved'))
    const find = async () =>
      (await read('user-templates')).filter((found: { name: string }) => found.name === name)
    expect(await find()).toMatchObject([{ is_external: true, default_page: '/welcome' }])
    await press(words('deleteTemplate'))
    await confirm(words('deleteTemplate'))
    await seeToast(people('deleted', { name }))
    expect(await find()).toEqual([])
  })

  it('finds and revokes an API token of another user', async () => {
    const menu = await menuOf
    const words = await loadWords(persona, 'apiTokens')
    const username = `owner-${randomUUID()}`
    const { bearer } = await addSignedIn(service, { username })
    const created = await service.client('POST', '/api/2/api-tokens', { bearer, body: { name: 'Build' } })
    const visit = await enter()
    const { page, choosePlace, confirm, findUser, look, people, press, seeToast } = visit
    await choosePlace(menu('apiTokens'))
    await findUser(username, words('show'))
    await page.getByRole('heading', { level: 1, name: words('ofUser', { name: username }) }).waitFor()
    await page.getByText('Build').first().waitFor()
    await look('administrators')
    await press(`${people('revoke')} Build`)
    await page.getByText(words('revokeTokenText', { name: 'Build' })).waitFor()
    await confirm(people('revoke'))
    await seeToast(words('revoked'))
    await page.getByText(words('empty')).waitFor()
    const answer = await service.client('GET', '/api/2/users/me', { bearer: created.body.token })
    expect(answer.status).toBe(401)
  })

  it('finds an access link by its recipient or content, reads its uses, and revokes it', async () => {
    const menu = await menuOf
    const words = await loadWords(persona, 'accessLinks')
    const username = `creator-${randomUUID()}`
    const { bearer } = await addSignedIn(service, { username, permissions: ['media:access'] })
    const guest = `guest-${randomUUID()}@example.com`
    const link = await addLink(service, bearer, { email: guest })
    await redeem(service, link.token)
    const visit = await enter()
    const { page, choosePlace, confirm, follow, look, press, seeToast, type } = visit
    await choosePlace(menu('accessLinks'))
    const field = page.getByRole('searchbox', { name: words('search') })
    await type(field, guest)
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await press(words('expired'))
    await page.getByText(menu('noResults')).waitFor()
    await press(words('usable'))
    await type(field, username)
    await expect.poll(() => page.url()).toContain(`filter=${username}`)
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await look('administrators')
    await follow('Trailer, second cut')
    await page.getByText('127.0.0.1').waitFor()
    await look('administrators')
    expect(await page.content()).not.toContain(link.token)
    await press(words('revokeLink'))
    await confirm(words('revokeLink'))
    await seeToast(words('revoked'))
    expect((await redeem(service, link.token)).status).not.toBe(200)
  })

  it('lifts the block of an account, and lets an address receive email again', async () => {
    const menu = await menuOf
    const words = await loadWords(persona, 'blocks')
    const { table, now } = service.services
    const [username, address] = [`ada-${randomUUID()}`, `ann-${randomUUID()}@example.com`]
    const { password } = await addPerson(service, { username })
    const signIn = async (given: string) =>
      (await service.client('POST', '/api/2/auth/login', { body: { username, password: given } })).status
    for (let count = 0; count < 3; count += 1) await signIn('a wrong guess')
    await suppressAddress(table, address, { reason: 'bounce', since: now(), feedbackId: randomUUID() }, [])
    const visit = await enter()
    const { page, activate, confirm, look, press, read, seeToast, type } = visit
    await expect.poll(async () => (await read('rate-limited')).length).toBeGreaterThan(0)
    await press((await loadWords(persona, 'overview'))('refresh'))
    await activate(
      page
        .getByRole('main')
        .getByRole('link', { name: menu('blocks') })
        .first(),
    )
    await expect.poll(visit.heading).toBe(menu('blocks'))
    await page
      .getByRole('cell', { name: words('signInAttempts') })
      .first()
      .waitFor()
    await look('administrators')
    await press(`${words('lift')} ${username}`)
    await page.getByText(words('liftLimitText', { who: username })).waitFor()
    await look('administrators')
    await confirm(words('lift'))
    await seeToast(words('lifted'))
    await page.getByRole('button', { name: `${words('lift')} ${username}` }).waitFor({ state: 'detached' })
    expect(await signIn(password)).toBe(200)

    await type(page.getByRole('searchbox', { name: words('findAddress') }), address)
    await press(`${words('lift')} ${address}`)
    await confirm(words('lift'))
    await page.getByText(menu('noResults')).waitFor()
    expect(await findSuppression(table, address, now())).toBeUndefined()
  })
})
