import { userKey } from '../../kernel/table/keys/keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { wasCommitted } from '../../kernel/table/transaction.ts'
import type { RevokedPeriod, UserRecord } from './stored-user.records.ts'

/**
 * Whether a credential was added in the period that its user disowned. Such a credential never works, even if its item
 * is not deleted yet. Credentials without a time came with the user and count as older.
 */
export const isCredentialRevoked = (
  { revokedCredentials }: Pick<UserRecord, 'revokedCredentials'>,
  addedAt: number | undefined,
): boolean =>
  Boolean(revokedCredentials) &&
  addedAt !== undefined &&
  addedAt >= (revokedCredentials?.from ?? 0) &&
  addedAt <= (revokedCredentials?.to ?? 0)

/** The user as if they had disowned all that they have, to find it. This is never stored. */
export const disownAll = (user: UserRecord): UserRecord => ({
  ...user,
  revokedCredentials: { from: 0, to: Number.MAX_SAFE_INTEGER },
})

interface EndableApiToken {
  readonly id: number
  readonly createdAt: number
  readonly expiresAt?: number
}

/** Whether an API token was disowned, or ended with a reset of the password or with everything of the user. */
export const isApiTokenRevoked = (
  user: Pick<UserRecord, 'revokedCredentials' | 'apiTokensEndedAt' | 'credentialEpoch' | 'keptApiTokens'>,
  token: EndableApiToken,
): boolean =>
  isCredentialRevoked(user, token.createdAt) ||
  (token.createdAt <= (user.apiTokensEndedAt ?? -1) && !isApiTokenKept(user, token))

/** Whether an API token works until its end although the others of the user ended. */
export const isApiTokenKept = (
  { credentialEpoch, keptApiTokens }: Pick<UserRecord, 'credentialEpoch' | 'keptApiTokens'>,
  { id, expiresAt = Number.POSITIVE_INFINITY }: EndableApiToken,
): boolean =>
  keptApiTokens?.credentialEpoch === credentialEpoch &&
  keptApiTokens.tokens.some((kept) => kept.id === id && expiresAt <= kept.until)

/**
 * Builds the field that revokes all credentials that were added in a period. If credentials of an earlier period are
 * not all deleted yet, the new period includes it.
 */
export const buildRevokeCredentialsChange = (
  { revokedCredentials }: Pick<UserRecord, 'revokedCredentials'>,
  { from, to }: RevokedPeriod,
): { readonly revokedCredentials: RevokedPeriod } => ({
  revokedCredentials: {
    from: Math.min(from, revokedCredentials?.from ?? from),
    to: Math.max(to, revokedCredentials?.to ?? to),
  },
})

/** Forgets a period after all of its credentials were deleted. Does nothing if it was extended since. */
export const forgetRevokedPeriod = async (
  table: Table,
  userId: number,
  { from, to }: RevokedPeriod,
): Promise<void> => {
  await wasCommitted(
    table.update(userKey(userId), (x) => ({
      remove: [x.path('revokedCredentials')],
      condition: [
        `${x.path('revokedCredentials', 'from')} = ${x.value(from)}`,
        `${x.path('revokedCredentials', 'to')} = ${x.value(to)}`,
      ].join(' AND '),
    })),
  )
}
