import type { EndRow, MergeRow } from '../../accounts/users/account-row.ts'
import { companyMembershipsPrefix, linkedByAddressPrefix } from '../../kernel/table/keys/keys.ts'
import {
  buildMoveCompanyAccountSteps,
  buildRemoveCompanyAccountSteps,
  buildTokenRevocationSteps,
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
        : { steps: buildMoveCompanyAccountSteps(item, merged, keptId), counts: 'company_accounts' }
    },
  },
  { sk: linkedByAddressPrefix, merge: 'moves' },
]
