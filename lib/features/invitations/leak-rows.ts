import { auditStep } from '../../accounts/events/write-event.ts'
import { findUsers } from '../../accounts/users/find-users.records.ts'
import { endOnce, type LeakRow } from '../../accounts/users/leak-row.ts'
import { wasCommitted } from '../../kernel/table/transaction.ts'
import { buildEndSignUpLinkStep } from './sign-up.records.ts'
import { buildRevokeInvitationStep } from './steps.records.ts'

export const invitation: LeakRow = {
  end: async (services, context, { subject, hash }) => {
    const [user] = await findUsers(services.table, [subject])
    const open = user?.invitation
    if (!user || open?.hash !== hash || open.acceptedAt !== undefined) return
    if (open.expiresAt <= services.now()) return
    const end = buildRevokeInvitationStep(user.id, open)
    await endOnce(services, context, { owner: user, target: 'invitation', end })
  },
}

export const signUp: LeakRow = {
  /** The person who asked for the link has no account yet, so there is no owner to inform. */
  end: async ({ table, now }, context, { hash }) => {
    await wasCommitted(
      table.transact([
        buildEndSignUpLinkStep(hash, now()),
        auditStep(context, 'credential.leaked', { target: 'sign_up' }),
      ]),
    )
  },
}
