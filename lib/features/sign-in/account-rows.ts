import { sessionPrefix } from '../../kernel/table/keys/keys.ts'
import type { EndRow, MergeRow } from '../directory/account-row.ts'
import { buildSessionLogoutSteps } from '../oauth/logout-jobs.records.ts'
import { sessionCodec } from './session.records.ts'

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
