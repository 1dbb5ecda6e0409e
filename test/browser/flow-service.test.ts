import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { buildManageSteps } from '../../lib/features/configuration/managed.records.ts'
import { ageProofs } from '../support/account-pages.ts'
import { type PersonaConsole, visitConsole } from '../support/console.ts'
import { makeBlackBars, makePng } from '../support/images.ts'
import { getFocused } from '../support/pages.ts'
import { inOneBrowser, loadWords, type Persona } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({
  ALLOWED_ORIGINS: 'https://cinema.example',
  LINK_URL: 'Archive=https://cinema.example/archive/{id},Cinema=https://cinema.example/shared/{id}',
})

const png = { name: 'logo.png', mimeType: 'image/png', buffer: makePng(160, 40) }
const darkPng = { ...png, buffer: makeBlackBars(160, 40) }
const svg = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg onload="alert(1)"/>') }

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('brands the service and a product, with a preview, and returns to the defaults', async () => {
    const { kit, menu } = await loadShared(persona)
    const t = await loadWords(persona, 'branding')
    const signIn = await loadWords(persona, 'signIn')
    const console = await visitConsole(service, browser, persona)
    const { page, activate, check, choose, choosePlace, fill, look, press, seeToast, upload } = console
    const read = readAs(console)
    const name = '<i>Acme</i>'
    await choosePlace(menu('branding'))
    await fill({
      [t('productName')]: name,
      [t('supportUrl')]: 'https://acme.example/help',
      [t('accentColor')]: '#ffff00',
    })
    const frame = (mode: 'light' | 'dark') =>
      page.frameLocator(`iframe[title="${t('previewFrame', { mode: t(mode) })}"]`)
    for (const mode of ['light', 'dark'] as const)
      await frame(mode).locator('.button.primary').getByText(signIn('signIn'), { exact: true }).waitFor()
    await frame('dark').locator('.brand').getByText(name, { exact: true }).waitFor()
    await page.getByText(t('textContrast', { ratio: '19.55' })).waitFor()
    await look('administrators')
    await fill({ [t('accentColor')]: '#b4530' })
    await page.getByText(t('colorForm')).waitFor()
    await press(kit('save'))
    await fill({ [t('accentColor')]: '#ffff00', [t('greeting')]: '<u>Hello</u>' })
    await choose(page.getByLabel(t('cornerRadius'), { exact: true }), t('radiusLarge'))
    await frame('light').getByText('<u>Hello</u>').waitFor()
    await check(page.getByLabel(t('ownBackground'), { exact: true }))
    await fill({ [t('backgroundColor')]: '#111827' })
    await page.getByText(t('lighter')).waitFor()
    await fill({ [t('backgroundColor')]: '#fff7ed' })
    await look('administrators')
    await press(kit('save'))
    await seeToast(kit('saved'))
    const saved = {
      product_name: name,
      accent_color: '#ffff00',
      background_color: '#fff7ed',
      corner_radius: 'large',
      support_url: 'https://acme.example/help',
      texts: [{ language: persona.language, greeting: '<u>Hello</u>', footer: null, support_url: null }],
    }
    expect(await read('/api/2/branding')).toMatchObject(saved)

    const fieldOf = (image: string) => page.getByLabel(t('chooseImage', { image }), { exact: true })
    const field = fieldOf(t('logo'))
    await upload(field, svg)
    await page.getByText(t('logoWrongType')).waitFor()
    await look('administrators')
    await upload(field, { ...png, buffer: Buffer.alloc(128 * 1024 + 1) })
    await page.getByText(t('logoTooLarge')).waitFor()
    await upload(field, { ...png, buffer: Buffer.from('no image') })
    await page.getByText(t('logoWrongType')).waitFor()
    await upload(field, png)
    await page.getByRole('img', { name: t('logo') }).waitFor()
    await look('administrators')
    // One button saves images and texts, and leaving the page asks before.
    await fill({ [t('productName')]: `${name}!` })
    expect(await read('/api/2/branding')).toMatchObject({ logo: null, product_name: name })
    await page.evaluate("location.hash = '#/groups'")
    await activate(page.getByRole('dialog').getByRole('button', { name: kit('cancel'), exact: true }))
    await press(kit('save'))
    await seeToast(kit('saved'))
    expect(await read('/api/2/branding')).toMatchObject({
      logo: { width: 160, height: 40 },
      product_name: `${name}!`,
    })
    await press(t('removeImage', { image: t('logo') }))
    // The button is no longer there.
    await expect.poll(() => getFocused(page)).toBe(t('logo'))
    await fill({ [t('productName')]: name })
    await press(kit('save'))
    await seeToast(kit('saved'))
    expect(await read('/api/2/branding')).toMatchObject({ logo: null, product_name: name })
    await upload(field, darkPng)
    await page.getByText(t('hardInDark')).waitFor()
    await look('administrators')
    await upload(fieldOf(t('darkLogo')), darkPng)
    await page.getByText(t('hardToSee')).waitFor()
    await upload(fieldOf(t('icon')), png)
    await page.getByRole('img', { name: t('icon'), exact: true }).waitFor()
    await press(kit('save'))
    await seeToast(kit('saved'))
    const { logo: stored, dark_logo: dark, icon } = await read('/api/2/branding')
    expect([stored, dark, icon].every(Boolean)).toBe(true)

    // The arrow keys lead over another product. Nothing is shown before the person confirms.
    const chooseScope = async (scope: string) => {
      await choose(page.getByLabel(t('scope'), { exact: true }), scope)
      await page.keyboard.press('Enter')
      await expect.poll(() => getFocused(page)).toBe(menu('branding'))
    }
    await chooseScope('Cinema')
    expect(new URL(page.url()).hash).toBe('#/branding/Cinema')
    await page.getByText(t('inherited')).first().waitFor()
    await fill({ [t('productName')]: 'Cinema' })
    await frame('light').getByAltText('Cinema').waitFor()
    await look('administrators')
    await press(kit('save'))
    await seeToast(kit('saved'))
    const { logo } = await read('/api/2/branding')
    expect(await read('/api/2/branding?product=Cinema')).toMatchObject({
      product_name: 'Cinema',
      accent_color: '#ffff00',
      logo,
    })
    for (const place of [undefined, t('wholeService')]) {
      if (place) await chooseScope(place)
      await press(t('reset'))
      await page.getByText(t('resetText')).waitFor()
      await look('administrators')
      await activate(page.getByRole('dialog').getByRole('button', { name: t('reset') }))
      await seeToast(t('resetDone'))
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(await read('/api/2/branding')).toMatchObject({ product_name: 'Latchkey', logo: null })
  })

  it('registers an app, sees its secret once, changes it, renews the secret and deletes it', async () => {
    const { kit, menu } = await loadShared(persona)
    const t = await loadWords(persona, 'apps')
    const console = await visitConsole(service, browser, persona)
    const { page, activate, choose, choosePlace, fill, look, openTab, press, problem, seeToast } = console
    const read = readAs(console)
    const dialog = page.getByRole('dialog')
    const confirm = (name: string) => activate(dialog.getByRole('button', { name, exact: true }))
    const name = `<b>Shop</b> ${persona.language}`
    await choosePlace(menu('apps'))
    await page.getByText(t('empty')).waitFor()
    await look('administrators')
    await activate(page.getByRole('link', { name: t('newApp'), exact: true }))
    await press(t('create'))
    await page.getByText(kit('required')).waitFor()
    await fill({ [t('name')]: name, [t('redirects')]: 'http://shop.example/callback#part' })
    await press(t('create'))
    await problem.getByText(menu('problemFields')).waitFor()
    await look('administrators')
    await fill({ [t('redirects')]: 'https://shop.example/callback' })
    await press(t('create'))
    await page.getByText(t('secretOnce')).waitFor()
    const secret = await dialog.locator('code').innerText()
    expect(secret.length).toBeGreaterThan(20)
    // The second press closes a dialog in Chromium, also if its page prevents it.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.isVisible()).toBe(true)
    expect(await dialog.locator('code').innerText()).toBe(secret)
    await look('administrators')
    await confirm(t('secretStored'))
    await page.getByRole('heading', { level: 1, name }).waitFor()
    expect(await page.content()).not.toContain(secret)
    const [{ id }] = await read('/api/2/oidc-clients')
    await openTab(t('settings'))
    await fill({ [t('afterSignOut')]: 'https://shop.example/bye' })
    await openTab(t('tabTokens'))
    await fill({ [t('accessLifetime')]: '0' })
    // The tab with the wrong field opens.
    await openTab(t('tabConnect'))
    await press(kit('save'))
    await problem.getByText(menu('problemFields')).waitFor()
    await fill({ [t('accessLifetime')]: '15' })
    await look('administrators')
    await press(kit('save'))
    await seeToast(kit('saved'))
    expect(await read(`/api/2/oidc-clients/${id}`)).toMatchObject({
      redirect_uris: ['https://shop.example/callback'],
      post_logout_redirect_uris: ['https://shop.example/bye'],
      access_token_lifetime: 900,
      scopes: ['openid', 'profile', 'email'],
    })
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await fill({ [t('newKey')]: JSON.stringify(privateKey.export({ format: 'jwk' })) })
    await press(t('addKey'))
    await page.getByText(t('keyPrivate')).waitFor()
    await look('administrators')
    await fill({ [t('newKey')]: String(publicKey.export({ format: 'pem', type: 'spki' })) })
    await press(t('addKey'))
    await press(kit('save'))
    await expect
      .poll(async () => (await read(`/api/2/oidc-clients/${id}`)).public_keys)
      .toMatchObject([{ kty: 'EC', crv: 'P-256' }])
    await openTab(t('tabConnect'))
    await page.getByText(`ISSUER=${service.url}`).waitFor()
    await choose(page.getByLabel(t('library')), 'mod_auth_openidc')
    await page.getByText('OIDCPKCEMethod S256').waitFor()
    await activate(page.getByRole('link', { name: t('try'), exact: true }))
    await page.getByRole('row', { name: 'preferred_username' }).first().waitFor()
    await look('administrators')
    await activate(page.getByRole('link', { name, exact: true }))
    await page.getByText('OIDCPKCEMethod S256').waitFor({ state: 'detached' })
    await press(t('renew'))
    await page.getByText(t('renewText')).waitFor()
    await choose(page.getByLabel(t('keepFor')), t('keepDays', { count: 7 }))
    await look('administrators')
    await confirm(t('renew'))
    await page.getByText(t('secretOnce')).waitFor()
    expect(await dialog.locator('code').innerText()).not.toBe(secret)
    await confirm(t('secretStored'))
    const ends = page.getByRole('button', { name: new RegExp(`^${t('endSecret')}`) })
    await expect.poll(() => ends.count()).toBe(2)
    await activate(ends.last())
    await look('administrators')
    await confirm(t('endSecret'))
    await seeToast(t('secretEnded'))
    await expect.poll(() => ends.count()).toBe(1)

    // A configuration file begins to manage it.
    const managed = await loadWords(persona, 'managed')
    const [owner, key] = ['film-library', `shop-${persona.language}`]
    await service.services.table.transact(
      buildManageSteps({ kind: 'client', key, id, owner, given: '', result: '' }, undefined),
    )
    await page.evaluate("location.hash = '#/apps'")
    await page.getByRole('row', { name: new RegExp(`${name}.*${owner}`) }).waitFor()
    await look('administrators')
    await page.goBack()
    await page.reload()
    await page.getByRole('region', { name: managed('heading') }).waitFor()
    await page.getByText(managed('managedBy', { owner, key })).waitFor()
    await look('administrators')
    expect(await page.getByRole('button', { name: t('remove'), exact: true }).count()).toBe(0)
    // Documents have no secrets, and a leaked one has to be replaced at once.
    expect(await page.getByRole('button', { name: t('renew'), exact: true }).isEnabled()).toBe(true)
    await openTab(t('settings'))
    const field = page.getByLabel(t('name'), { exact: true })
    expect(await field.isEditable()).toBe(false)
    await look('administrators')
    await press(managed('unlock'))
    await page.getByText(managed('unlockText', { owner })).waitFor()
    await look('administrators')
    await confirm(managed('unlock'))
    const banner = page.getByRole('region', { name: managed('heading'), exact: true })
    await banner.getByText('Root').waitFor()
    await expect.poll(() => banner.evaluate((shown) => shown.matches(':focus'))).toBe(true)
    await look('administrators')
    await fill({ [t('name')]: `${name}!` })
    await press(kit('save'))
    await seeToast(kit('saved'))
    expect(await read(`/api/2/oidc-clients/${id}`)).toMatchObject({ name: `${name}!` })
    await press(t('remove'))
    await look('administrators')
    await confirm(t('remove'))
    await seeToast(t('removed', { name: `${name}!` }))
    await page.getByText(t('empty')).waitFor()
  })

  it('registers an API with a scope, lets an app use it, and offers its permission for groups', async () => {
    const { kit, menu } = await loadShared(persona)
    const t = await loadWords(persona, 'protectedApis')
    const apps = await loadWords(persona, 'apps')
    const console = await visitConsole(service, browser, persona)
    const { page, activate, check, choose, choosePlace, fill, look, press, problem, seeToast, type } = console
    const read = readAs(console)
    const audience = `https://films.example/${persona.language}`
    await choosePlace(menu('apis'))
    await page.getByText(t('empty')).waitFor()
    await activate(page.getByRole('link', { name: t('agents'), exact: true }))
    await fill({ [t('agentHosts')]: `agent.example.com/${persona.language}` })
    await press(kit('save'))
    await page.getByText('must be a host, such as agent.example.com').first().waitFor()
    await look('administrators')
    await fill({ [t('agentHosts')]: `${persona.language}.example.com` })
    await press(kit('save'))
    await seeToast(kit('saved'))
    expect(await read('/api/2/system/agent-policy')).toEqual({
      hosts: [`${persona.language}.example.com`],
      callback_hosts: [],
    })
    await activate(page.getByRole('link', { name: menu('apis') }).last())
    await activate(page.getByRole('link', { name: t('newApi'), exact: true }))
    await press(t('create'))
    await page.getByText(kit('required')).first().waitFor()
    await fill({ [t('name')]: `<b>Films</b> ${persona.language}`, [t('audience')]: 'a b' })
    await press(t('addPermission'))
    await fill({ [t('permissionName')]: 'films:view', [t('permissionText')]: 'Watch films' })
    await press(t('create'))
    await problem.getByText(menu('problemFields')).waitFor()
    await look('administrators')
    await fill({ [t('audience')]: audience })
    // The text is in the language of the page, and English is needed.
    await choose(page.getByLabel(t('textsLanguage')), 'English')
    await fill({ [t('permissionText')]: 'See films' })
    await press(t('create'))
    await seeToast(t('created', { name: `<b>Films</b> ${persona.language}` }))
    await page.getByRole('heading', { level: 1, name: `<b>Films</b> ${persona.language}` }).waitFor()
    await choose(page.getByLabel(t('textsLanguage')), 'English')
    await press(t('addScope'))
    await fill({ [t('scopeName')]: 'films.read' })
    await type(page.getByLabel(t('scopeText'), { exact: true }).last(), 'Read films')
    await check(page.getByRole('group', { name: t('scopePermissions') }).getByLabel('films:view'))
    await look('administrators')
    await press(kit('save'))
    await seeToast(kit('saved'))
    const [api] = await read('/api/2/protected-apis')
    expect(api).toMatchObject({
      audience,
      scopes: [{ name: 'films.read', texts: { en: 'Read films' }, permissions: ['films:view'] }],
    })
    await choosePlace(menu('apps'))
    await activate(page.getByRole('link', { name: apps('newApp'), exact: true }))
    await fill({ [apps('name')]: 'Robot' })
    await choose(page.getByLabel(apps('template')), apps('machine'))
    await check(page.getByLabel(`<b>Films</b> ${persona.language}`))
    await check(page.getByLabel('films.read'))
    await look('administrators')
    await press(apps('create'))
    await activate(page.getByRole('button', { name: apps('secretStored'), exact: true }))
    await page.getByRole('heading', { level: 1, name: 'Robot' }).waitFor()
    const [app] = await read('/api/2/oidc-clients')
    expect(app).toMatchObject({ apis: [{ audience, scopes: ['films.read'] }], machine_permissions: [] })
    await press(apps('remove'))
    await activate(page.getByRole('dialog').getByRole('button', { name: apps('remove'), exact: true }))
    await seeToast(apps('removed', { name: 'Robot' }))
    const groups = await loadWords(persona, 'groups')
    await choosePlace(menu('groups'))
    await activate(page.getByRole('link', { name: groups('newGroup'), exact: true }))
    await look('administrators')
    await check(page.getByLabel('Watch films'))
    await check(page.getByLabel('Watch films'), false)
    await choosePlace(menu('apis'))
    await activate(page.getByRole('link', { name: `<b>Films</b> ${persona.language}`, exact: true }))
    await press(t('remove'))
    await look('administrators')
    await activate(page.getByRole('dialog').getByRole('button', { name: t('remove'), exact: true }))
    await seeToast(t('removed', { name: `<b>Films</b> ${persona.language}` }))
    await page.getByText(t('empty')).waitFor()
  })

  it('edits the rules for passwords with examples, and those for sign-in after a proof of identity', async () => {
    const { kit, menu } = await loadShared(persona)
    const t = await loadWords(persona, 'policies')
    const session = await loadWords(persona, 'session')
    const console = await visitConsole(service, browser, persona)
    const { page, activate, check, choosePlace, fill, look, person, press, seeToast, type } = console
    const read = readAs(console)
    const result = (password: string, text: string) =>
      page.getByRole('listitem').filter({ hasText: password }).getByText(text).waitFor()
    await choosePlace(menu('policies'))
    const length = 10 - inOneBrowser.indexOf(persona)
    await fill({ [t('minLength')]: String(length) })
    await result('Summer2026', t('meets'))
    await press(t('addGroup'))
    await fill({ [t('groupName')]: '#!', [t('groupRegex')]: '[#!]' })
    await fill({ [t('example')]: 'Summer2026!' })
    await result('Summer2026!', t('meets'))
    await look('administrators')
    await press(t('removeGroup', { name: '#!' }))
    await press(kit('save'))
    await seeToast(kit('saved'))
    expect(await read('/api/2/system/password-policy')).toMatchObject({ min_length: length })

    await activate(page.getByRole('link', { name: t('secondFactor'), exact: true }))
    const days = 14 + inOneBrowser.indexOf(persona)
    await fill({ [t('graceDays')]: String(days) })
    await ageProofs(service, person)
    await press(kit('save'))
    await page.getByText(session('confirmText')).waitFor()
    await look('administrators')
    await type(page.getByLabel(session('password'), { exact: true }), 'wrong')
    await press(session('confirm'))
    await page.getByText(session('wrongPassword')).waitFor()
    await look('administrators')
    await type(page.getByLabel(session('password'), { exact: true }), person.password)
    await press(session('confirm'))
    await page.getByText(menu('unsavedChanges')).waitFor({ state: 'detached' })
    expect(await read('/api/2/system/sign-in-policy')).toMatchObject({
      second_factor_grace_days: days,
    })
    await activate(page.getByRole('link', { name: t('accountDeletion'), exact: true }))
    await page.getByLabel(t('deletionRule')).waitFor()
    await look('administrators')
    await activate(page.getByRole('link', { name: t('codesByEmail'), exact: true }))
    const emailCodes = page.getByLabel(t('emailCodes'), { exact: true })
    await emailCodes.waitFor()
    // The persona before has turned them on.
    const isOn = !(await emailCodes.isChecked())
    await check(emailCodes, isOn)
    await press(kit('save'))
    await page.getByText(menu('unsavedChanges')).waitFor({ state: 'detached' })
    expect(await read('/api/2/system/sign-in-policy')).toMatchObject({
      second_factor_grace_days: days,
      allow_email_codes: isOn,
    })
    await check(emailCodes, !isOn)
    await look('administrators')
    await press(menu('discard'))
  })

  it('reads in words how the service works', async () => {
    const { menu } = await loadShared(persona)
    const t = await loadWords(persona, 'health')
    const { page, choosePlace, look, press, problem, state } = await visitConsole(service, browser, persona)
    await choosePlace(menu('health'))
    await state.getByText(t('allGood')).waitFor()
    await look('administrators')
    const check = { name: 'mail', status: 'failing', detail: '<u>limit</u>', duration_ms: 1 }
    await page.route('**/api/2/health?deep=true', (route) =>
      route.fulfill({ status: 503, json: { status: 'failing', version: '1', checks: [check] } }),
    )
    await press(t('again'))
    await problem.getByText(t('failing')).waitFor()
    await page.getByText('<u>limit</u>').waitFor()
    await look('administrators')
  })
})

const readAs =
  ({ page }: PersonaConsole) =>
  async (path: string) =>
    (await page.request.get(service.url + path)).json()

const loadShared = async (persona: Persona) => ({
  kit: await loadWords(persona, 'kit'),
  menu: await loadWords(persona, 'console'),
})
