import { findWithUser } from '../directory/find-with-user.ts'
import type { UserRecord } from '../directory/user-record.ts'
import { isPresent } from '../engine/expressions.ts'
import type { Table } from '../engine/table.ts'
import type { OrElse, Step } from '../engine/transaction.ts'
import { secondFactorTokenKey } from '../keys/keys.ts'
import { type SecondFactorTokenRecord, secondFactorTokenCodec } from './second-factor-token-record.ts'

export const storeSecondFactorToken = (table: Table, token: SecondFactorTokenRecord): Promise<void> =>
  table.put({
    ...secondFactorTokenKey(token.userId, token.hash),
    ...token,
    expires_at: Math.ceil(token.expiresAt / 1000),
  })

/** Reads a token and its user in one call. */
export const findSecondFactorTokenAndUser = async (
  table: Table,
  userId: number,
  hash: string,
): Promise<{ token: SecondFactorTokenRecord | undefined; user: UserRecord | undefined }> => {
  const key = secondFactorTokenKey(userId, hash)
  const [token, user] = await findWithUser(table, secondFactorTokenCodec, key, userId)
  return { token, user }
}

/** Uses a token. Fails if it was used already. */
export const buildUseSecondFactorTokenStep = (
  { userId, hash }: Pick<SecondFactorTokenRecord, 'userId' | 'hash'>,
  orElse: OrElse,
): Step => ({ delete: secondFactorTokenKey(userId, hash), condition: isPresent, orElse })
