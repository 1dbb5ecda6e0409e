import { randomBytes, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { awaitMails } from '../support/await-mails.ts'
import { TestBrowser } from '../support/browser.ts'
import { makeCertificate, type TestCertificate } from '../support/certificates.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { makeIdp, type TestIdp } from '../support/idp.ts'
import { startMetadataServer } from '../support/metadata-server.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { refreshConnections } from '../support/refresh-connections.ts'
import { addProvider, sessionOf, userOfSession } from '../support/saml.ts'
import { plainMetadata } from '../support/saml-metadata.ts'
import { SetupBrowser } from '../support/setup-browser.ts'
import { useService } from '../support/use-service.ts'

/* A set-up link reached a second person, who wants a key to the company for the time after it went live. */

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const dns = closeAfterTests(await startDnsServer())
const admin = await addSignedIn(service, {
  permissions: ['system:admin-access'],
  email: `creator-${randomBytes(4).toString('hex')}@example.com`,
})
const refresh = () => refreshConnections(service)

const asAdmin = callAs(service, admin)

interface Setup {
  readonly id: number
  readonly token: string
}
const toSetup = ({ body }: Answer): Setup => ({
  id: body.saml_provider,
  token: new URLSearchParams(new URL(body.url).hash.slice(1)).get('token') ?? '',
})
const create = async (): Promise<Setup> =>
  toSetup(
    await asAdmin('POST', '/api/2/auth/saml-setups', { name: 'Example Company', auto_create_users: true }),
  )
const replaceLink = async ({ id }: Setup): Promise<Setup> =>
  toSetup(await asAdmin('POST', `/api/2/auth/saml/${id}/setup-links`))
const openIn = async ({ token }: Setup): Promise<SetupBrowser> => {
  const browser = new SetupBrowser(service)
  expect((await browser.open(token)).status).toBe(200)
  return browser
}
const makeName = (): string => `${randomBytes(8).toString('hex')}.example`
const toMetadata = (idp: TestIdp, certificates: readonly TestCertificate[] = [idp.signer]): string =>
  plainMetadata({ entityId: idp.entityId, ssoUrl: idp.ssoUrl, certificates })
const publish = ({ body }: Answer, domain: string): void => {
  const { txt_name: name, txt_value: value } = body.domains.find(
    (one: { domain: string }) => one.domain === domain,
  )
  dns.answers.set(name, [Buffer.from(value)])
}
/** Adds a domain, publishes its record, and checks it. */
const prove = async (browser: SetupBrowser, token: string, domain: string): Promise<Answer> => {
  publish(await browser.use(token, '/domains', { domain }), domain)
  return browser.use(token, '/domains', { domain })
}
/** Signs in at a live connection with an assertion that this certificate signs. */
const signIn = async ({ id }: Setup, idp: TestIdp, signer: TestCertificate, email: string) => {
  const { body: provider } = await asAdmin('GET', `/api/2/auth/saml/${id}`)
  const browser = new TestBrowser(service)
  const started = await browser.get(`/api/2/auth/saml/${id}/sso`)
  const target = idp.targetOf(idp.read(started.headers.get('location') ?? '', [provider.sp_certificate]))
  const own = idp.signer
  idp.signer = signer
  const { form } = await idp.answer(target, { nameId: email, attributes: { email } })
  idp.signer = own
  const session = sessionOf(await browser.post(target.acsUrl, form, 'same-site'))
  return session === undefined ? 'refused' : userOfSession(service, session)
}

describe('a thief with a copy of a set-up link', () => {
  it.each(['before', 'between', 'after'] as const)(
    'has no key to the company with metadata that they send %s the steps of the customer',
    async (when) => {
      let setup = await create()
      const [idp, thief, domain] = [await makeIdp(), (await makeIdp()).signer, makeName()]
      const kim = await addSignedIn(service, { email: `kim@${domain}` })
      const email = kim.user.email ?? ''
      const [copy, thiefBrowser] = [setup.token, new SetupBrowser(service)]
      const attack = async (): Promise<void> => {
        await thiefBrowser.open(copy)
        await thiefBrowser.use(copy, '/metadata', { xml: toMetadata(idp, [idp.signer, thief]) })
        await thiefBrowser.use(copy, '/domains', { domain })
      }
      if (when === 'before') {
        await attack()
        const late = await new SetupBrowser(service).open(setup.token)
        expect([late.status, late.body.reason]).toEqual([403, 'setup_browser'])
        expect(late.cookies).toEqual([])
        setup = await replaceLink(setup)
      }
      const customer = await openIn(setup)
      expect((await customer.use(setup.token)).body.idp).toBeNull()
      expect((await customer.use(setup.token)).body.domains).toEqual([])
      await customer.use(setup.token, '/metadata', { xml: toMetadata(idp) })
      if (when === 'between') {
        await attack()
        expect((await thiefBrowser.open(copy)).body.reason).toBe('setup_browser')
      }
      const { body } = await prove(customer, setup.token, domain)
      const fingerprints = body.idp.certificates.map((one: { fingerprint: string }) => one.fingerprint)
      expect(fingerprints).toEqual([new X509Certificate(idp.signer.pem).fingerprint256])
      if (when === 'before') {
        await attack()
        expect((await thiefBrowser.open(copy)).body.code).toBe('invalid_token')
      }
      expect((await customer.finish(setup.token)).status).toBe(200)
      if (when === 'after') await attack()
      expect(await signIn(setup, idp, thief, email)).toBe('refused')
      expect(await signIn(setup, idp, idp.signer, email)).toBe(kim.user.id)
      expect(await signIn(setup, idp, thief, email)).toBe('refused')
    },
  )

  it('adds no certificate later at the address of the metadata, before an administrator chooses it', async () => {
    const setup = await create()
    const [idp, thief, domain] = [await makeIdp(), (await makeIdp()).signer, makeName()]
    const site = await startMetadataServer()
    site.serve(toMetadata(idp))
    const customer = await openIn(setup)
    const sent = await customer.use(setup.token, '/metadata', { url: site.url })
    expect(sent.status, sent.text).toBe(200)
    expect(sent.body.idp.metadata_url).toBe(site.url)
    await prove(customer, setup.token, domain)
    expect((await customer.finish(setup.token)).status).toBe(200)
    const lee = await addSignedIn(service, { email: `lee@${domain}` })
    const email = lee.user.email ?? ''
    site.serve(toMetadata(idp, [idp.signer, thief]))
    const read = site.requests.length
    await refresh()
    expect(site.requests.length).toBe(read)
    expect(await signIn(setup, idp, thief, email)).toBe('refused')
    expect(await signIn(setup, idp, idp.signer, email)).toBe(lee.user.id)
    const path = `/api/2/auth/saml/${setup.id}`
    const { body: shown } = await asAdmin('GET', path)
    expect([shown.metadata_url_source, shown.proposed_metadata_url]).toEqual([null, site.url])
    expect((await service.client('GET', path)).body).not.toHaveProperty('proposed_metadata_url')
    site.serve(toMetadata(idp))
    const chosen = await asAdmin('PATCH', path, { metadata_url_source: shown.proposed_metadata_url })
    expect([chosen.body.metadata_url_source, chosen.body.proposed_metadata_url]).toEqual([site.url, null])
    await refresh()
    expect(site.requests.length).toBe(read + 1)
    await site.close()
  })

  it('is one of many who open the link at the same time, and exactly one gets it', async () => {
    const { token } = await create()
    const browsers = Array.from({ length: 20 }, () => new SetupBrowser(service))
    const answers = await Promise.all(browsers.map((browser) => browser.open(token)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(won[0]?.cookies).toHaveLength(1)
    for (const { status, body, cookies } of answers.filter((answer) => answer !== won[0]))
      expect([status, body.reason, cookies]).toEqual([403, 'setup_browser', []])
    const states = await Promise.all(browsers.map((browser) => browser.use(token)))
    expect(states.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('does nothing without the cookie, with that of another link, or with two of them', async () => {
    const [setup, other] = [await create(), await create()]
    const rests = ['', '/metadata', '/domains', '/domains/remove', '/finish', '/test', '/test-result']
    const fields = new Map<string, object>([
      ['/metadata', { xml: toMetadata(await makeIdp()) }],
      ['/domains', { domain: makeName() }],
      ['/domains/remove', { domain: makeName() }],
      ['/test-result', { test: 'x' }],
      ['/finish', { shown: 'x'.repeat(43) }],
    ])
    // No one opened the link yet: nothing but opening it works.
    for (const rest of rests.filter((one) => one !== '')) {
      const { status, body } = await new SetupBrowser(service).use(setup.token, rest, fields.get(rest))
      expect([rest, status, body.reason]).toEqual([rest, 403, 'setup_browser'])
    }
    const owner = await openIn(setup)
    const [line = ''] = (await new SetupBrowser(service).open(other.token)).cookies
    const [, otherName = '', otherValue = ''] = /^([^=]+)=([^;]+)/.exec(line) ?? []
    const own = owner.browser.cookieHeader('/api/2/auth/saml-setup', 'same-origin', 'POST')
    const [ownName = '', ownValue = ''] = own.split('=')
    expect(ownName).toBe(
      `latchkey-setup-${(await asAdmin('GET', `/api/2/auth/saml/${setup.id}/setup-links`)).body[0].id}`,
    )
    for (const cookie of [
      '',
      `${otherName}=${otherValue}`,
      `${ownName}=${otherValue}`,
      `${own}; ${ownName}=${otherValue}`,
      `${ownName}=`,
      `${ownName}=${ownValue.slice(1)}`,
    ])
      for (const rest of rests) {
        const body = { token: setup.token, ...fields.get(rest) }
        const answer = await service.client('POST', `/api/2/auth/saml-setup${rest}`, {
          body,
          headers: { cookie },
        })
        expect([cookie, rest, answer.status, answer.body.reason]).toEqual([
          cookie,
          rest,
          403,
          'setup_browser',
        ])
      }
    expect((await owner.use(setup.token)).body.idp).toBeNull()
    const events = (await asAdmin('GET', '/api/2/auth/audit-events?event=saml_setup.link_refused')).body
    expect(events.map(({ outcome }: { outcome: string }) => outcome)).toContain('setup_browser')
  })

  it('is not a scanner that only loads the page', async () => {
    const setup = await create()
    for (const method of ['GET', 'HEAD'] as const)
      await service.client(method, '/setup', { headers: { accept: 'text/html' } })
    expect((await asAdmin('GET', `/api/2/auth/saml/${setup.id}/setup-links`)).body[0].opened_at).toBeNull()
    await openIn(setup)
  })

  it('takes nothing live but what the page showed', async () => {
    const setup = await create()
    const [idp, domain] = [await makeIdp(), makeName()]
    const customer = await openIn(setup)
    await customer.use(setup.token, '/metadata', { xml: toMetadata(idp) })
    const { body: shown } = await prove(customer, setup.token, domain)
    // Somebody at the same browser, or an administrator, changes it behind the open page.
    const another = (await makeIdp()).signer
    const path = `/api/2/auth/saml/${setup.id}`
    await asAdmin('PATCH', path, { certificate: idp.signer.pem + another.pem })
    const stale = await customer.use(setup.token, '/finish', { shown: shown.shown })
    expect([stale.status, stale.body.reason]).toEqual([409, 'setup_changed'])
    const { body: now } = await customer.open(setup.token)
    expect([now.is_finished, now.idp.certificates.length]).toEqual([false, 2])
    for (const bad of [undefined, '', shown.token, 'x'.repeat(43), ['x']])
      expect((await customer.use(setup.token, '/finish', { shown: bad })).status).toBeGreaterThanOrEqual(400)
    const added = await customer.use(setup.token, '/domains', { domain: makeName() })
    expect(added.body.shown).not.toBe(now.shown)
    expect((await customer.use(setup.token, '/finish', { shown: now.shown })).body.reason).toBe(
      'setup_changed',
    )
    expect((await customer.finish(setup.token)).status).toBe(200)
  })

  it('is seen in emails with all certificates and their source, to the creator of the link', async () => {
    const setup = await create()
    const idp = await makeIdp()
    const customer = await openIn(setup)
    const second = await makeCertificate({ days: { from: -1, to: 3650 } })
    await customer.use(setup.token, '/metadata', { xml: toMetadata(idp, [idp.signer, second]) })
    const domain = makeName()
    const { body } = await prove(customer, setup.token, domain)
    await customer.finish(setup.token)
    await awaitMails(service)
    const sent = service.mailbox.mailsTo(admin.user.email ?? '')
    const mails = sent.filter(({ text }) => text.includes(idp.entityId))
    expect(mails).toHaveLength(2)
    const fingerprints = body.idp.certificates.map((one: { fingerprint: string }) => one.fingerprint)
    expect(fingerprints).toHaveLength(2)
    for (const { text } of mails) for (const fingerprint of fingerprints) expect(text).toContain(fingerprint)
    expect(mails[1]?.text).toContain(domain)
    const { body: provider } = await asAdmin('GET', `/api/2/auth/saml/${setup.id}`)
    expect(provider.certificate_fingerprints).toEqual(fingerprints)
  })
})

describe('claims without a proof', () => {
  it('of 50 domains shut out neither the owner nor an administrator', async () => {
    const [squatter, owner] = [await create(), await create()]
    const names = Array.from({ length: 50 }, makeName)
    const thief = await openIn(squatter)
    for (const domain of names)
      expect((await thief.use(squatter.token, '/domains', { domain })).status).toBe(200)
    const [domain = '', second = ''] = names
    const customer = await openIn(owner)
    expect((await prove(customer, owner.token, domain)).body.domains[0].state).toBe('proven')
    const { id } = await addProvider(service, await makeIdp())
    const path = `/api/2/auth/connections/${id}/domains`
    expect((await asAdmin('POST', path, { domain: second })).status).toBe(201)
    expect((await asAdmin('POST', `${path}/${second}/vouch`)).status).toBe(200)
    // The claims are still there. Removing them frees nothing that another connection owns.
    for (const name of [domain, second])
      expect((await thief.use(squatter.token, '/domains/remove', { domain: name })).status).toBe(200)
    expect((await asAdmin('DELETE', `/api/2/auth/saml/${squatter.id}`)).status).toBe(204)
    const later = await create()
    const late = await openIn(later)
    for (const name of [domain, second])
      expect((await late.use(later.token, '/domains', { domain: name })).status).toBe(409)
  })

  it('become a proof for exactly one of two connections that prove at the same time', async () => {
    const setups = [await create(), await create(), await create()]
    const browsers = await Promise.all(setups.map(openIn))
    const domain = makeName()
    const values: Buffer[] = []
    for (const [at, browser] of browsers.entries()) {
      const { body } = await browser.use(setups[at]?.token ?? '', '/domains', { domain })
      values.push(Buffer.from(body.domains[0].txt_value))
    }
    // The owner publishes all records. A server answers with one record, so each check sees its own.
    dns.answers.set(`_latchkey.${domain}`, values)
    const answers = await Promise.all(
      browsers.map((browser, at) => browser.use(setups[at]?.token ?? '', '/domains', { domain })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2)
  })

  it('of an administrator stay pending when another proved first, and stop no other proof of the day', async () => {
    const [setup, domain, free] = [await create(), makeName(), makeName()]
    const { id } = await addProvider(service, await makeIdp())
    const path = `/api/2/auth/connections/${id}/domains`
    const added = await asAdmin('POST', path, { domain })
    const other = await asAdmin('POST', path, { domain: free })
    const customer = await openIn(setup)
    await prove(customer, setup.token, domain)
    dns.answers.set(added.body.txt_name, [Buffer.from(added.body.txt_value)])
    dns.answers.set(other.body.txt_name, [Buffer.from(other.body.txt_value)])
    expect((await asAdmin('POST', `${path}/${domain}/check`)).status).toBe(409)
    expect((await asAdmin('POST', `${path}/${domain}/vouch`)).status).toBe(409)
    await refresh()
    const states = (await asAdmin('GET', path)).body.map((one: { state: string }) => one.state)
    expect(states).toEqual(['pending', 'proven'])
  })

  it('of an entity ID shut out no one until the connection is live', async () => {
    const idp = await makeIdp()
    const [squatter, owner] = [await create(), await create()]
    const [thief, customer] = [await openIn(squatter), await openIn(owner)]
    const xml = toMetadata(idp)
    expect((await thief.use(squatter.token, '/metadata', { xml })).status).toBe(200)
    expect((await customer.use(owner.token, '/metadata', { xml })).status).toBe(200)
    await prove(thief, squatter.token, makeName())
    await prove(customer, owner.token, makeName())
    const answers = await Promise.all([customer.finish(owner.token), thief.finish(squatter.token)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(1)
    const later = await create()
    const late = await openIn(later)
    expect((await late.use(later.token, '/metadata', { xml })).status).toBe(409)
  })

  it('of the entity ID that a connection in set-up has is refused', async () => {
    const [mine, other] = [await create(), await create()]
    const browser = await openIn(mine)
    const idp = await makeIdp()
    for (const id of [mine.id, other.id, other.id + 1]) {
      const entityId = `urn:latchkey:setup:${id}`
      const xml = plainMetadata({ entityId, ssoUrl: idp.ssoUrl, certificates: [idp.signer] })
      const sent = await browser.use(mine.token, '/metadata', { xml })
      expect([sent.status, sent.body.errors?.[0]?.field]).toEqual([400, 'xml'])
      const body = { ...idp.providerBody(), entity_id: entityId }
      const created = await asAdmin('POST', '/api/2/auth/saml', body)
      expect([created.status, created.body.errors?.[0]?.field]).toEqual([400, 'entity_id'])
    }
    await create()
  })
})
