import { randomInt, randomUUID } from 'node:crypto'
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import type { TestBrowser } from './browser.ts'
import type { Answer } from './client.ts'
import { clientId, signWith, startUpstream, type TestUpstream } from './oidc-upstream.ts'

/*
 * Apple on loopback, as developer.apple.com/documentation/signinwithapplerestapi describes it in November 2026: "Request an authorization to
 * the Sign in with Apple server", "Generate and validate tokens", "Revoke tokens" and "Creating a client secret".
 */

export const appleTeamId = 'TEAM4LATCH'
export const appleKeyId = 'KEY4LATCH1'

/** Six months, in seconds. */
const longestSecret = 15_777_000

export interface TestApple extends TestUpstream {
  /** The .p8 file of the key. */
  readonly pem: string
}

const createKeys = () => generateKeyPair('ES256', { extractable: true })

/** A .p8 file. */
export const createAppleKey = async (): Promise<string> => exportPKCS8((await createKeys()).privateKey)

export const startApple = async (): Promise<TestApple> => {
  const { privateKey, publicKey } = await createKeys()
  const isClient = async (request: URLSearchParams, issuer: string): Promise<boolean> => {
    const rules = { algorithms: ['ES256'], issuer: appleTeamId, subject: clientId, audience: issuer }
    const verified = await jwtVerify(request.get('client_secret') ?? '', publicKey, rules).catch(
      () => undefined,
    )
    const { iat = 0, exp = Infinity } = verified?.payload ?? {}
    return (
      verified?.protectedHeader.kid === appleKeyId &&
      exp - iat <= longestSecret &&
      request.get('client_id') === clientId
    )
  }
  const upstream = await startUpstream({
    paths: [''],
    namesIssuer: false,
    isClient,
    revocationPath: '/auth/revoke',
    discovery: (url) => ({
      revocation_endpoint: `${url}/auth/revoke`,
      userinfo_endpoint: undefined,
      response_modes_supported: ['query', 'fragment', 'form_post'],
      subject_types_supported: ['pairwise'],
      scopes_supported: ['openid', 'email', 'name'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    }),
  })
  return { ...upstream, pem: await exportPKCS8(privateKey) }
}

/** What a connection to this Apple says. */
export const describeApple = ({ issuer, pem }: Pick<TestApple, 'issuer' | 'pem'>) => ({
  ...{ name: 'Apple', public_provider: 'apple', issuer, client_id: clientId, client_secret: pem },
  ...{ token_endpoint_auth_method: 'client_secret_post' },
  ...{ apple_team_id: appleTeamId, apple_key_id: appleKeyId },
})

/** The claims of an account. The address is that of a relay. */
export const newAppleAccount = (claims: Readonly<Record<string, unknown>> = {}) => ({
  sub: `00${randomInt(1000, 9999)}.${randomUUID().replaceAll('-', '')}.${randomInt(1000, 2000)}`,
  email: `${randomUUID().slice(0, 10)}@privaterelay.appleid.com`,
  email_verified: 'true' as unknown,
  is_private_email: 'true',
  nonce_supported: true,
  real_user_status: 2,
  name: undefined,
  auth_time: undefined,
  ...claims,
})

/** What Apple says about a person once. */
export const newAppleUser = (firstName: unknown = 'Grace', lastName: unknown = 'Hopper'): string =>
  JSON.stringify({ name: { firstName, lastName }, email: 'grace@elsewhere.example' })

/** Posts an answer as the browser does on a page of Apple. */
export const postAnswer = (browser: TestBrowser, answer: URL, more: object = {}): Promise<Answer> =>
  browser.post(answer.pathname, { ...Object.fromEntries(answer.searchParams), ...more }, 'cross-site')

/**
 * A notification of Apple, as "Processing changes for Sign in with Apple accounts" describes it. `claims` and `events` replace what is
 * there, and what is undefined is left out.
 */
export const signNotification = (
  { issuer, key }: Pick<TestUpstream, 'issuer' | 'key'>,
  event: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const iat = Math.floor(Date.now() / 1000)
  const all = {
    ...{ iss: issuer, aud: clientId, iat, jti: randomUUID() },
    events: JSON.stringify({ event_time: iat, ...event }),
    ...claims,
  }
  return signWith(key, Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)))
}
