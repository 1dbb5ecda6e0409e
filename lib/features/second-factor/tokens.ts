import type { RequestContext } from '../../accounts/callers/request-context.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { secondFactorTokenLifetimeMs } from '../../kernel/limits/limits.ts'
import { mintCredential, parseCredential } from '../../kernel/secrets/credentials.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import {
  findSecondFactorTokenAndUser,
  type SecondFactorTokenRecord,
  storeSecondFactorToken,
} from './tokens.records.ts'

/**
 * Creates the proof that the password of a user was right and returns its value. A passkey can complete the sign-in with
 * it, once and from the same network. A new password that was sent with the right one is set at that moment.
 */
export const mintSecondFactorToken = async (
  { table, now }: Services,
  { address }: RequestContext,
  user: UserRecord,
  newPasswordHash: string | undefined,
): Promise<string> => {
  const { value, hash } = mintCredential('second_factor_token', user.id)
  await storeSecondFactorToken(table, {
    hash,
    userId: user.id,
    credentialEpoch: user.credentialEpoch,
    network: getNetwork(address),
    expiresAt: now() + secondFactorTokenLifetimeMs,
    ...omitUndefined({ newPasswordHash }),
  })
  return value
}

/**
 * Finds a token and its user. Returns undefined for a malformed, unknown, used, revoked or expired token, and for one of
 * another network.
 */
export const findSecondFactorToken = async (
  { table, now }: Services,
  { address }: RequestContext,
  value: string,
): Promise<{ readonly token: SecondFactorTokenRecord; readonly user: UserRecord } | undefined> => {
  const credential = parseCredential(value)
  if (credential?.kind !== 'second_factor_token') return undefined
  const { token, user } = await findSecondFactorTokenAndUser(table, credential.subject, credential.hash)
  if (!token || !user || token.expiresAt <= now()) return undefined
  const isValid = token.credentialEpoch === user.credentialEpoch && token.network === getNetwork(address)
  return isValid ? { token, user } : undefined
}
