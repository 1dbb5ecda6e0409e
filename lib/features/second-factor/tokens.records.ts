import { findWithUser } from '../../accounts/users/find-with-user.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { isPresent } from '../../kernel/table/expressions.ts'
import { secondFactorTokenKey } from '../../kernel/table/keys/keys.ts'
import { createCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { OrElse, Step } from '../../kernel/table/transaction.ts'

export const storeSecondFactorToken = (table: Table, token: SecondFactorTokenRecord): Promise<void> =>
  table.put({
    ...secondFactorTokenKey(token.userId, token.hash),
    ...secondFactorTokenCodec.encode(token),
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

/** The proof that someone entered the right password, while the second factor is still missing. */
export interface SecondFactorTokenRecord {
  readonly hash: string
  readonly userId: number
  /** A token of an earlier epoch is revoked: the password was changed since. */
  readonly credentialEpoch: number
  /** The network that entered the password. */
  readonly network: string
  /** The hash of the new password that was sent with the right one. It is set when the sign-in is complete. */
  readonly newPasswordHash?: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

export const secondFactorTokenCodec = createCodec<SecondFactorTokenRecord>('second factor token', {
  hash: 'string',
  userId: 'number',
  credentialEpoch: 'number',
  network: 'string',
  expiresAt: 'number',
})
