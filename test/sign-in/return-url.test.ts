import { describe, expect, it } from 'vitest'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { addLink, redeem } from '../support/links.ts'
import { addPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const publicUrl = 'https://auth.example.com'
const product = 'https://shop.example.com'
const path = '/api/2/auth/continue'
const service = await useService({ PUBLIC_URL: publicUrl, ALLOWED_ORIGINS: product })
const ada = await addSignedIn(service, { permissions: ['media:access'] })

const check = (returnTo: string) => service.client('GET', `${path}?return_to=${encodeURIComponent(returnTo)}`)
const proceed = (returnTo: unknown, bearer = ada.bearer) =>
  service.client('POST', path, { bearer, body: { return_to: returnTo } })
const locationFor = async (returnTo: string, bearer = ada.bearer): Promise<URL> => {
  const answer = await proceed(returnTo, bearer)
  expect([returnTo, answer.status]).toEqual([returnTo, 200])
  return new URL(answer.body.location)
}
const exchange = (ticket: string | null, given: object = {}) =>
  service.client('POST', '/api/2/auth/ticket/check', { body: { ticket, ...given } })

describe('checking a return address', () => {
  it('names the origin that people are about to return to', async () => {
    expect((await check('/oauth2/interaction/abc?x=1')).body).toEqual({
      return_to: `${publicUrl}/oauth2/interaction/abc?x=1`,
      origin: publicUrl,
      is_external: false,
    })
    expect((await check('HTTPS://SHOP.example.com:443/cart#top')).body).toEqual({
      return_to: `${product}/cart#top`,
      origin: product,
      is_external: true,
    })
  })

  it('takes one address of at most 1,023 characters', async () => {
    for (const query of ['?return_to=', '?return_to=/a&return_to=/b', `?return_to=/${'x'.repeat(1023)}`])
      expect([query.slice(0, 30), (await service.client('GET', path + query)).status]).toEqual([
        query.slice(0, 30),
        400,
      ])
  })
})

describe('continuing to a return address', () => {
  it('adds a ticket for the origin of a product', async () => {
    const location = await locationFor(`${product}/cart?item=5&state=s#top`)
    const ticket = location.searchParams.get('ticket')
    location.searchParams.delete('ticket')
    expect(location.href).toBe(`${product}/cart?item=5&state=s#top`)
    expect((await exchange(ticket, { audience: 'https://other.example.com' })).status).toBe(404)
    const checked = await exchange(ticket, { audience: product })
    expect([checked.status, checked.body.id]).toEqual([200, ada.user.id])
    expect((await exchange(ticket, { audience: product })).status).toBe(404)
  })

  it('gives tickets that products without an audience can exchange, as after SAML', async () => {
    const location = await locationFor(`${product}/`)
    expect((await exchange(location.searchParams.get('ticket'))).status).toBe(200)
  })

  it('replaces tickets that someone else put into the address', async () => {
    const mallory = await addSignedIn(service)
    const planted = (await locationFor(`${product}/`, mallory.bearer)).searchParams.get('ticket')
    const location = await locationFor(`${product}/?ticket=${planted}&ticket=2&TICKET=3`)
    const tickets = location.searchParams.getAll('ticket')
    expect(tickets).toHaveLength(1)
    expect(parseCredential(tickets[0] ?? '')?.subject).toBe(ada.user.id)
  })

  it('adds no ticket to addresses of this service', async () => {
    for (const returnTo of ['/', '/oauth2/interaction/abc', `${publicUrl}/passkeys?a=b`, '/link'])
      expect((await locationFor(returnTo)).href).toBe(new URL(returnTo, publicUrl).href)
  })

  it('names the access link that a guest came by', async () => {
    const link = await addLink(service, ada.bearer)
    const guest = await redeem(service, link.token)
    const location = await locationFor(`${product}/`, guest.body.session_key)
    const checked = await exchange(location.searchParams.get('ticket'), {
      audience: product,
      include: ['context'],
    })
    expect(checked.body.context).toMatchObject({ access_token: link.id, methods: ['link'] })
    expect(checked.body.effective_permissions).toEqual([])
  })

  it('requires a session, so an API token or a ticket is refused', async () => {
    const token = await service.client('POST', '/api/2/api-tokens', {
      bearer: ada.bearer,
      body: { name: 'script' },
    })
    const ticket = (await locationFor(`${product}/`)).searchParams.get('ticket') ?? ''
    expect((await service.client('POST', path, { body: { return_to: '/' } })).status).toBe(401)
    expect((await proceed('/', token.body.token)).status).toBe(403)
    expect((await proceed('/', ticket)).status).toBe(401)
  })

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['a page of the product in an older browser', { origin: product }],
    ['no browser', {}],
  ])('with the cookie refuses a request from %s', async (_, headers) => {
    const send = (given: object) =>
      service.client('POST', path, {
        body: { return_to: `${product}/` },
        headers: { cookie: `__Host-latchkey=${ada.bearer}`, ...given },
      })
    const refused = await send(headers)
    expect([refused.status, refused.text.includes('lkt_')]).toEqual([403, false])
    expect((await send({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  it('reports an impersonation to the product', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const started = await service.client('POST', '/api/2/auth/impersonation', {
      bearer: admin.bearer,
      body: { user: ada.user.id },
    })
    expect(started.status).toBe(204)
    const location = await locationFor(`${product}/`, admin.bearer)
    const ticket = location.searchParams.get('ticket')
    const checked = await exchange(ticket, { audience: product, include: ['context'] })
    expect(checked.body).toMatchObject({
      id: ada.user.id,
      context: { impersonator: { id: admin.user.id } },
    })
  })

  it('is refused to a session that can only set up a second factor', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    // Without one, nobody could act under the policy.
    await addPasskey(service, admin)
    const policy = { second_factor_for_permissions: ['films:view'], second_factor_grace_days: 0 }
    const put = { bearer: admin.bearer, body: policy }
    expect((await service.client('PUT', '/api/2/system/sign-in-policy', put)).status).toBe(200)
    const { user, password } = await addPerson(service, { permissions: ['films:view'] })
    const body = { username: user.username, password, second_factor_setup: true }
    const { session_key: bearer } = (await service.client('POST', '/api/2/auth/login', { body })).body
    const refused = await proceed(`${product}/`, bearer)
    expect([refused.status, refused.text.includes('lkt_')]).toEqual([403, false])
  })

  it('creates a ticket for each of many parallel requests, and each works once', async () => {
    const locations = await Promise.all(Array.from({ length: 10 }, () => locationFor(`${product}/`)))
    const tickets = locations.map((location) => location.searchParams.get('ticket'))
    expect(new Set(tickets).size).toBe(10)
    const statuses = await Promise.all(
      [...tickets, ...tickets].map(async (ticket) => (await exchange(ticket, { audience: product })).status),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  })

  it('ends its ticket with the session', async () => {
    const person = await addSignedIn(service)
    const location = await locationFor(`${product}/`, person.bearer)
    await service.client('POST', '/api/2/auth/logout', { bearer: person.bearer })
    expect((await exchange(location.searchParams.get('ticket'), { audience: product })).status).toBe(404)
    expect((await proceed('/', person.bearer)).status).toBe(401)
  })
})
