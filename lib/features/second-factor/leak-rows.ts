import { endOnce, type LeakRow } from '../../accounts/users/leak-row.ts'
import { ConditionFailed } from '../../kernel/table/transaction.ts'
import { buildUseSecondFactorTokenStep, findSecondFactorTokenAndUser } from './tokens.records.ts'

export const secondFactorToken: LeakRow = {
  end: async (services, context, { subject, hash }) => {
    const { token, user } = await findSecondFactorTokenAndUser(services.table, subject, hash)
    if (!token || !user || token.expiresAt <= services.now()) return
    const end = buildUseSecondFactorTokenStep(token, () => new ConditionFailed())
    await endOnce(services, context, { owner: user, target: 'second_factor_token', end })
  },
}
