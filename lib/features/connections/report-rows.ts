import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { FindRevoked } from '../../accounts/users/leak-row.ts'
import { editUser } from '../../accounts/users/write-users.records.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import {
  buildRemoveCompanyAccountSteps,
  type CompanyAccountRecord,
  findCompanyAccounts,
  isCompanyAccountRevoked,
} from './accounts.records.ts'
import { getConnectionTarget } from './connection-context.ts'
import { findConnection } from './records.ts'

export const findRevokedCompanyAccounts: FindRevoked = async ({ table }, user) =>
  (await findCompanyAccounts(table, user))
    .filter(isCompanyAccountRevoked)
    .map((account) => (services, context) => removeCompanyAccount(services, account, context))

/** Also removes the groups that the user got by the account. */
const removeCompanyAccount = async (
  { table }: Services,
  account: CompanyAccountRecord,
  context: RequestContext,
): Promise<void> => {
  const { user, providerId } = account
  const connection = await findConnection(table, providerId)
  const steps: readonly Step[] = [
    ...buildRemoveCompanyAccountSteps(account),
    auditStep(context, 'company_account.unlinked', {
      user: user.id,
      target: connection ? getConnectionTarget(connection) : String(providerId),
    }),
  ]
  const current = await findUser(table, user.id)
  const groups = current?.groups.filter((id) => !account.groups.includes(id))
  if (current && groups && groups.length < current.groups.length)
    await editUser(table, current, { groups }, { extraSteps: steps })
  else await table.transact(steps)
}
