import type { APIToken } from '../../lib/contract/models/api-tokens.ts'
import { requireFound } from '../../lib/errors/require-found.ts'
import type { Services } from '../../lib/services.ts'
import { type ApiTokenRecord, findApiTokens } from '../../lib/store/sign-in/api-tokens.ts'
import { formatTime } from '../../lib/util/format-time.ts'

/** Returns a token of a user. @throws AppError `not_found` if the user has no token with this ID. */
export const requireToken = async (
  { table }: Services,
  userId: number,
  id: number,
): Promise<ApiTokenRecord> =>
  requireFound((await findApiTokens(table, userId)).find((token) => token.id === id))

/** Builds the body of a token, without its value. */
export const toTokenBody = (token: ApiTokenRecord): APIToken => ({
  id: token.id,
  name: token.name,
  scopes: token.scopes ? [...token.scopes] : null,
  expires: formatTime(token.expiresAt ?? null),
  created_at: formatTime(token.createdAt),
  last_used_at: formatTime(token.lastUsedAt),
})
