import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import { FetchError } from '../fetch-error.ts'
import type { Claims } from './get-claim.ts'
import { buildGithubAddress, readGithubAccount } from './github.ts'
import type { OidcConnection } from './records.ts'

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
    const address = buildGithubAddress(connection, path)
    const response = await fetchProtectedResource(provider, accessToken, address, 'GET', null, headers)
    if (without.includes(response.status)) return undefined
    if (response.status !== 200) throw new FetchError('status')
    return response.json().catch(() => undefined)
  }
  const user = await read('/user')
  // People can refuse the scope for their addresses.
  return readGithubAccount(user, await read('/user/emails', [403, 404]))
}
