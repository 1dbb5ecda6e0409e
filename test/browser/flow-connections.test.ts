import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { visitConsole } from '../support/console.ts'
import { makeIdp } from '../support/idp.ts'
import { clientId, clientSecret, startUpstream } from '../support/oidc-upstream.ts'
import { getFocused } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { loadWords, personas } from '../support/personas.ts'
import { addProvider } from '../support/saml.ts'
import { SetupBrowser } from '../support/setup-browser.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const upstream = closeAfterTests(await startUpstream())
const provider = await addProvider(service, await makeIdp(), { name: 'Acme' })

describe.each(personas)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  const enter = async () => {
    const visit = await visitConsole(service, browser, persona)
    const { page, activate } = visit
    const dialog = page.getByRole('dialog')
    return {
      ...visit,
      dialog,
      confirm: (name: string) => activate(dialog.getByRole('button', { name, exact: true })),
      follow: (name: string) => activate(page.getByRole('link', { name, exact: true })),
      read: async (path: string) => (await page.request.get(service.url + path)).json(),
      menu: await loadWords(persona, 'console'),
      kit: await loadWords(persona, 'kit'),
      shared: await loadWords(persona, 'samlProviders'),
    }
  }

  it('sets up a connection by OpenID Connect that the sign-in page offers, tests and deletes it', async () => {
    const t = await loadWords(persona, 'oidcConnections')
    const test = await loadWords(persona, 'samlTests')
    const visit = await enter()
    const { page, check, choose, choosePlace, confirm, fill, follow, look, menu, press, seeToast, shared } =
      visit
    const field = (label: string) => page.getByLabel(label, { exact: true })
    await choosePlace(menu('oidcConnections'))
    await follow(t('newConnection'))
    await choose(field(t('provider')), 'Microsoft Entra ID')
    expect(await field(t('issuer')).inputValue()).toBe('https://login.microsoftonline.com/TENANT-ID/v2.0')
    await choose(field(t('provider')), 'Google Workspace')
    const name = `Example in ${persona.language}`
    await fill({ [shared('name')]: name, [t('clientId')]: clientId })
    await press(t('create'))
    await page.getByText(visit.kit('required')).waitFor()
    await look('administrators')
    await fill({ [t('clientSecret')]: clientSecret })
    await press(t('create'))
    await page.getByText('is required for Google').first().waitFor()
    await fill({ [t('issuer')]: upstream.issuer })
    await press(t('create'))
    await page.getByRole('heading', { level: 1, name }).waitFor()
    const id = Number(/oidc-connections\/(\d+)/.exec(page.url())?.[1])
    const path = `/api/2/auth/oidc-connections/${id}`
    await page.getByText(`${service.url}${path}/callback`).waitFor()
    expect(await field(t('clientSecret')).inputValue()).toBe('')
    const domain = `${persona.language}.example.com`
    await fill({ [shared('newDomain')]: domain })
    await press(shared('addDomain'))
    await page.getByRole('heading', { name: domain }).waitFor()
    await look('administrators')

    const isOffered = async () => (await (await fetch(service.url)).text()).includes(name)
    for (const isHidden of [false, true]) {
      await check(field(shared('hidden')), isHidden)
      await press(visit.kit('save'))
      await seeToast(visit.kit('saved'))
      expect(await visit.read(path)).toMatchObject({
        disabled_in_client: isHidden,
        client_secret: '********',
      })
      // The list of the page is kept for a moment.
      if (!isHidden) await expect.poll(isOffered).toBe(true)
    }

    upstream.behave({ tokenStatus: 400, tokens: { error: 'invalid_client' } })
    await follow(shared('startTest'))
    await page.getByText(test('tokenAdvice', { value: `${service.url}${path}/callback` })).waitFor()
    await look('administrators')
    upstream.behave({})
    await follow(test('again'))
    await page.getByRole('heading', { name: test('sent') }).waitFor()
    await page.getByText('ada@example.com').first().waitFor()
    await look('administrators')
    await follow(name)
    await press(t('remove'))
    await confirm(t('remove'))
    await seeToast(shared('removed', { name }))
  })

  it('gives a customer a link to set a provider up, and revokes it', async () => {
    const t = await loadWords(persona, 'samlSetupLinks')
    const { page, choosePlace, confirm, fill, follow, kit, look, menu, press, seeToast, shared } =
      await enter()
    await choosePlace(menu('samlProviders'))
    await follow(shared('newProvider'))
    const name = `Customer in ${persona.language}`
    await fill({ [shared('name')]: name })
    await press(kit('continue'))
    await press(t('create'))
    const link = page.getByText('/setup#token=')
    const token = new URL((await link.innerText()).trim()).hash.slice('#token='.length)
    await look('administrators')
    await press(t('open', { name }))
    await page.getByRole('heading', { level: 1, name }).waitFor()
    const browser = new SetupBrowser(service)
    const find = async () => (await browser.open(token)).status
    expect(await find()).toBe(200)
    await press(t('revoke'))
    await look('administrators')
    await confirm(t('revoke'))
    await seeToast(t('revoked'))
    expect(await find()).toBe(400)
    await press(t('create'))
    await expect.poll(() => link.innerText()).not.toContain(token)
    await look('administrators')
  })

  it('connects the people of a list and an account of one person, and merges two users', async () => {
    const t = await loadWords(persona, 'connectList')
    const users = await loadWords(persona, 'users')
    const visit = await enter()
    const { page, choose, confirm, dialog, fill, look, menu, open, press, read, seeToast, type, upload } =
      visit
    const [{ user: kept }, { user: other }] = [
      await addPerson(service, { username: `ada-${randomUUID()}` }),
      await addPerson(service, { username: `grace-${randomUUID()}` }),
    ]
    await open(`/saml-providers/${provider.id}`)
    await press(t('open'))
    const list = dialog.getByLabel(t('list'), { exact: true })
    await type(list, 'only-a-name')
    await confirm(t('check'))
    await dialog.getByText(t('wrongLines', { lines: '1' })).waitFor()
    await type(list, 'unknown-person,subject-1')
    await confirm(t('check'))
    await dialog.getByText(t('missing', { names: 'unknown-person' })).waitFor()
    await look('administrators')
    const lines = [kept, other].map(({ username }, at) => `${username};"list, ${persona.language} ${at}"`)
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) }
    await upload(dialog.getByLabel(t('file')), file)
    await confirm(t('check'))
    await dialog.getByText(t('question', { count: 2 })).waitFor()
    await expect.poll(() => getFocused(page)).toBe(t('connect'))
    await look('administrators')
    await confirm(t('connect'))
    await seeToast(t('done', { count: 2 }))
    await expect.poll(() => getFocused(page)).toBe(t('open'))
    const listAccounts = (id: number) => read(`/api/2/users/${id}/saml-accounts`)
    expect(await listAccounts(other.id)).toMatchObject([{ name: `list, ${persona.language} 1` }])

    await open(`/users/${kept.id}`)
    await press(users('connectAccount'))
    await choose(dialog.getByLabel(users('connection')), 'Acme')
    await fill({ [users('nameThere')]: `subject ${persona.language}` })
    await look('administrators')
    await confirm(users('connectAccount'))
    await seeToast(users('accountConnected'))
    await page.getByText(`subject ${persona.language}`).waitFor()
    await expect.poll(() => getFocused(page)).toBe(users('connectAccount'))

    await press(users('merge'))
    await type(dialog.getByRole('searchbox'), other.username)
    await confirm(`${users('mergeChoose')} ${other.username}`)
    await confirm(users('merge'))
    await dialog.getByText(menu('typeToConfirmProblem', { text: other.username })).waitFor()
    await look('administrators')
    await type(dialog.getByRole('textbox'), other.username)
    await confirm(users('merge'))
    await seeToast(users('merged', { name: other.username }))
    await expect.poll(() => getFocused(page)).toBe(users('merge'))
    expect(await listAccounts(kept.id)).toHaveLength(3)
  })
})
