import type { EndRow, MergeRow } from '../../accounts/users/account-row.ts'
import { resetTokenKey } from '../../kernel/table/keys/keys.ts'

const { sk } = resetTokenKey(0, '')

export const ends: readonly EndRow[] = [{ sk }]

export const merges: readonly MergeRow[] = [{ sk, merge: 'ends' }]
