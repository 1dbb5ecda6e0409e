import { describe, expect, it } from 'vitest'
import { readPageEntries } from '../../lib/features/connections/page-entries.records.ts'
import type { Answer } from '../support/client.ts'
import { makeIdp } from '../support/idp.ts'
import { addRelyingParty, buildAuthorization, createPkce } from '../support/oidc.ts'
import { addPerson } from '../support/people.ts'
import { addProvider, patchProvider, vouchForDomains } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Strangers ask the sign-in page for addresses, to learn who has an account. */

const service = await useService({}, { sendsMail: false })
const company = await addProvider(service, await makeIdp(), { disabled_in_client: true })
await vouchForDomains(service, company, ['company.example'])

// Its record is not published, so it stays pending.
const path = `/api/2/auth/connections/${company.id}/domains`
await service.client('POST', path, { bearer: company.admin, body: { domain: 'pending.example' } })
const loginUrl: string = `${service.services.config.publicUrl}/api/2/auth/saml/${company.id}/sso`

const find = (body: unknown, headers = {}): Promise<Answer> =>
  service.client('POST', '/api/2/auth/sign-in-route', { body: body as never, headers })
const routeOf = async (body: unknown): Promise<string | null> => (await find(body)).body.login_url
const callsOfLast = (): number => {
  const requests = service.log.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request')
  return requests.at(-1)?.table_calls
}

it('leads an address of the domain to its provider, also one that is hidden, with and without an account', async () => {
  await addPerson(service, { email: 'ada@company.example' })
  for (const username of [
    'ada@company.example',
    'no-one@company.example',
    'ADA@COMPANY.EXAMPLE',
    'a@b@company.example',
  ])
    expect(await routeOf({ username })).toBe(loginUrl)
  expect(await routeOf({ domain: 'Company.Example.' })).toBe(loginUrl)
  expect(await routeOf({ connection: String(company.id) })).toBe(loginUrl)
  expect(await routeOf({ connection: '999999', domain: 'company.example' })).toBe(loginUrl)
})

it('answers all other names in the same way, and with the same table calls', async () => {
  const { user } = await addPerson(service, { email: 'ada@elsewhere.example' })
  await find({ username: 'warm-up' })
  const answers = []
  for (const username of [
    'ada@elsewhere.example',
    'no-one@elsewhere.example',
    'no-one@unknown.example',
    'ada@pending.example',
    user.username,
    'unknown',
    '',
  ]) {
    const { status, text, headers } = await find({ username })
    const shown = [...headers].filter(([name]) => !/^(date|x-request-id)$/.test(name) && !name.includes('id'))
    answers.push({ status, text, shown, calls: callsOfLast() })
  }
  expect(answers[0]).toMatchObject({ status: 200, text: '{"login_url":null,"offers_other_ways":true}' })
  for (const answer of answers) expect(answer).toEqual(answers[0])
  expect(await routeOf({ username: 'ada@company.example' })).toBe(loginUrl)
  expect(callsOfLast()).toBe(answers[0]?.calls)
})

describe('a hostile domain', () => {
  it.each([
    'mail.company.example',
    'xcompany.example',
    'company.example.evil.example',
    'cоmpany.example',
    'company.example@evil.example',
    'company.example..',
    'company.example%00',
    'company.example/../',
    '__proto__',
    'constructor',
    '#company.example',
    `${'a'.repeat(300)}.company.example`,
    'x'.repeat(3000),
    '.',
    ' ',
  ])('%.40s leads nowhere', async (domain) => {
    for (const body of [{ domain }, { username: `ada@${domain}` }, { connection: domain }])
      expect(await routeOf(body)).toBeNull()
  })

  it('cannot be repeated, or hidden in another type', async () => {
    for (const body of [
      { domain: ['company.example'] },
      { username: { toString: 'company.example' } },
      { connection: company.id },
      { domain: 'company.example', unknown: 1 },
      [],
      null,
    ])
      expect((await find(body)).status).toBe(400)
    for (const connection of [
      '0',
      '-1',
      `0${company.id}`,
      `${company.id}.0`,
      `${company.id} `,
      '1e0',
      '9'.repeat(400),
    ])
      expect(await routeOf({ connection })).toBeNull()
  })
})

it('does not lead to a domain that was removed, or to a provider that was deleted', async () => {
  const other = await addProvider(service, await makeIdp())
  await vouchForDomains(service, other, ['removed.example', 'deleted.example'])
  expect(await routeOf({ domain: 'removed.example' })).toContain(`/${other.id}/`)
  await vouchForDomains(service, other, ['deleted.example'])
  expect(await routeOf({ domain: 'removed.example' })).toBeNull()
  await patchProvider(service, other, { disabled_in_client: true })
  expect(await routeOf({ domain: 'deleted.example' })).toContain(`/${other.id}/`)
  await service.client('DELETE', `/api/2/auth/saml/${other.id}`, { bearer: other.admin })
  expect(await routeOf({ domain: 'deleted.example' })).toBeNull()
  expect(await routeOf({ connection: String(other.id) })).toBeNull()
})

describe('an authorization', () => {
  const authorize = async (parameters: Record<string, string>): Promise<Answer> => {
    const party = await addRelyingParty(service)
    const query = buildAuthorization(party, createPkce().challenge, parameters)
    return service.client('GET', `/oauth2/authorize?${query}`)
  }

  it('passes the hints on to the sign-in page, and to no other address', async () => {
    const hints = { domain_hint: 'https://evil.example/', connection: '//evil.example', login_hint: 'ada' }
    const page = new URL((await authorize(hints)).headers.get('location') ?? '')
    expect(page.origin + page.pathname).toBe(`${service.services.config.publicUrl}/`)
    for (const [name, value] of Object.entries(hints)) expect(page.searchParams.get(name)).toBe(value)
    expect(page.searchParams.get('return_to')).toContain('/oauth2/')
  })

  it('answers prompt=none at once', async () => {
    const answer = await authorize({ prompt: 'none', connection: String(company.id) })
    expect(answer.headers.get('location')).toContain('error=login_required')
  })
})

it('leads an address to an OpenID Connect connection, which has a button on the page', async () => {
  const bearer = company.admin
  const body = {
    name: 'Upstream',
    issuer: 'https://idp.example.com',
    client_id: 'id',
    client_secret: 'secret',
  }
  const { id } = (await service.client('POST', '/api/2/auth/oidc-connections', { bearer, body })).body
  const domains = `/api/2/auth/connections/${id}/domains`
  await service.client('POST', domains, { bearer, body: { domain: 'upstream.example' } })
  expect(await routeOf({ username: 'ada@upstream.example' })).toBeNull()
  await service.client('POST', `${domains}/upstream.example/vouch`, { bearer })
  const start = `${service.services.config.publicUrl}/api/2/auth/oidc-connections/${id}/start`
  expect(await routeOf({ username: 'ada@upstream.example' })).toBe(start)
  expect(await routeOf({ connection: String(id) })).toBe(start)
  const readButtons = async () => {
    const { entries } = await readPageEntries(service.services.table, 20)
    return entries.map(({ name, kind }) => [name, kind])
  }
  expect(await readButtons()).toEqual([['Upstream', 'oidc']])
  const path = `/api/2/auth/oidc-connections/${id}`
  await service.client('PATCH', path, { bearer, body: { name: 'Renamed' } })
  expect(await readButtons()).toEqual([['Renamed', 'oidc']])
  expect((await service.client('DELETE', path, { bearer })).status).toBe(204)
  expect(await readButtons()).toEqual([])
  expect(await routeOf({ username: 'ada@upstream.example' })).toBeNull()
})
