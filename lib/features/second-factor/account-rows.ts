import { secondFactorTokenKey } from '../../kernel/table/keys/keys.ts'
import type { EndRow, MergeRow } from '../directory/account-row.ts'

const { sk } = secondFactorTokenKey(0, '')

export const ends: readonly EndRow[] = [{ sk }]

export const merges: readonly MergeRow[] = [{ sk, merge: 'ends' }]
