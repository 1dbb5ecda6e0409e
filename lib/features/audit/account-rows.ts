import type { EndRow, MergeRow } from '../../accounts/users/account-row.ts'
import { eventValuesPrefix } from '../../kernel/table/keys/keys.ts'

/** What events say about the names, addresses and attributes of a person ends with the person. The events stay. */
export const ends: readonly EndRow[] = [{ sk: eventValuesPrefix }]

export const merges: readonly MergeRow[] = [{ sk: eventValuesPrefix, merge: 'ends' }]
