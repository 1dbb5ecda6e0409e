import { accountsPerUser } from '../../kernel/limits/connection-limits.ts'
import { companyMembershipsPrefix, linkedByAddressPrefix } from '../../kernel/table/keys/keys.ts'
import type { EndRow, MergeObstacle, MergeRow } from '../directory/account-row.ts'
import {
  buildMoveCompanyAccountSteps,
  buildRemoveCompanyAccountSteps,
  buildTokenRevocationSteps,
  findCompanyAccounts,
  isCompanyAccountRevoked,
  readCompanyAccount,
} from './accounts.records.ts'

export const ends: readonly EndRow[] = [
  {
    sk: companyMembershipsPrefix,
    buildEnd: ({ key, item }) => [{ delete: key }, ...buildTokenRevocationSteps(item)],
  },
  { sk: linkedByAddressPrefix },
]

export const merges: readonly MergeRow[] = [
  {
    sk: companyMembershipsPrefix,
    merge: ({ item }, { merged, keptId }) => {
      const account = readCompanyAccount(item, merged)
      return isCompanyAccountRevoked(account)
        ? { steps: buildRemoveCompanyAccountSteps(account) }
        : { steps: buildMoveCompanyAccountSteps(item, merged, keptId), counts: 'saml_accounts' }
    },
  },
  { sk: linkedByAddressPrefix, merge: 'moves' },
]

export const findMergeObstacle: MergeObstacle = async (table, users) => {
  const accounts = await Promise.all(users.map((user) => findCompanyAccounts(table, user)))
  return accounts.flat().length > accountsPerUser
    ? `A user has at most ${accountsPerUser} accounts at identity providers. Remove some first.`
    : undefined
}
