import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import type { Services } from '../../../services.ts'
import {
  type CompanyAccountRecord,
  findCompanyAccounts,
  isCompanyAccountRevoked,
} from '../../connections/accounts.records.ts'
import { type Connection, readConnections } from '../../connections/records.ts'

export type UsableCompanyAccount = CompanyAccountRecord & { readonly provider: Connection }

/** Finds the accounts that can sign a user in: those of existing providers, without those that a report revoked. */
export const findUsableCompanyAccounts = async (
  { table }: Services,
  user: UserRecord,
): Promise<readonly UsableCompanyAccount[]> => {
  const accounts = (await findCompanyAccounts(table, user)).filter(
    (account) => !isCompanyAccountRevoked(account),
  )
  const ids = [...new Set(accounts.map(({ providerId }) => providerId))]
  const providers = new Map((await readConnections(table, ids)).map((provider) => [provider?.id, provider]))
  return accounts.flatMap((account) => {
    const provider = providers.get(account.providerId)
    return provider ? [{ ...account, provider }] : []
  })
}
