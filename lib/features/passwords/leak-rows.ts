import { endOnce, type LeakRow } from '../../accounts/users/leak-row.ts'
import { buildUseResetTokenStep, findResetTokenAndUser, isResetTokenRevoked } from './reset-tokens.records.ts'

export const resetToken: LeakRow = {
  end: async (services, context, { subject, hash }) => {
    const { token, user } = await findResetTokenAndUser(services.table, subject, hash)
    if (!token || !user || token.expiresAt <= services.now() || isResetTokenRevoked(token, user)) return
    const end = buildUseResetTokenStep(token)
    await endOnce(services, context, { owner: user, target: 'reset_token', end })
  },
}
