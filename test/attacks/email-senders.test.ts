import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { brandingCacheMs } from '../../lib/kernel/limits/limits.ts'
import { brandingKey } from '../../lib/kernel/table/keys/keys.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { addSharer, mailLink, newAddress, shareLink } from '../support/mailed-links.ts'
import { clientId, clientSecret, startUpstream } from '../support/oidc-upstream.ts'
import {
  addMember,
  addOrganization,
  inviteMember,
  newPersonAddress,
  type OwnedOrganization,
} from '../support/organization-invitations.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Owners of organizations, and stolen sessions of administrators, who want their emails to come from somebody else. */

vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => vi.useRealTimers())

const shop = 'https://shop.example.com'
const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'domainChecks=100000/60',
  ALLOWED_ORIGINS: shop,
  LINK_URL: `Shop=${shop}/shared/{id}`,
})
const dns = closeAfterTests(await startDnsServer())
const upstream = closeAfterTests(await startUpstream())
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const asAdmin = callAs(service, admin)
expect((await asAdmin('PUT', 'organization-policy', { company_sign_in: 'always' })).status).toBe(200)

/** Emails show a change of the branding after this time. */
const expire = () => vi.setSystemTime(Date.now() + brandingCacheMs + 1)

/** Gives an organization a domain that the DNS proves, and returns how it loses it. */
const prove = async (organization: OwnedOrganization) => {
  const call = callAs(service, organization.owner)
  const path = `organizations/${organization.id}/sign-in`
  const body = { kind: 'oidc', issuer: upstream.issuer, client_id: clientId, client_secret: clientSecret }
  const brought = await call('POST', path, body)
  expect(brought.status, brought.text).toBe(201)
  const domain = `${randomUUID()}.example`
  const domains = `${path}/${brought.body.id}/domains`
  const [record] = (await call('POST', domains, { domain })).body.domains
  dns.answers.set(record.txt_name, [Buffer.from(record.txt_value)])
  expect((await call('POST', domains, { domain })).body.domains[0].state).toBe('proven')
  return {
    domain,
    lose: async () => expect((await call('DELETE', `${domains}/${domain}`)).status).toBeLessThan(300),
  }
}
const addProven = async () => {
  const organization = await addOrganization(service, admin)
  return { organization, ...(await prove(organization)) }
}
const brand = ({ id, owner }: OwnedOrganization, body: object) =>
  callAs(service, owner)('PUT', `organizations/${id}/branding`, body)
const invite = async (organization: OwnedOrganization) => {
  const email = newPersonAddress()
  await inviteMember(service, organization, organization.owner, { email })
  return service.mailbox.mailTo(email)
}
const share = async () => {
  const sharer = await addSharer(service)
  const email = newAddress()
  const link = await shareLink(service, sharer, { email, url: '/link?product=Shop' })
  expect((await mailLink(service, sharer, link.id, {})).status).toBe(204)
  return service.mailbox.mailTo(email)
}
const own = 'Latchkey <no-reply@localhost>'

