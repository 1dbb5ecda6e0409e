import { isPresent } from '../engine/expressions.ts'
import { resetTokenKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { findWithUser } from '../records/find-with-user.ts'
import { type ResetTokenRecord, resetTokenCodec } from '../records/reset-token-record.ts'
import type { UserRecord } from '../records/user-record.ts'

export const buildResetTokenStep = (token: ResetTokenRecord): Step => ({
  put: {
    ...resetTokenKey(token.userId, token.hash),
    ...token,
    expires_at: Math.ceil(token.expiresAt / 1000),
  },
})

/** Builds the steps that revoke up to `limit` tokens of a user. */
export const buildRevokeResetTokensSteps = async (
  table: Table,
  userId: number,
  limit: number,
): Promise<readonly Step[]> => {
  const { pk, sk } = resetTokenKey(userId, '')
  const items = await table.list(pk, sk)
  return items.slice(0, limit).map((item) => ({ delete: { pk: item.pk, sk: item.sk } }))
}

/** Uses a token. Fails if it was used already. */
export const buildUseResetTokenStep = ({ userId, hash }: ResetTokenRecord): Step => ({
  delete: resetTokenKey(userId, hash),
  condition: isPresent,
})

/** Reads a token and its user in one call. */
export const findResetTokenAndUser = async (
  table: Table,
  userId: number,
  hash: string,
): Promise<{ token: ResetTokenRecord | undefined; user: UserRecord | undefined }> => {
  const [token, user] = await findWithUser(table, resetTokenCodec, resetTokenKey(userId, hash), userId)
  return { token, user }
}
