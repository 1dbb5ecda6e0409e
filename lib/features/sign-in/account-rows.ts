import { buildSessionLogoutSteps } from '../../accounts/sessions/logout-jobs.records.ts'
import { sessionCodec } from '../../accounts/sessions/stored-session.records.ts'
import type { EndRow, MergeRow } from '../../accounts/users/account-row.ts'
import { sessionPrefix } from '../../kernel/table/keys/keys.ts'

export const ends: readonly EndRow[] = [
  {
    sk: sessionPrefix,
    buildEnd: ({ key, item }) => [
      { delete: key },
      // Other sessions are not decoded, so that one that is not valid cannot stop the deletion.
      ...(item['clients'] === undefined ? [] : buildSessionLogoutSteps(sessionCodec.decode(item))),
    ],
  },
]

export const merges: readonly MergeRow[] = [{ sk: sessionPrefix, merge: 'ends' }]
