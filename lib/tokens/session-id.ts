import { createHash } from 'node:crypto'
import type { Principal } from '../accounts/common/principal.ts'

interface SessionParts {
  readonly hash: string
  /** See `SessionRecord`. */
  readonly switches?: number | undefined
  /** The ID of the user whom the session impersonates. */
  readonly impersonated?: number | undefined
}

/**
 * Builds the ID of a session or an API token in tokens. It reveals neither the credential nor its stored hash. A session
 * has one ID for each user that it acts as, and a new one when an impersonation starts or stops.
 */
export const buildSessionId = ({ hash, switches = 0, impersonated = 0 }: SessionParts): string =>
  createHash('sha256')
    .update(`sid ${hash} ${switches} ${impersonated}`)
    .digest()
    .subarray(0, 16)
    .toString('base64url')

/** The ID of the session or API token of a caller. */
export const getSessionId = ({
  hash,
  session,
  user,
  actor,
}: Pick<Principal, 'hash' | 'session' | 'user' | 'actor'>): string =>
  buildSessionId({ hash, switches: session?.switches, impersonated: actor && user.id })
