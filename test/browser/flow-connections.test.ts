import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate } from '../support/certificates.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { visitConsole } from '../support/console.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { type IdpSite, startIdpSite } from '../support/idp-site.ts'
import { clientId, clientSecret, startUpstream } from '../support/oidc-upstream.ts'
import { saveFile } from '../support/pages.ts'
import { inOneBrowser, loadWords, type Persona } from '../support/personas.ts'
import { plainMetadata } from '../support/saml-metadata.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const upstream = closeAfterTests(await startUpstream())
const dns = closeAfterTests(await startDnsServer())
const ending = await makeCertificate({ name: 'ending', days: { from: -1, to: 5 } })

const evilName = '<img src=x onerror="document.title=1"> & Co'

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)
  let site: IdpSite
  beforeAll(async () => {
    site = await startIdpSite()
  })
  afterAll(() => site.close())

  it('sets a provider up by a file, and sees that its certificate ends soon', async () => {
    const { kit, menu, shared, t } = await loadAllWords(persona)
    const { page, activate, choose, choosePlace, fill, look, press, problem, state, upload } =
      await visitConsole(service, browser, persona)
    const follow = (name: string) => activate(page.getByRole('link', { name, exact: true }))
    await choosePlace(menu('connections'))
    await follow(shared('newConnection'))
    await look('administrators')
    await follow(t('newConnection'))
    const name = `File of ${persona.browser} in ${persona.language}`
    await fill({ [shared('name')]: name })
    await press(kit('continue'))
    await page.getByRole('heading', { name: t('stepValues') }).waitFor()
    await press(kit('continue'))
    await choose(page.getByLabel(t('source'), { exact: true }), t('byFile'))
    const field = page.getByLabel(t('metadataFile'), { exact: true })
    const file = { name: 'metadata.xml', mimeType: 'application/xml' }
    await upload(field, { ...file, buffer: Buffer.from('<html onload="alert(1)">') })
    await press(t('read'))
    await problem.getByText(t('unreadable')).waitFor()
    await look('administrators')
    const metadata = plainMetadata({
      entityId: `https://${persona.language}.example/saml`,
      certificates: [ending],
    })
    await upload(field, { ...file, buffer: Buffer.from(metadata) })
    await press(t('read'))
    await state.getByText(t('found')).waitFor()
    await press(kit('continue'))
    await press(kit('continue'))
    await press(t('create'))
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await problem.getByText(t('theirsWarning')).waitFor()
    await look('administrators')
    await activate(page.getByRole('link', { name: menu('connections'), exact: true }).last())
    const row = page.getByRole('row').filter({ hasText: name })
    await row.locator('.tag.warning').waitFor()
    await look('administrators')
  })

  it('sets a provider up by its address, tests it, repairs it, renews keys and deletes it', async () => {
    const { kit, links, menu, shared, t, test } = await loadAllWords(persona)
    const {
      page,
      activate,
      check,
      choose,
      choosePlace,
      fill,
      look,
      openTab,
      press,
      problem,
      seeToast,
      state,
      type,
    } = await visitConsole(service, browser, persona)
    const follow = (name: string) => activate(page.getByRole('link', { name, exact: true }))
    const confirm = (name: string) => activate(page.getByRole('dialog').getByRole('button', { name }))
    const read = async (path: string) => (await page.request.get(service.url + path)).json()
    const readDomains = (id: number) => read(`/api/2/auth/connections/${id}/domains`)
    const readState = async (id: number) => (await readDomains(id))[0]?.state
    const seeHeading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

    await choosePlace(menu('connections'))
    await look('administrators')
    await follow(shared('newConnection'))
    await follow(t('newConnection'))
    await press(kit('continue'))
    await page.getByText(kit('required')).waitFor()
    await look('administrators')
    await fill({ [shared('name')]: evilName })
    await press(kit('continue'))
    await page.getByRole('heading', { name: t('stepValues') }).waitFor()
    await look('administrators')
    // Someone who enters the values first comes back another day.
    await choosePlace(menu('connections'))
    await page.getByRole('row').filter({ hasText: evilName }).getByText(t('inSetup')).waitFor()
    await follow(evilName)
    await follow(links('continue'))
    await page.getByText(/\/api\/2\/auth\/saml\/\d+\/metadata$/).waitFor()
    await press(kit('continue'))
    await fill({ [t('metadataAddress')]: 'http://127.0.0.1:1/metadata' })
    await press(t('read'))
    await problem.getByText(t('unreachable')).waitFor()
    await look('administrators')
    await fill({ [t('metadataAddress')]: site.metadataUrl })
    await press(t('read'))
    await state.getByText(t('found')).waitFor()
    await expect
      .poll(() => page.getByLabel(t('entityId'), { exact: true }).inputValue())
      .toBe(site.idp.entityId)
    await look('administrators')
    await press(kit('continue'))
    await check(page.getByLabel(shared('autoCreate'), { exact: true }))
    await choose(page.getByLabel(shared('template'), { exact: true }), shared('noTemplate'))
    await check(page.getByLabel(shared('syncGroups'), { exact: true }))
    await type(page.getByLabel(shared('groups'), { exact: true }), 'Editors')
    await look('administrators')
    await press(kit('continue'))
    await look('administrators')
    await press(t('create'))
    await seeHeading(evilName)
    const id = Number(/connections\/saml\/(\d+)/.exec(page.url())?.[1])
    const path = `/api/2/auth/saml/${id}`
    const provider = await read(path)
    expect(provider).toMatchObject({
      name: evilName,
      metadata_url_source: site.metadataUrl,
      auto_create_users: true,
      allowed_groups: ['Editors'],
    })

    const { text } = await saveFile(page, () => follow(t('download')))
    expect(text).toContain(provider.assertion_url)
    await look('administrators')

    site.trust([provider.sp_certificate])
    site.answerWith({ nameId: '<b>ada</b>', audiences: ['https://other.example'] })
    await follow(shared('startTest'))
    await press('Go on')
    await problem.getByText(test('refused', { name: evilName })).waitFor()
    await page.getByText(test('audienceAdvice', { value: provider.metadata_url })).waitFor()
    await activate(page.getByText(test('technical')))
    await page.getByText('The assertion was issued for another service.').waitFor()
    await look('administrators')
    site.answerWith({ nameId: '<b>ada</b>' })
    await follow(test('again'))
    await press('Go on')
    await state.getByText(test('accepted', { name: evilName })).waitFor()
    await page.getByText('<b>ada</b>', { exact: true }).waitFor()
    await look('administrators')

    await follow(evilName)
    await openTab(shared('tabPeople'))
    await type(page.getByLabel(shared('newDomain'), { exact: true }), 'co.uk')
    await press(shared('addDomain'))
    await page.getByText('must be a domain that an organization can own').first().waitFor()
    await fill({ [shared('newDomain')]: 'Bücher.example' })
    await press(shared('addDomain'))
    const domain = 'xn--bcher-kva.example'
    await seeToast(shared('domainAdded', { domain }))
    await page.getByText(shared('domainPending')).waitFor()
    await page.getByText(`_latchkey.${domain}`, { exact: true }).waitFor()
    await look('administrators')
    const [{ txt_name: record, txt_value: value }] = await readDomains(id)
    dns.answers.set(record, [Buffer.from(value)])
    const ofDomain = (action: string) => page.getByRole('button', { name: `${action} ${domain}` })
    await activate(ofDomain(shared('checkNow')))
    await expect.poll(() => readState(id)).toBe('proven')
    dns.answers.delete(record)
    await activate(ofDomain(shared('checkNow')))
    await expect.poll(() => readState(id)).toBe('lost')
    await look('administrators')
    await activate(ofDomain(shared('vouch')))
    await page.getByText(shared('vouchText')).waitFor()
    await look('administrators')
    await confirm(shared('vouch'))
    await page.getByText(shared('domainVouched')).waitFor()
    await activate(ofDomain(shared('removeDomain')))
    await confirm(shared('removeDomain'))
    await ofDomain(shared('removeDomain')).waitFor({ state: 'detached' })
    await openTab(shared('settings'))
    await check(page.getByLabel(shared('hidden'), { exact: true }), false)
    await look('administrators')
    await press(kit('save'))
    await seeToast(kit('saved'))
    expect(await read(path)).toMatchObject({ domains: [], disabled_in_client: false })
    await openTab(shared('tabConnect'))
    await press(t('rotateFirst'))
    await page.getByText(t('rotateSecondText')).waitFor()
    await look('administrators')
    await press(t('rotateSecond'))
    await page.getByText(t('rotateConfirm')).waitFor()
    await look('administrators')
    await confirm(t('rotateSecond'))
    await seeToast(t('switched'))
    expect((await read(path)).sp_certificate).not.toBe(provider.sp_certificate)
    await activate(page.getByRole('form', { name: t('refresh') }).getByRole('button'))
    await seeToast(t('refreshed'))
    await press(shared('remove'))
    await look('administrators')
    await confirm(shared('remove'))
    await seeToast(shared('removed', { name: evilName }))
    await seeHeading(menu('connections'))
  })

  it('sets up a connection by OpenID Connect that the sign-in page offers, tests and deletes it', async () => {
    const { kit, menu, shared, oidc: t, test } = await loadAllWords(persona)
    const { page, activate, check, choose, choosePlace, fill, look, openTab, press, seeToast } =
      await visitConsole(service, browser, persona)
    const follow = (name: string) => activate(page.getByRole('link', { name, exact: true }))
    const confirm = (name: string) => activate(page.getByRole('dialog').getByRole('button', { name }))
    const read = async (path: string) => (await page.request.get(service.url + path)).json()
    const field = (label: string) => page.getByLabel(label, { exact: true })
    await choosePlace(menu('connections'))
    await follow(shared('newConnection'))
    await follow(t('newConnection'))
    await choose(field(t('provider')), 'Microsoft Entra ID')
    expect(await field(t('issuer')).inputValue()).toBe('https://login.microsoftonline.com/TENANT-ID/v2.0')
    await choose(field(t('provider')), 'Google Workspace')
    const name = `Example in ${persona.language}`
    await fill({ [shared('name')]: name, [t('clientId')]: clientId })
    await press(t('create'))
    await page.getByText(kit('required')).waitFor()
    await look('administrators')
    await fill({ [t('clientSecret')]: clientSecret })
    await press(t('create'))
    await page.getByText('is required for Google').first().waitFor()
    await fill({ [t('issuer')]: upstream.issuer })
    await press(t('create'))
    await page.getByRole('heading', { level: 1, name }).waitFor()
    const id = Number(/connections\/oidc\/(\d+)/.exec(page.url())?.[1])
    const path = `/api/2/auth/oidc-connections/${id}`
    await page.getByText(`${service.url}${path}/callback`).waitFor()
    await openTab(shared('settings'))
    expect(await field(t('clientSecret')).inputValue()).toBe('')
    const domain = `${persona.language}.example.com`
    await openTab(shared('tabPeople'))
    await fill({ [shared('newDomain')]: domain })
    await press(shared('addDomain'))
    await page.getByRole('heading', { name: domain }).waitFor()
    await look('administrators')

    const isOffered = async () => (await (await fetch(service.url)).text()).includes(name)
    await openTab(shared('settings'))
    for (const isHidden of [false, true]) {
      await check(field(shared('hidden')), isHidden)
      await press(kit('save'))
      await seeToast(kit('saved'))
      expect(await read(path)).toMatchObject({
        disabled_in_client: isHidden,
        client_secret: '********',
      })
      // The list of the page is kept for a moment.
      if (!isHidden) await expect.poll(isOffered).toBe(true)
    }

    upstream.behave({ tokenStatus: 400, tokens: { error: 'invalid_client' } })
    await openTab(shared('tabConnect'))
    await follow(shared('startTest'))
    await page.getByText(test('tokenAdvice', { value: `${service.url}${path}/callback` })).waitFor()
    await look('administrators')
    upstream.behave({})
    await follow(test('again'))
    await page.getByRole('heading', { name: test('sent') }).waitFor()
    await page.getByText('ada@example.com').first().waitFor()
    await look('administrators')
    await choosePlace(menu('connections'))
    const row = page.getByRole('row').filter({ hasText: name })
    await row.getByText('OpenID Connect', { exact: true }).waitFor()
    await row.getByText(upstream.issuer, { exact: true }).waitFor()
    await look('administrators')
    await follow(name)
    await press(shared('remove'))
    await confirm(shared('remove'))
    await seeToast(shared('removed', { name }))

    // A provider that everybody can have an account at.
    await follow(shared('newConnection'))
    await follow(t('newConnection'))
    await choose(field(t('provider')), t('nameForAll', { name: 'GitHub' }))
    expect(await field(t('authMethod')).inputValue()).toBe('client_secret_post')
    await choose(field(t('provider')), t('nameForAll', { name: 'Apple' }))
    await field(t('appleTeamId')).waitFor()
    await field(t('appleKeyId')).waitFor()
    await field(t('appleKey')).waitFor()
    expect(await field(t('issuer')).inputValue()).toBe('https://appleid.apple.com')
    await choose(field(t('provider')), t('nameForAll', { name: 'Google' }))
    expect(await field(t('authMethod')).inputValue()).toBe('client_secret_basic')
    await choose(field(t('firstSignIn')), t('firstRefuse'))
    await look('administrators')
    await fill({
      [t('clientId')]: clientId,
      [t('clientSecret')]: clientSecret,
      [t('issuer')]: upstream.issuer,
    })
    await press(t('create'))
    await page.getByRole('heading', { level: 1, name: 'Google', exact: true }).waitFor()
    const publicId = Number(/connections\/oidc\/(\d+)/.exec(page.url())?.[1])
    const publicPath = `/api/2/auth/oidc-connections/${publicId}`
    await page.getByText(`${service.url}${publicPath}/callback`).waitFor()
    await openTab(shared('settings'))
    await page.getByText(t('nameForAll', { name: 'Google' }), { exact: true }).waitFor()
    await choose(field(t('firstSignIn')), t('firstCreate'))
    await look('administrators')
    await press(kit('save'))
    await seeToast(kit('saved'))
    expect(await read(publicPath)).toMatchObject({ public_provider: 'google', first_sign_in: 'create' })
    await press(shared('remove'))
    await confirm(shared('remove'))
    await seeToast(shared('removed', { name: 'Google' }))
  })
})

const loadAllWords = async (persona: Persona) => ({
  kit: await loadWords(persona, 'kit'),
  menu: await loadWords(persona, 'console'),
  links: await loadWords(persona, 'setupLinks'),
  shared: await loadWords(persona, 'connections'),
  t: await loadWords(persona, 'samlConnections'),
  oidc: await loadWords(persona, 'oidcConnections'),
  test: await loadWords(persona, 'connectionTests'),
})