describe('the sender of a product', () => {
  it('is in the emails that it causes, with the address of the service, and in no other', async () => {
    const set = await asAdmin('PATCH', 'branding/products/Shop', {
      sender_name: 'The “Shop”, Zürich',
      reply_to: 'help@shop.example.com',
    })
    expect(set.body).toMatchObject({ reply_to: 'help@shop.example.com', reply_to_used: true })
    expire()
    const mail = await share()
    expect(mail.from).toMatch(/^=\?UTF-8\?B\?\S+\?= <no-reply@localhost>$/)
    const [, encoded = ''] = /B\?(\S+)\?=/.exec(mail.from) ?? []
    expect(Buffer.from(encoded, 'base64').toString()).toBe('The “Shop”, Zürich')
    expect(mail.replyTo).toEqual(['help@shop.example.com'])
    const person = await addPerson(service, { email: `${randomUUID()}@example.com` })
    await service.client('POST', '/api/2/auth/reset-password/request', {
      body: { username: person.user.username },
    })
    expect(await service.mailbox.mailTo(person.user.email)).toMatchObject({ from: own, replyTo: [] })
    await asAdmin('DELETE', 'branding/products/Shop')
  })

  it('is that of the service if it has none', async () => {
    await asAdmin('PATCH', 'branding', { sender_name: 'Acme, Inc.', reply_to: 'help@localhost' })
    expire()
    expect(await share()).toMatchObject({
      from: '"Acme, Inc." <no-reply@localhost>',
      replyTo: ['help@localhost'],
    })
    await asAdmin('DELETE', 'branding')
    expire()
  })

  it.each([
    ['an address', 'help@evil.example'],
    ['an address in full width', 'help＠evil'],
    ['a small at sign', 'help﹫evil'],
    ['an address in brackets', 'Acme <x>'],
    ['a domain', 'evil.example'],
    ['a domain in full width', 'evil．example'],
    ['a link', 'https://evil'],
    ['a header', 'Acme\r\nBcc: eve@evil.example'],
    ['a line break', 'Acme\nEve'],
    ['a null', 'Acme\u0000'],
    ['a separator of lines', 'Acme\u2028Eve'],
    ['reversed text', 'Acme \u202eevE'],
    ['a character without width', 'Ac\u200bme'],
    ['an encoded word', '=?utf-8?q?x?='],
    ['quotation marks', 'Acme" <eve'],
    ['nothing to see', ' '],
    ['points', '...'],
    ['a long name', 'x'.repeat(65)],
    ['a huge name', 'x'.repeat(100_000)],
    ['a number', 1],
    ['a list', ['Acme']],
    ['an object', { __proto__: null, name: 'Acme' }],
  ])('is refused as %s', async (_, name) => {
    for (const path of ['branding', 'branding/products/Shop'])
      expect([400, 413]).toContain((await asAdmin('PATCH', path, { sender_name: name })).status)
  })

  it.each([
    'eve@evil.example',
    'help@localhost.evil.example',
    'help@evil.example@localhost',
    'evil.example',
    'help@localhost\r\nBcc: eve@evil.example',
    'help@localhost, eve@evil.example',
    'help@localhost;eve@evil.example',
    'Acme <help@localhost>',
    '"eve@evil.example"@localhost',
    'eve%evil.example@localhost',
    'evil.example!eve@localhost',
    'help@LOCALHOST.evil.example',
    'help@shop.example.com.evil.example',
    'help@evilshop.example.com',
    `${'x'.repeat(250)}@localhost`,
    '',
    ' ',
    1,
    ['help@localhost'],
  ])('has no reply address %s', async (address) => {
    for (const path of ['branding', 'branding/products/Shop'])
      expect((await asAdmin('PATCH', path, { reply_to: address })).status, String(address)).toBe(400)
  })

  it('loses a reply address and a name that the rules refuse now, such as of a domain that the service lost', async () => {
    await asAdmin('PATCH', 'branding', { sender_name: 'Acme', reply_to: 'help@shop.example.com' })
    const { table } = service.services
    const item = (await table.get(brandingKey)) ?? brandingKey
    const { service: stored } = item as unknown as { readonly service: object }
    const sold = { ...stored, sender_name: 'eve@evil.example', reply_to: 'help@sold.example' }
    await table.put({ ...item, service: sold })
    expire()
    expect((await asAdmin('GET', 'branding')).body).toMatchObject({
      ...{ reply_to: 'help@sold.example', reply_to_used: false },
    })
    expect(await share()).toMatchObject({ from: own, replyTo: [] })
    await asAdmin('DELETE', 'branding')
    expire()
  })
})

