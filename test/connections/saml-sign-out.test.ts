import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ProviderSubject } from '../../lib/accounts/sessions/stored-session.records.ts'
import { connectionKey, sessionKey } from '../../lib/kernel/table/keys/keys.ts'
import { TestBrowser } from '../support/browser.ts'
import { nameIdFormats, statuses } from '../support/idp/names.ts'
import { child } from '../support/idp/parse.ts'
import { queryOf } from '../support/idp/redirect.ts'
import { makeIdp } from '../support/idp.ts'
import { addSignedIn } from '../support/people.ts'
import { addProvider, itemsIn, type TestProvider, userOfSession } from '../support/saml.ts'
import { recordsOf, sendLogoutRequest, addSamlUser as signedInByProvider } from '../support/saml-sign-out.ts'
import { useService } from '../support/use-service.ts'

const publicUrl = 'https://auth.example.com'
const signInUrl = 'https://media.example.com/sign-in'
const service = await useService({ PUBLIC_URL: publicUrl, SIGN_IN_URL: signInUrl })
const provider = await addProvider(service, await makeIdp())
const other = await addProvider(service, await makeIdp())
afterEach(() => vi.useRealTimers())

const subject: Partial<ProviderSubject> = {
  nameId: 'Ada <Lovelace> & "friends"',
  nameIdFormat: nameIdFormats.persistent,
  nameQualifier: 'https://idp.example.com/?a=1&b=2',
  spNameQualifier: 'sp',
  sessionIndex: 'index<1>',
}

/** A user whom the provider signed in. */
const addSamlUser = (by: TestProvider, fields: Partial<ProviderSubject> = subject) =>
  signedInByProvider(service, by, fields)

const signOut = (at: Pick<TestProvider, 'id'>, bearer?: string) =>
  service.client('GET', `/api/2/auth/saml/${at.id}/sls`, bearer === undefined ? {} : { bearer })

const isActiveSession = async (value: string): Promise<boolean> =>
  (await userOfSession(service, value)) !== undefined

describe('start_saml_logout', () => {
  it('ends the local session and asks the provider to sign the user out by the name that it sent', async () => {
    const { value, user } = await addSamlUser(provider)
    const answer = await signOut(provider, value)
    expect(answer.status).toBe(303)
    expect(answer.cookies).toEqual([
      '__Host-latchkey=; Secure; HttpOnly; SameSite=Lax; Path=/; Max-Age=0',
      '__Host-latchkey-marked-session=; Secure; SameSite=None; Path=/; HttpOnly; Max-Age=0',
    ])
    expect(await isActiveSession(value)).toBe(false)

    const request = provider.idp.read(answer.headers.get('location') ?? '', [provider.own.pem])
    expect(request).toMatchObject({
      kind: 'LogoutRequest',
      issuer: provider.metadataUrl,
      address: provider.idp.sloUrl,
    })
    expect(request.root.attributes).toMatchObject({ Version: '2.0', Destination: provider.idp.sloUrl })
    const end = Date.parse(request.root.attributes['NotOnOrAfter'] ?? '')
    expect(end).toBeGreaterThan(Date.parse(request.root.attributes['IssueInstant'] ?? ''))
    expect(child(request.root, 'NameID')).toMatchObject({
      text: subject.nameId,
      attributes: {
        Format: subject.nameIdFormat,
        NameQualifier: subject.nameQualifier,
        SPNameQualifier: subject.spNameQualifier,
      },
    })
    expect(child(request.root, 'SessionIndex')?.text).toBe(subject.sessionIndex)
    // In the order of the schema.
    expect(request.root.children.map(({ name }) => name)).toEqual(['Issuer', 'NameID', 'SessionIndex'])
    expect(
      (await recordsOf(service, 'logout.succeeded')).filter(({ user: id }) => id === user.id),
    ).toHaveLength(1)
  })

  it('omits name parts that the provider did not send', async () => {
    const { value } = await addSamlUser(provider, { nameId: 'plain' })
    const { headers } = await signOut(provider, value)
    const { root } = provider.idp.read(headers.get('location') ?? '', [provider.own.pem])
    expect(child(root, 'NameID')).toMatchObject({ text: 'plain', attributes: {} })
    expect(child(root, 'SessionIndex')).toBeUndefined()
  })

  it('keeps the query of the provider’s address', async () => {
    const idp = await makeIdp()
    const own = await addProvider(service, idp, { slo_url: `${idp.sloUrl}?tenant=a%20b` })
    const { value } = await addSamlUser(own)
    const { headers } = await signOut(own, value)
    expect(idp.read(headers.get('location') ?? '', [own.own.pem]).address).toBe(`${idp.sloUrl}?tenant=a%20b`)
  })

  it('ends the session and leads to the sign-in page if there is no provider to ask', async () => {
    const silent = await addProvider(service, await makeIdp(), { slo_url: null })
    const keyless = await addProvider(service, await makeIdp(), {
      sp_certificate: null,
      sp_certificate_key: null,
    })
    const cases: readonly (readonly [string, string, Pick<TestProvider, 'id'>])[] = [
      ['no slo_url', (await addSamlUser(silent)).value, silent],
      ['no key to sign with', (await addSamlUser(keyless)).value, keyless],
      ['a session of another provider', (await addSamlUser(other)).value, provider],
      ['a session by password', (await addSignedIn(service)).bearer, provider],
      ['a provider that isn’t there', (await addSamlUser(provider)).value, { id: 2_000_000_000 }],
    ]
    for (const [name, value, at] of cases) {
      expect(await isActiveSession(value), name).toBe(true)
      const answer = await signOut(at, value)
      expect([name, answer.status, answer.headers.get('location')]).toEqual([name, 303, signInUrl])
      expect(await isActiveSession(value), name).toBe(false)
    }
    const anonymous = await signOut(provider)
    expect([anonymous.status, anonymous.headers.get('location')]).toEqual([303, signInUrl])
  })

  it('ends the session even if the request cannot be created', async () => {
    const broken = await addProvider(service, await makeIdp())
    const { value } = await addSamlUser(broken)
    await service.services.table.update(connectionKey(broken.id), (x) => ({
      set: [`${x.path('spCertificateKey', 'cipher')} = ${x.value('not what was encrypted')}`],
    }))
    const answer = await signOut(broken, value)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, signInUrl])
    expect(await isActiveSession(value)).toBe(false)
  })

  it('leaves no session, index entry, or ticket', async () => {
    const { value, session, user } = await addSamlUser(provider)
    const made = await service.client('POST', '/api/2/auth/ticket', { bearer: value })
    await signOut(provider, value)
    const body = { ticket: made.body.ticket }
    expect((await service.client('POST', '/api/2/auth/ticket/check', { body })).status).toBe(404)
    expect(await service.services.table.get(sessionKey(user.id, session.hash))).toBeUndefined()
    expect(JSON.stringify(await itemsIn(service, 'session#'))).not.toContain(session.hash)
  })

  it('sends one request: a second sign-out leads to the sign-in page', async () => {
    const { value } = await addSamlUser(provider)
    const [first, second] = [await signOut(provider, value), await signOut(provider, value)]
    expect(first.headers.get('location')).toContain('SAMLRequest=')
    expect(second.headers.get('location')).toBe(signInUrl)
  })

  it('cannot be triggered by a page of another site', async () => {
    const { value } = await addSamlUser(provider)
    const headers = { cookie: `__Host-latchkey=${value}` }
    const path = `/api/2/auth/saml/${provider.id}/sls`
    const answer = await service.client('GET', path, {
      headers: { ...headers, 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.status).toBe(403)
    expect(await isActiveSession(value)).toBe(true)
    const own = await service.client('GET', path, {
      headers: { ...headers, 'sec-fetch-site': 'same-origin' },
    })
    expect(own.status).toBe(303)
    expect(await isActiveSession(value)).toBe(false)
  })
})

