import { endOnce, type LeakRow } from './leak-row.ts'
import { buildEndConfirmationStep } from './user-step.records.ts'
import { findUsers } from './users.records.ts'

export const emailConfirmation: LeakRow = {
  end: async (services, context, { subject, hash }) => {
    const [user] = await findUsers(services.table, [subject])
    const link = user?.emailConfirmation
    if (!user || link?.hash !== hash || link.expiresAt <= services.now()) return
    const end = buildEndConfirmationStep(user.id, hash)
    await endOnce(services, context, { owner: user, target: 'email_confirmation', end })
  },
}
