import { describe, expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import { makeCertificate } from '../support/certificates.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addSignedIn } from '../support/people.ts'
import { sessionOf, userOfSession } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'
import { startSamlpIdp } from './samlp.ts'

/* Sign-in and sign-out over HTTP with an identity provider based on a third-party library. */

const profile = {
  id: 'grace@example.com',
  displayName: 'Grace Hopper',
  emails: [{ value: 'grace@example.com' }],
  name: { givenName: 'Grace', familyName: 'Hopper' },
}

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const idp = closeAfterTests(
  await startSamlpIdp(await makeCertificate(), profile, () => ({
    entityId: provider.metadataUrl,
    logoutUrl: `${provider.logoutUrl}/return`,
    certificate: provider.spCertificate,
  })),
)
const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
const parsed = await service.client('POST', '/api/2/auth/saml/parse-idp-metadata', {
  bearer,
  body: { url: idp.metadataUrl },
})
expect(parsed.status).toBe(200)
const { body } = await service.client('POST', '/api/2/auth/saml', {
  bearer,
  body: { ...parsed.body, auto_create_users: true },
})
const provider: {
  id: number
  spCertificate: string
  loginUrl: string
  logoutUrl: string
  metadataUrl: string
} = {
  id: body.id,
  spCertificate: body.sp_certificate,
  loginUrl: body.login_url,
  logoutUrl: body.logout_url,
  metadataUrl: body.metadata_url,
}

/** Follows the redirect of the service to the provider. Returns its redirect or the form that it posts. */
const visit = async (address: string) => {
  const response = await fetch(address, { redirect: 'manual' })
  const text = await response.text()
  const field = (name: string) => new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(text)?.[1] ?? ''
  const unescaped = (value: string) => value.replaceAll('&#34;', '"').replaceAll('&amp;', '&')
  return {
    status: response.status,
    text,
    location: response.headers.get('location'),
    action: unescaped(/action="([^"]*)"/.exec(text)?.[1] ?? ''),
    form: { SAMLResponse: field('SAMLResponse'), RelayState: unescaped(field('RelayState')) },
  }
}

const signIn = async (browser = new TestBrowser(service)) => {
  const started = await browser.get(provider.loginUrl)
  const page = await visit(started.headers.get('location') ?? '')
  if (page.status !== 200) throw new Error(`the provider refused: ${page.text}`)
  // Different ports on one machine are the same site.
  const answer = await browser.post(page.action, page.form, 'same-site')
  return { browser, answer, session: sessionOf(answer) ?? `none: ${answer.text}` }
}

describe('signing in', () => {
  it.each([
    ['a signed assertion', { signAssertion: true, signResponse: false }],
    ['a signed response', { signAssertion: false, signResponse: true }],
    ['both signed', { signAssertion: true, signResponse: true }],
  ])('accepts %s', async (_, settings) => {
    Object.assign(idp.settings, settings)
    for (const encrypted of [false, true]) {
      idp.settings.encryptFor = encrypted ? provider.spCertificate : undefined
      const { browser, answer, session } = await signIn()
      expect(await userOfSession(service, session)).toBeDefined()
      const returned = await browser.get(answer.headers.get('location') ?? '')
      expect(returned.status).toBe(303)
      const me = await service.client('GET', '/api/2/users/me', { bearer: session })
      expect(me.body).toMatchObject({ email: 'grace@example.com', full_name: 'Grace Hopper' })
    }
    Object.assign(idp.settings, { signAssertion: true, signResponse: false, encryptFor: undefined })
  })

  it('creates one account for repeated sign-ins with different signatures', async () => {
    const users = [
      await userOfSession(service, (await signIn()).session),
      await userOfSession(service, (await signIn()).session),
    ]
    expect(users[0]).toBeDefined()
    expect(users[1]).toBe(users[0])
  })
})

describe('signing out', () => {
  it('at this service ends the session at the identity provider, which confirms it', async () => {
    idp.participants.length = 0
    const { browser, session } = await signIn()
    expect(idp.participants).toHaveLength(1)
    const left = await browser.get(provider.logoutUrl, 'same-origin')
    expect(await userOfSession(service, session)).toBeUndefined()
    const answered = await visit(left.headers.get('location') ?? '')
    expect([answered.status, answered.text]).toEqual([302, ''])
    expect(idp.participants).toEqual([])
    const last = await browser.get(answered.location ?? '', 'same-site')
    expect([last.status, last.headers.get('location')]).toEqual([303, service.services.config.signInUrl])
  })

  it('at the identity provider ends the session at this service, which confirms it', async () => {
    idp.participants.length = 0
    const { browser, session } = await signIn()
    const other = await signIn()
    expect(idp.participants).toHaveLength(2)
    // The library redirects through its sessions one by one.
    const first = await visit(`${idp.url}/slo`)
    const answer = await browser.get(first.location ?? '', 'same-site')
    expect(answer.status).toBe(303)
    expect(await userOfSession(service, session)).toBeUndefined()
    expect(await userOfSession(service, other.session)).toBeDefined()
    const second = await visit(answer.headers.get('location') ?? '')
    expect(second.status).toBe(302)
    const secondAnswer = await other.browser.get(second.location ?? '', 'same-site')
    expect(await userOfSession(service, other.session)).toBeUndefined()
    const done = await visit(secondAnswer.headers.get('location') ?? '')
    expect([done.status, done.text]).toEqual([200, ''])
    expect(idp.participants).toEqual([])
  })
})
