import type { EndRow, MergeObstacle, MergeRow } from '../../accounts/users/account-row.ts'
import { isApiTokenRevoked } from '../../accounts/users/revoked-credentials.records.ts'
import { apiTokensPerUser } from '../../kernel/limits/limits.ts'
import { apiTokenCountKey, apiTokenMarkerKey, apiTokenPrefix } from '../../kernel/table/keys/keys.ts'
import type { ListEntry } from '../../kernel/table/listing.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { apiTokenCodec, buildMoveApiTokenSteps, findApiTokens } from './records.ts'

const count = apiTokenCountKey(0).sk

const buildEnd = ({ key }: ListEntry): readonly Step[] => [
  { delete: key },
  // The marker of a custom value, so that it can be used again.
  { delete: apiTokenMarkerKey(key.sk.slice(apiTokenPrefix.length)) },
]

export const ends: readonly EndRow[] = [{ sk: apiTokenPrefix, buildEnd }, { sk: count }]

export const merges: readonly MergeRow[] = [
  {
    sk: apiTokenPrefix,
    merge: (entry, { merged, keptId }) => {
      const token = apiTokenCodec.decode(entry.item)
      return isApiTokenRevoked(merged, token)
        ? { steps: buildEnd(entry) }
        : { steps: buildMoveApiTokenSteps(token, keptId), counts: 'api_tokens' }
    },
  },
  { sk: count, merge: 'ends' },
]

export const findMergeObstacle: MergeObstacle = async (table, users) => {
  const tokens = await Promise.all(users.map(({ id }) => findApiTokens(table, id)))
  return tokens.flat().length > apiTokensPerUser
    ? `A user has at most ${apiTokensPerUser} API tokens. Delete some first.`
    : undefined
}
