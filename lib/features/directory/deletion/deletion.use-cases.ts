import { requireShown } from '../../../accounts/callers/decisions.ts'
import { requireOwnSession } from '../../../accounts/callers/own-session.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import {
  buildAdministratorNoticeStep,
  buildSecurityNoticeStep,
} from '../../../accounts/outbox/security-notices.ts'
import { isLastAdmin } from '../../../accounts/users/admins.records.ts'
import { findUser } from '../../../accounts/users/find-users.records.ts'
import type { DeletionRequest, UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { editUser } from '../../../accounts/users/write-users.records.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { AppError, notFound } from '../../../kernel/errors/errors.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { day, formatTime } from '../../../kernel/util/time.ts'
import { requireNoSoleOwner } from '../../organizations/sole-owner.ts'
import type { AccountDeletion } from '../../sign-in/models.ts'
import { defaultSignInPolicy, findSignInPolicy } from '../../sign-in/policy.records.ts'
import { requireProofForRights, requireRightToChange } from '../rights/account-rights.ts'
import type { users } from '../users/users.operations.ts'
import { cleanUpAccount, deleteAccount } from './delete-account.ts'

/** Deletes a user. Repeating the request resumes the cleanup. */
export const deleteUser: UseCase<typeof users.deleteUser> = async (
  { params, principal, context },
  services,
) => {
  const user = await findUser(services.table, params.id)
  if (!user || user.successorId !== undefined) {
    if (user || !(await cleanUpAccount(services, params.id, context))) throw notFound('user')
    return { status: 204 }
  }
  await requireRightToChange(services, principal, user)
  await requireProofForRights(services, principal, [user])
  await deleteAccount(services, user, context)
  return { status: 204 }
}

export const getOwnAccountDeletion: UseCase<typeof users.getOwnAccountDeletion> = async (
  { principal: { user } },
  { table },
) => ({ status: 200, body: toBody(await findRule(table), user) })

/** Asks for the deletion of the current user. The account stays as it is until then. */
export const requestAccountDeletion: UseCase<typeof users.requestAccountDeletion> = async (
  { body: { shown }, principal, context },
  services,
) => {
  const { table, now } = services
  const { user } = principal
  requireOwnSession(principal)
  const rule = await findRule(table)
  requireShown(shown, { user: user.id, ...rule })
  if (rule.mode === 'off')
    throw new AppError('permission_denied', {
      detail: 'This service does not let users have their own account deleted. Ask an administrator.',
    })
  if (user.deletion) return { status: 200, body: toBody(rule, user) }
  if (await isLastAdmin(table, user))
    throw new AppError('conflict', {
      reason: 'last_admin',
      detail: 'You are the last administrator. Grant `system:admin-access` to another user first.',
    })
  await requireNoSoleOwner(table, user.id)
  const isAsked = rule.mode === 'ask'
  const requestedAt = now()
  const deletion: DeletionRequest = {
    requestedAt,
    dueAt: isAsked ? null : requestedAt + rule.grace_days * day,
  }
  const edited = await editUser(
    table,
    user,
    { deletion },
    {
      extraSteps: [
        auditStep(context, 'user.deletion_requested', { user: user.id, target: rule.mode }),
        ...buildSecurityNoticeStep(services, context, user, { kind: 'account_deletion_requested' }),
        ...(isAsked ? [buildAdministratorNoticeStep(context, 'account_deletion_asked', user.username)] : []),
      ],
    },
  )
  return { status: 200, body: toBody(rule, edited) }
}

export const withdrawAccountDeletion: UseCase<typeof users.withdrawAccountDeletion> = async (
  { principal, context },
  services,
) => {
  const { user } = principal
  requireOwnSession(principal)
  if (user.deletion)
    await editUser(
      services.table,
      user,
      { deletion: undefined },
      {
        extraSteps: [
          auditStep(context, 'user.deletion_withdrawn', { user: user.id }),
          ...buildSecurityNoticeStep(services, context, user, { kind: 'account_deletion_withdrawn' }),
        ],
      },
    )
  return { status: 204 }
}

/** Whether users can have their own account deleted: by an administrator whom they ask, or after a number of days. */
type AccountDeletionRule = Pick<AccountDeletion, 'mode' | 'grace_days'>

const findRule = async (table: Table): Promise<AccountDeletionRule> => {
  const { policy } = (await findSignInPolicy(table)) ?? { policy: defaultSignInPolicy }
  return { mode: policy.account_deletion, grace_days: policy.account_deletion_grace_days }
}

/** An account whose day was set under another policy is deleted only if this one does so, too. */
const toBody = (rule: AccountDeletionRule, { deletion }: UserRecord): AccountDeletion => ({
  ...rule,
  requested_at: formatTime(deletion?.requestedAt ?? null),
  due_at: rule.mode === 'after_grace' ? formatTime(deletion?.dueAt ?? null) : null,
})
