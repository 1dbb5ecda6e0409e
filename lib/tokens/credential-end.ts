import type { Principal } from '../accounts/common/principal.ts'
import { getSessionLifetime } from '../accounts/sign-in/sessions.ts'
import type { Services } from '../services.ts'

/** When the credential of a caller ends at the latest, in epoch milliseconds. No token of the caller may outlive it. */
export const getCredentialEnd = (
  { config }: Pick<Services, 'config'>,
  { user, actor, session, apiToken }: Principal,
): number => {
  const ends = [user.expiresAt, actor?.expiresAt, apiToken?.expiresAt]
  if (session) {
    const { lifetimeMs } = getSessionLifetime(config, session, actor ?? user)
    ends.push(session.expiresAt, session.createdAt + lifetimeMs)
    if (actor) ends.push(session.impersonation?.until ?? 0)
  }
  return Math.min(...ends.map((end) => end ?? Number.POSITIVE_INFINITY))
}
