import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ageProofs } from '../support/account-pages.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startDevice } from '../support/devices.ts'
import { agentRedirectUri, allowAgents, startDocumentHost } from '../support/document-host.ts'
import { createExampleWorld } from '../support/example-world.ts'
import { startIdpSite } from '../support/idp-site.ts'
import { storeInvitation } from '../support/invitations.ts'
import { addLink } from '../support/links.ts'
import { readMailedLink } from '../support/mailed-page.ts'
import { addRelyingParty, buildAuthorization, createPkce } from '../support/oidc.ts'
import { addConnection, startUpstream } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { takesAll } from '../support/personas.ts'
import { vouchForDomains } from '../support/saml.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'
import { startWalk, type WalkState } from '../support/walk.ts'

const agents = closeAfterTests(await startDocumentHost())

/*
 * Every link and button of every page leads somewhere, for people of a company with OpenID Connect, and with `--mode all` also of one
 * with SAML.
 */

const service = await useService(
  {
    ...{ ALLOW_PRIVATE_METADATA: 'true' },
    RATE_LIMITS: 'samlStarts=100000/60',
  },
  { hostname: 'localhost' },
)
await allowAgents(service, agents.host)
const world = await createExampleWorld(service)
await storeSignInPolicy(service, { allow_email_codes: true })
const { bearer } = world.admin
const site = closeAfterTests(await startIdpSite())
const upstream = closeAfterTests(await startUpstream())
const fields = { name: 'Example by SAML', sso_url: site.ssoUrl }
const { body } = await service.client('POST', '/api/2/auth/saml', {
  bearer,
  body: site.idp.providerBody(fields),
})
site.trust([body.sp_certificate])
const oidc = await addConnection(service, bearer, upstream.issuer, {
  ...{ name: 'Example by OpenID Connect', auto_create_users: true },
})
const browser = await shareBrowser()

interface Company {
  readonly id: number
  readonly domain: string
  /** Starts a sign-in there, which leads to the account page. */
  readonly start: string
}
const companies: Record<'saml' | 'oidc', Company> = {
  saml: { id: 0, domain: 'saml.example', start: '' },
  oidc: { id: 0, domain: 'oidc.example', start: '' },
}

companies.saml = { ...companies.saml, id: body.id, start: `/api/2/auth/saml/${body.id}/sso` }
companies.oidc = {
  ...companies.oidc,
  ...{ id: oidc.id, start: `/api/2/auth/oidc-connections/${oidc.id}/start` },
}
for (const { id, domain, start } of Object.values(companies)) {
  await vouchForDomains(service, { id, admin: bearer }, [domain])
  const path = start.replace(/\/\w+$/, '')
  const answer = await service.client('PATCH', path, { bearer, body: { required_for_domains: true } })
  expect(answer.status, answer.text).toBe(200)
}
for (const one of [world.metadata, world.upstream]) closeAfterTests(one)

