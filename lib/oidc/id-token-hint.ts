import { compactVerify, createLocalJWKSet } from 'jose'
import type { Services } from '../services.ts'
import { getKeySet } from '../signing-keys/key-set.ts'

/** What an ID token of this service states about a session. */
export interface IdTokenHint {
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
