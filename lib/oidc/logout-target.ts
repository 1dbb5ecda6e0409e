import { invalidRequest } from '../errors/errors.ts'
import type { Services } from '../services.ts'
import { findOidcClient, type OidcClient } from '../store/oidc/clients.ts'

interface LogoutParameters {
  readonly clientId: string | undefined
  readonly returnTo: string | undefined
  readonly state: string | undefined
}

/** Where a browser goes after a logout that a client asked for. */
export interface LogoutTarget {
  readonly client: OidcClient | undefined
  readonly location: string
}

/**
 * Finds out where the browser goes after a logout: to an address that the client registered, or to the sign-in page.
 *
 * @throws AppError `invalid_request` for any other address
 */
export const resolveLogoutTarget = async (
  { table, config }: Services,
  { clientId, returnTo, state }: LogoutParameters,
): Promise<LogoutTarget> => {
  const client = clientId === undefined ? undefined : await findOidcClient(table, clientId)
  if (clientId !== undefined && !client)
    throw invalidRequest([{ field: 'client_id', message: 'is not a client of this service' }])
  if (returnTo === undefined) return { client, location: config.signInUrl }
  if (!client?.postLogoutRedirectUris.includes(returnTo))
    throw invalidRequest([
      { field: 'post_logout_redirect_uri', message: 'is not an address that the client registered' },
    ])
  const url = new URL(returnTo)
  if (state !== undefined) url.searchParams.set('state', state)
  return { client, location: url.href }
}
