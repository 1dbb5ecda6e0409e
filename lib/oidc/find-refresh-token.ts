import type { Services } from '../services.ts'
import { findOidcGrant, type OidcGrantRecord } from '../store/oidc/grants.ts'
import { findOidcToken, type OidcTokenRecord } from '../store/oidc/tokens.ts'

/** Finds a refresh token, used or not, with its grant. Undefined if the grant has ended. */
export const findRefreshToken = async (
  { table, now }: Services,
  value: string,
): Promise<{ readonly token: OidcTokenRecord; readonly grant: OidcGrantRecord } | undefined> => {
  // No JWT, and no text that is too long, is a refresh token.
  if (!/^[\w-]{1,255}$/.test(value)) return undefined
  const token = await findOidcToken(table, 'refresh_token', value)
  const grant = token && (await findOidcGrant(table, token.grantId, now()))
  return grant && { token, grant }
}
