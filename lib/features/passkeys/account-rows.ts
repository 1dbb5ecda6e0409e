import type { EndRow, MergeRow } from '../../accounts/users/account-row.ts'
import { passkeyMarkerKey, passkeyPrefix } from '../../kernel/table/keys/keys.ts'

export const ends: readonly EndRow[] = [
  {
    sk: passkeyPrefix,
    // The marker, too, so that the passkey can be registered again.
    buildEnd: ({ key }) => [
      { delete: key },
      { delete: passkeyMarkerKey(key.sk.slice(passkeyPrefix.length)) },
    ],
  },
]

export const merges: readonly MergeRow[] = [{ sk: passkeyPrefix, merge: 'ends' }]
