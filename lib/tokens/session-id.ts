import { createHash } from 'node:crypto'
import type { Principal } from '../accounts/common/principal.ts'

/**
 * The ID of a session or an API token in tokens. It reveals neither the credential nor its stored hash, and always is the
 * same for one session. The service finds the session of an ID by computing it for each session of the user.
 */
export const getSessionId = ({ hash }: Pick<Principal, 'hash'>): string =>
  createHash('sha256').update(`sid ${hash}`).digest().subarray(0, 16).toString('base64url')
