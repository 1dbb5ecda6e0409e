import { describe, expect, it } from 'vitest'
import { addLink, bundle, deleteLink, directory, linksPath, lookUp, redeem } from '../support/links.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const shop = 'https://shop.example.com'
const cinema = 'https://cinema.example.com'
const service = await useService({
  ALLOWED_ORIGINS: `${shop},${cinema}`,
  LINK_URL: `Shop=${shop}/shared/{id}?from=link, Cinema=${cinema}/`,
})
const ada = await addSignedIn(service, { full_name: 'Ada Lovelace', permissions: ['media:access'] })

const share = (given: object = {}) => addLink(service, ada.bearer, given)
const open = async (token: string, given: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  service.client('POST', `${linksPath}/redeem`, { body: { token, ...given }, headers })
const fromPage = (bearer?: string) => ({
  'sec-fetch-site': 'same-origin',
  ...(bearer === undefined ? {} : { cookie: `latchkey=${bearer}` }),
})

const sessionCookies = [
  expect.stringMatching(/^latchkey=lks_/),
  expect.stringMatching(/^latchkey-marked-session=/),
]

describe('before it is opened, a link', () => {
  it('shows who shares what in which product', async () => {
    const link = await share({ bundles: [bundle({ name: 'Trailer' }), 7], directories: [directory()] })
    expect((await lookUp(service, link.token)).body).toMatchObject({
      shared_by: 'Ada Lovelace',
      product: 'Shop',
      shared_items: ['Trailer', 'Bundle 7', 'Dailies'],
    })
    const other = await share({ url: '/link?product=Cinema' })
    expect((await lookUp(service, other.token)).body.product).toBe('Cinema')
  })

  it.each([
    ['a password', () => ({ password: 'for your eyes' })],
    ['a sign-in', () => ({ require_login: true, email: 'new@example.com' })],
    ['the sign-in of a user', async () => ({ user: (await addPerson(service)).user.id })],
  ])('does not show what it shares if it requires %s', async (_, terms) => {
    const link = await share(await terms())
    expect((await lookUp(service, link.token)).body).toMatchObject({
      shared_by: 'Ada Lovelace',
      shared_items: [],
    })
  })

  it('names no product for a page of its own or an unknown product', async () => {
    for (const url of [`${shop}/page`, '/page', '/link/x', '/link?product=Theater', '/link?product=']) {
      const link = await share({ url })
      expect([url, (await lookUp(service, link.token)).body.product]).toEqual([url, null])
      expect((await redeem(service, link.token)).body.redirect).toBeUndefined()
    }
  })
})

describe('an opened link', () => {
  it('leads to the page of the product, with the ID of the link', async () => {
    const link = await share()
    expect((await redeem(service, link.token)).body.redirect).toBe(`${shop}/shared/${link.id}?from=link`)
    const other = await share({ url: '/link?product=Cinema' })
    expect((await redeem(service, other.token)).body.redirect).toBe(`${cinema}/`)
  })

  it('reports itself and what it shares to the product that gets the ticket', async () => {
    const expires = new Date(service.services.now() + 3_600_000).toISOString()
    const link = await share({ bundles: [bundle({ id: 7, name: 'Trailer' })], expires })
    const guest = await redeem(service, link.token)
    const next = await service.client('POST', '/api/2/auth/continue', {
      bearer: guest.body.session_key,
      body: { return_to: guest.body.redirect },
    })
    const url = new URL(next.body.location)
    expect(url.pathname + url.searchParams.get('from')).toBe(`/shared/${link.id}link`)
    const checked = await service.client('POST', '/api/2/auth/ticket/check', {
      body: { ticket: url.searchParams.get('ticket'), audience: shop, include: ['context'] },
    })
    expect(checked.body.id).toBe(link.user.id)
    expect(checked.body.context).toMatchObject({
      access_token: link.id,
      access_link: {
        id: link.id,
        shared_bundles: [{ id: 7, name: 'Trailer' }],
        shared_directories: [],
        expires,
      },
    })
  })

  it('gives tickets that end with it', async () => {
    const link = await share()
    const guest = await redeem(service, link.token)
    const { body } = await service.client('POST', '/api/2/auth/continue', {
      bearer: guest.body.session_key,
      body: { return_to: guest.body.redirect },
    })
    await deleteLink(service, ada.bearer, link.id)
    const ticket = new URL(body.location).searchParams.get('ticket')
    const check = { body: { ticket, audience: shop } }
    expect((await service.client('POST', '/api/2/auth/ticket/check', check)).status).toBe(404)
  })

  it('is unknown to tickets of a person who signed in', async () => {
    const { body } = await service.client('POST', '/api/2/auth/ticket', { bearer: ada.bearer, body: {} })
    const checked = await service.client('POST', '/api/2/auth/ticket/check', {
      body: { ...body, include: ['context'] },
    })
    expect(checked.body.context).toMatchObject({ access_token: null, access_link: null })
  })
})

describe('the session cookie', () => {
  const other = { url: '/page' }

  it('stays that of a person who is signed in, if the page asks for it', async () => {
    const link = await share(other)
    const kept = await open(link.token, { keep_own_session: true }, fromPage(ada.bearer))
    expect([kept.status, kept.cookies]).toEqual([200, []])
    expect(kept.body.user.id).toBe(link.user.id)
    // Published clients do not know the field.
    const replaced = await open(link.token, {}, fromPage(ada.bearer))
    expect(replaced.cookies).toEqual(sessionCookies)
  })

  it('is not needed if the link leads to a product', async () => {
    const link = await share()
    expect((await open(link.token, { keep_own_session: true }, fromPage())).cookies).toEqual([])
    expect((await open(link.token, {}, fromPage())).cookies).toEqual(sessionCookies)
  })

  it('is replaced if no one is signed in, or only by another link', async () => {
    const guest = await redeem(service, (await share()).token)
    const link = await share(other)
    for (const bearer of [undefined, guest.body.session_key, 'lks_wrong']) {
      const answer = await open(link.token, { keep_own_session: true }, fromPage(bearer))
      expect([bearer, answer.status, answer.cookies]).toEqual([bearer, 200, sessionCookies])
    }
  })
})
