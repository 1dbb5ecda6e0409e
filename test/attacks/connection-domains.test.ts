import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { makeIdp } from '../support/idp.ts'
import { refreshConnections } from '../support/refresh-connections.ts'
import { addProvider, type TestProvider } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Somebody wants a domain that is not theirs to count for their identity provider. */

const service = await useService({}, { sendsMail: false })
const dns = closeAfterTests(await startDnsServer())
const company = await addProvider(service, await makeIdp())
const other = await addProvider(service, await makeIdp())

const pathOf = ({ id }: TestProvider, rest = '') => `/api/2/auth/connections/${id}/domains${rest}`
const add = (domain: string, provider = company): Promise<Answer> =>
  service.client('POST', pathOf(provider), { bearer: provider.admin, body: { domain } })
const check = async (domain: string): Promise<string> => {
  const bearer = company.admin
  return (await service.client('POST', pathOf(company, `/${domain}/check`), { bearer })).body.state
}
const newDomain = () => `${randomBytes(8).toString('hex')}.example`
/** Adds a domain and publishes these records. `value` is what proves it. */
const publish = async (...records: readonly ((value: string) => string | Buffer)[]): Promise<string> => {
  const domain = newDomain()
  const { txt_name: name, txt_value: value } = (await add(domain)).body
  dns.answers.set(
    name,
    records.map((build) => Buffer.from(build(value))),
  )
  return domain
}
const runDaily = async () => {
  await refreshConnections(service)
}
const stateOf = async (domain: string): Promise<string> => {
  const { body } = await service.client('GET', pathOf(company), { bearer: company.admin })
  return body.find((one: { domain: string }) => one.domain === domain)?.state
}

describe('a domain', () => {
  it('is proven by its record, also among others and in several parts', async () => {
    const domain = await publish(
      () => 'v=spf1 -all',
      (value) => value,
    )
    expect(await stateOf(domain)).toBe('pending')
    expect(await check(domain)).toBe('proven')
    expect(dns.questions).toContain(`_latchkey.${domain}`)
  })

  it.each<[string, (value: string) => string | Buffer]>([
    ['another value', () => `latchkey-domain=${randomBytes(24).toString('base64url')}`],
    ['a longer value', (value) => `${value} `],
    ['a shorter value', (value) => value.slice(0, -1)],
    ['another case', (value) => value.toUpperCase()],
    ['nothing', () => ''],
    ['bytes', () => randomBytes(300)],
    ['sixty kilobytes', () => Buffer.alloc(60_000, 97)],
  ])('is not proven by %s', async (_, build) => {
    expect(await check(await publish(build))).toBe('pending')
  })

  it('is not proven by one of thousands of records', async () => {
    const noise = Array.from({ length: 2000 }, (_, at) => () => `noise ${at}`)
    expect(await check(await publish(...noise, (value) => value))).toBe('pending')
  })

  it('keeps its state while the DNS does not answer, and loses the proof with the record', async () => {
    const domain = await publish((value) => value)
    expect(await check(domain)).toBe('proven')
    const name = `_latchkey.${domain}`
    const records = dns.answers.get(name) ?? []
    dns.answers.set(name, 'SERVFAIL')
    expect(await check(domain)).toBe('proven')
    dns.answers.set(name, 'silence')
    expect(await check(domain)).toBe('proven')
    dns.answers.set(name, 'NXDOMAIN')
    expect(await check(domain)).toBe('lost')
    dns.answers.set(name, records)
    await runDaily()
    expect(await stateOf(domain)).toBe('proven')
    dns.answers.set(name, [])
    await runDaily()
    expect(await stateOf(domain)).toBe('lost')
    const overview = await service.client('GET', '/api/2/overview', { bearer: company.admin })
    expect(overview.body.attention).toContainEqual({
      ...{ kind: 'domain_lost', count: 1, has_more: false, time: null },
      things: [expect.objectContaining({ connection: company.id, connection_kind: 'saml', domain })],
    })
    const events = await service.client('GET', '/api/2/auth/audit-events?event=connection.domain_lost', {
      bearer: company.admin,
    })
    expect(events.body.map(({ target }: { target: string }) => target)).toEqual([
      `${company.id} ${domain}`,
      `${company.id} ${domain}`,
    ])
  })

  it('is vouched for by hand, until its record is found', async () => {
    const domain = await publish()
    const bearer = company.admin
    const vouched = await service.client('POST', pathOf(company, `/${domain}/vouch`), { bearer })
    expect(vouched.body).toMatchObject({ state: 'vouched', proven_at: null })
    await runDaily()
    expect([await stateOf(domain), await check(domain)]).toEqual(['vouched', 'vouched'])
  })

  it('belongs to one provider, however it is written', async () => {
    const domain = `${randomUUID()}-bücher.example`
    const answers = await Promise.all([
      add(domain),
      add(domain.toUpperCase(), other),
      add(`${domain}.`, other),
    ])
    // A claim shuts out no other provider, and no provider has a domain twice.
    expect(answers[0]?.status).toBe(201)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409])
    expect((await add(domain.toUpperCase())).status).toBe(409)
    const { domain: name } = answers[0]?.body ?? {}
    expect(name).toMatch(/-xn--bcher-kva|^xn--/)
    const vouch = (who: typeof company) =>
      service.client('POST', pathOf(who, `/${name}/vouch`), { bearer: who.admin })
    const vouched = await Promise.all([vouch(company), vouch(other)])
    expect(vouched.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const refused = vouched.find(({ status }) => status === 409)
    expect(refused?.text).not.toMatch(/\/auth\/saml\/\d|provider \d/)
    const [winner, loser] = vouched[0]?.status === 200 ? [company, other] : [other, company]
    const removed = await service.client('DELETE', pathOf(winner, `/${name}`), { bearer: winner.admin })
    expect(removed.status).toBe(204)
    expect((await vouch(loser)).status).toBe(200)
    expect((await add(domain, winner)).status).toBe(409)
    await service.client('DELETE', pathOf(loser, `/${name}`), { bearer: loser.admin })
    expect((await add(domain, other)).status).toBe(201)
    expect((await vouch(other)).status).toBe(200)
    const deleted = await service.client('DELETE', `/api/2/auth/saml/${other.id}`, { bearer: other.admin })
    expect(deleted.status).toBe(204)
    expect((await add(domain)).status).toBe(201)
    expect((await vouch(company)).status).toBe(200)
  })

  it.each([
    ...['com', 'co.uk', 'github.io', 'kawasaki.jp', 'example', 'localhost', ''],
    ...['*', '*.example.com', 'user@partner.example', 'partner.example/', 'partner..example', '-x.example'],
    ...['192.168.1.1', '[::1]', '__proto__', '__proto__.example', 'constructor', 'a b.example'],
    ...['partner.example:53', 'partner%2Eexample', `${'a'.repeat(64)}.example`, `${'a.'.repeat(146)}example`],
    `${'abcdefgh.'.repeat(27)}example`,
  ])('is refused if it is %j', async (domain) => {
    expect((await add(domain)).status).toBe(400)
  })

  it('is one of at most fifty, however many are sent', async () => {
    const { length } = (await service.client('GET', pathOf(company), { bearer: company.admin })).body
    for (let at = length; at < 50; at++) expect((await add(newDomain())).status).toBe(201)
    const { status, body } = await add(newDomain())
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'domain'])
    const deleted = await service.client('DELETE', `/api/2/auth/saml/${company.id}`, {
      bearer: company.admin,
    })
    expect(deleted.status).toBe(204)
  })
})
