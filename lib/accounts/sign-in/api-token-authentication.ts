import { apiTokenUsePrecisionMs } from '../../core/limits.ts'
import { hashCredential, isOurForm, parseCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import type { ApiTokenRecord } from '../../store/records/api-token-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { findApiTokenAndUser, findChosenOwner, markApiTokenUsed } from '../../store/sign-in/api-tokens.ts'
import { isActive } from '../common/active-user.ts'

/**
 * Owners of chosen values, by hash. Whose a value is doesn't change while it is in use, so that may be remembered;
 * whether it is still in use, and what its owner may do, is read each time.
 */
const owners = new Map<string, number>()
const remembered = 10_000

/** The token and its owner behind a value, in one call to the table; in two for a chosen value not met before. */
export const findByApiToken = async (
  services: Services,
  value: string,
): Promise<{ token: ApiTokenRecord; user: UserRecord } | undefined> => {
  const hash = hashCredential(value)
  const { token, user } = (await tokenAndOwner(services, value, hash)) ?? {}
  if (!token || !user || !isActive(user, services.now())) return undefined
  await noteUse(services, token)
  return { token, user }
}

const tokenAndOwner = async (
  { table }: Services,
  value: string,
  hash: string,
): Promise<Awaited<ReturnType<typeof findApiTokenAndUser>> | undefined> => {
  const owner = parseCredential(value)?.subject ?? owners.get(hash)
  const found = owner === undefined ? undefined : await findApiTokenAndUser(table, owner, hash)
  if (found?.token || isOurForm(value)) return found
  // Given up, and perhaps taken up by somebody else since.
  owners.delete(hash)
  const present = await findChosenOwner(table, hash)
  if (present === undefined) return undefined
  if (owners.size >= remembered) owners.clear()
  owners.set(hash, present)
  return findApiTokenAndUser(table, present, hash)
}

const noteUse = async ({ table, now, log }: Services, token: ApiTokenRecord): Promise<void> => {
  const at = now()
  if (token.lastUsedAt !== null && at - token.lastUsedAt < apiTokenUsePrecisionMs) return
  await markApiTokenUsed(table, token, at).catch((error: unknown) =>
    log.warn('last_used.not_written', { error }),
  )
}
