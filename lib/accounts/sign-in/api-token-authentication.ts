import { apiTokenUsePrecisionMs } from '../../limits/limits.ts'
import { hasCredentialPrefix, hashCredential, parseCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { isGuestUser } from '../../store/directory/guest-state.ts'
import { type ApiTokenRecord, hasApiTokenExpired } from '../../store/records/api-token-record.ts'
import { isApiTokenRevoked } from '../../store/records/revoked-credentials.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { findApiTokenAndUser, findChosenOwner, markApiTokenUsed } from '../../store/sign-in/api-tokens.ts'
import { isActive } from '../common/active-user.ts'

/**
 * Owners of custom tokens, by hash. The owner of a token never changes while the token exists, so this may be cached.
 * Whether the token still exists, and what its owner may do, is read each time.
 */
const ownerCache = new Map<string, number>()
const maxCached = 10_000

/** An API token that works, with its owner. */
export interface ActiveApiToken {
  readonly token: ApiTokenRecord
  readonly user: UserRecord
}

type Found = Awaited<ReturnType<typeof findApiTokenAndUser>>

/** Finds an API token and its owner. Takes one table call, or two for a custom token that is not cached. */
export const findActiveApiToken = async (
  services: Services,
  value: string,
): Promise<ActiveApiToken | undefined> =>
  requireActive(services, await findTokenAndOwner(services, value, hashCredential(value)))

/** Finds an API token by the hash under which it is stored. Takes one table call. */
export const findStoredApiToken = async (
  services: Services,
  userId: number,
  hash: string,
): Promise<ActiveApiToken | undefined> =>
  requireActive(services, await findApiTokenAndUser(services.table, userId, hash))

/** Returns undefined if the token or its owner does not work now. Otherwise updates when the token was last used. */
const requireActive = async (
  services: Services,
  { token, user }: Partial<Found> = {},
): Promise<ActiveApiToken | undefined> => {
  const now = services.now()
  if (!token || !user || hasApiTokenExpired(token, now) || !isActive(user, now)) return undefined
  if (isGuestUser(user) || isApiTokenRevoked(user, token)) return undefined
  await updateLastUsed(services, token)
  return { token, user }
}

const findTokenAndOwner = async (
  { table }: Services,
  value: string,
  hash: string,
): Promise<Found | undefined> => {
  const owner = parseCredential(value)?.subject ?? ownerCache.get(hash)
  const found = owner === undefined ? undefined : await findApiTokenAndUser(table, owner, hash)
  if (found?.token || hasCredentialPrefix(value)) return found
  // The cached owner deleted the token. Another user may have chosen the same value since.
  ownerCache.delete(hash)
  const currentOwner = await findChosenOwner(table, hash)
  if (currentOwner === undefined) return undefined
  if (ownerCache.size >= maxCached) ownerCache.clear()
  ownerCache.set(hash, currentOwner)
  return findApiTokenAndUser(table, currentOwner, hash)
}

const updateLastUsed = async ({ table, now, log }: Services, token: ApiTokenRecord): Promise<void> => {
  const at = now()
  if (token.lastUsedAt !== null && at - token.lastUsedAt < apiTokenUsePrecisionMs) return
  await markApiTokenUsed(table, token, at).catch((error: unknown) =>
    log.warn('last_used.not_written', { error }),
  )
}
