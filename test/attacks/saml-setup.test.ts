import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { editConnectionOf } from '../../lib/features/connections/records.ts'
import { findSamlConnection, samlKind } from '../../lib/features/connections/saml/records.ts'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { makeIdp } from '../support/idp.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { addProvider, sessionOf, userOfSession } from '../support/saml.ts'
import { fixture, plainMetadata } from '../support/saml-metadata.ts'
import { SetupBrowser } from '../support/setup-browser.ts'
import { useService } from '../support/use-service.ts'

/* Somebody got a set-up link, and wants more than to set up one connection. */

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' }, { sendsMail: false })
const dns = closeAfterTests(await startDnsServer())
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const asAdmin = callAs(service, admin)
const addManagers = async (): Promise<number> => {
  const group = { name: randomBytes(8).toString('hex'), permissions: ['users:manage'], members: [] }
  return (await asAdmin('POST', '/api/2/groups', group)).body.id
}

/** The browser that opened each link. */
const browsers = new Map<string, SetupBrowser>()
const browserOf = async (token: string): Promise<SetupBrowser> => {
  const known = browsers.get(token)
  if (known) return known
  const browser = new SetupBrowser(service)
  browsers.set(token, browser)
  await browser.open(token)
  return browser
}
const finish = async (token: string): Promise<Answer> => (await browserOf(token)).finish(token)
const use = async (token: string, rest = '', fields: object = {}): Promise<Answer> =>
  (await browserOf(token)).use(token, rest, fields)

interface Setup {
  readonly id: number
  readonly link: string
  readonly token: string
}
const toSetup = ({ body }: Answer): Setup => ({
  id: body.saml_provider,
  link: body.id,
  token: new URLSearchParams(new URL(body.url).hash.slice(1)).get('token') ?? '',
})
const create = async (fields: object = {}): Promise<Setup> =>
  toSetup(await asAdmin('POST', '/api/2/auth/saml-setups', { name: 'Example Company', ...fields }))
const makeMetadata = async (): Promise<string> => {
  const { signer } = await makeIdp()
  const xml = fixture('shibboleth', { signing: signer, signing2: signer, other: signer })
  const [, host = ''] = /entityID="https?:\/\/([^/"]+)/.exec(xml) ?? []
  return xml.replaceAll(host, `${randomBytes(6).toString('hex')}.example`)
}
const prove = async ({ token }: Setup): Promise<Answer> => {
  const domain = `${randomBytes(8).toString('hex')}.example`
  const added = await use(token, '/domains', { domain })
  const { txt_name: name, txt_value: value } = added.body.domains.at(-1)
  dns.answers.set(name, [Buffer.from(value)])
  return use(token, '/domains', { domain })
}
const start = ({ id }: Setup) => service.client('GET', `/api/2/auth/saml/${id}/sso`)

