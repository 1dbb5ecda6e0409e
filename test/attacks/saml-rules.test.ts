import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import { type AnswerFacts, makeIdp } from '../support/idp.ts'
import { addRelyingParty, buildAuthorization, createPkce, getTokens } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import {
  addProvider,
  patchProvider,
  signInByConnection,
  startSignIn,
  type TestProvider,
  userOfSession,
} from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* What an identity provider says about a person, and how they signed in there, against the rules of the connection. */

const mfa = 'https://refeds.org/profile/mfa'
const password = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'
const classes = { single: 'urn:latchkey:acr:single-factor', multi: 'urn:latchkey:acr:multi-factor' }
const service = await useService({
  PUBLIC_URL: 'https://auth.example.com',
  ALLOWED_ORIGINS: 'https://app.example.com',
  RATE_LIMITS: 'samlStarts=100000/60',
})
const bearer: string = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
const party = await addRelyingParty(service)

const readUser = async (session: string | undefined) =>
  (await service.client('GET', `/api/2/users/${await userOfSession(service, session ?? '')}`, { bearer }))
    .body
const acrOf = async (session: string | undefined) =>
  decodeJwt((await getTokens(service, party, session ?? '')).id_token)['acr']

/** The ways of signing in that a request asks for. */
const readContexts = ({ root }: Pick<ReturnType<TestProvider['idp']['read']>, 'root'>) =>
  root.children.find(({ name }) => name === 'RequestedAuthnContext')?.children.map(({ text }) => text)

/** An assertion whose statement names these ways of signing in. */
const stating = (...contexts: readonly string[]): AnswerFacts => ({
  change: {
    assertion: (xml) =>
      xml.replace(
        /<saml:AuthnContext>.*<\/saml:AuthnContext>/,
        contexts.length === 0
          ? '<saml:AuthnContext><saml:AuthnContextDeclRef>urn:x</saml:AuthnContextDeclRef></saml:AuthnContext>'
          : `<saml:AuthnContext>${contexts.map((name) => `<saml:AuthnContextClassRef>${name}</saml:AuthnContextClassRef>`).join('')}</saml:AuthnContext>`,
      ),
  },
})

