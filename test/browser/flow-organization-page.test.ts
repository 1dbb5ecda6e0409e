import { describe, expect, it } from 'vitest'
import { copyOrganizationEvents } from '../../lib/features/organizations/events.records.ts'
import { isolate } from '../../lib/kernel/i18n/languages.ts'
import { openSection, startAccountFlow } from '../support/account-flows.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { makePng } from '../support/images.ts'
import { addOrganization, newPersonAddress, readJoinToken } from '../support/organization-invitations.ts'
import { openPage } from '../support/pages.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { inOneBrowser, loadWords, type Persona, personas, takesAll } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const staff = await addSignedIn(service, { permissions: ['system:admin-access'] })
await callAs(service, staff)('PUT', 'organization-roles', {
  roles: [{ key: 'editor', texts: { en: 'Editor' }, permissions: ['films:edit'] }],
})

await callAs(service, staff)('PUT', 'organization-policy', {
  company_sign_in: 'ask',
  ending_grace_days: 30,
})

/** The pages of an organization are for everybody, so each kind of writing takes the walk in `npm run test:browser:all`. */
const others: readonly Persona[] = [
  { name: 'in English, on a phone', browser: 'Chromium', language: 'en', width: 360, height: 740 },
  { name: 'in Arabic', browser: 'Firefox', language: 'ar', width: 1280, height: 800 },
]
const walkers = takesAll ? [...personas, ...others] : inOneBrowser

