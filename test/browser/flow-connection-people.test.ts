import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { visitConsole } from '../support/console.ts'
import { makeIdp } from '../support/idp.ts'
import { getFocused } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { inOneBrowser, loadWords } from '../support/personas.ts'
import { addProvider } from '../support/saml.ts'
import { SetupBrowser } from '../support/setup-browser.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const provider = await addProvider(service, await makeIdp(), { name: 'Acme' })

describe.each(inOneBrowser)('$name', async (persona) => {
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
      shared: await loadWords(persona, 'connections'),
    }
  }

  it('gives a customer a link to set a provider up, and revokes it', async () => {
    const t = await loadWords(persona, 'setupLinks')
    const { page, choosePlace, confirm, fill, follow, kit, look, menu, press, seeToast, shared } =
      await enter()
    const saml = await loadWords(persona, 'samlConnections')
    await choosePlace(menu('connections'))
    await follow(shared('newConnection'))
    await follow(saml('newConnection'))
    const name = `Customer in ${persona.language}`
    await fill({ [shared('name')]: name })
    await press(kit('continue'))
    await page.getByRole('heading', { name: saml('stepValues') }).waitFor()
    await press(t('create'))
    const link = page.getByText('/setup#token=')
    const token = new URL((await link.innerText()).trim()).hash.slice('#token='.length)
    await look('administrators')
    await choosePlace(menu('connections'))
    await follow(name)
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
    const { page, choose, confirm, dialog, fill, look, menu, open, openTab, press, pressIn } = visit
    const { read, seeToast, shared, type, upload } = visit
    const [{ user: kept }, { user: other }] = [
      await addPerson(service, { username: `ada-${randomUUID()}` }),
      await addPerson(service, { username: `grace-${randomUUID()}` }),
    ]
    await open(`/connections/saml/${provider.id}`)
    await openTab(shared('tabPeople'))
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
    const listAccounts = (id: number) => read(`/api/2/users/${id}/company-accounts`)
    expect(await listAccounts(other.id)).toMatchObject([{ name: `list, ${persona.language} 1` }])

    await open(`/users/${kept.id}`)
    await openTab(users('signIn'))
    await press(users('connectAccount'))
    await choose(dialog.getByLabel(users('connection')), 'Acme')
    await fill({ [users('nameThere')]: `subject ${persona.language}` })
    await look('administrators')
    await confirm(users('connectAccount'))
    await seeToast(users('accountConnected'))
    await page.getByText(`subject ${persona.language}`).waitFor()
    await expect.poll(() => getFocused(page)).toBe(users('connectAccount'))

    await pressIn(users('actions'), users('merge'))
    await type(dialog.getByRole('searchbox'), other.username)
    await confirm(`${users('mergeChoose')} ${other.username}`)
    await confirm(users('merge'))
    await dialog.getByText(menu('typeToConfirmProblem', { text: other.username })).waitFor()
    await look('administrators')
    await type(dialog.getByRole('textbox'), other.username)
    await confirm(users('merge'))
    await seeToast(users('merged', { name: other.username }))
    await expect.poll(() => getFocused(page)).toBe(users('actions'))
    expect(await listAccounts(kept.id)).toHaveLength(3)
  })
})
