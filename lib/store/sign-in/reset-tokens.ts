import { isPresent } from '../engine/expressions.ts'
import { type Key, resetTokenKey, userKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import type { UserRecord } from '../records/user-record.ts'

export interface ResetTokenRecord {
  readonly hash: string
  readonly userId: number
  /** A token of an earlier epoch is dead: whatever changed the password burnt it. */
  readonly credentialEpoch: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

export const buildResetTokenStep = (token: ResetTokenRecord): Step => ({
  put: {
    ...resetTokenKey(token.userId, token.hash),
    ...token,
    expires_at: Math.ceil(token.expiresAt / 1000),
  },
})

/** The keys of a user's tokens, used or not. */
export const resetTokensOf = async (table: Table, userId: number): Promise<readonly Key[]> => {
  const { pk, sk } = resetTokenKey(userId, '')
  return (await table.list(pk, sk)).map((item) => ({ pk: item.pk, sk: item.sk }))
}

/** Uses the token up; refuses when it was used before. */
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
  const [token, user] = await table.getMany([resetTokenKey(userId, hash), userKey(userId)])
  return { token: token as ResetTokenRecord | undefined, user: user as UserRecord | undefined }
}
