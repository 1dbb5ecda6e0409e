import { describe, expect, it } from 'vitest'
import { openSection, startAccountFlow } from '../support/account-flows.ts'
import { ageProofs, signInBrowser } from '../support/account-pages.ts'
import { readClipboard } from '../support/clipboard.ts'
import { connectAccount } from '../support/connected-accounts.ts'
import { makeIdp } from '../support/idp.ts'
import { addRelyingParty, getTokens, refresh } from '../support/oidc.ts'
import { ensureApi } from '../support/oidc-clients.ts'
import { getFocused, openPage } from '../support/pages.ts'
import { inOneBrowser } from '../support/personas.ts'
import { addProvider } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const provider = await addProvider(service, await makeIdp(), { name: 'Example University' })

const onWindows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:139.0) Gecko/20100101 Firefox/139.0'
const hostile = '<img src=x onerror=alert(1)>'

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('creates a token, copies it, renames it and revokes it', async () => {
    const flow = await startAccountFlow(service, browser, persona)
    const {
      page,
      activate,
      fill,
      press,
      choose,
      check,
      type,
      look,
      seeDone,
      person,
      confirmIdentity,
      words,
    } = flow
    const { access, session, kit } = words
    await openSection(service, flow, 'api-tokens')
    await ageProofs(service, person)
    await press(access('newToken'))
    await press(access('create'))
    await page.getByText(access('chooseRight')).waitFor()
    await look()
    await fill({ [access('tokenName')]: hostile })
    await choose(page.getByLabel(access('expiry')), access('days', { count: 30 }))
    await check(page.getByLabel(access('scopeProfileView')))
    await press(access('create'))
    await confirmIdentity()
    await seeDone(access('tokenCreated'))
    await look()
    const value = await page.locator('.secret').innerText()
    await activate(page.getByRole('button', { name: session('copy') }))
    await page.getByText(session('copied')).waitFor()
    await expect.poll(() => readClipboard(page)).toBe(value)
    const me = await service.client('GET', '/api/2/users/me', { bearer: value })
    expect(me.body.id).toBe(person.user.id)
    const sessions = await service.client('GET', '/api/2/auth/sessions', { bearer: value })
    expect(sessions.status).toBe(403)
    await press(access('tokenStored'))
    await expect.poll(() => page.content()).not.toContain(value)
    await page.getByText(access('allowed', { list: access('scopeProfileView') })).waitFor()
    await look()

    await press(`${access('rename')} ${hostile}`)
    await look()
    await type(page.getByRole('dialog').getByLabel(access('tokenName'), { exact: true }), 'Backup')
    await press(kit('save'))
    await seeDone(access('nameSaved'))
    await press(`${access('revoke')} Backup`)
    await look()
    await activate(page.getByRole('dialog').getByRole('button', { name: access('revoke') }))
    await seeDone(access('tokenRevoked'))
    await page.getByText(access('noTokens')).waitFor()
    const revoked = await service.client('GET', '/api/2/users/me', { bearer: value })
    expect(revoked.status).toBe(401)
  })

  it('ends one other session, and then all others', async () => {
    const flow = await startAccountFlow(service, browser, persona)
    const { page, activate, press, look, seeDone, person, words } = flow
    const { access, session } = words
    for (const userAgent of [onWindows, hostile])
      await signInBrowser(service, await openPage(browser, { userAgent }), person)
    await openSection(service, flow, 'sessions')
    const device = session('browserOnSystem', { browser: 'Firefox', system: 'Windows' })
    await page.getByText(device).first().waitFor()
    await page.getByText(session('unknownDevice')).first().waitFor()
    const items = page.getByRole('main').getByRole('listitem')
    await expect.poll(() => items.count()).toBe(3)
    await expect.poll(() => items.first().innerText()).toContain(session('thisSession'))
    await expect.poll(() => items.first().innerText()).toContain('127.0.0.1')
    expect(await items.first().getByRole('button').count()).toBe(0)
    await look()
    await press(`${session('endSession')} ${device}`)
    await seeDone(session('sessionEnded'))
    await expect.poll(() => page.getByText(device).count()).toBe(0)
    await expect.poll(() => getFocused(page)).toBe(words.account('sessions'))
    await press(access('endOthers'))
    await look()
    await activate(page.getByRole('dialog').getByRole('button', { name: access('endOthers') }))
    await seeDone(access('othersEnded'))
    await expect.poll(() => items.count()).toBe(1)
    await look()
  })

  it('sees which apps have access, and ends the access of one', async () => {
    const flow = await startAccountFlow(service, browser, persona)
    const { page, activate, press, look, seeDone, words } = flow
    const { access } = words
    await ensureApi(service.services.table, 'https://films.example', { name: 'Films' })
    const party = await addRelyingParty(service, { name: hostile, audiences: ['https://films.example'] })
    await openSection(service, flow, 'apps')
    await page.getByText(access('noApps')).waitFor()
    const { value = '' } =
      (await page.context().cookies()).find(({ name }) => name.endsWith('latchkey')) ?? {}
    const { refresh_token } = await getTokens(service, party, value)
    await page.reload()
    await page.getByText(hostile, { exact: true }).first().waitFor()
    await page.getByText(access('appUses', { list: 'Films' })).waitFor()
    await look()
    await press(`${access('endApp')} ${hostile}`)
    const dialog = page.getByRole('dialog', { name: access('endAppHeading', { name: hostile }) })
    await dialog.waitFor()
    await look()
    await activate(dialog.getByRole('button', { name: access('endApp') }))
    await seeDone(access('appEnded', { name: hostile }))
    await page.getByText(access('noApps')).waitFor()
    expect((await refresh(service, party, refresh_token)).body.error).toBe('invalid_grant')
  })

  it('disconnects an account of a company', async () => {
    const flow = await startAccountFlow(service, browser, persona)
    const { page, activate, press, look, seeDone, person, words } = flow
    const { access, kit } = words
    await connectAccount(service, person.user, { providerId: provider.id, manager: provider.admin })
    await openSection(service, flow, 'connections')
    await page.getByText('Example University', { exact: true }).first().waitFor()
    await look()
    const open = `${access('unlink')} Example University`
    await press(open)
    const dialog = page.getByRole('dialog', {
      name: access('unlinkHeading', { provider: 'Example University' }),
    })
    await dialog.waitFor()
    await look()
    await activate(dialog.getByRole('button', { name: kit('cancel') }))
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => getFocused(page)).toBe(open)
    await press(open)
    await activate(dialog.getByRole('button', { name: access('unlink') }))
    await seeDone(access('unlinked'))
    await page.getByText(access('noConnections')).waitFor()
    await look()
    const { body } = await service.client('GET', `/api/2/users/${person.user.id}/company-accounts`, {
      bearer: provider.admin,
    })
    expect(body).toEqual([])
  })
})
