import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCookieBrowser } from '../package/cookie-browser.ts'
import { type LocalLatchkey, type LocalUser, type RegisteredClient, startLatchkey } from './latchkey.ts'
import type { BoundFindings, Findings, Given, OrganizationFindings } from './parties/journey.ts'

/* A server signs users in with `openid-client`. */

/** The compiler of the folder checks it with the library, which the program of this repository does not have. */
const party = './parties/openid-client.ts'
const redirectUri = 'http://127.0.0.1:65535/callback'
const signedOutUrl = 'http://127.0.0.1:65535/signed-out'

interface Party {
  readonly runJourney: (given: Given) => Promise<Findings>
  readonly runBoundJourney: (given: Given) => Promise<BoundFindings>
  readonly runOrganizationJourney: (
    given: Given,
    organizations: readonly [string, string, string],
  ) => Promise<OrganizationFindings>
}

let latchkey: LocalLatchkey
let user: LocalUser
let client: RegisteredClient
let findings: Findings
let bound: BoundFindings
let withForeignCode: unknown
let ofOrganizations: OrganizationFindings
let organizationIds: readonly number[]
beforeAll(async () => {
  latchkey = await startLatchkey()
  user = await latchkey.addUser()
  client = await latchkey.registerClient({
    name: 'A server',
    type: 'confidential',
    redirect_uris: [redirectUri],
    post_logout_redirect_uris: [signedOutUrl],
    scopes: ['openid', 'profile', 'email', 'permissions', 'offline_access'],
  })
  const other = await latchkey.registerClient({
    name: 'Another server',
    redirect_uris: [redirectUri],
    scopes: ['openid', 'profile', 'email', 'permissions', 'organization', 'offline_access'],
  })
  const strict = await latchkey.registerClient({
    name: 'A careful server',
    redirect_uris: [redirectUri],
    scopes: ['openid', 'profile', 'offline_access'],
    requires_par: true,
    requires_dpop: true,
  })
  const browser = createCookieBrowser()
  await browser.send(`${latchkey.url}/api/2/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: latchkey.url },
    body: JSON.stringify({ username: user.username, password: user.password }),
  })
  /** Follows redirects up to the address of the product, where no server is needed. */
  const browse = async (url: URL): Promise<URL> => {
    for (let next = url; ; ) {
      const answer = await browser.send(next.href)
      const location = answer.headers.get('location')
      if (!location) throw new Error(`${next} leads nowhere: ${answer.status} ${await answer.text()}`)
      next = new URL(location, next)
      if (next.origin === new URL(redirectUri).origin) return next
    }
  }
  const { runJourney, runBoundJourney, runOrganizationJourney }: Party = await import(party)
  const describeGiven = ({ client_id, client_secret }: RegisteredClient): Given => ({
    issuer: latchkey.url,
    clientId: client_id,
    clientSecret: client_secret ?? '',
    redirectUri,
    signedOutUrl,
    browse,
    endSessions: () => latchkey.endSessions(user),
  })
  const stranger = await latchkey.addUser()
  const organizations = await Promise.all([
    latchkey.addOrganization('acme', user),
    latchkey.addOrganization('byte', user),
    latchkey.addOrganization('core', stranger),
  ])
  organizationIds = organizations.map(({ id }) => id)
  ofOrganizations = await runOrganizationJourney(describeGiven(other), ['acme', 'byte', 'core'])
  bound = await runBoundJourney(describeGiven(strict))
  const stolen: URL[] = []
  const steal = async (url: URL): Promise<URL> => {
    stolen.push(await browse(url))
    throw new Error('stolen')
  }
  await runJourney({ ...describeGiven(other), browse: steal }).catch(() => undefined)
  const swap = async (url: URL): Promise<URL> => {
    const answer = await browse(url)
    answer.searchParams.set('code', stolen[0]?.searchParams.get('code') ?? '')
    return answer
  }
  withForeignCode = await runJourney({ ...describeGiven(client), browse: swap }).catch(
    (error: { error?: string }) => error.error ?? error,
  )
  findings = await runJourney(describeGiven(client))
})
afterAll(() => latchkey?.close())

describe('a server with openid-client', () => {
  it('signs a user in with a code and PKCE', () => {
    expect(findings.claims).toEqual({ sub: String(user.id), hasSid: true, amr: ['pwd'] })
  })

  it('reads who the user is, with a refreshed token', () => {
    const { username } = user
    expect(findings.userinfo).toEqual({
      sub: String(user.id),
      username,
      email: `${username}@example.com`,
    })
  })

  it('gets JWTs that other servers verify by the published keys', () => {
    expect(findings.accessToken).toEqual({ sub: String(user.id), clientId: client.client_id })
  })

  it('revokes tokens, and learns by introspection what still works', () => {
    expect([findings.wasActive, findings.isActiveAfterwards]).toEqual([true, false])
    expect(findings.refreshAfterRevocation).toBe('invalid_grant')
  })

  it('gets nothing for a code of another client', () => {
    expect(withForeignCode).toBe('invalid_grant')
  })

  it('signs the user out, who comes back', () => {
    expect(findings.leftTo).toBe(`${signedOutUrl}?state=signed+out`)
  })
})

describe('a server with openid-client that pushes its requests and binds its tokens to a key', () => {
  it('sends the browser with a name of the request alone', () => {
    expect([bound.brought, bound.notPushed]).toEqual([['client_id', 'request_uri'], 'invalid_request'])
  })

  it('signs the user in, and opens userinfo with its key alone', () => {
    expect([bound.subject, bound.tokenType]).toEqual([String(user.id), 'dpop'])
    expect(bound.userinfo).toEqual(['succeeded', 'dpop invalid_dpop_proof', 'dpop invalid_dpop_proof'])
  })
})

describe('a server with openid-client whose users are in organizations', () => {
  it('gets the claims of the one that it asks for, and of another one by a refresh', () => {
    const [acme, byte] = organizationIds.map(String)
    expect(ofOrganizations.claims).toEqual([
      [acme, 'acme', ['owner']],
      [byte, 'byte', ['owner']],
    ])
    expect(ofOrganizations.stillFor).toEqual([[acme, 'acme', ['owner']], true])
  })

  it('gets nothing for one that the user is not in', () => {
    expect(ofOrganizations.refused).toEqual(['access_denied', 'access_denied'])
  })
})
