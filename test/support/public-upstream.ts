import { randomUUID } from 'node:crypto'
import { TestBrowser } from './browser.ts'
import type { Answer } from './client.ts'
import { clientId, clientSecret, openCallback, type TestUpstream } from './oidc-upstream.ts'
import { sessionOf, userOfSession } from './saml.ts'
import type { TestService } from './service.ts'

/*
 * People with an account at a provider for everybody. The claims are those of "OpenID Connect" at developers.google.com/identity, "An ID
 * token's payload", as read in November 2026.
 */

/** The claims of an account at Google. Its `sub` has 21 digits. */
export const newGoogleAccount = (claims: Readonly<Record<string, unknown>> = {}) => ({
  sub: `1${String(BigInt(`0x${randomUUID().slice(0, 8)}`)).padStart(20, '0')}`,
  azp: clientId,
  email: `${randomUUID()}@gmail.com`,
  email_verified: true,
  name: 'Grace Hopper',
  given_name: 'Grace',
  family_name: 'Hopper',
  picture: 'https://lh3.googleusercontent.com/a/example',
  auth_time: undefined,
  ...claims,
})

export interface PublicConnection {
  readonly id: number
  readonly path: string
  readonly change: (fields: object) => Promise<Answer>
  /** Signs in with an account there. */
  readonly signIn: (
    claims: Readonly<Record<string, unknown>>,
    browser?: TestBrowser,
    query?: string,
  ) => Promise<SignedIn>
}

export interface SignedIn {
  readonly browser: TestBrowser
  readonly answer: Answer
  /** The user of the session, if there is one. */
  readonly user: number | undefined
}

export const readUser = (service: TestService, answer: Answer): Promise<number | undefined> => {
  const session = sessionOf(answer)
  return session ? userOfSession(service, session) : Promise.resolve(undefined)
}

/** Creates a public connection as an administrator. */
export const addPublicConnection = async (
  service: TestService,
  bearer: string,
  upstream: TestUpstream,
  fields: object = {},
): Promise<PublicConnection> => {
  const created = await service.client('POST', '/api/2/auth/oidc-connections', {
    bearer,
    body: {
      name: 'Google',
      public_provider: 'google',
      issuer: upstream.issuer,
      client_id: clientId,
      client_secret: clientSecret,
      ...fields,
    },
  })
  if (created.status !== 201) throw new Error(created.text)
  const path = `/api/2/auth/oidc-connections/${created.body.id}`
  return {
    id: created.body.id,
    path,
    change: (body) => service.client('PATCH', path, { bearer, body }),
    signIn: async (claims, browser = new TestBrowser(service), query = '') => {
      const started = await browser.get(`${path}/start${query}`, 'same-origin')
      const location = started.headers.get('location') ?? ''
      const answer = await openCallback(browser, upstream.authorize(location, claims))
      return { browser, answer, user: await readUser(service, answer) }
    },
  }
}
