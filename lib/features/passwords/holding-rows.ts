import type { HoldingRow } from '../../accounts/users/holding-row.ts'
import { isResetTokenRevoked, listResetTokens } from './reset-tokens.records.ts'

export const resetToken: HoldingRow = {
  count: async ({ table, now }, user) =>
    (await listResetTokens(table, user.id)).filter(
      (token) => now() < token.expiresAt && !isResetTokenRevoked(token, user),
    ).length,
}

/** Without a password, even users who may not change it have to choose one. */
export const password: HoldingRow = {
  count: (_, { passwordHash, legacySignIn }) => (passwordHash !== null || legacySignIn ? 1 : 0),
  plan: (_, { passwordHash, legacySignIn }) =>
    passwordHash === null && !legacySignIn
      ? {}
      : { changes: { passwordHash: null, password_change_required: true } },
}
