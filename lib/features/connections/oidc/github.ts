import type { ServerMetadata } from 'openid-client'
import { presetAccounts } from '../public-providers.models.ts'
import { type Claims, getClaim } from './get-claim.ts'
import type { OidcConnection } from './records.ts'

/*
 * GitHub has accounts for everybody, and speaks OAuth 2.0 without OpenID Connect: an access token for its API instead of an ID token. The rules
 * are those of "Authorizing OAuth apps" and of the endpoints "Get the authenticated user" and "List email addresses for the authenticated
 * user" at docs.github.com, as read in November 2026.
 */

export const githubIssuer = presetAccounts.github.origin

type Provider = Pick<OidcConnection, 'issuer' | 'public_provider'>

export const isGithub = ({ public_provider: provider }: Pick<Provider, 'public_provider'>): boolean =>
  provider === 'github'

/** What a discovery document would say. */
export const buildGithubMetadata = ({ issuer }: Pick<Provider, 'issuer'>): ServerMetadata => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/access_token`,
})

/** The address of an endpoint of the API. A stand-in has the API below its issuer. */
export const buildGithubAddress = ({ issuer }: Pick<Provider, 'issuer'>, path: string): URL =>
  new URL(`${issuer === githubIssuer ? 'https://api.github.com' : `${issuer}/api`}${path}`)

/** What GitHub calls the scopes of OpenID Connect. It has none for `openid`. */
const scopeNames: ReadonlyMap<string, string> = new Map([
  ['profile', 'read:user'],
  ['email', 'user:email'],
])

/** The scopes that GitHub is asked for. */
export const toGithubScopes = (scopes: readonly string[]): readonly string[] =>
  scopes.flatMap((scope) => (scope === 'openid' ? [] : [scopeNames.get(scope) ?? scope]))

/**
 * The claims of an account. Its number is the subject, because logins are given to other people after their owners changed them.
 * Undefined if the answer names no account.
 */
export const readGithubAccount = (user: unknown, emails: unknown): Claims | undefined => {
  if (!isObject(user)) return undefined
  const id = getClaim(user, 'id')
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) return undefined
  return {
    sub: String(id),
    preferred_username: getClaim(user, 'login'),
    name: getClaim(user, 'name'),
    email: findAddress(emails),
  }
}

/** The primary address, if GitHub has confirmed it. The public address of a profile is any of the person's addresses. */
const findAddress = (emails: unknown): unknown => {
  const primary = Array.isArray(emails)
    ? emails.find(
        (one) => isObject(one) && getClaim(one, 'primary') === true && getClaim(one, 'verified') === true,
      )
    : undefined
  return primary && getClaim(primary, 'email')
}

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