describe('a SAML provider', () => {
  let provider: TestProvider
  beforeAll(async () => {
    provider = await addProvider(service, await makeIdp(), { auto_create_users: true })
  })

  const post = async (facts: AnswerFacts): Promise<number> => {
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await provider.idp.answer(target, facts)
    return (await browser.post(target.acsUrl, form)).status
  }

  it('that requires ways of signing in requests them, and refuses all others', async () => {
    await patchProvider(service, provider, { required_authn_contexts: [mfa, 'urn:x:<"&>'] })
    const started = await new TestBrowser(service).get(provider.loginUrl)
    const { root } = provider.idp.read(started.headers.get('location') ?? '', [provider.own.pem])
    const requested = root.children.find(({ name }) => name === 'RequestedAuthnContext')
    expect(requested?.attributes['Comparison']).toBe('exact')
    expect(readContexts({ root })).toEqual([mfa, 'urn:x:<"&>'])
    for (const facts of [
      stating(password),
      stating(),
      stating(`${mfa}/`),
      stating(mfa.toUpperCase()),
      { hasAuthnStatement: false },
    ])
      expect(await post({ nameId: 'required', ...facts })).toBe(401)
    expect(await post({ nameId: 'required', ...stating(mfa) })).toBe(303)
    await patchProvider(service, provider, { required_authn_contexts: [] })
    expect(await post({ nameId: 'required', ...stating(password) })).toBe(303)
  })

  it('is asked for two factors where a product needs them, and a sign-in without them does not count', async () => {
    await patchProvider(service, provider, { multi_factor_authn_contexts: [mfa] })
    const { challenge } = createPkce()
    const query = buildAuthorization(party, challenge, { acr_values: classes.multi })
    const { browser } = await signInByConnection(service, provider, { nameId: 'stepped-up' })
    const signIn = async (contexts: string) => {
      const page = new URL((await browser.get(`/oauth2/authorize?${query}`)).headers.get('location') ?? '')
      expect(page.searchParams.get('factors')).toBe('2')
      const back = page.searchParams.get('return_to') ?? ''
      const start = new URLSearchParams({ return_to: back, multi_factor: 'true', force_authn: 'true' })
      const started = await browser.get(`${provider.loginUrl}?${start}`)
      const request = provider.idp.read(started.headers.get('location') ?? '', [provider.own.pem])
      expect(readContexts(request)).toEqual([mfa])
      const target = provider.idp.targetOf(request)
      const facts = { nameId: 'stepped-up', times: { authenticated: 0 }, ...stating(contexts) }
      await browser.post(target.acsUrl, (await provider.idp.answer(target, facts)).form)
      const answer = await browser.get(back)
      return new URL(answer.headers.get('location') ?? '').searchParams
    }
    expect((await signIn(password)).get('error')).toBe('unmet_authentication_requirements')
    expect((await signIn(mfa)).get('code')).toBeTruthy()
    await patchProvider(service, provider, { multi_factor_authn_contexts: [] })
  })

  it('counts as two factors only for the ways that the connection names, of the latest statement', async () => {
    const signIn = async (facts: AnswerFacts) =>
      acrOf((await signInByConnection(service, provider, { nameId: 'factors', ...facts })).session)
    expect(await signIn(stating(mfa))).toBe(classes.single)
    await patchProvider(service, provider, { multi_factor_authn_contexts: [mfa] })
    expect(await signIn(stating(mfa))).toBe(classes.multi)
    expect(await signIn(stating(password))).toBe(classes.single)
    const older = `<saml:AuthnStatement AuthnInstant="${new Date(Date.now() - 86_400_000).toISOString()}"><saml:AuthnContext><saml:AuthnContextClassRef>${mfa}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`
    expect(
      await signIn({
        change: { assertion: (xml) => xml.replace('<saml:AuthnStatement', `${older}<saml:AuthnStatement`) },
      }),
    ).toBe(classes.single)
  })

  it('reads mapped attributes, and nothing else in their place', async () => {
    await patchProvider(service, provider, {
      attribute_mapping: { email_from: 'workAddress', full_name_from: 'Label', username_from: 'staffId' },
    })
    const { session } = await signInByConnection(service, provider, {
      nameId: 'mapped',
      attributes: {
        email: 'self-chosen@example.com',
        WORKADDRESS: 'mapped@example.com',
        label: 'Mapped Person',
        cn: 'Other',
        staffid: 'staff-77',
        uid: 'other',
      },
    })
    expect(await readUser(session)).toMatchObject({
      email: 'mapped@example.com',
      full_name: 'Mapped Person',
      username: 'staff-77',
    })
    // Without the mapped attribute, no other one and no name ID counts.
    const none = await signInByConnection(service, provider, {
      nameId: 'no-mapped@example.com',
      nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      attributes: { email: 'no-mapped-2@example.com', givenName: 'No' },
    })
    expect(await readUser(none.session)).toMatchObject({ email: null, full_name: null })
  })

  it('changes one entry of a mapping at a time, and refuses what is no name', async () => {
    const patch = (body: object) =>
      service.client('PATCH', `/api/2/auth/saml/${provider.id}`, { bearer, body })
    await patch({
      attribute_mapping: { username_from: 'a', email_from: 'b', full_name_from: null, groups_from: 'd' },
    })
    const { body } = await patch({ attribute_mapping: { email_from: null } })
    expect(body.attribute_mapping).toEqual({
      username_from: 'a',
      email_from: null,
      full_name_from: null,
      groups_from: 'd',
    })
    for (const wrong of [
      { attribute_mapping: { email_from: ' x' } },
      { attribute_mapping: { email_from: '' } },
      { attribute_mapping: { email_from: 'x'.repeat(256) } },
      { attribute_mapping: { name: 'x' } },
      { attribute_mapping: [] },
      { required_authn_contexts: ['a\u202eb'] },
      { required_authn_contexts: Array.from({ length: 11 }, (_, at) => `c${at}`) },
      { multi_factor_authn_contexts: [''] },
    ]) {
      const answer = await patch(wrong)
      expect([JSON.stringify(wrong), answer.status]).toEqual([JSON.stringify(wrong), 400])
    }
    const raw = await service.client('PATCH', `/api/2/auth/saml/${provider.id}`, {
      bearer,
      body: JSON.parse('{"attribute_mapping":{"__proto__":{"email":"x"}}}'),
    })
    expect(raw.status).toBe(400)
    const seen = await service.client('GET', `/api/2/auth/saml/${provider.id}`)
    expect(Object.keys(seen.body).filter((name) => /mapping|contexts/.test(name))).toEqual([])
    await patch({ attribute_mapping: { username_from: null, groups_from: null } })
  })

  it('shows an administrator what a test sign-in sent', async () => {
    const { target } = await startSignIn(service, provider)
    const { form } = await provider.idp.answer(target, {
      attributes: { mail: 'ada@example.com', memberOf: Array.from({ length: 30 }, (_, at) => `g${at}`) },
    })
    const answer = await service.client('POST', `/api/2/auth/saml/${provider.id}/diagnose`, {
      bearer,
      body: { saml_response: form.SAMLResponse },
    })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.subject.authn_contexts).toEqual([password])
    expect(answer.body.subject.attributes).toEqual([
      { name: 'mail', values: ['ada@example.com'], is_cut: false },
      { name: 'memberOf', values: Array.from({ length: 20 }, (_, at) => `g${at}`), is_cut: true },
    ])
  })
})