describe('the sender of an organization', () => {
  it('is in its invitations alone, before the name of the product, and ends with its domain', async () => {
    const { organization, domain, lose } = await addProven()
    const other = await addOrganization(service, admin)
    const reply = `people@${domain}`
    const set = await brand(organization, { sender_name: 'Acme People', reply_to: reply })
    expect(set.body, set.text).toMatchObject({
      sender_name: 'Acme People',
      reply_to: reply,
      sender_used: true,
    })
    expect(await invite(organization)).toMatchObject({ replyTo: [reply] })
    expect(decode((await invite(organization)).from)).toBe('Acme People · Latchkey <no-reply@localhost>')
    expect(await invite(other)).toMatchObject({ from: own, replyTo: [] })
    await lose()
    expect(await invite(organization)).toMatchObject({ from: own, replyTo: [] })
    const read = await callAs(service, organization.owner)('GET', `organizations/${organization.id}/branding`)
    expect(read.body).toMatchObject({ reply_to: reply, sender_used: false })
    // The rest can still be changed, with what was read.
    expect((await brand(organization, { ...read.body, accent_color: '#b91c1c' })).status).toBe(200)
    expect((await brand(other, { sender_name: 'Acme People', reply_to: reply })).status).toBe(400)
  })

  it('needs a proven domain, and its own', async () => {
    const [acme, other] = [await addProven(), await addOrganization(service, admin)]
    for (const body of [
      { sender_name: 'Other' },
      { reply_to: `x@${acme.domain}` },
      { reply_to: 'x@localhost' },
    ])
      expect((await brand(other, body)).status).toBe(400)
    for (const reply of ['x@localhost', 'x@shop.example.com', 'x@evil.example', `x@evil-${acme.domain}`])
      expect((await brand(acme.organization, { reply_to: reply })).status, reply).toBe(400)
    for (const name of [
      'Latchkey',
      'L a t c h k e y Security',
      'Lаtchkey',
      'eve@evil.example',
      'evil.example',
    ])
      expect((await brand(acme.organization, { sender_name: name })).status, name).toBe(400)
  })

  it('is set by those who manage the settings, and by nobody else', async () => {
    const { organization, domain } = await addProven()
    const path = `organizations/${organization.id}/branding`
    const body = { sender_name: 'Acme', reply_to: `x@${domain}` }
    const stranger = await addOrganization(service, admin)
    for (const [person, status] of [
      [await addMember(service, admin, organization.id, ['member']), 403],
      [stranger.owner, 404],
      [await addSignedIn(service), 404],
    ] as const)
      expect((await callAs(service, person)('PUT', path, body)).status).toBe(status)
  })
})

