import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { copyOrganizationEvents } from '../../lib/features/organizations/events.records.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { makeIdp } from '../support/idp.ts'
import { clientId, clientSecret, openCallback, startUpstream } from '../support/oidc-upstream.ts'
import {
  acceptShown,
  addMember,
  addOrganization,
  findOffer,
  inviteMember,
  type OwnedOrganization,
} from '../support/organization-invitations.ts'
import { addPerson, addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { refreshConnections } from '../support/refresh-connections.ts'
import { sessionOf } from '../support/saml.ts'
import { plainMetadata } from '../support/saml-metadata.ts'
import { SetupBrowser } from '../support/setup-browser.ts'
import { useService } from '../support/use-service.ts'

/* An organization brings its own identity provider. It speaks for the domains that it proved, and for nobody else. */

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true', RATE_LIMITS: 'domainChecks=100000/60' })
const dns = closeAfterTests(await startDnsServer())
const upstream = closeAfterTests(await startUpstream())
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const asAdmin = callAs(service, admin)
const setPolicy = async (allowed: 'never' | 'ask' | 'always') =>
  expect((await asAdmin('PUT', 'organization-policy', { company_sign_in: allowed })).status).toBe(200)
const roles = [
  { key: 'connector', texts: { en: 'Connector' }, permissions: ['org:sign-in:manage'] },
  { key: 'editor', texts: { en: 'Editor' }, permissions: ['films:edit'] },
]
expect((await asAdmin('PUT', 'organization-roles', { roles })).status).toBe(200)

const oidc = { kind: 'oidc', issuer: upstream.issuer, client_id: clientId, client_secret: clientSecret }
const newDomain = () => `${randomUUID()}.example`
const pathOf = ({ id }: Pick<OwnedOrganization, 'id'>, connection?: number, rest = '') =>
  `organizations/${id}/sign-in${connection === undefined ? '' : `/${connection}`}${rest}`
const bring = (
  organization: OwnedOrganization,
  fields: object = {},
  person: SignedInPerson = organization.owner,
) => callAs(service, person)('POST', pathOf(organization), { ...oidc, ...fields })
const claim = (organization: OwnedOrganization, connection: number, domain: string) =>
  callAs(service, organization.owner)('POST', pathOf(organization, connection, '/domains'), { domain })
const publish = ({ body }: Answer, domain: string) => {
  const record = body.domains.find((one: { domain: string }) => one.domain === domain)
  const values = dns.answers.get(record.txt_name) ?? []
  dns.answers.set(record.txt_name, [
    ...(typeof values === 'string' ? [] : values),
    Buffer.from(record.txt_value),
  ])
}
const prove = async (organization: OwnedOrganization, connection: number, domain = newDomain()) => {
  publish(await claim(organization, connection, domain), domain)
  return claim(organization, connection, domain)
}
const stateOf = async (organization: OwnedOrganization, connection: number) => {
  const { body } = await callAs(service, organization.owner)('GET', pathOf(organization))
  return body.find(({ id }: { id: number }) => id === connection)?.state
}
const assert = async (id: number, email: string): Promise<Answer> => {
  const browser = new TestBrowser(service)
  const started = await browser.get(`/api/2/auth/oidc-connections/${id}/start`)
  if (started.status !== 303) return started
  return openCallback(
    browser,
    upstream.authorize(started.headers.get('location') ?? '', { sub: email, email }),
  )
}

await setPolicy('always')
const [acme, beta] = [await addOrganization(service, admin), await addOrganization(service, admin)]

describe('company sign-in that an organization brings', () => {
  it('is for those whose role allows it, and does not exist for others', async () => {
    const { body } = await bring(acme)
    const own = await prove(acme, body.id)
    expect(own.body.state).toBe('live')
    const domain = own.body.domains[0].domain
    const left = await addMember(service, admin, acme.id, ['connector'])
    expect((await callAs(service, left)('GET', pathOf(acme))).status).toBe(200)
    await callAs(service, acme.owner)('DELETE', `organizations/${acme.id}/members/${left.user.id}`)
    const attackers: readonly (readonly [SignedInPerson, number])[] = [
      [await addMember(service, admin, acme.id, ['admin']), 403],
      [await addMember(service, admin, acme.id, ['member']), 403],
      [beta.owner, 404],
      [left, 404],
      [await addSignedIn(service), 404],
    ]
    const calls: readonly (readonly [string, string, object?])[] = [
      ['GET', pathOf(acme)],
      ['POST', pathOf(acme), oidc],
      ['POST', pathOf(acme, body.id, '/domains'), { domain: newDomain() }],
      ['DELETE', pathOf(acme, body.id, `/domains/${domain}`)],
      ['DELETE', pathOf(acme, body.id)],
    ]
    for (const [person, status] of attackers)
      for (const [method, path, sent] of calls)
        expect((await callAs(service, person)(method, path, sent)).status, `${method} ${path}`).toBe(status)
    const seen = { provider: upstream.issuer, domains: [domain] }
    for (const [person] of attackers)
      expect(
        (await callAs(service, person)('POST', `auth/connections/${body.id}/approval`, seen)).status,
      ).toBe(403)
    expect(
      (await callAs(service, acme.owner)('POST', `auth/connections/${body.id}/approval`, seen)).status,
    ).toBe(403)
  })

  it("answers about another organization's connection as about one that never existed", async () => {
    const { body } = await bring(acme)
    const ask = async (id: number | string) => {
      const answers = [
        await claim(beta, Number(id), newDomain()),
        await callAs(service, beta.owner)('DELETE', pathOf(beta, Number(id))),
        await callAs(service, beta.owner)('DELETE', pathOf(beta, Number(id), '/domains/a.example')),
      ]
      return answers.map(({ status, body: { request_id: _, instance: __, ...rest } }) => [status, rest])
    }
    const foreign = await ask(body.id)
    expect(foreign).toEqual(await ask(987_654))
    expect(foreign.map(([status]) => status)).toEqual([404, 404, 404])
  })

  it('is refused while the policy says never, also for what was begun before', async () => {
    const begun = await bring(acme)
    await setPolicy('never')
    expect((await bring(acme)).body.reason).toBe('company_sign_in_off')
    expect((await claim(acme, begun.body.id, newDomain())).body.reason).toBe('company_sign_in_off')
    await setPolicy('always')
    expect(await stateOf(acme, begun.body.id)).toBe('in_setup')
  })

  it('goes on under never until it is stopped, which ends its sessions until it is approved again', async () => {
    const domain = newDomain()
    const { body } = await bring(acme)
    await prove(acme, body.id, domain)
    const created = await asAdmin('POST', 'auth/oidc-connections', {
      name: `Partner ${newDomain()}`,
      issuer: upstream.issuer,
      client_id: clientId,
      client_secret: clientSecret,
      auto_create_users: true,
    })
    const stop = (fields: object = {}) => asAdmin('POST', 'organization-policy/sign-ins/stop', fields)
    const isOpen = async (bearer: string | undefined) =>
      (await service.client('GET', '/api/2/users/me', { bearer: bearer ?? '' })).status === 200
    const begun = (await bring(acme)).body.id
    const opened = sessionOf(await assert(body.id, `ada@${domain}`))
    const partner = sessionOf(await assert(created.body.id, `lin@${newDomain()}`))
    // They would go on with others.
    expect((await stop()).status).toBe(409)
    await setPolicy('never')
    const others = (await stop({ dry_run: true })).body.live - 1
    expect(sessionOf(await assert(body.id, `grace@${domain}`))).toBeDefined()
    const running = await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => assert(body.id, `racer${index}@${domain}`)),
      stop(),
    ])
    const stopped = running.at(-1)
    expect(stopped?.body).toEqual({ live: 0, stopped: others + 1, is_complete: true })
    for (const bearer of [opened, ...running.slice(0, -1).map(sessionOf)])
      expect(await isOpen(bearer)).toBe(false)
    expect(await isOpen(partner)).toBe(true)
    expect(sessionOf(await assert(created.body.id, `lin@${newDomain()}`))).toBeDefined()
    expect((await assert(body.id, `ada@${domain}`)).status).toBe(404)
    expect(await stateOf(acme, body.id)).toBe('awaits_approval')
    expect(await stateOf(acme, begun)).toBe('in_setup')
    expect((await stop()).body).toEqual({ live: 0, stopped: 0, is_complete: true })
    const events = await asAdmin('GET', `auth/audit-events?organization=${acme.id}`)
    expect(
      events.body.filter(
        ({ event, target }: { event: string; target: string }) =>
          event === 'connection.stopped' && target === String(body.id),
      ),
    ).toHaveLength(1)
    expect((await callAs(service, acme.owner)('POST', 'organization-policy/sign-ins/stop', {})).status).toBe(
      403,
    )
    // The organization cannot take it up again with another proof of its domain.
    await setPolicy('always')
    await claim(acme, body.id, domain)
    expect((await assert(body.id, `ada@${domain}`)).status).toBe(404)
    const seen = { provider: upstream.issuer, domains: [domain] }
    expect((await asAdmin('POST', `auth/connections/${body.id}/approval`, seen)).status).toBe(204)
    // A sign-in that was running at that moment stored nothing for a minute.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 })
    try {
      expect(sessionOf(await assert(body.id, `ada@${domain}`))).toBeDefined()
    } finally {
      vi.useRealTimers()
    }
  })

  it('waits for an administrator if the policy says so', async () => {
    await setPolicy('ask')
    const domain = newDomain()
    const { body } = await bring(acme)
    const approve = (seen: object = {}) =>
      asAdmin('POST', `auth/connections/${body.id}/approval`, {
        provider: upstream.issuer,
        domains: [domain],
        ...seen,
      })
    expect((await approve()).status).toBe(409)
    expect((await prove(acme, body.id, domain)).body.state).toBe('awaits_approval')
    expect((await assert(body.id, `ada@${domain}`)).status).toBe(404)
    expect((await asAdmin('GET', `auth/oidc-connections/${body.id}`)).body.awaits_approval).toBe(true)
    // The organization cannot change what the administrator sees under their hands.
    for (const seen of [
      { provider: 'https://idp.example.com' },
      { domains: [] },
      { domains: [domain, newDomain()] },
    ])
      expect((await approve(seen)).body.reason).toBe('decision_changed')
    expect((await approve()).status).toBe(204)
    expect((await approve()).status).toBe(409)
    expect(await stateOf(acme, body.id)).toBe('live')
    expect((await assert(body.id, `ada@${domain}`)).status).toBe(303)
    const events = await asAdmin('GET', `auth/audit-events?organization=${acme.id}`)
    expect(events.body.map(({ event }: { event: string }) => event)).toEqual(
      expect.arrayContaining(['connection.approval_requested', 'connection.approved']),
    )
    await setPolicy('always')
  })

  it('is asked about for each domain that follows, by whatever door it is proven', async () => {
    await setPolicy('ask')
    const organization = await addOrganization(service, admin)
    const [first, second, third] = [newDomain(), newDomain(), newDomain()]
    const { body } = await bring(organization)
    const approve = (domains: readonly string[]) =>
      asAdmin('POST', `auth/connections/${body.id}/approval`, { provider: upstream.issuer, domains })
    await prove(organization, body.id, first)
    expect((await approve([first])).status).toBe(204)
    const proven = await prove(organization, body.id, second)
    expect(proven.body).toMatchObject({
      state: 'live',
      domains: [
        { domain: first, awaits_approval: false },
        { domain: second, state: 'proven', awaits_approval: true },
      ],
    })
    // The daily check proves this one.
    publish(await claim(organization, body.id, third), third)
    await refreshConnections(service)
    for (const domain of [second, third])
      expect(sessionOf(await assert(body.id, `ada@${domain}`)), domain).toBeUndefined()
    expect(sessionOf(await assert(body.id, `ada@${first}`))).toBeDefined()
    expect((await asAdmin('GET', `auth/oidc-connections/${body.id}`)).body.awaits_approval).toBe(true)
    // The administrator approves what they saw, and nothing that was added since.
    expect((await approve([first])).body.reason).toBe('decision_changed')
    expect((await approve([first, second])).body.reason).toBe('decision_changed')
    expect((await approve([first, second, third])).status).toBe(204)
    expect((await approve([first, second, third])).status).toBe(409)
    for (const domain of [second, third])
      expect(sessionOf(await assert(body.id, `ada@${domain}`)), domain).toBeDefined()
    // A proof that was lost and found again was approved before.
    dns.answers.set(`_latchkey.${second}`, [])
    await claim(organization, body.id, second)
    await prove(organization, body.id, second)
    expect(sessionOf(await assert(body.id, `grace@${second}`))).toBeDefined()
    await setPolicy('always')
  })

  it('creates accounts in its domains alone, and opens no session of someone with rights', async () => {
    const domain = newDomain()
    const { body } = await bring(acme)
    expect((await assert(body.id, `ada@${domain}`)).status).toBe(404)
    await prove(acme, body.id, domain)
    const opened = await assert(body.id, `ada@${domain}`)
    const bearer = sessionOf(opened) ?? ''
    const me = await service.client('GET', '/api/2/users/me/organizations', { bearer })
    expect(me.body.map(({ id }: { id: number }) => id)).toEqual([acme.id])
    expect(sessionOf(await assert(body.id, `grace@${newDomain()}`))).toBeUndefined()
    const boss = await addPerson(service, { email: `boss@${domain}`, permissions: ['users:manage'] })
    expect(boss.user.id).toBeGreaterThan(0)
    expect(sessionOf(await assert(body.id, `boss@${domain}`))).toBeUndefined()
  })

  it('uses up the open invitation of somebody who signs in there first, with its roles', async () => {
    const organization = await addOrganization(service, admin)
    const domain = newDomain()
    const { body } = await bring(organization)
    await prove(organization, body.id, domain)
    const email = `ada@${domain}`
    const { token } = await inviteMember(service, organization, organization.owner, {
      email,
      roles: ['admin'],
    })
    const bearer = sessionOf(await assert(body.id, email)) ?? ''
    const { body: own } = await service.client('GET', '/api/2/users/me/organizations', { bearer })
    expect(own).toMatchObject([{ id: organization.id, roles: ['admin'] }])
    const asOwner = callAs(service, organization.owner)
    expect((await asOwner('GET', organization.path)).body).toEqual([])
    expect((await findOffer(service, token)).status).toBeGreaterThanOrEqual(400)
    // It is used up once: who was removed joins with the roles of the connection.
    const { body: me } = await service.client('GET', '/api/2/users/me', { bearer })
    const member = `organizations/${organization.id}/members/${me.id}`
    expect((await asOwner('DELETE', member)).status).toBe(204)
    const again = sessionOf(await assert(body.id, email)) ?? ''
    expect(
      (await service.client('GET', '/api/2/users/me/organizations', { bearer: again })).body,
    ).toMatchObject([{ roles: ['member'] }])
  })

  it('uses up no invitation that it does not speak for, that became wrong, or that makes an owner', async () => {
    const organization = await addOrganization(service, admin)
    const [domain, foreign] = [newDomain(), newDomain()]
    const { body } = await bring(organization)
    await prove(organization, body.id, domain)
    const asOwner = callAs(service, organization.owner)
    const listInvited = async () =>
      (await asOwner('GET', organization.path)).body.map(({ email }: { email: string }) => email)
    const rolesAt = async (email: string) => {
      const bearer = sessionOf(await assert(body.id, email))
      if (bearer === undefined) return undefined
      return (await service.client('GET', '/api/2/users/me/organizations', { bearer })).body[0].roles
    }
    const stranger = `eve@${foreign}`
    await inviteMember(service, organization, organization.owner, { email: stranger, roles: ['admin'] })
    expect(await rolesAt(stranger)).toBeUndefined()
    // The inviter left.
    const gone = await addMember(service, admin, organization.id, ['admin'])
    const email = `grace@${domain}`
    await inviteMember(service, organization, gone, { email, roles: ['admin'] })
    expect((await asOwner('DELETE', `organizations/${organization.id}/members/${gone.user.id}`)).status).toBe(
      204,
    )
    expect(await rolesAt(email)).toEqual(['member'])
    // An owner opens the link.
    const boss = await addSignedIn(service, { email: `boss@${domain}` })
    const { token } = await inviteMember(service, organization, organization.owner, {
      email: boss.user.email ?? '',
      roles: ['owner'],
    })
    expect(await rolesAt(boss.user.email ?? '')).toEqual(['member'])
    expect(await listInvited()).toEqual(expect.arrayContaining([stranger, email, boss.user.email]))
    const accepted = await acceptShown(service, boss.bearer, token)
    expect([accepted.status, accepted.body.roles]).toEqual([200, ['member', 'owner']])
    expect((await callAs(service, boss)('GET', `organizations/${organization.id}/members`)).status).toBe(200)
    expect((await asOwner('GET', `organizations/${organization.id}`)).body).toMatchObject({
      is_ownerless: false,
    })
    expect((await acceptShown(service, boss.bearer, token)).status).toBeGreaterThanOrEqual(400)
  })

  it('shows the organization what happens to its domains, also without its doing', async () => {
    const organization = await addOrganization(service, admin)
    const domain = newDomain()
    const { body } = await bring(organization)
    await prove(organization, body.id, domain)
    dns.answers.set(`_latchkey.${domain}`, [])
    await refreshConnections(service)
    await asAdmin('DELETE', `auth/connections/${body.id}/domains/${domain}`)
    const { table } = service.services
    await copyOrganizationEvents(table, await readAuditItems(table))
    const events = `organizations/${organization.id}/events?event=`
    for (const change of ['added', 'proven', 'lost', 'removed']) {
      const shown = await callAs(service, organization.owner)('GET', `${events}connection.domain_${change}`)
      expect(shown.body, change).toMatchObject([{ target: `${body.id} ${domain}` }])
    }
  })

  it('gives a domain to one of 50 that prove it at the same moment, until that one releases it', async () => {
    const domain = newDomain()
    const claims: { organization: OwnedOrganization; id: number }[] = []
    for (let at = 0; at < 5; at++) {
      const organization = await addOrganization(service, admin)
      for (let one = 0; one < 10; one++)
        claims.push({ organization, id: (await bring(organization)).body.id })
    }
    for (const { organization, id } of claims) publish(await claim(organization, id, domain), domain)
    const answers = await Promise.all(claims.map(({ organization, id }) => claim(organization, id, domain)))
    // Of many records of one name, only the first ones are read.
    const wins = answers.map(({ body }) => body.state === 'live')
    expect(wins.filter((isLive) => isLive)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409).length).toBeGreaterThan(5)
    const winner = wins.indexOf(true)
    const [first, second] = [
      claims[winner],
      claims.find(({ organization }, at) => at < 20 && organization !== claims[winner]?.organization),
    ]
    if (!first || !second) throw new Error('nobody won')
    expect((await claim(second.organization, second.id, domain)).status).toBe(409)
    const release = () =>
      callAs(service, first.organization.owner)(
        'DELETE',
        pathOf(first.organization, first.id, `/domains/${domain}`),
      )
    expect((await release()).status).toBe(200)
    expect((await claim(second.organization, second.id, domain)).body.state).toBe('live')
  })

  it('gives roles that are declared, that its member could give, and never ownership', async () => {
    const connector = await addMember(service, admin, acme.id, ['connector'])
    const byConnector = (default_roles: readonly string[] | null) => bring(acme, { default_roles }, connector)
    expect((await byConnector(['owner'])).status).toBe(400)
    expect((await byConnector(['__proto__'])).status).toBe(400)
    expect((await byConnector(['editor'])).status).toBe(403)
    expect((await byConnector(['admin'])).status).toBe(403)
    const made = await byConnector(null)
    expect([made.status, made.body.default_roles]).toEqual([201, null])
    await callAs(service, acme.owner)('DELETE', pathOf(acme, made.body.id))
  })

  it('lists each error of a body, and has a place for ten connections, also at the same moment', async () => {
    const organization = await addOrganization(service, admin)
    const wrong = await bring(organization, { issuer: undefined, client_secret: undefined })
    expect(wrong.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'issuer',
      'client_secret',
    ])
    expect((await bring(organization, { kind: 'saml' })).body.errors).toHaveLength(3)
    expect((await bring(organization, { issuer: 'http://169.254.169.254' })).status).toBe(400)
    const answers = await Promise.all(Array.from({ length: 30 }, () => bring(organization)))
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    for (let at = 0; at < 10; at++) await bring(organization)
    expect((await bring(organization)).status).toBe(409)
    const listed = await callAs(service, organization.owner)('GET', pathOf(organization))
    expect(listed.body).toHaveLength(10)
    expect(
      (await callAs(service, organization.owner)('DELETE', pathOf(organization, listed.body[3].id))).status,
    ).toBe(204)
    expect((await bring(organization)).status).toBe(201)
  })
})