describe('an administrator who takes a set-up live', () => {
  const known = async () => {
    const { entityId, signer } = await makeIdp()
    return { entity_id: entityId, sso_url: 'https://idp.example.com/sso', certificate: signer.pem }
  }
  const takeLive = ({ id }: Setup, body: object) => asAdmin('POST', `/api/2/auth/saml/${id}/live`, body)

  it('ends its link, and nothing that its holder sent remains', async () => {
    const setup = await create()
    await use(setup.token, '/metadata', { xml: await makeMetadata() })
    const { domains } = (await prove(setup)).body
    expect(domains).toMatchObject([{ state: 'proven' }])
    const body = await known()
    const live = await takeLive(setup, body)
    expect([live.status, live.body]).toMatchObject([
      200,
      { ...body, name: 'Example Company', slo_url: null, metadata_url_source: null },
    ])
    expect((await start(setup)).status).toBe(303)
    expect((await use(setup.token)).body.code).toBe('invalid_token')
    expect((await asAdmin('GET', `/api/2/auth/connections/${setup.id}/domains`)).body).toMatchObject([
      { domain: domains[0].domain, state: 'pending' },
    ])
    const again = await takeLive(setup, body)
    expect(again.status).toBe(409)
  })

  it('lets it sign administrators in only if no holder of the link chose the identity provider', async () => {
    const email = `boss-${randomBytes(8).toString('hex')}@example.com`
    const boss = await addSignedIn(service, { email, permissions: ['users:manage'] })
    const idp = await makeIdp()
    const xml = plainMetadata({ ...idp.providerBody(), entityId: idp.entityId, certificates: [idp.signer] })
    const tryWith = async (sends: boolean) => {
      const setup = await create()
      if (sends) expect((await use(setup.token, '/metadata', { xml })).status).toBe(200)
      const { body: sent } = await asAdmin('GET', `/api/2/auth/saml/${setup.id}`)
      const { certificate, entity_id, sso_url } = sends ? sent : idp.providerBody()
      expect((await takeLive(setup, { certificate, entity_id, sso_url })).status).toBe(200)
      const account = { provider: setup.id, name: 'boss' }
      const path = `/api/2/users/${boss.user.id}/company-accounts`
      expect((await asAdmin('POST', path, account)).status).toBe(201)
      const browser = new TestBrowser(service)
      const started = await browser.get(`/api/2/auth/saml/${setup.id}/sso`)
      const request = idp.read(started.headers.get('location') ?? '', [sent.sp_certificate])
      const target = idp.targetOf(request)
      const { form } = await idp.answer(target, { nameId: 'boss', attributes: { email } })
      const session = sessionOf(await browser.post(target.acsUrl, form))
      const user = session === undefined ? 'refused' : await userOfSession(service, session)
      expect((await asAdmin('DELETE', `/api/2/auth/saml/${setup.id}`)).status).toBe(204)
      return user
    }
    expect(await tryWith(true)).toBe('refused')
    expect(await tryWith(false)).toBe(boss.user.id)
  })

  it('does it once, with one of many answers', async () => {
    const setup = await create()
    const bodies = await Promise.all(Array.from({ length: 10 }, known))
    const answers = await Promise.all(bodies.map((body) => takeLive(setup, body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
  })

  it('needs an identity provider that no other connection has', async () => {
    const [setup, other] = [await create(), await create()]
    const body = await known()
    const unknown = { ...body, entity_id: `urn:latchkey:setup:${setup.id}` }
    expect((await takeLive(setup, unknown)).body.errors).toMatchObject([{ field: 'entity_id' }])
    expect((await takeLive(setup, { ...body, certificate: 'x' })).body.errors).toMatchObject([
      { field: 'certificate' },
    ])
    expect((await start(setup)).status).toBe(404)
    expect((await takeLive(other, body)).status).toBe(200)
    expect((await takeLive(setup, body)).status).toBe(409)
    expect((await start(setup)).status).toBe(404)
    expect((await takeLive({ ...setup, id: 9_999_999 }, body)).status).toBe(404)
  })
})

describe('a set-up link', () => {
  it('takes a connection live, and has ended then', async () => {
    const setup = await create()
    expect((await start(setup)).status).toBe(404)
    expect((await finish(setup.token)).body.reason).toBe('setup_incomplete')
    const sent = await use(setup.token, '/metadata', { xml: await makeMetadata() })
    expect(sent.body.idp.certificates.length).toBeGreaterThan(0)
    expect((await start(setup)).status).toBe(404)
    expect((await prove(setup)).body.can_finish).toBe(true)
    const { body } = await use(setup.token)
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => use(setup.token, '/finish', { shown: body.shown })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await use(setup.token)).body.code).toBe('invalid_token')
    expect((await start(setup)).status).toBe(303)
    expect((await asAdmin('POST', `/api/2/auth/saml/${setup.id}/setup-links`)).status).toBe(409)
  })

  it('leads to sign-ins of the company, and to none of someone who decides about accounts', async () => {
    const setup = await create({ auto_create_users: true })
    const idp = await makeIdp()
    const metadata = plainMetadata({
      ...{ entityId: idp.entityId, ssoUrl: idp.ssoUrl, certificates: [idp.signer] },
    })
    expect((await use(setup.token, '/metadata', { xml: metadata })).status).toBe(200)
    const { body } = await prove(setup)
    const { domain } = body.domains[0]
    const [person, boss] = [
      await addSignedIn(service, { email: `person@${domain}` }),
      await addSignedIn(service, { email: `boss@${domain}` }),
    ]
    const { body: provider } = await asAdmin('GET', `/api/2/auth/saml/${setup.id}`)
    let session: string | undefined
    const signIn = async (nameId: string, email: string) => {
      const browser = new TestBrowser(service)
      const started = await browser.get(`/api/2/auth/saml/${setup.id}/sso`)
      if (started.status !== 303) return started.status
      const request = idp.read(started.headers.get('location') ?? '', [provider.sp_certificate])
      const target = idp.targetOf(request)
      const { form } = await idp.answer(target, { nameId, attributes: { email } })
      session = sessionOf(await browser.post(target.acsUrl, form))
      return session === undefined ? 'refused' : userOfSession(service, session)
    }
    expect(await signIn('person', person.user.email ?? '')).toBe(404)
    expect((await finish(setup.token)).status).toBe(200)
    expect(await signIn('person', person.user.email ?? '')).toBe(person.user.id)
    expect(await signIn('boss', boss.user.email ?? '')).toBe(boss.user.id)
    const promoted = { permissions: ['system:admin-access'] }
    expect(
      (
        await service.client('PATCH', `/api/2/users/${boss.user.id}`, {
          bearer: admin.bearer,
          body: promoted,
        })
      ).status,
    ).toBe(200)
    expect(await signIn('boss', boss.user.email ?? '')).toBe('refused')
    // Not even if an administrator connects the account.
    for (const [name, give] of [
      ['manager', { permissions: ['users:manage'] }],
      ['member', { groups: [await addManagers()] }],
    ] as const) {
      const { user } = await addSignedIn(service, { email: `${name}@${domain}` })
      const account = { provider: setup.id, name }
      expect((await asAdmin('POST', `/api/2/users/${user.id}/company-accounts`, account)).status).toBe(201)
      expect(await signIn(name, user.email ?? '')).toBe(user.id)
      const opened = session
      expect((await asAdmin('PATCH', `/api/2/users/${user.id}`, give)).status).toBe(200)
      // A session from before gives no credential that has the new right.
      const token = { bearer: opened ?? '', body: { name: 'x' } }
      expect((await service.client('POST', '/api/2/api-tokens', token)).body.reason).toBe(
        'reauthentication_required',
      )
      expect(await signIn(name, user.email ?? '')).toBe('refused')
    }
  })

  it('tests its own connection, signs no one in, and learns nothing of users here', async () => {
    const setup = await create()
    const idp = await makeIdp()
    const browser = new TestBrowser(service)
    const holder = await browserOf(setup.token)
    const startTest = (headers: Readonly<Record<string, string>> = {}) =>
      service.client('POST', '/api/2/auth/saml-setup/test', {
        body: { token: setup.token },
        headers: {
          cookie: holder.browser.cookieHeader('/api/2/auth/saml-setup/test', 'same-origin', 'POST'),
          ...headers,
        },
      })
    expect((await startTest()).body.reason).toBe('setup_incomplete')
    const xml = plainMetadata({ entityId: idp.entityId, ssoUrl: idp.ssoUrl, certificates: [idp.signer] })
    await use(setup.token, '/metadata', { xml })
    expect((await startTest({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status).toBe(
      403,
    )
    const started = await startTest()
    browser.keep(started)
    const { body: provider } = await asAdmin('GET', `/api/2/auth/saml/${setup.id}`)
    const target = idp.targetOf(idp.read(started.body.url, [provider.sp_certificate]))
    const nameId = 'known-here'
    const person = await addSignedIn(service)
    await asAdmin('POST', `/api/2/users/${person.user.id}/company-accounts`, {
      provider: setup.id,
      name: nameId,
    })
    const { form } = await idp.answer(target, { nameId, attributes: { email: 'ada@corp.example' } })
    const elsewhere = await new TestBrowser(service).post(target.acsUrl, form)
    expect(elsewhere.status).toBeGreaterThanOrEqual(400)
    const answered = await browser.post(target.acsUrl, form)
    expect(sessionOf(answered)).toBeUndefined()
    const location = answered.headers.get('location') ?? ''
    expect(location).toMatch(/^https:\/\/auth\.example\.com\/setup#test=/)
    const test = location.split('#test=')[1]
    const { body: result } = await use(setup.token, '/test-result', { test })
    expect(result).toMatchObject({
      accepted: true,
      subject: { name_id: nameId, email: 'ada@corp.example', user: null },
    })
    expect(JSON.stringify(result)).not.toContain(person.user.username)
    const other = await create()
    expect((await use(other.token, '/test-result', { test })).status).toBe(404)
    for (const id of ['x', '__proto__', 'x'.repeat(255)])
      expect((await use(setup.token, '/test-result', { test: id })).status).toBe(404)
  })

  it('leaves a secret in the browser that opened it, which no script and no other site gets', async () => {
    const { token } = await create()
    const { cookies, text } = await new SetupBrowser(service).open(token)
    expect(cookies[0]).toMatch(
      /^__Secure-latchkey-setup-[\w-]{12}=[\w-]{43}; Secure; HttpOnly; SameSite=Lax; Path=\/api\/2\/auth\/saml-setup; Max-Age=604800$/,
    )
    const value = /=([\w-]{43});/.exec(cookies[0] ?? '')?.[1] ?? 'missing'
    expect(text).not.toContain(value)
    expect(service.log.join('\n')).not.toContain(value)
  })

  it('answers alike when it is unknown, revoked, expired or used up', async () => {
    const revoked = await create()
    await asAdmin('DELETE', `/api/2/auth/saml/${revoked.id}/setup-links/${revoked.link}`)
    const expired = await create()
    const { table } = service.services
    const provider = await findSamlConnection(table, expired.id)
    if (!provider?.setup) throw new Error('the provider is not being set up')
    const link = provider.setup.link && { ...provider.setup.link, expiresAt: 1 }
    await editConnectionOf(table, samlKind, provider, { setup: { link } }, [])
    for (const token of [revoked.token, expired.token, 'x', '__proto__', admin.bearer])
      for (const rest of ['', '/finish']) {
        const { status, body } = await use(token, rest, rest === '' ? {} : { shown: 'x'.repeat(43) })
        expect([status, body.code]).toEqual([400, 'invalid_token'])
      }
  })

  it('loses the proof of its domains with other metadata', async () => {
    const setup = await create()
    await use(setup.token, '/metadata', { xml: await makeMetadata() })
    const before = (await prove(setup)).body.domains[0]
    const { body } = await use(setup.token, '/metadata', { xml: await makeMetadata() })
    expect(body.domains[0].state).toBe('pending')
    expect(body.domains[0].txt_value).not.toBe(before.txt_value)
    expect((await finish(setup.token)).status).toBe(409)
  })

  it('changes nothing but its own connection', async () => {
    const live = await addProvider(service, await makeIdp())
    const setup = await create()
    const other = await create()
    const path = `/api/2/auth/saml/${live.id}`
    for (const { id } of [live, setup])
      expect(
        (await service.client('GET', `/api/2/auth/connections/${id}/domains`, { bearer: setup.token }))
          .status,
      ).toBe(401)
    expect((await asAdmin('POST', `${path}/setup-links`)).status).toBe(409)
    const more = { saml_provider: live.id, id: live.id, required_for_domains: true, user_template: 1 }
    expect((await use(setup.token, '', more)).status).toBe(400)
    expect((await use(other.token)).body.idp).toBeNull()
    const { domain } = (await prove(other)).body.domains[0]
    expect((await use(setup.token, '/domains', { domain })).status).toBe(409)
    expect((await use(setup.token, '/domains/remove', { domain })).status).toBe(409)
    expect((await use(other.token, '/domains/remove', { domain })).status).toBe(409)
    const pending = { domain: `${randomBytes(8).toString('hex')}.example` }
    expect((await use(setup.token, '/domains', pending)).status).toBe(200)
    expect((await use(setup.token, '/domains/remove', pending)).body.domains).toEqual([])
  })

  it('never counts the word of an administrator', async () => {
    const setup = await create()
    const path = `/api/2/auth/connections/${setup.id}/domains`
    const domain = `${randomBytes(8).toString('hex')}.example`
    await asAdmin('POST', path, { domain })
    expect((await asAdmin('POST', `${path}/${domain}/vouch`)).status).toBe(409)
  })

  it('refuses private addresses, huge and broken metadata, and both kinds at once', async () => {
    const { token } = await create()
    const bodies = [
      ...['https://127.0.0.1/', 'https://169.254.169.254/', 'file:///etc/passwd'].map((url) => ({ url })),
      ...['x', '<a/>', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'].map((xml) => ({ xml })),
      ...[{ xml: 'x'.repeat(600_000) }, {}, { url: 'https://idp.example.com/', xml: '<a/>' }],
    ]
    for (const body of bodies) expect((await use(token, '/metadata', body)).status).toBe(400)
    expect((await use(token)).body.idp).toBeNull()
  })

  it('names itself in the audit log, and the list shows who opened it', async () => {
    const setup = await create()
    const path = `/api/2/auth/saml/${setup.id}/setup-links`
    const [unopened] = (await asAdmin('GET', path)).body
    expect([unopened.opened_at, unopened.opened_from, unopened.used_at]).toEqual([null, null, null])
    await use(setup.token, '/metadata', { xml: await makeMetadata() })
    const { body } = await asAdmin('GET', path)
    expect(body).toHaveLength(1)
    expect(JSON.stringify(body)).not.toMatch(/hash|browser/)
    expect(body[0].used_at).not.toBeNull()
    expect(body[0].opened_at).not.toBeNull()
    expect(body[0].opened_from).toBe('127.0.0.1')
    const opened = (await asAdmin('GET', '/api/2/auth/audit-events?event=saml_setup.link_opened')).body
    expect(opened[0].target).toBe(`${setup.id} ${setup.link}`)
    const events = (await asAdmin('GET', '/api/2/auth/audit-events?event=saml_setup.changed')).body
    expect(events[0].target).toMatch(new RegExp(`^${setup.id} ${setup.link} ${admin.user.id} metadata `))
    expect(events[0].target).toMatch(/, pasted, sha256 ([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
    // A new link begins anew: the one before has ended, and with it what its holder sent.
    const renewed = toSetup(await asAdmin('POST', path))
    expect((await use(setup.token)).status).toBeGreaterThanOrEqual(400)
    expect((await use(renewed.token)).body.idp).toBeNull()
  })
})