describe('the words of an organization', () => {
  const pathOf = ({ id }: Pick<OwnedOrganization, 'id'>, rest = 'organization_invitation/en') =>
    `organizations/${id}/email-texts/${rest}`
  const words = { subject: 'Come to us', body: '{inviter} wants you at {organization}.\n\n[Join]({link})' }

  it('are written by those who manage its settings, are in its invitations alone, and end with its domain', async () => {
    const { organization, domain, lose } = await addProven()
    const other = await addOrganization(service, admin)
    const call = callAs(service, organization.owner)
    const given = { ...words, body: `${words.body}\n\nSee [us](https://www.${domain}/).` }
    const saved = await call('PUT', pathOf(organization), given)
    expect(saved.body, saved.text).toMatchObject({ ...given, version: 1 })
    expect((await invite(organization)).subject).toBe('Come to us')
    expect((await invite(other)).subject).toMatch(/^Invitation to/)
    const { body: events } = await call('GET', `organizations/${organization.id}/events`)
    expect(JSON.stringify(events)).not.toContain('wants you at')
    await lose()
    expect((await invite(organization)).subject).toMatch(/^Invitation to/)
    expect((await call('PUT', pathOf(organization), { ...words, subject: 'Again' })).status).toBe(403)
    expect((await call('DELETE', pathOf(organization))).status).toBe(204)
  })

  it('of members lose even plain words with the domain, and those of administrators do not', async () => {
    const { organization, lose } = await addProven()
    expect((await callAs(service, organization.owner)('PUT', pathOf(organization), words)).status).toBe(200)
    await lose()
    expect((await invite(organization)).subject).toMatch(/^Invitation to/)
    const byAdmin = { ...words, subject: 'By the service' }
    expect((await asAdmin('PUT', pathOf(organization), byAdmin)).status).toBe(200)
    expect((await invite(organization)).subject).toBe('By the service')
  })

  it('lead to domains of nobody else, and of no other organization', async () => {
    const [acme, other] = [await addProven(), await addProven()]
    const call = callAs(service, acme.organization.owner)
    for (const link of ['evil.example', other.domain, `${acme.domain}.evil.example`]) {
      const body = `${words.body}\n[x](https://${link}/)`
      expect((await call('PUT', pathOf(acme.organization), { ...words, body })).status, link).toBe(400)
      const preview = pathOf(acme.organization, 'organization_invitation/en/preview')
      expect((await call('POST', preview, { ...words, body })).status, link).toBe(400)
    }
  })

  it('are kept from others, and from other kinds, languages and organizations', async () => {
    const [acme, other] = [await addProven(), await addProven()]
    expect(
      (await callAs(service, acme.organization.owner)('PUT', pathOf(acme.organization), words)).status,
    ).toBe(200)
    const member = await addMember(service, admin, acme.organization.id, ['member'])
    for (const [person, status] of [
      [member, 403],
      [other.organization.owner, 404],
      [await addSignedIn(service, { permissions: ['users:manage'] }), 404],
    ] as const) {
      const call = callAs(service, person)
      for (const [method, path, body] of [
        ['GET', pathOf(acme.organization, '').replace(/\/$/, ''), undefined],
        ['GET', pathOf(acme.organization), undefined],
        ['PUT', pathOf(acme.organization), words],
        ['DELETE', pathOf(acme.organization), undefined],
        ['POST', `${pathOf(acme.organization)}/preview`, words],
      ] as const)
        expect((await call(method, path, body)).status, `${method} ${path}`).toBe(status)
    }
    const call = callAs(service, other.organization.owner)
    for (const rest of [
      ...['password_reset/en', 'access_link/en', 'sign_in_code/en', '__proto__/en', 'constructor/en'],
      ...['organization_invitation/xx', 'organization_invitation/__proto__', 'organization_invitation/EN'],
    ])
      expect((await call('PUT', pathOf(other.organization, rest), words)).status, rest).toBe(404)
    for (const id of ['__proto__', '0', '1e3', `${acme.organization.id}%23en`, '9999999999'])
      expect(
        (await call('PUT', `organizations/${id}/email-texts/organization_invitation/en`, words)).status,
      ).toBe(404)
    for (const body of ['x'.repeat(40_000), '', 1, ['x'], null])
      expect((await call('PUT', pathOf(other.organization), { ...words, body })).status).toBe(400)
  })

  it('are written by an API token of the organization, and by none of another', async () => {
    const [acme, other] = [await addProven(), await addProven()]
    const tokenOf = async ({ id, owner }: OwnedOrganization) => {
      const body = { name: 'Words', permissions: ['org:settings:manage'] }
      const made = await callAs(service, owner)('POST', `organizations/${id}/api-tokens`, body)
      expect(made.status, made.text).toBe(201)
      return { bearer: made.body.token }
    }
    const [one, two] = [await tokenOf(acme.organization), await tokenOf(other.organization)]
    const path = pathOf(acme.organization)
    expect((await callAs(service, two)('PUT', path, words)).status).toBe(404)
    expect((await callAs(service, one)('PUT', path, words)).status).toBe(200)
    expect((await callAs(service, one)('POST', `${path}/preview`, words)).body.from).toBe(own)
    expect((await callAs(service, one)('PUT', 'branding/email-texts/service/sign_up/en', words)).status).toBe(
      401,
    )
  })

  it('of one version are changed by exactly one of a hundred', async () => {
    const { organization } = await addProven()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        callAs(service, organization.owner)('PUT', pathOf(organization), {
          ...{ ...words, subject: `Try ${at}` },
          version: 0,
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })
})

/** A name that is no ASCII, as a program for email reads it. */
const decode = (source: string): string =>
  source
    .replaceAll(/\?= =\?UTF-8\?B\?/g, '')
    .replaceAll(/=\?UTF-8\?B\?(\S+?)\?=/g, (_, text: string) => Buffer.from(text, 'base64').toString())
