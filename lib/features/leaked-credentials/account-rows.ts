import type { EndRow, MergeRow } from '../../accounts/users/account-row.ts'
import { madePrefix, securityReportKey } from '../../kernel/table/keys/keys.ts'

const report = securityReportKey(0, '').sk

export const ends: readonly EndRow[] = [{ sk: report }, { sk: madePrefix }]

export const merges: readonly MergeRow[] = [
  { sk: report, merge: 'ends' },
  { sk: madePrefix, merge: 'ends' },
]
