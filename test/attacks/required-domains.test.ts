import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { findDomainMarker, isUsableDomain } from '../../lib/features/connections/domains.records.ts'
import { createConnection, findConnection } from '../../lib/features/connections/records.ts'
import { findSamlConnection, samlKind } from '../../lib/features/connections/saml/records.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { costsSince } from '../support/directory.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { makeIdp } from '../support/idp.ts'
import { addPasskey, signInWithPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, callAs, type Person } from '../support/people.ts'
import { addProvider, patchProvider, type TestProvider, vouchForDomains } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/*
 * The marker of a domain says whether people must sign in with its connection. It must never say anything else than the
 * connection, however both change.
 */

const service = await useService({}, { sendsMail: false })
const { table } = service.services
const dns = closeAfterTests(await startDnsServer())
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const newDomain = () => `${randomUUID()}.example`
const addCompany = async (fields: object = {}): Promise<TestProvider> =>
  addProvider(service, await makeIdp(), { ...fields })
const addAt = (domain: string): Promise<Person> => addPerson(service, { email: `${randomUUID()}@${domain}` })
const login = ({ user, password }: Person): Promise<Answer> =>
  service.client('POST', '/api/2/auth/login', { body: { username: user.username, password } })
const loginStatus = async (person: Person): Promise<number> => (await login(person)).status

/** What the markers of the domains of a connection say, and what the connection says. */
const compareMarkers = async ({ id }: Pick<TestProvider, 'id'>, names: readonly string[]) => {
  const connection = await findConnection(table, id)
  const markers = await Promise.all(names.map((name) => findDomainMarker(table, name)))
  const expected = names.map((name) => {
    const domain = connection?.domains.find((one) => one.name === name)
    if (!connection || !domain || domain.state === 'pending') return undefined
    const isRequired = connection.required_for_domains && !connection.setup && isUsableDomain(domain)
    return { providerId: id, ...(isRequired && { isRequired }) }
  })
  return { markers, expected }
}
const expectSame = async (provider: Pick<TestProvider, 'id'>, names: readonly string[]): Promise<void> => {
  const { markers, expected } = await compareMarkers(provider, names)
  expect(markers.map((marker) => marker && { ...marker })).toMatchObject(expected)
  expect(markers.map((marker) => marker?.isRequired)).toEqual(expected.map((marker) => marker?.isRequired))
}

describe('a service without a required connection', () => {
  // The first test of this file: the service never had one.
  it('reads no domain in a sign-in', async () => {
    const person = await addAt(newDomain())
    const measure = async () => {
      const start = service.log.length
      expect(await loginStatus(person)).toBe(200)
      return costsSince(service, start)[0]?.calls ?? 0
    }
    await measure()
    const before = await measure()
    await addCompany()
    expect(await measure()).toBe(before)
    await addCompany({ required_for_domains: true })
    expect(await measure()).toBe(before + 1)
    // Someone without a verified address costs as much as before.
    const user = await findUser(table, person.user.id)
    if (user) await editUser(table, user, { emailVerified: false, verifiedBy: undefined })
    expect(await measure()).toBe(before)
  })
})

