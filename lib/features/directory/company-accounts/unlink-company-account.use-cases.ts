import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep, buildSignInSetSteps } from '../../../accounts/outbox/security-notices.ts'
import { editUserEndingOtherSessions } from '../../../accounts/sessions/end-sessions.records.ts'
import { requireUser } from '../../../accounts/users/require-records.ts'
import type { UserChanges, UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { editUserEndingSessions } from '../../../accounts/users/write-users.records.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { requireFound } from '../../../kernel/errors/errors.ts'
import type { Step } from '../../../kernel/table/transaction.ts'
import type { Services } from '../../../services.ts'
import { buildRemoveCompanyAccountSteps } from '../../connections/accounts.records.ts'
import { getConnectionTarget } from '../../connections/connection-context.ts'
import { requireWayLeft } from '../../sign-in/ways-to-sign-in.ts'
import { requireRightToChange } from '../rights/account-rights.ts'
import type { users } from '../users/users.operations.ts'
import { getCompanyAccountId } from './company-accounts.use-cases.ts'
import { findUsableCompanyAccounts, type UsableCompanyAccount } from './usable-company-accounts.ts'

/**
 * Unlinks one of the caller's accounts. All other sessions end, because someone else may use the account, and may be
 * signed in. The last way to sign in stays.
 */
export const unlinkOwnCompanyAccount: UseCase<typeof users.unlinkOwnCompanyAccount> = async (
  { params, principal: { user, session }, context },
  services,
) => {
  const { account, others } = await findAccount(services, user, params.id)
  await requireWayLeft(services, user, { account })
  const { changes, steps } = buildRemoval(services, context, account, others)
  await editUserEndingOtherSessions(services.table, { user, session }, changes, steps)
  return { status: 204 }
}

/** Unlinks an account of a user and ends all of their sessions. Callers keep their own last way to sign in here, too. */
export const unlinkUserCompanyAccount: UseCase<typeof users.unlinkUserCompanyAccount> = async (
  { params, principal, context },
  services,
) => {
  const user = await requireUser(services.table, params.id)
  await requireRightToChange(services, principal, user)
  const { account, others } = await findAccount(services, user, params.account_id)
  if (user.id === principal.user.id) await requireWayLeft(services, user, { account })
  const { changes, steps } = buildRemoval(services, context, account, others)
  const extraSteps = [...steps, ...(await buildSignInSetSteps(services, context, user))]
  await editUserEndingSessions(services.table, user, changes, { extraSteps })
  return { status: 204 }
}

interface FoundAccount {
  readonly account: UsableCompanyAccount
  readonly others: readonly UsableCompanyAccount[]
}

/** @throws AppError `not_found` if the user has no account with this ID. */
const findAccount = async (services: Services, user: UserRecord, id: number): Promise<FoundAccount> => {
  const accounts = await findUsableCompanyAccounts(services, user)
  const account = requireFound(
    accounts.find((one) => getCompanyAccountId(one) === id),
    'connected account',
  )
  return { account, others: accounts.filter((one) => one !== account) }
}

interface Removal {
  readonly changes: UserChanges
  readonly steps: readonly Step[]
}

/** The user also leaves the groups that they are in because of the account alone. */
const buildRemoval = (
  services: Services,
  context: RequestContext,
  account: UsableCompanyAccount,
  others: readonly UsableCompanyAccount[],
): Removal => {
  const { user, provider } = account
  const kept = new Set(others.flatMap(({ groups }) => groups))
  const groups = user.groups.filter((id) => kept.has(id) || !account.groups.includes(id))
  return {
    changes: groups.length < user.groups.length ? { groups } : {},
    steps: [
      ...buildRemoveCompanyAccountSteps(account),
      auditStep(context, 'company_account.unlinked', {
        user: user.id,
        target: getConnectionTarget(provider),
      }),
      ...buildSecurityNoticeStep(services, context, user, { kind: 'company_account_unlinked' }),
    ],
  }
}
