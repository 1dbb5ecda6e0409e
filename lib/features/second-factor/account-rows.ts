import type { EndRow, MergeRow } from '../../accounts/users/account-row.ts'
import { secondFactorTokenKey } from '../../kernel/table/keys/keys.ts'

const { sk } = secondFactorTokenKey(0, '')

export const ends: readonly EndRow[] = [{ sk }]

export const merges: readonly MergeRow[] = [{ sk, merge: 'ends' }]
