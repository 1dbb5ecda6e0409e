import type { APIToken } from '../../lib/contract/models/api-tokens.ts'
import { requireFound } from '../../lib/core/require-found.ts'
import type { Services } from '../../lib/services.ts'
import type { ApiTokenRecord } from '../../lib/store/records/api-token-record.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'
import { findApiTokens } from '../../lib/store/sign-in/api-tokens.ts'

/** Returns a token of the user. @throws AppError `not_found` if the user has no token with this ID. */
export const requireOwnToken = async (
  { table }: Services,
  user: UserRecord,
  id: number,
): Promise<ApiTokenRecord> =>
  requireFound((await findApiTokens(table, user.id)).find((token) => token.id === id))

export const toTokenBody = ({ id, name }: ApiTokenRecord): APIToken => ({ id, name })
