import { describe, expect, it, vi } from 'vitest'
import { oauthInteractionMs } from '../../lib/kernel/limits/limits.ts'
import { clientKey } from '../../lib/kernel/table/keys/oauth-keys.ts'
import { addRelyingParty, buildAuthorization, createPkce } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Into what the sign-in page says people sign in, if an OpenID Connect client sends them there. */

const name = 'Media <b>"Library"</b> & more'
const service = await useService()
const library = await addRelyingParty(service, { name })
const person = await addSignedIn(service)

interface Sent {
  /** The address of the sign-in page. */
  readonly location: URL
  /** All cookies that the browser got, of any path. */
  readonly cookie: string
}

/** Sends a browser to the client's authorization, which leads to the sign-in page. */
const authorize = async (
  party = library,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Sent> => {
  const query = buildAuthorization(party, createPkce().challenge, parameters)
  const { headers, cookies } = await service.client('GET', `/oauth2/authorize?${query}`)
  const cookie = cookies.map((text) => text.split(';')[0]).join('; ')
  return { location: new URL(headers.get('location') ?? ''), cookie }
}

const show = async (address: URL, cookie?: string) => {
  const { text } = await service.client('GET', address.pathname + address.search, {
    headers: { accept: 'text/html', ...(cookie === undefined ? {} : { cookie }) },
  })
  const [, data = '{}'] = /data-page="([^"]*)"/.exec(text) ?? []
  const decode = (encoded: string) =>
    encoded
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
  const [, title = ''] = /<title>(.*)<\/title>/.exec(text) ?? []
  return { text, title: decode(title), target: JSON.parse(decode(data)).returnTarget }
}
const ownPage = { isExternal: false }

/** The cookies of a browser after it got others. */
const applyCookies = (before: string, got: readonly string[]): string => {
  const jar = new Map<string, string>()
  for (const pair of [...before.split('; '), ...got.map((text) => text.split(';')[0] ?? '')]) {
    const [name = ''] = pair.split('=', 1)
    jar.set(name, pair.slice(name.length + 1))
  }
  return [...jar]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
}

it('names the client that the authorization is for, as text', async () => {
  const { location, cookie } = await authorize()
  const { target, title, text } = await show(location, cookie)
  expect(target).toEqual({ name, isExternal: true })
  expect(title).toBe(`Sign in to ${name}`)
  expect(text).not.toContain('<b>')
})

it.each([
  ['fr', 'Connexion à'],
  ['de', 'Bei'],
  ['nb', 'Logg på'],
  ['ja', 'にサインイン'],
  ['es', 'Iniciar sesión en'],
])('names it in %s', async (language, words) => {
  const { location, cookie } = await authorize(library, { ui_locales: language })
  const { title } = await show(location, cookie)
  expect(title).toContain(words)
  expect(title).toContain(name)
})

describe('does not name the client', () => {
  it('in a browser that did not start the authorization', async () => {
    const { location } = await authorize()
    const { cookie: other } = await authorize()
    expect((await show(location)).target).toMatchObject(ownPage)
    expect((await show(location, other)).target).toMatchObject(ownPage)
    expect((await show(location, `latchkey-oidc=${'x'.repeat(43)}`)).target).toMatchObject(ownPage)
  })

  it('for an address that is not exactly that of the authorization', async () => {
    const { location, cookie } = await authorize()
    const returnTo = location.searchParams.get('return_to') ?? ''
    const uid = returnTo.slice(returnTo.lastIndexOf('/') + 1)
    for (const other of [
      `${returnTo}&client=x`,
      returnTo.split('?')[0] ?? '',
      `${returnTo.split('=')[0]}=${'x'.repeat(24)}`,
      `${returnTo}#x`,
      `${returnTo}/`,
      `${returnTo}x`,
      returnTo.slice(0, -1),
      returnTo.slice(0, returnTo.lastIndexOf('/')),
      `/account?uid=${uid}`,
      `/oauth2/interaction/${'x'.repeat(2000)}`,
    ]) {
      const page = new URL(location)
      page.searchParams.set('return_to', other)
      const { target, title } = await show(page, cookie)
      expect([other, target]).toEqual([other, expect.objectContaining(ownPage)])
      expect(title).toBe('Sign in to Latchkey')
    }
  })

  it('after the authorization was completed or has expired, or the client was deleted', async () => {
    const completed = await authorize()
    const { pathname, search } = new URL(completed.location.searchParams.get('return_to') ?? '')
    const path = pathname + search
    const done = await service.client('GET', path, {
      bearer: person.bearer,
      headers: { cookie: completed.cookie },
    })
    expect(done.status).toBe(303)
    const left = applyCookies(completed.cookie, done.cookies)
    expect((await show(completed.location, left)).target).toMatchObject(ownPage)

    const temporary = await addRelyingParty(service, { name: 'Temporary' })
    const pending = await authorize(temporary)
    expect((await show(pending.location, pending.cookie)).target.name).toBe('Temporary')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + oauthInteractionMs + 1000 })
    expect((await show(pending.location, pending.cookie)).target).toMatchObject(ownPage)
    vi.useRealTimers()
    await service.services.table.transact([{ delete: clientKey(temporary.client.id) }])
    expect((await show(pending.location, pending.cookie)).target).toMatchObject(ownPage)
  })
})