describe.each(walkers)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('leads an owner from the account over an invitation and an API token to a member who leaves', async () => {
    const shared = await loadWords(persona, 'organization')
    const words = await loadWords(persona, 'organizationAccess')
    const own = await loadWords(persona, 'organizationPage')
    const events = await loadWords(persona, 'organizationEvents')
    const invite = await loadWords(persona, 'invite')
    const signIn = await loadWords(persona, 'organizationSignIn')
    const setup = await loadWords(persona, 'setup')
    const headingOf = (section: string, name: string) => `${section} – ${isolate(name, persona.language)}`
    const acme = await addOrganization(service, staff, { name: 'Acme Studios' })
    const email = newPersonAddress()
    const guest = await addPerson(service, { email, full_name: 'Katherine Johnson' })
    const flow = await startAccountFlow(service, browser, persona, acme.owner)
    const { page, activate, check, choose, fill, look, press, seeDone } = flow
    const { access, kit } = flow.words
    const dialog = page.getByRole('dialog')
    // The rendered text has no isolation marks in Firefox.
    const headingIn = (shown: typeof page) => () => shown.getByRole('heading', { level: 1 }).textContent()
    const heading = headingIn(page)
    const confirm = (name: string) => activate(dialog.getByRole('button', { name, exact: true }))
    const open = async (section: string, label: string) => {
      await activate(page.getByRole('navigation').getByRole('link', { name: label, exact: true }))
      await expect.poll(heading).toBe(headingOf(label, 'Acme Studios'))
      expect(new URL(page.url()).hash).toBe(`#/${acme.id}/${section}`)
    }

    await openSection(service, flow, 'organizations')
    await look()
    await activate(page.getByRole('link', { name: `${shared('manage')} Acme Studios`, exact: true }))
    await expect.poll(heading).toBe(headingOf(shared('members'), 'Acme Studios'))
    await page
      .getByRole('list', { name: shared('members') })
      .getByText('Grace Hopper')
      .first()
      .waitFor()
    await look()

    await open('invitations', shared('invitations'))
    await page.getByText(words('noInvitations')).waitFor()
    await press(words('invite'))
    await confirm(words('send'))
    await dialog.getByText(words('emailInvalid')).waitFor()
    await look()
    await fill({ [words('email')]: email })
    await check(dialog.getByLabel('Editor', { exact: true }))
    await confirm(words('send'))
    await seeDone(words('sent', { email }))
    const first = await readJoinToken(service, email)
    await look()
    await press(`${words('resend')} ${email}`)
    await confirm(words('resend'))
    await seeDone(words('resent', { email }))
    const token = await readJoinToken(service, email, [first])

    await open('api-tokens', words('apiTokens'))
    await press(access('newToken'))
    await press(access('create'))
    await page.getByText(access('chooseRight')).waitFor()
    await look('administrators')
    await fill({ [access('tokenName')]: 'nightly import' })
    await check(page.getByLabel(words('membersView'), { exact: true }))
    await check(page.getByLabel(isolate('films:edit', persona.language), { exact: true }))
    await press(access('create'))
    const value = (await page.locator('code.secret').innerText()).trim()
    await look('administrators')
    await press(access('tokenStored'))
    expect(await page.getByText(value).count()).toBe(0)
    const ask = () => service.client('GET', '/api/2/organizations/current', { bearer: value })
    expect((await ask()).body).toMatchObject({
      org_id: String(acme.id),
      permissions: ['films:edit', 'org:members:view'],
    })

    await open('sign-in', signIn('heading'))
    await page.getByText(signIn('none')).waitFor()
    await press(signIn('add'))
    await page.getByLabel(signIn('protocol')).selectOption('oidc')
    await press(signIn('add'))
    await look('administrators')
    await fill({
      [signIn('issuer')]: 'https://idp.example.com',
      [signIn('clientId')]: 'latchkey',
      [signIn('clientSecret')]: 'secret',
    })
    await press(signIn('add'))
    await seeDone(signIn('added'))
    await fill({ [setup('domain')]: 'acme.example' })
    await press(setup('addDomain'))
    await page.getByText(setup('pending')).waitFor()
    await look('administrators')
    await press(`${setup('removeDomain')} acme.example`)
    await confirm(setup('removeDomain'))
    await seeDone(signIn('released'))
    await choose(
      page.getByLabel(words('signInMaxAge')),
      new Intl.NumberFormat(persona.language, { style: 'unit', unit: 'hour', unitDisplay: 'long' }).format(8),
    )
    await check(page.getByLabel(words('requiresSecondFactor')))
    await press(words('saveSignInRules'))
    await page.getByText(words('wouldLockOut')).waitFor()
    await look('administrators')
    await check(page.getByLabel(words('requiresSecondFactor')), false)
    await press(words('saveSignInRules'))
    await seeDone(kit('saved'))
    expect((await callAs(service, staff)('GET', `organizations/${acme.id}`)).body.sign_in_max_age).toBe(
      28_800,
    )

    const visitor = await startAccountFlow(service, browser, persona, guest)
    await openSection(service, visitor, 'organizations')
    await visitor.page.getByText(shared('invitationsText')).waitFor()
    await visitor.look()
    await visitor.page.goto(`${service.url}/invite#token=${token}`)
    await visitor.press(invite('join'))
    await visitor.page.getByText(invite('joined', { organization: 'Acme Studios' })).waitFor()

    await open('members', shared('members'))
    await fill({ [shared('findMember')]: 'johnson' })
    const members = page.getByRole('list', { name: shared('members') }).getByRole('listitem')
    await expect.poll(() => members.count()).toBe(1)
    await press(`${shared('changeRoles')} Katherine Johnson`)
    await check(dialog.getByLabel(shared('admin'), { exact: true }))
    await look()
    await confirm(kit('save'))
    await seeDone(shared('rolesSaved', { name: 'Katherine Johnson' }))

    await visitor.page.goto(`${service.url}/organization`)
    await expect.poll(headingIn(visitor.page)).toBe(headingOf(shared('members'), 'Acme Studios'))
    const sections = visitor.page.getByRole('navigation').getByRole('link')
    expect(await sections.allInnerTexts()).toEqual([
      shared('members'),
      shared('invitations'),
      words('links'),
      events('heading'),
      own('roles'),
      own('settings'),
    ])
    await visitor.activate(sections.nth(4))
    await visitor.page.getByRole('heading', { level: 2, name: own('yourRoles') }).waitFor()
    await visitor.look('administrators')
    await visitor.press(shared('leave'))
    const leave = visitor.page.getByRole('dialog').getByRole('button', { name: shared('leave'), exact: true })
    await visitor.activate(leave)
    await visitor.page.getByText(own('none')).waitFor()
    await visitor.seeDone(shared('left', { name: 'Acme Studios' }))
    await visitor.look()

    await callAs(service, staff)('PATCH', `users/${acme.owner.user.id}`, { permissions: ['media:access'] })
    const shown = { id: 7, name: 'Rushes', root: 1, path: '/' }
    const link = await callAs(service, acme.owner)('POST', 'auth/access-tokens', {
      bundles: [shown],
      organization: acme.id,
    })
    expect(link.status, link.text).toBe(201)
    await open('links', words('links'))
    await page.getByText(shown.name).first().waitFor()
    await look()
    await press(`${words('deleteLink')} ${shown.name}`)
    await confirm(words('deleteLink'))
    await seeDone(words('linkDeleted'))
    await page.getByText(words('noLinks')).waitFor()

    // The chains of audit events copy them after a minute.
    const { table } = service.services
    await copyOrganizationEvents(table, await readAuditItems(table))
    await open('events', events('heading'))
    await page.getByText(events('memberRemoved', { name: events('formerMember') })).waitFor()
    await page.getByText(events('tokenCreated')).waitFor()
    await look('administrators')
    const saving = page.waitForEvent('download')
    await press(events('exportCsv'))
    expect((await saving).suggestedFilename()).toMatch(/-events\.csv$/)

    await open('settings', own('settings'))
    await fill({ [own('name')]: 'https://evil.example' })
    await press(kit('save'))
    await page.getByText(own('invalid')).waitFor()
    await look()
    await fill({ [own('name')]: 'Acme Film Studios' })
    await press(kit('save'))
    await seeDone(kit('saved'))
    await expect.poll(heading).toBe(headingOf(own('settings'), 'Acme Film Studios'))
    await fill({ [own('shownName')]: 'Acme' })
    await check(page.getByLabel(own('ownColor')))
    await page.getByLabel(own('color'), { exact: true }).fill('#b91c1c')
    const chooseLogo = (buffer: Buffer) =>
      page
        .getByLabel(own('logo'), { exact: true })
        .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
    await chooseLogo(Buffer.from('<svg/>'))
    await page.getByText(own('imageInvalid')).waitFor()
    await chooseLogo(makePng(120, 40))
    await page.getByRole('img', { name: own('logo'), exact: true }).waitFor()
    await look()
    await press(own('saveLook'))
    await seeDone(kit('saved'))
    const stranger = await openPage(browser, { locale: persona.language })
    await stranger.page.goto(`${service.url}/?organization=${acme.id}`)
    await stranger.page.getByText('Acme · Latchkey').waitFor()
    const shownLogo = stranger.page.locator('.brand img')
    expect(await shownLogo.evaluate((image) => image.naturalWidth)).toBe(120)

    const readEnd = async () => (await callAs(service, staff)('GET', `organizations/${acme.id}`)).body.ends_at
    await press(own('end'))
    await look()
    await confirm(own('end'))
    await seeDone(own('endDone'))
    expect(await readEnd()).not.toBeNull()
    await look()
    await press(own('keep'))
    await seeDone(own('kept'))
    expect(await readEnd()).toBeNull()

    await page.goto(`${service.url}/organization#/${acme.id}/members`)
    await page.getByRole('list', { name: shared('members') }).waitFor()
    expect(await page.getByText('Katherine Johnson').count()).toBe(0)
    await page.goto(`${service.url}/organization#/${acme.id}/api-tokens`)
    await press(`${access('revoke')} nightly import`)
    await confirm(access('revoke'))
    await seeDone(access('tokenRevoked'))
    expect((await ask()).status).toBe(401)
    await page.goto(`${service.url}/organization#/${acme.id + 1_000_000}`)
    await page.getByText(own('unknown')).waitFor()
    await look()
  })
})
