import type { EndRow, MergeRow } from '../../accounts/users/account-row.ts'
import { scimBindingPrefix } from '../../kernel/table/keys/scim-keys.ts'

/** The record of a person stays, and their directory ends or deletes it. */
export const ends: readonly EndRow[] = [{ sk: scimBindingPrefix }]

/** The identity moves with its account, and leads the directory to the user who is kept. */
export const merges: readonly MergeRow[] = [{ sk: scimBindingPrefix, merge: 'moves' }]