describe('the marker of a domain', () => {
  it('follows each change of its connection', async () => {
    const [domain, other] = [newDomain(), newDomain()]
    const names = [domain, other]
    const person = await addAt(domain)
    const provider = await addCompany({ required_for_domains: true })
    const steps: readonly (readonly [number, () => Promise<unknown>])[] = [
      [200, () => call('POST', `auth/connections/${provider.id}/domains`, { domain })],
      [403, () => call('POST', `auth/connections/${provider.id}/domains/${domain}/vouch`)],
      [200, () => patchProvider(service, provider, { required_for_domains: false })],
      [403, () => patchProvider(service, provider, { required_for_domains: true })],
      [403, () => call('POST', `auth/connections/${provider.id}/domains`, { domain: other })],
      [200, () => call('DELETE', `auth/connections/${provider.id}/domains/${domain}`)],
      [200, () => vouchForDomains(service, provider, names)],
      [200, () => call('DELETE', `auth/saml/${provider.id}`)],
    ]
    for (const [at, [status, change]] of steps.entries()) {
      await change()
      if (at === 6) expect(await loginStatus(person)).toBe(403)
      else expect(await loginStatus(person), `step ${at}`).toBe(status)
      await expectSame(provider, names)
    }
  })

  it('follows a proof that comes and goes', async () => {
    const domain = newDomain()
    const person = await addAt(domain)
    const provider = await addCompany({ required_for_domains: true })
    const { txt_name: name, txt_value: value } = (
      await call('POST', `auth/connections/${provider.id}/domains`, { domain })
    ).body
    const check = () => call('POST', `auth/connections/${provider.id}/domains/${domain}/check`)
    for (const [records, status] of [
      [[Buffer.from(value)], 403],
      [[], 200],
      [[Buffer.from(value)], 403],
    ] as const) {
      dns.answers.set(name, [...records])
      await check()
      expect(await loginStatus(person)).toBe(status)
      await expectSame(provider, [domain])
    }
  })

  it('says what the connection says after 50 parallel changes, and no one gets in between', async () => {
    const names = Array.from({ length: 4 }, newDomain)
    const provider = await addCompany()
    await vouchForDomains(service, provider, names)
    const people = await Promise.all(names.map(addAt))
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, at) => {
          const name = names[at % names.length]
          if (at % 5 === 0) return call('DELETE', `auth/connections/${provider.id}/domains/${name}`)
          if (at % 5 === 1) return call('POST', `auth/connections/${provider.id}/domains/${name}/vouch`)
          const body = { required_for_domains: at % 2 === 0 }
          return call('PATCH', `auth/saml/${provider.id}`, body)
        }),
      )
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      expect(answers.some(({ status }) => status < 300)).toBe(true)
      await expectSame(provider, names)
      await vouchForDomains(service, provider, names)
      await patchProvider(service, provider, { required_for_domains: true })
      await expectSame(provider, names)
      expect(await Promise.all(people.map(loginStatus))).toEqual([403, 403, 403, 403])
    }
  })

  it('belongs to one of two connections that are created, changed and deleted at the same time', async () => {
    const domain = newDomain()
    const person = await addAt(domain)
    const rivals = [await addCompany({ required_for_domains: true }), await addCompany()]
    for (const { id } of rivals) await call('POST', `auth/connections/${id}/domains`, { domain })
    const vouched = await Promise.all(
      rivals.map(({ id }) => call('POST', `auth/connections/${id}/domains/${domain}/vouch`)),
    )
    expect(vouched.map(({ status }) => status).sort()).toEqual([200, 409])
    const [winner, loser] = vouched[0]?.status === 200 ? rivals : rivals.toReversed()
    if (!winner || !loser) throw new Error('no connection has the domain')
    // The other claims the domain only, so that its rule and its end change nothing.
    await patchProvider(service, winner, { required_for_domains: true })
    await patchProvider(service, loser, { required_for_domains: false })
    await call('DELETE', `auth/saml/${loser.id}`)
    expect(await loginStatus(person)).toBe(403)
    await expectSame(winner, [domain])
  })

  it('decides sign-ins that run while the domain is proven: none that starts later gets in', async () => {
    const domain = newDomain()
    const provider = await addCompany({ required_for_domains: true })
    await call('POST', `auth/connections/${provider.id}/domains`, { domain })
    const people = await Promise.all(Array.from({ length: 8 }, () => addAt(domain)))
    let isVouched = false
    const late: number[] = []
    const keepTrying = async (person: Person): Promise<void> => {
      for (let attempt = 0; attempt < 6; attempt++) {
        const isLate = isVouched
        const status = await loginStatus(person)
        if (isLate) late.push(status)
        expect([200, 403]).toContain(status)
      }
    }
    const vouch = async () => {
      await call('POST', `auth/connections/${provider.id}/domains/${domain}/vouch`)
      isVouched = true
    }
    await Promise.all([...people.map(keepTrying), vouch()])
    expect(new Set([...late, ...(await Promise.all(people.map(loginStatus)))])).toEqual(new Set([403]))
  })
})

describe('a service with 500 connections that are required', () => {
  afterEach(() => vi.useRealTimers())

  it('takes the same calls and units for a sign-in as with one', async () => {
    // A count over a time costs a call more when it begins its next part.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const first = await addCompany({ required_for_domains: true })
    const [ownDomain, elsewhere] = [newDomain(), newDomain()]
    await vouchForDomains(service, first, [ownDomain])
    const inside = await addAt(ownDomain)
    const outside = await addSignedIn(service, { email: `${randomUUID()}@${elsewhere}` })
    const { passkey } = await addPasskey(service, outside)
    const measure = async () => {
      const work = [() => login(inside), () => login(outside), () => signInWithPasskey(service, passkey)]
      const costs: unknown[] = []
      for (const run of work) {
        const start = service.log.length
        await run()
        costs.push(costsSince(service, start))
      }
      return costs
    }
    await measure()
    const before = await measure()
    const template = await findSamlConnection(table, first.id)
    if (!template) throw new Error('there is no connection to copy')
    const domains = new Map<number, string>()
    const add = (id: number) => {
      const name = newDomain()
      domains.set(id, name)
      return createConnection(
        table,
        samlKind,
        {
          ...template,
          ...{ id, name, normalizedName: name, entity_id: randomUUID(), version: 1 },
          domains: template.domains.map((domain) => ({ ...domain, name })),
        },
        [],
      )
    }
    for (let at = 0; at < 500; at += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => add(10_000 + at + index)))
    expect(await measure()).toEqual(before)
    const last = await addAt(domains.get(10_499) ?? '')
    expect(await login(last)).toMatchObject({ status: 403, body: { saml_provider: { id: 10_499 } } })
  })
})