const open = async (person?: Person) => {
  const context = await browser.newContext({
    ...{ locale: 'en', permissions: ['clipboard-read', 'clipboard-write'] },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  if (person) await logIn(page, person)
  return { page, walk: await startWalk(page, service.url) }
}

const logIn = (page: Page, { user, password }: Person) =>
  page.request.post(`${service.url}/api/2/auth/login`, { data: { username: user.username, password } })

/** Many times as long as a walk takes, for a busy machine. */
const longest = 400_000

/** Whom the identity providers sign in next. */
const signInAs = (email: string): void => {
  site.answerWith({ nameId: randomUUID(), attributes: { email: [email] } })
  upstream.behave({ claims: { sub: randomUUID(), email } })
}

/** A state that an address alone leads to. */
const at = (name: string, path: string, control = 'h1'): WalkState => ({
  name,
  reach: async (page) => {
    await page.goto(path.startsWith('http') ? path : service.url + path)
    await page.locator(control).first().waitFor()
  },
})

const expectSound = ({ problems }: { readonly problems: readonly string[] }): void =>
  expect(problems).toEqual([])

it(
  'leads an administrator to every part of the console',
  async () => {
    for (const { start } of Object.values(companies)) {
      // The overview names the connections that signed people in.
      const context = await browser.newContext()
      signInAs(`${randomUUID()}@example.org`)
      const page = await context.newPage()
      await page.goto(service.url + start)
      if (start.includes('/saml/')) await page.getByRole('button', { name: 'Go on' }).click()
      await page.waitForURL(`${service.url}/**`)
      await context.close()
    }
    const { walk } = await open(world.admin)
    await walk.follow('/admin')
    expectSound(walk)
    const { length } = [...walk.pressed].filter((name) => name.startsWith('/admin'))
    expect(length).toBeGreaterThan(100)
  },
  longest,
)

/** Both lead to the same pages, by other addresses. */
const kinds = takesAll ? (['saml', 'oidc'] as const) : (['oidc'] as const)

describe.each(kinds)('a person of a company with a connection by %s', (kind) => {
  const company = () => companies[kind]
  const newEmail = () => `${randomUUID()}@${company().domain}`

  it('finds a way in from each state of the sign-in page', async () => {
    const person = await addPerson(service, { email: newEmail() })
    const { walk } = await open()
    const links = await walk.press({
      name: `${kind}: the sign-in there is required`,
      reach: async (page) => {
        await page.goto(service.url)
        await page.getByRole('button', { name: 'Use a password instead' }).click()
        await page.locator('[name=username]').fill(person.user.username)
        await page.locator('[name=password]').fill(person.password)
        await page.locator('[name=password]').press('Enter')
        await page.getByRole('link', { name: 'Continue with Example by' }).waitFor()
      },
    })
    expectSound(walk)
    expect(links.some((link) => link.startsWith(service.url + company().start))).toBe(true)
    await walk.press(at('an error page', `${company().start}?return_to=https://elsewhere.example`))
    expectSound(walk)
  })

  it('is led to the connection by an invitation', async () => {
    const { user } = await addPerson(service, { email: newEmail(), emailVerified: false })
    const token = await storeInvitation(service, user.id)
    const { page, walk } = await open()
    const asked = page.waitForRequest(
      (request) =>
        request.url().endsWith('/invitation') &&
        request.method() === 'POST' &&
        /\/\d+\/invitation$/.test(request.url()),
    )
    await walk.press(at('an invitation', `/invite#token=${token}`, 'main button'))
    expect((await asked).url()).toContain(`/${company().id}/`)
    expect([...walk.pressed].map((name) => name.split(' › ')[1])).toContainEqual(
      expect.stringContaining('Example by'),
    )
    expectSound(walk)
  })

  it('manages their account, and confirms their identity there', async () => {
    const email = newEmail()
    signInAs(email)
    const { page, walk } = await open()
    await page.goto(`${service.url}${company().start}?return_to=/account`)
    if (kind === 'saml') await page.getByRole('button', { name: 'Go on' }).click()
    await page.waitForURL(`${service.url}/account`)
    await walk.follow('/account')
    const me = await (await page.request.get(`${service.url}/api/2/users/me`)).json()
    await ageProofs(service, { user: me })
    await walk.press({
      name: `${kind}: a question for the identity`,
      reach: async () => {
        await page.goto(`${service.url}/account`)
        await page.getByLabel('Full name').fill(`Kim ${randomUUID()}`)
        await page.getByLabel('New email address').fill(`kim@elsewhere.example`)
        await page.getByLabel('New email address').press('Enter')
        await page.getByRole('dialog').waitFor()
      },
    })
    expect([...walk.opened].some((url) => url.startsWith(service.url + company().start))).toBe(true)
    expectSound(walk)
  })
})

it(
  'leads people through all other pages',
  async () => {
    const { page, walk } = await open()
    await walk.press(at('the first step of a sign-in', '/', '[name=username]'))
    await walk.press({
      name: 'the second step of a sign-in',
      reach: async () => {
        await page.goto(service.url)
        await page.locator('[name=username]').fill('ada')
        await page.locator('[type=submit]').click()
        await page.locator('[name=password][required]').waitFor()
      },
    })
    const name = async (username: string, button = 'Use a password instead') => {
      await page.goto(service.url)
      await page.locator('[name=username]').fill(username)
      await page.getByRole('button', { name: button }).click()
    }
    const signIn = async ({ user, password }: Person) => {
      await name(user.username)
      await page.locator('[name=password]').fill(password)
      await page.locator('[name=password]').press('Enter')
    }
    await walk.press({
      name: 'a code by email',
      reach: async () => {
        await name('ada', 'Email me a code')
        await page.locator('[name=email-code]').waitFor()
      },
    })
    await walk.press({
      name: 'a forgotten password',
      reach: async () => {
        await name('ada')
        await page.getByRole('button', { name: 'Forgot your password?' }).click()
        await page.getByRole('button', { name: 'Back' }).waitFor()
      },
    })
    const withCode = await addSignedIn(service)
    await enableSecondFactor(service, withCode)
    await walk.press({
      name: 'a code of the authenticator app',
      reach: async () => {
        await signIn(withCode)
        await page.locator('[autocomplete=one-time-code]').waitFor()
      },
    })
    const withOldPassword = await addPerson(service, { password_change_required: true })
    await walk.press({
      name: 'a new password',
      reach: async () => {
        await signIn(withOldPassword)
        await page.locator('[name=new-password]').waitFor()
      },
    })
    await walk.press(at('a sign-in that was not finished', '/?error=sign_in_not_finished', '[name=username]'))
    await walk.press(at('a page that does not exist', '/nothing'))
    await walk.press(at('the start of an unknown connection', '/api/2/auth/saml/999/sso'))
    await walk.press(at('the reference', '/docs'))
    await walk.press(at('a topic of the reference', '/docs/sessions'))

    const ada = await addSignedIn(service, {
      email: `${randomUUID()}@example.org`,
      permissions: ['media:access'],
    })
    const email = ada.user.email ?? ''
    const invited = await addPerson(service, { email: `${randomUUID()}@example.org`, emailVerified: false })
    const token = await storeInvitation(service, invited.user.id)
    await walk.press(at('an invitation', `/invite#token=${token}`, 'main button'))
    await walk.press(at('an invitation that ended', '/invite#token=lki_wrong'))
    await service.client('POST', '/api/2/auth/reset-password/request', {
      body: { username: ada.user.username },
    })
    await walk.press(at('a reset', await readMailedLink(service, email, 'reset'), 'main button'))
    await walk.press(at('a reset that ended', '/reset#token=wrong'))
    const link = await addLink(service, ada.bearer, { password: 'for your eyes only' })
    await walk.press(at('an access link', link.full_url, 'main button'))
    const { body: setup } = await service.client('POST', '/api/2/auth/saml-setups', {
      bearer: world.admin.bearer,
      body: { name: 'Customer' },
    })
    await walk.press(at('a set-up link', setup.url, 'main button'))
    await walk.press(at('a sign-up', '/sign-up'))
    expectSound(walk)

    const signedIn = await open(ada)
    await signedIn.walk.press(at('someone who is signed in', '/'))
    await signedIn.walk.follow('/account')
    const party = await addRelyingParty(service, { name: 'Films', device_authorization: true })
    const client = {
      clientId: agents.describe('/agents/client.json'),
      redirect_uris: [agentRedirectUri],
      type: 'public',
    } as const
    const authorization = buildAuthorization({ client, secret: '' }, createPkce().challenge)
    await signedIn.walk.press(at('a consent', `/oauth2/authorize?${authorization}`))
    const { verification_uri_complete: deviceUrl } = await startDevice(service, party)
    await signedIn.walk.press(at('a device', deviceUrl))
    await signedIn.walk.press(at('a sign-out', `/oauth2/logout?client_id=${party.client.clientId}`))
    expectSound(signedIn.walk)
  },
  longest,
)
