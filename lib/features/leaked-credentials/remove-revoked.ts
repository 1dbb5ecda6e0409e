import { revokedCleanUpMs } from '../../kernel/limits/limits.ts'
import { ConditionFailed, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../access/request-context.ts'
import { retryConflicts } from '../access/retry-conflicts.ts'
import { buildRemoveApiTokenSteps, findApiTokens } from '../api-tokens/records.ts'
import { auditStep } from '../audit/write-event.ts'
import {
  buildRemoveCompanyAccountSteps,
  type CompanyAccount,
  findCompanyAccounts,
  isCompanyAccountRevoked,
} from '../connections/accounts.records.ts'
import {
  forgetRevokedPeriod,
  isApiTokenRevoked,
  isCredentialRevoked,
} from '../directory/revoked-credentials.records.ts'
import type { UserRecord } from '../directory/user.records.ts'
import { editUser, findUser } from '../directory/users.records.ts'
import { buildDeletePasskeySteps, countRemovedPasskeys, findPasskeys } from '../passkeys/records.ts'
import type { HoldingsWith } from './holdings.records.ts'
import type { MadeKind } from './made.records.ts'

export const stillChanging = 'The account kept changing. Use the link again to complete the report.'

/** Does the same after a change that succeeded. A failure is only logged, because these credentials do not work. */
export const tryRemoveRevokedCredentials = async (
  services: Services,
  user: UserRecord,
  context: RequestContext,
): Promise<void> => {
  try {
    await removeRevokedCredentials(services, user, context)
  } catch (error) {
    services.log.error('user.credentials_not_removed', {
      request_id: context.requestId,
      user: user.id,
      error,
    })
  }
}

/**
 * Deletes the credentials that a report revoked, for a limited time. The rest does not work either, and another use of
 * the same link continues.
 */
export const removeRevokedCredentials = async (
  services: Services,
  user: UserRecord,
  context: RequestContext,
): Promise<void> => {
  const { revokedCredentials } = user
  if (!revokedCredentials) return
  const endsAt = services.now() + revokedCleanUpMs
  for (const findRevoked of Object.values(removableCredentials))
    for (const remove of await findRevoked(services, user)) {
      if (services.now() >= endsAt) return
      await retryConflicts(() => wasCommitted(remove(services, context)), stillChanging)
    }
  await forgetRevokedPeriod(services.table, user.id, revokedCredentials)
}

/**
 * Deletes one credential.
 *
 * @throws ConditionFailed if it was deleted already
 * @throws EditConflict if the user was changed concurrently
 */
type Remove = (services: Services, context: RequestContext) => Promise<void>

/** Finds the credentials of one kind that a report of the user revoked. Each of them has stopped working already. */
export type FindRevoked = (services: Services, user: UserRecord) => Promise<readonly Remove[]>

const findRevokedApiTokens: FindRevoked = async ({ table }, user) =>
  (await findApiTokens(table, user.id))
    .filter((token) => isApiTokenRevoked(user, token))
    .map((token) => (services, context) => {
      const audit = auditStep(context, 'api_token.deleted', { user: user.id, target: String(token.id) })
      return services.table.transact([...buildRemoveApiTokenSteps(token), audit])
    })

const findRevokedCompanyAccounts: FindRevoked = async ({ table }, user) =>
  (await findCompanyAccounts(table, user))
    .filter(isCompanyAccountRevoked)
    .map((account) => (services, context) => removeCompanyAccount(services, account, context))

/** Also removes the groups that the user got by the account. */
const removeCompanyAccount = async (
  { table }: Services,
  account: CompanyAccount,
  context: RequestContext,
): Promise<void> => {
  const { user, providerId } = account
  const steps: readonly Step[] = [
    ...buildRemoveCompanyAccountSteps(account),
    auditStep(context, 'saml_account.unlinked', { user: user.id, target: `saml:${providerId}` }),
  ]
  const current = await findUser(table, user.id)
  const groups = current?.groups.filter((id) => !account.groups.includes(id))
  if (current && groups && groups.length < current.groups.length)
    await editUser(table, current, { groups }, { extraSteps: steps })
  else await table.transact(steps)
}

const findRevokedPasskeys: FindRevoked = async ({ table }, user) =>
  (await findPasskeys(table, user.id))
    .filter(({ createdAt }) => isCredentialRevoked(user, createdAt))
    .map((passkey) => async (services, context) => {
      const current = await findUser(services.table, user.id)
      if (!current) return
      const audit = auditStep(context, 'passkey.removed', { user: user.id, target: String(passkey.id) })
      const extraSteps = [...buildDeletePasskeySteps(passkey, () => new ConditionFailed()), audit]
      await editUser(
        services.table,
        current,
        { passkeys: countRemovedPasskeys(current, [passkey]) },
        { extraSteps },
      )
    })

/**
 * Every kind of credential that a report removes if it was added since the reported change. A new kind stores when each
 * credential was added, refuses those for which `isCredentialRevoked`, and is added here. What belongs to others is in `remove-made.ts`.
 */
const removableCredentials: Readonly<
  Record<Exclude<HoldingsWith<'report', 'since'>, MadeKind>, FindRevoked>
> = {
  api_token: findRevokedApiTokens,
  linked_account: findRevokedCompanyAccounts,
  passkey: findRevokedPasskeys,
}
