import { decodeJwt } from 'jose'
import type { CustomFetch, ServerMetadata } from 'openid-client'
import type { OidcConnection } from '../records.ts'
import { isKeyForIssuer } from './microsoft-tenants.ts'

/**
 * Hides the keys of other tenants from the library, which does not compare their issuers. It fetches the keys after it has compared the
 * issuer of the ID token with its tenant. Use the result for one sign-in alone.
 */
export const limitKeys = (
  send: CustomFetch,
  connection: OidcConnection,
  { token_endpoint, jwks_uri }: ServerMetadata,
): CustomFetch => {
  let idToken: unknown
  return async (url, options) => {
    const response = await send(url, options)
    if (isAt(url, token_endpoint)) idToken = (await readObject(response))['id_token']
    if (!isAt(url, jwks_uri) || !response.ok) return response
    const { keys } = await readObject(response)
    const issuer = typeof idToken === 'string' ? decodeJwt(idToken).iss : undefined
    return Array.isArray(keys)
      ? Response.json({ keys: keys.filter((key) => isKeyForIssuer(connection, key, issuer)) })
      : response
  }
}

const isAt = (url: string, address: string | undefined): boolean =>
  address !== undefined && url === new URL(address).href

/** The library reads the answer itself, and says what is wrong with it. */
const readObject = async (response: Response): Promise<Readonly<Record<string, unknown>>> => {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return typeof body === 'object' && body !== null ? { ...body } : {}
}