describe('the set-up link of an organization', () => {
  const begin = async (person: SignedInPerson) => {
    const { body } = await callAs(service, person)('POST', pathOf(acme), { kind: 'saml' })
    const token = new URLSearchParams(new URL(body.setup_url).hash.slice(1)).get('token') ?? ''
    const browser = new SetupBrowser(service)
    return { id: body.id as number, token, browser, opened: await browser.open(token) }
  }

  it('stops working when its creator may not manage the sign-in any more', async () => {
    const member = await addMember(service, admin, acme.id, ['connector'])
    const { id, token, browser, opened } = await begin(member)
    expect(opened.status).toBe(200)
    const asOwner = callAs(service, acme.owner)
    await asOwner('PATCH', `organizations/${acme.id}/members/${member.user.id}`, { roles: ['member'] })
    expect((await browser.open(token)).body.code).toBe('invalid_token')
    expect((await browser.use(token, '/domains', { domain: newDomain() })).body.code).toBe('invalid_token')
    await asOwner('PATCH', `organizations/${acme.id}/members/${member.user.id}`, { roles: ['connector'] })
    expect((await browser.open(token)).status).toBe(200)
    await asAdmin('PATCH', `organizations/${acme.id}`, { state: 'suspended' })
    expect((await browser.open(token)).body.code).toBe('invalid_token')
    await asAdmin('PATCH', `organizations/${acme.id}`, { state: 'active' })
    await asOwner('DELETE', pathOf(acme, id))
    expect((await browser.open(token)).body.code).toBe('invalid_token')
  })

  it('finishes into an approval if the policy says so', async () => {
    await setPolicy('ask')
    const { id, token, browser } = await begin(acme.owner)
    const idp = await makeIdp()
    const xml = plainMetadata({ ...idp.providerBody(), entityId: idp.entityId, certificates: [idp.signer] })
    expect((await browser.use(token, '/metadata', { xml })).status).toBe(200)
    const domain = newDomain()
    publish(await browser.use(token, '/domains', { domain }), domain)
    expect((await browser.use(token, '/domains', { domain })).body.can_finish).toBe(true)
    expect((await browser.finish(token)).body).toMatchObject({ is_finished: true, awaits_approval: true })
    expect((await service.client('GET', `/api/2/auth/saml/${id}/sso`)).status).toBe(404)
    expect((await browser.open(token)).body.code).toBe('invalid_token')
    const seen = { provider: idp.entityId, domains: [domain] }
    expect((await asAdmin('POST', `auth/connections/${id}/approval`, seen)).status).toBe(204)
    expect((await service.client('GET', `/api/2/auth/saml/${id}/sso`)).status).toBe(303)
    await setPolicy('always')
  })
})

it('leaves connections of administrators to administrators', async () => {
  const made = await asAdmin('POST', 'auth/oidc-connections', {
    ...{ name: 'Acme', issuer: upstream.issuer, client_id: clientId, client_secret: clientSecret },
    organization_id: beta.id,
  })
  const listed = await callAs(service, beta.owner)('GET', pathOf(beta))
  expect(listed.body.find(({ id }: { id: number }) => id === made.body.id)).toMatchObject({
    is_from_organization: false,
  })
  expect((await callAs(service, beta.owner)('DELETE', pathOf(beta, made.body.id))).status).toBe(403)
  expect((await claim(beta, made.body.id, newDomain())).status).toBe(403)
})
