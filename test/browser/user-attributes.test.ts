import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openSection, startAccountFlow } from '../support/account-flows.ts'
import { visitConsole } from '../support/console.ts'
import { addRelyingParty } from '../support/oidc.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { inOneBrowser, loadWords } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({}, { hostname: 'localhost' })

const path = '/api/2/system/user-attributes'

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('defines an attribute, gives a user a value, and finds them by it', async () => {
    const [t, menu, kit] = [
      await loadWords(persona, 'userAttributes'),
      await loadWords(persona, 'console'),
      await loadWords(persona, 'kit'),
    ]
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await service.client('PUT', path, { bearer, body: { attributes: [] } })
    const { user } = await addPerson(service, { username: `ada-${randomUUID()}` })
    const visit = await visitConsole(service, browser, persona)
    const { page, check, choose, choosePlace, fill, look, open, press, seeToast, type } = visit
    await choosePlace(menu('userAttributes'))
    await press(t('add'))
    await fill({ [t('name')]: 'Staff Number', [t('label')]: 'N° <1>' })
    await choose(page.getByLabel(t('userAccess'), { exact: true }), t('read'))
    await check(page.getByLabel(t('searchable'), { exact: true }))
    await look('administrators')
    await press(kit('save'))
    await expect
      .poll(() => page.getByLabel(t('name'), { exact: true }).getAttribute('aria-invalid'))
      .toBe('true')
    await fill({ [t('name')]: 'staff_number' })
    await press(kit('save'))
    await seeToast(kit('saved'))
    await look('administrators')
    await open(`/users/${user.id}`)
    await fill({ 'N° <1>': 'E-1234' })
    await press(kit('save'))
    await seeToast(kit('saved'))
    await look('administrators')
    await open('/users')
    await type(page.getByRole('searchbox', { name: 'N° <1>' }), 'e-1234')
    const rows = page.getByRole('table').locator('tbody tr')
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining(user.username)])
    await look('administrators')
  })

  it('adds a claim for an app and an API, and learns why one is refused', async () => {
    const [t, apps, menu, kit] = [
      await loadWords(persona, 'userAttributes'),
      await loadWords(persona, 'apps'),
      await loadWords(persona, 'console'),
      await loadWords(persona, 'kit'),
    ]
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const attributes = [
      { name: 'tier', type: 'text' },
      { name: 'tags', type: 'text', user_access: 'write' },
    ]
    await service.client('PUT', path, { bearer, body: { attributes, claims: [] } })
    const audience = `https://films.example.com/${randomUUID()}`
    const { client } = await addRelyingParty(service, { audiences: [audience] })
    const visit = await visitConsole(service, browser, persona)
    const { page, check, choose, choosePlace, fill, look, press, seeToast } = visit
    await choosePlace(menu('userAttributes'))
    await press(t('addClaim'))
    await fill({ [t('claimName')]: 'tier' })
    await choose(page.getByLabel(t('place'), { exact: true }), t('top'))
    await choose(page.getByLabel(t('attribute'), { exact: true }), 'tags')
    await check(page.getByLabel(apps('inAccessToken'), { exact: true }))
    await check(page.getByLabel(client.name, { exact: true }))
    await check(page.getByLabel(audience, { exact: true }))
    await press(kit('save'))
    await page.locator('.field-problem', { hasText: 'users can write tags' }).waitFor()
    await look('administrators')
    await choose(page.getByLabel(t('attribute'), { exact: true }), 'tier')
    await press(kit('save'))
    await seeToast(kit('saved'))
    const { body } = await service.client('GET', path, { bearer })
    expect(body.claims).toEqual([
      {
        ...{ name: 'tier', place: 'top', source: 'attribute', value: 'tier' },
        ...{ outputs: ['id_token', 'access_token'], clients: [client.clientId], apis: [audience] },
      },
    ])
    await service.client('PUT', path, { bearer, body: { attributes: [], claims: [] } })
  })

  it('sees and changes what they may on the account page', async () => {
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const attributes = [
      { name: 'plan', type: 'text', values: ['free', 'pro'], user_access: 'read' },
      { name: 'topics', type: 'texts', user_access: 'write' },
      { name: 'born', type: 'date', user_access: 'write' },
      { name: 'newsletter', type: 'boolean', user_access: 'write' },
      { name: 'size', type: 'number', user_access: 'write' },
      { name: 'note', type: 'text' },
    ]
    await service.client('PUT', path, { bearer, body: { attributes } })
    const flow = await startAccountFlow(service, browser, persona)
    const { page, choose, fill, look, seeDone, words, person } = flow
    const values = [
      { name: 'plan', value: 'pro' },
      { name: 'note', value: 'hidden' },
    ]
    await service.client('PATCH', `/api/2/users/${person.user.id}`, { bearer, body: { attributes: values } })
    await openSection(service, flow, 'profile')
    const panel = page.getByRole('region', { name: words.account('attributes') })
    await panel.getByText('pro', { exact: true }).waitFor()
    expect(await panel.innerText()).not.toContain('hidden')
    const yes = (await loadWords(persona, 'session'))('attributeYes')
    await fill({ topics: 'film', size: 'XL' })
    // The order of its parts depends on the browser.
    await page.getByLabel('born').fill('2001-02-03')
    await choose(panel.getByLabel('newsletter'), yes)
    const save = panel.getByRole('button', { name: words.kit('save') })
    await flow.activate(save)
    await panel.getByText(words.account('attributeProblem')).waitFor()
    await look()
    await fill({ size: '4.5' })
    await flow.activate(save)
    await seeDone(words.kit('saved'))
    await look()
    const { body } = await service.client('GET', `/api/2/users/${person.user.id}`, { bearer })
    expect(body.attributes).toEqual([
      { name: 'plan', value: 'pro' },
      { name: 'topics', value: ['film'] },
      { name: 'born', value: '2001-02-03' },
      { name: 'newsletter', value: true },
      { name: 'size', value: 4.5 },
      { name: 'note', value: 'hidden' },
    ])
  })
})