describe('the provider’s logout response', () => {
  const asked = async (by = provider) => {
    const { value } = await addSamlUser(by)
    const { headers } = await signOut(by, value)
    return by.idp.read(headers.get('location') ?? '', [by.own.pem]).id
  }
  const answered = (
    by: TestProvider,
    id: string | null,
    facts: Parameters<TestProvider['idp']['logoutResponse']>[2] = {},
    at = by,
  ) => {
    const query = queryOf(by.idp.logoutResponse(at.logoutReturnUrl, id, facts))
    return new TestBrowser(service).get(`${at.logoutReturnUrl}?${query}`, 'cross-site')
  }

  it('leads to the sign-in page, once', async () => {
    const id = await asked()
    const [first, second] = [await answered(provider, id), await answered(provider, id)]
    expect([first.status, first.headers.get('location')]).toEqual([303, signInUrl])
    expect(second.status).toBe(400)
  })

  it('counts once in twenty concurrent deliveries', async () => {
    const id = await asked()
    const answers = await Promise.all(Array.from({ length: 20 }, () => answered(provider, id)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
  })

  it('is accepted for 10 minutes', async () => {
    const id = await asked()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
    expect((await answered(provider, id)).status).toBe(400)
    vi.setSystemTime(Date.now() - 5_000)
    expect((await answered(provider, id)).status).toBe(303)
  })

  it('is rejected if it answers no request to this provider', async () => {
    const id = await asked(other)
    for (const inResponseTo of [null, '_unknown', id])
      expect((await answered(provider, inResponseTo)).status).toBe(400)
    expect((await answered(other, id)).status).toBe(303)
  })

  it('may report a partial logout, which is audited', async () => {
    for (const status of [statuses.responder, statuses.success]) {
      const partial = { status, subStatus: statuses.partialLogout }
      expect((await answered(provider, await asked(), partial)).status).toBe(303)
    }
    const records = await recordsOf(service, 'saml_logout.answered')
    expect(records.filter(({ outcome }) => outcome === 'partial')).toHaveLength(2)
    expect(records.every(({ user, target }) => user !== null && String(target).startsWith('saml:'))).toBe(
      true,
    )
  })
})

it('leaves no names or messages in the log', async () => {
  const { value } = await addSamlUser(provider, { nameId: 'name-for-the-log' })
  await signOut(provider, value)
  await sendLogoutRequest(service, provider, { nameId: 'name-for-the-log' })
  await sendLogoutRequest(service, provider, {
    nameId: 'name-for-the-log',
    destination: 'https://elsewhere.example',
  })
  const text = service.log.join('\n')
  expect(text).toContain('saml_logout.refused')
  for (const secret of ['name-for-the-log', 'SAMLRequest=', 'elsewhere.example', value])
    expect(text).not.toContain(secret)
})
