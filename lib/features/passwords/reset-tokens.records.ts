import { buildEndResetLinksChange, buildUserStep } from '../../accounts/users/build-user-step.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { isPresent, type Update } from '../../kernel/table/expressions.ts'
import { resetTokenKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { findWithUserAndPolicy, type StoredSignInPolicy } from '../sign-in/policy.records.ts'

/**
 * Builds the steps that store a new token and revoke all older ones. They throw `EditConflict` if another link was
 * minted, or the tokens of the user were revoked, since the user was read.
 */
export const buildMintSteps = (
  user: UserRecord,
  { hash, expiresAt }: Pick<ResetTokenRecord, 'hash' | 'expiresAt'>,
): readonly Step[] => {
  const { id: userId, credentialEpoch } = user
  const { resetEpoch } = buildEndResetLinksChange(user)
  const token: ResetTokenRecord = { hash, userId, credentialEpoch, resetEpoch, expiresAt }
  const isUnchanged: Update = (x) => ({
    condition:
      user.resetEpoch === undefined
        ? `attribute_not_exists(${x.path('resetEpoch')})`
        : `${x.path('resetEpoch')} = ${x.value(user.resetEpoch)}`,
  })
  return [
    {
      put: {
        ...resetTokenKey(userId, hash),
        ...resetTokenCodec.encode(token),
        expires_at: Math.ceil(expiresAt / 1000),
      },
    },
    buildUserStep(user, { resetEpoch }, [isUnchanged], () => new EditConflict()),
  ]
}

/**
 * Builds the steps that take a token back, so that the one before it works again. `user` is the user before it was minted.
 * They throw `EditConflict` if another link was minted, or the tokens of the user were revoked since.
 */
export const buildUnmintSteps = (user: UserRecord, hash: string): readonly Step[] => {
  const { resetEpoch } = buildEndResetLinksChange(user)
  const isUnchanged: Update = (x) => ({ condition: `${x.path('resetEpoch')} = ${x.value(resetEpoch)}` })
  return [
    { delete: resetTokenKey(user.id, hash) },
    buildUserStep(user, { resetEpoch: user.resetEpoch ?? 0 }, [isUnchanged], () => new EditConflict()),
  ]
}

/** Whether a token belongs to an earlier epoch of its user. */
export const isResetTokenRevoked = (token: ResetTokenRecord, user: UserRecord): boolean =>
  token.credentialEpoch !== user.credentialEpoch || token.resetEpoch !== (user.resetEpoch ?? 0)

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
): Promise<{
  token: ResetTokenRecord | undefined
  user: UserRecord | undefined
  policy: StoredSignInPolicy | undefined
}> => {
  const [token, user, policy] = await findWithUserAndPolicy(
    table,
    resetTokenCodec,
    resetTokenKey(userId, hash),
    userId,
  )
  return { token, user, policy }
}

/** The tokens of a user, without those that cannot be read. Some of them may have ended. */
export const listResetTokens = async (table: Table, userId: number): Promise<readonly ResetTokenRecord[]> => {
  const { pk, sk } = resetTokenKey(userId, '')
  return decodeListed(table, resetTokenCodec, await table.list(pk, sk))
}

export interface ResetTokenRecord {
  readonly hash: string
  readonly userId: number
  /** A token of an earlier epoch is revoked: the password was changed since. */
  readonly credentialEpoch: number
  /** A newer link or another email address raises the epoch of the user. */
  readonly resetEpoch: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

export const resetTokenCodec = createCodec<ResetTokenRecord>('reset token', {
  hash: 'string',
  userId: 'number',
  credentialEpoch: 'number',
  resetEpoch: 'number',
  expiresAt: 'number',
})
