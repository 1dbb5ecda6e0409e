import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { describe, expect, it } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { listenOnLoopback } from '../support/listen-on-loopback.ts'
import { addConnection, clientId, clientSecret, openCallback } from '../support/oidc-upstream.ts'
import { addSignedIn } from '../support/people.ts'
import { sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* The provider library of another project, as the identity provider of a company. Its people enter their names in its forms. */

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const admin: string = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
let handle: ReturnType<Provider['callback']> | undefined
const server = closeAfterTests(
  await listenOnLoopback(createServer((request, response) => void handle?.(request, response))),
)
const connection = await addConnection(service, admin, server.url, { auto_create_users: true })

/** Proves who it is by a key. */
const keyed = await addConnection(service, admin, server.url, {
  name: 'By key',
  client_id: 'latchkey-by-key',
  client_secret: undefined,
  token_endpoint_auth_method: 'private_key_jwt',
  auto_create_users: true,
})
const provider = new Provider(server.url, {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [connection.body.redirect_uri],
    },
    {
      client_id: 'latchkey-by-key',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [JSON.parse(keyed.body.public_jwk)] },
      redirect_uris: [keyed.body.redirect_uri],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
  // The address is at the userinfo endpoint alone, as the standard wants it.
  conformIdTokenClaims: true,
  findAccount: (_, sub) => ({
    accountId: sub,
    claims: async () => ({
      sub,
      email: `${sub}@example.com`,
      email_verified: true,
      name: 'Grace Hopper',
      preferred_username: sub,
    }),
  }),
  cookies: { keys: ['test'] },
})
handle = provider.callback()

/** A person at the forms of the provider. Returns the address that leads back to the service. */
const visitProvider = async (address: string, login: string, jar: Map<string, string>): Promise<URL> => {
  let next: { url: string; body?: string } = { url: address }
  for (let step = 0; step < 20; step++) {
    const response = await fetch(next.url, {
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(next.body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(next.body === undefined ? {} : { method: 'POST', body: next.body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location !== null) {
      const url = new URL(location, next.url)
      if (url.origin !== server.url) return url
      next = { url: url.href }
      continue
    }
    const html = await response.text()
    const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(html) ?? []
    if (prompt === '') throw new Error(`${response.status} ${html}`)
    next = { url: next.url, body: new URLSearchParams({ prompt, login, password: 'x' }).toString() }
  }
  throw new Error('the provider does not end')
}

it('an administrator finds the connection by name', async () => {
  const { body } = await service.client('GET', '/api/2/auth/oidc-connections?ordering=name', {
    bearer: admin,
  })
  expect(body.map(({ id }: { id: number }) => id)).toEqual([keyed.id, connection.id])
})

describe('a company with the provider library of another project', () => {
  it('accepts the service by its key', async () => {
    const { browser, location } = await keyed.start()
    const answer = await openCallback(browser, await visitProvider(location, 'ada', new Map()))
    expect(answer.status, answer.text).toBe(303)
    expect(sessionOf(answer)).toBeDefined()
  })

  it('signs its people in, with a new proof where one is needed', async () => {
    const jar = new Map<string, string>()
    const { browser, location } = await connection.start()
    const answer = await openCallback(browser, await visitProvider(location, 'grace', jar))
    expect(answer.status, answer.text).toBe(303)
    const session = sessionOf(answer) ?? ''
    const me = await service.client('GET', '/api/2/users/me', { bearer: session })
    expect(me.body).toMatchObject({
      username: 'grace',
      full_name: 'Grace Hopper',
      email: 'grace@example.com',
    })

    // The session there answers at once. Where a new proof is needed, it does not.
    const forced = await connection.start(browser, '?force_authn=true')
    const proven = await openCallback(browser, await visitProvider(forced.location, 'grace', jar))
    expect(proven.status, proven.text).toBe(303)
    const again = await service.client('GET', '/api/2/users/me', { bearer: sessionOf(proven) ?? '' })
    expect(again.body.id).toBe(me.body.id)
  })
})
