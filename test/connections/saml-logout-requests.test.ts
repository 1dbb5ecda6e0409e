import { afterEach, describe, expect, it, vi } from 'vitest'
import { buildConnectionSessionSteps } from '../../lib/accounts/sessions/session-index.records.ts'
import type { ProviderSubject } from '../../lib/accounts/sessions/stored-session.records.ts'
import { makeCertificate } from '../support/certificates.ts'
import { encryptElement } from '../support/idp/encrypt.ts'
import { nameIdFormats, ns, statuses } from '../support/idp/names.ts'
import { queryOf } from '../support/idp/redirect.ts'
import { makeIdp } from '../support/idp.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import {
  addProvider,
  itemsIn,
  patchProvider,
  seedSamlSession,
  type TestProvider,
  userOfSession,
} from '../support/saml.ts'
import {
  addSamlUser,
  type RequestFacts,
  readAnswer,
  recordsOf,
  sendLogoutRequest,
  statusCodes,
} from '../support/saml-sign-out.ts'
import { useService } from '../support/use-service.ts'

const signInUrl = 'https://media.example.com/sign-in'
const service = await useService({ PUBLIC_URL: 'https://auth.example.com', SIGN_IN_URL: signInUrl })
const provider = await addProvider(service, await makeIdp())
const other = await addProvider(service, await makeIdp())
afterEach(() => vi.restoreAllMocks())

const request = (by: TestProvider, facts: RequestFacts = {}) => sendLogoutRequest(service, by, facts)
const seed = (by: TestProvider, subject: Partial<ProviderSubject>) => addSamlUser(service, by, subject)
const isActiveSession = async (value: string): Promise<boolean> =>
  (await userOfSession(service, value)) !== undefined

