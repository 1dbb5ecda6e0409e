import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import { FetchError } from '../../fetch-error.ts'
import { declaredProviders } from '../../public-providers.models.ts'
import { type Claims, getClaim, isObject } from '../get-claim.ts'
import type { OidcConnection } from '../records.ts'

/*
 * The account at GitHub that an access token opens. The rules are those of the endpoints "Get the authenticated user" and "List email addresses
 * for the authenticated user" at docs.github.com, as read in November 2026.
 */

const [githubIssuer] = declaredProviders.github.issuers

/** The address of an endpoint of the API. A stand-in has the API below its issuer. */
const buildAddress = ({ issuer }: Pick<OidcConnection, 'issuer'>, path: string): URL =>
  new URL(`${issuer === githubIssuer ? 'https://api.github.com' : `${issuer}/api`}${path}`)

/**
 * The claims of an account. Its number is the subject, because logins are given to other people after their owners changed them.
 * Undefined if the answer names no account.
 */
const readAccount = (user: unknown, emails: unknown): Claims | undefined => {
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

/** Gives errors of the token endpoint the status of RFC 6749 5.2. GitHub sends them with 200. */
export const correctErrors =
  (send: CustomFetch, { token_endpoint: endpoint }: ServerMetadata): CustomFetch =>
  async (url, options) => {
    const response = await send(url, options)
    if (url !== endpoint || response.status !== 200) return response
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined)
    const hasError = typeof body === 'object' && body !== null && Object.hasOwn(body, 'error')
    return hasError ? Response.json(body, { status: 400 }) : response
  }

/**
 * Reads the account that an access token is for. Undefined if the answer names none.
 *
 * @throws FetchError if GitHub cannot be reached, or does not answer
 */
export const fetchGithubAccount = async (
  { fetchProtectedResource }: typeof import('openid-client'),
  provider: Configuration,
  connection: OidcConnection,
  accessToken: string,
): Promise<Claims | undefined> => {
  const read = async (path: string, without: readonly number[] = []): Promise<unknown> => {
    const headers = new Headers({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    })
    const address = buildAddress(connection, path)
    const response = await fetchProtectedResource(provider, accessToken, address, 'GET', null, headers)
    if (without.includes(response.status)) return undefined
    if (response.status !== 200) throw new FetchError('status')
    return response.json().catch(() => undefined)
  }
  const user = await read('/user')
  // People can refuse the scope for their addresses.
  return readAccount(user, await read('/user/emails', [403, 404]))
}
