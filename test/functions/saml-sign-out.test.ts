import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { samlProviderKey, sessionKey } from '../../lib/store/keys.ts'
import { samlSessionSteps } from '../../lib/store/saml-sessions.ts'
import type { SamlSubject } from '../../lib/store/sessions.ts'
import { TestBrowser } from '../support/browser.ts'
import { makeCertificate } from '../support/certificates.ts'
import { encryptElement } from '../support/idp/encrypt.ts'
import type { LogoutRequestFacts } from '../support/idp/logout.ts'
import { nameIdFormats, ns, statuses } from '../support/idp/names.ts'
import { child, type ReceivedElement } from '../support/idp/parse.ts'
import { queryOf, type RedirectFacts } from '../support/idp/redirect.ts'
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
import { startService, type TestService } from '../support/service.ts'

const publicUrl = 'https://auth.example.com'
const signInUrl = 'https://media.example.com/sign-in'

let service: TestService
let provider: TestProvider
let other: TestProvider
beforeAll(async () => {
  service = await startService({ PUBLIC_URL: publicUrl, SIGN_IN_URL: signInUrl })
  provider = await addProvider(service, await makeIdp())
  other = await addProvider(service, await makeIdp())
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
afterAll(() => service.close())

const subject: Partial<SamlSubject> = {
  nameId: 'Ada <Lovelace> & "friends"',
  nameIdFormat: nameIdFormats.persistent,
  nameQualifier: 'https://idp.example.com/?a=1&b=2',
  spNameQualifier: 'sp',
  sessionIndex: 'index<1>',
}

/** Somebody whom a provider signed in. */
const signedInBy = async (by: TestProvider, fields: Partial<SamlSubject> = subject) => {
  const { user } = await addPerson(service)
  return { user, ...(await seedSamlSession(service, by, user, fields)) }
}

const signOut = (at: Pick<TestProvider, 'id'>, bearer?: string) =>
  service.client('GET', `/api/2/auth/saml/${at.id}/sls`, bearer === undefined ? {} : { bearer })

const isAlive = async (value: string): Promise<boolean> => (await userOfSession(service, value)) !== undefined

const events = async (name: string) => {
  const items = await itemsIn(service, '')
  return items.filter(({ event }) => event === name)
}

describe('signing out', () => {
  it('ends the session here and asks the provider to, with the names that it gave', async () => {
    const { value, user } = await signedInBy(provider)
    const answer = await signOut(provider, value)
    expect(answer.status).toBe(303)
    expect(answer.cookies).toEqual(['__Host-latchkey=; Secure; HttpOnly; SameSite=Lax; Path=/; Max-Age=0'])
    expect(await isAlive(value)).toBe(false)

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
    // The order is that of the schema.
    expect(request.root.children.map(({ name }) => name)).toEqual(['Issuer', 'NameID', 'SessionIndex'])
    expect((await events('logout.succeeded')).filter(({ user: id }) => id === user.id)).toHaveLength(1)
  })

  it('says nothing that the provider didn’t say', async () => {
    const { value } = await signedInBy(provider, { nameId: 'plain' })
    const { headers } = await signOut(provider, value)
    const { root } = provider.idp.read(headers.get('location') ?? '', [provider.own.pem])
    expect(child(root, 'NameID')).toMatchObject({ text: 'plain', attributes: {} })
    expect(child(root, 'SessionIndex')).toBeUndefined()
  })

  it('keeps the query that the provider’s address has', async () => {
    const idp = await makeIdp()
    const own = await addProvider(service, idp, { slo_url: `${idp.sloUrl}?tenant=a%20b` })
    const { value } = await signedInBy(own)
    const { headers } = await signOut(own, value)
    expect(idp.read(headers.get('location') ?? '', [own.own.pem]).address).toBe(`${idp.sloUrl}?tenant=a%20b`)
  })

  it('leads to the sign-in page where there is no provider to ask, and has ended the session all the same', async () => {
    const silent = await addProvider(service, await makeIdp(), { slo_url: null })
    const keyless = await addProvider(service, await makeIdp(), {
      sp_certificate: null,
      sp_certificate_key: null,
    })
    const cases: readonly (readonly [string, string, Pick<TestProvider, 'id'>])[] = [
      ['no slo_url', (await signedInBy(silent)).value, silent],
      ['no key to sign with', (await signedInBy(keyless)).value, keyless],
      ['a session of another provider', (await signedInBy(other)).value, provider],
      ['a session by password', (await addSignedIn(service)).bearer, provider],
      ['a provider that isn’t there', (await signedInBy(provider)).value, { id: 2_000_000_000 }],
    ]
    for (const [name, value, at] of cases) {
      expect(await isAlive(value), name).toBe(true)
      const answer = await signOut(at, value)
      expect([name, answer.status, answer.headers.get('location')]).toEqual([name, 303, signInUrl])
      expect(await isAlive(value), name).toBe(false)
    }
    const anonymous = await signOut(provider)
    expect([anonymous.status, anonymous.headers.get('location')]).toEqual([303, signInUrl])
  })

  it('ends the session also when the request can’t be made', async () => {
    const broken = await addProvider(service, await makeIdp())
    const { value } = await signedInBy(broken)
    await service.services.table.update(samlProviderKey(broken.id), (x) => ({
      set: [`${x.path('spCertificateKey', 'cipher')} = ${x.value('not what was encrypted')}`],
    }))
    const answer = await signOut(broken, value)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, signInUrl])
    expect(await isAlive(value)).toBe(false)
  })

  it('leaves no session, marker or ticket behind', async () => {
    const { value, session, user } = await signedInBy(provider)
    const made = await service.client('POST', '/api/2/auth/ticket', { bearer: value })
    await signOut(provider, value)
    const body = { ticket: made.body.ticket }
    expect((await service.client('POST', '/api/2/auth/ticket/check', { body })).status).toBe(404)
    expect(await service.services.table.get(sessionKey(user.id, session.hash))).toBeUndefined()
    expect(JSON.stringify(await itemsIn(service, 'session#'))).not.toContain(session.hash)
  })

  it('asks once: whoever signs out twice is led to the sign-in page', async () => {
    const { value } = await signedInBy(provider)
    const [first, second] = [await signOut(provider, value), await signOut(provider, value)]
    expect(first.headers.get('location')).toContain('SAMLRequest=')
    expect(second.headers.get('location')).toBe(signInUrl)
  })

  it('can’t be caused by a page of another site', async () => {
    const { value } = await signedInBy(provider)
    const headers = { cookie: `__Host-latchkey=${value}` }
    const path = `/api/2/auth/saml/${provider.id}/sls`
    const answer = await service.client('GET', path, {
      headers: { ...headers, 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.status).toBe(403)
    expect(await isAlive(value)).toBe(true)
    const own = await service.client('GET', path, {
      headers: { ...headers, 'sec-fetch-site': 'same-origin' },
    })
    expect(own.status).toBe(303)
    expect(await isAlive(value)).toBe(false)
  })
})

describe('the answer to our request', () => {
  const asked = async (by = provider) => {
    const { value } = await signedInBy(by)
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

  it('counts once, also when it comes twenty times at once', async () => {
    const id = await asked()
    const answers = await Promise.all(Array.from({ length: 20 }, () => answered(provider, id)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
  })

  it('is taken for 10 minutes', async () => {
    const id = await asked()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
    expect((await answered(provider, id)).status).toBe(400)
    vi.setSystemTime(Date.now() - 5_000)
    expect((await answered(provider, id)).status).toBe(303)
  })

  it('is refused where it answers none of ours to this provider', async () => {
    const id = await asked(other)
    for (const inResponseTo of [null, '_unknown', id])
      expect((await answered(provider, inResponseTo)).status).toBe(400)
    expect((await answered(other, id)).status).toBe(303)
  })

  it('may say that not all has ended, which is recorded', async () => {
    const id = await asked()
    const partial = { status: statuses.responder, subStatus: statuses.partialLogout }
    expect((await answered(provider, id, partial)).status).toBe(303)
    const records = await events('saml_logout.answered')
    expect(records.filter(({ outcome }) => outcome === 'partial')).toHaveLength(1)
    expect(records.every(({ user, target }) => user !== null && String(target).startsWith('saml:'))).toBe(
      true,
    )
  })
})

type RequestFacts = LogoutRequestFacts & { readonly redirect?: RedirectFacts }

/** What a provider sends by way of somebody's browser. */
const request = (by: TestProvider, facts: RequestFacts = {}) => {
  const query = queryOf(by.idp.logoutRequest(by.logoutReturnUrl, facts))
  return new TestBrowser(service).get(`${by.logoutReturnUrl}?${query}`, 'cross-site')
}

const statusOf = (root: ReceivedElement): readonly string[] => {
  const codes: string[] = []
  for (let at = child(root, 'Status'); at; ) {
    at = child(at, 'StatusCode')
    if (at) codes.push(at.attributes['Value'] ?? '')
  }
  return codes
}

/** The answer that a provider reads of a redirect to it. */
const response = (by: TestProvider, answer: Awaited<ReturnType<typeof request>>) => {
  if (answer.status !== 303) throw new Error(`the request was refused: ${answer.status} ${answer.text}`)
  return by.idp.read(answer.headers.get('location') ?? '', [by.own.pem])
}

describe('a logout request of a provider', () => {
  it('ends every session of that name at that provider, and is answered', async () => {
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
    for (const { value } of mine) expect(await isAlive(value)).toBe(false)
    for (const value of others) expect(await isAlive(value)).toBe(true)

    const received = response(provider, answer)
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
    expect(statusOf(received.root)).toEqual([statuses.success])
    expect(answer.cookies).toEqual([])
  })

  it('is recorded, and so is the end of each session', async () => {
    const { user, session } = await signedInBy(provider, { nameId: 'recorded' })
    const before = (await events('saml_logout.received')).length
    await request(provider, { nameId: 'recorded' })
    const ended = (await events('session.ended')).filter(({ target }) => target === String(session.id))
    expect(ended).toMatchObject([{ user: user.id, actor: null, outcome: 'succeeded' }])
    expect(await events('saml_logout.received')).toHaveLength(before + 1)
  })

  it('ends the sessions it names by index, and no others', async () => {
    const { user } = await addPerson(service)
    const nameId = 'by index'
    const seed = (sessionIndex: string | null) =>
      seedSamlSession(service, provider, user, { nameId, sessionIndex })
    const [a, b, c, none] = [await seed('a'), await seed('b'), await seed('c'), await seed(null)]
    expect(
      statusOf(response(provider, await request(provider, { nameId, sessionIndexes: ['a', 'c'] })).root),
    ).toEqual([statuses.success])
    expect(await Promise.all([a, b, c, none].map(({ value }) => isAlive(value)))).toEqual([
      false,
      true,
      false,
      true,
    ])
  })

  it('tells formats apart where both are told, as names are the same only then', async () => {
    const nameId = 'formats'
    const { user } = await addPerson(service)
    const seed = (nameIdFormat: string | null) =>
      seedSamlSession(service, provider, user, { nameId, nameIdFormat })
    const [persistent, email, untold, unspecified] = [
      await seed(nameIdFormats.persistent),
      await seed(nameIdFormats.email),
      await seed(null),
      await seed(nameIdFormats.unspecified),
    ]
    await request(provider, { nameId, nameIdFormat: nameIdFormats.persistent })
    expect(
      await Promise.all([persistent, email, untold, unspecified].map(({ value }) => isAlive(value))),
    ).toEqual([false, true, false, false])
    await request(provider, { nameId, nameIdFormat: null })
    expect(await isAlive(email.value)).toBe(false)
  })

  it('is answered by success where nobody is signed in', async () => {
    const answer = await request(provider, { nameId: 'nobody' })
    expect(statusOf(response(provider, answer).root)).toEqual([statuses.success])
  })

  it('that names nobody in a way that is read here is answered so, and ends nothing', async () => {
    const { value } = await signedInBy(provider, { nameId: 'not understood' })
    const nothing: readonly RequestFacts[] = [
      { nameId: null },
      { nameId: '' },
      { nameId: '  ' },
      { nameIdXml: '<saml:NameID>not<!-- --> understood</saml:NameID><saml:NameID>x</saml:NameID>' },
      { nameIdXml: '<saml:NameID><b>not understood</b></saml:NameID>' },
      { nameId: 'x'.repeat(2000) },
      { nameId: 'not understood', sessionIndexes: Array.from({ length: 101 }, (_, at) => `i${at}`) },
    ]
    for (const facts of nothing)
      expect(statusOf(response(provider, await request(provider, facts)).root)).toEqual([statuses.requester])
    expect(await isAlive(value)).toBe(true)
  })

  it('may name the user in a way that nobody else can read', async () => {
    const { value } = await signedInBy(provider, { nameId: 'encrypted' })
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
      expect(statusOf(response(provider, answer).root)).toEqual([statuses.requester])
    }
    expect(await isAlive(value)).toBe(true)
    const nameIdXml = await encrypted(nameId('encrypted'), provider.own.pem)
    expect(statusOf(response(provider, await request(provider, { nameIdXml })).root)).toEqual([
      statuses.success,
    ])
    expect(await isAlive(value)).toBe(false)
  })

  it('leads to the sign-in page where the provider takes no answer', async () => {
    const silent = await addProvider(service, await makeIdp(), { slo_url: null })
    const { value } = await signedInBy(silent)
    const answer = await request(silent, { nameId: subject.nameId ?? '' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, signInUrl])
    expect(await isAlive(value)).toBe(false)
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
    const { value } = await signedInBy(own)
    response(own, await request(own, { nameId: subject.nameId ?? '', redirect: { method, ...form } }))
    expect(await isAlive(value)).toBe(false)
  })

  it('may be written as its product writes queries: the signature is over what was sent', async () => {
    const lowerCase = (text: string) =>
      encodeURIComponent(text).replaceAll(/%[\dA-F]{2}/g, (hex) => hex.toLowerCase())
    const everything = (text: string) =>
      [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
    const form = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
    const wrapped = (text: string) => encodeURIComponent(text.replaceAll(/(.{76})/g, '$1\r\n'))
    for (const encode of [lowerCase, everything, form, wrapped]) {
      const { value } = await signedInBy(provider)
      const answer = await request(provider, {
        nameId: subject.nameId ?? '',
        redirect: { encode, relayState: 'a b' },
      })
      expect(response(provider, answer).relayState?.trim()).toBe('a b')
      expect(await isAlive(value)).toBe(false)
    }
  })

  it('may be signed by any of several certificates', async () => {
    const [first, second] = [await makeCertificate(), await makeCertificate()]
    const own = await addProvider(service, await makeIdp(first))
    await patchProvider(service, own, { certificate: first.pem + second.pem })
    for (const signer of [first, second]) {
      const { value } = await signedInBy(own)
      response(own, await request(own, { nameId: subject.nameId ?? '', redirect: { signer } }))
      expect(await isAlive(value)).toBe(false)
    }
    const { value } = await signedInBy(own)
    const signer = await makeCertificate()
    expect((await request(own, { redirect: { signer } })).status).toBe(400)
    expect(await isAlive(value)).toBe(true)
  })

  it('shuts out an assertion that was issued before it and comes after', async () => {
    const nameId = 'late'
    const { user } = await addPerson(service)
    const { session } = await seedSamlSession(service, provider, user, { nameId, sessionIndex: 'a' })
    const at = Date.now()
    const open = (issuedAt: number, sessionIndex: string) =>
      service.services.table.transact(
        samlSessionSteps({ ...session, saml: { ...session.saml, sessionIndex } as SamlSubject }, issuedAt),
      )
    await request(provider, { nameId, sessionIndexes: ['a'] })
    await expect(open(at - 1000, 'a')).rejects.toThrow('condition')
    await open(at - 1000, 'b')
    await open(Date.now() + 1, 'a')
    await request(provider, { nameId })
    await expect(open(at - 1000, 'b')).rejects.toThrow('condition')
    await open(Date.now() + 1, 'b')
  })

  it('ends very many sessions, goes on where it was broken off, and says so meanwhile', async () => {
    const nameId = 'many'
    const { user } = await addPerson(service)
    const sessions = await Promise.all(
      Array.from({ length: 120 }, () => seedSamlSession(service, provider, user, { nameId })),
    )
    const alive = async () =>
      (await Promise.all(sessions.map(({ value }) => isAlive(value)))).filter((is) => is).length
    let asked = 0
    const real = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => real() + (asked++ > 150 ? 9000 : 0))
    const first = response(provider, await request(provider, { nameId }))
    expect(statusOf(first.root)).toEqual([statuses.responder, statuses.partialLogout])
    vi.restoreAllMocks()
    const left = await alive()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(120)
    const second = response(provider, await request(provider, { nameId }))
    expect(statusOf(second.root)).toEqual([statuses.success])
    expect(await alive()).toBe(0)
  })

  it('ends a session that goes on as somebody else, and the tickets it made as that', async () => {
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
    expect(await isAlive(value)).toBe(false)
    const check = await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
    expect(check.status).toBe(404)
  })

  it('is not followed by its browser’s own session where that is another one', async () => {
    const { value } = await signedInBy(provider, { nameId: 'bystander' })
    const query = queryOf(provider.idp.logoutRequest(provider.logoutReturnUrl, { nameId: 'attacker' }))
    const answer = await service.client('GET', `${new URL(provider.logoutReturnUrl).pathname}?${query}`, {
      headers: { cookie: `__Host-latchkey=${value}`, 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.status).toBe(303)
    expect(answer.cookies).toEqual([])
    expect(await isAlive(value)).toBe(true)
  })
})

it('shows nothing of names or messages in the log', async () => {
  const { value } = await signedInBy(provider, { nameId: 'name-for-the-log' })
  await signOut(provider, value)
  await request(provider, { nameId: 'name-for-the-log' })
  await request(provider, { nameId: 'name-for-the-log', destination: 'https://elsewhere.example' })
  const text = service.log.join('\n')
  expect(text).toContain('saml_logout.refused')
  for (const secret of ['name-for-the-log', 'SAMLRequest=', 'elsewhere.example', value])
    expect(text).not.toContain(secret)
})
