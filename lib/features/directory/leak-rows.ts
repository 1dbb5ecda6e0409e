import { buildEndConfirmationStep } from '../../accounts/users/build-user-step.records.ts'
import { findUsers } from '../../accounts/users/find-users.records.ts'
import { endOnce, type LeakRow } from '../../accounts/users/leak-row.ts'

export const emailConfirmation: LeakRow = {
  end: async (services, context, { subject, hash }) => {
    const [user] = await findUsers(services.table, [subject])
    const link = user?.emailConfirmation
    if (!user || link?.hash !== hash || link.expiresAt <= services.now()) return
    const end = buildEndConfirmationStep(user.id, hash)
    await endOnce(services, context, { owner: user, target: 'email_confirmation', end })
  },
}