describe('a logout request from a provider', () => {
  it('ends every session of that NameID at that provider, and is answered', async () => {
    const nameId = 'everywhere'
    const { user } = await addPerson(service)
    const mine = [
      await seedSamlSession(service, provider, user, { nameId, sessionIndex: 'a' }),
      await seedSamlSession(service, provider, user, { nameId, sessionIndex: 'b' }),
      await seedSamlSession(service, provider, user, { nameId }),
      await seedSamlSession(service, provider, (await addPerson(service)).user, { nameId }),
    ]
    const others = [
      (await seedSamlSession(service, other, user, { nameId })).value,
      (await seedSamlSession(service, provider, user, { nameId: 'everywhere else' })).value,
      (await seedSamlSession(service, provider, user, { nameId: 'Everywhere' })).value,
      (await addSignedIn(service)).bearer,
    ]
    const answer = await request(provider, {
      id: '_the-request',
      nameId,
      redirect: { relayState: 'what they sent & =' },
    })
    for (const { value } of mine) expect(await isActiveSession(value)).toBe(false)
    for (const value of others) expect(await isActiveSession(value)).toBe(true)

    const received = readAnswer(provider, answer)
    expect(received).toMatchObject({
      kind: 'LogoutResponse',
      issuer: provider.metadataUrl,
      address: provider.idp.sloUrl,
      relayState: 'what they sent & =',
    })
    expect(received.root.attributes).toMatchObject({
      InResponseTo: '_the-request',
      Destination: provider.idp.sloUrl,
    })
    expect(statusCodes(received)).toEqual([statuses.success])
    expect(answer.cookies).toEqual([])
  })

  it('is audited, and so is the end of each session', async () => {
    const { user, session } = await seed(provider, { nameId: 'recorded' })
    const before = (await recordsOf(service, 'saml_logout.received')).length
    await request(provider, { nameId: 'recorded' })
    const ended = (await recordsOf(service, 'session.ended')).filter(
      ({ target }) => target === String(session.id),
    )
    expect(ended).toMatchObject([{ user: user.id, actor: null, outcome: 'succeeded' }])
    expect(await recordsOf(service, 'saml_logout.received')).toHaveLength(before + 1)
  })

  it('ends only the sessions with the listed indexes', async () => {
    const { user } = await addPerson(service)
    const nameId = 'by index'
    const seed = (sessionIndex: string | null) =>
      seedSamlSession(service, provider, user, { nameId, sessionIndex })
    const [a, b, c, none] = [await seed('a'), await seed('b'), await seed('c'), await seed(null)]
    expect(
      statusCodes(readAnswer(provider, await request(provider, { nameId, sessionIndexes: ['a', 'c'] }))),
    ).toEqual([statuses.success])
    expect(await Promise.all([a, b, c, none].map(({ value }) => isActiveSession(value)))).toEqual([
      false,
      true,
      false,
      true,
    ])
  })

  it('distinguishes name formats only if both sides state one', async () => {
    const nameId = 'formats'
    const { user } = await addPerson(service)
    const seed = (nameIdFormat: string | null) =>
      seedSamlSession(service, provider, user, { nameId, nameIdFormat })
    const [persistent, email, unstated, unspecified] = [
      await seed(nameIdFormats.persistent),
      await seed(nameIdFormats.email),
      await seed(null),
      await seed(nameIdFormats.unspecified),
    ]
    await request(provider, { nameId, nameIdFormat: nameIdFormats.persistent })
    expect(
      await Promise.all(
        [persistent, email, unstated, unspecified].map(({ value }) => isActiveSession(value)),
      ),
    ).toEqual([false, true, false, false])
    await request(provider, { nameId, nameIdFormat: null })
    expect(await isActiveSession(email.value)).toBe(false)
  })

  it('is answered with success if no one is signed in', async () => {
    const answer = await request(provider, { nameId: 'unknown' })
    expect(statusCodes(readAnswer(provider, answer))).toEqual([statuses.success])
  })

  it('with an unreadable name is answered with an error and ends no session', async () => {
    const { value } = await seed(provider, { nameId: 'not understood' })
    const nothing: readonly RequestFacts[] = [
      { nameId: null },
      { nameId: '' },
      { nameId: '  ' },
      { nameIdXml: '<saml:NameID>not<!-- --> understood</saml:NameID><saml:NameID>x</saml:NameID>' },
      { nameIdXml: '<saml:NameID><b>not understood</b></saml:NameID>' },
      { nameIdXml: '<saml:NameID>not understood<b/></saml:NameID>' },
      { nameId: 'x'.repeat(2000) },
      { nameId: 'not understood', sessionIndexes: Array.from({ length: 101 }, (_, at) => `i${at}`) },
      { nameId: 'not understood', sessionIndexes: [''] },
      { nameId: 'not understood', sessionIndexes: ['a', ' \n '] },
    ]
    for (const facts of nothing)
      expect(statusCodes(readAnswer(provider, await request(provider, facts)))).toEqual([statuses.requester])
    expect(await isActiveSession(value)).toBe(true)
  })

  it('may contain the name in encrypted form', async () => {
    const { value } = await seed(provider, { nameId: 'encrypted' })
    const encrypted = (xml: string, certificate: string) =>
      encryptElement('EncryptedID', xml, { certificate })
    const nameId = (text: string) => `<saml:NameID xmlns:saml="${ns.assertion}">${text}</saml:NameID>`
    const wrong = [
      await encrypted(nameId('encrypted'), provider.idp.signer.pem),
      await encrypted('<x>encrypted</x>', provider.own.pem),
      await encrypted('encrypted', provider.own.pem),
      await encrypted(nameId('<b>encrypted</b>'), provider.own.pem),
      (await encrypted(nameId('encrypted'), provider.own.pem)) + nameId('encrypted'),
      `<saml:EncryptedID>encrypted</saml:EncryptedID>`,
    ]
    for (const nameIdXml of wrong) {
      const answer = await request(provider, { nameIdXml })
      expect(statusCodes(readAnswer(provider, answer))).toEqual([statuses.requester])
    }
    expect(await isActiveSession(value)).toBe(true)
    const nameIdXml = await encrypted(nameId('encrypted'), provider.own.pem)
    expect(statusCodes(readAnswer(provider, await request(provider, { nameIdXml })))).toEqual([
      statuses.success,
    ])
    expect(await isActiveSession(value)).toBe(false)
  })

  it('may be indented: blanks around a name are ignored', async () => {
    const { user } = await addPerson(service)
    const nameId = 'indented'
    const [a, b, other] = [
      await seedSamlSession(service, provider, user, { nameId, sessionIndex: 'a' }),
      await seedSamlSession(service, provider, user, { nameId, sessionIndex: 'b c' }),
      await seedSamlSession(service, provider, user, { nameId, sessionIndex: 'c' }),
    ]
    const answer = await request(provider, {
      issuer: `\n  ${provider.idp.entityId}\n`,
      nameId: `\r\n\t${nameId}\n `,
      sessionIndexes: ['\n    a\n  ', '\nb c\n'],
    })
    expect(statusCodes(readAnswer(provider, answer))).toEqual([statuses.success])
    expect(await Promise.all([a, b, other].map(({ value }) => isActiveSession(value)))).toEqual([
      false,
      false,
      true,
    ])
    const nameIdXml = await encryptElement(
      'EncryptedID',
      `<saml:NameID xmlns:saml="${ns.assertion}">\n  ${nameId}\n</saml:NameID>`,
      { certificate: provider.own.pem },
    )
    await request(provider, { nameIdXml })
    expect(await isActiveSession(other.value)).toBe(false)
  })

  it('leads to the sign-in page if the provider accepts no answer', async () => {
    const silent = await addProvider(service, await makeIdp(), { slo_url: null })
    const { value } = await seed(silent, { nameId: 'somebody' })
    const answer = await request(silent, { nameId: 'somebody' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, signInUrl])
    expect(await isActiveSession(value)).toBe(false)
  })

  it.each([
    ['rsa-sha384', {}],
    ['rsa-sha512', {}],
    ['ecdsa-sha256', {}],
    ['ecdsa-sha384', {}],
    ['ecdsa-sha512', {}],
    ['ecdsa-sha256', { isDer: true }],
  ] as const)('may be signed by %s %o', async (method, form) => {
    const idp = await makeIdp(await makeCertificate(method.startsWith('ecdsa') ? { curve: 'P-256' } : {}))
    const own = await addProvider(service, idp)
    const { value } = await seed(own, { nameId: 'somebody' })
    readAnswer(own, await request(own, { nameId: 'somebody', redirect: { method, ...form } }))
    expect(await isActiveSession(value)).toBe(false)
  })

  it('may use the provider’s own query encoding: the signature covers the query as it was sent', async () => {
    const lowerCase = (text: string) =>
      encodeURIComponent(text).replaceAll(/%[\dA-F]{2}/g, (hex) => hex.toLowerCase())
    const everything = (text: string) =>
      [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
    const form = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
    const wrapped = (text: string) => encodeURIComponent(text.replaceAll(/(.{76})/g, '$1\r\n'))
    for (const encode of [lowerCase, everything, form, wrapped]) {
      const { value } = await seed(provider, { nameId: 'somebody' })
      const answer = await request(provider, {
        nameId: 'somebody',
        redirect: { encode, relayState: 'a b' },
      })
      expect(readAnswer(provider, answer).relayState?.trim()).toBe('a b')
      expect(await isActiveSession(value)).toBe(false)
    }
  })

  it('may be signed with any of several certificates', async () => {
    const [first, second] = [await makeCertificate(), await makeCertificate()]
    const own = await addProvider(service, await makeIdp(first))
    await patchProvider(service, own, { certificate: first.pem + second.pem })
    for (const signer of [first, second]) {
      const { value } = await seed(own, { nameId: 'somebody' })
      readAnswer(own, await request(own, { nameId: 'somebody', redirect: { signer } }))
      expect(await isActiveSession(value)).toBe(false)
    }
    const { value } = await seed(own, { nameId: 'somebody' })
    const signer = await makeCertificate()
    expect((await request(own, { redirect: { signer } })).status).toBe(400)
    expect(await isActiveSession(value)).toBe(true)
  })

  it('invalidates an assertion that was issued before it and arrives after it', async () => {
    const nameId = 'late'
    const { user } = await addPerson(service)
    const { session } = await seedSamlSession(service, provider, user, { nameId, sessionIndex: 'a' })
    const at = Date.now()
    const open = (issuedAt: number, sessionIndex: string) =>
      service.services.table.transact(
        buildConnectionSessionSteps(
          { ...session, providerSubject: { ...session.providerSubject, sessionIndex } as ProviderSubject },
          issuedAt,
        ),
      )
    await request(provider, { nameId, sessionIndexes: ['a'] })
    await expect(open(at - 1000, 'a')).rejects.toThrow('condition')
    await open(at - 1000, 'b')
    await open(Date.now() + 1, 'a')
    await request(provider, { nameId })
    await expect(open(at - 1000, 'b')).rejects.toThrow('condition')
    await open(Date.now() + 1, 'b')
  })

  it('ends very many sessions, continues after an interruption, and reports the partial result', async () => {
    const nameId = 'many'
    const { user } = await addPerson(service)
    const sessions = await Promise.all(
      Array.from({ length: 120 }, () => seedSamlSession(service, provider, user, { nameId })),
    )
    const countActive = async () =>
      (await Promise.all(sessions.map(({ value }) => isActiveSession(value)))).filter((is) => is).length
    let asked = 0
    const real = performance.now.bind(performance)
    // The engine's client and the log ask for the time as well, as often as the network wants.
    const isAskedBySignOut = () => new Error().stack?.includes('saml/sign-out.ts') === true
    vi.spyOn(performance, 'now').mockImplementation(
      () => real() + (isAskedBySignOut() && asked++ > 60 ? 9000 : 0),
    )
    const first = readAnswer(provider, await request(provider, { nameId }))
    expect(statusCodes(first)).toEqual([statuses.responder, statuses.partialLogout])
    vi.restoreAllMocks()
    let left = await countActive()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(120)
    const repeat = async () => statusCodes(readAnswer(provider, await request(provider, { nameId })))
    // A slow machine needs more than one repetition. Each ends some.
    let codes = await repeat()
    for (; codes[0] === statuses.responder; codes = await repeat()) {
      const before = left
      left = await countActive()
      expect(left).toBeLessThan(before)
    }
    expect(codes).toEqual([statuses.success])
    expect(await countActive()).toBe(0)
  })

  it('skips sessions that ended in another way or belong to a deleted user', async () => {
    const nameId = 'deleted'
    const [loggedOut, deleted] = [await seed(provider, { nameId }), await seed(provider, { nameId })]
    await service.client('POST', '/api/2/auth/logout', { bearer: loggedOut.value })
    const deletion = await service.client('DELETE', `/api/2/users/${deleted.user.id}`, {
      bearer: provider.admin,
    })
    expect(deletion.status).toBe(204)
    const before = (await recordsOf(service, 'session.ended')).length
    expect(statusCodes(readAnswer(provider, await request(provider, { nameId })))).toEqual([statuses.success])
    expect(await recordsOf(service, 'session.ended')).toHaveLength(before)
    const left = JSON.stringify(await itemsIn(service, 'session#'))
    for (const { session } of [loggedOut, deleted]) expect(left).not.toContain(session.hash)
  })

  it('ends a session that impersonates another user, and its tickets', async () => {
    const nameId = 'administrator'
    const admin = (await addPerson(service, { permissions: ['system:admin-access'] })).user
    const { value } = await seedSamlSession(service, provider, admin, { nameId })
    const { user } = await addPerson(service)
    const started = await service.client('POST', '/api/2/auth/impersonation', {
      bearer: value,
      body: { user: user.id },
    })
    expect(started.status).toBe(204)
    const { ticket } = (await service.client('POST', '/api/2/auth/ticket', { bearer: value })).body
    await request(provider, { nameId })
    expect(await isActiveSession(value)).toBe(false)
    const check = await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
    expect(check.status).toBe(404)
  })

  it('does not end the session of its own browser if that is another one', async () => {
    const { value } = await seed(provider, { nameId: 'bystander' })
    const query = queryOf(provider.idp.logoutRequest(provider.logoutReturnUrl, { nameId: 'attacker' }))
    const answer = await service.client('GET', `${new URL(provider.logoutReturnUrl).pathname}?${query}`, {
      headers: { cookie: `__Host-latchkey=${value}`, 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.status).toBe(303)
    expect(answer.cookies).toEqual([])
    expect(await isActiveSession(value)).toBe(true)
  })
})
