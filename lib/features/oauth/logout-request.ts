import { compactVerify, createLocalJWKSet } from 'jose'
import { invalidRequest } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import { type ClientRecord, findClient } from './clients.records.ts'
import { getKeySet } from './signing-keys/key-set.ts'

/** What an ID token of this service states about a session. */
interface IdTokenHint {
  readonly clientId: string
  readonly sid: string
}

/**
 * Reads an ID token that a client sends back. It may have expired (OpenID Connect RP-Initiated Logout 2), because it only
 * shows which session the client means. Returns undefined if this service did not issue it, or if its key is no longer published.
 */
export const readIdTokenHint = async (
  services: Services,
  token: string,
): Promise<IdTokenHint | undefined> => {
  const keys = createLocalJWKSet({ keys: (await getKeySet(services)).map((key) => ({ ...key })) })
  const verified = await compactVerify(token, keys, { algorithms: ['RS256'] }).catch(() => undefined)
  // Access tokens have a type. They go to servers that need not be trusted to end sessions.
  if (!verified || (verified.protectedHeader.typ ?? 'JWT') !== 'JWT') return undefined
  const { iss, aud, sid }: Readonly<Record<string, unknown>> = JSON.parse(
    new TextDecoder().decode(verified.payload),
  )
  const isOwn = iss === services.config.publicUrl && typeof aud === 'string' && typeof sid === 'string'
  return isOwn ? { clientId: aud, sid } : undefined
}

interface LogoutParameters {
  readonly clientId: string | undefined
  readonly returnTo: string | undefined
  readonly state: string | undefined
}

/** Where a browser goes after a logout that a client asked for. */
export interface LogoutTarget {
  readonly client: ClientRecord | undefined
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
  const client = clientId === undefined ? undefined : await findClient(table, clientId)
  if (clientId !== undefined && !client)
    throw invalidRequest([{ field: 'client_id', message: 'is not a client of this service' }])
  if (returnTo === undefined) return { client, location: config.signInUrl }
  if (!client?.post_logout_redirect_uris.includes(returnTo))
    throw invalidRequest([
      { field: 'post_logout_redirect_uri', message: 'is not an address that the client registered' },
    ])
  const url = new URL(returnTo)
  if (state !== undefined) url.searchParams.set('state', state)
  return { client, location: url.href }
}
