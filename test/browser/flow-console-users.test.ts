import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { enableSecondFactor } from '../support/authenticator.ts'
import { connectAccount } from '../support/connected-accounts.ts'
import { type PersonaConsole, visitConsole } from '../support/console.ts'
import { makeIdp } from '../support/idp.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import { getFocused, holdRequest, saveFile } from '../support/pages.ts'
import { addPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, signIn } from '../support/people.ts'
import { inOneBrowser, loadWords } from '../support/personas.ts'
import { addProvider } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const provider = await addProvider(service, await makeIdp(), { name: 'Acme' })

// More users than a list shows at first.
for (let count = 0; count < 50; count += 1) await addPerson(service)

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)
  const words = {
    menu: loadWords(persona, 'console'),
    people: loadWords(persona, 'people'),
    users: loadWords(persona, 'users'),
    kit: loadWords(persona, 'kit'),
    session: loadWords(persona, 'session'),
  }

  const open = async (place = '/users') => {
    const visit = await visitConsole(service, browser, persona)
    await visit.open(place)
    return { ...visit, ...dialogOf(visit) }
  }
  const read = async ({ page }: PersonaConsole, id: number) =>
    (await page.request.get(`${service.url}/api/2/users/${id}`)).json()

  it('asks before changes are lost, and keeps them when the session ends', async () => {
    const [menu, users, kit, session] = [
      await words.menu,
      await words.users,
      await words.kit,
      await words.session,
    ]
    const { user } = await addPerson(service, { full_name: 'Ada' })
    const visit = await open(`/users/${user.id}`)
    const { page, activate, fill, press, look, seeToast, confirm, dialog, heading } = visit
    await fill({ [users('fullName')]: 'Ada Lovelace' })
    const toList = page.getByRole('main').getByRole('link', { name: menu('users'), exact: true })
    await activate(toList)
    await dialog.getByText(menu('discardText')).waitFor()
    await look('administrators')
    await confirm(kit('cancel'))
    await expect.poll(() => page.getByLabel(users('fullName')).inputValue()).toBe('Ada Lovelace')

    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await press(kit('save'))
    await dialog.getByText(session('signedOutKeptText')).waitFor()
    await look('administrators')
    const target = `return_to=%2Fadmin%23%2Fusers%2F${user.id}`
    await expect.poll(() => dialog.getByRole('link').getAttribute('href')).toContain(target)
    // A window that was just resized can miss a key, and then a person presses it again.
    await expect
      .poll(async () => {
        if (await dialog.isVisible()) await page.keyboard.press('Escape')
        return dialog.isVisible()
      })
      .toBe(false)
    await page.context().addCookies(cookies)
    await press(kit('save'))
    await seeToast(kit('saved'))
    expect(await read(visit, user.id)).toMatchObject({ full_name: 'Ada Lovelace' })

    await fill({ [users('fullName')]: 'Someone else' })
    await activate(toList)
    await confirm(menu('discard'))
    await expect.poll(heading).toBe(menu('users'))
    expect(await read(visit, user.id)).toMatchObject({ full_name: 'Ada Lovelace' })
  })

  it('lists users, page by page, and finds them by name and state', async () => {
    const [menu, users] = [await words.menu, await words.users]
    const name = `grace-${randomUUID()}`
    await addPerson(service, { username: name, is_enabled: false })
    const visit = await open()
    const { page, activate, choose, press, type, look, heading } = visit
    const rows = page.getByRole('table').locator('tbody tr')
    await press(users('disabled'))
    await type(page.getByRole('searchbox', { name: users('search') }), name)
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('link', { name, exact: true }).waitFor()
    await press(users('enabled'))
    await page.getByText(menu('noResults')).waitFor()
    await look('administrators')
    await press(menu('resetFilters'))
    // A column can have the same name.
    const filterOf = (label: string) => page.getByRole('combobox', { name: label, exact: true })
    await choose(filterOf(users('email')), users('noEmail'))
    await activate(page.getByText(users('moreFilters'), { exact: true }))
    await choose(filterOf(users('anySecondFactor')), users('off'))
    await choose(filterOf(users('kind')), users('onlyGuests'))
    await page.getByText(menu('noResults')).waitFor()
    await look('administrators')
    await press(menu('resetFilters'))
    await expect.poll(() => rows.count()).toBe(20)
    await activate(page.getByRole('columnheader', { name: users('username') }).getByRole('button'))
    await page.waitForURL(/ordering=-username/)
    await expect
      .poll(() => page.getByRole('columnheader', { name: users('username') }).getAttribute('aria-sort'))
      .toBe('descending')
    await expect.poll(() => rows.count()).toBe(20)
    await press(menu('showMore'))
    const next = rows.nth(20).getByRole('link')
    await expect.poll(() => next.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true)
    const [username, fullName] = await rows.nth(20).locator('td').allInnerTexts()
    const displayName = fullName === '–' ? username : fullName
    await visit.activate(next)
    await expect.poll(heading).toBe(displayName)
    await expect.poll(() => getFocused(page)).toBe(displayName)
  })

  it('creates a user with an invitation, sends it again, and revokes it', async () => {
    const [people, users, kit] = [await words.people, await words.users, await words.kit]
    const visit = await open()
    const { page, activate, check, fill, press, pressIn, look, seeToast, confirm, dialog } = visit
    await activate(page.getByRole('link', { name: users('newUser') }))
    await press(people('create'))
    await page.getByText(kit('required')).waitFor()
    await expect.poll(() => focusedLabel(visit)).toBe(users('username'))
    const email = `${randomUUID()}@example.com`
    await fill({ [users('username')]: email, [users('fullName')]: 'Grace', [users('email')]: email })
    await check(page.getByLabel(people('createLinks'), { exact: true }))
    await look('administrators')
    await press(people('create'))
    await seeToast(people('created', { name: email }))
    expect((await service.mailbox.mailTo(email)).text).toContain('/invite')
    await page.getByText(users('invited'), { exact: true }).waitFor()
    await expect.poll(() => getFocused(page)).toBe('Grace')
    await look('administrators')

    await pressIn(users('actions'), users('inviteAgain'))
    await dialog.getByText(users('inviteText', { name: 'Grace' })).waitFor()
    await confirm(users('inviteAgain'))
    await seeToast(users('inviteSent'))
    await pressIn(users('actions'), users('revokeInvitation'))
    await look('administrators')
    await confirm(users('revokeInvitation'))
    await seeToast(users('invitationRevoked'))
    await page.getByText(users('invited'), { exact: true }).waitFor({ state: 'detached' })
  })

  it('creates a user with a password, changes, disables and enables them', async () => {
    const [people, users, kit] = [await words.people, await words.users, await words.kit]
    const visit = await open('/users/new')
    const { page, check, choose, fill, openTab, press, pressIn, look, seeToast, confirm, dialog, state } =
      visit
    const username = `ada-${randomUUID()}`
    await fill({ [users('username')]: username })
    await press(people('create'))
    await seeToast(people('created', { name: username }))
    const id = Number(/\d+$/.exec(page.url())?.[0])

    await pressIn(users('actions'), users('setPassword'))
    await confirm(users('suggest'))
    const field = dialog.getByLabel(users('newPassword'), { exact: true })
    await expect.poll(() => field.inputValue()).not.toBe('')
    const password = await field.inputValue()
    await check(dialog.getByLabel(users('mustChangePassword')), false)
    await look('administrators')
    await confirm(users('setPassword'))
    await seeToast(users('passwordSet'))
    const signIn = async () =>
      (await service.client('POST', '/api/2/auth/login', { body: { username, password } })).status
    expect(await signIn()).toBe(200)

    const email = `${randomUUID()}@example.com`
    await fill({ [users('fullName')]: 'Ada Lovelace', [users('email')]: email })
    await choose(page.getByRole('main').getByLabel(people('language')), 'Deutsch')
    await openTab(people('permissions'))
    await check(page.getByLabel(people('viewUsers'), { exact: true }))
    await fill({ [people('otherPermission')]: 'projects:view' })
    await press(`${people('add')} ${people('otherPermission')}`)
    await look('administrators')
    await press(kit('save'))
    await seeToast(kit('saved'))
    await expect.poll(() => visit.heading()).toBe('Ada Lovelace')
    await expect.poll(() => getFocused(page)).not.toBe('nothing')
    const permissions = ['projects:view', 'users:view']
    expect(await read(visit, id)).toMatchObject({
      full_name: 'Ada Lovelace',
      language: 'de',
      email,
      permissions,
    })

    await openTab(users('profile'))
    for (const isEnabled of [false, true]) {
      await check(page.getByLabel(users('mayUseAccount'), { exact: true }), isEnabled)
      await press(kit('save'))
      await page.getByText(users(isEnabled ? 'enabled' : 'disabled'), { exact: true }).waitFor()
      await expect.poll(async () => (await read(visit, id)).is_enabled).toBe(isEnabled)
      expect(await signIn()).toBe(isEnabled ? 200 : 403)
    }
    await state.getByText(kit('saved')).waitFor()
  })

  it('sends a reset link, ends sessions, and removes all ways to sign in, and the user', async () => {
    const [people, users, session] = [await words.people, await words.users, await words.session]
    const email = `${randomUUID()}@example.com`
    const grace = await addSignedIn(service, { full_name: 'Grace', username: `grace-${randomUUID()}`, email })
    const { user } = grace
    await addPasskey(service, grace)
    await enableSecondFactor(service, grace)
    await connectAccount(service, user, { providerId: provider.id, manager: provider.admin })
    const visit = await open(`/users/${user.id}`)
    const { page, openTab, press, pressIn, type, look, seeToast, confirm, dialog, heading } = visit
    await openTab(users('signIn'))
    await page.getByText('Acme').first().waitFor()
    await look('administrators')
    await pressIn(users('actions'), users('sendReset'))
    await dialog.getByText(users('sendResetText', { name: 'Grace' })).waitFor()
    await confirm(users('sendReset'))
    await seeToast(users('resetSent'))
    expect(await readMailedLink(service, email, 'reset')).toContain('/reset#token=')
    await pressIn(users('actions'), users('resetFactor'))
    await confirm(users('resetFactor'))
    await seeToast(users('factorReset'))
    await press(`${users('unlink')} Acme`)
    await dialog.getByText(users('unlinkText', { name: 'Grace', provider: 'Acme' })).waitFor()
    await confirm(users('unlink'))
    await seeToast(users('unlinked'))
    await visit.activate(page.getByRole('button', { name: `${people('remove')} Passkey` }))
    await look('administrators')
    await confirm(people('remove'))
    await seeToast(users('passkeyRemoved'))
    await page.getByText(users('noPasskeys')).waitFor()
    const kept = await signIn(service, grace)
    const ended = await signIn(service, grace)
    const party = await addRelyingParty(service, { name: 'Films' })
    await getTokens(service, party, kept)
    await page.reload()
    await visit.activate(page.getByRole('button', { name: `${users('endApp')} Films` }))
    await look('administrators')
    await confirm(users('endApp'))
    await seeToast(users('appEnded'))
    await page.getByText(users('noApps')).waitFor()
    const panel = page.getByRole('region', { name: users('sessions'), exact: true })
    await expect.poll(() => panel.getByRole('listitem').count()).toBe(2)
    await visit.activate(panel.getByRole('listitem').first().getByRole('button'))
    await look('administrators')
    await confirm(session('endSession'))
    await seeToast(session('sessionEnded'))
    await expect.poll(() => panel.getByRole('listitem').count()).toBe(1)
    const isActive = async (value: string) =>
      (await service.client('GET', '/api/2/users/me', { bearer: value })).status === 200
    expect([await isActive(ended), await isActive(kept)]).toEqual([false, true])
    await press(users('endSessions'))
    await dialog.getByText(users('endSessionsText', { name: 'Grace' })).waitFor()
    await confirm(users('endSessions'))
    await seeToast(users('sessionsEnded'))
    await panel.getByText(users('noSessions')).waitFor()
    expect(await isActive(kept)).toBe(false)

    await pressIn(users('actions'), users('deleteUser'))
    await confirm(users('deleteUser'))
    await dialog.locator('[aria-invalid=true]').waitFor()
    await look('administrators')
    await type(dialog.getByRole('textbox'), user.username)
    await confirm(users('deleteUser'))
    await seeToast(people('deleted', { name: user.username }))
    await expect.poll(heading).toBe((await words.menu)('users'))
    expect(await read(visit, user.id)).toMatchObject({ code: 'not_found' })
  })

  it('disables and enables a user, saves their data, and finds their tokens, links and events', async () => {
    const [menu, users] = [await words.menu, await words.users]
    const { user } = await addPerson(service, { full_name: 'Ada', username: `ada-${randomUUID()}` })
    const visit = await open(`/users/${user.id}`)
    const { page, activate, confirm, heading, look, press, pressIn, seeToast } = visit
    for (const [action, done] of [
      [users('disable'), users('disableDone')],
      [users('enable'), users('enableDone')],
    ] as const) {
      await pressIn(users('actions'), action)
      await confirm(action)
      await seeToast(done)
      await expect.poll(() => getFocused(page)).not.toBe('nothing')
    }
    const { text } = await saveFile(page, () => pressIn(users('actions'), users('saveData')))
    expect(JSON.parse(text).user).toMatchObject({ id: user.id })
    for (const [name, place] of [
      [users('openTokens'), (await loadWords(persona, 'apiTokens'))('ofUser', { name: user.username })],
      [users('openLinks'), menu('accessLinks')],
      [menu('events'), menu('auditLog')],
    ] as const) {
      if (name !== menu('events')) await press(users('actions'))
      await activate(page.getByRole('main').getByRole('link', { name, exact: true }))
      await expect.poll(heading).toBe(place)
      await expect.poll(() => getFocused(page)).toBe(place)
      await look('administrators')
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Ada', exact: true }).waitFor()
    }
  })

  it('keeps a dialog open when the action of another one is done', async () => {
    const [kit, users] = [await words.kit, await words.users]
    const { user } = await addPerson(service, { full_name: 'Ada' })
    const { page, confirm, dialog, pressIn, seeToast } = await open(`/users/${user.id}`)
    const release = await holdRequest(page, `**/api/2/users/${user.id}`)
    await pressIn(users('actions'), users('disable'))
    await confirm(users('disable'))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await pressIn(users('actions'), users('setPassword'))
    const field = dialog.getByLabel(users('newPassword'), { exact: true })
    await field.waitFor()
    release()
    await seeToast(users('disableDone'))
    await confirm(users('suggest'))
    await expect.poll(() => field.inputValue()).not.toBe('')
    await confirm(kit('cancel'))
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => getFocused(page)).toBe(users('actions'))
  })

  it('acts as a user under a banner, and stops', async () => {
    const [users, kit] = [await words.users, await words.kit]
    const { user } = await addPerson(service, { full_name: 'Ada Lovelace' })
    const visit = await open(`/users/${user.id}`)
    const { page, pressIn, look, confirm, dialog } = visit
    await pressIn(users('actions'), users('impersonate'))
    await dialog.getByText(users('impersonateText', { name: 'Ada Lovelace' })).waitFor()
    await confirm(users('impersonate'))
    await page.waitForURL(/\/account/)
    const banner = page.getByRole('complementary', { name: kit('impersonation') })
    await banner.getByText(kit('actAs', { admin: 'Root', name: 'Ada Lovelace' })).waitFor()
    await look()
    await visit.activate(banner.getByRole('button', { name: kit('stopActing') }))
    await banner.waitFor({ state: 'detached' })
    expect(await read(visit, visit.person.user.id)).toMatchObject({ full_name: 'Root' })
  })
})

/** The label of the field that has the focus. */
const focusedLabel = ({ page }: PersonaConsole): Promise<string> =>
  page.evaluate("document.activeElement.labels?.[0]?.textContent ?? ''")

/** The actions in the dialog that is open. */
const dialogOf = ({ page, activate }: PersonaConsole) => {
  const dialog = page.getByRole('dialog')
  return {
    dialog,
    confirm: async (name: string) => {
      await activate(dialog.getByRole('button', { name, exact: true }))
    },
  }
}
